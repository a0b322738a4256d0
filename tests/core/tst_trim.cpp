// SPDX-License-Identifier: GPL-3.0-or-later
// A trimmed trace, written and opened again, says of the scope it was trimmed to what the whole trace says.
#include "core/analysis/analysis.h"
#include "core/analysis/filter.h"
#include "core/export/write_trace.h"
#include "core/import/import.h"
#include "core/table/table_output.h"
#include "tests/support/pack.h"
#include "tests/support/qt_text.h"
#include "tests/support/random_run.h"

#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include <set>

using namespace ks;

namespace {

std::string trimmedText(const Trace &trace, const Scope &scope)
{
    std::string text;
    TextSink sink(text);
    writeTrace(sink, trace, trimmed(trace, scope));
    sink.flush();
    return text;
}

std::shared_ptr<const Trace> trimmedTrace(const Trace &trace, const Scope &scope)
{
    return importText(trimmedText(trace, scope));
}

struct Wanted
{
    const char *name;
    Scope scope;
    const char *filter = "";
    bool isOfWork = false; // host times count what launched it alone
};

std::vector<Wanted> scopes(const Trace &trace, std::mt19937_64 &random)
{
    std::vector<Wanted> all;
    Scope step;
    step.steps = Scope::StepRange{6, 6};
    all.push_back({"step", step});
    Scope range;
    const TimeRange whole = trace.range();
    const auto length = static_cast<std::uint64_t>(whole.duration());
    const TimeNs a = whole.begin + static_cast<TimeNs>(random() % length);
    const TimeNs b = whole.begin + static_cast<TimeNs>(random() % length);
    range.from = Scope::TimeBound{static_cast<std::int64_t>(trace.fileTime(std::min(a, b))), false};
    range.to = Scope::TimeBound{static_cast<std::int64_t>(trace.fileTime(std::max(a, b))) + 1, false};
    all.push_back({"range", range});
    all.push_back({"operators of a name", {}, "name:aten::linear"});
    all.push_back({"kernels of a name", {}, "name:gemm", true});
    Scope device;
    device.devices = {1};
    all.push_back({"device", device, "", true});
    Scope both = range;
    both.steps = Scope::StepRange{5, 6};
    all.push_back({"range of steps", both});
    return all;
}

Scope scopeFor(const Wanted &wanted, const std::shared_ptr<const Trace> &trace)
{
    Scope scope = wanted.scope;
    scope.events = matchingEvents(Filter::parse(wanted.filter), std::vector<RankTrace>{{trace, {}}});
    return scope;
}

// Numbers of events differ between files; everything else must not.
bool isEventColumn(const Analysis &analysis, const Column &column)
{
    return std::any_of(
               analysis.links.begin(), analysis.links.end(),
               [&](const ColumnLink &link) { return link.to == ColumnLink::To::Event && link.column == column.name(); })
           && !column.isText();
}

QString difference(const Analysis &analysis, const Table &a, const Table &b)
{
    if (a.rowCount() != b.rowCount())
        return QStringLiteral("%1 rows, then %2").arg(a.rowCount()).arg(b.rowCount());
    for (std::size_t c = 0; c < a.columns().size(); ++c) {
        if (isEventColumn(analysis, a.column(c)))
            continue;
        for (std::size_t row = 0; row < a.rowCount(); ++row) {
            if (cellText(a.column(c), row) != cellText(b.column(c), row)
                || a.column(c).number(row) != b.column(c).number(row))
                return QStringLiteral("%1 in row %2: %3, then %4")
                    .arg(q(a.column(c).name()))
                    .arg(row)
                    .arg(q(cellText(a.column(c), row)), q(cellText(b.column(c), row)));
        }
    }
    return {};
}

} // namespace

class TstTrim : public QObject
{
    Q_OBJECT

private slots:
    void numbersOfTheScopeStayWhatTheyAre()
    {
        for (unsigned seed = 0; seed < 25; ++seed) {
            std::mt19937_64 random(seed);
            const auto trace = randomRun(random).build();
            for (const Wanted &wanted : scopes(*trace, random)) {
                const auto part = trimmedTrace(*trace, scopeFor(wanted, trace));
                QVERIFY(part->eventCount() > 0);
                for (const Analysis &analysis : analyses()) {
                    // Records of memory are no events: only steps and ranges of time select them.
                    const bool isOfTime = wanted.scope.steps || wanted.scope.from;
                    if (wanted.isOfWork
                        && (analysis.id == "operators" || analysis.id == "modules" || analysis.id == "calltree"))
                        continue;
                    if (analysis.isComparison || (analysis.id == "memory" && !isOfTime))
                        continue;
                    std::vector<AnalysisOptions> ways{AnalysisOptions(analysis)};
                    if (const AnalysisOption *views = analysis.option("show")) {
                        for (const AnalysisChoice &view : views->choices)
                            ways.emplace_back(analysis).set("show", std::string(view.id));
                    }
                    for (const AnalysisOptions &way : ways) {
                        const auto tableOf = [&](const std::shared_ptr<const Trace> &of) {
                            const std::vector<RankTrace> ranks{{of, {}}};
                            return analysis.run({ranks, scopeFor(wanted, of), way});
                        };
                        const QString differs = difference(analysis, tableOf(trace), tableOf(part));
                        QVERIFY2(differs.isEmpty(),
                                 qPrintable(QStringLiteral("seed %1, %2, %3: %4")
                                                .arg(seed)
                                                .arg(QLatin1String(wanted.name), q(analysis.id), differs)));
                    }
                }
            }
        }
    }

    void theFileIsValidAndSmaller()
    {
        std::mt19937_64 random(3);
        const TraceMaker maker = randomRun(random);
        const auto trace = maker.build();
        Scope step;
        step.steps = Scope::StepRange{6, 6};
        const std::string text = trimmedText(*trace, step);
        QJsonParseError error{};
        QVERIFY(QJsonDocument::fromJson(QByteArray::fromStdString(text), &error).isObject());
        QCOMPARE(error.error, QJsonParseError::NoError);
        QVERIFY(text.size() < maker.json().size());
        const auto part = importText(text);
        QVERIFY(part->eventCount() < trace->eventCount());
        for (const Diagnostic &diagnostic : part->diagnostics())
            QVERIFY2(std::any_of(trace->diagnostics().begin(), trace->diagnostics().end(),
                                 [&](const Diagnostic &known) { return known.kind == diagnostic.kind; }),
                     diagnostic.message.c_str());
    }

    void everythingStaysIfEverythingIsSelected()
    {
        std::mt19937_64 random(5);
        const auto trace = randomRun(random).build();
        const auto same = trimmedTrace(*trace, {});
        QCOMPARE(same->eventCount(), trace->eventCount());
        QCOMPARE(same->memory().size(), trace->memory().size());
        QCOMPARE(same->lanes().size(), trace->lanes().size());
        QCOMPARE(same->metadata().devices.size(), trace->metadata().devices.size());
        for (std::uint32_t i = 0; i < trace->eventCount(); ++i) {
            const EventId a = trace->eventAtFileIndex(i);
            const EventId b = same->eventAtFileIndex(i);
            QCOMPARE(q(same->name(b)), q(trace->name(a)));
            QCOMPARE(same->fileTime(same->begin(b)), trace->fileTime(trace->begin(a)));
            QCOMPARE(same->duration(b), trace->duration(a));
            QVERIFY(same->kind(b) == trace->kind(a));
            QCOMPARE(same->parent(b) == kNoEvent, trace->parent(a) == kNoEvent);
        }
    }

    void linksParentsAndArrowsStay()
    {
        const auto trace = TraceMaker()
                               .python("train", 0, 200, 1)
                               .op("outer", 10, 100)
                               .op("before", 11, 5)
                               .op("inner", 40, 20)
                               .launch("cudaLaunchKernel", 45, 5, 7)
                               .kernel("gemm", 80, 20, 7, 7)
                               .flow("ac2g", 7, 45, 100, 80, 7)
                               .build();
        Scope kernels;
        kernels.events = matchingEvents(Filter::parse("kind:kernel"), std::vector<RankTrace>{{trace, {}}});
        const auto part = trimmedTrace(*trace, kernels);
        EventId kernel = kNoEvent;
        for (std::size_t i = 0; i < part->eventCount(); ++i) {
            if (part->kind(static_cast<EventId>(i)) == EventKind::Kernel)
                kernel = static_cast<EventId>(i);
        }
        QVERIFY(kernel != kNoEvent);
        const LaunchLink link = part->launchLink(kernel);
        QCOMPARE(q(part->name(link.launch)), QStringLiteral("cudaLaunchKernel"));
        QCOMPARE(q(part->name(link.op)), QStringLiteral("inner"));
        QCOMPARE(q(part->name(part->parent(link.op))), QStringLiteral("outer"));
        QCOMPARE(q(part->name(part->parent(part->parent(link.op)))), QStringLiteral("train"));
    }

    void packsAsGzip()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("part.json.gz")).toStdString();
        const std::string text = TraceMaker().op("aten::mm", 1.25, 2.001).json();
        writeFile(path, gzipOf(text));
        const auto trace = importTrace(path);
        QVERIFY(trace->metadata().container == Container::Gzip);
        QCOMPARE(trace->eventCount(), 1U);
        QVERIFY(gzipOf("").size() > 10);
    }
};

QTEST_APPLESS_MAIN(TstTrim)
#include "tst_trim.moc"
