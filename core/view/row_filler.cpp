// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/row_filler.h"

#include "core/base/gallop.h"

#include <algorithm>
#include <cmath>

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

// What takes most of some buckets, and how much is covered of them.
Shade joined(std::span<const Shade> buckets)
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
        const unsigned mean =
            count < kReciprocals.size() ? ((sum + count / 2) * kReciprocals[count]) >> 16U : (sum + count / 2) / count;
        most.busy = static_cast<std::uint8_t>(std::max(1U, mean));
    }
    return most;
}

} // namespace

RowFiller::RowFiller(const Trace &trace, const Viewport &viewport, const DurationBlocks &durations,
                     const PixelColumns &columns, const DrawOptions &options, DrawList &list)
    : m_trace(trace)
    , m_viewport(viewport)
    , m_durations(durations)
    , m_columns(columns)
    , m_options(options)
    , m_list(list)
    , m_ownColours(options.colours ? std::nullopt : std::optional<EventColours>(std::in_place))
    , m_colours(options.colours ? *options.colours : *m_ownColours)
{
    const double least = std::ceil(columns.nsPerColumn());
    m_boxNs = least < static_cast<double>(EventTable::kLong) ? static_cast<std::uint32_t>(least) : EventTable::kLong;
}

void RowFiller::fill(DrawRow &row)
{
    const Row &events = m_trace.row(row.row);
    const RowPyramid *pyramid = m_options.levels ? m_options.levels->row(row.row) : nullptr;
    const RowPyramid *matched = pyramid && !m_options.matching.empty() && m_options.matchedLevels
                                    ? m_options.matchedLevels->row(row.row)
                                    : nullptr;
    const auto level =
        pyramid && (matched || m_options.matching.empty()) ? pyramid->levelFor(m_columns.nsPerColumn()) : std::nullopt;
    if (level) {
        row.bucket = level->width;
        scan(index(events.firstEvent), index(pyramid->firstDense()));
        addFromPyramid(row, *pyramid, *level, matched);
        scan(index(pyramid->endDense()), index(events.endEvent));
    } else {
        scan(index(events.firstEvent), index(events.endEvent));
    }
}

// The first of [first, end) that may reach to `t` or beyond.
std::size_t RowFiller::firstReaching(std::size_t first, std::size_t end, TimeNs t) const
{
    const auto begins = m_trace.events().begin.begin();
    const auto at =
        std::lower_bound(begins + static_cast<std::ptrdiff_t>(first), begins + static_cast<std::ptrdiff_t>(end), t);
    const auto i = static_cast<std::size_t>(at - begins);
    return i > first ? i - 1 : i;
}

void RowFiller::addFromPyramid(const DrawRow &row, const RowPyramid &pyramid, const RowPyramid::Level &level,
                               const RowPyramid *matched)
{
    // What is long enough to be told apart.
    const double least = m_columns.nsPerColumn() * kPyramidBox;
    const bool veryLong = least >= static_cast<double>(EventTable::kLong);
    const auto least32 = veryLong ? EventTable::kLong : static_cast<std::uint32_t>(std::ceil(least));
    const std::size_t end = index(pyramid.endDense());
    const TimeNs right = m_columns.end();
    std::size_t i = firstReaching(index(pyramid.firstDense()), end, m_viewport.range().begin);
    while ((i = m_durations.nextAtLeast(m_trace, i, end, least32)) < end
           && m_trace.begin(static_cast<EventId>(i)) < right) {
        if (!veryLong || static_cast<double>(m_trace.duration(static_cast<EventId>(i))) >= least)
            addBox(i);
        ++i;
    }

    // Everything else, a bucket in the column its middle lies in.
    const TimeRange dense = pyramid.dense();
    const auto matchedBuckets = matched ? matched->levelFor(m_columns.nsPerColumn()) : std::nullopt;
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
    const auto columns = static_cast<std::int64_t>(m_columns.count());
    std::int64_t column = std::max<std::int64_t>(m_columns.of(dense.begin), 0);
    const std::int64_t last = std::min(m_columns.of(dense.end), columns - 1);
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
        boxFrom = m_columns.of(m_trace.begin(event));
        boxTo = m_columns.of(m_trace.end(event) - 1);
    };
    takeBox();
    std::size_t next = column <= last ? bucketAt(m_columns.beginOf(static_cast<std::size_t>(column))) : 0;
    for (; column <= last; ++column) {
        while (boxTo < column && box < m_list.boxes.size()) {
            ++box;
            takeBox();
        }
        if (column >= boxFrom && boxTo < columns) {
            column = boxTo; // the last column of the box
            if (column < last)
                next = bucketAt(m_columns.beginOf(static_cast<std::size_t>(column + 1)));
            continue;
        }
        if (column >= boxFrom)
            break; // covered to the right edge
        const std::size_t from = next;
        next = bucketFrom(from, m_columns.beginOf(static_cast<std::size_t>(column + 1)));
        if (from < next)
            addPyramidCell(static_cast<std::uint32_t>(column), level.buckets.subspan(from, next - from),
                           matchedBuckets ? matchedBuckets->buckets.subspan(from, next - from)
                                          : std::span<const Shade>());
    }
}

void RowFiller::addPyramidCell(std::uint32_t column, std::span<const Shade> buckets, std::span<const Shade> matching)
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

void RowFiller::scan(std::size_t first, std::size_t end)
{
    if (first >= end)
        return;
    const auto &begins = m_trace.events().begin;
    std::size_t i = firstReaching(first, end, m_viewport.range().begin);
    const TimeNs right = m_columns.end();
    const TimeNs firstBorder = m_columns.begin();
    while (i < end && begins[i] < right) {
        if (isBox(i)) {
            addBox(i);
            ++i;
            continue;
        }
        // All that begin in this column. The last of them may be long enough for a box; what follows a box begins
        // later.
        const bool isLeft = begins[i] < firstBorder;
        const std::int64_t column = isLeft ? -1 : m_columns.inView(begins[i]);
        const TimeNs border = m_columns.endOf(column);
        const std::size_t next = gallop(i + 1, end, [&](std::size_t j) { return begins[j] >= border; });
        const std::size_t stop = next > i + 1 && isBox(next - 1) ? next - 1 : next;
        if (!isLeft)
            addCell(static_cast<std::uint32_t>(column), i, stop);
        i = stop;
    }
}

bool RowFiller::isBox(std::size_t i) const
{
    const std::uint32_t duration = m_trace.events().duration[i];
    return duration >= m_boxNs
           && (duration != EventTable::kLong
               || static_cast<double>(m_trace.duration(static_cast<EventId>(i))) >= m_columns.nsPerColumn());
}

// What m_colours says, remembered for the names met last where name and category decide.
ColourKey RowFiller::colourOf(EventId id)
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

Box RowFiller::boxOf(TimeRange range, EventId event)
{
    Box box;
    box.x0 = static_cast<float>(std::max(m_columns.xOf(range.begin), -kOutside));
    box.x1 = static_cast<float>(std::min(m_columns.xOf(range.end), m_viewport.width() + kOutside));
    box.event = event;
    box.colour = colourOf(event);
    box.dim = isDim(index(event), index(event) + 1);
    return box;
}

void RowFiller::addBox(std::size_t i)
{
    const auto id = static_cast<EventId>(i);
    const TimeRange range = m_trace.range(id);
    if (m_columns.xOf(range.end) <= 0)
        return;
    Box box = boxOf(range, id);
    // Where the file has launches at all, work without one is worth telling.
    if (box.x1 - box.x0 >= kLeastTold && isDeviceWork(m_trace.kind(id)) && !m_trace.links().launches.empty())
        box.unlaunched = m_trace.launchLink(id).launch == kNoEvent;
    m_list.boxes.push_back(box);
}

std::uint8_t RowFiller::shareOf(double covered) const
{
    return static_cast<std::uint8_t>(std::min(covered / m_columns.nsPerColumn(), 1.0) * 255);
}

void RowFiller::addCell(std::uint32_t column, std::size_t first, std::size_t end)
{
    Cell cell;
    cell.column = column;
    cell.first = static_cast<EventId>(first);
    cell.end = static_cast<EventId>(end);
    const bool filtered = !m_options.matching.empty();
    cell.dim = isDim(first, end);
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

} // namespace ks
