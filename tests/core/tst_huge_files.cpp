// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of more than four gigabytes, made up while they are read: they need neither disk nor memory.
#include "core/import/import.h"
#include "core/trace/args.h"
#include "tests/support/pack.h"
#include "tests/support/qt_text.h"
#include "tests/support/random_json.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string>

#include <sys/resource.h>

using namespace ks;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool isSanitized = true; // gigabytes take too long there
#else
constexpr bool isSanitized = false;
#endif

// Records of one size, padded by an argument; record i begins at i microseconds.
class MadeUpSource final : public ByteSource
{
public:
    static constexpr std::size_t kRecordBytes = std::size_t{1} << 20U;

    explicit MadeUpSource(std::uint64_t records)
        : m_records(records)
        , m_bytes(1 + records * kRecordBytes + 3)
    {}
    Container container() const override { return Container::Plain; }
    std::uint64_t storedBytes() const override { return m_bytes; }
    std::size_t readAt(std::uint64_t offset, std::span<char> into) const override
    {
        if (offset >= m_bytes)
            return 0;
        into = into.first(std::min<std::uint64_t>(into.size(), m_bytes - offset));
        for (std::size_t done = 0; done < into.size();)
            done += readPiece(offset + done, into.subspan(done));
        return into.size();
    }
    bool hasChanged() const override { return false; }

private:
    static std::size_t copy(std::string_view text, std::size_t from, std::span<char> into)
    {
        const std::size_t count = std::min(into.size(), text.size() - from);
        std::memcpy(into.data(), text.data() + from, count);
        return count;
    }

    std::size_t readPiece(std::uint64_t offset, std::span<char> into) const
    {
        if (offset == 0)
            return copy("[", 0, into);
        if (offset > m_records * kRecordBytes)
            return copy("{}]", static_cast<std::size_t>(offset - 1 - m_records * kRecordBytes), into);
        const std::uint64_t record = (offset - 1) / kRecordBytes;
        const auto inside = static_cast<std::size_t>((offset - 1) % kRecordBytes);
        const std::string begin = json("{'ph':'X','cat':'cpu_op','name':'far','pid':1,'tid':1,'ts':")
                                  + std::to_string(record) + json(",'dur':0.5,'args':{'number':")
                                  + std::to_string(record) + json(",'padding':'");
        const std::string end = "\"}},\n";
        if (inside < begin.size())
            return copy(begin, inside, into);
        const std::size_t padded = kRecordBytes - end.size();
        if (inside >= padded)
            return copy(end, inside - padded, into);
        const std::size_t count = std::min(into.size(), padded - inside);
        std::memset(into.data(), 'x', count);
        return count;
    }

    std::uint64_t m_records;
    std::uint64_t m_bytes;
};

double peakMegabytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

} // namespace

class TstHugeFiles : public QObject
{
    Q_OBJECT
private slots:
    void moreThanFourGigabytesOpen()
    {
        if (isSanitized)
            QSKIP("too slow under a sanitizer");
        constexpr std::uint64_t kRecords = 4'500;
        const auto source = std::make_shared<MadeUpSource>(kRecords);
        QVERIFY(source->storedBytes() > std::uint64_t{1} << 32U);
        const double before = peakMegabytes();
        const auto trace = importSource(source, "made up");
        QCOMPARE(trace->eventCount(), std::size_t{kRecords});
        for (const Diagnostic &note : trace->diagnostics())
            QVERIFY2(severityOf(note.kind) != Severity::Error, note.message.c_str());
        QCOMPARE(trace->metadata().jsonBytes, source->storedBytes());
        for (const std::uint32_t i : {0U, 1U, 4095U, 4096U, 4097U, static_cast<std::uint32_t>(kRecords) - 1}) {
            const EventId event = trace->eventAtFileIndex(i);
            QCOMPARE(trace->begin(event), TimeNs{i} * 1000);
            QCOMPARE(trace->recordOffset(event), 1 + std::uint64_t{i} * MadeUpSource::kRecordBytes);
            const Args args = parseArgs(*trace, event);
            QCOMPARE(q(std::string(findArg(args, "number").value_or("none"))), QString::number(i));
        }
        // Blocks and their tails, not the text.
        QVERIFY2(peakMegabytes() - before < 300, std::to_string(peakMegabytes() - before).c_str());
    }

    void aFileOfHolesIsReadInLinearTimeAndMemory()
    {
        if (isSanitized)
            QSKIP("too slow under a sanitizer");
        QTemporaryDir directory;
        const std::string path = directory.filePath(QStringLiteral("holes.json")).toStdString();
        const double before = peakMegabytes();
        // Nothing but a hole, and a hole behind records: what a full disk or a lost cache leaves.
        for (const std::string &begin :
             {std::string(), json("[{'ph':'X','ts':1,'dur':1,'name':'n'},{'ph':'X','ts':2,'dur':1,'name':'n'},")}) {
            writeFile(path, begin);
            std::filesystem::resize_file(path, std::uint64_t{3} << 30U);
            try {
                const auto trace = importTrace(path);
                QVERIFY(!begin.empty());
                QCOMPARE(trace->eventCount(), std::size_t{2});
                QVERIFY(!trace->diagnostics().empty());
            } catch (const ImportError &error) {
                QVERIFY2(begin.empty(), error.what());
            }
        }
        QVERIFY2(peakMegabytes() - before < 400, std::to_string(peakMegabytes() - before).c_str());
    }
};

QTEST_APPLESS_MAIN(TstHugeFiles)
#include "tst_huge_files.moc"
