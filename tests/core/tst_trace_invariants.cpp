// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/import/import.h"
#include "core/trace/args.h"
#include "tests/support/qt_text.h"
#include "tests/support/random_json.h"
#include "tests/support/trace_check.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QTest>

#include <random>
#include <string>

using namespace ks;

class TstTraceInvariants : public QObject
{
    Q_OBJECT

    // Opens it (what is no trace may be refused) and looks for faults.
    static void check(const QString &path)
    {
        std::shared_ptr<const Trace> trace;
        try {
            trace = importTrace(path.toStdString());
        } catch (const ImportError &error) {
            QVERIFY2(error.what()[0] != '\0', qPrintable(path));
            return;
        }
        const std::string fault = traceFault(*trace);
        QVERIFY2(fault.empty(), (path.toStdString() + ": " + fault).c_str());
        // Of a few events everywhere the arguments can be read, and belong to the event.
        const std::size_t step = 1 + trace->eventCount() / 20;
        for (std::size_t i = 0; i < trace->eventCount(); i += step) {
            const Args args = parseArgs(*trace, static_cast<EventId>(i));
            const auto correlation = findArg(args, "correlation");
            if (const auto raw = trace->links().correlation.find(static_cast<EventId>(i)); raw && correlation)
                QCOMPARE(q(argText(*correlation)), q(std::to_string(*raw)));
        }
    }

    static void checkAll(const QString &folder, qint64 largest)
    {
        if (!QFileInfo::exists(folder))
            QSKIP(qPrintable(folder + QStringLiteral(" is not there")));
        int files = 0;
        for (QDirIterator at(folder, QDir::Files, QDirIterator::Subdirectories); at.hasNext();) {
            const QString path = at.next();
            const QString name = at.fileName();
            const bool isTrace = name.endsWith(QStringLiteral(".json")) || name.endsWith(QStringLiteral(".gz")) || name.endsWith(QStringLiteral(".zip"));
            if (!isTrace || at.fileInfo().size() > largest || name.contains(QStringLiteral("oracle")))
                continue;
            check(path);
            if (QTest::currentTestFailed())
                return;
            ++files;
        }
        qInfo("%d files", files);
        QVERIFY(files > 0);
    }

private slots:
    void ofRandomTraces()
    {
        for (unsigned seed = 0; seed < 150; ++seed) {
            std::mt19937_64 random(seed);
            RandomJson options;
            options.records = 1 + random() % 400;
            options.isPlain = seed % 2 == 0;
            options.threads = 1 + static_cast<int>(random() % 4);
            options.damageEvery = seed % 3 == 0 ? 6 : 0;
            options.isArray = seed % 5 == 0;
            const std::string text = randomTraceJson(random, options);
            try {
                const auto trace = importText(text, {}, {4096, 2});
                const std::string fault = traceFault(*trace);
                QVERIFY2(fault.empty(), ("seed " + std::to_string(seed) + ": " + fault).c_str());
            } catch (const ImportError &error) {
                QVERIFY2(options.damageEvery != 0 || options.records < 30, error.what());
            }
        }
    }

    void ofALaneThatIsPlacedPieceByPiece()
    {
        std::string text = "{\"traceEvents\": [";
        for (int i = 0; i < 300'000; ++i) {
            const int depth = (i ^ (i >> 3)) % 6;
            text += (i == 0 ? "" : ",\n") + std::string("{\"ph\": \"X\", \"cat\": \"")
                    + (i % 5 == 0 ? "python_function" : "cpu_op") + "\", \"name\": \"f" + std::to_string(depth)
                    + "\", \"pid\": 1, \"tid\": 1, \"ts\": " + std::to_string(i)
                    + ", \"dur\": " + std::to_string(1 << depth) + "}";
        }
        text += "]}";
        const auto one = importText(text, {}, {.workers = 1});
        const auto three = importText(text, {}, {.workers = 3});
        QCOMPARE(three->eventCount(), std::size_t{300'000});
        const std::string fault = traceFault(*three);
        QVERIFY2(fault.empty(), fault.c_str());
        for (std::uint32_t i = 0; i < 300'000; ++i) {
            const EventId event{i};
            QCOMPARE(three->parent(event), one->parent(event));
            QCOMPARE(three->recordOffset(event), one->recordOffset(event));
        }
    }

    void ofTimesAtTheEndsOfTheWorld()
    {
        const char *const times[] = {"0", "-1e300", "1e300", "9223372036854775.807", "-9223372036854775.808", "9223372036854775.8", "5", "1e12", "-1e15"};
        for (unsigned seed = 0; seed < 400; ++seed) {
            std::mt19937_64 random(seed);
            const auto time = [&] { return std::string(times[random() % std::size(times)]); };
            std::string text = "[";
            for (int i = 0; i < 12; ++i) {
                constexpr const char *kPhases[] = {"X", "X", "X", "B", "E", "i", "C", "s", "f", "b", "e"};
                constexpr const char *kCategories[] = {"cpu_op", "kernel", "cuda_runtime", "python_function", "fwdbwd"};
                text += json("{'ph':'") + kPhases[random() % std::size(kPhases)] + json("','cat':'") + kCategories[random() % std::size(kCategories)]
                        + json("','name':'n','pid':1,'tid':1,'id':1,'ts':") + time() + json(",'dur':") + time() + json(",'args':{'correlation':1,'v':2}},");
            }
            const auto trace = importText(text + "{}]");
            const std::string fault = traceFault(*trace);
            QVERIFY2(fault.empty(), ("seed " + std::to_string(seed) + ": " + fault + "\n" + text).c_str());
        }
    }

    void ofTheSamples() { checkAll(QStringLiteral(KS_SOURCE_DIR "/resources/samples"), qint64{1} << 40); }
    void ofTheSeedsOfTheFuzzer() { checkAll(QStringLiteral(KS_SOURCE_DIR "/tests/fuzz/seeds"), qint64{1} << 40); }
    void ofOurRecordings() { checkAll(QStringLiteral(KS_SHARED_DIR "/traces"), qint64{8} << 20); }
    void ofRealTraces() { checkAll(QStringLiteral(KS_SHARED_DIR "/corpus"), qint64{64} << 20); }
};

QTEST_APPLESS_MAIN(TstTraceInvariants)
#include "tst_trace_invariants.moc"
