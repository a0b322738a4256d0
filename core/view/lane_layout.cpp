// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/lane_layout.h"

#include <algorithm>

namespace ks {
namespace {

constexpr std::size_t kLongThreadList = 6;
constexpr std::size_t kMajorShare = 8; // a thread with an eighth of the events stays open in a long list
constexpr int kTallest = 1 << 30;      // pixels; more than any scroll bar can hold is cut

RowId firstPythonRow(const Trace &trace, const Lane &lane)
{
    const auto rows = trace.rows().subspan(index(lane.firstRow), distance(lane.firstRow, lane.endRow));
    const auto at =
        std::partition_point(rows.begin(), rows.end(), [](const Row &row) { return row.group != RowGroup::Python; });
    return advance(lane.firstRow, at - rows.begin());
}

// Height of one row in a strip that holds `rows` of them.
int stripRowHeight(std::uint32_t rows)
{
    return kBoxHeight / static_cast<int>(std::clamp<std::uint32_t>(rows, 1, kFoldedRows));
}

int heightOfRows(std::uint64_t rows, int pitch)
{
    return static_cast<int>(
        std::min<std::uint64_t>(std::max<std::uint64_t>(rows, 1) * static_cast<std::uint64_t>(pitch), kTallest));
}

RowPlace stripPlace(int y, std::uint32_t depth, std::uint32_t rows)
{
    const int height = stripRowHeight(rows);
    const auto slot = static_cast<int>(std::min(depth, kFoldedRows - 1));
    return {y + slot * height, std::max(1, height - (rows > 1 ? 1 : 0)), RowPlace::Shown::Strip};
}

} // namespace

LaneArrangement defaultArrangement(const Trace &trace, const ViewIndex &viewIndex)
{
    LaneArrangement folds;
    for (const LaneGroup &group : viewIndex.groups()) {
        const auto isPlainThread = [&trace](LaneId id) { return trace.lane(id).role == LaneRole::Thread; };
        const auto events = [&trace](LaneId id) {
            return distance(trace.lane(id).firstEvent, trace.lane(id).endEvent);
        };
        std::size_t threads = 0;
        std::size_t all = 0;
        for (const LaneId id : group.lanes) {
            threads += isPlainThread(id) ? 1 : 0;
            all += events(id);
        }
        for (const LaneId id : group.lanes) {
            const Lane &lane = trace.lane(id);
            const bool minorThread = threads >= kLongThreadList && isPlainThread(id) && events(id) * kMajorShare < all;
            if (lane.role == LaneRole::Overhead || lane.role == LaneRole::SyncLane || minorThread)
                folds.lanes.insert(id);
        }
    }
    // Of several devices the first is enough; and none where the file has annotations of its own.
    bool seen = false;
    for (std::uint32_t g = 0; g < viewIndex.groups().size(); ++g) {
        const LaneGroup &group = viewIndex.groups()[g];
        if (group.causes.empty())
            continue;
        if (seen || group.causes.front().level > ProjectionLevel::Annotation)
            folds.causes.insert(g);
        seen = true;
    }
    return folds;
}

std::vector<LaneId> lanesInOrder(const ViewIndex &viewIndex, std::uint32_t group, const LaneArrangement &arrangement)
{
    const std::vector<LaneId> &lanes = viewIndex.groups()[group].lanes;
    const auto moved = arrangement.order.find(group);
    if (moved == arrangement.order.end()
        || !std::is_permutation(lanes.begin(), lanes.end(), moved->second.begin(), moved->second.end()))
        return lanes;
    return moved->second;
}

LaneLayout::LaneLayout(const Trace &trace, std::shared_ptr<const ViewIndex> viewIndex,
                       const LaneArrangement &arrangement)
    : m_index(std::move(viewIndex))
    , m_blockOfLane(trace.lanes().size(), 0)
    , m_headingOfLane(trace.lanes().size(), 0)
{
    const std::vector<LaneGroup> &groups = m_index->groups();
    m_blocks.reserve(2 * groups.size() + trace.lanes().size() + m_index->curveLanes().size());
    std::vector<std::uint32_t> groupOf(trace.lanes().size(), UINT32_MAX);
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
        for (const LaneId id : groups[g].lanes)
            groupOf[index(id)] = g;
    }
    for (const LaneId id : arrangement.pinned) {
        if (index(id) < groupOf.size() && groupOf[index(id)] != UINT32_MAX && blockOf(id) == kNone)
            placeLane(trace, id, groupOf[index(id)], arrangement, true);
    }
    m_pinnedHeight = m_height;

    const auto isShown = [&](LaneId id) {
        return !arrangement.hidden.contains(id) && (!arrangement.only || arrangement.only->contains(id))
               && blockOf(id) == kNone;
    };
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
        const LaneGroup &group = groups[g];
        const bool anyLane = std::any_of(group.lanes.begin(), group.lanes.end(), isShown);
        if (arrangement.only && !anyLane)
            continue; // nothing of it is wanted now
        Block heading;
        heading.kind = BlockKind::Heading;
        heading.group = g;
        heading.folded = arrangement.groups.contains(g);
        place(heading, kHeadingHeight);
        const auto headingPosition = static_cast<std::uint32_t>(m_blocks.size());
        for (const LaneId id : group.lanes)
            m_headingOfLane[index(id)] = headingPosition;
        if (heading.folded)
            continue;

        if (!group.causes.empty()) {
            Block causes;
            causes.kind = BlockKind::Causes;
            causes.group = g;
            causes.folded = arrangement.causes.contains(g);
            place(causes, 2 * kLanePadding + heightOfRows(causes.folded ? 1 : group.causes.size(), causes.pitch));
        }
        for (const LaneId id : lanesInOrder(*m_index, g, arrangement)) {
            if (isShown(id))
                placeLane(trace, id, g, arrangement, false);
        }
        for (const std::uint32_t curveLane : group.curveLanes) {
            if (arrangement.hiddenCurves.contains(curveLane))
                continue;
            Block block;
            block.kind = BlockKind::Curves;
            block.group = g;
            block.curveLane = curveLane;
            const auto height = arrangement.curveHeight.find(curveLane);
            place(block, height == arrangement.curveHeight.end()
                             ? kCurveHeight
                             : std::clamp(height->second, kLeastCurveHeight, kGreatestCurveHeight));
        }
    }
}

void LaneLayout::placeLane(const Trace &trace, LaneId id, std::uint32_t group, const LaneArrangement &arrangement,
                           bool pinned)
{
    const Lane &lane = trace.lane(id);
    Block block;
    block.group = group;
    block.lane = id;
    block.pinned = pinned;
    block.firstWork = lane.firstRow;
    block.endWork = block.firstPython = firstPythonRow(trace, lane);
    block.endPython = lane.endRow;
    block.folded = arrangement.lanes.contains(id);
    block.pythonFolded = !arrangement.python.contains(id);
    const auto pitch = arrangement.pitch.find(id);
    if (pitch != arrangement.pitch.end())
        block.pitch = std::clamp(pitch->second, kLeastPitch, kGreatestPitch);
    int height = 2 * kLanePadding;
    if (block.folded) {
        height += kRowPitch;
    } else {
        const std::uint32_t most = arrangement.fullDepth.contains(id) ? UINT32_MAX : kMaxRows;
        block.shownWork = std::min(block.workRows(), most);
        block.shownPython = block.pythonFolded ? 0 : std::min(block.pythonRows(), most);
        const bool strip = block.pythonFolded && block.pythonRows() > 0;
        const std::uint64_t rows = std::uint64_t{block.shownWork} + block.shownPython;
        if (rows > 0 || !strip)
            height += heightOfRows(rows, block.pitch);
        height += strip ? kRowPitch : 0;
    }
    place(block, height);
    m_blockOfLane[index(id)] = static_cast<std::uint32_t>(m_blocks.size());
}

void LaneLayout::place(Block block, int height)
{
    block.y = m_height;
    block.height = std::min(height, kTallest - m_height);
    m_height += block.height;
    m_blocks.push_back(block);
}

std::size_t LaneLayout::blockAt(int y) const
{
    if (y < 0 || y >= m_height)
        return kNone;
    const auto after = std::upper_bound(m_blocks.begin(), m_blocks.end(), y,
                                        [](int wanted, const Block &block) { return wanted < block.y; });
    return static_cast<std::size_t>(after - m_blocks.begin() - 1);
}

std::size_t LaneLayout::blockOf(LaneId lane) const
{
    return index(lane) < m_blockOfLane.size() ? m_blockOfLane[index(lane)] - std::size_t{1} : kNone;
}

std::size_t LaneLayout::headingOf(LaneId lane) const
{
    return index(lane) < m_headingOfLane.size() ? m_headingOfLane[index(lane)] - std::size_t{1} : kNone;
}

RowPlace LaneLayout::placeOf(const Trace &trace, RowId id) const
{
    const Row &row = trace.row(id);
    const std::size_t position = blockOf(row.lane);
    if (position == kNone) {
        const std::size_t heading = headingOf(row.lane);
        if (heading == kNone)
            return {};
        return {m_blocks[heading].y + 2, kHeadingHeight - 4, RowPlace::Shown::Heading};
    }
    const Block &block = m_blocks[position];
    const bool python = row.group == RowGroup::Python;
    const auto level = static_cast<std::uint32_t>(distance(python ? block.firstPython : block.firstWork, id));
    if (block.folded) {
        // Python joins the strip only where there is nothing else.
        const std::uint32_t rows = block.workRows() > 0 ? block.workRows() : block.pythonRows();
        const std::uint32_t depth = python && block.workRows() > 0 ? kFoldedRows : level;
        return stripPlace(block.workY(), std::min(depth, rows - 1), rows);
    }
    if (python && block.pythonFolded)
        return stripPlace(block.pythonY(), level, block.pythonRows());
    const std::uint32_t shown = python ? block.shownPython : block.shownWork;
    const int top = python ? block.pythonY() : block.workY();
    const std::uint32_t depth = std::min(level, shown - 1);
    return {top + static_cast<int>(depth) * block.pitch, boxHeight(block.pitch),
            level < shown ? RowPlace::Shown::Itself : RowPlace::Shown::Capped};
}

std::vector<RowId> LaneLayout::rowsOfLanesIn(int top, int bottom) const
{
    std::vector<RowId> rows;
    for (const Block &block : m_blocks) {
        const bool isIn = block.pinned || (block.y < bottom && block.y + block.height > top);
        if (block.kind != BlockKind::Lane || !isIn)
            continue;
        for (RowId row = block.firstWork; row < block.endPython; row = advance(row, 1))
            rows.push_back(row);
    }
    return rows;
}

RowPlace LaneLayout::placeOfCauses(const Block &block, std::uint32_t level) const
{
    const auto rows = static_cast<std::uint32_t>(m_index->groups()[block.group].causes.size());
    if (block.folded)
        return stripPlace(block.workY(), level, rows);
    return {block.workY() + static_cast<int>(level) * block.pitch, boxHeight(block.pitch), RowPlace::Shown::Itself};
}

} // namespace ks
