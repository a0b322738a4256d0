// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/import.h"
#include "tests/support/qt_text.h"
#include "tests/support/random_json.h"
#include "tests/support/trace_check.h"
#include "tests/support/trace_maker.h"

#include <QTest>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace ks;

namespace {

// "a>b c>d": arrows by the names of their events.
std::string arrowsOf(const Trace &trace)
{
    std::string text;
    for (const Arrow &arrow : trace.arrows().all)
        text += std::string(trace.name(arrow.from)) + ">" + std::string(trace.name(arrow.to)) + " ";
    return text;
}

} // namespace

class TstFlowArrows : public QObject
{
    Q_OBJECT
private slots:
    void recordsBindToTheInnermostEventOpenThen()
    {
        const auto trace = TraceMaker().op("outer", 0, 100).op("inner", 10, 20).thread(2).op("other", 50, 20).flow("dep", 1, 15, 100, 55, 2).build();
        QCOMPARE(q(arrowsOf(*trace)), QStringLiteral("inner>other "));
        QCOMPARE(trace->arrowsFrom(trace->arrows().all[0].from).size(), std::size_t{1});
        QCOMPARE(trace->arrowsTo(trace->arrows().all[0].to).size(), std::size_t{1});
        QCOMPARE(trace->arrows().danglingEnds, std::uint64_t{0});
    }

    void aRecordRightBehindItsSliceBelongsToIt()
    {
        // Kineto's way: the same time and thread, directly behind; an inner event of the same time does not steal it.
        const auto trace = TraceMaker().op("outer", 0, 100).flowRecord('s', "dep", 1, 0, 100, 100).op("inner", 0, 50).thread(2).op("other", 50, 20)
                               .flowRecord('f', "dep", 1, 50, 100, 2).build();
        QCOMPARE(q(arrowsOf(*trace)), QStringLiteral("outer>other "));
    }

    void anEndWithoutBindingPointGoesToTheNextEvent()
    {
        const auto trace = importText(json("[{'ph':'X','name':'a','ts':0,'dur':10,'pid':1,'tid':1},{'ph':'X','name':'open','ts':20,'dur':30,'pid':1,'tid':2},"
                                           "{'ph':'X','name':'next','ts':60,'dur':5,'pid':1,'tid':2},{'ph':'s','id':1,'name':'x','cat':'c','ts':5,'pid':1,'tid':1},"
                                           "{'ph':'f','id':1,'name':'x','cat':'c','ts':30,'pid':1,'tid':2}]"));
        QCOMPARE(q(arrowsOf(*trace)), QStringLiteral("a>next "));
    }

    void stepsMakeAChain()
    {
        const auto trace = TraceMaker().op("a", 0, 10).op("b", 20, 10).op("c", 40, 10).flowRecord('s', "dep", 1, 5, 100, 100).flowRecord('t', "dep", 1, 25, 100, 100)
                               .flowRecord('f', "dep", 1, 45, 100, 100).build();
        QCOMPARE(q(arrowsOf(*trace)), QStringLiteral("a>b b>c "));
    }

    void anIdUsedAgainStartsAgain()
    {
        const auto trace = TraceMaker().op("a", 0, 10).op("b", 20, 10).op("c", 40, 10).op("d", 60, 10).flow("dep", 1, 5, 100, 25, 100).flow("dep", 1, 45, 100, 65, 100).build();
        QCOMPARE(q(arrowsOf(*trace)), QStringLiteral("a>b c>d "));
    }

    void categoriesKeepEqualIdsApart()
    {
        const auto trace = TraceMaker().op("a", 0, 10).op("b", 20, 10).op("c", 40, 10).op("d", 60, 10).flowRecord('s', "one", 1, 5, 100, 100)
                               .flowRecord('s', "two", 1, 25, 100, 100).flowRecord('f', "two", 1, 45, 100, 100).flowRecord('f', "one", 1, 65, 100, 100).build();
        QCOMPARE(q(arrowsOf(*trace)), QStringLiteral("a>d b>c "));
    }

    void arrowsBetweenTheSameEventsAreInTheOrderOfTheirCategories()
    {
        // Not in that of the numbers which categories happen to get while the file is read.
        const auto trace = TraceMaker().op("a", 0, 10).op("b", 20, 10).flow("two", 1, 5, 100, 25, 100).flow("three", 2, 6, 100, 26, 100).flow("one", 3, 7, 100, 27, 100).build();
        std::string categories;
        for (const Arrow &arrow : trace->arrows().all)
            categories += std::string(nameText(arrow.category)) + " ";
        QCOMPARE(q(categories), QStringLiteral("one three two "));
    }

    void launchFlowsOnlyLeadFromLaunchesToDeviceWork()
    {
        const auto trace = TraceMaker().launch("cudaLaunchKernel", 0, 5, 1).flowRecord('s', "ac2g", 1, 0, 100, 100).kernel("k", 20, 5, 7, 1)
                               .flowRecord('f', "ac2g", 1, 20, 0, 7).launch("cudaEventQuery", 30, 5, 2).flowRecord('f', "ac2g", 2, 30, 100, 100)
                               .launch("one", 40, 5, 3).flowRecord('s', "ac2g", 3, 40, 100, 100).launch("two", 50, 5, 4).flowRecord('f', "ac2g", 3, 50, 100, 100).build();
        QCOMPARE(q(arrowsOf(*trace)), QStringLiteral("cudaLaunchKernel>k "));
        QCOMPARE(trace->arrows().danglingEnds, std::uint64_t{1});
        for (const Diagnostic &note : trace->diagnostics())
            QVERIFY2(note.message.find("flow") == std::string::npos, note.message.c_str());
    }

    void anArrowMayPointBackInTime()
    {
        const auto trace = TraceMaker().launch("cudaLaunchKernel", 100, 5, 1).kernel("k", 20, 5, 7, 1).flowRecord('f', "ac2g", 1, 20, 0, 7)
                               .flowRecord('s', "ac2g", 1, 100, 100, 100).build();
        QCOMPARE(q(arrowsOf(*trace)), QStringLiteral("cudaLaunchKernel>k "));
    }

    void idsOfABindIdAreChainsToo()
    {
        const auto trace = importText(json("[{'ph':'X','name':'a','ts':0,'dur':10,'pid':1,'tid':1,'bind_id':'0x1','flow_out':true},"
                                           "{'ph':'X','name':'b','ts':20,'dur':10,'pid':1,'tid':2,'bind_id':'0x1','flow_in':true,'flow_out':true},"
                                           "{'ph':'X','name':'c','ts':40,'dur':10,'pid':1,'tid':1,'bind_id':'0x1','flow_in':true}]"));
        QCOMPARE(q(arrowsOf(*trace)), QStringLiteral("a>b b>c "));
    }

    void deepLanesBindTheSameWay()
    {
        // A lane of crossing events with many rows; what is open is found by looking at all events.
        for (unsigned seed = 0; seed < 20; ++seed) {
            std::mt19937_64 random(seed);
            TraceMaker maker;
            const int count = 600;
            for (int i = 0; i < count; ++i)
                maker.op("e" + std::to_string(i), static_cast<double>(random() % 1000), static_cast<double>(random() % 400));
            maker.thread(2).op("target", 5000, 10);
            std::vector<double> times;
            for (int i = 0; i < 100; ++i) {
                times.push_back(static_cast<double>(random() % 2900) / 2);
                maker.flowRecord('s', "dep", static_cast<std::uint64_t>(i), times.back(), 100, 100).flowRecord('f', "dep", static_cast<std::uint64_t>(i), 5005, 100, 2);
            }
            const auto trace = maker.build();
            QVERIFY(trace->rows().size() > 65);
            std::vector<std::string> expected;
            for (const double us : times) {
                const TimeNs time = static_cast<TimeNs>(us * 1000) - static_cast<std::int64_t>(trace->fileTime(0));
                EventId best = kNoEvent;
                for (std::uint32_t i = 0; i < count; ++i) {
                    const EventId id = EventId{i};
                    const bool isOpen = trace->lane(id) == trace->lane(EventId{0}) && trace->begin(id) <= time && (trace->end(id) > time || trace->begin(id) == time);
                    if (isOpen && (best == kNoEvent || std::pair(trace->begin(id), -trace->duration(id)) >= std::pair(trace->begin(best), -trace->duration(best))))
                        best = id;
                }
                if (best != kNoEvent)
                    expected.push_back(std::string(trace->name(best)) + ">target");
            }
            std::vector<std::string> found;
            for (const Arrow &arrow : trace->arrows().all)
                found.push_back(std::string(trace->name(arrow.from)) + ">" + std::string(trace->name(arrow.to)));
            std::sort(expected.begin(), expected.end());
            std::sort(found.begin(), found.end());
            QVERIFY2(found == expected, std::to_string(seed).c_str());
        }
    }

    void recordsOnNothingLeadNowhere()
    {
        const auto trace = TraceMaker().op("a", 0, 10).flow("dep", 1, 50, 100, 60, 100).flow("dep", 2, 5, 100, 70, 55).flowRecord('f', "dep", 3, 5, 100, 100).build();
        QCOMPARE(q(arrowsOf(*trace)), QString());
        QVERIFY(traceFault(*trace).empty());
    }
};

QTEST_APPLESS_MAIN(TstFlowArrows)
#include "tst_flow_arrows.moc"
