// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/hit_test.h"
#include "tests/support/row_trace.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace ks;

namespace {

struct Picture
{
    std::shared_ptr<const Trace> trace;
    LaneLayout layout;
    Viewport view;
    DrawList list;

    Picture(std::shared_ptr<const Trace> t, TimeRange range, double width, LaneArrangement folds = {})
        : trace(std::move(t))
        , layout(*trace, std::make_shared<const ViewIndex>(*trace), folds)
        , view({range.begin - 1'000'000, range.end + 1'000'000}, range, width)
        , list(buildDrawList(*trace, view, layout, 0, layout.height()))
    {}
    Hit at(double x, int y) const { return hitTest(*trace, list, layout, x, y); }
};

// Row of: box 0-400, gap, a zero-length event at 500, box 600-900.
std::shared_ptr<const Trace> oneRow()
{
    RowTrace rows;
    rows.process("1").lane(LaneKind::Cpu, LaneRole::MainThread, "1").row();
    rows.event("a", EventKind::Operator, 0, 400);
    rows.event("zero", EventKind::Operator, 500, 0);
    rows.event("b", EventKind::Operator, 600, 300);
    rows.row();
    rows.event("c", EventKind::Operator, 10, 100);
    Instant instant;
    instant.time = 950;
    instant.lane = LaneId{0};
    rows.data().instants.push_back(instant);
    return rows.build();
}

} // namespace

class TstHitTest : public QObject
{
    Q_OBJECT
private slots:
    void findsTheBoxUnderThePoint();
    void findsThinEventsBeside();
    void tellsRunsFromEvents();
    void tellsHeadingsLanesAndNothing();
    void findsInstants();
    void everyEventIsHitWhereItIsDrawn_data();
    void everyEventIsHitWhereItIsDrawn();
    void factsOfARunAreExact();
    void snapsToEdges();
};

void TstHitTest::findsTheBoxUnderThePoint()
{
    const Picture picture(oneRow(), {0, 1000}, 1000);
    const int y = picture.layout.blocks()[1].workY() + 5;
    QCOMPARE(picture.at(200, y).kind, Hit::Kind::Event);
    QCOMPARE(picture.at(200, y).first, EventId{0});
    QCOMPARE(picture.at(700, y).first, EventId{2});
    QCOMPARE(picture.at(50, y + kRowPitch).first, EventId{3});
    QCOMPARE(picture.at(450, y).kind, Hit::Kind::Lane);
    QCOMPARE(picture.at(404, y).kind, Hit::Kind::Lane); // a wide box has no halo
}

void TstHitTest::findsThinEventsBeside()
{
    const Picture picture(oneRow(), {0, 1000}, 1000);
    const int y = picture.layout.blocks()[1].workY() + 5;
    for (const double x : {498.5, 500.0, 500.9, 502.5})
        QCOMPARE(picture.at(x, y).first, EventId{1});
    QCOMPARE(picture.at(504, y).kind, Hit::Kind::Lane);
}

void TstHitTest::tellsRunsFromEvents()
{
    RowTrace rows;
    rows.process("1").lane(LaneKind::Cpu, LaneRole::MainThread, "1").row();
    for (int i = 0; i < 1000; ++i)
        rows.event("x", EventKind::Operator, i * 10, 5);
    const Picture picture(rows.build(), {0, 10'000}, 100);
    const Hit hit = picture.at(50.5, picture.layout.blocks()[1].workY() + 5);
    QCOMPARE(hit.kind, Hit::Kind::Run);
    QCOMPARE(hit.first, EventId{500});
    QCOMPARE(hit.end, EventId{510});
}

void TstHitTest::tellsHeadingsLanesAndNothing()
{
    const Picture picture(oneRow(), {0, 1000}, 1000);
    QCOMPARE(picture.at(100, 5).kind, Hit::Kind::Heading);
    QCOMPARE(picture.at(100, -5).kind, Hit::Kind::Nothing);
    QCOMPARE(picture.at(100, picture.layout.height() + 5).kind, Hit::Kind::Nothing);
    QCOMPARE(picture.at(980, picture.layout.blocks()[1].workY() + kRowPitch + 5).kind, Hit::Kind::Lane);
}

void TstHitTest::findsInstants()
{
    const Picture picture(oneRow(), {0, 1000}, 1000);
    const Hit hit = picture.at(951, picture.layout.blocks()[1].y + 2);
    QCOMPARE(hit.kind, Hit::Kind::Instant);
    QCOMPARE(hit.instant, 0U);
}

void TstHitTest::everyEventIsHitWhereItIsDrawn_data()
{
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 20; ++seed)
        QTest::addRow("seed %d", seed) << seed;
}

void TstHitTest::everyEventIsHitWhereItIsDrawn()
{
    QFETCH(int, seed);
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    RandomRows options;
    options.longestGap = seed % 2 ? 3 : 3000;
    const auto trace = randomRowTrace(random, options);
    LaneArrangement folds;
    if (seed % 3 == 0)
        folds.lanes.insert(LaneId{0});
    const Picture picture(trace, trace->range(), 700, folds);
    for (std::size_t i = 0; i < trace->eventCount(); ++i) {
        const auto id = static_cast<EventId>(i);
        const EventPlace place = placeOf(*trace, picture.view, picture.layout, id);
        if (place.shown != RowPlace::Shown::Itself && place.shown != RowPlace::Shown::Strip)
            continue;
        if (place.x0 >= picture.view.width())
            continue; // begins with the first moment out of view
        // The column in which it begins, or the middle of its box.
        const bool isBox = picture.view.widthOf(trace->duration(id)) >= 1;
        const double x = isBox ? (place.x0 + place.x1) / 2 : std::floor(place.x0) + 0.5;
        const Hit hit = picture.at(x, place.y + place.height / 2);
        if (isBox && hit.kind == Hit::Kind::Run)
            continue; // a run of the same column lies above the end of the box
        QVERIFY(hit.kind == Hit::Kind::Event || hit.kind == Hit::Kind::Run);
        QVERIFY(hit.row == trace->row(id));
        if (!isBox)
            QVERIFY(hit.first <= id && id < hit.end);
    }
}

void TstHitTest::factsOfARunAreExact()
{
    RowTrace rows;
    rows.process("1").lane(LaneKind::Cpu, LaneRole::MainThread, "1").row();
    for (int i = 0; i < 100; ++i)
        rows.event("x", EventKind::Operator, i * 10, i == 40 || i == 60 ? 9 : 5);
    const auto trace = rows.build();
    const DurationBlocks durations(*trace);
    const RunFacts facts = runFacts(*trace, durations, EventId{10}, EventId{70});
    QCOMPARE(facts.count, std::size_t{60});
    QCOMPARE(facts.longest, EventId{40});
    QCOMPARE(facts.busy, TimeNs{58 * 5 + 2 * 9});
    QCOMPARE(facts.range, (TimeRange{100, 695}));
    QCOMPARE(runFacts(*trace, durations, EventId{5}, EventId{5}).longest, kNoEvent);
}

void TstHitTest::snapsToEdges()
{
    const Picture picture(oneRow(), {0, 1000}, 1000);
    const int y = picture.layout.blocks()[1].workY() + 5;
    QCOMPARE(edgeNear(*picture.trace, picture.list, 397, y), std::optional<TimeNs>(400));
    QCOMPARE(edgeNear(*picture.trace, picture.list, 604, y), std::optional<TimeNs>(600));
    QVERIFY(!edgeNear(*picture.trace, picture.list, 300, y));
    QVERIFY(!edgeNear(*picture.trace, picture.list, 300, -50));
}

QTEST_APPLESS_MAIN(TstHitTest)
#include "tst_hit_test.moc"
