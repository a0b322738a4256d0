// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes no exporter writes, but somebody may: every cost must stay about linear, and what cannot be shown must be refused in words.
#include "core/base/error.h"
#include "core/import/import.h"
#include "core/import/limits.h"
#include "core/trace/args.h"
#include "tests/support/pack.h"
#include "tests/support/qt_text.h"
#include "tests/support/random_json.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <ctime>
#include <string>

using namespace ks;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kScale = 10; // sizes are divided by this under the sanitizers
#else
constexpr int kScale = 1;
#endif
constexpr double kMostSeconds = 30; // of processor time; quadratic code takes minutes

double cpuSeconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

std::string slice(std::int64_t ts, std::int64_t dur, const std::string &more = {})
{
    return json("{'ph':'X','cat':'cpu_op','name':'n','pid':1,'tid':1,'ts':") + std::to_string(ts) + json(",'dur':") + std::to_string(dur) + more + "},\n";
}

bool hasNote(const Trace &trace, DiagnosticKind kind)
{
    return std::any_of(trace.diagnostics().begin(), trace.diagnostics().end(), [&](const Diagnostic &note) { return note.kind == kind; });
}

} // namespace

class TstHostile : public QObject
{
    Q_OBJECT

    std::shared_ptr<const Trace> timed(std::string text)
    {
        const double before = cpuSeconds();
        auto trace = importText(std::move(text));
        m_seconds = std::max(m_seconds, cpuSeconds() - before);
        return trace;
    }
    double m_seconds = 0;

private slots:
    void cleanup()
    {
        QVERIFY2(m_seconds < kMostSeconds, std::to_string(m_seconds).c_str());
        m_seconds = 0;
    }

    void namesOfAMegabyte()
    {
        std::string text = "[";
        for (int i = 0; i < 20; ++i)
            text += json("{'ph':'X','ts':1,'dur':1,'name':'") + std::string(1'000'000, static_cast<char>('a' + i)) + "\"},";
        const auto trace = timed(text + "{}]");
        QCOMPARE(trace->eventCount(), std::size_t{20});
        QCOMPARE(trace->name(trace->eventAtFileIndex(3)).size(), std::size_t{1'000'000});
    }

    void oneNameAMillionTimes()
    {
        std::string text = "[";
        for (int i = 0; i < 1'000'000 / kScale; ++i)
            text += slice(i, 1);
        const auto trace = timed(text + "{}]");
        QCOMPARE(trace->eventCount(), static_cast<std::size_t>(1'000'000 / kScale));
        QCOMPARE(trace->rows().size(), std::size_t{1});
    }

    void aMillionNames()
    {
        std::string text = "[";
        for (int i = 0; i < 1'000'000 / kScale; ++i)
            text += json("{'ph':'X','ts':") + std::to_string(i) + json(",'dur':1,'name':'hostile ") + std::to_string(i) + "\"},";
        const auto trace = timed(text + "{}]");
        QCOMPARE(q(trace->name(trace->eventAtFileIndex(77'777))), QStringLiteral("hostile 77777"));
    }

    void aHundredThousandLanes()
    {
        std::string text = "[";
        for (int i = 0; i < 100'000 / kScale; ++i)
            text += json("{'ph':'X','ts':1,'dur':1,'name':'n','pid':") + std::to_string(i % 7) + json(",'tid':") + std::to_string(i) + "},";
        QCOMPARE(timed(text + "{}]")->lanes().size(), static_cast<std::size_t>(100'000 / kScale));
    }

    void aHundredThousandLevels()
    {
        const int depth = 100'000 / kScale;
        std::string text = "[";
        for (int i = 0; i < depth; ++i)
            text += slice(i, 2 * (depth - i));
        const auto trace = timed(text + "{}]");
        QCOMPARE(trace->rows().size(), static_cast<std::size_t>(depth));
        QCOMPARE(trace->selfTime(EventId{0}), TimeNs{2000});
    }

    void aStaircaseOfCrossingEvents()
    {
        const int steps = 100'000 / kScale;
        std::string text = "[";
        for (int i = 0; i < steps; ++i)
            text += slice(i, steps);
        const auto trace = timed(text + "{}]");
        QCOMPARE(trace->rows().size(), static_cast<std::size_t>(steps));
        QVERIFY(hasNote(*trace, DiagnosticKind::Overlap));
    }

    void staircasesUpAndDown()
    {
        // Rows become free again in waves, so the first free one is now here, now there.
        const int steps = 30'000 / kScale;
        std::string text = "[";
        for (int wave = 0; wave < 4; ++wave) {
            for (int i = 0; i < steps; ++i)
                text += slice(wave * steps + i, wave % 2 == 0 ? steps : steps - i);
        }
        QVERIFY(timed(text + "{}]")->rows().size() >= static_cast<std::size_t>(steps));
    }

    void openBeginsAndForeignEnds()
    {
        const int count = 100'000 / kScale;
        std::string text = "[";
        for (int i = 0; i < count; ++i)
            text += json("{'ph':'B','ts':1,'pid':1,'tid':1,'name':'b") + std::to_string(i) + "\"},";
        for (int i = 0; i < count; ++i)
            text += json("{'ph':'E','ts':2,'pid':1,'tid':1,'name':'e") + std::to_string(i) + "\"},";
        const auto trace = timed(text + "{}]");
        QVERIFY(hasNote(*trace, DiagnosticKind::UnmatchedBegin) && hasNote(*trace, DiagnosticKind::UnmatchedEnd));
    }

    void asyncEventsEndedFirstInFirstOut()
    {
        const int count = 100'000 / kScale;
        std::string text = "[";
        for (const char phase : {'b', 'e'}) {
            for (int i = 0; i < count; ++i)
                text += json("{'ph':'") + phase + json("','ts':1,'pid':1,'cat':'c','id':1,'name':'a") + std::to_string(i) + "\"},";
        }
        QVERIFY(!hasNote(*timed(text + "{}]"), DiagnosticKind::UnmatchedBegin));
    }

    void oneCorrelationForEverything()
    {
        const int count = 60'000 / kScale;
        std::string text = "[";
        for (int i = 0; i < count; ++i)
            text += json("{'ph':'X','cat':'cuda_runtime','name':'l','pid':1,'tid':1,'ts':") + std::to_string(i * 10) + json(",'dur':5,'args':{'correlation':1}},")
                    + json("{'ph':'X','cat':'kernel','name':'k','pid':0,'tid':7,'ts':") + std::to_string(i * 10 + 6) + json(",'dur':2,'args':{'correlation':1}},");
        const auto trace = timed(text + "{}]");
        QCOMPARE(trace->links().launches.size(), static_cast<std::size_t>(count));
    }

    void oneFlowForEverything()
    {
        const int count = 60'000 / kScale;
        std::string text = "[";
        for (int i = 0; i < count; ++i)
            text += slice(i * 10, 5) + json("{'ph':'") + "stf"[i % 3] + json("','cat':'c','name':'f','id':1,'pid':1,'tid':1,'ts':") + std::to_string(i * 10) + "},";
        QVERIFY(!timed(text + "{}]")->arrows().all.empty());
    }

    void flowsIntoDeepLanes()
    {
        const int depth = 100'000 / kScale;
        std::string text = "[";
        for (int i = 0; i < depth; ++i)
            text += slice(i, 2 * (depth - i));
        for (int i = 0; i < depth; ++i)
            text += json("{'ph':'") + "sf"[i % 2] + json("','bp':'e','cat':'c','name':'f','id':") + std::to_string(i / 2) + json(",'pid':1,'tid':1,'ts':") + std::to_string(depth + i % 2)
                    + ".5},";
        timed(text + "{}]");
    }

    void countersWithManySeriesAndProcessesWithManyLabels()
    {
        std::string text = "[" + slice(1, 1);
        for (int i = 0; i < 60'000 / kScale; ++i)
            text += json("{'ph':'C','name':'c','pid':1,'ts':1,'args':{'s") + std::to_string(i) + json("':1}},{'ph':'M','name':'process_labels','pid':1,'args':{'labels':'l")
                    + std::to_string(i) + "\"}},";
        const auto trace = timed(text + "{}]");
        QCOMPARE(trace->counters().front().series.size(), static_cast<std::size_t>(60'000 / kScale));
        QCOMPARE(trace->processes().front().labels.size(), static_cast<std::size_t>(60'000 / kScale));
    }

    void aRecordOfSeventyMegabytesIsGivenUpAndTheRestIsShown()
    {
        const std::string huge = json("{'ph':'X','name':'huge','ts':1,'dur':1,'args':{'x':'") + std::string(std::size_t{70} << 20U, 'x') + "\"}},";
        const auto trace = timed("[" + slice(1, 1) + huge + slice(2, 1) + slice(3, 1) + "{}]");
        QVERIFY(hasNote(*trace, DiagnosticKind::DamagedEvent));
        QVERIFY(trace->eventCount() >= 2);
        QVERIFY(trace->name(trace->eventAtFileIndex(0)) == "n");
    }

    void aRecordOfSixtyMegabytesIsShown()
    {
        const std::string huge = json("{'ph':'X','name':'huge','ts':1,'dur':1,'args':{'x':'") + std::string(std::size_t{60} << 20U, 'x') + json("','y':1}},");
        const auto trace = timed("[" + huge + slice(2, 1) + "{}]");
        QCOMPARE(trace->eventCount(), std::size_t{2});
        QCOMPARE(parseArgs(*trace, trace->eventAtFileIndex(0)).size(), std::size_t{2});
    }

    void bracketsThatAreNeverClosed_data()
    {
        QTest::addColumn<QByteArray>("piece");
        QTest::newRow("arrays in objects") << QByteArray::fromStdString(json("{'a':[{},"));
        QTest::newRow("with good records between") << QByteArray::fromStdString(json("{'a':[{},{'ph':'X','ts':1,'dur':1},"));
        QTest::newRow("objects") << QByteArray("{\"a\":{\"b\":");
        QTest::newRow("arrays") << QByteArray("[");
        QTest::newRow("commas") << QByteArray(",");
        QTest::newRow("empty objects") << QByteArray("{},");
        QTest::newRow("closers") << QByteArray("}]},{\"");
        QTest::newRow("quotes") << QByteArray("\"},{\"ph\":\"");
        QTest::newRow("backslashes") << QByteArray("\\");
    }
    void bracketsThatAreNeverClosed()
    {
        QFETCH(const QByteArray, piece);
        for (const char *const end : {"", "]}", "}}}}", "\"}"}) {
            std::string text = json("{'traceEvents':[") + slice(1, 1);
            while (text.size() < 4'000'000 / kScale)
                text += piece.toStdString();
            timed(text + end);
        }
    }

    void deepNestingInArguments()
    {
        const std::size_t depth = 5'000'000 / kScale;
        const auto trace = timed("[" + slice(1, 1, json(",'args':{'a':") + std::string(depth, '[') + std::string(depth, ']') + "}") + slice(2, 1) + "{}]");
        QCOMPARE(trace->eventCount(), std::size_t{2});
        QVERIFY(!parseArgs(*trace, trace->eventAtFileIndex(0)).empty());
    }

    void bombsAreRefusedEarly()
    {
        QTemporaryDir directory;
        const std::string path = directory.filePath(QStringLiteral("bomb")).toStdString();
        const auto refusalOf = [&](const std::string &bytes, std::uint64_t memoryBytes) {
            writeFile(path, bytes);
            const double before = cpuSeconds();
            try {
                importTrace(path, {}, {std::size_t{1} << 20U, 0, memoryBytes});
            } catch (const ImportError &error) {
                m_seconds = std::max(m_seconds, cpuSeconds() - before);
                return q(error.what());
            }
            return QStringLiteral("opened");
        };
        // White space without end, and records without end: members repeated, so that the test itself needs no time.
        const std::string blank = gzipped(std::string(std::size_t{32} << 20U, ' '), 9);
        std::string blanks;
        for (int i = 0; i < 40; ++i)
            blanks += blank;
        QVERIFY2(refusalOf(blanks, 0).contains(QStringLiteral("white space")), "blank");
        if (kScale != 1)
            return; // gigabytes take too long there
        std::string records;
        while (records.size() < std::size_t{32} << 20U)
            records += json("{'ph':'X','ts':1},");
        const std::string packed = gzipped(records, 9);
        std::string bomb = gzipped("[");
        for (int i = 0; i < 100; ++i)
            bomb += packed;
        QVERIFY2(refusalOf(bomb, std::uint64_t{256} << 20U).contains(QStringLiteral("memory")), "memory");
        std::string spaces = gzipped("[" + json("{'ph':'X','ts':1},"));
        for (int i = 0; i < 80; ++i)
            spaces += blank;
        QVERIFY2(refusalOf(spaces, 0).contains(QStringLiteral("unpacks to more than")), "ratio");
    }

    void aTraceThatFitsIsNotRefused()
    {
        std::string text = "[";
        for (int i = 0; i < 100'000; ++i)
            text += slice(i, 1);
        text += "{}]";
        QCOMPARE(importText(text, {}, {std::size_t{1} << 20U, 2, std::uint64_t{64} << 20U})->eventCount(), std::size_t{100'000});
        QVERIFY_THROWS_EXCEPTION(ImportError, importText(text, {}, ImportOptions{std::size_t{1} << 20U, 2, std::uint64_t{5} << 20U}));
    }
};

QTEST_APPLESS_MAIN(TstHostile)
#include "tst_hostile.moc"
