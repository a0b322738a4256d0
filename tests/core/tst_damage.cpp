// SPDX-License-Identifier: GPL-3.0-or-later
// Two damaged spots in each megabyte of a trace: what was not touched is there, and loading costs no more than before.
#include "core/import/import.h"
#include "tests/support/damage.h"
#include "tests/support/qt_text.h"
#include "tests/support/random_json.h"

#include <QTest>

#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

using namespace ks;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t kMegabytes = 4;
#else
constexpr std::size_t kMegabytes = 40;
#endif
constexpr std::size_t kSpotsPerMegabyte = 2;

struct RecordSpan
{
    std::size_t begin;
    std::size_t end; // behind its closing brace
};

// As the exporter writes it; record i begins at i microseconds.
std::string writtenTrace(std::vector<RecordSpan> &records)
{
    std::string text = json("{\n  'schemaVersion': 1,\n  'traceEvents': [\n");
    while (text.size() < kMegabytes << 20U) {
        const std::string i = std::to_string(records.size());
        const std::size_t begin = text.size() + 2;
        if (records.size() % 3 == 0)
            text +=
                json(
                    "  {\n    'ph': 'X', 'cat': 'cpu_op', 'name': 'aten::addmm', 'pid': 1210, 'tid': 1210,\n    'ts': ")
                + i + json(".000, 'dur': 0.500,\n    'args': {\n      'External id': ") + i
                + json(",'Record function id': 0, 'Concrete Inputs': ['', '', '', '1', '1'], 'Input type': ['float', "
                       "'float', 'float', 'Scalar', 'Scalar'], "
                       "'Input Dims': [[512], [32, 128], [128, 512], [], []], 'Ev Idx': ")
                + i + "\n    }\n  }";
        else
            text += json("  {\n    'ph': 'X', 'cat': 'python_function', 'name': 'torch/nn/modules/linear.py(114): "
                         "forward', 'pid': 1210, 'tid': 1210,\n    'ts': ")
                    + i + json(".000, 'dur': 0.250,\n    'args': {\n      'Python parent id': 12, 'Python id': ") + i
                    + ", \"Ev Idx\": " + i + "\n    }\n  }";
        records.push_back({begin, text.size()});
        text += ",\n";
    }
    text.erase(text.size() - 2);
    return text + json("\n  ],\n  'traceName': 'trace.json'\n}\n");
}

double cpuSeconds()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double costOf(const std::string &text)
{
    double least = 1e9;
    for (int i = 0; i < 3; ++i) {
        std::string copy = text;
        const double before = cpuSeconds();
        importText(std::move(copy), {}, {.workers = 1});
        least = std::min(least, cpuSeconds() - before);
    }
    return least;
}

} // namespace

class TstDamage : public QObject
{
    Q_OBJECT
private slots:
    void whatWasNotTouchedSurvives_data()
    {
        QTest::addColumn<int>("seed");
        for (int seed = 0; seed < 5; ++seed)
            QTest::addRow("seed %d", seed) << seed;
    }
    void whatWasNotTouchedSurvives()
    {
        QFETCH(const int, seed);
        std::mt19937_64 random(static_cast<unsigned>(seed) + 100);
        std::vector<RecordSpan> records;
        std::string text = writtenTrace(records);
        const std::vector<DamagedSpot> spots = damageText(text, random, kMegabytes * kSpotsPerMegabyte);
        const auto trace = importText(text);

        std::vector<bool> isThere(records.size());
        for (std::size_t i = 0; i < trace->eventCount(); ++i) {
            const auto begin = static_cast<std::size_t>(
                static_cast<std::int64_t>(trace->fileTime(trace->begin(static_cast<EventId>(i)))) / 1000);
            if (begin < isThere.size())
                isThere[begin] = true;
        }
        std::size_t intact = 0;
        std::size_t lost = 0;
        auto spot = spots.begin();
        for (std::size_t i = 0; i < records.size(); ++i) {
            while (spot != spots.end() && std::max(spot->end, spot->begin + 1) <= records[i].begin)
                ++spot;
            const bool isTouched = spot != spots.end() && spot->begin < records[i].end;
            intact += isTouched ? 0 : 1;
            lost += isTouched || isThere[i] ? 0 : 1;
        }
        qInfo("%zu of %zu intact records lost, %zu spots", lost, intact, spots.size());
        QVERIFY(intact > records.size() * 9 / 10);
        QVERIFY2(lost * 1000 <= intact, std::to_string(lost).c_str());
    }

    void damageCostsLittle()
    {
        std::vector<RecordSpan> records;
        const std::string text = writtenTrace(records);
        std::string damaged = text;
        std::mt19937_64 random(9);
        damageText(damaged, random, kMegabytes * kSpotsPerMegabyte);
        const double whole = costOf(text);
        const double broken = costOf(damaged);
        qInfo("cost of damage: %.1f %%", 100 * (broken / whole - 1));
        // 10 % is the aim, told by bench_import; here only that nothing is read again and again.
        QVERIFY2(broken < 1.6 * whole,
                 (std::to_string(whole) + " s -> " + std::to_string(broken) + " s of cpu").c_str());
    }
};

QTEST_APPLESS_MAIN(TstDamage)
#include "tst_damage.moc"
