// SPDX-License-Identifier: GPL-3.0-or-later
// The call tree against adding up every event on every path by hand.
#include "core/analysis/call_tree.h"
#include "core/analysis/filter.h"
#include "core/analysis/host_scope.h"
#include "core/analysis/step_table.h"
#include "tests/support/qt_text.h"
#include "tests/support/random_run.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <set>

using namespace ks;

namespace {

using Path = std::vector<std::string>;

struct Numbers
{
    std::int64_t calls = 0;
    TimeNs total = 0;
    TimeNs self = 0;
    TimeNs deviceTotal = 0;
    TimeNs deviceSelf = 0;
    friend bool operator==(const Numbers &, const Numbers &) = default;
};

using Numbered = std::map<Path, Numbers>;

std::string label(const Trace &trace, EventId event)
{
    std::string name(trace.name(event));
    if (name.starts_with("ProfilerStep#"))
        name = "ProfilerStep*";
    return name + "|" + std::string(eventKindId(trace.kind(event)));
}

EventId aboveByHand(const Trace &trace, EventId event)
{
    const EventId around = trace.parent(event);
    if (trace.kind(event) != EventKind::Python || trace.caller(event) == kNoEvent)
        return around;
    for (EventId at = around; at != kNoEvent; at = trace.parent(at)) {
        if (trace.kind(at) == EventKind::Python)
            return at == trace.caller(event) ? around : trace.caller(event);
    }
    return trace.caller(event);
}

// The events of the path, outermost first, the event last.
std::vector<EventId> chainOf(const Trace &trace, EventId event)
{
    std::vector<EventId> chain;
    for (EventId at = event; at != kNoEvent; at = aboveByHand(trace, at))
        chain.insert(chain.begin(), at);
    return chain;
}

Path pathOf(const Trace &trace, const std::vector<EventId> &chain, std::size_t length)
{
    Path path;
    for (std::size_t i = 0; i < length; ++i)
        path.push_back(label(trace, chain[i]));
    return path;
}

// The whole tree of a range of time, or of everything.
Numbered byHand(const Trace &trace, std::optional<TimeRange> range)
{
    Numbered rows;
    Scope scope;
    if (range)
        scope.parts = {{&trace, *range, {}}};
    const TraceScope selected(trace, scope);
    const auto part = [&](EventId event) { return range ? trace.range(event).clampedTo(*range) : trace.range(event); };
    const auto isHost = [&](EventId event) { return trace.lane(trace.lane(event)).kind == LaneKind::Cpu; };
    for (std::uint32_t e = 0; e < trace.eventCount(); ++e) {
        const EventId event{e};
        if (!selected.part(event))
            continue;
        std::vector<EventId> chain;
        if (isHost(event)) {
            chain = chainOf(trace, event);
            // Of each row only the outermost selected event counts.
            for (std::size_t length = chain.size(); length > 0; --length) {
                const bool isOutermost =
                    std::none_of(chain.begin() + static_cast<std::ptrdiff_t>(length) - 1, chain.end() - 1,
                                 [&](EventId above) { return selected.part(above).has_value(); });
                if (isOutermost)
                    rows[pathOf(trace, chain, length)].total += part(event).duration();
            }
            Numbers &own = rows[pathOf(trace, chain, chain.size())];
            own.calls += !range || range->contains(trace.begin(event)) ? 1 : 0;
            TimeNs self = part(event).duration();
            for (std::uint32_t c = 0; c < trace.eventCount(); ++c) {
                if (trace.parent(EventId{c}) == event)
                    self -= part(EventId{c}).clampedTo(part(event)).duration();
            }
            own.self += std::max<TimeNs>(self, 0);
        } else if (isDeviceWork(trace.kind(event))) {
            const LaunchLink link = trace.launchLink(event);
            const EventId starter = link.launch != kNoEvent ? link.launch : link.op;
            if (starter != kNoEvent)
                chain = chainOf(trace, starter);
            if (range && starter != kNoEvent
                && std::none_of(chain.begin(), chain.end(), [&](EventId at) { return selected.part(at).has_value(); }))
                continue;
            chain.push_back(event);
            for (std::size_t length = 1; length <= chain.size(); ++length)
                rows[pathOf(trace, chain, length)].deviceTotal += part(event).duration();
            Numbers &own = rows[pathOf(trace, chain, chain.size())];
            own.calls += !range || range->contains(trace.begin(event)) ? 1 : 0;
            own.deviceSelf += part(event).duration();
        }
    }
    return rows;
}

Numbers numbersAt(const Table &table, std::size_t row)
{
    const auto at = [&](std::string_view column) { return table.findColumn(column)->integer(row); };
    return {at("calls"), at("cpu_total_ns"), at("cpu_self_ns"), at("device_total_ns"), at("device_self_ns")};
}

std::vector<Path> pathsOf(const Table &table)
{
    std::vector<Path> paths;
    for (std::size_t row = 0; row < table.rowCount(); ++row) {
        Path path = table.parent(row) == Table::kNoParent ? Path() : paths[table.parent(row)];
        path.push_back(std::string(table.findColumn("name")->text(row)) + "|"
                       + std::string(table.findColumn("kind")->text(row)));
        paths.push_back(std::move(path));
    }
    return paths;
}

Numbered numbered(const Table &table)
{
    Numbered rows;
    const std::vector<Path> paths = pathsOf(table);
    for (std::size_t row = 0; row < table.rowCount(); ++row)
        rows[paths[row]] = numbersAt(table, row);
    return rows;
}

QString described(const Numbered &rows)
{
    QString text;
    for (const auto &[path, numbers] : rows) {
        for (const std::string &name : path)
            text += q(name) + QStringLiteral(" > ");
        text += QStringLiteral("%1 %2 %3 %4 %5\n")
                    .arg(numbers.calls)
                    .arg(numbers.total)
                    .arg(numbers.self)
                    .arg(numbers.deviceTotal)
                    .arg(numbers.deviceSelf);
    }
    return text;
}

std::vector<RankTrace> randomTrace(std::mt19937_64 &random)
{
    RandomRun run;
    run.operatorsPerStep = 6;
    return {{randomRun(random, run).build(), {}}};
}

} // namespace

class TstCallTree : public QObject
{
    Q_OBJECT
private slots:
    // A step that ends after the frame in which it began.
    void selfTimeIsNeverBelowZero()
    {
        TraceMaker maker;
        maker.python("train.py(1): main", 0, 100, 1, -1).python("train.py(2): step", 5, 90, 2, 1);
        maker.annotation("epoch", 10, 89);
        const auto trace = maker.build();
        const std::vector<RankTrace> ranks = {{trace, {}}};
        const Table table = callTreeTable(ranks, {});
        const Column &self = *table.findColumn("cpu_self_ns");
        bool isCovered = false;
        for (std::size_t row = 0; row < table.rowCount(); ++row) {
            QVERIFY(self.integer(row) >= 0);
            isCovered =
                isCovered || (self.integer(row) == 0 && table.findColumn("cpu_total_ns")->integer(row) == 100'000);
        }
        QVERIFY(isCovered);
    }

    void everyPathHasWhatItsEventsAddUpTo()
    {
        std::mt19937_64 random(1);
        for (int i = 0; i < 12; ++i) {
            const std::vector<RankTrace> traces = randomTrace(random);
            const Trace &trace = *traces[0].trace;
            Scope scope;
            std::optional<TimeRange> range;
            if (i % 2 != 0) {
                const TimeRange whole = trace.range();
                const auto at = static_cast<TimeNs>(random() % static_cast<std::uint64_t>(whole.duration()));
                range = TimeRange{at, at + whole.duration() / 3};
                scope.parts = {{&trace, *range, {}}};
            }
            QCOMPARE(described(numbered(callTreeTable(traces, scope))), described(byHand(trace, range)));
        }
    }

    void rowsStandBelowTheirCallersTheCostliestFirst()
    {
        std::mt19937_64 random(2);
        for (const bool byDevice : {false, true}) {
            const std::vector<RankTrace> traces = randomTrace(random);
            const Table table = callTreeTable(traces, {}, {false, byDevice});
            const Column &cost = *table.findColumn(byDevice ? "device_total_ns" : "cpu_total_ns");
            std::map<std::uint32_t, TimeNs> last;
            double roots = 0;
            double shares = 0;
            for (std::uint32_t row = 0; row < table.rowCount(); ++row) {
                const std::uint32_t parent = table.parent(row);
                QCOMPARE(table.findColumn("depth")->integer(row), static_cast<std::int64_t>(table.depth(row)));
                QVERIFY(parent == Table::kNoParent || parent < row);
                const auto [before, isFirst] = last.try_emplace(parent, cost.integer(row));
                QVERIFY(isFirst || before->second >= cost.integer(row));
                before->second = cost.integer(row);
                QVERIFY(!byDevice || cost.integer(row) > 0);
                if (parent == Table::kNoParent) {
                    roots += static_cast<double>(cost.integer(row));
                    shares += table.findColumn("share")->real(row);
                }
            }
            QVERIFY(roots > 0 && std::abs(shares - 1) < 1e-9);
        }
    }

    void bottomUpRowsAreTheNamesAndTheirCallers()
    {
        std::mt19937_64 random(3);
        const std::vector<RankTrace> traces = randomTrace(random);
        const Numbered down = byHand(*traces[0].trace, {});
        Numbered expected; // of all paths that end so, the outermost of each name for totals
        for (const auto &[path, numbers] : down) {
            const bool isOutermost = std::count(path.begin(), path.end(), path.back()) == 1;
            Path up;
            for (auto at = path.rbegin(); at != path.rend(); ++at) {
                up.push_back(*at);
                Numbers &sum = expected[up];
                sum.calls += numbers.calls;
                sum.self += numbers.self;
                sum.deviceSelf += numbers.deviceSelf;
                sum.total += isOutermost ? numbers.total : 0;
                sum.deviceTotal += isOutermost ? numbers.deviceTotal : 0;
            }
        }
        TimeNs whole = 0;
        for (const auto &[path, numbers] : down)
            whole += numbers.self;
        // Those that cost too little have no row, nor has what is below them.
        const Numbered all = expected;
        std::erase_if(expected, [&](const auto &entry) {
            for (std::size_t length = 1; length <= entry.first.size(); ++length) {
                const Path part(entry.first.begin(), entry.first.begin() + static_cast<std::ptrdiff_t>(length));
                const TimeNs self = all.at(part).self;
                if (self <= 0 || self < whole / 2000)
                    return entry.first.size() > 1;
            }
            return false;
        });
        QCOMPARE(described(numbered(callTreeTable(traces, {}, {true, false}))), described(expected));
    }

    void aFilterOfDeviceWorkKeepsWhatLaunchedIt()
    {
        std::mt19937_64 random(4);
        const std::vector<RankTrace> traces = randomTrace(random);
        Scope scope;
        scope.events = matchingEvents(Filter::parse("kind:kernel gemm"), traces);
        const Table table = callTreeTable(traces, scope);
        const std::vector<Path> paths = pathsOf(table);
        TimeNs work = 0;
        for (std::size_t row = 0; row < table.rowCount(); ++row) {
            QVERIFY(table.findColumn("device_total_ns")->integer(row) > 0);
            work += table.findColumn("device_self_ns")->integer(row);
        }
        TimeNs expected = 0;
        const Trace &trace = *traces[0].trace;
        for (std::uint32_t e = 0; e < trace.eventCount(); ++e)
            expected += scope.events->contains(trace, EventId{e}) ? trace.duration(EventId{e}) : 0;
        QCOMPARE(work, expected);
        QVERIFY(std::any_of(paths.begin(), paths.end(), [](const Path &path) { return path.size() > 2; }));
    }

    void aFilterOfCallsKeepsTheWayToThemAndTheirWork()
    {
        std::mt19937_64 random(5);
        const std::vector<RankTrace> traces = randomTrace(random);
        Scope scope;
        scope.events = matchingEvents(Filter::parse("name == \"aten::mm\""), traces);
        const Numbered all = numbered(callTreeTable(traces, {}));
        const Numbered some = numbered(callTreeTable(traces, scope));
        QVERIFY(!some.empty() && some.size() < all.size());
        for (const auto &[path, numbers] : some) {
            const auto mm = std::find(path.begin(), path.end(), "aten::mm|operator");
            const bool leadsTo = std::any_of(some.begin(), some.end(), [&](const auto &other) {
                return other.first.size() > path.size() && std::equal(path.begin(), path.end(), other.first.begin())
                       && other.first.back() == "aten::mm|operator";
            });
            QVERIFY(mm != path.end() || leadsTo);
            if (mm != path.end() && mm == path.end() - 1)
                QCOMPARE(numbers.deviceTotal, all.at(path).deviceTotal);
        }
    }

    void ranksAreAddedUp()
    {
        std::mt19937_64 random(6);
        const std::vector<RankTrace> a = {{randomTrace(random)[0].trace, 0}};
        const std::vector<RankTrace> b = {{randomTrace(random)[0].trace, 1}};
        Numbered expected = numbered(callTreeTable(a, {}));
        for (const auto &[path, numbers] : numbered(callTreeTable(b, {}))) {
            Numbers &sum = expected[path];
            sum.calls += numbers.calls;
            sum.total += numbers.total;
            sum.self += numbers.self;
            sum.deviceTotal += numbers.deviceTotal;
            sum.deviceSelf += numbers.deviceSelf;
        }
        const std::vector<RankTrace> both = {a[0], b[0]};
        QCOMPARE(described(numbered(callTreeTable(both, {}))), described(expected));
    }

    void aFrameStandsBelowTheCallerItNames()
    {
        // The second frame crosses the first on the lane, yet was called by it.
        const std::vector<RankTrace> traces = {{TraceMaker()
                                                    .python("a.py(1): outer", 0, 10, 1, -1)
                                                    .python("b.py(2): inner", 2, 10, 2, 1)
                                                    .annotation("forward", 3, 4)
                                                    .python("c.py(3): leaf", 4, 2, 3, 2)
                                                    .op("aten::mm", 4.5, 1)
                                                    .build(),
                                                {}}};
        const Numbered rows = numbered(callTreeTable(traces, {}));
        const Path leaf = {"a.py(1): outer|python", "b.py(2): inner|python", "forward|annotation",
                           "c.py(3): leaf|python", "aten::mm|operator"};
        QVERIFY2(rows.contains(leaf), qPrintable(described(rows)));
        QCOMPARE(rows.size(), std::size_t{5});
    }

    void callersInACircleEnd()
    {
        const std::vector<RankTrace> traces = {{TraceMaker()
                                                    .python("a.py(1): a", 0, 10, 1, 2)
                                                    .python("b.py(2): b", 20, 10, 2, 1)
                                                    .python("c.py(2): c", 40, 10, 3, 3)
                                                    .build(),
                                                {}}};
        QVERIFY(callTreeTable(traces, {}).rowCount() >= 3);
        QVERIFY(callTreeTable(traces, {}, {true, false}).rowCount() >= 3);
    }

    void aVeryDeepTreeIsNoTrouble()
    {
        TraceMaker maker;
        constexpr int kDepth = 3000;
        for (int i = 0; i < kDepth; ++i)
            maker.op(i % 2 == 0 ? "even" : "odd", i, 2.0 * (kDepth - i));
        const std::vector<RankTrace> traces = {{maker.build(), {}}};
        const Table down = callTreeTable(traces, {});
        QCOMPARE(down.rowCount(), std::size_t{kDepth});
        QCOMPARE(down.findColumn("depth")->integer(kDepth - 1), std::int64_t{kDepth - 1});
        const Table up = callTreeTable(traces, {}, {true, false});
        QCOMPARE(up.findColumn("cpu_total_ns")->integer(0), std::int64_t{2 * kDepth * 1000});
    }

    void nothingIsAnEmptyTable()
    {
        QCOMPARE(callTreeTable({}, {}).rowCount(), std::size_t{0});
        const std::vector<RankTrace> traces = {{TraceMaker().build(), {}}};
        QCOMPARE(callTreeTable(traces, {}, {true, true}).rowCount(), std::size_t{0});
    }
};

QTEST_APPLESS_MAIN(TstCallTree)
#include "tst_call_tree.moc"
