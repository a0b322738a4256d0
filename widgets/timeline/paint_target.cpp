// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/paint_target.h"

#include <QPaintEngine>
#include <QPainter>

#include <cmath>

namespace ks {

PaintTarget paintTargetOf(const QPainter &painter, QSize size, double dpr)
{
    if (!painter.paintEngine() || painter.paintEngine()->type() != QPaintEngine::Raster)
        return {};
    auto *image = dynamic_cast<QImage *>(painter.paintEngine()->paintDevice());
    if (!image || (image->format() != QImage::Format_RGB32 && image->format() != QImage::Format_ARGB32_Premultiplied))
        return {};
    const QTransform transform = painter.deviceTransform();
    const QPoint origin(static_cast<int>(std::floor(transform.dx())), static_cast<int>(std::floor(transform.dy())));
    const bool isWhole = transform.dx() == origin.x() && transform.dy() == origin.y();
    if (!isWhole || transform.type() > QTransform::TxScale || transform.m11() != dpr || transform.m22() != dpr)
        return {};
    const QSize pixels(static_cast<int>(std::lround(size.width() * dpr)),
                       static_cast<int>(std::lround(size.height() * dpr)));
    if (!image->rect().contains(QRect(origin, pixels)))
        return {};
    return {image, origin};
}

} // namespace ks
