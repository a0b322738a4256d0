// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/render/render_timeline.h"

#include <QIODevice>
#include <QPainter>
#include <QSvgGenerator>

namespace ks {
namespace {

constexpr int kDefaultHeight = 600;

QSize pictureSize(const RenderOptions &options)
{
    return {options.width, options.height > 0 ? options.height : kDefaultHeight};
}

QColor background(bool dark)
{
    return dark ? QColor(0x25, 0x26, 0x2b) : QColor(0xff, 0xff, 0xff);
}

} // namespace

QImage renderTimelineImage(const Trace &, const RenderOptions &options)
{
    const QSize size = pictureSize(options);
    QImage image(size * options.dpr, QImage::Format_RGB32);
    image.setDevicePixelRatio(options.dpr);
    image.fill(background(options.dark));
    return image;
}

bool renderTimelineSvg(const Trace &, const RenderOptions &options, QIODevice &device)
{
    QSvgGenerator generator;
    generator.setOutputDevice(&device);
    generator.setSize(pictureSize(options));
    generator.setViewBox(QRect(QPoint(), pictureSize(options)));
    QPainter painter;
    if (!painter.begin(&generator))
        return false;
    painter.fillRect(QRect(QPoint(), pictureSize(options)), background(options.dark));
    return painter.end();
}

} // namespace ks
