// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/render/timeline_painter.h"

#include "core/base/name_pool.h"
#include "widgets/render/colours.h"
#include "widgets/render/curve_painter.h"

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace ks {
namespace {

constexpr double kLabelPadding = 4;   // left of a label
constexpr int kLeastLabelHeight = 12; // of a row that gets labels
constexpr int kLeastRoundedWidth = 6; // device pixels
constexpr double kFaintest = 0.35;    // opacity of a cell that is hardly busy: seen, but not taken for a full one

Rgb groundOf(const LaneLayout &layout, std::size_t block, const Theme &theme)
{
    if (layout.blocks()[block].kind == BlockKind::Heading)
        return theme.lanesAlternate;
    return block % 2 ? theme.lanes : theme.lanesAlternate;
}

Rgb boxColour(const Box &box, const Theme &theme, Rgb ground)
{
    const Rgb colour = theme.colour(box.colour);
    return box.dim ? mix(ground, colour, kDimmed) : colour;
}

Rgb cellColour(const Cell &cell, const Theme &theme, Rgb ground)
{
    const double share = kFaintest + (1 - kFaintest) * cell.busy / 255.0;
    return mix(ground, theme.colour(cell.colour), cell.dim ? share * kDimmed : share);
}

// Device pixels of a box: at least one, and a gap to a neighbour that touches it, so that two of one colour stay two.
struct Span
{
    int first = 0, end = 0;
};

Span spanOf(const Box &box, const Box *next, double dpr)
{
    const int first = static_cast<int>(std::lround(box.x0 * dpr));
    int end = std::max(first + 1, static_cast<int>(std::lround(box.x1 * dpr)));
    if (next && end - first >= 3 && static_cast<int>(std::lround(next->x0 * dpr)) <= end)
        --end;
    return {first, end};
}

// The rows of a target image, as device pixels.
struct Pixels
{
    QImage &image;
    QPoint origin;
    int width = 0, height = 0;

    QRgb *line(int y) const { return reinterpret_cast<QRgb *>(image.scanLine(origin.y() + y)) + origin.x(); }
    void fill(int top, int bottom, QRgb colour) const
    {
        top = std::max(top, 0);
        bottom = std::min(bottom, height);
        for (int y = top; y < bottom; ++y)
            std::fill_n(line(y), width, colour);
    }
};

void paintGround(const Pixels &pixels, double dpr, const LanesPicture &picture)
{
    const auto blocks = picture.layout.blocks();
    const std::size_t first = picture.layout.blockAt(picture.scrollY);
    int bottom = 0;
    for (std::size_t i = first; i < blocks.size() && blocks[i].y < picture.scrollY + picture.height; ++i) {
        const int top = static_cast<int>(std::lround((blocks[i].y - picture.scrollY) * dpr));
        bottom = static_cast<int>(std::lround((blocks[i].y + blocks[i].height - picture.scrollY) * dpr));
        pixels.fill(top, bottom, toQRgb(groundOf(picture.layout, i, picture.theme)));
    }
    pixels.fill(bottom, pixels.height, toQRgb(picture.theme.lanes));
}

// What cellColour() says for one ground, in 64 steps of the busy share, computed on first use.
class CellColours
{
public:
    CellColours(const Theme &theme, Rgb ground)
        : m_theme(theme)
        , m_ground(ground)
        , m_colours(kColourKeyCount * 2 * kSteps)
    {}
    Rgb ground() const { return m_ground; }
    QRgb of(const Cell &cell)
    {
        const std::size_t key = static_cast<std::size_t>(cell.colour) * 2 + (cell.dim ? 1 : 0);
        QRgb &colour = m_colours[key * kSteps + cell.busy * kSteps / 256];
        if (colour == 0) // an opaque colour is never 0
            colour = toQRgb(cellColour(cell, m_theme, m_ground));
        return colour;
    }

private:
    static constexpr std::size_t kSteps = 64;
    const Theme &m_theme;
    Rgb m_ground;
    std::vector<QRgb> m_colours;
};

void composeLine(std::vector<QRgb> &line, const DrawRow &row, double dpr, const LanesPicture &picture,
                 CellColours &cells)
{
    const Rgb ground = cells.ground();
    const int width = static_cast<int>(line.size());
    std::fill(line.begin(), line.end(), toQRgb(ground));
    const auto &boxes = picture.list.boxes;
    for (std::uint32_t i = row.firstBox; i < row.endBox; ++i) {
        const Span span = spanOf(boxes[i], i + 1 < row.endBox ? &boxes[i + 1] : nullptr, dpr);
        const int first = std::max(span.first, 0);
        const int end = std::min(span.end, width);
        if (first < end)
            std::fill(line.begin() + first, line.begin() + end, toQRgb(boxColour(boxes[i], picture.theme, ground)));
    }
    // One column is one device pixel.
    for (std::uint32_t i = row.firstCell; i < row.endCell; ++i) {
        const Cell &cell = picture.list.cells[i];
        if (static_cast<int>(cell.column) < width)
            line[cell.column] = cells.of(cell);
    }
}

void roundCorners(const Pixels &pixels, int top, int bottom, const DrawRow &row, double dpr,
                  const LanesPicture &picture, Rgb ground)
{
    const auto &boxes = picture.list.boxes;
    for (std::uint32_t i = row.firstBox; i < row.endBox; ++i) {
        const Span span = spanOf(boxes[i], i + 1 < row.endBox ? &boxes[i + 1] : nullptr, dpr);
        if (span.end - span.first < kLeastRoundedWidth)
            continue;
        const QRgb soft = toQRgb(mix(ground, boxColour(boxes[i], picture.theme, ground), 0.45));
        for (const int y : {top, bottom - 1}) {
            if (y < 0 || y >= pixels.height)
                continue;
            if (span.first >= 0 && span.first < pixels.width)
                pixels.line(y)[span.first] = soft;
            if (span.end > 0 && span.end <= pixels.width)
                pixels.line(y)[span.end - 1] = soft;
        }
    }
}

// As many characters as fit: SVG output knows no clipping.
QString cutToFit(QString text, double room, const QFontMetricsF &metrics)
{
    text.truncate(static_cast<qsizetype>(room)); // no character is narrower than a pixel
    for (double width = metrics.horizontalAdvance(text); width > room && !text.isEmpty();
         width = metrics.horizontalAdvance(text))
        text.truncate(
            std::min(text.size() - 1, static_cast<qsizetype>(static_cast<double>(text.size()) * room / width) + 1));
    return text;
}

bool hasLabels(const DrawRow &row)
{
    return row.height >= kLeastLabelHeight;
}

void paintLabels(QPainter &painter, QPoint origin, const DrawRow &row, double dpr, const LanesPicture &picture,
                 LabelCache &labels, Rgb ground)
{
    for (std::uint32_t i = row.firstBox; i < row.endBox; ++i) {
        const Box &box = picture.list.boxes[i];
        const double left = std::max<double>(box.x0, 0);
        const double right = std::min<double>(box.x1, picture.width);
        if (right - left < kLeastLabelWidth)
            continue;
        const Rgb colour = boxColour(box, picture.theme, ground);
        const Rgb ink = box.dim ? picture.theme.muted : picture.theme.ink(colour);
        const QImage &label = labels.label(picture.trace.nameId(box.event), toQRgb(ink), dpr);
        const int x = static_cast<int>(std::lround((left + kLabelPadding) * dpr));
        const int width = std::min(label.width(), static_cast<int>((right - 2) * dpr) - x);
        const double middle = (row.y - picture.scrollY + row.height / 2.0) * dpr;
        const int y = static_cast<int>(std::lround(middle - label.height() / 2.0));
        painter.drawImage(QPoint(origin.x() + x, origin.y() + y), label, QRect(0, 0, width, label.height()));
    }
}

} // namespace

QFont timelineFont()
{
    QFont font = QGuiApplication::font();
    font.setPixelSize(11);
    return font;
}

void paintLanes(QImage &target, QPoint origin, double dpr, const LanesPicture &picture, LabelCache &labels)
{
    const Pixels pixels{target, origin, static_cast<int>(std::lround(picture.width * dpr)),
                        static_cast<int>(std::lround(picture.height * dpr))};
    paintGround(pixels, dpr, picture);

    std::vector<QRgb> line(static_cast<std::size_t>(pixels.width));
    CellColours even(picture.theme, picture.theme.lanesAlternate);
    CellColours odd(picture.theme, picture.theme.lanes);
    for (const DrawRow &row : picture.list.rows) {
        const int top = static_cast<int>(std::lround((row.y - picture.scrollY) * dpr));
        const int bottom = static_cast<int>(std::lround((row.y + row.height - picture.scrollY) * dpr));
        if (bottom <= 0 || top >= pixels.height || (row.firstBox == row.endBox && row.firstCell == row.endCell))
            continue;
        const Rgb ground = groundOf(picture.layout, picture.layout.blockAt(row.y), picture.theme);
        composeLine(line, row, dpr, picture, ground == even.ground() ? even : odd);
        for (int y = std::max(top, 0); y < std::min(bottom, pixels.height); ++y)
            std::memcpy(pixels.line(y), line.data(), line.size() * sizeof(QRgb));
        if (hasLabels(row))
            roundCorners(pixels, top, bottom, row, dpr, picture, ground);
    }

    QPainter painter(&target);
    painter.setClipRect(QRect(origin, QSize(pixels.width, pixels.height)));
    for (const DrawRow &row : picture.list.rows) {
        if (hasLabels(row))
            paintLabels(painter, origin, row, dpr, picture, labels,
                        groundOf(picture.layout, picture.layout.blockAt(row.y), picture.theme));
    }
    painter.translate(origin);
    painter.scale(dpr, dpr);
    painter.setFont(labels.font());
    painter.setRenderHint(QPainter::Antialiasing);
    paintCurves(painter, picture);
    painter.setPen(toColour(picture.theme.muted));
    for (const Tick &tick : picture.list.ticks) {
        const double y = tick.y - picture.scrollY;
        painter.drawLine(QPointF(tick.x, y), QPointF(tick.x, y + kLanePadding + 2));
    }
}

void paintLanes(QPainter &painter, const LanesPicture &picture)
{
    painter.save();
    painter.setClipRect(QRectF(0, 0, picture.width, picture.height));
    painter.setPen(Qt::NoPen);
    const auto blocks = picture.layout.blocks();
    painter.fillRect(QRectF(0, 0, picture.width, picture.height), toColour(picture.theme.lanes));
    for (std::size_t i = picture.layout.blockAt(picture.scrollY); i < blocks.size(); ++i) {
        const double y = blocks[i].y - picture.scrollY;
        if (y >= picture.height)
            break;
        painter.fillRect(QRectF(0, y, picture.width, blocks[i].height),
                         toColour(groundOf(picture.layout, i, picture.theme)));
    }
    painter.setFont(timelineFont());
    const QFontMetricsF metrics(painter.font());
    for (const DrawRow &row : picture.list.rows) {
        const Rgb ground = groundOf(picture.layout, picture.layout.blockAt(row.y), picture.theme);
        const double y = row.y - picture.scrollY;
        if (y + row.height <= 0 || y >= picture.height)
            continue;
        for (std::uint32_t i = row.firstBox; i < row.endBox; ++i) {
            const Box &box = picture.list.boxes[i];
            const Span span = spanOf(box, i + 1 < row.endBox ? &picture.list.boxes[i + 1] : nullptr, 1);
            const Rgb colour = boxColour(box, picture.theme, ground);
            const QRectF rect(std::max(span.first, -4), y, 0, row.height);
            const QRectF whole(rect.left(), y, std::min<double>(span.end, picture.width + 4) - rect.left(), row.height);
            if (whole.width() <= 0)
                continue;
            painter.fillRect(whole, toColour(colour));
            const double left = std::max(whole.left(), 0.0);
            const double right = std::min(whole.right(), picture.width);
            if (!hasLabels(row) || right - left < kLeastLabelWidth)
                continue;
            painter.setPen(toColour(box.dim ? picture.theme.muted : picture.theme.ink(colour)));
            std::string_view name = picture.trace.name(box.event);
            if (name.starts_with("void "))
                name.remove_prefix(5);
            painter.drawText(QPointF(left + kLabelPadding, y + (row.height + metrics.ascent() - metrics.descent()) / 2),
                             cutToFit(toText(name), right - left - kLabelPadding - 1, metrics));
            painter.setPen(Qt::NoPen);
        }
        // Neighbouring columns of one colour become one rectangle.
        for (std::uint32_t i = row.firstCell; i < row.endCell;) {
            const Cell &cell = picture.list.cells[i];
            const Rgb colour = cellColour(cell, picture.theme, ground);
            std::uint32_t next = i + 1;
            while (next < row.endCell && picture.list.cells[next].column == cell.column + (next - i)
                   && cellColour(picture.list.cells[next], picture.theme, ground) == colour)
                ++next;
            painter.fillRect(
                QRectF(cell.column * picture.list.columnWidth, y, (next - i) * picture.list.columnWidth, row.height),
                toColour(colour));
            i = next;
        }
    }
    paintCurves(painter, picture);
    painter.setPen(toColour(picture.theme.muted));
    for (const Tick &tick : picture.list.ticks) {
        const double y = tick.y - picture.scrollY;
        painter.drawLine(QPointF(tick.x, y), QPointF(tick.x, y + kLanePadding + 2));
    }
    painter.restore();
}

} // namespace ks
