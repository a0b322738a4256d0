// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collective.h"
#include "core/analysis/why.h"
#include "tests/support/trace_maker.h"

#include <QTest>

#include <numeric>

using namespace ks;

namespace {

EventId named(const Trace &trace, std::string_view name, std::size_t nth = 0)
{
    for (std::uint32_t i = 0; i < trace.eventCount(); ++i) { // in file order
        const EventId id = trace.eventAtFileIndex(i);
        if (trace.name(id) == name && nth-- == 0)
            return id;
    }
    return kNoEvent;
}

std::string chainText(const Trace &trace, const Why &why)
{
    std::string text;
    for (const ChainLink &link : why.chain)
        text += (text.empty() ? "" : " > ") + std::string(trace.name(link.event));
    return text;
}

} // namespace

class TstWhy : public QObject
{
    Q_OBJECT
private slots:
    void aKernelKnowsItsOperatorItsLaunchAndItsWait()
    {
        const auto trace = TraceMaker()
                               .step(7, 0, 200)
                               .op("aten::linear", 10, 60, R"("Input Dims":[[32, 64],[64,64],[]],"Input type":["c10::BFloat16","c10::BFloat16","Scalar"])")
                               .op("aten::addmm", 12, 50, R"("Input Dims":[[64],[32,64],[64,64],[64,32]],"Input type":["c10::BFloat16","c10::BFloat16","float","float"])")
                               .launch("cudaLaunchKernel", 30, 5, 71)
                               .kernel("gemm", 100, 20, 7, 71)
                               .build();
        const Why why = whyOf(*trace, named(*trace, "gemm"));
        QCOMPARE(chainText(*trace, why), std::string("ProfilerStep#7 > aten::linear > aten::addmm > cudaLaunchKernel > gemm"));
        QCOMPARE(why.op, named(*trace, "aten::addmm"));
        QCOMPARE(why.launch, named(*trace, "cudaLaunchKernel"));
        QVERIFY(why.via == LinkVia::Correlation);
        QVERIFY(why.missingLaunch == MissingLaunch::None);
        QVERIFY(why.missingOperator == MissingOperator::None);
        QCOMPARE(why.sinceOperator, std::optional<TimeNs>(18'000));
        QCOMPARE(why.waited, std::optional<TimeNs>(65'000));
        QCOMPARE(why.queuedBefore, std::size_t{0});
        QVERIFY(!why.group);
        QCOMPARE(why.inputs, std::string("[64] × [32,64] × [64,64] … bf16"));
    }

    void theQueueCountsOnlyWorkOfTheStreamThatWasNotFinished()
    {
        TraceMaker maker;
        maker.op("aten::relu", 0, 100);
        // Finished before the launch, still running at the launch, launched before, on another stream, launched after.
        maker.launch("cudaLaunchKernel", 1, 1, 1).kernel("done", 5, 2, 7, 1);
        maker.launch("cudaLaunchKernel", 3, 1, 2).kernel("running", 8, 30, 7, 2);
        maker.launch("cudaLaunchKernel", 5, 1, 3).kernel("queued", 40, 10, 7, 3);
        maker.launch("cudaLaunchKernel", 7, 1, 4).kernel("elsewhere", 40, 10, 20, 4);
        maker.launch("cudaLaunchKernel", 10, 2, 5).kernel("asked", 52, 10, 7, 5);
        maker.launch("cudaLaunchKernel", 14, 2, 6).kernel("later", 70, 10, 7, 6);
        const auto trace = maker.build();
        const Why why = whyOf(*trace, named(*trace, "asked"));
        QCOMPARE(why.waited, std::optional<TimeNs>(40'000));
        QCOMPARE(why.queuedBefore, std::size_t{2});
    }

    void workThatStartsDuringItsLaunchDidNotWait()
    {
        const auto trace = TraceMaker().launch("cudaLaunchKernel", 10, 20, 5).kernel("gemm", 15, 10, 7, 5).build();
        const Why why = whyOf(*trace, named(*trace, "gemm"));
        QCOMPARE(why.waited, std::optional<TimeNs>(0));
        QCOMPARE(why.queuedBefore, std::size_t{0});
    }

    void aGraphReplaySaysWhichNodeAndWhichReplay()
    {
        TraceMaker maker;
        maker.op("aten::add", 0, 3).launch("cudaLaunchKernel", 1, 1, 1).kernel("eager", 4, 1, 7, 1);
        maker.launch("cudaGraphLaunch", 10, 5, 100).kernel("a", 20, 2, 7, 100).kernel("b", 23, 2, 7, 100).kernel("c", 26, 2, 7, 100);
        maker.launch("cudaGraphLaunch", 40, 5, 200).kernel("a", 50, 2, 7, 200).kernel("b", 53, 2, 7, 200).kernel("c", 56, 2, 7, 200);
        maker.launch("cudaGraphLaunch", 60, 5, 300).kernel("x", 70, 2, 7, 300).kernel("y", 73, 2, 7, 300); // another graph
        const auto trace = maker.build();
        const Why why = whyOf(*trace, named(*trace, "b", 1));
        QVERIFY(why.group.has_value());
        QVERIFY(why.group->isGraph);
        QCOMPARE(why.group->node, std::size_t{2});
        QCOMPARE(why.group->nodes, std::size_t{3});
        QCOMPARE(why.group->replay, std::size_t{2});
        QCOMPARE(why.group->replays, std::size_t{2});
        QCOMPARE(why.queuedBefore, std::size_t{0}); // nodes of its own graph are no queue
        QVERIFY(why.missingOperator == MissingOperator::NothingAround);
        QVERIFY(!whyOf(*trace, named(*trace, "eager")).group);
    }

    void aMissingLaunchHasItsReason()
    {
        TraceMaker maker;
        maker.op("aten::add", 0, 30).launch("cudaLaunchKernel", 10, 1, 50).kernel("linked", 20, 1, 7, 50);
        maker.kernel("early", 1, 2, 7, 12);
        maker.kernel("stray", 30, 2, 7, 99);
        maker.kernel("zero", 40, 2, 7, 0);
        maker.kernel("node", 50, 2, 7, 98, 0, R"("graph id":3,"graph node id":12884901890)");
        maker.kernel("nonode", 60, 2, 7, 97, 0, R"("graph id":0,"graph node id":0)");
        const auto trace = maker.build();
        const auto reason = [&](std::string_view name) { return whyOf(*trace, named(*trace, name)).missingLaunch; };
        QVERIFY(reason("linked") == MissingLaunch::None);
        QVERIFY(reason("early") == MissingLaunch::BeforeRecording);
        QVERIFY(reason("stray") == MissingLaunch::NotRecorded);
        QVERIFY(reason("zero") == MissingLaunch::NoCorrelation);
        QVERIFY(reason("node") == MissingLaunch::Graph);
        QVERIFY(reason("nonode") == MissingLaunch::NotRecorded);
        const Why early = whyOf(*trace, named(*trace, "early"));
        QVERIFY(early.missingOperator == MissingOperator::NoLaunch);
        QCOMPARE(early.chain.size(), std::size_t{1});
        QVERIFY(!early.waited);
    }

    void aTraceWithoutHostEventsSaysSo()
    {
        const auto trace = TraceMaker().kernel("gemm", 1, 2, 7, 12).build();
        const Why why = whyOf(*trace, EventId{0});
        QVERIFY(why.missingLaunch == MissingLaunch::NoCpuEvents);
        QVERIFY(why.missingOperator == MissingOperator::NoOperators);
    }

    void aLaunchWithoutOperatorsIsToldApartFromOneOutsideThem()
    {
        const auto bare = TraceMaker().launch("cudaLaunchKernel", 10, 1, 50).kernel("k", 20, 1, 7, 50).build();
        QVERIFY(whyOf(*bare, named(*bare, "k")).missingOperator == MissingOperator::NoOperators);
        const auto outside =
            TraceMaker().op("aten::add", 0, 5).launch("cudaLaunchKernel", 10, 1, 50).kernel("k", 20, 1, 7, 50).build();
        QVERIFY(whyOf(*outside, named(*outside, "k")).missingOperator == MissingOperator::NothingAround);
        QVERIFY(whyOf(*outside, named(*outside, "cudaLaunchKernel")).missingOperator == MissingOperator::NothingAround);
    }

    void aBackwardKernelShowsItsForwardSide()
    {
        TraceMaker maker;
        maker.python("train.py(42): step", 0, 100, 1, -1).python("nn.Module: Linear_0", 5, 40, 2, 1);
        maker.op("aten::linear", 10, 20).op("aten::addmm", 11, 10, R"("Sequence number":5,"Fwd thread id":0)");
        maker.thread(200, "pt_autograd_0");
        maker.op("autograd::engine::evaluate_function: AddmmBackward0", 60, 30, R"("Sequence number":5,"Fwd thread id":1)");
        maker.op("AddmmBackward0", 61, 25, R"("Sequence number":5,"Fwd thread id":1)").op("aten::mm", 62, 20);
        maker.launch("cudaLaunchKernel", 65, 2, 9).kernel("gemm", 80, 5, 7, 9);
        maker.flow("fwdbwd", 1, 11, 100, 61, 200);
        const auto trace = maker.build();
        const Why why = whyOf(*trace, named(*trace, "gemm"));
        QCOMPARE(why.forwardOp, named(*trace, "aten::addmm"));
        QCOMPARE(why.forwardModule, named(*trace, "nn.Module: Linear_0"));
        QCOMPARE(why.forwardPython, named(*trace, "train.py(42): step"));
        QCOMPARE(whyOf(*trace, named(*trace, "aten::linear")).forwardOp, kNoEvent);
    }

    void aTritonKernelNamesItsFile()
    {
        TraceMaker maker;
        maker.op("triton_poi_fused_add_0", 0, 20, R"("kernel_file":"/tmp/torchinductor/ab/cd.py","kernel_hash":"x")");
        maker.launch("cuLaunchKernel", 5, 2, 9).kernel("triton_poi_fused_add_0", 30, 5, 7, 9);
        const auto trace = maker.build();
        QCOMPARE(whyOf(*trace, named(*trace, "triton_poi_fused_add_0", 1)).kernelFile, std::string("/tmp/torchinductor/ab/cd.py"));
    }

    void aCollectiveIsLabelledByWhatItIs()
    {
        TraceMaker maker;
        maker.op("record_param_comms", 0, 20,
                 R"("Collective name":"allreduce","dtype":"BFloat16","In msg nelems":33554432,"Out msg nelems":33554432,"Group size":8,"Process Group Description":"dp")");
        maker.launch("cudaLaunchKernelExC", 5, 2, 9).kernel("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 30, 50, 20, 9);
        const auto trace = maker.build();
        QCOMPARE(whyOf(*trace, named(*trace, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL")).collective,
                 std::string("all_reduce · bf16 · 64.0 MiB · dp"));
    }

    void collectivesOfAllSpellings_data()
    {
        QTest::addColumn<QByteArray>("raw");
        QTest::addColumn<QByteArray>("label");
        QTest::newRow("base") << QByteArray("_allgather_base") << QByteArray("all_gather");
        QTest::newRow("upper") << QByteArray("ALLTOALL_V") << QByteArray("all_to_all");
        QTest::newRow("scatter") << QByteArray("_reduce_scatter_base") << QByteArray("reduce_scatter");
        QTest::newRow("send") << QByteArray("send") << QByteArray("send");
    }
    void collectivesOfAllSpellings()
    {
        QFETCH(QByteArray, raw);
        QFETCH(QByteArray, label);
        const auto collective = collectiveOf({{"Collective name", '"' + raw.toStdString() + '"'}});
        QVERIFY(collective.has_value());
        QCOMPARE(collective->name, label.toStdString());
    }

    void anOverflowedMessageSizeIsNotShown()
    {
        const auto collective = collectiveOf(
            {{"Collective name", "\"allreduce\""}, {"dtype", "\"Float\""}, {"In msg nelems", "-5"}, {"Group size", "1"}});
        QVERIFY(collective.has_value());
        QVERIFY(!collective->bytes);
        QCOMPARE(collectiveLabel(*collective), std::string("all_reduce · fp32 · 1 rank"));
        QVERIFY(!collectiveOf({{"dtype", "\"Float\""}}));
    }

    void durationsAreRankedAmongThoseOfTheSameNameAndKind()
    {
        TraceMaker maker;
        maker.op("k", 0, 1000); // an operator of the same name does not count
        for (int i = 0; i < 10; ++i)
            maker.kernel("k", 2000 + i * 100, 10 + i, 7, 0);
        const auto trace = maker.build();
        const DurationRank rank = rankDuration(*trace, named(*trace, "k", 10));
        QCOMPARE(rank.calls, std::size_t{10});
        QCOMPARE(rank.shorter, std::size_t{9});
        QCOMPARE(rank.percentile(), 95);
        QCOMPARE(rank.minimum, TimeNs{10'000});
        QCOMPARE(rank.maximum, TimeNs{19'000});
        QCOMPARE(rank.total, TimeNs{145'000});
        QCOMPARE(rank.ownBin, rank.bins.size() - 1);
        QCOMPARE(std::accumulate(rank.bins.begin(), rank.bins.end(), 0U), 10U);
        const DurationRank op = rankDuration(*trace, named(*trace, "k"));
        QCOMPARE(op.calls, std::size_t{1});
        QVERIFY(op.bins.empty());
        QCOMPARE(op.percentile(), 50);
    }
};

QTEST_APPLESS_MAIN(TstWhy)
#include "tst_why.moc"
