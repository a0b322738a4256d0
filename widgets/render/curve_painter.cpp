// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/render/curve_painter.h"

#include "core/base/format.h"
#include "widgets/render/colours.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <vector>

namespace ks {
namespace {

constexpr int kTopMargin = 12; // room for the label of the peak
constexpr int kBottomMargin = 1;

// A stretch of columns in which the upper edge of a band is flat.
struct Stretch
{
    double left = 0;
    double right = 0;
    double y = 0; // on a border of pixels, as the other two
};

std::vector<Stretch> upperEdge(const LanesPicture &picture, const Band &band, const CurveLane &lane, const Block &block)
{
    const double bottom = block.y - picture.scrollY + block.height - kBottomMargin;
    const double width = picture.list.columnWidth;
    std::vector<Stretch> edge;
    for (std::uint32_t i = band.first; i < band.end; ++i) {
        const double x = (band.firstColumn + (i - band.first)) * width;
        const double height = bandHeight(lane, picture.list.bandColumns[i].greatest, block.height);
        const double y = std::round((bottom - height) / width) * width;
        if (edge.empty() || y != edge.back().y)
            edge.push_back({x, x, y});
        edge.back().right = x + width;
    }
    return edge;
}

// Rectangles on borders of pixels: a path of thousands of points takes tens of milliseconds to fill.
void fill(QPainter &painter, const QVector<QRectF> &rects, const QColor &colour)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawRects(rects);
    painter.restore();
}

void paintBelow(QPainter &painter, const std::vector<Stretch> &edge, double bottom, const QColor &colour)
{
    QVector<QRectF> rects;
    for (const Stretch &flat : edge)
        rects.append(QRectF(QPointF(flat.left, flat.y), QPointF(flat.right, bottom)));
    fill(painter, rects, colour);
}

void paintLine(QPainter &painter, const std::vector<Stretch> &edge, const QColor &colour)
{
    QVector<QRectF> rects;
    double before = edge.front().y;
    for (const Stretch &flat : edge) {
        rects.append(QRectF(flat.left, flat.y, flat.right - flat.left, 1));
        if (flat.y != before)
            rects.append(QRectF(flat.left, std::min(flat.y, before), 1, std::abs(flat.y - before) + 1));
        before = flat.y;
    }
    fill(painter, rects, colour);
}

void paintDots(QPainter &painter, const std::vector<Stretch> &edge, const QColor &colour)
{
    constexpr double kPeriod = 3;
    QVector<QRectF> rects;
    for (const Stretch &flat : edge) {
        for (double x = std::ceil(flat.left / kPeriod) * kPeriod; x < flat.right; x += kPeriod)
            rects.append(QRectF(x, flat.y, 1, 1));
    }
    fill(painter, rects, colour);
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
    fill(painter, columns, colour);
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
        const std::vector<Stretch> edge = upperEdge(picture, band, lane, block);
        if (edge.empty())
            continue;
        if (band.curve != 0) {
            paintDots(painter, edge, toColour(picture.theme.muted));
            continue;
        }
        paintBelow(painter, edge, block.y - picture.scrollY + block.height - kBottomMargin,
                   toColour(mix(picture.theme.lanes, picture.theme.accent, picture.theme.dark ? 0.32 : 0.26)));
        paintSpread(painter, picture, band, lane, block, toColour(picture.theme.accent, 0.45));
        paintLine(painter, edge, toColour(picture.theme.accent));
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
