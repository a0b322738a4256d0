// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/render/curve_painter.h"

#include "core/base/format.h"
#include "widgets/render/colours.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace ks {
namespace {

constexpr int kTopMargin = 12; // room for the label of the peak
constexpr int kBottomMargin = 1;

// Where values of a band stand, in logical pixels from the top of the picture.
class BandScale
{
public:
    BandScale(const LanesPicture &picture, const Band &band)
        : m_lane(laneOf(picture, band))
        , m_bottom(bottomOf(picture, band))
        , m_least(m_lane.extremes.least)
    {
        const double span = m_lane.extremes.greatest - m_least;
        const int height = picture.layout.blocks()[band.block].height;
        m_pixelsPerUnit = span > 0 ? (height - kTopMargin - kBottomMargin) / span : 0;
    }

    const CurveLane &lane() const { return m_lane; }
    double bottom() const { return m_bottom; }
    double y(double value) const { return m_bottom - (value - m_least) * m_pixelsPerUnit; }

private:
    static const CurveLane &laneOf(const LanesPicture &picture, const Band &band)
    {
        return picture.layout.viewIndex().curveLanes()[picture.layout.blocks()[band.block].curveLane];
    }
    static double bottomOf(const LanesPicture &picture, const Band &band)
    {
        const Block &block = picture.layout.blocks()[band.block];
        return block.y - picture.scrollY + block.height - kBottomMargin;
    }

    const CurveLane &m_lane;
    double m_bottom;
    double m_least;
    double m_pixelsPerUnit = 0;
};

// The tones of an area. That of the spread is seen over the area only.
struct AreaTones
{
    explicit AreaTones(const Theme &theme)
        : area(mix(theme.lanes, theme.accent, theme.dark ? 0.32 : 0.26))
        , spread(mix(area, theme.accent, 0.45))
        , line(theme.accent)
    {}
    Rgb area, spread, line;
};

constexpr double kLeastSpread = 0.5; // logical pixels
constexpr int kDotPeriod = 3;

// Rows of pixels of one column, or of each of its neighbours too.
struct PixelSpan
{
    int top = 0;
    int end = 0;
};

// An area as what each of its columns shows.
struct AreaColumns
{
    std::vector<int> top; // of the area
    std::vector<PixelSpan> spread;
    std::vector<PixelSpan> line;

    AreaColumns(const LanesPicture &picture, const Band &band, const BandScale &scale, double dpr)
    {
        const std::span columns = std::span(picture.list.bandColumns).subspan(band.first, band.end - band.first);
        const int thick = thickness(dpr);
        top.reserve(columns.size());
        spread.reserve(columns.size());
        line.reserve(columns.size());
        for (const Extremes &column : columns) {
            const double high = scale.y(column.greatest);
            const double low = scale.y(column.least);
            const int y = toDevice(high, dpr);
            top.push_back(y);
            spread.push_back(low - high > kLeastSpread ? PixelSpan{y, toDevice(low, dpr)} : PixelSpan{y, y});
            line.push_back({y, y + thick});
        }
        // Steps are as thick as the line is.
        for (std::size_t i = 1; i < columns.size(); ++i) {
            if (top[i] == top[i - 1])
                continue;
            const auto [least, most] = std::minmax(top[i], top[i - 1]);
            for (std::size_t at = i; at < std::min(columns.size(), i + static_cast<std::size_t>(thick)); ++at)
                line[at] = {std::min(line[at].top, least), std::max(line[at].end, most + thick)};
        }
    }

    static int toDevice(double y, double dpr) { return static_cast<int>(std::lround(y * dpr)); }
    static int thickness(double dpr) { return std::max(1, static_cast<int>(std::lround(dpr))); }
};

// The line of the least value stands below the area.
void paintArea(const Pixels &pixels, const AreaColumns &columns, int firstColumn, int bottom, int lineBottom,
               const AreaTones &tones)
{
    const QRgb area = toQRgb(tones.area);
    const QRgb spread = toQRgb(tones.spread);
    const QRgb line = toQRgb(tones.line);
    const int count = std::min(static_cast<int>(columns.top.size()), pixels.width - firstColumn);
    if (count <= 0)
        return;
    const int top = *std::min_element(columns.top.begin(), columns.top.begin() + count);
    for (int y = std::max(top, 0); y < std::min(lineBottom, pixels.height); ++y) {
        QRgb *const out = pixels.line(y) + firstColumn;
        const int areaTop = y < bottom ? y : std::numeric_limits<int>::min();
        for (int i = 0; i < count; ++i) {
            const auto c = static_cast<std::size_t>(i);
            QRgb colour = columns.top[c] <= areaTop ? area : out[i];
            colour = y >= columns.spread[c].top && y < columns.spread[c].end ? spread : colour;
            out[i] = y >= columns.line[c].top && y < columns.line[c].end ? line : colour;
        }
    }
}

void paintDots(const Pixels &pixels, const AreaColumns &columns, int firstColumn, double dpr, QRgb colour)
{
    const int size = AreaColumns::thickness(dpr);
    for (std::size_t i = 0; i < columns.top.size(); ++i) {
        const int x = firstColumn + static_cast<int>(i);
        if (x >= pixels.width || x % (kDotPeriod * size) >= size)
            continue;
        for (int y = std::max(columns.top[i], 0); y < std::min(columns.top[i] + size, pixels.height); ++y)
            pixels.line(y)[x] = colour;
    }
}

// A stretch of columns in which the upper edge of a band is flat.
struct Stretch
{
    double left = 0;
    double right = 0;
    double y = 0; // on a border of pixels, as the other two
};

std::vector<Stretch> upperEdge(const LanesPicture &picture, const Band &band, const BandScale &scale)
{
    const double width = picture.list.columnWidth;
    std::vector<Stretch> edge;
    for (std::uint32_t i = band.first; i < band.end; ++i) {
        const double x = (band.firstColumn + (i - band.first)) * width;
        const double y = std::round(scale.y(picture.list.bandColumns[i].greatest) / width) * width;
        if (edge.empty() || y != edge.back().y)
            edge.push_back({x, x, y});
        edge.back().right = x + width;
    }
    return edge;
}

// Rectangles on borders of pixels.
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
    QVector<QRectF> rects;
    for (const Stretch &flat : edge) {
        for (double x = std::ceil(flat.left / kDotPeriod) * kDotPeriod; x < flat.right; x += kDotPeriod)
            rects.append(QRectF(x, flat.y, 1, 1));
    }
    fill(painter, rects, colour);
}

// Where a column holds several values: from the least to the greatest of them, so that no spike is lost.
void paintSpread(QPainter &painter, const LanesPicture &picture, const Band &band, const BandScale &scale,
                 const QColor &colour)
{
    const double width = picture.list.columnWidth;
    QVector<QRectF> columns;
    for (std::uint32_t i = band.first; i < band.end; ++i) {
        const double high = scale.y(picture.list.bandColumns[i].greatest);
        const double low = scale.y(picture.list.bandColumns[i].least);
        if (low - high > kLeastSpread)
            columns.append(QRectF((band.firstColumn + (i - band.first)) * width, high, width, low - high));
    }
    fill(painter, columns, colour);
}

void paintPeak(QPainter &painter, const LanesPicture &picture, const Band &band, const BandScale &scale)
{
    std::uint32_t peak = band.first;
    for (std::uint32_t i = band.first; i < band.end; ++i) {
        if (picture.list.bandColumns[i].greatest > picture.list.bandColumns[peak].greatest)
            peak = i;
    }
    const double value = picture.list.bandColumns[peak].greatest;
    if (value <= 0)
        return;
    const double y = scale.y(value);
    QPen pen(toColour(picture.theme.peak), 1, Qt::DashLine);
    pen.setCosmetic(true);
    painter.setPen(pen);
    painter.drawLine(QPointF(0, y), QPointF(picture.width, y));
    const std::string amount = scale.lane().unit == CurveUnit::Bytes ? formatBytes(static_cast<std::int64_t>(value))
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

void paintCurves(const Pixels &pixels, double dpr, const LanesPicture &picture)
{
    const AreaTones tones(picture.theme);
    for (const Band &band : picture.list.bands) {
        const BandScale scale(picture, band);
        const AreaColumns columns(picture, band, scale, dpr);
        const auto firstColumn = static_cast<int>(band.firstColumn);
        const int bottom = AreaColumns::toDevice(scale.bottom(), dpr);
        if (band.curve == 0)
            paintArea(pixels, columns, firstColumn, bottom, bottom + AreaColumns::thickness(dpr), tones);
        else
            paintDots(pixels, columns, firstColumn, dpr, toQRgb(picture.theme.muted));
    }
}

void paintCurves(QPainter &painter, const LanesPicture &picture)
{
    const AreaTones tones(picture.theme);
    for (const Band &band : picture.list.bands) {
        const BandScale scale(picture, band);
        const std::vector<Stretch> edge = upperEdge(picture, band, scale);
        if (edge.empty())
            continue;
        if (band.curve != 0) {
            paintDots(painter, edge, toColour(picture.theme.muted));
            continue;
        }
        paintBelow(painter, edge, scale.bottom(), toColour(tones.area));
        paintSpread(painter, picture, band, scale, toColour(tones.spread));
        paintLine(painter, edge, toColour(tones.line));
    }
}

void paintCurveMarks(QPainter &painter, const LanesPicture &picture)
{
    for (const Band &band : picture.list.bands) {
        const BandScale scale(picture, band);
        if (band.curve == 0 && scale.lane().unit == CurveUnit::Bytes)
            paintPeak(painter, picture, band, scale);
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
