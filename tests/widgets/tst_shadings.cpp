// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/row_trace.h"
#include "widgets/timeline/shadings.h"

#include <QSignalSpy>
#include <QTest>

using namespace ks;

namespace {

struct Bench
{
    TraceSet traces;
    TrackList tracks;
    std::vector<RowId> onScreen{RowId{0}};
    Shadings shadings{tracks, [this](const Track &) { return onScreen; }};

    explicit Bench(int events)
    {
        std::mt19937_64 random(1);
        RandomRows options;
        options.lanes = 1;
        options.rows = 2;
        options.events = events;
        traces.add(randomRowTrace(random, options));
        tracks.sync(traces);
        shadings.sync();
    }
    const Shading &shown() const { return *shadings.shown().front(); }
    Matching everySecond() const
    {
        return std::make_shared<const std::vector<std::uint64_t>>(traces.at(0).eventCount() / 64 + 1,
                                                                  0x5555555555555555U);
    }
};

} // namespace

class TstShadings : public QObject
{
    Q_OBJECT
private slots:
    void smallTracesAreReadyAtOnce()
    {
        Bench bench(100);
        QVERIFY(!bench.shadings.isWorking());
        bench.shadings.setMode(ColourMode::Name);
        QCOMPARE(bench.shown().colours->mode(), ColourMode::Name);
        bench.shadings.setMatching(0, bench.everySecond());
        QVERIFY(bench.shown().matching != nullptr);
    }

    void rowsOnScreenComeFirst()
    {
        Bench bench(5000);
        QVERIFY(bench.shadings.isWorking());
        QVERIFY(!bench.shown().levels->row(RowId{0}));
        QSignalSpy changed(&bench.shadings, &Shadings::changed);
        QVERIFY(changed.wait());
        QVERIFY(bench.shown().levels->row(RowId{0}));
        QVERIFY(!bench.shown().levels->row(RowId{1}));
        QTRY_VERIFY(bench.shown().levels->row(RowId{1}));
        QVERIFY(!bench.shadings.isWorking());
    }

    void theOldPictureStaysUntilTheNewIsThere()
    {
        Bench bench(5000);
        QTRY_VERIFY(!bench.shadings.isWorking());
        const auto before = bench.shadings.shown().front();
        bench.shadings.setMode(ColourMode::Module);
        QCOMPARE(bench.shadings.shown().front(), before);
        QTRY_COMPARE(bench.shown().colours->mode(), ColourMode::Module);
        QVERIFY(bench.shown().levels->row(RowId{0}));
        QVERIFY(bench.shown().levels->row(RowId{0}) != before->levels->row(RowId{0}));
    }

    void aFilterAddsItsOwnPyramidsAndKeepsTheOthers()
    {
        Bench bench(5000);
        QTRY_VERIFY(!bench.shadings.isWorking());
        const RowPyramid *before = bench.shown().levels->row(RowId{0});
        bench.shadings.setMatching(0, bench.everySecond());
        QVERIFY(!bench.shown().matching); // still the old picture
        QTRY_VERIFY(bench.shown().matching && !bench.shadings.isWorking());
        QCOMPARE(bench.shown().levels->row(RowId{0}), before);
        QVERIFY(bench.shown().matchedLevels->row(RowId{0}));
        bench.shadings.setMatching(0, nullptr);
        QTRY_VERIFY(!bench.shown().matching);
        QCOMPARE(bench.shown().levels->row(RowId{0}), before);
        QVERIFY(!bench.shown().matchedLevels);
    }

    void theLastWishCounts()
    {
        Bench bench(5000);
        for (const ColourMode mode : {ColourMode::Module, ColourMode::Name, ColourMode::Step, ColourMode::Phase})
            bench.shadings.setMode(mode);
        QTRY_VERIFY(!bench.shadings.isWorking());
        QCOMPARE(bench.shown().colours->mode(), ColourMode::Phase);
    }

    void closedTracesAreForgotten()
    {
        Bench bench(5000);
        bench.traces.clear();
        bench.tracks.sync(bench.traces);
        bench.shadings.sync();
        QVERIFY(bench.shadings.shown().empty());
        QVERIFY(!bench.shadings.isWorking());
    }
};

QTEST_GUILESS_MAIN(TstShadings)
#include "tst_shadings.moc"
