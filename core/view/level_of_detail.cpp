// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/level_of_detail.h"

#include <algorithm>
#include <cmath>

namespace ks {
namespace {

constexpr std::size_t kFewest = 1024;       // buckets of the coarsest level, about
constexpr std::size_t kBucketsPerEvent = 2; // where columns are finer, looking at every event is as cheap
constexpr unsigned kFanBits = 2;
constexpr std::size_t kTails = 64; // a 64th of the events at either end may lie far away
constexpr TimeNs kMuchLonger = 16; // times the stretch of the rest

// The stretch that holds nearly all begins: everything, unless its ends are far out.
std::pair<std::size_t, std::size_t> denseEvents(std::span<const TimeNs> begins, std::size_t first, std::size_t end)
{
    const std::size_t tail = (end - first) / kTails;
    const TimeNs low = begins[first + tail];
    const TimeNs high = begins[end - 1 - tail];
    const TimeNs middle = saturatingSubtract(high, low);
    const TimeNs whole = saturatingSubtract(begins[end - 1], begins[first]);
    if (whole / kMuchLonger <= middle)
        return {first, end};
    const auto at = [&begins](std::size_t i) { return begins.begin() + static_cast<std::ptrdiff_t>(i); };
    const auto from = std::lower_bound(at(first), at(end), saturatingSubtract(low, middle));
    const auto to = std::upper_bound(from, at(end), saturatingAdd(high, middle));
    return {static_cast<std::size_t>(from - begins.begin()), static_cast<std::size_t>(to - begins.begin())};
}

Shade shadeOf(ColourKey colour, double covered, double width)
{
    const long share = std::lround(covered / width * 255);
    return {colour, static_cast<std::uint8_t>(std::clamp(share, 1L, 255L))};
}

} // namespace

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

RowPyramid::RowPyramid(const Trace &trace, const Row &row, const EventColours &colours, EventBits matching)
{
    m_first = m_end = row.endEvent;
    if (row.firstEvent == row.endEvent)
        return;
    const auto &begins = trace.events().begin;
    const auto [first, end] = denseEvents(begins, index(row.firstEvent), index(row.endEvent));
    m_first = static_cast<EventId>(first);
    m_end = static_cast<EventId>(end);
    if (first == end)
        return;
    // The last event may be long; it reaches at most to the next one outside.
    TimeNs last = saturatingAdd(trace.end(static_cast<EventId>(end - 1)), 1);
    if (end < index(row.endEvent))
        last = std::min(last, begins[end]);
    m_dense = {begins[first], std::max(last, saturatingAdd(begins[first], 1))};
    const TimeNs span = m_dense.duration();
    m_width = (span - 1) / static_cast<TimeNs>((end - first) * kBucketsPerEvent) + 1;
    const auto buckets = static_cast<std::size_t>((span - 1) / m_width + 1);
    m_from = {0, buckets};
    m_shades.reserve(buckets + buckets / 3 + 16 + kShadeRoom);
    m_shades.resize(buckets);
    fillFinest(trace, colours, matching);
    while (m_from.back() - m_from[m_from.size() - 2] > kFewest)
        addLevel();
    m_shades.resize(m_shades.size() + kShadeRoom);
}

// Events are disjoint and ascending, so the bucket in which one ends is the first the next can touch.
void RowPyramid::fillFinest(const Trace &trace, const EventColours &colours, EventBits matching)
{
    const auto width = static_cast<double>(m_width);
    std::size_t current = 0;
    TimeNs covered = 0;
    TimeNs longest = -1; // part of one event in the bucket; -1: nothing there
    ColourKey colour{};
    const auto flush = [&] {
        if (longest >= 0)
            m_shades[current] = shadeOf(colour, static_cast<double>(covered), width);
        covered = 0;
        longest = -1;
    };
    const TimeNs origin = m_dense.begin;
    const TimeNs span = m_dense.duration();
    for (EventId id = m_first; id < m_end; id = advance(id, 1)) {
        if (!matching.empty() && !anyBit(matching, index(id), index(id) + 1))
            continue;
        const TimeNs begin = std::min(saturatingSubtract(trace.begin(id), origin), span - 1);
        const TimeNs end = std::clamp(saturatingAdd(begin, trace.duration(id)), begin, span);
        const auto from = static_cast<std::size_t>(begin / m_width);
        const TimeNs border = static_cast<TimeNs>(from + 1) * m_width;
        const std::size_t to = end <= border ? from : static_cast<std::size_t>((end - 1) / m_width);
        const ColourKey own = colours.of(trace, id);
        if (from != current) {
            flush();
            current = from;
        }
        const TimeNs part = std::min(end, border) - begin;
        covered += part;
        if (part > longest) {
            longest = part;
            colour = own;
        }
        if (to == from)
            continue;
        flush();
        std::fill(m_shades.begin() + static_cast<std::ptrdiff_t>(from + 1),
                  m_shades.begin() + static_cast<std::ptrdiff_t>(to), Shade{own, 255});
        current = to;
        covered = longest = end - static_cast<TimeNs>(to) * m_width;
        colour = own;
    }
    flush();
}

void RowPyramid::addLevel()
{
    const std::size_t from = m_from[m_from.size() - 2];
    const std::size_t end = m_from.back();
    for (std::size_t i = from; i < end; i += std::size_t{1} << kFanBits) {
        const std::size_t stop = std::min(end, i + (std::size_t{1} << kFanBits));
        unsigned sum = 0;
        unsigned most = 0;
        ColourKey colour{};
        for (std::size_t j = i; j < stop; ++j) {
            const Shade shade = m_shades[j];
            sum += shade.busy;
            unsigned ofColour = 0;
            for (std::size_t k = i; k < stop; ++k)
                ofColour += m_shades[k].colour == shade.colour ? m_shades[k].busy : 0;
            if (shade.busy > 0 && ofColour > most) {
                most = ofColour;
                colour = shade.colour;
            }
        }
        constexpr unsigned kFan = 1U << kFanBits;
        m_shades.push_back({colour, static_cast<std::uint8_t>(sum == 0 ? 0 : std::max(1U, (sum + kFan / 2) / kFan))});
    }
    m_from.push_back(m_shades.size());
}

std::optional<RowPyramid::Level> RowPyramid::levelFor(double ns) const
{
    if (m_from.empty() || static_cast<double>(m_width) > ns)
        return {};
    std::size_t level = 0;
    TimeNs width = m_width;
    constexpr TimeNs kFan = TimeNs{1} << kFanBits;
    while (level + 2 < m_from.size() && static_cast<double>(width * kFan) <= ns / 2) {
        width *= kFan;
        ++level;
    }
    return Level{width, std::span(m_shades).subspan(m_from[level], m_from[level + 1] - m_from[level])};
}

LevelOfDetail::LevelOfDetail(const LevelOfDetail &before, std::vector<Entry> more)
    : m_rows(before.m_rows)
{
    m_rows.insert(m_rows.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    std::sort(m_rows.begin(), m_rows.end(), [](const Entry &a, const Entry &b) { return a.first < b.first; });
}

const RowPyramid *LevelOfDetail::row(RowId id) const
{
    const auto at = std::lower_bound(m_rows.begin(), m_rows.end(), id,
                                     [](const Entry &entry, RowId wanted) { return entry.first < wanted; });
    return at != m_rows.end() && at->first == id ? at->second.get() : nullptr;
}

std::size_t LevelOfDetail::bytes() const
{
    std::size_t sum = 0;
    for (const Entry &entry : m_rows)
        sum += entry.second->bytes();
    return sum;
}

std::vector<LevelOfDetail::Entry> buildPyramids(const Trace &trace, std::span<const RowId> rows,
                                                const EventColours &colours, EventBits matching,
                                                const Progress &progress)
{
    std::vector<LevelOfDetail::Entry> pyramids;
    for (const RowId row : rows) {
        if (!LevelOfDetail::isWorthIt(trace.row(row)))
            continue;
        progress.throwIfStopped();
        pyramids.emplace_back(row, std::make_shared<const RowPyramid>(trace, trace.row(row), colours, matching));
    }
    return pyramids;
}

} // namespace ks
