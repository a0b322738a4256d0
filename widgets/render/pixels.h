// SPDX-License-Identifier: GPL-3.0-or-later
// A part of an image as rows of device pixels.
#pragma once

#include <QImage>
#include <QPoint>

#include <algorithm>

namespace ks {

struct Pixels
{
    Pixels(QImage &image, QPoint origin, int wide, int high)
        : m_first(image.bits() + origin.y() * image.bytesPerLine() + origin.x() * qsizetype{sizeof(QRgb)})
        , m_bytesPerLine(image.bytesPerLine())
        , width(wide)
        , height(high)
    {}
    QRgb *line(int y) const { return reinterpret_cast<QRgb *>(m_first + y * m_bytesPerLine); }
    void fill(int top, int bottom, QRgb colour) const
    {
        top = std::max(top, 0);
        bottom = std::min(bottom, height);
        for (int y = top; y < bottom; ++y)
            std::fill_n(line(y), width, colour);
    }

private:
    uchar *m_first;
    qsizetype m_bytesPerLine;

public:
    const int width, height;
};

} // namespace ks
