// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/flow_layout.h"
#include "tests/support/row_trace.h"
#include "tests/support/trace_maker.h"

#include <QTest>

#include <cmath>

using namespace ks;

namespace {

EventId named(const Trace &trace, std::string_view name)
{
    for (std::size_t i = 0; i < trace.eventCount(); ++i) {
        if (trace.name(static_cast<EventId>(i)) == name)
            return static_cast<EventId>(i);
    }
    return kNoEvent;
}

std::shared_ptr<const Trace> training()
{
    TraceMaker maker;
    maker.thread(100, "main").step(1, 0, 1000);
    maker.op("aten::linear", 100, 300).launch("cudaLaunchKernel", 150, 20, 7).launch("cuLaunchKernel", 200, 20, 8);
    maker.op("aten::other", 500, 50).launch("hipLaunchKernel", 510, 10, 9);
    maker.kernel("first", 400, 100, 7, 7).kernel("second", 500, 100, 7, 8).kernel("third", 700, 100, 7, 9);
    return maker.build();
}

struct Picture
{
    std::shared_ptr<const Trace> trace = training();
    LaneLayout layout;
    Viewport view;

    explicit Picture(TimeRange range = {0, 1'000'000}, LaneArrangement folds = {})
        : layout(*trace, std::make_shared<const ViewIndex>(*trace), folds)
        , view(trace->range(), range, 1000)
    {}
    std::vector<FlowCurve> flows(EventId event, FlowView y = {0, 10'000}) const
    {
        return layoutFlows(*trace, view, layout, y, flowLinksOf(*trace, event, kMaxFlows));
    }
};

} // namespace

class TstFlowLayout : public QObject
{
    Q_OBJECT
private slots:
    void leadsFromALaunchToItsKernel();
    void theSameArrowFromEitherEnd();
    void anOperatorLeadsToAllItsKernels();
    void endsAtTheEdgeWhenOutOfView();
    void endsAtTheStripOfAFoldedLane();
    void endsAtTheHeadingOfAFoldedGroup();
    void neverDrawsMoreThanTheCap();
    void arrowsOfTheFileAreDrawnOnce();
    void markersCanBeHit();
    void aSynchronisationWaitsForTheLastWork();
    void arrowsOfManyThatLieTogetherAreFew();
};

void TstFlowLayout::leadsFromALaunchToItsKernel()
{
    const Picture picture;
    const auto flows = picture.flows(named(*picture.trace, "first"));
    QCOMPARE(flows.size(), std::size_t{1});
    const FlowCurve &flow = flows.front();
    QCOMPARE(flow.from.event, named(*picture.trace, "cudaLaunchKernel"));
    QCOMPARE(flow.to.event, named(*picture.trace, "first"));
    QVERIFY(std::abs(flow.from.x - 160) < 1);
    QVERIFY(std::abs(flow.to.x - 400) < 1);
    QVERIFY(flow.to.y > flow.from.y);
    QVERIFY(!flow.from.atEdge && !flow.to.atEdge);
}

void TstFlowLayout::theSameArrowFromEitherEnd()
{
    const Picture picture;
    const auto fromKernel = picture.flows(named(*picture.trace, "first"));
    const auto fromLaunch = picture.flows(named(*picture.trace, "cudaLaunchKernel"));
    QCOMPARE(fromLaunch.size(), fromKernel.size());
    QCOMPARE(fromLaunch.front().to.event, fromKernel.front().to.event);
    QCOMPARE(fromLaunch.front().from.event, fromKernel.front().from.event);
}

void TstFlowLayout::anOperatorLeadsToAllItsKernels()
{
    const Picture picture;
    const auto links = flowLinksOf(*picture.trace, named(*picture.trace, "aten::linear"), kMaxFlows);
    QCOMPARE(links.size(), std::size_t{2});
    QCOMPARE(links[0].to, named(*picture.trace, "first"));
    QCOMPARE(links[1].to, named(*picture.trace, "second"));
}

void TstFlowLayout::endsAtTheEdgeWhenOutOfView()
{
    const Picture picture({390'000, 510'000});
    const auto flows = picture.flows(named(*picture.trace, "first"));
    QCOMPARE(flows.size(), std::size_t{1});
    QVERIFY(flows.front().from.atEdge);
    QCOMPARE(flows.front().from.x, 0.0);
    QVERIFY(!flows.front().to.atEdge);
    // Scrolled away: the upper edge.
    const Picture whole;
    const EventPlace kernel = placeOf(*whole.trace, whole.view, whole.layout, named(*whole.trace, "first"));
    const auto scrolled = whole.flows(named(*whole.trace, "first"), {kernel.y - 5, kernel.y + 100});
    QVERIFY(scrolled.front().from.atEdge);
    QCOMPARE(scrolled.front().from.y, static_cast<double>(kernel.y - 5));
}

void TstFlowLayout::endsAtTheStripOfAFoldedLane()
{
    const Picture open;
    LaneArrangement folds;
    folds.lanes.insert(open.trace->lane(named(*open.trace, "cudaLaunchKernel")));
    const Picture picture({0, 1'000'000}, folds);
    const auto flows = picture.flows(named(*picture.trace, "first"));
    QCOMPARE(flows.size(), std::size_t{1});
    const Block &block = picture.layout.blocks()[picture.layout.blockOf(picture.trace->lane(flows.front().from.event))];
    QVERIFY(block.folded);
    QVERIFY(flows.front().from.y > block.y && flows.front().from.y < block.y + block.height);
}

void TstFlowLayout::endsAtTheHeadingOfAFoldedGroup()
{
    LaneArrangement folds;
    folds.groups.insert(0);
    const Picture picture({0, 1'000'000}, folds);
    const auto flows = picture.flows(named(*picture.trace, "first"));
    QCOMPARE(flows.size(), std::size_t{1});
    QVERIFY(flows.front().from.y < kHeadingHeight);
}

void TstFlowLayout::neverDrawsMoreThanTheCap()
{
    TraceMaker maker;
    maker.op("big", 0, 100'000);
    for (int i = 0; i < 1000; ++i)
        maker.launch("cudaLaunchKernel", i * 50, 10, static_cast<std::uint64_t>(i + 1));
    for (int i = 0; i < 1000; ++i)
        maker.kernel("k", 60'000 + i * 50, 20, 7, static_cast<std::uint64_t>(i + 1));
    const auto trace = maker.build();
    std::size_t total = 0;
    const auto links = flowLinksOf(*trace, named(*trace, "big"), kMaxFlows, &total);
    QCOMPARE(links.size(), kMaxFlows);
    QCOMPARE(total, std::size_t{1000});
    const LaneLayout layout(*trace, std::make_shared<const ViewIndex>(*trace), {});
    const Viewport view(trace->range(), trace->range(), 300);
    const auto flows = layoutFlows(*trace, view, layout, {0, 1000}, links);
    QVERIFY(flows.size() <= kMaxFlows);
    QVERIFY(flows.size() < 30); // 150 launches in 23 pixels: what cannot be told apart is drawn once
}

void TstFlowLayout::arrowsOfTheFileAreDrawnOnce()
{
    TraceMaker maker;
    maker.thread(100, "main").op("aten::mm", 0, 100, R"("Sequence number":5)");
    maker.thread(200, "pt_autograd_0").op("MmBackward0", 300, 100, R"("Sequence number":5,"Fwd thread id":1)");
    maker.flow("fwdbwd", 11, 0, 100, 300, 200);
    const auto trace = maker.build();
    const auto links = flowLinksOf(*trace, named(*trace, "aten::mm"), kMaxFlows);
    QCOMPARE(links.size(), std::size_t{1});
    QCOMPARE(links.front().to, named(*trace, "MmBackward0"));
}

void TstFlowLayout::markersCanBeHit()
{
    const Picture picture({390'000, 510'000});
    const auto flows = picture.flows(named(*picture.trace, "first"));
    const FlowPoint &marker = flows.front().from;
    QCOMPARE(edgeMarkerAt(flows, marker.x + 3, marker.y + 3), named(*picture.trace, "cudaLaunchKernel"));
    QCOMPARE(edgeMarkerAt(flows, marker.x + 30, marker.y), kNoEvent);
    QCOMPARE(edgeMarkerAt(flows, flows.front().to.x, flows.front().to.y), kNoEvent);
}

void TstFlowLayout::aSynchronisationWaitsForTheLastWork()
{
    RowTrace rows;
    rows.process("1").lane(LaneKind::Cpu, LaneRole::MainThread, "1").row();
    const EventId early = rows.event("cudaStreamSynchronize", EventKind::Launch, 0, 40'000);
    const EventId sync = rows.event("cudaDeviceSynchronize", EventKind::Launch, 100'000, 200'000);
    rows.process("0").lane(LaneKind::Gpu, LaneRole::ComputeStream, "7").row();
    rows.event("first", EventKind::Kernel, 90'000, 50'000);
    const EventId last = rows.event("last", EventKind::Kernel, 150'000, 140'000);
    rows.event("behind", EventKind::Kernel, 350'000, 10'000);
    rows.lane(LaneKind::Gpu, LaneRole::CopyStream, "8").row();
    rows.event("copy", EventKind::Memcpy, 120'000, 60'000);
    const auto trace = rows.build();
    QVERIFY(flowLinksOf(*trace, sync, kMaxFlows) == (std::vector<FlowLink>{{last, sync, FlowKind::Arrow}}));
    QVERIFY(flowLinksOf(*trace, early, kMaxFlows).empty());
}

void TstFlowLayout::arrowsOfManyThatLieTogetherAreFew()
{
    // A hundred launches of one operator within ten pixels, their kernels within 150.
    TraceMaker maker;
    maker.thread(100, "main").step(1, 0, 10'000).op("aten::many", 100, 200);
    for (std::uint64_t i = 0; i < 100; ++i) {
        maker.launch("cudaLaunchKernel", 100 + static_cast<double>(i), 0.5, i + 1);
        maker.kernel("k", 1000 + static_cast<double>(i) * 15, 9, 7, i + 1);
    }
    const auto trace = maker.build();
    const auto links = flowLinksOf(*trace, named(*trace, "aten::many"), kMaxFlows);
    QCOMPARE(links.size(), std::size_t{100});
    const LaneLayout layout(*trace, std::make_shared<const ViewIndex>(*trace), {});
    const auto curvesOver = [&](TimeNs end) {
        return layoutFlows(*trace, Viewport(trace->range(), {0, end}, 1000), layout, {0, 10'000}, links);
    };
    const auto far = curvesOver(10'000'000);
    QVERIFY(far.size() >= 20 && far.size() <= 40);
    for (std::size_t i = 0; i < far.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j)
            QVERIFY(std::abs(far[i].from.x - far[j].from.x) >= 5 || std::abs(far[i].to.x - far[j].to.x) >= 5);
    }
    QVERIFY(curvesOver(2'500'000).size() > 90); // nearer by they can be told apart
}

QTEST_APPLESS_MAIN(TstFlowLayout)
#include "tst_flow_layout.moc"
