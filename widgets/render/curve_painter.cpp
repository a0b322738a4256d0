// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/render/curve_painter.h"

#include "core/base/format.h"
#include "widgets/render/colours.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace ks {
namespace {

constexpr int kTopMargin = 12; // room for the label of the peak
constexpr int kBottomMargin = 1;

// The upper edge of a band, column by column; flat stretches become one segment.
QPolygonF upperEdge(const LanesPicture &picture, const Band &band, const CurveLane &lane, const Block &block)
{
    const double bottom = block.y - picture.scrollY + block.height - kBottomMargin;
    const double width = picture.list.columnWidth;
    QPolygonF edge;
    double lastY = 0;
    for (std::uint32_t i = band.first; i < band.end; ++i) {
        const double x = (band.firstColumn + (i - band.first)) * width;
        const double y = bottom - bandHeight(lane, picture.list.bandColumns[i].greatest, block.height);
        if (edge.isEmpty() || y != lastY) {
            if (!edge.isEmpty())
                edge.append(QPointF(x, lastY));
            edge.append(QPointF(x, y));
            lastY = y;
        }
    }
    if (!edge.isEmpty())
        edge.append(QPointF((band.firstColumn + (band.end - band.first)) * width, lastY));
    return edge;
}

// Where a column holds several values: from the least to the greatest of them, so that no spike is lost.
void paintSpread(QPainter &painter, const LanesPicture &picture, const Band &band, const CurveLane &lane,
                 const Block &block, const QColor &colour)
{
    const double bottom = block.y - picture.scrollY + block.height - kBottomMargin;
    const double width = picture.list.columnWidth;
    QVector<QRectF> columns;
    for (std::uint32_t i = band.first; i < band.end; ++i) {
        const double low = bandHeight(lane, picture.list.bandColumns[i].least, block.height);
        const double high = bandHeight(lane, picture.list.bandColumns[i].greatest, block.height);
        if (high - low > 0.5)
            columns.append(QRectF((band.firstColumn + (i - band.first)) * width, bottom - high, width, high - low));
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawRects(columns);
    painter.restore();
}

void paintPeak(QPainter &painter, const LanesPicture &picture, const Band &band, const CurveLane &lane,
               const Block &block)
{
    std::uint32_t peak = band.first;
    for (std::uint32_t i = band.first; i < band.end; ++i) {
        if (picture.list.bandColumns[i].greatest > picture.list.bandColumns[peak].greatest)
            peak = i;
    }
    const double value = picture.list.bandColumns[peak].greatest;
    if (value <= 0)
        return;
    const double y = block.y - picture.scrollY + block.height - kBottomMargin - bandHeight(lane, value, block.height);
    QPen pen(toColour(picture.theme.peak), 1, Qt::DashLine);
    pen.setCosmetic(true);
    painter.setPen(pen);
    painter.drawLine(QPointF(0, y), QPointF(picture.width, y));
    const std::string amount = lane.unit == CurveUnit::Bytes ? formatBytes(static_cast<std::int64_t>(value))
                                                             : formatCount(static_cast<std::uint64_t>(value));
    const QString text =
        QString::fromUtf8("▲ ") + QCoreApplication::translate("ks::Timeline", "peak %1").arg(toText(amount));
    const QFontMetricsF metrics(painter.font());
    const double x = (band.firstColumn + (peak - band.first)) * picture.list.columnWidth;
    const double left = std::clamp(x - metrics.horizontalAdvance(u'▲') / 2, 4.0,
                                   std::max(4.0, picture.width - metrics.horizontalAdvance(text) - 4));
    // Readable over whatever lies behind it.
    const QRectF box(left - 3, y - metrics.ascent() - 2, metrics.horizontalAdvance(text) + 6, metrics.ascent() + 2);
    painter.fillRect(box, toColour(picture.theme.lanes, 0.8));
    painter.drawText(QPointF(left, y - 2.5), text);
}

} // namespace

double bandHeight(const CurveLane &lane, double value, int blockHeight)
{
    const double span = lane.extremes.greatest - lane.extremes.least;
    if (!(span > 0))
        return 0;
    return (value - lane.extremes.least) / span * (blockHeight - kTopMargin - kBottomMargin);
}

void paintCurves(QPainter &painter, const LanesPicture &picture)
{
    for (const Band &band : picture.list.bands) {
        const Block &block = picture.layout.blocks()[band.block];
        const CurveLane &lane = picture.layout.viewIndex().curveLanes()[block.curveLane];
        const QPolygonF edge = upperEdge(picture, band, lane, block);
        if (edge.isEmpty())
            continue;
        const bool filled = band.curve == 0;
        if (filled) {
            QPolygonF area = edge;
            const double bottom = block.y - picture.scrollY + block.height - kBottomMargin;
            area.append(QPointF(edge.last().x(), bottom));
            area.append(QPointF(edge.first().x(), bottom));
            painter.setPen(Qt::NoPen);
            painter.setBrush(
                toColour(mix(picture.theme.lanes, picture.theme.accent, picture.theme.dark ? 0.32 : 0.26)));
            painter.drawPolygon(area);
            painter.setBrush(Qt::NoBrush);
            paintSpread(painter, picture, band, lane, block, toColour(picture.theme.accent, 0.45));
        }
        QPen pen(toColour(filled ? picture.theme.accent : picture.theme.muted), filled ? 1.25 : 1);
        if (!filled)
            pen.setStyle(Qt::DotLine);
        painter.setPen(pen);
        painter.drawPolyline(edge);
    }
    for (const Band &band : picture.list.bands) {
        const Block &block = picture.layout.blocks()[band.block];
        const CurveLane &lane = picture.layout.viewIndex().curveLanes()[block.curveLane];
        if (band.curve == 0 && lane.unit == CurveUnit::Bytes)
            paintPeak(painter, picture, band, lane, block);
    }
    // Out of memory: a mark nobody overlooks.
    painter.setPen(QPen(toColour(picture.theme.selection), 1.5));
    for (const OutOfMemoryMark &mark : picture.list.outOfMemory) {
        const Block &block = picture.layout.blocks()[mark.block];
        const double y = block.y - picture.scrollY;
        painter.drawLine(QPointF(mark.x, y + 1), QPointF(mark.x, y + block.height - 1));
    }
}

} // namespace ks
