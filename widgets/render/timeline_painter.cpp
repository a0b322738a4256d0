// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/render/timeline_painter.h"

#include "core/base/name_pool.h"
#include "core/base/parallel.h"
#include "widgets/render/colours.h"
#include "widgets/render/curve_painter.h"
#include "widgets/render/pixels.h"

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

namespace ks {
namespace {

constexpr double kLabelPadding = 4;    // left of a label
constexpr int kLeastLabelHeight = 12;  // of a row that gets labels
constexpr int kLeastRoundedWidth = 6;  // device pixels
constexpr std::size_t kManyRows = 120; // a thread costs as much as some twenty
constexpr double kFaintest = 0.35;     // opacity of a cell that is hardly busy: seen, but not taken for a full one

bool isEmpty(const DrawRow &row)
{
    return row.firstBox == row.endBox && row.firstCell == row.endCell;
}

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

int nearestPixel(float x)
{
    return static_cast<int>(x + 4096.5F) - 4096; // boxes are cut a few pixels outside the view: never that far left
}

Span spanOf(const Box &box, const Box *next, float dpr)
{
    const int first = nearestPixel(box.x0 * dpr);
    int end = std::max(first + 1, nearestPixel(box.x1 * dpr));
    if (next && end - first >= 3 && nearestPixel(next->x0 * dpr) <= end)
        --end;
    return {first, end};
}

// Where no row will be painted: rows bring their own ground.
void paintGround(const Pixels &pixels, double dpr, const LanesPicture &picture)
{
    const auto blocks = picture.layout.blocks();
    const auto toDevice = [&](int y) { return static_cast<int>(std::lround((y - picture.scrollY) * dpr)); };
    const std::size_t first = picture.layout.blockAt(picture.scrollY);
    auto row = picture.list.rows.begin();
    int bottom = 0;
    for (std::size_t i = first; i < blocks.size() && blocks[i].y < picture.scrollY + picture.height; ++i) {
        int top = toDevice(blocks[i].y);
        bottom = toDevice(blocks[i].y + blocks[i].height);
        const QRgb ground = toQRgb(groundOf(picture.layout, i, picture.theme));
        for (; row != picture.list.rows.end() && row->y < blocks[i].y + blocks[i].height; ++row) {
            if (row->y < blocks[i].y || isEmpty(*row))
                continue;
            pixels.fill(top, toDevice(row->y), ground);
            top = toDevice(row->y + row->height);
        }
        pixels.fill(top, bottom, ground);
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
    QRgb of(const Box &box)
    {
        QRgb &colour = m_boxes[static_cast<std::size_t>(box.colour) * 2 + (box.dim ? 1 : 0)];
        if (colour == 0)
            colour = toQRgb(boxColour(box, m_theme, m_ground));
        return colour;
    }
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
    std::array<QRgb, kColourKeyCount * 2> m_boxes{};
};

// `wide`: positions of the boxes that are wide enough for corners and labels.
void composeLine(std::vector<QRgb> &line, const DrawRow &row, double dpr, const LanesPicture &picture,
                 CellColours &cells, std::vector<std::uint32_t> &wide)
{
    const Rgb ground = cells.ground();
    const int width = static_cast<int>(line.size());
    std::fill(line.begin(), line.end(), toQRgb(ground));
    wide.clear();
    const Box *boxes = picture.list.boxes.data();
    const auto scale = static_cast<float>(dpr);
    for (std::uint32_t i = row.firstBox; i < row.endBox; ++i) {
        const Span span = spanOf(boxes[i], i + 1 < row.endBox ? &boxes[i + 1] : nullptr, scale);
        const int from = std::max(span.first, 0);
        const int end = std::min(span.end, width);
        if (from >= end)
            continue;
        const QRgb colour = cells.of(boxes[i]);
        if (end - from == 1)
            line[static_cast<std::size_t>(from)] = colour;
        else
            std::fill(line.begin() + from, line.begin() + end, colour);
        if (span.end - span.first >= kLeastRoundedWidth)
            wide.push_back(i);
    }
    // One column is one device pixel.
    const Cell *cell = picture.list.cells.data() + row.firstCell;
    const Cell *end = picture.list.cells.data() + row.endCell;
    for (; cell != end; ++cell) {
        if (cell->column < line.size())
            line[cell->column] = cells.of(*cell);
    }
}

void roundCorners(const Pixels &pixels, int top, int bottom, const DrawRow &row, double dpr,
                  const LanesPicture &picture, Rgb ground, const std::vector<std::uint32_t> &wide)
{
    const auto &boxes = picture.list.boxes;
    for (const std::uint32_t i : wide) {
        const Span span = spanOf(boxes[i], i + 1 < row.endBox ? &boxes[i + 1] : nullptr, static_cast<float>(dpr));
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

// Work without a launch in the file has a dotted foot.
void markUnlaunched(const Pixels &pixels, int bottom, const DrawRow &row, double dpr, const LanesPicture &picture,
                    Rgb ground, const std::vector<std::uint32_t> &wide)
{
    const int thick = std::max(2, static_cast<int>(std::lround(2 * dpr)));
    const QRgb paper = toQRgb(ground);
    for (const std::uint32_t i : wide) {
        const Box &box = picture.list.boxes[i];
        if (!box.unlaunched)
            continue;
        const Span span =
            spanOf(box, i + 1 < row.endBox ? &picture.list.boxes[i + 1] : nullptr, static_cast<float>(dpr));
        for (int y = std::max(bottom - thick, 0); y < std::min(bottom, pixels.height); ++y) {
            for (int x = std::max(span.first, 0); x < std::min(span.end, pixels.width); ++x) {
                if ((x / thick) % 2)
                    pixels.line(y)[x] = paper;
            }
        }
    }
}

// Rows that get labels, and on which of their boxes.
struct LabelledRows
{
    struct Entry
    {
        const DrawRow *row;
        Rgb ground;
        std::size_t first, end; // in `boxes`
    };
    std::vector<Entry> rows;
    std::vector<std::uint32_t> boxes; // positions in the draw list
};

bool hasLabels(const DrawRow &row)
{
    return row.height >= kLeastLabelHeight;
}

// Everything but labels.
LabelledRows paintRows(const Pixels &pixels, std::span<const DrawRow> rows, double dpr, const LanesPicture &picture)
{
    LabelledRows labelled;
    std::vector<QRgb> line(static_cast<std::size_t>(pixels.width));
    CellColours even(picture.theme, picture.theme.lanesAlternate);
    CellColours odd(picture.theme, picture.theme.lanes);
    std::vector<std::uint32_t> wide;
    for (const DrawRow &row : rows) {
        const int top = static_cast<int>(std::lround((row.y - picture.scrollY) * dpr));
        const int bottom = static_cast<int>(std::lround((row.y + row.height - picture.scrollY) * dpr));
        if (bottom <= 0 || top >= pixels.height || isEmpty(row))
            continue;
        const Rgb ground = groundOf(picture.layout, picture.layout.blockAt(row.y), picture.theme);
        composeLine(line, row, dpr, picture, ground == even.ground() ? even : odd, wide);
        for (int y = std::max(top, 0); y < std::min(bottom, pixels.height); ++y)
            std::memcpy(pixels.line(y), line.data(), line.size() * sizeof(QRgb));
        if (!hasLabels(row))
            continue;
        roundCorners(pixels, top, bottom, row, dpr, picture, ground, wide);
        markUnlaunched(pixels, bottom, row, dpr, picture, ground, wide);
        labelled.rows.push_back({&row, ground, labelled.boxes.size(), labelled.boxes.size() + wide.size()});
        labelled.boxes.insert(labelled.boxes.end(), wide.begin(), wide.end());
    }
    return labelled;
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

void paintLabels(QPainter &painter, QPoint origin, const DrawRow &row, std::span<const std::uint32_t> wide, double dpr,
                 const LanesPicture &picture, LabelCache &labels, Rgb ground)
{
    for (const std::uint32_t i : wide) {
        const Box &box = picture.list.boxes[i];
        const double left = std::max<double>(box.x0, 0);
        const double right = std::min<double>(box.x1, picture.width);
        if (right - left < kLeastLabelWidth)
            continue;
        const Rgb colour = boxColour(box, picture.theme, ground);
        const Rgb ink = box.dim ? picture.theme.muted : picture.theme.ink(colour);
        const QImage &label = labels.label(picture.labelOf(box.event), toQRgb(ink), dpr);
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

    // Rows do not touch each other, so two threads can share them where they are many.
    const std::span rows = picture.list.rows;
    const std::size_t parts = rows.size() >= kManyRows ? 2 : 1;
    std::array<LabelledRows, 2> labelled;
    parallelFor(parts, static_cast<unsigned>(parts), [&](std::size_t part) {
        const std::size_t first = part * rows.size() / parts;
        const std::size_t end = (part + 1) * rows.size() / parts;
        labelled[part] = paintRows(pixels, rows.subspan(first, end - first), dpr, picture);
    });

    paintCurves(pixels, dpr, picture);

    QPainter painter(&target);
    painter.setClipRect(QRect(origin, QSize(pixels.width, pixels.height)));
    for (const LabelledRows &part : labelled) {
        for (const LabelledRows::Entry &entry : part.rows)
            paintLabels(painter, origin, *entry.row,
                        std::span(part.boxes).subspan(entry.first, entry.end - entry.first), dpr, picture, labels,
                        entry.ground);
    }
    painter.translate(origin);
    painter.scale(dpr, dpr);
    painter.setFont(labels.font());
    painter.setRenderHint(QPainter::Antialiasing);
    paintCurveMarks(painter, picture);
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
            std::string_view name = nameText(picture.labelOf(box.event));
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
    paintCurveMarks(painter, picture);
    painter.setPen(toColour(picture.theme.muted));
    for (const Tick &tick : picture.list.ticks) {
        const double y = tick.y - picture.scrollY;
        painter.drawLine(QPointF(tick.x, y), QPointF(tick.x, y + kLanePadding + 2));
    }
    painter.restore();
}

} // namespace ks
