// SPDX-License-Identifier: GPL-3.0-or-later
// Which lanes and rows stand at which y. Blocks from top to bottom: the heading of a group, its lanes, its curves. A
// lane shows its rows of operators and annotations, then python as a group of its own. y and heights are logical pixels
// from the top of the lanes. Pinned lanes come first, before all groups. Invariant: blocks follow each other without gap or overlap. Building is O(lanes * log
// rows), whatever the number of events; every question is O(log lanes).
#pragma once

#include "core/trace/trace.h"
#include "core/view/view_index.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace ks {

inline constexpr int kRowPitch = 18;   // from row to row
inline constexpr int kBoxHeight = 16;  // of the boxes in a row
inline constexpr int kLanePadding = 3; // above the first row and below the last
inline constexpr int kHeadingHeight = 20;
inline constexpr int kCurveHeight = 48;
inline constexpr std::uint32_t kMaxRows = 64;   // of a lane's group, unless its full depth is asked for
inline constexpr std::uint32_t kFoldedRows = 5; // rows of a folded lane or of folded python that share its strip

// How a person arranged the lanes of a trace. Groups by position in ViewIndex::groups(), curves by position in
// ViewIndex::curveLanes().
struct LaneArrangement
{
    std::set<std::uint32_t> groups; // folded: only the heading remains
    std::set<LaneId> lanes;         // folded to one strip
    std::set<LaneId> python;        // unfolded; python stacks are folded by default
    std::set<LaneId> fullDepth;     // shown with all their rows
    std::set<std::uint32_t> causes; // groups whose "works for" rows are folded to one strip
    std::vector<LaneId> pinned;     // on top, in this order
    std::set<LaneId> hidden;
    std::set<std::uint32_t> hiddenCurves;
    std::map<std::uint32_t, std::vector<LaneId>> order; // lanes of a group that were moved: all of them, in their order
    std::map<LaneId, int> pitch;                        // row to row, where it is not kRowPitch
    std::map<std::uint32_t, int> curveHeight;           // where it is not kCurveHeight
    // Only these lanes are shown, for now: those in view, those of a name. Pinned ones always are.
    std::optional<std::set<LaneId>> only;
    friend bool operator==(const LaneArrangement &, const LaneArrangement &) = default;
};
inline constexpr int kLeastPitch = 2;
inline constexpr int kGreatestPitch = 60;
inline constexpr int kLeastCurveHeight = 20;
inline constexpr int kGreatestCurveHeight = 600;

// Long lists of threads and profiler overhead are folded, and what devices work for where the file tells it itself.
LaneArrangement defaultArrangement(const Trace &trace, const ViewIndex &index);
// The lanes of a group as they stand there.
std::vector<LaneId> lanesInOrder(const ViewIndex &index, std::uint32_t group, const LaneArrangement &arrangement);

enum class BlockKind : std::uint8_t {
    Heading,
    Lane,
    Curves,
    Causes, // what the device of the group works for, see projection.h
};

struct Block
{
    BlockKind kind = BlockKind::Lane;
    std::uint32_t group = 0; // position in ViewIndex::groups()
    int y = 0;
    int height = 0;
    int pitch = kRowPitch;       // from row to row, of lanes and causes
    bool pinned = false;         // stays on top
    LaneId lane = kNoLane;       // of a lane
    std::uint32_t curveLane = 0; // of curves: position in ViewIndex::curveLanes()
    bool folded = false;         // heading, lane
    bool pythonFolded = true;
    RowId firstWork{}, endWork{}; // rows of the trace, all of them
    RowId firstPython{}, endPython{};
    std::uint32_t shownWork = 0; // how many of them have a place of their own
    std::uint32_t shownPython = 0;

    std::uint32_t workRows() const { return static_cast<std::uint32_t>(distance(firstWork, endWork)); }
    std::uint32_t pythonRows() const { return static_cast<std::uint32_t>(distance(firstPython, endPython)); }
    std::uint32_t hiddenRows() const
    {
        return folded ? 0 : workRows() - shownWork + (pythonFolded ? 0 : pythonRows() - shownPython);
    }
    int workY() const { return y + kLanePadding; }
    int pythonY() const { return workY() + static_cast<int>(shownWork) * pitch; } // of an unfolded lane with python
};

// Where a row of the trace is drawn.
// Height of boxes in rows `pitch` apart.
constexpr int boxHeight(int pitch)
{
    return pitch > 6 ? pitch - (kRowPitch - kBoxHeight) : pitch > 3 ? pitch - 1 : pitch;
}

struct RowPlace
{
    enum class Shown : std::uint8_t {
        No,      // its lane is scaffolding
        Itself,  // at a place of its own
        Strip,   // inside the strip of its folded lane or python
        Heading, // its group is folded: at the heading
        Capped,  // beyond the rows shown: at the last one
    };
    int y = 0;
    int height = 0; // of the boxes
    Shown shown = Shown::No;
};

class LaneLayout
{
public:
    LaneLayout() = default;
    LaneLayout(const Trace &trace, std::shared_ptr<const ViewIndex> viewIndex, const LaneArrangement &arrangement);

    const ViewIndex &viewIndex() const { return *m_index; }
    std::span<const Block> blocks() const { return m_blocks; }
    int height() const { return m_height; }
    int pinnedHeight() const { return m_pinnedHeight; } // of the blocks on top that stay there
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    std::size_t blockAt(int y) const;         // position in blocks(); kNone outside
    std::size_t blockOf(LaneId lane) const;   // kNone if it is not shown
    std::size_t headingOf(LaneId lane) const; // kNone if it has none
    RowPlace placeOf(const Trace &trace, RowId row) const;
    // All rows of the lanes that touch [top, bottom) or are pinned, those without a place of their own too. O(blocks).
    std::vector<RowId> rowsOfLanesIn(int top, int bottom) const;
    // Of a block of causes: where the row at `level` of LaneGroup::causes is drawn.
    RowPlace placeOfCauses(const Block &block, std::uint32_t level) const;

private:
    void place(Block block, int height);
    void placeLane(const Trace &trace, LaneId id, std::uint32_t group, const LaneArrangement &arrangement, bool pinned);

    std::shared_ptr<const ViewIndex> m_index;
    std::vector<Block> m_blocks;
    std::vector<std::uint32_t> m_blockOfLane;   // position + 1, 0 = not shown
    std::vector<std::uint32_t> m_headingOfLane; // position + 1
    int m_height = 0;
    int m_pinnedHeight = 0;
};

} // namespace ks
