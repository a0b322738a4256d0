// SPDX-License-Identifier: GPL-3.0-or-later
// Filters that read arguments: what is read, in which order, and that no table can tell.
#include "core/analysis/analysis.h"
#include "core/analysis/filter.h"
#include "tests/support/qt_text.h"
#include "tests/support/random_run.h"
#include "tests/support/table_text.h"

#include <QTest>

#include <random>

using namespace ks;

namespace {

bool touches(const Trace &trace, std::size_t event, TimeRange range)
{
    const auto id = static_cast<EventId>(event);
    return trace.begin(id) < range.end && trace.end(id) >= range.begin;
}

TimeRange part(const Trace &trace, std::mt19937_64 &random)
{
    const TimeNs all = trace.range().duration();
    const auto at = static_cast<TimeNs>(random() % static_cast<std::uint64_t>(all));
    const auto length = static_cast<TimeNs>(random() % static_cast<std::uint64_t>(all / 2));
    return {trace.range().begin + at, trace.range().begin + at + length};
}

} // namespace

class TstFilterReading : public QObject
{
    Q_OBJECT
private slots:
    void whatIsWantedFirstIsKnownFirst()
    {
        std::mt19937_64 random(3);
        const auto trace = randomRun(random).build();
        for (const char *text :
             {"arg.correlation>20", "not arg.correlation>20", "arg.correlation>20 dur>1us", "gemm or arg.stream==7"}) {
            const Filter filter = Filter::parse(text);
            const Bits expected = filter.matches(*trace);
            QVERIFY(expected.count() > 0);
            for (int i = 0; i < 10; ++i) {
                ArgumentReading reading;
                reading.first = part(*trace, random);
                std::vector<Bits> found;
                reading.found = [&found](const Bits &matches) { found.push_back(matches); };
                QVERIFY(filter.matches(*trace, {}, {}, reading) == expected);
                QCOMPARE(found.size(), std::size_t{1}); // the rest takes no time
                for (std::size_t k = 0; k < expected.size(); ++k) {
                    if (touches(*trace, k, *reading.first))
                        QCOMPARE(found.front()[k], expected[k]);
                    else
                        QVERIFY(!found.front()[k] || expected[k]);
                }
                QVERIFY(found.front() != expected || expected.count() < 3
                        || reading.first->duration() * 3 > trace->range().duration());
            }
        }
    }

    void whatCannotCountIsNotRead()
    {
        std::mt19937_64 random(4);
        const auto trace = randomRun(random).build();
        const Filter filter = Filter::parse("arg.correlation>0");
        const Bits all = filter.matches(*trace);
        ArgumentReading reading;
        reading.only = TimeRange{trace->range().begin, trace->range().begin + trace->range().duration() / 10};
        const Bits some = filter.matches(*trace, {}, {}, reading);
        QVERIFY(some.count() > 0 && some.count() * 2 < all.count());
        for (std::size_t i = 0; i < all.size(); ++i) {
            QVERIFY(!some[i] || all[i]);
            if (touches(*trace, i, *reading.only))
                QCOMPARE(some[i], all[i]);
        }
    }

    // Of any range each analysis says the same, whether the arguments of all events were read or only what that takes. (Where
    // rows are calls a match elsewhere makes a difference, see host_scope.h, and comparisons look at whole steps: these read all.)
    void noTableTellsTheDifference_data()
    {
        QTest::addColumn<QString>("id");
        for (const Analysis &analysis : analyses()) {
            const bool hasCalls = analysis.id == "operators" || analysis.id == "modules" || analysis.id == "calltree";
            if (!analysis.isComparison && !hasCalls)
                QTest::newRow(std::string(analysis.id).c_str()) << q(analysis.id);
        }
    }
    void noTableTellsTheDifference()
    {
        QFETCH(const QString, id);
        const Analysis &analysis = *findAnalysis(id.toStdString());
        std::mt19937_64 random(5);
        const std::vector<RankTrace> traces = {{randomRun(random).build(), 0}, {randomRun(random).build(), 1}};
        for (int i = 0; i < 20; ++i) {
            Scope scope;
            for (const RankTrace &rank : traces)
                scope.parts.push_back({rank.trace.get(), part(*rank.trace, random), {}});
            for (const char *text :
                 {"arg.correlation>20", "not arg.correlation>30", "arg.correlation>10 arg.correlation<60"}) {
                const Filter filter = Filter::parse(text);
                scope.events = matchingEvents(filter, traces);
                const std::string expected = csvOf(analysis.run({traces, scope, AnalysisOptions(analysis)}));
                scope.events = matchingEvents(filter, traces, {}, {}, scope.parts);
                QCOMPARE(q(csvOf(analysis.run({traces, scope, AnalysisOptions(analysis)}))), q(expected));
            }
        }
    }
};

QTEST_APPLESS_MAIN(TstFilterReading)
#include "tst_filter_reading.moc"
