// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/lane_groups.h"
#include "core/view/lane_layout.h"
#include "tests/support/row_trace.h"
#include "tests/support/trace_maker.h"

#include <QElapsedTimer>
#include <QTest>

#include <set>

using namespace ks;

namespace {

LaneLayout layoutOf(const Trace &trace, const LaneArrangement &folds = {})
{
    return LaneLayout(trace, std::make_shared<const ViewIndex>(trace), folds);
}

std::shared_ptr<const Trace> training()
{
    return TraceMaker()
        .rank(3, 8)
        .device(0, "NVIDIA H100")
        .process(4711, "python")
        .thread(4711, "python")
        .step(1, 0, 1000)
        .op("aten::mm", 10, 100)
        .launch("cudaLaunchKernel", 20, 5, 1)
        .launch("cudaLaunchKernel", 40, 5, 2)
        .launch("cudaMemcpyAsync", 60, 5, 3)
        .python("a.py(1): f", 5, 500, 1)
        .python("a.py(2): g", 6, 400, 2, 1)
        .thread(4800, "pt_autograd_0")
        .op("autograd::engine::evaluate_function: MmBackward0", 200, 50)
        .memcpy("Memcpy HtoD", 100, 10, 24, 3)
        .kernel("ncclKernel_AllReduce_RING", 200, 50, 20, 2)
        .kernel("gemm", 120, 60, 7, 1)
        .memory(10, 100, 1, 100, 0, 1000)
        .memory(20, -100, 1, 0, 0, 1000)
        .build();
}

std::vector<std::string> titles(const Trace &trace, const LaneLayout &layout)
{
    std::vector<std::string> found;
    for (const Block &block : layout.blocks()) {
        if (block.kind == BlockKind::Heading)
            found.push_back("# " + layout.viewIndex().groups()[block.group].title);
        else if (block.kind == BlockKind::Lane)
            found.push_back(laneTitle(trace, trace.lane(block.lane)));
        else if (block.kind == BlockKind::Causes)
            found.push_back("works for");
        else
            found.push_back(layout.viewIndex().curveLanes()[block.curveLane].name);
    }
    return found;
}

std::size_t blockWithRole(const Trace &trace, const LaneLayout &layout, LaneRole role)
{
    for (std::size_t i = 0; i < layout.blocks().size(); ++i) {
        if (layout.blocks()[i].kind == BlockKind::Lane && trace.lane(layout.blocks()[i].lane).role == role)
            return i;
    }
    return LaneLayout::kNone;
}

// Lanes 0 and 1 of one process, 2 of another; two rows each.
std::shared_ptr<const Trace> twoProcesses()
{
    RowTrace rows;
    for (const char *pid : {"1", "2"}) {
        rows.process(pid);
        for (const char *tid : {"1", "2"}) {
            if (std::string_view(pid) == "2" && std::string_view(tid) == "2")
                break;
            rows.lane(LaneKind::Cpu, LaneRole::Thread, tid).row();
            rows.event("outer", EventKind::Operator, 0, 100);
            rows.row();
            rows.event("inner", EventKind::Operator, 10, 50);
        }
    }
    return rows.build();
}

} // namespace

class TstLaneLayout : public QObject
{
    Q_OBJECT
private slots:
    void ordersLanesByMeaning();
    void blocksFollowEachOtherWithoutGaps();
    void findsBlocksByY();
    void pythonIsFoldedToAStripOfItsOwn();
    void unfoldingPythonLeavesOperatorsInPlace();
    void aFoldedLaneIsOneStrip();
    void aFoldedGroupIsItsHeading();
    void deepLanesAreCappedAndSayIt();
    void scaffoldingGetsNoLanes();
    void longListsOfThreadsStartFolded();
    void measuresTheBusyTimeOfDevicesAsAUnion();
    void holdsAHundredThousandLanes();
    void pinnedLanesComeFirstAndOnce();
    void hiddenLanesHaveNoPlace();
    void lanesThatAreLeftOutTakeTheirHeadingAlong();
    void movedLanesStandInTheirOrder();
    void rowsHaveTheirPitch();
};

void TstLaneLayout::ordersLanesByMeaning()
{
    const auto trace = training();
    const std::vector<std::string> expected = {"# rank 3 · python 4711",
                                               "main thread",
                                               "autograd thread",
                                               "# GPU 0 · NVIDIA H100",
                                               "works for",
                                               "stream 7 compute",
                                               "stream 20 communication",
                                               "stream 24 copy",
                                               "memory",
                                               "launch queue"};
    QCOMPARE(titles(*trace, layoutOf(*trace)), expected);
}

void TstLaneLayout::blocksFollowEachOtherWithoutGaps()
{
    const auto trace = training();
    const LaneLayout layout = layoutOf(*trace);
    int y = 0;
    for (const Block &block : layout.blocks()) {
        QCOMPARE(block.y, y);
        QVERIFY(block.height > 0);
        y += block.height;
    }
    QCOMPARE(layout.height(), y);
    for (std::size_t r = 0; r < trace->rows().size(); ++r) {
        const RowPlace place = layout.placeOf(*trace, static_cast<RowId>(r));
        if (place.shown == RowPlace::Shown::No)
            continue;
        const Block &block = layout.blocks()[layout.blockOf(trace->rows()[r].lane)];
        QVERIFY(place.y >= block.y && place.y + place.height <= block.y + block.height);
    }
}

void TstLaneLayout::findsBlocksByY()
{
    const auto trace = training();
    const LaneLayout layout = layoutOf(*trace);
    for (int y = 0; y < layout.height(); ++y) {
        const Block &block = layout.blocks()[layout.blockAt(y)];
        QVERIFY(y >= block.y && y < block.y + block.height);
    }
    QCOMPARE(layout.blockAt(-1), LaneLayout::kNone);
    QCOMPARE(layout.blockAt(layout.height()), LaneLayout::kNone);
}

void TstLaneLayout::pythonIsFoldedToAStripOfItsOwn()
{
    const auto trace = training();
    const LaneLayout layout = layoutOf(*trace);
    const Block &main = layout.blocks()[blockWithRole(*trace, layout, LaneRole::MainThread)];
    QCOMPARE(main.shownWork, main.workRows());
    QCOMPARE(main.pythonRows(), 2U);
    QCOMPARE(main.shownPython, 0U);
    QCOMPARE(main.height, 2 * kLanePadding + static_cast<int>(main.workRows() + 1) * kRowPitch);
    for (RowId r = main.firstPython; r < main.endPython; r = advance(r, 1)) {
        const RowPlace place = layout.placeOf(*trace, r);
        QCOMPARE(place.shown, RowPlace::Shown::Strip);
        QVERIFY(place.y >= main.pythonY());
    }
}

void TstLaneLayout::unfoldingPythonLeavesOperatorsInPlace()
{
    const auto trace = training();
    const LaneLayout before = layoutOf(*trace);
    const std::size_t at = blockWithRole(*trace, before, LaneRole::MainThread);
    const Block main = before.blocks()[at];
    LaneArrangement folds;
    folds.python.insert(main.lane);
    const LaneLayout after = layoutOf(*trace, folds);
    for (RowId r = main.firstWork; r < main.endWork; r = advance(r, 1))
        QCOMPARE(after.placeOf(*trace, r).y, before.placeOf(*trace, r).y);
    for (RowId r = main.firstPython; r < main.endPython; r = advance(r, 1))
        QCOMPARE(after.placeOf(*trace, r).shown, RowPlace::Shown::Itself);
    QCOMPARE(after.height(), before.height() + kRowPitch);
}

void TstLaneLayout::aFoldedLaneIsOneStrip()
{
    const auto trace = training();
    LaneArrangement folds;
    const LaneLayout open = layoutOf(*trace);
    const Block main = open.blocks()[blockWithRole(*trace, open, LaneRole::MainThread)];
    folds.lanes.insert(main.lane);
    const LaneLayout layout = layoutOf(*trace, folds);
    const Block &folded = layout.blocks()[layout.blockOf(main.lane)];
    QCOMPARE(folded.height, 2 * kLanePadding + kRowPitch);
    std::set<int> ys;
    for (RowId r = main.firstWork; r < main.endWork; r = advance(r, 1)) {
        const RowPlace place = layout.placeOf(*trace, r);
        QCOMPARE(place.shown, RowPlace::Shown::Strip);
        QVERIFY(ys.insert(place.y).second);
    }
}

void TstLaneLayout::aFoldedGroupIsItsHeading()
{
    const auto trace = training();
    LaneArrangement folds;
    folds.groups.insert(0);
    const LaneLayout layout = layoutOf(*trace, folds);
    QCOMPARE(layout.blocks()[1].kind, BlockKind::Heading);
    const LaneLayout open = layoutOf(*trace);
    const LaneId main = open.blocks()[blockWithRole(*trace, open, LaneRole::MainThread)].lane;
    QCOMPARE(layout.blockOf(main), LaneLayout::kNone);
    const RowPlace place = layout.placeOf(*trace, trace->lane(main).firstRow);
    QCOMPARE(place.shown, RowPlace::Shown::Heading);
    QVERIFY(place.y < kHeadingHeight);
}

void TstLaneLayout::deepLanesAreCappedAndSayIt()
{
    RowTrace rows;
    rows.process("1").lane(LaneKind::Cpu, LaneRole::MainThread, "1");
    for (int i = 0; i < 1000; ++i) {
        rows.row();
        rows.event("recursive", EventKind::Operator, i, 3000 - 2 * i);
    }
    const auto trace = rows.build();
    const LaneLayout layout = layoutOf(*trace);
    const Block &block = layout.blocks()[1];
    QCOMPARE(block.shownWork, kMaxRows);
    QCOMPARE(block.hiddenRows(), 1000 - kMaxRows);
    QCOMPARE(layout.placeOf(*trace, RowId{999}).shown, RowPlace::Shown::Capped);
    QCOMPARE(layout.placeOf(*trace, RowId{999}).y, layout.placeOf(*trace, RowId{kMaxRows - 1}).y);
    LaneArrangement folds;
    folds.fullDepth.insert(LaneId{0});
    QCOMPARE(layoutOf(*trace, folds).placeOf(*trace, RowId{999}).shown, RowPlace::Shown::Itself);
}

void TstLaneLayout::scaffoldingGetsNoLanes()
{
    RowTrace rows;
    rows.process("Spans").lane(LaneKind::Other, LaneRole::Scaffolding, "PyTorch Profiler").row();
    rows.event("PyTorch Profiler (0)", EventKind::Span, 0, 100);
    rows.process("1").lane(LaneKind::Cpu, LaneRole::Overhead, "-1").row();
    rows.event("overhead", EventKind::Overhead, 0, 10);
    rows.lane(LaneKind::Cpu, LaneRole::MainThread, "1").row();
    rows.event("x", EventKind::Operator, 0, 100);
    const auto trace = rows.build();
    const LaneLayout layout = layoutOf(*trace);
    const std::vector<std::string> expected = {"# 1", "main thread", "# profiler", "profiler overhead"};
    QCOMPARE(titles(*trace, layout), expected);
    QCOMPARE(layout.placeOf(*trace, RowId{0}).shown, RowPlace::Shown::No);
}

void TstLaneLayout::longListsOfThreadsStartFolded()
{
    RowTrace rows;
    rows.process("1");
    for (int i = 0; i < 20; ++i) {
        rows.lane(LaneKind::Cpu, i == 0 ? LaneRole::MainThread : LaneRole::Thread, std::to_string(i)).row();
        for (int e = 0; e < (i == 5 ? 100 : 1); ++e)
            rows.event("x", EventKind::Operator, e * 20, 10);
    }
    const auto trace = rows.build();
    const LaneArrangement folds = defaultArrangement(*trace, ViewIndex(*trace));
    QCOMPARE(folds.lanes.size(), std::size_t{18});
    QVERIFY(!folds.lanes.contains(LaneId{0})); // the main thread
    QVERIFY(!folds.lanes.contains(LaneId{5})); // the one that does most
}

void TstLaneLayout::measuresTheBusyTimeOfDevicesAsAUnion()
{
    const auto trace = training();
    const ViewIndex index(*trace);
    // copy 100-110, gemm 120-180, all-reduce 200-250 us
    QCOMPARE(index.groups()[1].busy.within(trace->range()), TimeNs{120'000});
    QCOMPARE(index.groups()[1].busy.within({105'000, 130'000}), TimeNs{15'000});
    const BusyTime busy({{0, 10}, {5, 20}, {20, 25}, {40, 50}, {30, 30}});
    QCOMPARE(busy.ranges().size(), std::size_t{2});
    QCOMPARE(busy.within({-100, 100}), TimeNs{35});
    QCOMPARE(busy.within({24, 41}), TimeNs{2});
    QCOMPARE(busy.within({30, 35}), TimeNs{0});
}

void TstLaneLayout::holdsAHundredThousandLanes()
{
    RowTrace rows;
    rows.process("1");
    const NameId name = internName("x");
    for (int i = 0; i < 100'000; ++i) {
        rows.lane(LaneKind::Cpu, LaneRole::Thread, std::to_string(i)).row();
        rows.event(name, EventKind::Operator, i, 10);
    }
    const auto trace = rows.build();
    const auto index = std::make_shared<const ViewIndex>(*trace);
    QElapsedTimer timer;
    timer.start();
    const LaneLayout layout(*trace, index, {});
    QVERIFY2(timer.elapsed() < 1000, "layout of 100,000 lanes is slow");
    QCOMPARE(layout.blocks().size(), std::size_t{100'001});
    timer.restart();
    for (int i = 0; i < 100'000; ++i)
        QVERIFY(layout.blockAt(i * 20) != LaneLayout::kNone);
    QVERIFY2(timer.elapsed() < 500, "finding lanes is slow");
}

void TstLaneLayout::pinnedLanesComeFirstAndOnce()
{
    const auto trace = twoProcesses();
    LaneArrangement lanes;
    const LaneLayout plain = layoutOf(*trace, lanes);
    lanes.pinned = {LaneId{2}, LaneId{0}};
    const LaneLayout layout = layoutOf(*trace, lanes);
    QCOMPARE(layout.blocks()[0].lane, LaneId{2});
    QCOMPARE(layout.blocks()[1].lane, LaneId{0});
    QVERIFY(layout.blocks()[0].pinned && layout.blocks()[1].pinned);
    QCOMPARE(layout.pinnedHeight(), layout.blocks()[1].y + layout.blocks()[1].height);
    QCOMPARE(layout.height(), plain.height()); // moved, not copied
    for (std::size_t i = 2; i < layout.blocks().size(); ++i)
        QVERIFY(layout.blocks()[i].lane != LaneId{0} && layout.blocks()[i].lane != LaneId{2});
    QCOMPARE(layout.blockOf(LaneId{0}), std::size_t{1});
}

void TstLaneLayout::hiddenLanesHaveNoPlace()
{
    const auto trace = twoProcesses();
    LaneArrangement lanes;
    lanes.hidden.insert(LaneId{1});
    const LaneLayout layout = layoutOf(*trace, lanes);
    QCOMPARE(layout.blockOf(LaneId{1}), LaneLayout::kNone);
    QVERIFY(layout.blockOf(LaneId{0}) != LaneLayout::kNone);
}

void TstLaneLayout::lanesThatAreLeftOutTakeTheirHeadingAlong()
{
    const auto trace = twoProcesses();
    LaneArrangement lanes;
    lanes.only = std::set<LaneId>{LaneId{2}};
    const LaneLayout layout = layoutOf(*trace, lanes);
    QCOMPARE(layout.blocks().size(), std::size_t{2}); // one heading, one lane
    QCOMPARE(layout.blocks()[1].lane, LaneId{2});
}

void TstLaneLayout::movedLanesStandInTheirOrder()
{
    const auto trace = twoProcesses();
    const ViewIndex viewIndex(*trace);
    std::uint32_t group = 0;
    while (viewIndex.groups()[group].lanes.size() < 2)
        ++group;
    std::vector<LaneId> order = viewIndex.groups()[group].lanes;
    std::reverse(order.begin(), order.end());
    LaneArrangement lanes;
    lanes.order[group] = order;
    const LaneLayout layout = layoutOf(*trace, lanes);
    std::vector<LaneId> found;
    for (const Block &block : layout.blocks()) {
        if (block.kind == BlockKind::Lane && block.group == group)
            found.push_back(block.lane);
    }
    QVERIFY(found == order);
    lanes.order[group] = {order.front()}; // not a permutation: of an older arrangement
    QVERIFY(lanesInOrder(viewIndex, group, lanes) == viewIndex.groups()[group].lanes);
}

void TstLaneLayout::rowsHaveTheirPitch()
{
    const auto trace = twoProcesses();
    for (const int pitch : {1, 2, 4, 18, 30, 1000}) {
        LaneArrangement lanes;
        lanes.pitch[LaneId{0}] = pitch;
        const LaneLayout layout = layoutOf(*trace, lanes);
        const Block &block = layout.blocks()[layout.blockOf(LaneId{0})];
        QCOMPARE(block.pitch, std::clamp(pitch, kLeastPitch, kGreatestPitch));
        QCOMPARE(block.height, 2 * kLanePadding + static_cast<int>(block.shownWork) * block.pitch);
        for (std::uint32_t i = 0; i < block.shownWork; ++i) {
            const RowPlace place = layout.placeOf(*trace, advance(block.firstWork, i));
            QCOMPARE(place.y, block.workY() + static_cast<int>(i) * block.pitch);
            QVERIFY(place.height >= 1 && place.height <= block.pitch);
        }
    }
}

QTEST_APPLESS_MAIN(TstLaneLayout)
#include "tst_lane_layout.moc"
