// SPDX-License-Identifier: GPL-3.0-or-later
// A dense row on a grid of time, so that drawing it costs O(pixels) however many events it has. A bucket holds the
// colour of what takes most time in it and the share of it that is covered; levels are a quarter as fine each, down to
// about a thousand buckets. The finest has about twice as many buckets as the row has events, over the stretch in which
// the row is dense: one event days away does not waste the grid. What lies outside that stretch has to be looked at event
// by event.
//
// Two bytes a bucket, 5.3 bytes an event, 40 ns an event to build. Rows with fewer than kLeastEvents have none.
#pragma once

#include "core/base/progress.h"
#include "core/trace/trace.h"
#include "core/view/palette.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace ks {

// One bit per event, true = matches the filter. Empty: everything matches.
using EventBits = std::span<const std::uint64_t>;
bool anyBit(EventBits bits, std::size_t first, std::size_t end);

struct Shade
{
    ColourKey colour{};
    std::uint8_t busy = 0; // covered share of 255; at least 1 where there is an event, 0 = nothing there
};

inline constexpr std::size_t kShadeRoom = 8; // see RowPyramid::Level

class RowPyramid
{
public:
    // Only events that match go in.
    RowPyramid(const Trace &trace, const Row &row, const EventColours &colours, EventBits matching);

    struct Level
    {
        TimeNs width = 1;               // ns, of a bucket
        std::span<const Shade> buckets; // behind each of them, and behind the last, kShadeRoom can be read
    };
    TimeRange dense() const { return m_dense; } // the first bucket of every level begins at its begin
    // Of the row: those outside the dense stretch by their begin are [row.firstEvent, first) and [end, row.endEvent).
    EventId firstDense() const { return m_first; }
    EventId endDense() const { return m_end; }
    // For columns of `ns`: the coarsest level with buckets of at most half of that, else the finest if its buckets are
    // not wider than a column, else none.
    std::optional<Level> levelFor(double ns) const;
    std::size_t bytes() const { return m_shades.capacity() * sizeof(Shade); }

private:
    void fillFinest(const Trace &trace, const EventColours &colours, EventBits matching);
    void addLevel();

    TimeRange m_dense;
    EventId m_first{}, m_end{};
    TimeNs m_width = 1;              // of the finest buckets
    std::vector<std::size_t> m_from; // where each level begins in m_shades; one more at the end
    std::vector<Shade> m_shades;
};

// The pyramids of one trace for one colouring, by row. Immutable; a copy with more rows shares those that are there.
class LevelOfDetail
{
public:
    static constexpr std::size_t kLeastEvents = 4000;
    static bool isWorthIt(const Row &row) { return distance(row.firstEvent, row.endEvent) >= kLeastEvents; }

    using Entry = std::pair<RowId, std::shared_ptr<const RowPyramid>>;
    LevelOfDetail() = default;
    LevelOfDetail(const LevelOfDetail &before, std::vector<Entry> more);

    const RowPyramid *row(RowId id) const; // null: has none (yet); O(log rows)
    std::size_t bytes() const;

private:
    std::vector<Entry> m_rows; // by id
};

// Of those rows that are worth it. Throws Cancelled.
std::vector<LevelOfDetail::Entry> buildPyramids(const Trace &trace, std::span<const RowId> rows,
                                                const EventColours &colours, EventBits matching,
                                                const Progress &progress);

} // namespace ks
