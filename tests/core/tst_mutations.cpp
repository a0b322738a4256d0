// SPDX-License-Identifier: GPL-3.0-or-later
// Thousands of small mutations of small traces: whatever the bytes are, they either open, keep every invariant and do not depend on the blocks, or
// are refused in words. Nothing may crash, hang or grow.
#include "core/base/error.h"
#include "core/import/import.h"
#include "core/trace/args.h"
#include "tests/support/pack.h"
#include "tests/support/random_json.h"
#include "tests/support/trace_check.h"
#include "tests/support/trace_dump.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <ctime>
#include <random>
#include <string>
#include <vector>

using namespace ks;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr unsigned kScale = 6; // there is this much less of everything under the sanitizers
#else
constexpr unsigned kScale = 1;
#endif
constexpr double kMostSeconds = 5; // of processor time for some kilobytes, with sanitizers

double cpuSeconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

std::vector<std::string> smallTraces()
{
    std::vector<std::string> traces;
    const QDir seeds(QStringLiteral(KS_SOURCE_DIR "/tests/fuzz/seeds"));
    for (const QString &name : seeds.entryList(QDir::Files, QDir::Name)) {
        std::string text = readFile(seeds.filePath(name).toStdString());
        if (text.size() > 100 && text.size() < 6000)
            traces.push_back(std::move(text));
    }
    for (unsigned seed = 0; seed < 4; ++seed) {
        std::mt19937_64 random(seed);
        RandomJson options;
        options.records = 15;
        options.hasNestedRecords = seed % 2 == 0;
        traces.push_back(randomTraceJson(random, options));
    }
    return traces;
}

std::string mutated(std::mt19937_64 &random, std::string text, const std::string &other)
{
    const auto at = [&] { return random() % (text.size() + 1); };
    for (std::size_t count = 1 + random() % 4; count > 0; --count) {
        if (text.empty())
            return text;
        const std::size_t from = at();
        const std::size_t length = std::min<std::size_t>(1 + random() % (random() % 4 == 0 ? 300 : 8), text.size() - std::min(from, text.size()));
        switch (random() % 9) {
        case 0: text[from % text.size()] = static_cast<char>(text[from % text.size()] ^ (1 << random() % 8)); break;
        case 1: text[from % text.size()] = static_cast<char>(random()); break;
        case 2: text.erase(from, length); break;
        case 3: text.insert(from, text.substr(from, length)); break;
        case 4: text.insert(at(), text.substr(from, length)); break;
        case 5: text.insert(from, other.substr(random() % (other.size() + 1), length)); break;
        case 6: text.insert(from, 1, "{}[]\",:\\0-e.\n"[random() % 13]); break;
        case 7: text.resize(from); break;
        default: {
            constexpr const char *kWords[] = {"null", "-1", "1e309", "18446744073709551616", "\"\"", "nan", "},{\"ph\":\"X\"", "\"traceEvents\":[", "]}", "\\ud83d", "\xff\xfe", "\"ts\":", "9223372036854775807"};
            text.insert(from, kWords[random() % std::size(kWords)]);
            break;
        }
        }
    }
    return text;
}

} // namespace

class TstMutations : public QObject
{
    Q_OBJECT

    // What it says, or why it was refused.
    static std::string open(const std::string &text, const ImportOptions &options, std::shared_ptr<const Trace> &trace)
    {
        try {
            trace = importText(text, {}, options);
            return dumpTrace(*trace);
        } catch (const ImportError &error) {
            return error.what();
        }
    }

    static bool check(const std::string &text, const std::string &what)
    {
        const double before = cpuSeconds();
        std::shared_ptr<const Trace> trace;
        std::shared_ptr<const Trace> pieces;
        const std::string whole = open(text, {std::size_t{1} << 20U, 1}, trace);
        const std::string difference = firstDifference(whole, open(text, {64, 2}, pieces));
        std::string fault = !difference.empty() ? "depends on the blocks: " + difference : trace ? traceFault(*trace) : std::string();
        for (std::size_t i = 0; trace && fault.empty() && i < trace->eventCount() && i < 20; ++i) {
            try {
                parseArgs(*trace, static_cast<EventId>(i));
            } catch (const SourceChanged &) {
                fault = "the arguments of an event cannot be read";
            }
        }
        if (cpuSeconds() - before > kMostSeconds)
            fault = "took " + std::to_string(cpuSeconds() - before) + " s";
        if (fault.empty())
            return true;
        QTest::qFail((what + ": " + fault + "\n" + text).c_str(), __FILE__, __LINE__);
        return false;
    }

private slots:
    void ofText()
    {
        const std::vector<std::string> traces = smallTraces();
        QVERIFY(traces.size() > 12);
        const unsigned rounds = qEnvironmentVariableIntValue("KS_MUTATIONS") > 0 ? static_cast<unsigned>(qEnvironmentVariableIntValue("KS_MUTATIONS")) : 120 / kScale;
        for (std::size_t i = 0; i < traces.size(); ++i) {
            for (unsigned seed = 0; seed < rounds; ++seed) {
                std::mt19937_64 random(seed * 1000 + i);
                if (!check(mutated(random, traces[i], traces[(i + seed) % traces.size()]), "trace " + std::to_string(i) + ", seed " + std::to_string(seed)))
                    return;
            }
        }
    }

    void everyTruncation()
    {
        const std::vector<std::string> traces = smallTraces();
        for (std::size_t i = 0; i < traces.size(); i += 6) {
            for (std::size_t length = 1; length < traces[i].size(); length += 7 * kScale) {
                if (!check(traces[i].substr(0, length), "trace " + std::to_string(i) + " cut to " + std::to_string(length)))
                    return;
            }
        }
    }

    void ofPackedBytes()
    {
        QTemporaryDir directory;
        const std::string path = directory.filePath(QStringLiteral("packed")).toStdString();
        std::mt19937_64 random(21);
        RandomJson options;
        options.records = 300;
        const std::string text = randomTraceJson(random, options);
        for (const std::string &packed : {gzipped(text), zstdPacked(text), zipped({{"a.json", text}, {"._a.json", text}})}) {
            for (unsigned seed = 0; seed < 250 / kScale; ++seed) {
                std::string bytes = packed;
                for (std::size_t count = 1 + random() % 3; count > 0; --count) {
                    if (random() % 5 == 0)
                        bytes.resize(4 + random() % bytes.size());
                    else
                        bytes[4 + random() % (bytes.size() - 4)] = static_cast<char>(random());
                }
                writeFile(path, bytes);
                try {
                    const auto trace = importTrace(path, {}, {1000, 2});
                    const std::string fault = traceFault(*trace);
                    QVERIFY2(fault.empty(), fault.c_str());
                    for (std::size_t i = 0; i < trace->eventCount(); i += 50)
                        parseArgs(*trace, static_cast<EventId>(i));
                } catch (const ImportError &) {
                } catch (const SourceChanged &) {
                }
            }
        }
    }
};

QTEST_APPLESS_MAIN(TstMutations)
#include "tst_mutations.moc"
