// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/lane_builder.h"
#include "core/import/import.h"
#include "tests/support/qt_text.h"
#include "tests/support/random_json.h"
#include "tests/support/trace_maker.h"

#include <QTest>

#include <string>

using namespace ks;

namespace {

std::string lanesOf(const Trace &trace)
{
    std::string text;
    for (const Lane &lane : trace.lanes()) {
        text += trace.processOf(lane).pid.text() + "/" + lane.tid.text() + " " + std::string(laneKindId(lane.kind)) + " '" + lane.name + "'";
        if (lane.device)
            text += " device " + std::to_string(*lane.device) + (lane.stream ? " stream " + std::to_string(*lane.stream) : "");
        text += "; ";
    }
    return text;
}

std::string slice(const char *category, const char *pid, const char *tid, const char *args = "")
{
    return json("{'ph':'X','ts':1,'dur':1,'cat':'") + category + json("','pid':") + json(pid) + json(",'tid':") + json(tid) + json(",'args':{") + json(args) + "}},";
}

std::string row(const char *what, const char *pid, const char *tid, const char *args)
{
    return json("{'ph':'M','name':'") + what + json("','pid':") + json(pid) + json(",'tid':") + json(tid) + json(",'args':{") + json(args) + "}},";
}

std::shared_ptr<const Trace> traceOf(const std::string &records)
{
    return importText("[" + records + "{}]");
}

} // namespace

class TstLaneBuilder : public QObject
{
    Q_OBJECT
private slots:
    void theCategoryDecidesWhatIsADevice()
    {
        // Python in a container is pid 1, like GPU 1; one operator of a broken exporter stands on pid 0.
        const auto trace = traceOf(slice("cpu_op", "1", "7") + slice("kernel", "1", "7") + slice("cpu_op", "0", "3") + slice("gpu_user_annotation", "0", "3"));
        QCOMPARE(q(lanesOf(*trace)), QStringLiteral("0/3 cpu '3'; 0/3 gpu '3' device 0 stream 3; 1/7 cpu '7'; 1/7 gpu '7' device 1 stream 7; "));
    }

    void argumentsTellDeviceAndStream()
    {
        const auto trace = traceOf(slice("kernel", "'0'", "'stream 7'", "'device':2,'stream':20") + slice("kernel", "'x'", "'y'"));
        QCOMPARE(q(lanesOf(*trace)), QStringLiteral("0/stream 7 gpu 'stream 7' device 2 stream 20; x/y gpu 'y'; "));
    }

    void namesAreTrimmedAndTheLastCounts()
    {
        const auto trace = traceOf(slice("cpu_op", "5", "5") + row("thread_name", "5", "5", "'name':'first'") + row("process_name", "5", "0", "'name':'python3'")
                                   + row("thread_name", "5", "5", "'name':' thread 5 (main) '") + row("process_labels", "5", "0", "'labels':'CPU'")
                                   + row("process_labels", "5", "0", "'labels':'more'") + row("process_labels", "5", "0", "'labels':'CPU '")
                                   + row("process_name", "9", "0", "'name':'without events'"));
        QCOMPARE(q(lanesOf(*trace)), QStringLiteral("5/5 cpu 'thread 5 (main)'; "));
        QCOMPARE(trace->processes().size(), std::size_t{1});
        QCOMPARE(q(trace->processes()[0].name), QStringLiteral("python3"));
        QVERIFY((trace->processes()[0].labels == std::vector<std::string>{"CPU", "more"}));
    }

    void sortIndicesOrderProcessesAndLanes()
    {
        const auto trace = traceOf(slice("cpu_op", "3", "1") + slice("cpu_op", "3", "2") + slice("cpu_op", "2", "10") + slice("cpu_op", "2", "9")
                                   + row("process_sort_index", "3", "0", "'sort_index':-5") + row("thread_sort_index", "3", "2", "'sort_index':-1")
                                   + row("thread_name", "2", "10", "'name':'a'"));
        QCOMPARE(q(lanesOf(*trace)), QStringLiteral("3/2 cpu '2'; 3/1 cpu '1'; 2/9 cpu '9'; 2/10 cpu 'a'; "));
    }

    void numbersAndTheirTextsAreOneLane()
    {
        const auto trace = traceOf(slice("cpu_op", "5", "7") + slice("cpu_op", "'5'", "'7'") + slice("cpu_op", "'05'", "7") + slice("cpu_op", "''", "''"));
        QCOMPARE(trace->lanes().size(), std::size_t{3});
        QCOMPARE(trace->processes().size(), std::size_t{3});
    }

    void scaffoldingIsNoThread()
    {
        const auto trace = traceOf(slice("Trace", "'Spans'", "'PyTorch Profiler'") + slice("overhead", "-1", "0") + slice("cpu_op", "7", "7") + slice("overhead", "7", "7"));
        for (const Lane &lane : trace->lanes())
            QVERIFY((lane.kind == LaneKind::Other) == (lane.tid.text() != "7"));
    }

    void ranksOfMergedFilesAreSeen()
    {
        QCOMPARE(q(rankTagOf("[TP01] 100")), QStringLiteral("[TP01]"));
        QCOMPARE(q(rankTagOf("rank 3 CPU")), QStringLiteral("rank 3"));
        QCOMPARE(q(rankTagOf("Rank_12")), QStringLiteral("Rank_12"));
        for (const char *none : {"", "rank", "rank ", "rank x", "frank 3", "[open", "100"})
            QVERIFY2(rankTagOf(none).empty(), none);
        // Correlations are unique within one rank.
        const auto trace = traceOf(slice("cuda_runtime", "'rank 0 CPU'", "1", "'correlation':5") + slice("cuda_runtime", "'rank 1 CPU'", "1", "'correlation':5")
                                   + slice("kernel", "'rank 1 GPU'", "1", "'correlation':5"));
        const LaunchLink link = trace->launchLink(trace->eventAtFileIndex(2));
        QVERIFY(link.launch == trace->eventAtFileIndex(1));
        QVERIFY(trace->processes()[0].rank == std::optional<std::int64_t>(0));
    }
};

QTEST_APPLESS_MAIN(TstLaneBuilder)
#include "tst_lane_builder.moc"
