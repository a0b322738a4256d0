// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/chain.h"
#include "tests/support/qt_text.h"
#include "tests/support/trace_maker.h"

#include <QTest>

using namespace ks;

namespace {

EventId named(const Trace &trace, std::string_view name)
{
    for (std::uint32_t i = 0; i < trace.eventCount(); ++i) {
        if (trace.name(trace.eventAtFileIndex(i)) == name)
            return trace.eventAtFileIndex(i);
    }
    return kNoEvent;
}

QString namesOf(const Trace &trace, const std::vector<EventId> &events)
{
    QStringList names;
    for (const EventId id : events)
        names += q(trace.name(id));
    return names.join(QStringLiteral(" > "));
}

// "role name > role name"
QString chainText(const Trace &trace, std::string_view name, PythonChain python = PythonChain::Geometry)
{
    QStringList links;
    for (const ChainLink &link : chainOf(trace, named(trace, name), python))
        links += q(chainRoleId(link.role)) + QLatin1Char(' ') + q(trace.name(link.event));
    return links.join(QStringLiteral(" > "));
}

} // namespace

class TstChain : public QObject
{
    Q_OBJECT
private slots:
    void goesFromThePythonLineToTheKernel()
    {
        const auto trace = TraceMaker()
                               .python("train.py(3): main", 0, 100, 1)
                               .step(4, 5, 90)
                               .python("nn.Module: Linear_0", 10, 50, 2, 1)
                               .op("aten::linear", 12, 40)
                               .op("aten::mm", 15, 30)
                               .launch("cudaLaunchKernel", 20, 5, 7)
                               .kernel("gemm", 60, 20, 7, 7)
                               .build();
        QCOMPARE(chainText(*trace, "gemm"), q("python train.py(3): main > annotation ProfilerStep#4 > module "
                                              "nn.Module: Linear_0 > operator aten::linear > "
                                              "operator aten::mm > launch cudaLaunchKernel > kernel gemm"));
        QCOMPARE(chainText(*trace, "aten::linear"), q("python train.py(3): main > annotation ProfilerStep#4 > module "
                                                      "nn.Module: Linear_0 > operator aten::linear"));
        const auto named = [&](std::string_view name) { return ::named(*trace, name); };
        QCOMPARE(launchingOperator(*trace, named("gemm")), named("aten::mm"));
        QCOMPARE(launchingOperator(*trace, named("cudaLaunchKernel")), named("aten::mm"));
        QCOMPARE(enclosing(*trace, named("cudaLaunchKernel"), EventKind::Annotation), named("ProfilerStep#4"));
        QCOMPARE(enclosing(*trace, named("aten::mm"), EventKind::Operator), named("aten::mm"));
        QCOMPARE(enclosing(*trace, named("train.py(3): main"), EventKind::Operator), kNoEvent);
    }

    void workBelowIsWhatWasLaunchedInside()
    {
        const auto trace = TraceMaker()
                               .op("outer", 0, 50)
                               .op("inner", 5, 20)
                               .launch("l1", 6, 2, 1)
                               .launch("l2", 30, 5, 2)
                               .op("after", 50, 20)
                               .launch("l3", 55, 5, 3)
                               .thread(200)
                               .launch("other thread", 10, 2, 4)
                               .kernel("k2", 40, 5, 7, 2)
                               .kernel("k1", 20, 5, 7, 1)
                               .kernel("k1 graph node", 30, 5, 7, 1)
                               .kernel("k3", 70, 5, 7, 3)
                               .kernel("k4", 21, 5, 8, 4)
                               .build();
        const auto below = [&](std::string_view name) {
            return namesOf(*trace, deviceWorkBelow(*trace, named(*trace, name)));
        };
        QCOMPARE(below("outer"), q("k1 > k1 graph node > k2"));
        QCOMPARE(below("inner"), q("k1 > k1 graph node"));
        QCOMPARE(below("l2"), q("k2"));
        QCOMPARE(below("after"), q("k3"));
        QCOMPARE(below("other thread"), q("k4"));
        QCOMPARE(below("k3"), q("k3"));
    }

    void anEventThatCrossesIsNotAround()
    {
        const auto trace = TraceMaker()
                               .annotation("crossing", 0, 22)
                               .op("op", 10, 30)
                               .launch("inside both", 15, 2, 1)
                               .launch("over the end", 20, 5, 2)
                               .kernel("a", 50, 5, 7, 1)
                               .kernel("b", 60, 5, 7, 2)
                               .build();
        // The launch inside both is enclosed by both, although neither of them encloses the other.
        QCOMPARE(chainText(*trace, "a"), q("annotation crossing > operator op > launch inside both > kernel a"));
        QCOMPARE(chainText(*trace, "b"), q("operator op > launch over the end > kernel b"));
        QCOMPARE(namesOf(*trace, deviceWorkBelow(*trace, named(*trace, "crossing"))), q("a"));
        QCOMPARE(namesOf(*trace, deviceWorkBelow(*trace, named(*trace, "op"))), q("a > b"));
    }

    void ofEqualIntervalsTheFirstInTheFileIsOutside()
    {
        const auto trace = TraceMaker()
                               .op("first", 10, 20)
                               .op("second", 10, 20)
                               .launch("launch", 10, 20, 1)
                               .kernel("k", 50, 5, 7, 1)
                               .build();
        QCOMPARE(chainText(*trace, "k"), q("operator first > operator second > launch launch > kernel k"));
        QCOMPARE(namesOf(*trace, deviceWorkBelow(*trace, named(*trace, "second"))), q("k"));
    }

    void workWithoutALaunchFollowsItsOperator()
    {
        const auto trace = TraceMaker()
                               .op("aten::mm", 0, 20, R"("External id":11)")
                               .op("aten::add", 30, 20, R"("External id":12)")
                               .kernel("gemm", 60, 5, 7, 71, 0, R"("External id":11)")
                               .kernel("nothing known", 70, 5, 7, 72)
                               .build();
        QCOMPARE(chainText(*trace, "gemm"), q("operator aten::mm > kernel gemm"));
        QCOMPARE(chainText(*trace, "nothing known"), q("kernel nothing known"));
        QCOMPARE(launchingOperator(*trace, named(*trace, "nothing known")), kNoEvent);
        QCOMPARE(namesOf(*trace, deviceWorkBelow(*trace, named(*trace, "aten::mm"))), q("gemm"));
        QCOMPARE(namesOf(*trace, deviceWorkBelow(*trace, named(*trace, "aten::add"))), q(""));
    }

    void callersComeFromTheirIds()
    {
        // The frame `b` was called by `a`, says the file, although it starts after `a` has ended.
        const auto trace = TraceMaker()
                               .python("main", 0, 100, 1)
                               .python("a", 10, 20, 2, 1)
                               .python("b", 40, 20, 3, 2)
                               .op("aten::mm", 45, 10)
                               .build();
        QCOMPARE(chainText(*trace, "aten::mm"), q("python main > python b > operator aten::mm"));
        QCOMPARE(chainText(*trace, "aten::mm", PythonChain::Callers),
                 q("python main > python a > python b > operator aten::mm"));
        QCOMPARE(chainText(*trace, "b", PythonChain::Callers), q("python main > python a > python b"));
    }

    void annotationsOfADeviceAreAroundTheirWork()
    {
        const auto trace =
            TraceMaker().gpuAnnotation("forward", 0, 50, 7).kernel("k1", 10, 5, 7, 0).kernel("k2", 60, 5, 7, 0).build();
        QCOMPARE(namesOf(*trace, deviceWorkBelow(*trace, named(*trace, "forward"))), q("k1"));
        QCOMPARE(chainText(*trace, "k1"), q("annotation forward > kernel k1"));
    }
};

QTEST_APPLESS_MAIN(TstChain)
#include "tst_chain.moc"
