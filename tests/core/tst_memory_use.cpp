// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/import.h"
#include "core/view/level_of_detail.h"
#include "tests/support/held_memory.h"
#include "tests/support/pack.h"
#include "tests/support/random_run.h"

#include <QTemporaryDir>
#include <QTest>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace ks;

namespace {

std::vector<LevelOfDetail::Entry> allPyramids(const Trace &trace)
{
    std::vector<RowId> rows;
    for (std::size_t row = 0; row < trace.rows().size(); ++row)
        rows.push_back(static_cast<RowId>(row));
    return buildPyramids(trace, rows, EventColours(), {}, {});
}

} // namespace

class TstMemoryUse : public QObject
{
    Q_OBJECT
private slots:
    void aRecordOfALoadedTraceTakesAtMostSixtyBytes_data()
    {
        QTest::addColumn<int>("devices");
        QTest::newRow("operators, python and memory") << 0;
        QTest::newRow("with device work") << 2;
    }
    // Pyramids of all rows included; the arguments stay in the file.
    void aRecordOfALoadedTraceTakesAtMostSixtyBytes()
    {
        QFETCH(const int, devices);
        std::mt19937_64 random(1);
        RandomRun options;
        options.steps = 400;
        options.operatorsPerStep = 60;
        options.devices = devices;
        const QTemporaryDir directory;
        const std::string path = directory.filePath(QStringLiteral("trace.json")).toStdString();
        writeFile(path, randomRun(random, options).json());
        importTrace(path); // the names stay for good
        const std::size_t before = heldMemory();
        const auto trace = importTrace(path);
        const auto pyramids = allPyramids(*trace);
        const std::size_t held = heldMemory() - before;
        const std::uint64_t records = trace->metadata().records;
        constexpr std::size_t kTrace = 100'000; // whatever its size
        QVERIFY(records > 100'000);
        QVERIFY2(held < kTrace + 60 * records,
                 (std::to_string(held) + " bytes for " + std::to_string(records) + " records").c_str());
    }
};

QTEST_APPLESS_MAIN(TstMemoryUse)
#include "tst_memory_use.moc"
