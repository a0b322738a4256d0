// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/torch_nesting.h"
#include "tests/support/qt_text.h"
#include "tests/support/trace_maker.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <random>

using namespace ks;

namespace {

constexpr std::uint32_t kNone = TorchNesting::kNone;

// "name<parent name", calls in order; the parent of a root is "-".
QString nestingText(const Trace &trace)
{
    const TorchNesting nesting(trace);
    QStringList calls;
    for (const TorchNesting::Call &call : nesting.calls())
        calls += q(trace.name(call.event)) + QLatin1Char('<')
                 + (call.parent == kNone ? QStringLiteral("-") : q(trace.name(nesting.calls()[call.parent].event)));
    return calls.join(QLatin1Char(' '));
}

TimeNs selfOf(const Trace &trace, std::string_view name, std::optional<TimeRange> within = {})
{
    const TorchNesting nesting(trace);
    const std::vector<TimeNs> self = nesting.selfTimes(within);
    for (std::size_t i = 0; i < self.size(); ++i) {
        if (trace.name(nesting.calls()[i].event) == name)
            return self[i];
    }
    return -1;
}

// The procedure word for word, on lists: nest with a stack, then merge until nothing changes. Says of each event which
// one it stands for, and of that one's parent.
struct Nested
{
    std::map<EventId, EventId> standsFor;
    std::map<EventId, EventId> parent;
};

Nested nestOnLists(const Trace &trace)
{
    struct Node
    {
        EventId id;
        int parent = -1;
        int mergedInto = -1;
        std::vector<int> children;
    };
    std::map<LaneId, std::vector<EventId>> lanes;
    for (std::uint32_t i = 0; i < trace.eventCount(); ++i) {
        const EventId id = trace.eventAtFileIndex(i);
        lanes[trace.lane(id)].push_back(id);
    }
    Nested result;
    for (auto &[lane, events] : lanes) {
        std::stable_sort(events.begin(), events.end(), [&](EventId a, EventId b) {
            return trace.begin(a) != trace.begin(b) ? trace.begin(a) < trace.begin(b) : trace.end(a) > trace.end(b);
        });
        std::vector<Node> nodes;
        std::vector<int> stack;
        for (const EventId id : events) {
            const int me = static_cast<int>(nodes.size());
            nodes.push_back({id, -1, -1, {}});
            while (!stack.empty()) {
                const EventId top = nodes[static_cast<std::size_t>(stack.back())].id;
                if (trace.begin(id) >= trace.end(top) || trace.end(id) > trace.end(top)) {
                    stack.pop_back();
                    continue;
                }
                nodes[static_cast<std::size_t>(me)].parent = stack.back();
                nodes[static_cast<std::size_t>(stack.back())].children.push_back(me);
                break;
            }
            stack.push_back(me);
        }
        for (bool changed = true; changed;) {
            changed = false;
            for (Node &node : nodes) {
                if (node.mergedInto >= 0 || node.parent < 0)
                    continue;
                Node &parent = nodes[static_cast<std::size_t>(node.parent)];
                if (trace.nameId(parent.id) != trace.nameId(node.id) || parent.children.size() != 1)
                    continue;
                parent.children = node.children;
                for (const int child : node.children)
                    nodes[static_cast<std::size_t>(child)].parent = node.parent;
                node.mergedInto = node.parent;
                changed = true;
            }
        }
        for (const Node &node : nodes) {
            const Node *kept = &node;
            while (kept->mergedInto >= 0)
                kept = &nodes[static_cast<std::size_t>(kept->mergedInto)];
            result.standsFor[node.id] = kept->id;
            result.parent[kept->id] = kept->parent >= 0 ? nodes[static_cast<std::size_t>(kept->parent)].id : kNoEvent;
        }
    }
    return result;
}

} // namespace

class TstTorchNesting : public QObject
{
    Q_OBJECT
private slots:
    void leavesPythonOutAndNestsLaunches()
    {
        const auto trace = TraceMaker()
                               .python("train.py(3): main", 0, 100, 1)
                               .annotation("forward", 5, 80)
                               .python("linear.py(9): forward", 8, 60, 2, 1)
                               .op("aten::mm", 10, 40)
                               .launch("cudaLaunchKernel", 20, 5, 7)
                               .kernel("gemm", 60, 20, 7, 7)
                               .build();
        QCOMPARE(nestingText(*trace), q("forward<- aten::mm<forward cudaLaunchKernel<aten::mm"));
        QCOMPARE(selfOf(*trace, "aten::mm"), TimeNs{35'000});
        QCOMPARE(selfOf(*trace, "forward"), TimeNs{40'000});
    }

    void dropsTheNoiseOfTheProfilerBeforeNesting()
    {
        const auto trace = TraceMaker()
                               .op("aten::add", 0, 100)
                               .op("aten::is_leaf", 10, 50)
                               .op("aten::empty", 20, 10)
                               .op("profiler::_record_function_enter_new", 70, 5)
                               .build();
        QCOMPARE(nestingText(*trace), q("aten::add<- aten::empty<aten::add"));
        QCOMPARE(selfOf(*trace, "aten::add"), TimeNs{90'000});
    }

    void givesACrossingCallNoParentAndTheOtherNoMoreChildren()
    {
        const auto trace = TraceMaker().op("a", 0, 50).op("b", 40, 30).op("c", 45, 2).build();
        QCOMPARE(nestingText(*trace), q("a<- b<- c<b"));
        const auto later = TraceMaker().op("a", 0, 50).op("b", 20, 40).op("c", 21, 5).op("d", 45, 3).build();
        QCOMPARE(nestingText(*later), q("a<- b<- c<b d<b"));
    }

    void countsACallThatBeginsAtTheEndOfAnotherAsNoChild()
    {
        const auto trace = TraceMaker().op("a", 0, 10).op("b", 10, 0).op("c", 0, 0).op("d", 10, 5).build();
        QCOMPARE(nestingText(*trace), q("a<- c<a d<- b<d"));
    }

    void takesTheFirstInTheFileOfEqualIntervalsAsTheParent()
    {
        QCOMPARE(nestingText(*TraceMaker().op("a", 0, 10).op("b", 0, 10).build()), q("a<- b<a"));
        QCOMPARE(nestingText(*TraceMaker().op("b", 0, 10).op("a", 0, 10).build()), q("b<- a<b"));
    }

    void mergesAnOnlyChildOfTheSameName()
    {
        const auto trace = TraceMaker()
                               .op("aten::to", 0, 90)
                               .op("aten::to", 5, 80)
                               .op("aten::to", 6, 70)
                               .op("aten::copy_", 10, 20)
                               .build();
        QCOMPARE(nestingText(*trace), q("aten::to<- aten::copy_<aten::to"));
        QCOMPARE(selfOf(*trace, "aten::to"), TimeNs{70'000});
        const auto two = TraceMaker().op("aten::to", 0, 90).op("aten::to", 5, 30).op("aten::empty", 50, 5).build();
        QCOMPARE(nestingText(*two), q("aten::to<- aten::to<aten::to aten::empty<aten::to"));
    }

    void takesStepsForOneName()
    {
        const auto trace = TraceMaker().step(1, 0, 90).step(2, 5, 80).build();
        QCOMPARE(nestingText(*trace), q("ProfilerStep#1<-"));
    }

    void cutsSelfTimesToARange()
    {
        const auto trace = TraceMaker().op("a", 0, 100).op("b", 20, 40).op("c", 70, 10).build();
        QCOMPARE(selfOf(*trace, "a", TimeRange{10'000, 50'000}), TimeNs{10'000});
        QCOMPARE(selfOf(*trace, "b", TimeRange{10'000, 50'000}), TimeNs{30'000});
        QCOMPARE(selfOf(*trace, "c", TimeRange{10'000, 50'000}), TimeNs{0});
    }

    void goesByTheFileWhereAMicrosecondHoldsTwoCallsOfALaneWrittenByBegin()
    {
        // In nanoseconds: two neighbours. An order by length would make the first a child of the second, and one call
        // of both.
        QCOMPARE(nestingText(*TraceMaker().op("aten::empty", 5, 0).op("aten::empty", 5, 1).build()),
                 q("aten::empty<- aten::empty<-"));
        QCOMPARE(nestingText(*TraceMaker().op("a", 5, 9).op("b", 5, 0).op("c", 5, 3).build()), q("a<- b<a c<a"));
        // Not so with nanoseconds, nor where the file is in another order.
        QCOMPARE(nestingText(*TraceMaker().op("a", 5, 0).op("b", 5, 1.001).build()), q("b<- a<b"));
        QCOMPARE(nestingText(*TraceMaker().op("a", 5, 0).op("b", 5, 1).op("c", 2, 1).build()), q("c<- b<- a<b"));
    }

    void agreesWithTheProcedureOnListsForRandomNestings()
    {
        std::mt19937_64 random(20240507);
        const auto upTo = [&random](int most) { return std::uniform_int_distribution<int>(0, most)(random); };
        for (int round = 0; round < 300; ++round) {
            TraceMaker maker;
            const int events = 1 + upTo(40);
            const int span = 5 + upTo(60);
            const int most = 1 + upTo(30);
            for (int i = 0; i < events; ++i) {
                maker.thread(100 + upTo(1));
                const std::string name(1, static_cast<char>('a' + upTo(2)));
                const double begin = upTo(span) + 0.001; // nanoseconds, so that no order of the file decides
                const double duration = upTo(4) == 0 ? 0 : upTo(most);
                switch (upTo(3)) {
                case 0: maker.annotation(name, begin, duration); break;
                case 1: maker.launch(name, begin, duration, 0); break;
                default: maker.op(name, begin, duration);
                }
            }
            const auto trace = maker.build();
            const TorchNesting nesting(*trace);
            const Nested wanted = nestOnLists(*trace);
            for (const auto &[event, kept] : wanted.standsFor) {
                const std::uint32_t call = nesting.callOf(event);
                QVERIFY2(call != kNone, qPrintable(q(maker.json())));
                QVERIFY2(nesting.calls()[call].event == kept, qPrintable(q(maker.json())));
                const std::uint32_t parent = nesting.calls()[call].parent;
                QVERIFY2((parent == kNone ? kNoEvent : nesting.calls()[parent].event) == wanted.parent.at(kept),
                         qPrintable(q(maker.json())));
            }
        }
    }

    void nestsDeepLanesAsShallowOnes()
    {
        TraceMaker maker;
        constexpr int kDepth = 80; // more rows than are merged one by one
        for (int i = 0; i < kDepth; ++i)
            maker.op(i % 2 == 0 ? "even" : "odd", i, 1000 - 2 * i);
        const auto trace = maker.build();
        const TorchNesting nesting(*trace);
        QCOMPARE(nesting.calls().size(), std::size_t{kDepth});
        for (std::uint32_t i = 1; i < kDepth; ++i)
            QCOMPARE(nesting.calls()[i].parent, i - 1);
    }
};

QTEST_APPLESS_MAIN(TstTorchNesting)
#include "tst_torch_nesting.moc"
