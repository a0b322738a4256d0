// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/import.h"
#include "core/import/scan_file.h"
#include "tests/support/held_memory.h"
#include "tests/support/pack.h"
#include "tests/support/qt_text.h"
#include "tests/support/random_json.h"
#include "tests/support/trace_dump.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <random>
#include <string>
#include <thread>


using namespace ks;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr unsigned kScale = 8; // sizes are divided by this under the sanitizers
#else
constexpr unsigned kScale = 1;
#endif

// Allocated and not freed. Sanitizers keep their own books: there it is 0, and leaks are told at the end.
std::size_t openDescriptors()
{
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator()));
}

std::string dumpOf(const std::shared_ptr<const ks::Trace> &trace)
{
    return trace ? dumpTrace(*trace) : std::string("refused");
}

std::string importedText(const std::string &text, std::size_t blockBytes, unsigned workers)
{
    try {
        return dumpOf(importText(text, {}, {blockBytes, workers}));
    } catch (const ImportError &error) {
        return "refused: " + std::string(error.what()) + " at " + std::to_string(error.byteOffset());
    }
}

std::string importedFile(const std::string &path, std::size_t blockBytes, unsigned workers)
{
    try {
        return dumpOf(importTrace(path, {}, {blockBytes, workers}));
    } catch (const ImportError &error) {
        return "refused: " + std::string(error.what()) + " at " + std::to_string(error.byteOffset());
    }
}

// Says fewer bytes than it promised: what a file does that shrinks while it is read.
class ShrinkingSource final : public ByteSource
{
public:
    ShrinkingSource(std::string text, std::uint64_t cut)
        : m_text(std::move(text))
        , m_cut(cut)
        , m_whole(openMemory(m_text))
    {}
    Container container() const override { return Container::Plain; }
    std::uint64_t storedBytes() const override { return m_text.size(); }
    std::unique_ptr<ByteStream> open(std::stop_token stop) const override { return m_whole->open(std::move(stop)); }
    std::size_t readAt(std::uint64_t offset, std::span<char> into) const override
    {
        if (offset >= m_cut)
            return 0;
        return m_whole->readAt(offset, into.first(std::min<std::size_t>(into.size(), m_cut - offset)));
    }
    bool hasChanged() const override { return true; }

private:
    std::string m_text;
    std::uint64_t m_cut;
    std::shared_ptr<const ByteSource> m_whole;
};

} // namespace

class TstScanFile : public QObject
{
    Q_OBJECT

    // Every size of block, number of workers and container must tell the same.
    void checkAllWays(const std::string &text, const std::string &what)
    {
        const std::string expected = importedText(text, std::size_t{1} << 30U, 1);
        for (const std::size_t blockBytes : {std::size_t{64}, std::size_t{1} << 10U, std::size_t{1} << 16U, std::size_t{1} << 20U}) {
            for (const unsigned workers : {1U, 2U, 8U}) {
                const std::string difference = firstDifference(expected, importedText(text, blockBytes, workers));
                QVERIFY2(difference.empty(), (what + ", blocks of " + std::to_string(blockBytes) + ", " + std::to_string(workers) + " workers: " + difference).c_str());
            }
        }
        const std::string path = m_directory.filePath(QStringLiteral("packed")).toStdString();
        writeFile(path, gzipped(text));
        for (const std::size_t blockBytes : {std::size_t{64}, std::size_t{1} << 16U}) {
            const std::string difference = firstDifference(expected, importedFile(path, blockBytes, 3));
            QVERIFY2(difference.empty(), (what + ", packed, blocks of " + std::to_string(blockBytes) + ": " + difference).c_str());
        }
    }

    QTemporaryDir m_directory;

private slots:
    void blocksAndWorkersChangeNothing_data()
    {
        QTest::addColumn<bool>("isPlain");
        QTest::addColumn<bool>("hasNestedRecords");
        QTest::addColumn<int>("damageEvery");
        QTest::addColumn<bool>("isArray");
        QTest::addColumn<int>("cut"); // of 1000 parts
        QTest::newRow("plain") << true << false << 0 << false << 1000;
        QTest::newRow("any layout") << false << false << 0 << false << 1000;
        QTest::newRow("array") << false << false << 0 << true << 1000;
        QTest::newRow("records inside arguments") << false << true << 0 << false << 1000;
        QTest::newRow("records inside arguments, array") << true << true << 0 << true << 1000;
        QTest::newRow("damage") << true << false << 5 << false << 1000;
        QTest::newRow("much damage") << false << false << 2 << false << 1000;
        QTest::newRow("damage, records inside arguments") << false << true << 4 << false << 1000;
        QTest::newRow("damage, records inside arguments, array") << true << true << 4 << true << 1000;
        QTest::newRow("cut") << false << true << 0 << false << 700;
        QTest::newRow("cut array") << false << true << 9 << true << 800;
        QTest::newRow("cut behind the records") << true << false << 0 << false << 998;
    }
    void blocksAndWorkersChangeNothing()
    {
        QFETCH(const bool, isPlain);
        QFETCH(const bool, hasNestedRecords);
        QFETCH(const int, damageEvery);
        QFETCH(const bool, isArray);
        QFETCH(const int, cut);
        for (unsigned seed = 0; seed < 8; seed += kScale == 1 ? 1 : 4) {
            std::mt19937_64 random(seed * 77 + 1);
            RandomJson options;
            options.records = 20 + random() % 300;
            options.isPlain = isPlain;
            options.hasNestedRecords = hasNestedRecords;
            options.damageEvery = damageEvery;
            options.isArray = isArray;
            options.hasForeignElements = seed % 2 == 0;
            std::string text = randomTraceJson(random, options);
            text.resize(text.size() * static_cast<std::size_t>(cut) / 1000);
            checkAllWays(text, "seed " + std::to_string(seed));
            if (QTest::currentTestFailed())
                return;
        }
    }

    // Every size of block, every number of workers, every way to pack, over a text of several of the largest blocks.
    void everyBlockSizeNumberOfWorkersAndContainerTellsTheSame_data()
    {
        QTest::addColumn<bool>("hasNestedRecords");
        QTest::addColumn<int>("damageEvery");
        QTest::newRow("as written") << false << 0;
        QTest::newRow("records inside arguments, damage") << true << 40;
    }
    void everyBlockSizeNumberOfWorkersAndContainerTellsTheSame()
    {
        QFETCH(const bool, hasNestedRecords);
        QFETCH(const int, damageEvery);
        std::mt19937_64 random(41);
        RandomJson options;
        options.isPlain = true;
        options.hasNestedRecords = hasNestedRecords;
        options.damageEvery = damageEvery;
        options.records = 200;
        options.records = 200 * ((std::size_t{5} << 19U) / kScale / randomTraceJson(random, options).size() + 1);
        const std::string text = randomTraceJson(random, options);
        QVERIFY(text.size() > (std::size_t{2} << 20U) / kScale);
        const std::string expected = importedText(text, std::size_t{1} << 30U, 1);
        const std::string path = m_directory.filePath(QStringLiteral("trace")).toStdString();
        const std::vector<std::pair<std::string, std::string>> containers = {
            {"plain", text}, {"gzip", gzipped(text)}, {"zstd", zstdPacked(text)}, {"zip", zipped({{"trace.json", text}})}};
        for (const auto &[container, bytes] : containers) {
            writeFile(path, bytes);
            for (const std::size_t blockBytes : {std::size_t{1} << 10U, std::size_t{1} << 16U, std::size_t{1} << 20U}) {
                for (unsigned workers = 1; workers <= 8; workers += kScale == 1 ? 1 : 3) {
                    const std::string difference = firstDifference(expected, importedFile(path, blockBytes, workers));
                    QVERIFY2(difference.empty(), (container + ", blocks of " + std::to_string(blockBytes) + ", " + std::to_string(workers) + " workers: " + difference).c_str());
                }
            }
        }
    }

    void aHugeRecordChangesNothing()
    {
        std::mt19937_64 random(5);
        RandomJson options;
        options.records = 60;
        options.hugeBytes = 3'000'000;
        options.isPlain = true;
        checkAllWays(randomTraceJson(random, options), "huge");
    }

    void aTraceBehindATraceIsToldAndNotShown()
    {
        std::mt19937_64 random(6);
        RandomJson options;
        options.records = 40;
        options.isPlain = true;
        const std::string one = randomTraceJson(random, options);
        checkAllWays(one + "\n" + one, "two documents");
        const auto trace = importText(one + "\n" + one);
        const auto alone = importText(one);
        QCOMPARE(trace->eventCount(), alone->eventCount());
        QVERIFY(std::any_of(trace->diagnostics().begin(), trace->diagnostics().end(), [&](const Diagnostic &note) {
            return note.kind == DiagnosticKind::TrailingData && note.firstByte == one.size() + 1;
        }));
    }

    void everyCutOfASmallTraceIsTheSameEverywhere()
    {
        std::mt19937_64 random(7);
        RandomJson options;
        options.records = 6;
        const std::string text = randomTraceJson(random, options);
        for (std::size_t length = 0; length <= text.size(); length += 1 + length / 200 + (kScale == 1 ? 0 : 9)) {
            const std::string cut = text.substr(0, length);
            const std::string difference = firstDifference(importedText(cut, 1U << 20U, 1), importedText(cut, 64, 2));
            QVERIFY2(difference.empty(), (std::to_string(length) + ": " + difference).c_str());
        }
    }

    // Damage, and behind it arguments with an array of objects: its ']' is not the end of the records.
    void damageBeforeNestedObjectsLosesOneRecord_data()
    {
        QTest::addColumn<QByteArray>("args");
        for (const std::string &args : {json("{'s':[{'a':1},{'b':2}]}"), json("{'s':[{'a':1},{'b':2}],'t':1}"), json("{'s':[[{'a':1},{'b':2}],[{'c':1},{'d':3}]]}"),
                                 json("{'s':[{'a':[{'x':1},{'y':2}]},{'b':2}],'t':{'u':[{'v':1},{'w':2}]}}")})
            QTest::newRow(args.c_str()) << QByteArray::fromStdString(args);
    }
    void damageBeforeNestedObjectsLosesOneRecord()
    {
        QFETCH(const QByteArray, args);
        std::string text = json("{'traceEvents':[");
        for (int i = 0; i < 200; ++i) {
            const bool isBroken = i % 10 == 5;
            text += json("{'ph':'X','cat':'cpu_op','name':'") + std::string(isBroken ? "un\"escaped" : "fine") + json("','pid':1,'tid':1,'ts':") + std::to_string(i * 10)
                    + json(",'dur':2,'args':") + args.toStdString() + (i == 199 ? "}\n" : "},\n");
        }
        for (const std::string &tail : {json("],'traceName':'t.json'}"), std::string("]}"), json("],'deviceProperties':[{'id':0},{'id':1}]}")}) {
            checkAllWays(text + tail, tail);
            const auto trace = importText(text + tail);
            QCOMPARE(trace->eventCount(), std::size_t{180});
            for (const Diagnostic &note : trace->diagnostics())
                QVERIFY2(severityOf(note.kind) != Severity::Error || note.kind == DiagnosticKind::DamagedEvent, note.message.c_str());
        }
        std::string array = "[" + text.substr(text.find('[') + 1) + "]";
        checkAllWays(array, "array");
        QCOMPARE(importText(array)->eventCount(), std::size_t{180});
    }

    void aBracketTooManyBetweenRecordsCostsNextToNothing_data()
    {
        QTest::addColumn<QByteArray>("bracket");
        QTest::addColumn<int>("mostLost");
        QTest::addRow("[") << QByteArray("[") << 0;
        QTest::addRow("[ [") << QByteArray("[ [") << 1;
        QTest::addRow("]") << QByteArray("]") << 0;
        QTest::addRow("],") << QByteArray("],") << 0;
        QTest::addRow("]}") << QByteArray("]}") << 1;
        QTest::addRow("{") << QByteArray("{") << 1;
        QTest::addRow("}") << QByteArray("}") << 1;
    }
    void aBracketTooManyBetweenRecordsCostsNextToNothing()
    {
        QFETCH(const QByteArray, bracket);
        QFETCH(const int, mostLost);
        for (const bool isArray : {false, true}) {
            std::string text = isArray ? std::string("[\n") : json("{'schemaVersion':1,'traceEvents':[\n");
            for (int i = 0; i < 300; ++i)
                text += (i == 100 ? bracket.toStdString() : std::string())
                        + json("  {'ph':'X','cat':'cpu_op','name':'fine','pid':1,'tid':1,'ts':") + std::to_string(i) + json(",'dur':0.5,'args':{'Input Dims':[[1,2]]}}")
                        + (i == 299 ? "\n" : ",\n");
            text += isArray ? std::string("]\n") : json("],'traceName':'t.json'}\n");
            checkAllWays(text, bracket.toStdString());
            if (QTest::currentTestFailed())
                return;
            const auto trace = importText(text);
            QVERIFY2(trace->eventCount() >= static_cast<std::size_t>(300 - mostLost), std::to_string(trace->eventCount()).c_str());
        }
    }

    void arraysLeftOpenCostTheirRecordAndTheNext()
    {
        std::string text = json("{'traceEvents':[");
        for (int i = 0; i < 3000; ++i) {
            const bool isBroken = i % 10 == 5;
            text += json("{'ph':'X','cat':'cpu_op','name':'fine','pid':1,'tid':1,'ts':") + std::to_string(i * 10) + json(",'dur':2,'args':{'Input Dims':[[1,2")
                    + std::string(isBroken ? ",\n" : "]]}},\n");
        }
        text += "{}]}";
        checkAllWays(text, "open arrays");
        // Where one ends is not to be seen, so each takes the next with it.
        QCOMPARE(importText(text)->eventCount(), std::size_t{2400});
    }

    void aFileThatShrinksWhileItIsReadEndsTheImport()
    {
        std::string text = "[";
        for (int i = 0; i < 3000; ++i) // borders are guessed wrong all the time, so the text is read a second time
            text += json("{'ph':'X','ts':1,'dur':1,'args':{'a':[{'b':1},{'c':2},{'d':3},{'e':4}]}},");
        text += "{}]";
        for (const std::uint64_t cut : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{50'000}, std::uint64_t{text.size() - 70}}) {
            const ShrinkingSource source(text, cut);
            bool isRefused = false;
            try {
                scanFile(source, 64, 2, {});
            } catch (const SourceChanged &) {
                isRefused = true;
            } catch (const ImportError &) {
                isRefused = true;
            }
            QVERIFY2(isRefused, std::to_string(cut).c_str());
        }
    }

    void cancellingStopsBetweenBlocks()
    {
        std::string text = "[";
        for (int i = 0; i < 20'000; ++i)
            text += json("{'ph':'X','ts':1,'dur':1},");
        std::stop_source stop;
        const Progress progress(stop.get_token(), [&stop](const ProgressReport &) { stop.request_stop(); });
        QVERIFY_THROWS_EXCEPTION(Cancelled, importText(text + "{}]", progress, ImportOptions{1024, 2}));
    }

    // From another thread, at every stage of the import, for every kind of source.
    void cancellingFromAnotherThreadFreesEverything_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        std::mt19937_64 random(42);
        RandomJson options;
        options.records = 20'000 / kScale;
        options.isPlain = true;
        const std::string text = randomTraceJson(random, options);
        const auto row = [](const char *name, const std::string &bytes) { QTest::newRow(name) << QByteArray::fromStdString(bytes); };
        row("plain", text);
        row("gzip", gzipped(text));
        row("zstd", zstdPacked(text));
        row("zip", zipped({{"trace.json", text}}));
        row("gzip in zip", zipped({{"trace.json.gz", gzipped(text)}}));
    }
    void cancellingFromAnotherThreadFreesEverything()
    {
        QFETCH(const QByteArray, bytes);
        const std::string path = m_directory.filePath(QStringLiteral("trace")).toStdString();
        writeFile(path, bytes.toStdString());
        QElapsedTimer timer;
        timer.start();
        importTrace(path, {}, {std::size_t{1} << 16U, 2}); // the names stay for good
        std::int64_t wholeUs = timer.nsecsElapsed() / 1000;
        int cancelled = 0;
        std::size_t heldBefore = 0;
        std::size_t descriptorsBefore = 0;
        constexpr int kRounds = 60;
        for (int round = 0; round < kRounds; ++round) {
            if (round == kRounds / 3) { // what the runtime keeps for itself is there by now
                heldBefore = heldMemory();
                descriptorsBefore = openDescriptors();
            }
            std::stop_source stop;
            std::atomic<bool> isCancelled{false};
            {
                std::jthread worker([&] {
                    try {
                        importTrace(path, Progress(stop.get_token(), {}), {std::size_t{1} << 16U, 2});
                    } catch (const Cancelled &) {
                        isCancelled = true;
                    }
                });
                std::this_thread::sleep_for(std::chrono::microseconds(wholeUs * round / kRounds));
                stop.request_stop();
            }
            cancelled += isCancelled ? 1 : 0;
            if (!isCancelled && round < kRounds * 3 / 4)
                wholeUs = wholeUs * 3 / 4; // the machine was busy when it was measured
        }
        QVERIFY2(cancelled >= kRounds / 4, std::to_string(cancelled).c_str());
        QCOMPARE(openDescriptors(), descriptorsBefore);
        // A single leaked block or batch of each round would be more.
        const std::size_t held = heldMemory();
        QVERIFY2(held < heldBefore + 200'000, (std::to_string(heldBefore) + " -> " + std::to_string(held)).c_str());
    }

    void progressNeverGoesBack()
    {
        std::string text = "[";
        for (int i = 0; i < 20'000; ++i)
            text += json("{'ph':'X','ts':1,'dur':1},");
        text += "{}]";
        std::uint64_t last = 0;
        std::uint64_t records = 0;
        const Progress progress({}, [&](const ProgressReport &report) {
            QVERIFY(report.bytesDone >= last && report.bytesDone <= report.bytesTotal);
            last = report.bytesDone;
            records = std::max(records, report.records);
        });
        importText(text, progress, {4096, 1});
        QCOMPARE(last, std::uint64_t{text.size()});
        QCOMPARE(records, std::uint64_t{20'000});
    }
};

QTEST_APPLESS_MAIN(TstScanFile)
#include "tst_scan_file.moc"
