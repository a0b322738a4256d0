// SPDX-License-Identifier: GPL-3.0-or-later
// Which lanes and rows stand at which y. Blocks from top to bottom: the heading of a group, its lanes, its curves. A
// lane shows its rows of operators and annotations, then python as a group of its own. y and heights are logical pixels
// from the top of the lanes. Invariant: blocks follow each other without gap or overlap. Building is O(lanes * log
// rows), whatever the number of events; every question is O(log lanes).
#pragma once

#include "core/trace/trace.h"
#include "core/view/view_index.h"

#include <cstddef>
#include <cstdint>
#include <memory>
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

// What a person folded. Groups by position in ViewIndex::groups().
struct FoldState
{
    std::set<std::uint32_t> groups; // folded: only the heading remains
    std::set<LaneId> lanes;         // folded to one strip
    std::set<LaneId> python;        // unfolded; python stacks are folded by default
    std::set<LaneId> fullDepth;     // shown with all their rows
    friend bool operator==(const FoldState &, const FoldState &) = default;
};
FoldState defaultFolds(const Trace &trace, const ViewIndex &index); // long lists of threads, profiler overhead

enum class BlockKind : std::uint8_t { Heading, Lane, Curves };

struct Block
{
    BlockKind kind = BlockKind::Lane;
    std::uint32_t group = 0; // position in ViewIndex::groups()
    int y = 0;
    int height = 0;
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
    int pythonY() const { return workY() + static_cast<int>(shownWork) * kRowPitch; } // of an unfolded lane with python
};

// Where a row of the trace is drawn.
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
    LaneLayout(const Trace &trace, std::shared_ptr<const ViewIndex> viewIndex, const FoldState &folds);

    const ViewIndex &viewIndex() const { return *m_index; }
    std::span<const Block> blocks() const { return m_blocks; }
    int height() const { return m_height; }
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    std::size_t blockAt(int y) const;         // position in blocks(); kNone outside
    std::size_t blockOf(LaneId lane) const;   // kNone if it is not shown
    std::size_t headingOf(LaneId lane) const; // kNone if it has none
    RowPlace placeOf(const Trace &trace, RowId row) const;

private:
    void place(Block block, int height);

    std::shared_ptr<const ViewIndex> m_index;
    std::vector<Block> m_blocks;
    std::vector<std::uint32_t> m_blockOfLane;   // position + 1, 0 = not shown
    std::vector<std::uint32_t> m_headingOfLane; // position + 1
    int m_height = 0;
};

} // namespace ks
