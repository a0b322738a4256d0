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

} // namespace

RowFiller::RowFiller(const Trace &trace, const Viewport &viewport, const DurationBlocks &durations,
                     const PixelColumns &columns, const DrawOptions &options, DrawList &list)
    : m_trace(trace)
    , m_viewport(viewport)
    , m_durations(durations)
    , m_columns(columns)
    , m_options(options)
    , m_list(list)
    , m_pyramidCells(columns)
    , m_ownColours(options.colours ? std::nullopt : std::optional<EventColours>(std::in_place))
    , m_colours(options.colours ? *options.colours : *m_ownColours)
{
    m_boxEdge = viewport.width() + kOutside;
    m_sharePerNs = 255 / columns.nsPerColumn();
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

bool RowFiller::isBox(std::size_t i) const
{
    const std::uint32_t duration = m_trace.events().duration[i];
    return duration >= m_boxNs
           && (duration != EventTable::kLong
               || static_cast<double>(m_trace.duration(static_cast<EventId>(i))) >= m_columns.nsPerColumn());
}

std::uint8_t RowFiller::shareOf(double covered) const
{
    return static_cast<std::uint8_t>(std::min(covered * m_sharePerNs, 255.0));
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

    // Everything else. Columns that a box touches belong to it.
    const auto matchedLevel = matched ? matched->levelFor(m_columns.nsPerColumn()) : std::nullopt;
    const TimeRange dense = pyramid.dense();
    m_pyramidCells.setRow(dense, level, matchedLevel ? matchedLevel->buckets : std::span<const Shade>());
    std::int64_t column = std::max<std::int64_t>(m_columns.of(dense.begin), 0);
    const std::int64_t stop = std::min<std::int64_t>(m_columns.of(dense.end) + 1, m_columns.count());
    for (std::size_t box = row.firstBox; box < m_list.boxes.size() && column < stop; ++box) {
        const TimeRange range = m_trace.range(m_list.boxes[box].event);
        if (range.begin < dense.begin)
            continue;
        if (range.begin >= m_columns.begin())
            m_pyramidCells.append(column, std::min(m_columns.inView(range.begin), stop), m_list.cells);
        column = range.end - 1 < right ? std::max(column, m_columns.inView(range.end - 1) + 1) : stop;
    }
    m_pyramidCells.append(column, stop, m_list.cells);
}

void RowFiller::scan(std::size_t first, std::size_t end)
{
    if (first >= end)
        return;
    const TimeNs *begins = m_trace.events().begin.data();
    std::size_t i = firstReaching(first, end, m_viewport.range().begin);
    const TimeNs right = m_columns.end();
    // What begins left of the view and is no box is not seen.
    while (i < end && begins[i] < m_columns.begin()) {
        if (isBox(i))
            addBox(i);
        ++i;
    }
    while (i < end && begins[i] < right)
        i = isBox(i) ? addBox(i) : addCell(i, end);
}

// Where the file has launches at all, work without one is worth telling.
void RowFiller::markUnlaunched(Box &box) const
{
    if (box.x1 - box.x0 >= kLeastTold && isDeviceWork(m_trace.kind(box.event)))
        box.unlaunched = m_trace.launchLink(box.event).launch == kNoEvent;
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
    box.x1 = static_cast<float>(std::min(m_columns.xOf(range.end), m_boxEdge));
    box.event = event;
    box.colour = colourOf(event);
    box.dim = isDim(index(event), index(event) + 1);
    return box;
}

std::size_t RowFiller::addBox(std::size_t i)
{
    const auto id = static_cast<EventId>(i);
    const Box box = boxOf(m_trace.range(id), id);
    if (box.x1 <= 0)
        return i + 1;
    m_list.boxes.push_back(box);
    if (!m_trace.links().launches.empty())
        markUnlaunched(m_list.boxes.back());
    return i + 1;
}

// A cell of all that begin in the column of event `first`, which is in view; returns what follows them. The last of them
// may be long enough for a box; what follows a box begins later.
std::size_t RowFiller::addCell(std::size_t first, std::size_t rowEnd)
{
    const EventTable &events = m_trace.events();
    const TimeNs *begins = events.begin.data();
    const std::int64_t column = m_columns.inView(begins[first]);
    const TimeNs border = m_columns.endOf(column);
    Cell cell;
    cell.column = static_cast<std::uint16_t>(column) & kMostColumns;
    cell.first = static_cast<EventId>(first);

    // A few are looked at one by one.
    std::size_t end = first + 1;
    TimeNs sum = m_trace.duration(cell.first);
    TimeNs longest = sum;
    std::size_t longestAt = first;
    const std::size_t few = std::min(rowEnd, first + kSamples);
    for (; end < few && begins[end] < border && !isBox(end); ++end) {
        const TimeNs duration = m_trace.duration(static_cast<EventId>(end));
        sum += duration;
        longestAt = duration > longest ? end : longestAt;
        longest = std::max(duration, longest);
    }
    const bool areMore = end == few && end < rowEnd && begins[end] < border && !isBox(end);
    if (!areMore && m_options.matching.empty()) {
        cell.colour = colourOf(static_cast<EventId>(longestAt));
        cell.busy = shareOf(static_cast<double>(sum));
        m_list.cells.push_back(cell);
        return end;
    }
    if (areMore) {
        end = gallop(end + 1, rowEnd, [&](std::size_t j) { return begins[j] >= border; });
        end -= isBox(end - 1) ? 1 : 0;
    }
    shadeBySamples(cell, end);
    m_list.cells.push_back(cell);
    return end;
}

// Of many, some tell colour and busy share: of those that match.
void RowFiller::shadeBySamples(Cell &cell, std::size_t end)
{
    const std::size_t first = index(cell.first);
    const std::size_t count = end - first;
    const std::size_t samples = std::min(count, kSamples);
    const bool filtered = !m_options.matching.empty();
    cell.dim = isDim(first, first + count);
    TimeNs sum = 0;
    TimeNs longest = -1;
    std::size_t longestAt = first;
    for (std::size_t s = 0; s < samples; ++s) {
        const std::size_t i = first + s * count / samples;
        if (count > 1 && filtered && !cell.dim && !anyBit(m_options.matching, i, i + 1))
            continue;
        const TimeNs duration = m_trace.duration(static_cast<EventId>(i));
        sum += duration;
        if (duration > longest) {
            longest = duration;
            longestAt = i;
        }
    }
    cell.colour = colourOf(static_cast<EventId>(longestAt));
    cell.busy = shareOf(static_cast<double>(sum) * static_cast<double>(count) / static_cast<double>(samples));
}

} // namespace ks
