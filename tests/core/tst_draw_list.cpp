// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/draw_list.h"
#include "tests/support/row_trace.h"
#include "tests/support/trace_maker.h"

#include <QTest>

#include <cmath>
#include <map>
#include <random>
#include <set>

using namespace ks;

namespace {

constexpr int kSeeds = 4000;
constexpr int kSeedsTogether = 250;
constexpr int kZooms = 12;

// What stands where in a row, by the definition and without any skipping.
struct Naive
{
    std::map<EventId, std::pair<double, double>> boxes;
    std::map<std::uint32_t, std::set<EventId>> cells;
};

Naive naive(const Trace &trace, const Row &row, const Viewport &view, double dpr)
{
    Naive result;
    const double columns = std::ceil(view.width() * dpr);
    for (EventId id = row.firstEvent; id < row.endEvent; id = advance(id, 1)) {
        const double x0 = view.xOf(trace.begin(id));
        const double x1 = view.xOf(trace.end(id));
        const double column = std::floor(x0 * dpr);
        if (static_cast<double>(trace.duration(id)) >= view.nsPerPixel() / dpr) {
            if (x1 > 0 && column < columns)
                result.boxes[id] = {x0, x1};
        } else if (column >= 0 && column < columns) {
            result.cells[static_cast<std::uint32_t>(column)].insert(id);
        }
    }
    return result;
}

void compare(const Trace &trace, const Viewport &view, const LaneLayout &layout, double dpr)
{
    DrawOptions options;
    options.dpr = dpr;
    const DrawList list = buildDrawList(trace, view, layout, 0, layout.height(), options);
    std::set<RowId> seen;
    int y = -1;
    for (const DrawRow &row : list.rows) {
        QVERIFY(row.y > y); // rows never overlap
        y = row.y + row.height - 1;
        seen.insert(row.row);
        Naive expected = naive(trace, trace.row(row.row), view, dpr);
        float lastX = -1e9F;
        for (std::uint32_t i = row.firstBox; i < row.endBox; ++i) {
            const Box &box = list.boxes[i];
            QVERIFY(box.x0 >= lastX);
            lastX = box.x0;
            const auto found = expected.boxes.find(box.event);
            QVERIFY(found != expected.boxes.end());
            QVERIFY(box.x0 >= -4.01F && box.x1 <= static_cast<float>(view.width()) + 4.01F);
            QVERIFY(std::abs(box.x0 - std::max(found->second.first, -4.0)) < 0.01);
            QVERIFY(std::abs(box.x1 - std::min(found->second.second, view.width() + 4)) < 0.01);
            expected.boxes.erase(found);
        }
        QVERIFY(expected.boxes.empty());
        for (std::uint32_t i = row.firstCell; i < row.endCell; ++i) {
            const Cell &cell = list.cells[i];
            const auto found = expected.cells.find(cell.column);
            QVERIFY(found != expected.cells.end());
            std::set<EventId> events;
            TimeNs busy = 0;
            const auto [first, end] = eventsOf(trace, list, row, cell);
            for (EventId id = first; id < end; id = advance(id, 1)) {
                events.insert(id);
                busy += trace.duration(id);
            }
            QCOMPARE(events.size(), found->second.size());
            QVERIFY(events == found->second);
            if (events.size() <= 12) { // exact while every event is looked at
                const double share = std::min(1.0, static_cast<double>(busy) / (view.nsPerPixel() / dpr));
                QVERIFY(std::abs(cell.busy / 255.0 - share) <= 1.01 / 255);
            }
            expected.cells.erase(found);
        }
        QVERIFY(expected.cells.empty());
    }
    // Rows without a place of their own aside, every row is drawn.
    for (std::size_t r = 0; r < trace.rows().size(); ++r) {
        if (layout.placeOf(trace, static_cast<RowId>(r)).shown == RowPlace::Shown::Itself)
            QVERIFY(seen.contains(static_cast<RowId>(r)));
    }
}

LaneLayout layoutOf(const Trace &trace, const LaneArrangement &folds = {})
{
    return LaneLayout(trace, std::make_shared<const ViewIndex>(trace), folds);
}

} // namespace

class TstDrawList : public QObject
{
    Q_OBJECT
private slots:
    void holdsEveryEventInExactlyOneBoxOrCell_data();
    void holdsEveryEventInExactlyOneBoxOrCell();
    void looksOnlyAtRowsInView();
    void dimsWhatTheFilterDoesNotMatch();
    void takesTheColourOfTheLongestEventOfACell();
    void drawsMemoryAsExtremesPerColumn();
    void drawsNothingOfAnEmptyTrace();
    void survivesTheEndsOfTime();
    void costDependsOnPixelsNotOnEvents();
    void twoThreadsDecideTheSame();
    void deviceWorkWithoutALaunchIsMarked();
};

void TstDrawList::holdsEveryEventInExactlyOneBoxOrCell_data()
{
    QTest::addColumn<int>("from");
    for (int from = 0; from < kSeeds; from += kSeedsTogether)
        QTest::addRow("seeds from %d", from) << from;
}

void TstDrawList::holdsEveryEventInExactlyOneBoxOrCell()
{
    QFETCH(int, from);
    for (int seed = from; seed < from + kSeedsTogether; ++seed) {
        std::mt19937_64 random(static_cast<std::uint64_t>(seed));
        RandomRows options;
        options.events = seed % 50 == 0 ? 400 : 20 + seed % 60;
        options.longestGap = std::array<TimeNs, 4>{0, 3, 500, 100'000}[static_cast<std::size_t>(seed % 4)];
        options.longestEvent = std::array<TimeNs, 3>{2, 1000, 50'000}[static_cast<std::size_t>(seed % 3)];
        options.zeroShare = seed % 5 == 0 ? 0.9 : 0.1;
        const auto trace = randomRowTrace(random, options);
        LaneArrangement folds;
        if (seed % 2)
            folds.lanes.insert(LaneId{1});
        const LaneLayout layout = layoutOf(*trace, folds);
        const TimeRange whole = trace->range();
        for (int zoom = 0; zoom < kZooms; ++zoom) { // from all of it to a 6000th
            const double width = zoom % 3 == 0 ? 640 : 333.5;
            Viewport view(whole, whole, width);
            std::uniform_real_distribution<double> at(0, width);
            view.zoomAt(at(random), std::pow(2.2, zoom));
            view.panBy(at(random) / 3 - width / 6);
            compare(*trace, view, layout, zoom % 4 == 1 ? 2 : zoom % 4 == 3 ? 1.5 : 1);
            if (QTest::currentTestFailed()) {
                qWarning("seed %d, zoom %d", seed, zoom);
                return;
            }
        }
    }
}

void TstDrawList::looksOnlyAtRowsInView()
{
    std::mt19937_64 random(1);
    RandomRows options;
    options.rows = 30;
    options.events = 20;
    const auto trace = randomRowTrace(random, options);
    const LaneLayout layout = layoutOf(*trace);
    const Viewport view(trace->range(), trace->range(), 500);
    const int top = layout.blocks()[1].workY() + 5 * kRowPitch;
    const DrawList list = buildDrawList(*trace, view, layout, top, top + 3 * kRowPitch);
    QCOMPARE(list.rows.size(), std::size_t{3});
    QCOMPARE(list.rows.front().y, top);
}

void TstDrawList::dimsWhatTheFilterDoesNotMatch()
{
    RowTrace rows;
    rows.process("1").lane(LaneKind::Cpu, LaneRole::MainThread, "1").row();
    for (int i = 0; i < 200; ++i)
        rows.event("x", EventKind::Operator, i * 10, 5);
    const auto trace = rows.build();
    const LaneLayout layout = layoutOf(*trace);
    std::vector<std::uint64_t> bits(4);
    bits[1] = 1; // event 64 alone
    DrawOptions options;
    options.matching = bits;
    // 200 events over 2000 ns: as boxes, then as cells of 200 ns (20 events each).
    const DrawList boxes = buildDrawList(*trace, Viewport({0, 2000}, {0, 2000}, 1000), layout, 0, 100, options);
    QCOMPARE(boxes.boxes.size(), std::size_t{200});
    for (const Box &box : boxes.boxes)
        QCOMPARE(box.dim, box.event != EventId{64});
    const DrawList cells = buildDrawList(*trace, Viewport({0, 2000}, {0, 2000}, 10), layout, 0, 100, options);
    QCOMPARE(cells.cells.size(), std::size_t{10});
    for (const Cell &cell : cells.cells)
        QCOMPARE(cell.dim, cell.column != 3);
}

void TstDrawList::takesTheColourOfTheLongestEventOfACell()
{
    RowTrace rows;
    rows.process("0").lane(LaneKind::Gpu, LaneRole::ComputeStream, "7").row();
    rows.event("elementwise_kernel", EventKind::Kernel, 0, 10);
    rows.event("ampere_sgemm", EventKind::Kernel, 10, 30);
    rows.event("elementwise_kernel", EventKind::Kernel, 40, 10);
    rows.event("elementwise_kernel", EventKind::Kernel, 10'000, 10);
    const auto trace = rows.build();
    const DrawList list = buildDrawList(*trace, Viewport({0, 10'010}, {0, 10'000}, 100), layoutOf(*trace), 0, 100);
    QCOMPARE(list.cells.front().colour, familyKey(KernelFamily::Gemm));
    const auto [first, end] = eventsOf(*trace, list, list.rows.front(), list.cells.front());
    QCOMPARE(first, EventId{0});
    QCOMPARE(end, EventId{3});
}

void TstDrawList::drawsMemoryAsExtremesPerColumn()
{
    RowTrace rows;
    rows.process("1").lane(LaneKind::Cpu, LaneRole::MainThread, "1").row();
    rows.event("x", EventKind::Operator, 0, 1000);
    std::mt19937_64 random(3);
    TimeNs t = 5;
    for (int i = 0; i < 5000; ++i) {
        MemoryRecord record;
        record.time = t;
        record.totalAllocated = static_cast<std::int64_t>(random() % 1000);
        record.deviceId = -1;
        rows.data().memory.push_back(record);
        t += static_cast<TimeNs>(random() % 3);
    }
    const auto trace = rows.build();
    const LaneLayout layout = layoutOf(*trace);
    for (const TimeRange range : {TimeRange{0, t}, TimeRange{100, 400}, TimeRange{1000, 1040}}) {
        const Viewport view({0, t}, range, 200);
        const DrawList list = buildDrawList(*trace, view, layout, 0, layout.height());
        QCOMPARE(list.bands.size(), std::size_t{1});
        const Band &band = list.bands.front();
        for (std::uint32_t i = band.first; i < band.end; ++i) {
            const double column = band.firstColumn + (i - band.first);
            Extremes expected{1e300, -1e300};
            double held = -1;
            const auto take = [&expected](double v) {
                expected.least = std::min(expected.least, v);
                expected.greatest = std::max(expected.greatest, v);
            };
            for (const MemoryRecord &record : trace->memory()) {
                const double at = std::floor(view.xOf(record.time));
                if (at < column)
                    held = static_cast<double>(record.totalAllocated);
                else if (at == column)
                    take(static_cast<double>(record.totalAllocated));
            }
            if (held >= 0)
                take(held);
            QCOMPARE(list.bandColumns[i].least, expected.least);
            QCOMPARE(list.bandColumns[i].greatest, expected.greatest);
        }
    }
}

void TstDrawList::drawsNothingOfAnEmptyTrace()
{
    const auto trace = RowTrace().build();
    const LaneLayout layout = layoutOf(*trace);
    const DrawList list = buildDrawList(*trace, Viewport({0, 0}, {0, 0}, 100), layout, 0, 1000);
    QVERIFY(list.rows.empty());
}

void TstDrawList::survivesTheEndsOfTime()
{
    RowTrace rows;
    rows.process("1").lane(LaneKind::Cpu, LaneRole::MainThread, "1").row();
    rows.event("first", EventKind::Operator, kMinTime, 10);
    rows.event("middle", EventKind::Operator, -5, 10);
    rows.event("last", EventKind::Operator, kMaxTime - 10, 10);
    const auto trace = rows.build();
    const LaneLayout layout = layoutOf(*trace);
    for (const TimeRange range :
         {TimeRange{kMinTime, kMaxTime}, TimeRange{kMinTime, kMinTime + 50}, TimeRange{kMaxTime - 50, kMaxTime}}) {
        const DrawList list = buildDrawList(*trace, Viewport(trace->range(), range, 300), layout, 0, 100);
        QVERIFY(!list.boxes.empty() || !list.cells.empty());
    }
}

void TstDrawList::deviceWorkWithoutALaunchIsMarked()
{
    const auto marked = [](const Trace &trace) {
        std::set<std::string> names;
        const DrawList list =
            buildDrawList(trace, Viewport(trace.range(), trace.range(), 1000), layoutOf(trace), 0, 1000);
        for (const Box &box : list.boxes) {
            if (box.unlaunched)
                names.insert(std::string(trace.name(box.event)));
        }
        return names;
    };
    TraceMaker maker;
    maker.thread(1).op("aten::mm", 0, 100).launch("cudaLaunchKernel", 10, 5, 1);
    maker.kernel("launched", 50, 100, 7, 1).kernel("found", 200, 100, 7, 2);
    QCOMPARE(marked(*maker.build()), std::set<std::string>{"found"});
    // Where the file has no launches at all, it is nothing to tell.
    QVERIFY(marked(*TraceMaker().kernel("found", 200, 100, 7, 2).build()).empty());
}

void TstDrawList::twoThreadsDecideTheSame()
{
    for (unsigned seed = 0; seed < 20; ++seed) {
        std::mt19937_64 random(seed);
        RowTrace rows;
        rows.process("1");
        LaneArrangement lanes;
        for (int lane = 0; lane < 40; ++lane) {
            rows.lane(LaneKind::Cpu, LaneRole::Thread, std::to_string(lane));
            for (std::uint64_t row = 0, count = 1 + random() % 16; row < count; ++row) {
                rows.row();
                for (TimeNs time = static_cast<TimeNs>(random() % 50); time < 4000;) {
                    const auto length = static_cast<TimeNs>(1 + random() % 60);
                    rows.event("e" + std::to_string(random() % 9), EventKind::Operator, time, length);
                    time += length + static_cast<TimeNs>(random() % 90);
                }
            }
        }
        const auto trace = rows.build();
        const auto index = std::make_shared<const ViewIndex>(*trace);
        for (std::size_t lane = 0; lane < trace->lanes().size(); ++lane)
            lanes.pitch[static_cast<LaneId>(lane)] = 2;
        const LaneLayout layout(*trace, index, lanes);
        const Viewport view({0, 4000}, {0, 4000}, 300 + static_cast<int>(random() % 900));
        DrawOptions options;
        options.pinned = static_cast<int>(random() % 2) * 30;
        const int top = static_cast<int>(random() % 60);
        options.workers = 1;
        const DrawList one = buildDrawList(*trace, view, layout, top, layout.height(), options);
        options.workers = 2;
        const DrawList two = buildDrawList(*trace, view, layout, top, layout.height(), options);
        QVERIFY(one.rows.size() > 160);
        QCOMPARE(two.rows.size(), one.rows.size());
        QCOMPARE(two.boxes.size(), one.boxes.size());
        QCOMPARE(two.cells.size(), one.cells.size());
        for (std::size_t i = 0; i < one.rows.size(); ++i) {
            const DrawRow &a = one.rows[i];
            const DrawRow &b = two.rows[i];
            QVERIFY(a.y == b.y && a.row == b.row && a.firstBox == b.firstBox && a.endBox == b.endBox
                    && a.firstCell == b.firstCell && a.endCell == b.endCell);
        }
        for (std::size_t i = 0; i < one.boxes.size(); ++i)
            QVERIFY(one.boxes[i].event == two.boxes[i].event && one.boxes[i].x0 == two.boxes[i].x0
                    && one.boxes[i].x1 == two.boxes[i].x1 && one.boxes[i].colour == two.boxes[i].colour);
        for (std::size_t i = 0; i < one.cells.size(); ++i)
            QVERIFY(one.cells[i].first == two.cells[i].first && one.cells[i].column == two.cells[i].column
                    && one.cells[i].colour == two.cells[i].colour && one.cells[i].busy == two.cells[i].busy);
        QVERIFY(one.borders == two.borders);
    }
}

void TstDrawList::costDependsOnPixelsNotOnEvents()
{
    std::mt19937_64 random(1);
    RandomRows options;
    options.lanes = 1;
    options.rows = 1;
    options.events = 300'000;
    const auto trace = randomRowTrace(random, options);
    const DrawList list =
        buildDrawList(*trace, Viewport(trace->range(), trace->range(), 500), layoutOf(*trace), 0, 100);
    QVERIFY(list.cells.size() + list.boxes.size() <= 1001);
}

QTEST_APPLESS_MAIN(TstDrawList)
#include "tst_draw_list.moc"
