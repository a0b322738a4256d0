// SPDX-License-Identifier: GPL-3.0-or-later
// Pyramids against brute force: what is drawn from them is what a look at every event and every pixel gives.
#include "core/view/draw_list.h"
#include "core/view/hit_test.h"
#include "core/view/joined_shades.h"
#include "tests/support/row_trace.h"

#include <QTest>

#include <cmath>
#include <random>
#include <set>

using namespace ks;

namespace {

// One row: durations and gaps over many orders of magnitude, runs without gaps, events of no duration, outliers.
std::shared_ptr<const Trace> roughRow(std::mt19937_64 &random, int events)
{
    const auto upTo = [&random](TimeNs most) { return std::uniform_int_distribution<TimeNs>(0, most)(random); };
    const auto anySize = [&](double orders) {
        return static_cast<TimeNs>(std::pow(10, std::uniform_real_distribution<double>(0, orders)(random))) - 1;
    };
    const double durationOrders = std::uniform_real_distribution<double>(0, 6)(random);
    const double gapOrders = std::uniform_real_distribution<double>(0, 6)(random);
    const bool farStart = upTo(4) == 0;
    const bool farEnd = upTo(4) == 0;
    RowTrace rows;
    rows.process("1").lane(LaneKind::Gpu, LaneRole::ComputeStream, "7").row();
    constexpr std::array kNames = {"gemm", "elementwise_kernel", "ncclKernel_AllReduce", "softmax", "flash_fwd"};
    TimeNs t = upTo(1000) - 500;
    for (int i = 0; i < events; ++i) {
        const TimeNs duration = upTo(9) == 0 ? 0 : anySize(durationOrders);
        rows.event(kNames[static_cast<std::size_t>(upTo(kNames.size() - 1))], EventKind::Kernel, t, duration);
        t += duration + (upTo(2) == 0 ? 0 : anySize(gapOrders));
        if ((i == 0 && farStart) || (i + 2 == events && farEnd))
            t += 1'000'000'000'000;
    }
    return rows.build();
}

struct Picture
{
    const Trace &trace;
    const Viewport &view;
    const DrawList &list;
    const DrawRow &row;
    EventBits matching;

    bool matches(EventId id) const { return matching.empty() || anyBit(matching, index(id), index(id) + 1); }
    std::int64_t columnOf(TimeNs t) const
    {
        return static_cast<std::int64_t>(std::floor(view.xOf(t) / list.columnWidth));
    }
    // ns of [from, to) covered by events that match, and whether any event touches it at all.
    std::pair<double, bool> covered(TimeNs from, TimeNs to, bool matchingOnly) const
    {
        double sum = 0;
        bool any = false;
        for (std::size_t i = 0; i < trace.eventCount(); ++i) {
            const auto id = static_cast<EventId>(i);
            if (matchingOnly && !matches(id))
                continue;
            const TimeRange r = trace.range(id);
            if (r.begin >= to || (r.end <= from && r.begin < from))
                continue;
            any = true;
            sum += static_cast<double>(std::max<TimeNs>(std::min(r.end, to) - std::max(r.begin, from), 0));
        }
        return {sum, any};
    }
};

// What a person could object to in a row that came from a pyramid; "" if nothing.
QString objection(const Picture &p, const RowPyramid &pyramid)
{
    const DrawList &list = p.list;
    const auto columns = static_cast<std::int64_t>(list.columns);
    std::vector<char> drawn(list.columns, 0);
    for (std::uint32_t i = p.row.firstBox; i < p.row.endBox; ++i) {
        const Box &box = list.boxes[i];
        const TimeRange range = p.trace.range(box.event);
        const bool inside = box.event >= pyramid.firstDense() && box.event < pyramid.endDense();
        const double columnNs = p.view.nsPerPixel() * list.columnWidth;
        if (static_cast<double>(range.duration()) < columnNs * (inside ? kPyramidBox : 1))
            return QStringLiteral("box %1 is too short").arg(index(box.event));
        if (box.dim == p.matches(box.event))
            return QStringLiteral("box %1 is dimmed wrongly").arg(index(box.event));
        for (std::int64_t c = std::max<std::int64_t>(p.columnOf(range.begin), 0);
             c <= std::min(p.columnOf(range.end - 1), columns - 1); ++c)
            drawn[static_cast<std::size_t>(c)] = 2;
    }
    std::int64_t last = -1;
    for (std::uint32_t i = p.row.firstCell; i < p.row.endCell; ++i) {
        const Cell &cell = list.cells[i];
        if (cell.column < last)
            return QStringLiteral("cells are out of order");
        last = cell.column;
        if (cell.first != kNoEvent) { // looked at event by event: outside the dense stretch
            drawn[cell.column] = 1;
            continue;
        }
        if (drawn[cell.column] == 2)
            return QStringLiteral("a cell in column %1 of a box").arg(cell.column);
        drawn[cell.column] = 1;
        const TimeNs from = list.borders[cell.column];
        const TimeNs to = list.borders[cell.column + 1];
        const TimeNs reach = p.row.bucket;
        if (!p.covered(from - reach, to + reach, false).second)
            return QStringLiteral("a cell in column %1 where nothing is").arg(cell.column);
        const bool anyMatch = p.covered(from - reach, to + reach, true).second;
        if (!cell.dim && !anyMatch)
            return QStringLiteral("column %1 is bright and nothing in it matches").arg(cell.column);
        // Buckets whose middle is in the column.
        const TimeRange dense = pyramid.dense();
        TimeNs middle = dense.begin + reach / 2;
        if (from > middle)
            middle += (from - middle + reach - 1) / reach * reach;
        double buckets = 0;
        for (; (middle < to || to >= dense.end) && middle < dense.end + reach / 2; middle += reach)
            ++buckets; // the last column has what is left of the last bucket, too
        if (buckets == 0)
            return QStringLiteral("column %1 has no bucket").arg(cell.column);
        const double share = cell.busy / 255.0;
        const double exact = p.covered(from, to, !cell.dim).first;
        // Half a bucket at either end, and rounding of every level, upwards where there is little.
        const double rounding = buckets * static_cast<double>(reach) * 6 / 255;
        if (std::abs(share * buckets * static_cast<double>(reach) - exact) > static_cast<double>(reach) + rounding + 1)
            return QStringLiteral("column %1 says %2, is %3 ns of %4")
                .arg(cell.column)
                .arg(share)
                .arg(exact)
                .arg(to - from);
        // The events behind it are there.
        const auto [first, end] = eventsOf(p.trace, list, p.row, cell);
        if (first >= end || p.trace.begin(first) > to + reach || p.trace.end(advance(end, -1)) < from - reach)
            return QStringLiteral("column %1 stands for no events").arg(cell.column);
        std::set<ColourKey> colours;
        for (EventId id = first > EventId{0} ? advance(first, -1) : first;
             id < std::min(advance(end, 1), static_cast<EventId>(p.trace.eventCount())); id = advance(id, 1))
            colours.insert(keyOf(p.trace, id, ColourMode::Family));
        const auto nearFirst = static_cast<std::size_t>(
            std::lower_bound(p.trace.events().begin.begin(), p.trace.events().begin.end(), from - reach)
            - p.trace.events().begin.begin());
        for (std::size_t e = nearFirst > 0 ? nearFirst - 1 : 0;
             e < p.trace.eventCount() && p.trace.begin(static_cast<EventId>(e)) < to + reach; ++e)
            colours.insert(keyOf(p.trace, static_cast<EventId>(e), ColourMode::Family));
        if (!colours.contains(cell.colour))
            return QStringLiteral("column %1 has the colour of nothing in it").arg(cell.column);
    }
    for (std::size_t i = 0; i < p.trace.eventCount(); ++i) {
        const std::int64_t column = p.columnOf(p.trace.begin(static_cast<EventId>(i)));
        if (column < 1 || column + 1 >= columns)
            continue;
        const auto c = static_cast<std::size_t>(column);
        if (!drawn[c - 1] && !drawn[c] && !drawn[c + 1])
            return QStringLiteral("event %1 is not drawn").arg(i);
    }
    return {};
}

} // namespace

class TstLevelOfDetail : public QObject
{
    Q_OBJECT
private slots:
    void drawsWhatLookingAtEveryEventWould_data();
    void drawsWhatLookingAtEveryEventWould();
    void keepsOutliersOffTheGrid();
    void leavesSmallRowsAlone();
    void takesAtMostSixBytesAnEvent();
    void canBeCancelled();
    void knowsLongestEventsAndSums();
    void hitsRunsOfAPyramid();
    void bucketsJoinedInARegisterAreWhatTheyAreOneByOne();
};

void TstLevelOfDetail::drawsWhatLookingAtEveryEventWould_data()
{
    QTest::addColumn<int>("from");
    for (int from = 0; from < 3000; from += 250)
        QTest::addRow("seeds from %d", from) << from;
}

void TstLevelOfDetail::drawsWhatLookingAtEveryEventWould()
{
    QFETCH(int, from);
    int looked = 0;
    for (int seed = from; seed < from + 250; ++seed) {
        std::mt19937_64 random(static_cast<std::uint64_t>(seed));
        const int events = seed % 50 == 7 ? 6000 : 40 + seed % 150;
        const auto trace = roughRow(random, events);
        const LaneLayout layout(*trace, std::make_shared<const ViewIndex>(*trace), {});
        const EventColours colours;
        std::vector<std::uint64_t> bits;
        if (seed % 3 == 0) {
            bits.resize(trace->eventCount() / 64 + 1);
            for (std::uint64_t &word : bits)
                word = seed % 2 ? random() & random() & random() : random();
        }
        const Row &row = trace->row(RowId{0});
        const auto pyramid = std::make_shared<const RowPyramid>(*trace, row, colours, EventBits());
        const LevelOfDetail levels({}, {{RowId{0}, pyramid}});
        LevelOfDetail matched;
        if (!bits.empty())
            matched = LevelOfDetail({}, {{RowId{0}, std::make_shared<const RowPyramid>(*trace, row, colours, bits)}});
        DrawOptions options;
        options.colours = &colours;
        options.levels = &levels;
        options.matchedLevels = bits.empty() ? nullptr : &matched;
        options.matching = bits;
        const TimeRange whole = seed % 2 ? pyramid->dense() : trace->range();
        for (int zoom = 0; zoom < 9; ++zoom) {
            const double width = zoom % 3 == 0 ? 64 : 33.5;
            options.dpr = zoom % 4 == 1 ? 2 : zoom % 4 == 3 ? 1.5 : 1;
            Viewport view(whole, whole, width);
            std::uniform_real_distribution<double> at(0, width);
            view.zoomAt(at(random), std::pow(1.5, zoom));
            view.panBy(at(random) / 3 - width / 6);
            const DrawList list = buildDrawList(*trace, view, layout, 0, layout.height(), options);
            QCOMPARE(list.rows.size(), std::size_t{1});
            if (list.rows.front().bucket == 0)
                continue; // fine enough to look at every event: held by tst_draw_list
            ++looked;
            const QString wrong = objection({*trace, view, list, list.rows.front(), bits}, *pyramid);
            QVERIFY2(wrong.isEmpty(), qPrintable(QStringLiteral("seed %1 zoom %2: %3").arg(seed).arg(zoom).arg(wrong)));
        }
    }
    QVERIFY(looked > 150); // or this test shows nothing
}

void TstLevelOfDetail::keepsOutliersOffTheGrid()
{
    RowTrace rows;
    rows.process("1").lane(LaneKind::Cpu, LaneRole::MainThread, "1").row();
    rows.event("early", EventKind::Operator, 0, 10);
    const TimeNs day = 86'400'000'000'000;
    for (int i = 0; i < 10'000; ++i)
        rows.event("x", EventKind::Operator, day + i * 100, 50);
    rows.event("late", EventKind::Operator, 3 * day, 10);
    const auto trace = rows.build();
    const RowPyramid pyramid(*trace, trace->row(RowId{0}), EventColours(), {});
    QCOMPARE(pyramid.firstDense(), EventId{1});
    QCOMPARE(pyramid.endDense(), EventId{10'001});
    QVERIFY(pyramid.levelFor(128).has_value()); // finer than the events
    QVERIFY(!pyramid.levelFor(25).has_value());
    // All of it in one picture: the outliers are there, too.
    const LevelOfDetail levels({}, {{RowId{0}, std::make_shared<const RowPyramid>(pyramid)}});
    DrawOptions options;
    options.levels = &levels;
    const LaneLayout layout(*trace, std::make_shared<const ViewIndex>(*trace), {});
    const DrawList list = buildDrawList(*trace, Viewport(trace->range(), trace->range(), 300), layout, 0, 100, options);
    QCOMPARE(list.cells.size() + list.boxes.size(), std::size_t{3});
}

void TstLevelOfDetail::leavesSmallRowsAlone()
{
    std::mt19937_64 random(1);
    RandomRows options;
    options.lanes = 1;
    options.rows = 1;
    options.events = static_cast<int>(LevelOfDetail::kLeastEvents) - 1;
    const auto small = randomRowTrace(random, options);
    const std::vector<RowId> rows{RowId{0}};
    QVERIFY(buildPyramids(*small, rows, EventColours(), {}, {}).empty());
    ++options.events;
    const auto enough = randomRowTrace(random, options);
    QCOMPARE(buildPyramids(*enough, rows, EventColours(), {}, {}).size(), std::size_t{1});
}

void TstLevelOfDetail::takesAtMostSixBytesAnEvent()
{
    for (int seed = 0; seed < 20; ++seed) {
        std::mt19937_64 random(static_cast<std::uint64_t>(seed));
        const auto trace = roughRow(random, 50'000);
        const RowPyramid pyramid(*trace, trace->row(RowId{0}), EventColours(), {});
        QVERIFY(pyramid.bytes() <= 6 * trace->eventCount());
    }
}

void TstLevelOfDetail::canBeCancelled()
{
    std::mt19937_64 random(1);
    const auto trace = roughRow(random, 5000);
    std::stop_source stop;
    stop.request_stop();
    const std::vector<RowId> rows{RowId{0}};
    bool cancelled = false;
    try {
        buildPyramids(*trace, rows, EventColours(), {}, Progress(stop.get_token(), {}));
    } catch (const Cancelled &) {
        cancelled = true;
    }
    QVERIFY(cancelled);
}

void TstLevelOfDetail::knowsLongestEventsAndSums()
{
    std::mt19937_64 random(5);
    for (const int events : {1, 63, 64, 65, 5000, 20'000}) {
        const auto trace = roughRow(random, events);
        const DurationBlocks blocks(*trace);
        for (int i = 0; i < 200; ++i) {
            auto first = static_cast<EventId>(random() % trace->eventCount());
            auto end = static_cast<EventId>(random() % (trace->eventCount() + 1));
            if (end < first)
                std::swap(first, end);
            TimeNs sum = 0;
            EventId longest = kNoEvent;
            const auto least = static_cast<std::uint32_t>(random() % 100'000);
            std::size_t next = index(end);
            for (EventId id = first; id < end; id = advance(id, 1)) {
                sum += trace->duration(id);
                if (longest == kNoEvent || trace->duration(id) > trace->duration(longest))
                    longest = id;
                if (next == index(end) && trace->duration(id) >= TimeNs{least})
                    next = index(id);
            }
            QCOMPARE(blocks.sum(*trace, first, end), sum);
            QCOMPARE(blocks.longest(*trace, first, end), longest);
            QCOMPARE(blocks.nextAtLeast(*trace, index(first), index(end), least), next);
        }
    }
}

void TstLevelOfDetail::hitsRunsOfAPyramid()
{
    RowTrace rows;
    rows.process("1").lane(LaneKind::Cpu, LaneRole::MainThread, "1").row();
    for (int i = 0; i < 5000; ++i)
        rows.event("x", EventKind::Operator, i * 100, i == 2504 ? 90 : 50);
    const auto trace = rows.build();
    const LaneLayout layout(*trace, std::make_shared<const ViewIndex>(*trace), {});
    const EventColours colours;
    const LevelOfDetail levels({}, buildPyramids(*trace, std::vector<RowId>{RowId{0}}, colours, {}, {}));
    DrawOptions options;
    options.levels = &levels;
    const Viewport view({0, 500'000}, {0, 500'000}, 100); // 50 events a column
    const DrawList list = buildDrawList(*trace, view, layout, 0, layout.height(), options);
    QVERIFY(list.rows.front().bucket > 0);
    const Hit hit = hitTest(*trace, list, layout, 50.5, layout.blocks()[1].workY() + 5);
    QCOMPARE(hit.kind, Hit::Kind::Run);
    QCOMPARE(hit.first, EventId{2500});
    QCOMPARE(hit.end, EventId{2550});
    QCOMPARE(layout.viewIndex().durations().longest(*trace, hit.first, hit.end), EventId{2504});
}

void TstLevelOfDetail::bucketsJoinedInARegisterAreWhatTheyAreOneByOne()
{
#ifdef KS_HAS_VECTORS
    std::mt19937_64 random(11);
    std::array<Shade, kShadeRoom> buckets;
    int empty = 0;
    for (int round = 0; round < 200'000; ++round) {
        const auto most = std::array<unsigned, 4>{1, 3, 16, 255}[random() % 4]; // many equals, much that is faint
        for (Shade &shade : buckets)
            shade = {static_cast<ColourKey>(random() % kColourKeyCount),
                     static_cast<std::uint8_t>(random() % 3 == 0 ? 0 : random() % (most + 1))};
        const std::size_t count = random() % (kShadeRoom + 1);
        const Shade plain = joinedPlainly(buckets.data(), count);
        const Shade together = joinedInARegister(buckets.data(), count);
        QCOMPARE(together.busy, plain.busy);
        if (plain.busy > 0)
            QCOMPARE(together.colour, plain.colour);
        empty += plain.busy == 0 ? 1 : 0;
    }
    QVERIFY(empty > 1000 && empty < 150'000);
    buckets.fill({ColourKey{5}, 255});
    for (std::size_t count = 1; count <= kShadeRoom; ++count)
        QCOMPARE(joinedInARegister(buckets.data(), count).busy, std::uint8_t{255});
#else
    QSKIP("this compiler has no vectors");
#endif
}

QTEST_APPLESS_MAIN(TstLevelOfDetail)
#include "tst_level_of_detail.moc"
