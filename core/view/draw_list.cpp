// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/draw_list.h"

#include "core/base/gallop.h"
#include "core/base/parallel.h"
#include "core/view/pixel_columns.h"
#include "core/view/row_filler.h"

#include <algorithm>

namespace ks {
namespace {

class Builder
{
public:
    Builder(const Trace &trace, const Viewport &viewport, const LaneLayout &layout, const DrawOptions &options,
            DrawList list)
        : m_trace(trace)
        , m_viewport(viewport)
        , m_layout(layout)
        , m_options(options)
        , m_list(std::move(list))
        , m_columns(viewport, options.dpr, std::move(m_list.borders))
        , m_rows(trace, viewport, layout.viewIndex().durations(), m_columns, options, m_list)
    {
        const auto clear = [](auto &...vectors) { (vectors.clear(), ...); };
        clear(m_list.rows, m_list.boxes, m_list.cells, m_list.ticks, m_list.bands, m_list.bandColumns,
              m_list.outOfMemory);
        m_list.columnWidth = m_columns.width();
        m_list.nsPerColumn = m_columns.nsPerColumn();
        m_list.columns = m_columns.count();
    }

    DrawList build(int top, int bottom)
    {
        if (m_options.pinned > 0)
            addBlocks(0, m_options.pinned);
        addBlocks(std::max(top, m_options.pinned), bottom);
        m_list.borders = std::move(m_columns).takeBorders();
        return std::move(m_list);
    }

private:
    void addBlocks(int top, int bottom)
    {
        const auto blocks = m_layout.blocks();
        std::size_t at = m_layout.blockAt(std::max(top, 0));
        for (; at < blocks.size() && blocks[at].y < bottom; ++at) {
            const Block &block = blocks[at];
            switch (block.kind) {
            case BlockKind::Heading: break;
            case BlockKind::Lane: addLane(block, top, bottom); break;
            case BlockKind::Curves: addCurves(block, at); break;
            case BlockKind::Causes: addCauses(block, top, bottom); break;
            }
        }
    }

    void addLane(const Block &block, int top, int bottom)
    {
        if (block.folded) {
            if (block.workRows() > 0)
                addRows(block, block.firstWork, std::min(block.workRows(), kFoldedRows), top, bottom);
            else
                addRows(block, block.firstPython, std::min(block.pythonRows(), kFoldedRows), top, bottom);
        } else {
            addRows(block, block.firstWork, block.shownWork, top, bottom);
            addRows(block, block.firstPython,
                    block.pythonFolded ? std::min(block.pythonRows(), kFoldedRows) : block.shownPython, top, bottom);
        }
        addTicks(block);
    }

    // `count` consecutive rows; only those in view are looked at.
    void addRows(const Block &block, RowId first, std::uint32_t count, int top, int bottom)
    {
        if (count == 0)
            return;
        const RowPlace place = m_layout.placeOf(m_trace, first);
        std::uint32_t from = 0;
        if (place.shown == RowPlace::Shown::Itself && place.y + block.pitch <= top)
            from = static_cast<std::uint32_t>((top - place.y) / block.pitch);
        for (std::uint32_t i = from; i < count; ++i) {
            const RowId id = advance(first, i);
            const RowPlace at = m_layout.placeOf(m_trace, id);
            if (at.y >= bottom)
                break;
            if (at.y + at.height > top)
                addRow(id, at, block);
        }
    }

    // What a device works for, from the index.
    void addCauses(const Block &block, int top, int bottom)
    {
        const auto &causes = m_layout.viewIndex().groups()[block.group].causes;
        for (std::uint32_t level = 0; level < causes.size(); ++level) {
            const RowPlace place = m_layout.placeOfCauses(block, level);
            if (place.y >= bottom || place.y + place.height <= top)
                continue;
            DrawRow row = begunRow(kNoRow, place, block);
            const auto &ranges = causes[level].ranges;
            auto at = std::partition_point(ranges.begin(), ranges.end(), [this](const ProjectedRange &range) {
                return range.range.end <= m_columns.begin();
            });
            std::int64_t last = -1; // column of the last cell
            for (; at != ranges.end() && at->range.begin < m_columns.end(); ++at) {
                if (static_cast<double>(at->range.duration()) >= m_columns.nsPerColumn()) {
                    m_list.boxes.push_back(m_rows.boxOf(at->range, at->cause));
                    continue;
                }
                // Of those too narrow for a box the first of a column stands for all of them.
                const std::int64_t column = at->range.begin < m_columns.begin() ? 0 : m_columns.inView(at->range.begin);
                if (column > last) {
                    Cell cell;
                    cell.column = static_cast<std::uint16_t>(column) & kMostColumns;
                    cell.first = at->cause;
                    cell.colour = m_rows.colourOf(at->cause);
                    cell.busy = 160;
                    cell.dim = m_rows.isDim(index(at->cause), index(at->cause) + 1);
                    m_list.cells.push_back(cell);
                    last = column;
                }
                const TimeNs border = m_columns.endOf(last);
                at = gallopFrom(ranges, at, border) - 1;
            }
            endRow(row);
        }
    }

    // The first range behind `at` that begins at `border` or later, or is long enough for a box.
    std::vector<ProjectedRange>::const_iterator gallopFrom(const std::vector<ProjectedRange> &ranges,
                                                           std::vector<ProjectedRange>::const_iterator at,
                                                           TimeNs border) const
    {
        const auto first = static_cast<std::size_t>(at - ranges.begin()) + 1;
        std::size_t next = gallop(first, ranges.size(), [&](std::size_t i) { return ranges[i].range.begin >= border; });
        // Only the last of them can reach out of the column.
        if (next > first && static_cast<double>(ranges[next - 1].range.duration()) >= m_columns.nsPerColumn())
            --next;
        return ranges.begin() + static_cast<std::ptrdiff_t>(next);
    }

    DrawRow begunRow(RowId id, const RowPlace &place, const Block &block) const
    {
        DrawRow row;
        row.y = place.y;
        row.height = place.height;
        row.pitch = place.shown == RowPlace::Shown::Itself ? block.pitch : place.height;
        row.row = id;
        row.firstBox = static_cast<std::uint32_t>(m_list.boxes.size());
        row.firstCell = static_cast<std::uint32_t>(m_list.cells.size());
        return row;
    }
    void endRow(DrawRow &row)
    {
        row.endBox = static_cast<std::uint32_t>(m_list.boxes.size());
        row.endCell = static_cast<std::uint32_t>(m_list.cells.size());
        m_list.rows.push_back(row);
    }

    void addRow(RowId id, const RowPlace &place, const Block &block)
    {
        DrawRow row = begunRow(id, place, block);
        m_rows.fill(row);
        endRow(row);
    }

    void addTicks(const Block &block)
    {
        const auto &instants = m_trace.instants();
        const auto ofLane = m_layout.viewIndex().instantsOf(block.lane);
        const TimeRange range = m_viewport.range();
        std::size_t i = static_cast<std::size_t>(
            std::partition_point(ofLane.begin(), ofLane.end(),
                                 [&](std::uint32_t at) { return instants[at].time < range.begin; })
            - ofLane.begin());
        while (i < ofLane.size() && instants[ofLane[i]].time <= range.end) {
            const std::int64_t column = m_columns.of(instants[ofLane[i]].time);
            if (column >= 0 && column < static_cast<std::int64_t>(m_list.columns))
                m_list.ticks.push_back(
                    {static_cast<float>(m_viewport.xOf(instants[ofLane[i]].time)), block.y, ofLane[i]});
            // One tick per column is as many as can be told apart.
            i = gallop(i + 1, ofLane.size(),
                       [&](std::size_t j) { return m_columns.of(instants[ofLane[j]].time) > column; });
        }
    }

    void addCurves(const Block &block, std::size_t position)
    {
        const CurveLane &lane = m_layout.viewIndex().curveLanes()[block.curveLane];
        const double right = m_viewport.width();
        for (const TimeNs t : lane.outOfMemory) {
            const double x = m_viewport.xOf(t);
            if (x >= 0 && x < right)
                m_list.outOfMemory.push_back({static_cast<float>(x), position});
        }
        for (std::uint32_t c = 0; c < lane.curves.size(); ++c) {
            const Curve &curve = lane.curves[c];
            if (curve.isEmpty() || m_viewport.xOf(curve.times().front()) >= right)
                continue;
            const auto &times = curve.times();
            const std::int64_t firstColumn = std::max<std::int64_t>(0, m_columns.of(times.front()));
            Band band;
            band.block = position;
            band.curve = c;
            band.firstColumn = static_cast<std::uint32_t>(firstColumn);
            band.first = static_cast<std::uint32_t>(m_list.bandColumns.size());
            const std::span borders(m_columns.borders());
            curve.appendExtremes(borders.subspan(static_cast<std::size_t>(firstColumn)), m_list.bandColumns);
            band.end = static_cast<std::uint32_t>(m_list.bandColumns.size());
            m_list.bands.push_back(band);
        }
    }

    const Trace &m_trace;
    const Viewport &m_viewport;
    const LaneLayout &m_layout;
    const DrawOptions &m_options;
    DrawList m_list;
    PixelColumns m_columns;
    RowFiller m_rows;
};

// Where the lanes from `top` to `bottom` are parted among two threads: between two lanes, about as many rows above as below. `bottom` if one
// thread is enough.
int borderOfHalves(const LaneLayout &layout, int top, int bottom)
{
    constexpr std::uint32_t kManyRows = 120; // a thread costs as much as some twenty
    const auto blocks = layout.blocks();
    const std::size_t first = layout.blockAt(std::max(top, 0));
    const auto rowsOf = [](const Block &block) {
        return block.kind == BlockKind::Lane ? block.shownWork + block.shownPython : 0;
    };
    std::uint32_t rows = 0;
    for (std::size_t at = first; at < blocks.size() && blocks[at].y < bottom; ++at)
        rows += rowsOf(blocks[at]);
    if (rows < kManyRows)
        return bottom;
    std::uint32_t above = 0;
    for (std::size_t at = first; at < blocks.size(); ++at) {
        if (above * 2 >= rows && blocks[at].y > top)
            return std::min(blocks[at].y, bottom);
        above += rowsOf(blocks[at]);
    }
    return bottom;
}

// What stands below `list`.
void append(DrawList &list, const DrawList &lower)
{
    const auto boxes = static_cast<std::uint32_t>(list.boxes.size());
    const auto cells = static_cast<std::uint32_t>(list.cells.size());
    const auto bandColumns = static_cast<std::uint32_t>(list.bandColumns.size());
    for (DrawRow row : lower.rows) {
        row.firstBox += boxes;
        row.endBox += boxes;
        row.firstCell += cells;
        row.endCell += cells;
        list.rows.push_back(row);
    }
    for (Band band : lower.bands) {
        band.first += bandColumns;
        band.end += bandColumns;
        list.bands.push_back(band);
    }
    const auto join = [](auto &to, const auto &from) { to.insert(to.end(), from.begin(), from.end()); };
    join(list.boxes, lower.boxes);
    join(list.cells, lower.cells);
    join(list.ticks, lower.ticks);
    join(list.bandColumns, lower.bandColumns);
    join(list.outOfMemory, lower.outOfMemory);
}

} // namespace

DrawList buildDrawList(const Trace &trace, const Viewport &viewport, const LaneLayout &layout, int top, int bottom,
                       const DrawOptions &options, DrawList recycled)
{
    const int border = options.workers > 1 ? borderOfHalves(layout, std::max(top, options.pinned), bottom) : bottom;
    if (border >= bottom)
        return Builder(trace, viewport, layout, options, std::move(recycled)).build(top, bottom);
    DrawList lower;
    parallelFor(2, 2, [&](std::size_t half) {
        if (half == 0) {
            recycled = Builder(trace, viewport, layout, options, std::move(recycled)).build(top, border);
        } else {
            DrawOptions unpinned = options;
            unpinned.pinned = 0;
            lower = Builder(trace, viewport, layout, unpinned, {}).build(border, bottom);
        }
    });
    append(recycled, lower);
    return recycled;
}

std::pair<EventId, EventId> eventsOf(const Trace &trace, const DrawList &list, const DrawRow &row, const Cell &cell)
{
    if (row.row == kNoRow)
        return {cell.first, advance(cell.first, 1)};
    const Row &events = trace.row(row.row);
    const auto begins = trace.events().begin.begin();
    if (cell.first != kNoEvent) {
        const TimeNs border = list.borders[cell.column + std::size_t{1}];
        const std::size_t next = gallop(index(cell.first) + 1, index(events.endEvent),
                                        [&](std::size_t i) { return trace.begin(static_cast<EventId>(i)) >= border; });
        const auto last = static_cast<EventId>(next - 1);
        const bool isBox = last != cell.first && static_cast<double>(trace.duration(last)) >= list.nsPerColumn;
        return {cell.first, isBox ? last : advance(last, 1)};
    }
    const auto first = begins + static_cast<std::ptrdiff_t>(events.firstEvent);
    const auto end = begins + static_cast<std::ptrdiff_t>(events.endEvent);
    // What touches the column; if nothing does, what the buckets reach beyond it.
    for (const TimeNs reach : {TimeNs{0}, row.bucket}) {
        const TimeNs from = saturatingSubtract(list.borders[cell.column], reach);
        const TimeNs to = saturatingAdd(list.borders[cell.column + std::size_t{1}], reach);
        auto a = std::lower_bound(first, end, from);
        const auto b = std::lower_bound(a, end, to);
        if (a != first && trace.end(static_cast<EventId>(a - begins - 1)) > from)
            --a;
        if (a != b)
            return {static_cast<EventId>(a - begins), static_cast<EventId>(b - begins)};
    }
    return {events.firstEvent, events.firstEvent};
}

} // namespace ks
