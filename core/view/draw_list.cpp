// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/draw_list.h"

#include "core/base/gallop.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace ks {
namespace {

constexpr double kOutside = 4;       // logical pixels that a box may reach beyond the view
constexpr float kLeastTold = 5;      // logical pixels of a box that shows more than its colour
constexpr std::size_t kSamples = 12; // events of a cell that are looked at for colour and busy share

// 2^16 / n, rounded up: exact for sums of n bytes.
constexpr std::array<unsigned, 17> kReciprocals = [] {
    std::array<unsigned, 17> values{};
    for (unsigned n = 1; n < values.size(); ++n)
        values[n] = (65536 + n - 1) / n;
    return values;
}();

class Builder
{
public:
    Builder(const Trace &trace, const Viewport &viewport, const LaneLayout &layout, const DrawOptions &options,
            DrawList list)
        : m_trace(trace)
        , m_viewport(viewport)
        , m_layout(layout)
        , m_options(options)
        , m_colours(options.colours ? *options.colours : m_ownColours)
        , m_list(std::move(list))
    {
        const auto clear = [](auto &...vectors) { (vectors.clear(), ...); };
        clear(m_list.borders, m_list.rows, m_list.boxes, m_list.cells, m_list.ticks, m_list.bands, m_list.bandColumns,
              m_list.outOfMemory);
        m_list.columnWidth = 1 / options.dpr;
        m_list.columns = static_cast<std::uint32_t>(std::ceil(viewport.width() * options.dpr));
        m_nsPerColumn = viewport.nsPerPixel() * m_list.columnWidth;
        const double least = std::ceil(m_nsPerColumn);
        m_boxNs =
            least < static_cast<double>(EventTable::kLong) ? static_cast<std::uint32_t>(least) : EventTable::kLong;
        m_left = viewport.range().begin;
        m_leftX = viewport.xOf(m_left);
        m_pixelsPerNs = 1 / viewport.nsPerPixel();
        findBorders();
    }

    DrawList build(int top, int bottom)
    {
        if (m_options.pinned > 0)
            addBlocks(0, m_options.pinned);
        addBlocks(std::max(top, m_options.pinned), bottom);
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

    std::int64_t columnOf(TimeNs t) const
    {
        // floor(), but for one jump and without a call.
        const double column = m_viewport.xOf(t) * m_options.dpr;
        return column < 0 ? -1 : static_cast<std::int64_t>(std::min(column, 1e9));
    }

    // The same by the borders, for times in view: a product instead of a quotient, corrected.
    std::int64_t columnInView(TimeNs t) const
    {
        const auto guess =
            static_cast<std::int64_t>((m_leftX + static_cast<double>(t - m_left) * m_pixelsPerNs) * m_options.dpr);
        auto column = static_cast<std::size_t>(std::clamp<std::int64_t>(guess, 0, m_list.columns - 1));
        const TimeNs *borders = m_list.borders.data();
        while (t < borders[column] && column > 0)
            --column;
        while (t >= borders[column + 1])
            ++column;
        return static_cast<std::int64_t>(column);
    }

    // The first time that falls behind `column`: one comparison of integers then tells what columnOf would.
    TimeNs endOf(std::int64_t column) const { return m_list.borders[static_cast<std::size_t>(column + 1)]; }

    void findBorders()
    {
        m_list.borders.reserve(m_list.columns + 1);
        for (std::int64_t column = 0; column <= static_cast<std::int64_t>(m_list.columns); ++column)
            m_list.borders.push_back(firstTimeOf(column));
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
                return range.range.end <= m_list.borders.front();
            });
            std::int64_t last = -1; // column of the last cell
            for (; at != ranges.end() && at->range.begin < m_list.borders.back(); ++at) {
                const bool dim =
                    !m_options.matching.empty() && !anyBit(m_options.matching, index(at->cause), index(at->cause) + 1);
                if (static_cast<double>(at->range.duration()) >= m_nsPerColumn) {
                    Box box;
                    box.x0 = static_cast<float>(std::max(xOf(at->range.begin), -kOutside));
                    box.x1 = static_cast<float>(std::min(xOf(at->range.end), m_viewport.width() + kOutside));
                    box.event = at->cause;
                    box.colour = colourOf(at->cause);
                    box.dim = dim;
                    m_list.boxes.push_back(box);
                    continue;
                }
                // Of those too narrow for a box the first of a column stands for all of them.
                const std::int64_t column =
                    at->range.begin < m_list.borders.front() ? 0 : columnInView(at->range.begin);
                if (column > last) {
                    Cell cell;
                    cell.column = static_cast<std::uint32_t>(column);
                    cell.first = at->cause;
                    cell.end = advance(at->cause, 1);
                    cell.colour = colourOf(at->cause);
                    cell.busy = 160;
                    cell.dim = dim;
                    m_list.cells.push_back(cell);
                    last = column;
                }
                const TimeNs border = endOf(last);
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
        if (next > first && static_cast<double>(ranges[next - 1].range.duration()) >= m_nsPerColumn)
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
        const Row &events = m_trace.row(id);
        const RowPyramid *pyramid = m_options.levels ? m_options.levels->row(id) : nullptr;
        const RowPyramid *matched = pyramid && !m_options.matching.empty() && m_options.matchedLevels
                                        ? m_options.matchedLevels->row(id)
                                        : nullptr;
        const auto level =
            pyramid && (matched || m_options.matching.empty()) ? pyramid->levelFor(m_nsPerColumn) : std::nullopt;
        if (level) {
            row.bucket = level->width;
            scan(index(events.firstEvent), index(pyramid->firstDense()));
            addFromPyramid(row, *pyramid, *level, matched);
            scan(index(pyramid->endDense()), index(events.endEvent));
        } else {
            scan(index(events.firstEvent), index(events.endEvent));
        }
        endRow(row);
    }

    // The first of [first, end) that may reach to `t` or beyond.
    std::size_t firstReaching(std::size_t first, std::size_t end, TimeNs t) const
    {
        const auto begins = m_trace.events().begin.begin();
        const auto at =
            std::lower_bound(begins + static_cast<std::ptrdiff_t>(first), begins + static_cast<std::ptrdiff_t>(end), t);
        const auto i = static_cast<std::size_t>(at - begins);
        return i > first ? i - 1 : i;
    }

    void addFromPyramid(const DrawRow &row, const RowPyramid &pyramid, const RowPyramid::Level &level,
                        const RowPyramid *matched)
    {
        // What is long enough to be told apart.
        const double least = m_nsPerColumn * kPyramidBox;
        const bool veryLong = least >= static_cast<double>(EventTable::kLong);
        const auto least32 = veryLong ? EventTable::kLong : static_cast<std::uint32_t>(std::ceil(least));
        const std::size_t end = index(pyramid.endDense());
        const DurationBlocks &durations = m_layout.viewIndex().durations();
        const TimeNs right = m_list.borders.back();
        std::size_t i = firstReaching(index(pyramid.firstDense()), end, m_viewport.range().begin);
        while ((i = durations.nextAtLeast(m_trace, i, end, least32)) < end
               && m_trace.begin(static_cast<EventId>(i)) < right) {
            if (!veryLong || static_cast<double>(m_trace.duration(static_cast<EventId>(i))) >= least)
                addBox(i);
            ++i;
        }

        // Everything else, a bucket in the column its middle lies in.
        const TimeRange dense = pyramid.dense();
        const auto matchedBuckets = matched ? matched->levelFor(m_nsPerColumn) : std::nullopt;
        const auto beforeMiddle = static_cast<std::uint64_t>(row.bucket - row.bucket / 2 - 1);
        const auto bucketAt = [&](TimeNs t) { // the first whose middle is not before t
            if (t >= dense.end)
                return level.buckets.size();
            const auto from = static_cast<std::uint64_t>(saturatingSubtract(std::max(t, dense.begin), dense.begin));
            return std::min(static_cast<std::size_t>((from + beforeMiddle) / static_cast<std::uint64_t>(row.bucket)),
                            level.buckets.size());
        };
        // From one column to the next there are few buckets: counted, not divided.
        const auto bucketFrom = [&](std::size_t bucket, TimeNs t) {
            if (t >= dense.end)
                return level.buckets.size();
            TimeNs middle = dense.begin + static_cast<TimeNs>(bucket) * row.bucket + row.bucket / 2;
            for (; middle < t && bucket < level.buckets.size(); middle += row.bucket)
                ++bucket;
            return bucket;
        };
        const auto columns = static_cast<std::int64_t>(m_list.columns);
        std::int64_t column = std::max<std::int64_t>(columnOf(dense.begin), 0);
        const std::int64_t last = std::min(columnOf(dense.end), columns - 1);
        std::size_t box = row.firstBox;
        while (box < m_list.boxes.size() && m_trace.begin(m_list.boxes[box].event) < dense.begin)
            ++box;
        std::int64_t boxFrom = columns;
        std::int64_t boxTo = columns;
        const auto takeBox = [&] {
            if (box == m_list.boxes.size()) {
                boxFrom = boxTo = columns;
                return;
            }
            const EventId event = m_list.boxes[box].event;
            boxFrom = columnOf(m_trace.begin(event));
            boxTo = columnOf(m_trace.end(event) - 1);
        };
        takeBox();
        std::size_t next = column <= last ? bucketAt(m_list.borders[static_cast<std::size_t>(column)]) : 0;
        for (; column <= last; ++column) {
            while (boxTo < column && box < m_list.boxes.size()) {
                ++box;
                takeBox();
            }
            if (column >= boxFrom && boxTo < columns) {
                column = boxTo; // the last column of the box
                if (column < last)
                    next = bucketAt(m_list.borders[static_cast<std::size_t>(column + 1)]);
                continue;
            }
            if (column >= boxFrom)
                break; // covered to the right edge
            const std::size_t from = next;
            next = bucketFrom(from, m_list.borders[static_cast<std::size_t>(column + 1)]);
            if (from < next)
                addPyramidCell(static_cast<std::uint32_t>(column), level.buckets.subspan(from, next - from),
                               matchedBuckets ? matchedBuckets->buckets.subspan(from, next - from)
                                              : std::span<const Shade>());
        }
    }

    // What takes most of some buckets, and how much is covered of them.
    static Shade joined(std::span<const Shade> buckets)
    {
        unsigned sum = 0;
        Shade most;
        for (const Shade shade : buckets) {
            sum += shade.busy;
            if (shade.busy > most.busy)
                most = shade;
        }
        const auto count = static_cast<unsigned>(buckets.size());
        if (sum > 0) {
            // A product instead of a quotient: columns hold few buckets, and there are many columns.
            const unsigned mean = count < kReciprocals.size() ? ((sum + count / 2) * kReciprocals[count]) >> 16U
                                                              : (sum + count / 2) / count;
            most.busy = static_cast<std::uint8_t>(std::max(1U, mean));
        }
        return most;
    }

    void addPyramidCell(std::uint32_t column, std::span<const Shade> buckets, std::span<const Shade> matching)
    {
        Shade shade = joined(buckets);
        if (shade.busy == 0)
            return;
        Cell cell;
        cell.column = column;
        if (!m_options.matching.empty()) {
            const Shade matched = joined(matching);
            cell.dim = matched.busy == 0;
            if (!cell.dim)
                shade = matched;
        }
        cell.colour = shade.colour;
        cell.busy = shade.busy;
        m_list.cells.push_back(cell);
    }

    void scan(std::size_t first, std::size_t end)
    {
        if (first >= end)
            return;
        const auto &begins = m_trace.events().begin;
        std::size_t i = firstReaching(first, end, m_viewport.range().begin);
        const TimeNs right = m_list.borders.back();
        const TimeNs firstBorder = m_list.borders.front();
        while (i < end && begins[i] < right) {
            if (isBox(i)) {
                addBox(i);
                ++i;
                continue;
            }
            // All that begin in this column. The last of them may be long enough for a box; what follows a box begins
            // later.
            const bool isLeft = begins[i] < firstBorder;
            const std::int64_t column = isLeft ? -1 : columnInView(begins[i]);
            const TimeNs border = endOf(column);
            const std::size_t next = gallop(i + 1, end, [&](std::size_t j) { return begins[j] >= border; });
            const std::size_t stop = next > i + 1 && isBox(next - 1) ? next - 1 : next;
            if (!isLeft)
                addCell(static_cast<std::uint32_t>(column), i, stop);
            i = stop;
        }
    }

    bool isBox(std::size_t i) const
    {
        const std::uint32_t duration = m_trace.events().duration[i];
        return duration >= m_boxNs
               && (duration != EventTable::kLong
                   || static_cast<double>(m_trace.duration(static_cast<EventId>(i))) >= m_nsPerColumn);
    }

    // What m_colours says, remembered for the names met last where name and category decide.
    ColourKey colourOf(EventId id)
    {
        if (m_colours.mode() > ColourMode::Category)
            return m_colours.of(m_trace, id);
        const auto name = static_cast<std::uint32_t>(m_trace.events().name[index(id)]);
        const auto category = static_cast<std::uint32_t>(m_trace.events().category[index(id)]);
        Remembered &entry = m_remembered[(name * 31 + category) % m_remembered.size()];
        if (entry.name != name || entry.category != category)
            entry = {name, category, m_colours.of(m_trace, id)};
        return entry.colour;
    }

    double xOf(TimeNs t) const { return m_leftX + static_cast<double>(saturatingSubtract(t, m_left)) * m_pixelsPerNs; }

    void addBox(std::size_t i)
    {
        const auto id = static_cast<EventId>(i);
        const double x1 = xOf(m_trace.end(id));
        if (x1 <= 0)
            return;
        Box box;
        box.x0 = static_cast<float>(std::max(xOf(m_trace.begin(id)), -kOutside));
        box.x1 = static_cast<float>(std::min(x1, m_viewport.width() + kOutside));
        box.event = id;
        box.colour = colourOf(id);
        box.dim = !m_options.matching.empty() && !anyBit(m_options.matching, i, i + 1);
        // Where the file has launches at all, work without one is worth telling.
        if (box.x1 - box.x0 >= kLeastTold && isDeviceWork(m_trace.kind(id)) && !m_trace.links().launches.empty())
            box.unlaunched = m_trace.launchLink(id).launch == kNoEvent;
        m_list.boxes.push_back(box);
    }

    std::uint8_t shareOf(double covered) const
    {
        return static_cast<std::uint8_t>(std::min(covered / m_nsPerColumn, 1.0) * 255);
    }

    void addCell(std::uint32_t column, std::size_t first, std::size_t end)
    {
        Cell cell;
        cell.column = column;
        cell.first = static_cast<EventId>(first);
        cell.end = static_cast<EventId>(end);
        const bool filtered = !m_options.matching.empty();
        cell.dim = filtered && !anyBit(m_options.matching, first, end);
        if (end - first == 1) {
            cell.colour = colourOf(cell.first);
            cell.busy = shareOf(static_cast<double>(m_trace.events().duration[first]));
            m_list.cells.push_back(cell);
            return;
        }
        const std::size_t count = end - first;
        const std::size_t samples = std::min(count, kSamples);
        TimeNs sum = 0;
        TimeNs longest = -1;
        std::size_t longestAt = first;
        for (std::size_t s = 0; s < samples; ++s) {
            const std::size_t i = first + s * count / samples;
            if (filtered && !cell.dim && !anyBit(m_options.matching, i, i + 1))
                continue; // the colour and the share are those of what matches
            const TimeNs duration = m_trace.duration(static_cast<EventId>(i));
            sum += duration;
            if (duration > longest) {
                longest = duration;
                longestAt = i;
            }
        }
        cell.colour = colourOf(static_cast<EventId>(longestAt));
        const double covered = static_cast<double>(sum) * static_cast<double>(count) / static_cast<double>(samples);
        cell.busy = shareOf(covered);
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
    const EventColours m_ownColours;
    const EventColours &m_colours;
    struct Remembered
    {
        std::uint32_t name = 0xffffffffU;
        std::uint32_t category = 0;
        ColourKey colour{};
    };
    std::array<Remembered, 512> m_remembered;
    double m_nsPerColumn = 1;
    std::uint32_t m_boxNs = 1; // shortest box
    TimeNs m_left = 0;         // first whole ns in view, and where it is
    double m_leftX = 0;
    double m_pixelsPerNs = 1;
    DrawList m_list;
};

} // namespace

DrawList buildDrawList(const Trace &trace, const Viewport &viewport, const LaneLayout &layout, int top, int bottom,
                       const DrawOptions &options, DrawList recycled)
{
    return Builder(trace, viewport, layout, options, std::move(recycled)).build(top, bottom);
}

std::pair<EventId, EventId> eventsOf(const Trace &trace, const DrawList &list, const DrawRow &row, const Cell &cell)
{
    if (cell.first != kNoEvent || row.row == kNoRow)
        return {cell.first, cell.end};
    const Row &events = trace.row(row.row);
    const auto begins = trace.events().begin.begin();
    const auto first = begins + static_cast<std::ptrdiff_t>(events.firstEvent);
    const auto end = begins + static_cast<std::ptrdiff_t>(events.endEvent);
    // What touches the column; if nothing does, what the buckets reach beyond it.
    for (const TimeNs reach : {TimeNs{0}, row.bucket}) {
        const TimeNs from = saturatingSubtract(list.borders[cell.column], reach);
        const TimeNs to = saturatingAdd(list.borders[cell.column + 1], reach);
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
