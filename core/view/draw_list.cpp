// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/draw_list.h"

#include "core/base/gallop.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ks {
namespace {

constexpr double kOutside = 4;       // logical pixels that a box may reach beyond the view
constexpr std::size_t kSamples = 12; // events of a cell that are looked at for colour and busy share

bool anyBit(EventBits bits, std::size_t first, std::size_t end)
{
    while (first < end) {
        const std::size_t word = first / 64;
        const std::size_t stop = std::min(end, (word + 1) * 64);
        const std::uint64_t high = stop % 64 ? (std::uint64_t{1} << (stop % 64)) - 1 : ~std::uint64_t{0};
        if (word < bits.size() && (bits[word] & high & (~std::uint64_t{0} << (first % 64))))
            return true;
        first = stop;
    }
    return false;
}

class Builder
{
public:
    Builder(const Trace &trace, const Viewport &viewport, const LaneLayout &layout, const DrawOptions &options)
        : m_trace(trace)
        , m_viewport(viewport)
        , m_layout(layout)
        , m_options(options)
    {
        m_list.columnWidth = 1 / options.dpr;
        m_list.columns = static_cast<std::uint32_t>(std::ceil(viewport.width() * options.dpr));
        m_nsPerColumn = viewport.nsPerPixel() * m_list.columnWidth;
        findBorders();
    }

    DrawList build(int top, int bottom)
    {
        const auto blocks = m_layout.blocks();
        std::size_t at = m_layout.blockAt(std::max(top, 0));
        for (; at < blocks.size() && blocks[at].y < bottom; ++at) {
            const Block &block = blocks[at];
            if (block.kind == BlockKind::Lane)
                addLane(block, top, bottom);
            else if (block.kind == BlockKind::Curves)
                addCurves(block, at);
        }
        return std::move(m_list);
    }

private:
    std::int64_t columnOf(TimeNs t) const
    {
        // floor(), but for one jump and without a call.
        const double column = m_viewport.xOf(t) * m_options.dpr;
        return column < 0 ? -1 : static_cast<std::int64_t>(std::min(column, 1e9));
    }

    // The first time that falls behind `column`: one comparison of integers then tells what columnOf would.
    TimeNs endOf(std::int64_t column) const { return m_borders[static_cast<std::size_t>(column + 1)]; }

    void findBorders()
    {
        m_borders.reserve(m_list.columns + 1);
        for (std::int64_t column = 0; column <= static_cast<std::int64_t>(m_list.columns); ++column)
            m_borders.push_back(firstTimeOf(column));
    }

    TimeNs firstTimeOf(std::int64_t column) const
    {
        // The viewport's own answer is off by a rounding at most, but for times near the ends of what int64 holds.
        constexpr int kSteps = 8;
        TimeNs t = m_viewport.timeAt(static_cast<double>(column) * m_list.columnWidth);
        if (t > kMinTime + kSteps && t < kMaxTime - kSteps) {
            t -= kSteps / 2;
            if (columnOf(t) < column) {
                for (int i = 0; i < kSteps; ++i) {
                    if (columnOf(++t) >= column)
                        return t;
                }
            }
        }
        TimeNs low = kMinTime;
        TimeNs high = kMaxTime;
        while (low < high) {
            const TimeNs middle = std::midpoint(low, high);
            if (columnOf(middle) >= column)
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    }

    void addLane(const Block &block, int top, int bottom)
    {
        if (block.folded) {
            if (block.workRows() > 0)
                addRows(block.firstWork, std::min(block.workRows(), kFoldedRows), top, bottom);
            else
                addRows(block.firstPython, std::min(block.pythonRows(), kFoldedRows), top, bottom);
        } else {
            addRows(block.firstWork, block.shownWork, top, bottom);
            addRows(block.firstPython,
                    block.pythonFolded ? std::min(block.pythonRows(), kFoldedRows) : block.shownPython, top, bottom);
        }
        addTicks(block);
    }

    // `count` consecutive rows; only those in view are looked at.
    void addRows(RowId first, std::uint32_t count, int top, int bottom)
    {
        if (count == 0)
            return;
        const RowPlace place = m_layout.placeOf(m_trace, first);
        std::uint32_t from = 0;
        if (place.shown == RowPlace::Shown::Itself && place.y + kRowPitch <= top)
            from = static_cast<std::uint32_t>((top - place.y) / kRowPitch);
        for (std::uint32_t i = from; i < count; ++i) {
            const RowId id = advance(first, i);
            const RowPlace at = m_layout.placeOf(m_trace, id);
            if (at.y >= bottom)
                break;
            if (at.y + at.height > top)
                addRow(id, at);
        }
    }

    void addRow(RowId id, const RowPlace &place)
    {
        DrawRow row;
        row.y = place.y;
        row.height = place.height;
        row.row = id;
        row.firstBox = static_cast<std::uint32_t>(m_list.boxes.size());
        row.firstCell = static_cast<std::uint32_t>(m_list.cells.size());
        scanRow(m_trace.row(id)); // the level-of-detail pyramid of a dense row takes its place here
        row.endBox = static_cast<std::uint32_t>(m_list.boxes.size());
        row.endCell = static_cast<std::uint32_t>(m_list.cells.size());
        m_list.rows.push_back(row);
    }

    void scanRow(const Row &row)
    {
        const auto &begins = m_trace.events().begin;
        const std::size_t first = index(row.firstEvent);
        const std::size_t end = index(row.endEvent);
        const TimeNs left = m_viewport.range().begin;
        std::size_t i =
            static_cast<std::size_t>(std::lower_bound(begins.begin() + static_cast<std::ptrdiff_t>(first),
                                                      begins.begin() + static_cast<std::ptrdiff_t>(end), left)
                                     - begins.begin());
        if (i > first)
            --i; // may reach into the view
        const std::int64_t columns = m_list.columns;
        while (i < end) {
            const std::int64_t column = columnOf(begins[i]);
            if (column >= columns)
                break;
            if (isBox(i)) {
                addBox(i);
                ++i;
                continue;
            }
            // All that begin in this column. The last of them may be long enough for a box; what follows a box begins
            // later.
            const TimeNs border = endOf(column);
            const std::size_t next = gallop(i + 1, end, [&](std::size_t j) { return begins[j] >= border; });
            const std::size_t stop = next > i + 1 && isBox(next - 1) ? next - 1 : next;
            if (column >= 0)
                addCell(static_cast<std::uint32_t>(column), i, stop);
            i = stop;
        }
    }

    bool isBox(std::size_t i) const
    {
        return static_cast<double>(m_trace.duration(static_cast<EventId>(i))) >= m_nsPerColumn;
    }

    void addBox(std::size_t i)
    {
        const auto id = static_cast<EventId>(i);
        const double x1 = m_viewport.xOf(m_trace.end(id));
        if (x1 <= 0)
            return;
        Box box;
        box.x0 = static_cast<float>(std::max(m_viewport.xOf(m_trace.begin(id)), -kOutside));
        box.x1 = static_cast<float>(std::min(x1, m_viewport.width() + kOutside));
        box.event = id;
        box.colour = keyOf(m_trace, id, m_options.colourMode);
        box.dim = !m_options.matching.empty() && !anyBit(m_options.matching, i, i + 1);
        m_list.boxes.push_back(box);
    }

    void addCell(std::uint32_t column, std::size_t first, std::size_t end)
    {
        Cell cell;
        cell.column = column;
        cell.first = static_cast<EventId>(first);
        cell.end = static_cast<EventId>(end);
        const std::size_t count = end - first;
        const std::size_t samples = std::min(count, kSamples);
        TimeNs sum = 0;
        TimeNs longest = -1;
        std::size_t longestAt = first;
        for (std::size_t s = 0; s < samples; ++s) {
            const std::size_t i = first + s * count / samples;
            const TimeNs duration = m_trace.duration(static_cast<EventId>(i));
            sum += duration;
            if (duration > longest) {
                longest = duration;
                longestAt = i;
            }
        }
        cell.colour = keyOf(m_trace, static_cast<EventId>(longestAt), m_options.colourMode);
        const double covered = static_cast<double>(sum) * static_cast<double>(count) / static_cast<double>(samples);
        cell.busy = static_cast<std::uint8_t>(std::clamp(covered / m_nsPerColumn, 0.0, 1.0) * 255);
        cell.dim = !m_options.matching.empty() && !anyBit(m_options.matching, first, end);
        m_list.cells.push_back(cell);
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
            const std::int64_t column = columnOf(instants[ofLane[i]].time);
            if (column >= 0 && column < static_cast<std::int64_t>(m_list.columns))
                m_list.ticks.push_back(
                    {static_cast<float>(m_viewport.xOf(instants[ofLane[i]].time)), block.y, ofLane[i]});
            // One tick per column is as many as can be told apart.
            i = gallop(i + 1, ofLane.size(),
                       [&](std::size_t j) { return columnOf(instants[ofLane[j]].time) > column; });
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
            const std::int64_t firstColumn = std::max<std::int64_t>(0, columnOf(times.front()));
            Band band;
            band.block = position;
            band.curve = c;
            band.firstColumn = static_cast<std::uint32_t>(firstColumn);
            band.first = static_cast<std::uint32_t>(m_list.bandColumns.size());
            std::size_t i = curve.firstAtOrAfter(m_viewport.range().begin);
            // Steps left of the first column only tell the value that holds there.
            while (i < times.size() && columnOf(times[i]) < firstColumn)
                ++i;
            for (std::int64_t column = firstColumn; column < static_cast<std::int64_t>(m_list.columns); ++column) {
                const TimeNs border = i < times.size() ? endOf(column) : 0;
                const std::size_t next = gallop(i, times.size(), [&](std::size_t j) { return times[j] >= border; });
                const std::size_t from = i > 0 ? i - 1 : i; // the value that held when the column began
                m_list.bandColumns.push_back(curve.extremes(from, std::max(next, from + 1)));
                i = next;
            }
            band.end = static_cast<std::uint32_t>(m_list.bandColumns.size());
            m_list.bands.push_back(band);
        }
    }

    const Trace &m_trace;
    const Viewport &m_viewport;
    const LaneLayout &m_layout;
    const DrawOptions &m_options;
    double m_nsPerColumn = 1;
    std::vector<TimeNs> m_borders; // first time of each column, and of the one after the last
    DrawList m_list;
};

} // namespace

DrawList buildDrawList(const Trace &trace, const Viewport &viewport, const LaneLayout &layout, int top, int bottom,
                       const DrawOptions &options)
{
    return Builder(trace, viewport, layout, options).build(top, bottom);
}

} // namespace ks
