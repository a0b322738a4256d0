// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/counterpart.h"
#include "tests/support/planted_run.h"

#include <QTest>

#include <algorithm>
#include <memory>
#include <vector>

using namespace ks;

namespace {

std::vector<EventId> named(const Trace &trace, std::string_view name)
{
    std::vector<EventId> found;
    for (std::uint32_t i = 0; i < trace.eventCount(); ++i) {
        if (trace.name(EventId{i}) == name)
            found.push_back(EventId{i});
    }
    std::stable_sort(found.begin(), found.end(), [&](EventId a, EventId b) { return trace.begin(a) < trace.begin(b); });
    return found;
}

void expectPairs(const Trace &a, std::string_view nameA, const Trace &b, std::string_view nameB)
{
    const std::vector<EventId> own = named(a, nameA);
    const std::vector<EventId> others = named(b, nameB);
    QVERIFY(!own.empty());
    QCOMPARE(own.size(), others.size());
    for (std::size_t i = 0; i < own.size(); ++i) {
        QVERIFY(counterpartOf(a, own[i], b) == others[i]);
        QVERIFY(counterpartOf(b, others[i], a) == own[i]);
    }
}

} // namespace

class TstCounterpart : public QObject
{
    Q_OBJECT
private slots:
    void callsAndKernelsHaveThePlaceOfTheirStep()
    {
        const auto a = plantedRun().build();
        const auto b = plantedRun({.productUs = 230, .hostUs = 300, .noiseUs = 5}).build();
        for (const char *name : {"aten::mm", "aten::add", "sgemm_128x64", "ProfilerStep#2"})
            expectPairs(*a, name, *b, name);
    }

    void aKernelOfAnotherNameIsFoundBelowItsOperator()
    {
        const auto a = plantedRun().build();
        const auto b = plantedRun({.productKernel = "Cijk_MT128x64"}).build();
        expectPairs(*a, "sgemm_128x64", *b, "Cijk_MT128x64");
    }

    void whereTheOtherRunHasFewerCallsThereIsNone()
    {
        const auto a = plantedRun({.layers = 4}).build();
        const auto b = plantedRun({.layers = 3}).build();
        const std::vector<EventId> own = named(*a, "aten::mm");
        const std::vector<EventId> others = named(*b, "aten::mm");
        QVERIFY(counterpartOf(*a, own[2], *b) == others[2]);
        QVERIFY(counterpartOf(*a, own[3], *b) == kNoEvent);
        QVERIFY(counterpartOf(*a, own[4], *b) == others[3]); // the first of the next step
    }

    void anOperatorThatIsNotThereHasNone()
    {
        const auto a = plantedRun().build();
        const auto b = plantedRun({.isFused = true}).build();
        QVERIFY(counterpartOf(*a, named(*a, "aten::add").front(), *b) == kNoEvent);
        QVERIFY(counterpartOf(*b, named(*b, "aten::addmm").front(), *a) == kNoEvent);
    }

    void withoutStepsTheTracesAreTakenAsOne()
    {
        TraceMaker a;
        TraceMaker b;
        for (int i = 0; i < 3; ++i) {
            a.op("x", i * 10, 5);
            b.op("x", 100 + i * 20, 7);
        }
        expectPairs(*a.build(), "x", *b.build(), "x");
    }
};

QTEST_APPLESS_MAIN(TstCounterpart)
#include "tst_counterpart.moc"
