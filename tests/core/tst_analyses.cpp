// SPDX-License-Identifier: GPL-3.0-or-later
// What every analysis of the registry promises, asked of all of them over several traces and scopes.
#include "core/analysis/analysis.h"
#include "core/analysis/filter.h"
#include "core/analysis/row_target.h"
#include "core/base/error.h"
#include "core/table/column_title.h"
#include "tests/support/qt_text.h"
#include "tests/support/random_run.h"
#include "tests/support/table_text.h"

#include <QTest>

#include <set>

using namespace ks;

namespace {

using Ranks = std::vector<RankTrace>;

struct NamedRanks
{
    const char *name;
    Ranks ranks;
};

const std::vector<NamedRanks> &runs()
{
    static const std::vector<NamedRanks> all = [] {
        std::mt19937_64 random(4);
        RandomRun onHost;
        onHost.devices = 0;
        RandomRun first, second;
        first.rank = 0;
        second.rank = 1;
        return std::vector<NamedRanks>{
            {"empty", {{TraceMaker().build(), {}}}},
            {"host only", {{randomRun(random, onHost).build(), {}}}},
            {"devices", {{randomRun(random).build(), {}}}},
            {"two ranks", {{randomRun(random, first).build(), 0}, {randomRun(random, second).build(), 1}}},
        };
    }();
    return all;
}

// Scopes of a run, the whole of it first.
std::vector<Scope> scopesOf(const Ranks &ranks)
{
    std::vector<Scope> scopes(1);
    Scope steps;
    steps.steps = Scope::StepRange{5, 6};
    scopes.push_back(steps);
    Scope range;
    range.from = Scope::TimeBound{20'000, true};
    range.to = Scope::TimeBound{90'000, true};
    scopes.push_back(range);
    Scope device;
    device.devices = {1};
    scopes.push_back(device);
    Scope lane;
    lane.lanes = {"python"};
    scopes.push_back(lane);
    Scope area;
    for (const RankTrace &rank : ranks)
        area.parts.push_back({rank.trace.get(), TimeRange{10'000, 60'000}, {}});
    scopes.push_back(area);
    Scope filtered;
    filtered.events = matchingEvents(Filter::parse("gemm or aten::mm"), ranks);
    scopes.push_back(filtered);
    Scope nothing;
    nothing.ranks = {77};
    scopes.push_back(nothing);
    return scopes;
}

// Every value of every option, one at a time, and every way to count.
std::vector<AnalysisOptions> waysOf(const Analysis &analysis)
{
    std::vector<AnalysisOptions> ways{AnalysisOptions(analysis)};
    const auto add = [&](std::string_view option, std::string_view value) {
        ways.emplace_back(analysis).set(option, std::string(value));
    };
    for (const AnalysisOption &option : analysis.options) {
        switch (option.kind) {
        case AnalysisOption::Kind::Flag: add(option.id, "true"); break;
        case AnalysisOption::Kind::Choice:
        case AnalysisOption::Kind::View:
            for (const AnalysisChoice &choice : option.choices)
                add(option.id, choice.id);
            break;
        case AnalysisOption::Kind::Count: add(option.id, "2"); break;
        case AnalysisOption::Kind::Duration: add(option.id, "5us"); break;
        case AnalysisOption::Kind::Moment: add(option.id, "50us"); break;
        case AnalysisOption::Kind::Text: break;
        }
    }
    for (const std::string_view rules : analysis.rules) {
        try {
            ways.emplace_back(analysis).setRules(rules);
            if (analysis.isComparison && rules == "hta")
                ways.back().set("by", "names");
        } catch (const AnalysisError &) {
            ways.pop_back();
        }
    }
    return ways;
}

Table run(const Analysis &analysis, const Ranks &ranks, const Scope &scope, const AnalysisOptions &options,
          const Progress &progress = {})
{
    const Ranks &baseline = ranks;
    return analysis.run({ranks, scope, options, analysis.isComparison ? baseline : std::span<const RankTrace>()},
                        progress);
}

bool isWellMade(const Table &table)
{
    std::set<std::string> names;
    for (const Column &column : table.columns()) {
        const bool isText = column.isText() && column.unit() == Unit::Text;
        const bool isList = column.type() == CellType::List && column.unit() == Unit::List;
        const bool isNumber = (column.type() == CellType::Integer || column.type() == CellType::Real)
                              && column.unit() != Unit::Text && column.unit() != Unit::List;
        if (column.size() != table.rowCount() || !names.insert(column.name()).second
            || !(isText || isList || isNumber)) {
            qWarning("column %s", column.name().c_str());
            return false;
        }
        // Titles of the dictionary begin with a capital or a figure; words made of the name do not.
        const std::string title = columnTitle(column);
        if (title.empty() || (title[0] >= 'a' && title[0] <= 'z')) {
            qWarning("no title for %s", column.name().c_str());
            return false;
        }
    }
    return !table.columns().empty();
}

bool matchesSomething(const std::string &filter, const Ranks &ranks)
{
    const auto events = matchingEvents(Filter::parse(filter), ranks);
    return std::any_of(ranks.begin(), ranks.end(),
                       [&](const RankTrace &rank) { return events->of(*rank.trace)->count() > 0; });
}

bool leadsSomewhere(const Analysis &analysis, const Table &table, std::size_t row, const Ranks &ranks)
{
    const RowTarget target = rowTarget(analysis, table, row, ranks);
    if (target.trace && *target.trace >= ranks.size())
        return false;
    if (target.event != kNoEvent && (!target.trace || index(target.event) >= ranks[*target.trace].trace->eventCount()))
        return false;
    if (target.range) {
        const TimeRange all = ranks[*target.trace].trace->range();
        if (target.range->begin < all.begin || target.range->end > all.end || target.range->end < target.range->begin)
            return false;
    }
    return target.filter.empty() || matchesSomething(target.filter, ranks);
}

} // namespace

class TstAnalyses : public QObject
{
    Q_OBJECT

private slots:
    void analyses_data()
    {
        QTest::addColumn<QString>("id");
        for (const Analysis &analysis : analyses())
            QTest::newRow(std::string(analysis.id).c_str()) << q(analysis.id);
    }

    void idsAreUniqueAndEverythingHasATitle_data() { analyses_data(); }
    void idsAreUniqueAndEverythingHasATitle()
    {
        QFETCH(QString, id);
        const Analysis &analysis = *findAnalysis(id.toStdString());
        QCOMPARE(std::count_if(analyses().begin(), analyses().end(),
                               [&](const Analysis &other) { return other.id == analysis.id; }),
                 1);
        QVERIFY(*analysis.title && *analysis.question);
        QCOMPARE(analysis.rules.front(), std::string_view("kinetoscope"));
        std::set<std::string_view> ids;
        for (const AnalysisOption &option : analysis.options) {
            const bool isViewOfItsName = option.kind == AnalysisOption::Kind::Moment;
            QVERIFY(ids.insert(option.id).second);
            QVERIFY(*option.title);
            const bool hasChoices =
                option.kind == AnalysisOption::Kind::Choice || option.kind == AnalysisOption::Kind::View;
            QCOMPARE(option.choices.size() > 1, hasChoices);
            for (const AnalysisChoice &choice : option.choices)
                QVERIFY(!choice.id.empty() && *choice.title);
            if (isViewOfItsName)
                QVERIFY(analysis.option("show"));
        }
    }

    void optionsRefuseWhatTheyDoNotKnow()
    {
        AnalysisOptions options(*findAnalysis("idle"));
        QVERIFY_THROWS_EXCEPTION(AnalysisError, options.set("show", "nothing"));
        QVERIFY_THROWS_EXCEPTION(AnalysisError, options.set("kernel-delay", "long"));
        QVERIFY_THROWS_EXCEPTION(AnalysisError, options.set("colour", "red"));
        QVERIFY_THROWS_EXCEPTION(AnalysisError, options.setRules("torch"));
        QCOMPARE(options.choice("show"), std::string_view("streams"));
        options.set("show", "gaps");
        QCOMPARE(options.choice("show"), std::string_view("gaps"));
    }

    void tablesAreWellMadeAndRowsLeadBack_data() { analyses_data(); }
    void tablesAreWellMadeAndRowsLeadBack()
    {
        QFETCH(QString, id);
        const Analysis &analysis = *findAnalysis(id.toStdString());
        std::set<std::string> columns;
        std::size_t rows = 0;
        for (const NamedRanks &named : runs()) {
            for (const Scope &scope : scopesOf(named.ranks)) {
                for (const AnalysisOptions &options : waysOf(analysis)) {
                    const Table table = run(analysis, named.ranks, scope, options);
                    QVERIFY2(isWellMade(table), named.name);
                    rows += table.rowCount();
                    for (const Column &column : table.columns())
                        columns.insert(column.name());
                    for (std::size_t row = 0; row < std::min<std::size_t>(table.rowCount(), 40); ++row) {
                        if (!leadsSomewhere(analysis, table, row, named.ranks))
                            QFAIL(qPrintable(
                                QStringLiteral("%1: row %2 of %3 leads nowhere: %4")
                                    .arg(QLatin1String(named.name))
                                    .arg(row)
                                    .arg(q(options.rules()), q(rowTarget(analysis, table, row, named.ranks).filter))));
                    }
                }
            }
        }
        QVERIFY(rows > 0);
        for (const ColumnLink &link : analysis.links)
            QVERIFY2(columns.contains(std::string(link.column)), link.column.data());
        for (const std::string_view hidden : analysis.hidden)
            QVERIFY2(columns.contains(std::string(hidden)), hidden.data());
    }

    void aScopeOfNothingHasNoRows_data() { analyses_data(); }
    void aScopeOfNothingHasNoRows()
    {
        QFETCH(QString, id);
        const Analysis &analysis = *findAnalysis(id.toStdString());
        Scope nothing;
        nothing.ranks = {77};
        QCOMPARE(run(analysis, runs().back().ranks, nothing, AnalysisOptions(analysis)).rowCount(), 0U);
    }

    void theWholeTimeAsARangeIsTheWhole_data() { analyses_data(); }
    void theWholeTimeAsARangeIsTheWhole()
    {
        QFETCH(QString, id);
        const Analysis &analysis = *findAnalysis(id.toStdString());
        for (const NamedRanks &named : runs()) {
            Scope range, parts, events;
            range.from = Scope::TimeBound{-1'000'000, true};
            range.to = Scope::TimeBound{1'000'000'000, true};
            events.events = matchingEvents(Filter::parse("dur >= 0"), named.ranks);
            for (const RankTrace &rank : named.ranks)
                parts.parts.push_back({rank.trace.get(), TimeRange{-1'000'000, 1'000'000'000}, {}});
            for (const AnalysisOptions &options : waysOf(analysis)) {
                const Table whole = run(analysis, named.ranks, {}, options);
                for (const Scope &scope : {range, parts}) {
                    const Table same = run(analysis, named.ranks, scope, options);
                    QCOMPARE(same.rowCount(), whole.rowCount());
                    for (std::size_t c = 0; c < whole.columns().size(); ++c) {
                        for (std::size_t row = 0; row < whole.rowCount(); ++row)
                            QCOMPARE(same.column(c).number(row), whole.column(c).number(row));
                    }
                }
            }
        }
    }

    // Ranges are counted from sums kept with the trace; through a filter they are counted one by one.
    void rangesAreTheSameHoweverTheyAreCounted_data() { analyses_data(); }
    void rangesAreTheSameHoweverTheyAreCounted()
    {
        QFETCH(QString, id);
        const Analysis &analysis = *findAnalysis(id.toStdString());
        for (unsigned seed = 0; seed < 12; ++seed) {
            std::mt19937_64 random(seed);
            RandomRun withoutMemory;
            withoutMemory.hasMemory = false; // records of memory are no events: a filter selects none
            withoutMemory.operatorsPerStep = seed % 2 == 0 ? 12 : 150;
            const Ranks ranks{{randomRun(random, withoutMemory).build(), {}}};
            const TimeRange whole = ranks.front().trace->range();
            for (int i = 0; i < 8; ++i) {
                const auto moment = [&] {
                    return whole.begin + static_cast<TimeNs>(random() % static_cast<std::uint64_t>(whole.duration()));
                };
                const TimeNs a = moment();
                const TimeNs b = moment();
                Scope range;
                range.parts.push_back({ranks.front().trace.get(), TimeRange{std::min(a, b), std::max(a, b)}, {}});
                Scope filtered = range;
                filtered.events = matchingEvents(Filter::parse("dur >= 0"), ranks);
                const Table quick = run(analysis, ranks, range, AnalysisOptions(analysis));
                const Table slow = run(analysis, ranks, filtered, AnalysisOptions(analysis));
                QCOMPARE(quick.rowCount(), slow.rowCount());
                for (std::size_t c = 0; c < slow.columns().size(); ++c) {
                    for (std::size_t row = 0; row < slow.rowCount(); ++row)
                        QCOMPARE(quick.column(c).number(row), slow.column(c).number(row));
                }
            }
        }
    }

    void progressRunsToTheEndAndNeverBack_data() { analyses_data(); }
    void progressRunsToTheEndAndNeverBack()
    {
        QFETCH(QString, id);
        const Analysis &analysis = *findAnalysis(id.toStdString());
        for (const NamedRanks &named : runs()) {
            for (const AnalysisOptions &options : waysOf(analysis)) {
                double last = 0;
                bool isMonotone = true;
                run(analysis, named.ranks, {}, options, Progress({}, [&](const ProgressReport &report) {
                        isMonotone = isMonotone && report.share >= last && report.share <= 1;
                        last = report.share;
                    }));
                QVERIFY(isMonotone);
                QCOMPARE(last, 1.0);
            }
        }
    }

    void readsHowKernelsWereLaunched()
    {
        const auto trace =
            TraceMaker()
                .kernel(
                    "gemm", 0, 10, 7, 0, 0,
                    R"("blocks per SM":1.5,"est. achieved occupancy %":40,"grid":[8, 1,1],"block":[128,1,1],"registers per thread":32,"shared memory":1024)")
                .kernel(
                    "gemm", 20, 30, 7, 0, 0,
                    R"("grid":[8,1,1],"block":[128,1,1],"registers per thread":32,"shared memory":1024,"blocks per SM":"2.5")")
                .kernel("gemm", 60, 10, 7, 0)
                .build();
        const Analysis &analysis = *findAnalysis("kernels");
        AnalysisOptions options(analysis);
        options.set("by", "configuration");
        const Table table = run(analysis, {{trace, {}}}, {}, options);
        QCOMPARE(rowText(table, 0,
                         {"grid", "block", "registers", "shared_memory_bytes", "calls", "blocks_per_sm",
                          "occupancy_percent"}),
                 q("[8,1,1] [128,1,1] 32 1024 2 2.25 40"));
        QCOMPARE(rowText(table, 1, {"grid", "block", "registers", "shared_memory_bytes", "calls", "blocks_per_sm"}),
                 q("null null null null 1 null"));
    }

    void stopsWhenAsked_data() { analyses_data(); }
    void stopsWhenAsked()
    {
        QFETCH(QString, id);
        const Analysis &analysis = *findAnalysis(id.toStdString());
        std::stop_source stop;
        stop.request_stop();
        for (const NamedRanks &named : runs()) {
            for (const AnalysisOptions &options : waysOf(analysis)) {
                bool isStopped = false;
                try {
                    run(analysis, named.ranks, {}, options, Progress(stop.get_token(), {}));
                } catch (const Cancelled &) {
                    isStopped = true;
                }
                QVERIFY(isStopped);
            }
        }
    }
};

QTEST_APPLESS_MAIN(TstAnalyses)
#include "tst_analyses.moc"
