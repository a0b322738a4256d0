// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/extent.h"
#include "core/index/lane_order.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <vector>

using namespace ks;

namespace {

constexpr std::uint32_t kNone = LaneOrder::kNone;

constexpr std::array kKinds = {EventKind::Operator, EventKind::Annotation, EventKind::Python, EventKind::Launch,
                               EventKind::Kernel};

struct PlainEvent
{
    TimeNs begin = 0;
    TimeNs end = 0;
    EventKind kind = EventKind::Operator;
};

struct LaneMaker
{
    std::vector<PlainEvent> events;

    void add(TimeNs begin, TimeNs duration, EventKind kind = EventKind::Operator)
    {
        events.push_back({begin, saturatingAdd(begin, duration), kind});
    }
    LaneOrder order() const
    {
        std::vector<LaneEvent> packed;
        std::vector<TimeNs> longEnds;
        for (const PlainEvent &event : events) {
            const TimeNs length = saturatingSubtract(event.end, event.begin);
            if (!LaneEvent::fits(length))
                longEnds.push_back(event.end);
            packed.push_back(LaneEvent::fits(length)
                                 ? LaneEvent(event.begin, length, event.kind)
                                 : LaneEvent::ofLongEnd(event.begin, longEnds.size() - 1, event.kind));
        }
        return orderLane({packed, longEnds}, [] {});
    }
};

// What the header promises, in O(n^2).
struct Oracle
{
    explicit Oracle(const LaneMaker &lane)
        : raw(lane.events)
    {
        sorted.resize(raw.size());
        std::iota(sorted.begin(), sorted.end(), 0U);
        std::sort(sorted.begin(), sorted.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::tuple(raw[a].begin, -raw[a].end, a) < std::tuple(raw[b].begin, -raw[b].end, b);
        });
    }
    const PlainEvent &event(std::uint32_t position) const { return raw[sorted[position]]; }
    EventKind kind(std::uint32_t position) const { return event(position).kind; }

    // Does the event at `outer` enclose the later one at `inner`?
    bool encloses(std::uint32_t outer, std::uint32_t inner) const
    {
        const PlainEvent &o = event(outer);
        const PlainEvent &i = event(inner);
        return o.end >= i.end || (o.end + 1 == i.end && i.begin < o.end);
    }
    // The last of those before `inner` that pass `filter`, and none of which is a wider cover that began later.
    template<typename Filter>
    std::uint32_t innermost(std::uint32_t inner, Filter filter) const
    {
        for (std::uint32_t outer = inner; outer-- > 0;) {
            if (filter(outer) && encloses(outer, inner))
                return outer;
        }
        return kNone;
    }

    const std::vector<PlainEvent> &raw;
    std::vector<std::uint32_t> sorted;
};

LaneMaker randomLane(std::mt19937_64 &random)
{
    LaneMaker lane;
    const std::size_t count = 1 + random() % 60;
    const TimeNs span = 1 + static_cast<TimeNs>(random() % 200);
    const bool properOnly = random() % 3 == 0;
    const auto kind = [&] { return kKinds[random() % kKinds.size()]; };
    std::vector<std::pair<TimeNs, TimeNs>> open{{0, span}};
    for (std::size_t i = 0; i < count; ++i) {
        const auto [from, to] = open[random() % open.size()];
        TimeNs begin = from + static_cast<TimeNs>(random() % static_cast<std::uint64_t>(to - from + 1));
        TimeNs end = begin + static_cast<TimeNs>(random() % static_cast<std::uint64_t>(to - begin + 1));
        if (!properOnly) {
            if (random() % 6 == 0)
                end += 1; // overshoots by the grace
            else if (random() % 8 == 0)
                end += static_cast<TimeNs>(random() % 30); // crosses
            else if (random() % 8 == 0)
                end = begin;
            else if (random() % 8 == 0)
                std::tie(begin, end) = std::pair(from, to); // the same interval once more
        }
        lane.add(begin, end - begin, kind());
        if (end > begin)
            open.emplace_back(begin, end);
    }
    return lane;
}

} // namespace

class TstLaneOrder : public QObject
{
    Q_OBJECT

    static RowGroup groupAt(const LaneMaker &lane, const LaneOrder &order, std::uint32_t position)
    {
        return rowGroupOf(lane.events[order.events[position]].kind);
    }

    // Events of one row of a group must not share a moment (one that overshoots its enclosing event by the grace gives way).
    static std::string rowFault(const LaneMaker &lane, const LaneOrder &order)
    {
        for (const RowGroup group : {RowGroup::Annotations, RowGroup::Work, RowGroup::Python}) {
            std::vector<std::pair<std::uint32_t, std::uint32_t>> rows; // depth, position
            for (std::uint32_t i = 0; i < order.events.size(); ++i) {
                if (groupAt(lane, order, i) == group)
                    rows.emplace_back(order.depth[i], i);
            }
            std::sort(rows.begin(), rows.end());
            for (std::size_t i = 1; i < rows.size(); ++i) {
                if (rows[i].first != rows[i - 1].first)
                    continue;
                const PlainEvent &before = lane.events[order.events[rows[i - 1].second]];
                const PlainEvent &after = lane.events[order.events[rows[i].second]];
                if (before.end > after.begin + 1 || (before.end > after.begin && before.end - before.begin <= 1))
                    return "row " + std::to_string(rows[i].first) + ": " + std::to_string(before.begin) + ".."
                           + std::to_string(before.end) + " and " + std::to_string(after.begin) + ".."
                           + std::to_string(after.end);
            }
            std::vector<std::uint32_t> eventsOfRow(rows.empty() ? 0 : rows.back().first + std::size_t{1});
            for (const auto &[depth, position] : rows)
                ++eventsOfRow[depth];
            if (eventsOfRow != order.eventsOfRow[static_cast<std::size_t>(group)])
                return "the number of events of a row is wrong";
        }
        return {};
    }

private slots:
    void theOrderIsTheOracles()
    {
        for (unsigned seed = 0; seed < 4000; ++seed) {
            std::mt19937_64 random(seed);
            const LaneMaker lane = randomLane(random);
            const LaneOrder order = lane.order();
            const Oracle oracle(lane);
            const std::string where = "seed " + std::to_string(seed);
            QVERIFY2(std::ranges::equal(order.events, oracle.sorted), where.c_str());
            std::vector<std::pair<std::uint32_t, std::uint32_t>> operators;
            std::uint64_t deviceOverlaps = 0;
            TimeNs deviceUntil = kMinTime;
            for (std::uint32_t i = 0; i < order.events.size(); ++i) {
                const std::string at = where + ", event " + std::to_string(i);
                QVERIFY2(order.parent[i] == oracle.innermost(i, [](std::uint32_t) { return true; }), at.c_str());
                const std::uint32_t above = oracle.innermost(i, [&](std::uint32_t outer) {
                    return rowGroupOf(oracle.kind(outer)) == rowGroupOf(oracle.kind(i));
                });
                QVERIFY2(above == kNone || order.depth[i] > order.depth[above], at.c_str());
                const auto isOperator = [&](std::uint32_t outer) { return oracle.kind(outer) == EventKind::Operator; };
                if (oracle.kind(i) == EventKind::Launch && oracle.innermost(i, isOperator) != kNone) {
                    const std::uint32_t op = oracle.innermost(i, isOperator);
                    if (isOperator(order.parent[i]))
                        QVERIFY2(order.parent[i] == op, at.c_str());
                    else
                        operators.emplace_back(i, op);
                }
                if (oracle.kind(i) == EventKind::Kernel) {
                    const PlainEvent &event = oracle.event(i);
                    deviceOverlaps += event.begin < deviceUntil && event.end > event.begin ? 1 : 0;
                    deviceUntil = std::max(deviceUntil, event.end);
                }
            }
            QVERIFY2(order.operatorOfLaunch == operators, where.c_str());
            QVERIFY2(order.overlaps >= deviceOverlaps, where.c_str());
            const std::string fault = rowFault(lane, order);
            QVERIFY2(fault.empty(), (where + ": " + fault).c_str());
        }
    }

    void properNestingNeedsNoFurtherRows()
    {
        for (unsigned seed = 0; seed < 500; ++seed) {
            std::mt19937_64 random(seed);
            LaneMaker lane;
            // A tree written out: children strictly inside, side by side.
            const std::function<int(TimeNs, TimeNs, int)> grow = [&](TimeNs from, TimeNs to, int depth) {
                int deepest = depth;
                for (TimeNs at = from; at + 2 < to && random() % 5 != 0;) {
                    const TimeNs length = 1 + static_cast<TimeNs>(random() % static_cast<std::uint64_t>(to - at - 1));
                    lane.add(at, length);
                    deepest = std::max(deepest, depth + 1);
                    if (depth < 8)
                        deepest = std::max(deepest, grow(at + 1, at + length - 1, depth + 1));
                    at += length + static_cast<TimeNs>(random() % 3);
                }
                return deepest;
            };
            const int depth = grow(0, 2000, 0);
            std::shuffle(lane.events.begin(), lane.events.end(), random);
            const LaneOrder order = lane.order();
            QCOMPARE(static_cast<int>(order.eventsOfRow[static_cast<std::size_t>(RowGroup::Work)].size()), depth);
            QCOMPARE(order.overlaps, std::uint64_t{0});
            for (std::uint32_t i = 0; i < order.events.size(); ++i)
                QCOMPARE(order.depth[i], order.parent[i] == kNone ? 0U : order.depth[order.parent[i]] + 1);
        }
    }

    void theFirstFreeRowIsTaken()
    {
        // Random crossings against a plain list of "free from".
        for (unsigned seed = 0; seed < 300; ++seed) {
            std::mt19937_64 random(seed);
            LaneMaker lane;
            const std::size_t count = seed % 10 == 0 ? 3000 : 200;
            for (std::size_t i = 0; i < count; ++i)
                lane.add(static_cast<TimeNs>(random() % 1000),
                         static_cast<TimeNs>(random() % (seed % 3 == 0 ? 900 : 40)));
            const LaneOrder order = lane.order();
            std::vector<TimeNs> freeFrom;
            for (std::uint32_t i = 0; i < order.events.size(); ++i) {
                const PlainEvent &event = lane.events[order.events[i]];
                const std::uint32_t above = order.parent[i];
                std::size_t row = above == kNone ? 0 : order.depth[above] + std::size_t{1};
                while (row < freeFrom.size() && freeFrom[row] > event.begin)
                    ++row;
                freeFrom.resize(std::max(freeFrom.size(), row + 1), kMinTime);
                const TimeNs end =
                    above == kNone ? event.end : std::min(event.end, lane.events[order.events[above]].end);
                freeFrom[row] = std::max(freeFrom[row], end);
                QCOMPARE(order.depth[i], static_cast<std::uint32_t>(row));
            }
            QCOMPARE((order.eventsOfRow[static_cast<std::size_t>(RowGroup::Work)].size()), freeFrom.size());
        }
    }

    void oneNanosecondMoreIsStillInside()
    {
        LaneMaker lane;
        lane.add(0, 100);
        lane.add(50, 51); // ends 1 ns later
        lane.add(200, 100);
        lane.add(250, 52); // 2 ns later: crosses
        lane.add(400, 10);
        lane.add(410, 1); // begins where the other ends: not inside
        const LaneOrder order = lane.order();
        QCOMPARE(order.parent[1], 0U);
        QCOMPARE(order.parent[3], kNone);
        QCOMPARE(order.parent[5], kNone);
        QCOMPARE(order.overlaps, std::uint64_t{1});
        QCOMPARE(order.firstOverlap, 3U);
    }

    void ofEqualIntervalsTheFirstEncloses()
    {
        LaneMaker lane;
        lane.add(10, 5);
        lane.add(10, 5);
        lane.add(10, 0);
        lane.add(10, 0);
        const LaneOrder order = lane.order();
        QVERIFY((order.events == LargeArray<std::uint32_t>{0, 1, 2, 3}));
        QVERIFY((order.parent == LargeArray<std::uint32_t>{kNone, 0, 1, 2}));
        QVERIFY((order.depth == LargeArray<std::uint32_t>{0, 1, 2, 3}));
        QCOMPARE(order.overlaps, std::uint64_t{0});
    }

    void timesAtTheEndsOfTheWorld()
    {
        LaneMaker lane;
        lane.add(kMinTime, 0);
        lane.add(kMinTime, 1);
        lane.add(kMinTime, kMaxTime);
        lane.add(kMaxTime, kMaxTime);
        lane.add(kMaxTime - 5, kMaxTime, EventKind::Kernel);
        lane.add(0, kMaxTime, EventKind::Launch);
        const LaneOrder order = lane.order();
        QCOMPARE(order.events.size(), std::size_t{6});
        QVERIFY(findMainRange(order.islands).range.duration() >= 0);
    }

    void runsAreMergedInAnyOrder()
    {
        for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{1000}}) {
            LaneMaker rising;
            LaneMaker falling;
            for (std::size_t i = 0; i < count; ++i) {
                rising.add(static_cast<TimeNs>(i), 1);
                falling.add(static_cast<TimeNs>(count - i), 1);
            }
            QVERIFY(std::ranges::equal(rising.order().events, Oracle(rising).sorted));
            QVERIFY(std::ranges::equal(falling.order().events, Oracle(falling).sorted));
        }
    }

    void runsWithNeighboursOutOfOrderAreMerged()
    {
        for (unsigned seed = 0; seed < 200; ++seed) {
            std::mt19937_64 random(seed);
            LaneMaker lane;
            const std::size_t farthest = 1 + random() % 60; // nearer ones are put right in place, others make runs
            const std::uint64_t longest = 1 + random() % 4; // short and coarse: many begin and end together
            for (std::size_t run = 0, runs = 1 + random() % 5; run < runs; ++run) {
                std::vector<TimeNs> begins(random() % 800);
                for (std::size_t i = 0; i < begins.size(); ++i)
                    begins[i] = static_cast<TimeNs>(i / 2);
                for (std::size_t i = farthest; i < begins.size(); ++i) {
                    if (random() % 3 == 0)
                        std::swap(begins[i], begins[i - random() % farthest]);
                }
                for (const TimeNs begin : begins)
                    lane.add(begin, static_cast<TimeNs>(random() % longest));
            }
            QVERIFY(std::ranges::equal(lane.order().events, Oracle(lane).sorted));
        }
    }

    void theCutsOfALongLaneTellWhatStandsBeforeThem()
    {
        std::mt19937_64 random(1);
        LaneMaker lane;
        for (TimeNs time = 0; time < 50'000; ++time) {
            for (TimeNs depth = 0, deepest = static_cast<TimeNs>(random() % 10); depth < deepest; ++depth)
                lane.add(time * 20 + depth, 20 - 2 * depth, kKinds[random() % kKinds.size()]);
        }
        const LaneOrder order = lane.order();
        QCOMPARE(order.cuts.size(), lane.events.size() >> 17U);
        LaneOrder::RowCounts counts;
        std::size_t position = 0;
        for (const LaneOrder::Cut &cut : order.cuts) {
            for (; position < cut.position; ++position) {
                const auto group = static_cast<std::size_t>(groupAt(lane, order, static_cast<std::uint32_t>(position)));
                counts[group].resize(std::max<std::size_t>(counts[group].size(), order.depth[position] + 1));
                ++counts[group][order.depth[position]];
            }
            QVERIFY(counts == cut.before);
        }
    }

    void aLaneOfThousandsOfRowsIsNotCut()
    {
        LaneMaker lane;
        for (TimeNs i = 0; i < 140'000; ++i)
            lane.add(i, 10'000);
        QVERIFY(lane.order().cuts.empty());
    }

    void islandsBridgeGapsOfUpToAMinute()
    {
        constexpr TimeNs kSecond = 1'000'000'000;
        LaneMaker lane;
        lane.add(0, 10 * kSecond);
        lane.add(70 * kSecond, 1);                        // exactly a minute later
        lane.add(70 * kSecond + 1 + 60 * kSecond + 1, 5); // a nanosecond more
        const LaneOrder order = lane.order();
        QCOMPARE(order.islands.size(), std::size_t{2});
        QCOMPARE(order.islands[0].events, std::uint64_t{2});
        QCOMPARE(order.islands[1].events, std::uint64_t{1});
    }
};

QTEST_APPLESS_MAIN(TstLaneOrder)
#include "tst_lane_order.moc"
