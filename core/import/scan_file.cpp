// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/scan_file.h"

#include "core/base/error.h"
#include "core/import/block_reader.h"
#include "core/import/event_scanner.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <thread>

namespace ks {
namespace {

// A block that was scanned where it was guessed to start.
struct GuessedBlock
{
    std::uint64_t begin = 0;
    std::uint64_t end = 0; // where its scan stopped
    ScanEnd how = ScanEnd::TextEnd;
    ScannedBatch scanned;
};

class FileScan
{
public:
    FileScan(const ByteSource &source, std::size_t blockBytes, unsigned workers, const Progress &progress)
        : m_source(source)
        , m_blockBytes(blockBytes)
        , m_workers(workers)
        , m_progress(progress)
        , m_stream(source.open())
    {}

    ScannedFile run()
    {
        const std::uint64_t begin = readHead();
        scanBlocks(begin);
        putInOrder(begin);
        m_file.textBytes = m_textBytes;
        return std::move(m_file);
    }

private:
    std::uint64_t readHead();
    void scanBlocks(std::uint64_t begin);
    void work(BlockReader &reader, std::size_t worker);
    void putInOrder(std::uint64_t begin);
    std::optional<std::uint64_t> scanGap(std::uint64_t at);
    void readTail(std::uint64_t at);
    void accept(GuessedBlock &block);

    const ByteSource &m_source;
    const std::size_t m_blockBytes;
    const unsigned m_workers;
    const Progress &m_progress;
    std::unique_ptr<ByteStream> m_stream;
    PaddedBuffer m_head;
    ScannedFile m_file;
    std::mutex m_mutex;
    std::map<std::uint64_t, GuessedBlock> m_blocks; // by begin
    std::atomic<std::uint64_t> m_records{0};
    std::atomic<bool> m_failed{false};
    std::uint64_t m_textBytes = 0;
};

// Reads until the records begin. Returns where.
std::uint64_t FileScan::readHead()
{
    TraceHead head;
    std::size_t wanted = std::size_t{1} << 16U;
    bool isAll = false;
    for (;;) {
        while (!isAll && m_head.size() < wanted) {
            m_progress.throwIfStopped();
            const std::size_t before = m_head.size();
            const std::size_t got = m_stream->read(m_head.extend(wanted - before));
            m_head.shrink(before + got);
            isAll = got == 0;
        }
        if (parseHead(m_head.text(), isAll, head) == HeadResult::Records)
            break;
        wanted *= 2;
    }
    m_file.isArray = head.isArray;
    m_file.keys = std::move(head.keys);
    if (head.firstIsArray)
        throw ImportError("not a trace: an array of arrays (a memory timeline, perhaps), there are no trace events in it", head.recordsBegin);
    return head.recordsBegin;
}

void FileScan::scanBlocks(std::uint64_t begin)
{
    BlockReader reader(*m_stream, m_blockBytes, m_head.text().substr(begin), begin);
    m_head = PaddedBuffer();
    m_file.tables.resize(m_workers + 1); // the last one for gaps
    std::exception_ptr failure;
    {
        std::vector<std::jthread> threads;
        for (unsigned worker = 0; worker < m_workers; ++worker) {
            threads.emplace_back([&, worker] {
                try {
                    work(reader, worker);
                } catch (...) {
                    m_failed = true;
                    const std::lock_guard lock(m_mutex);
                    failure = std::current_exception();
                }
            });
        }
    }
    if (failure)
        std::rethrow_exception(failure);
    m_textBytes = reader.textBytes();
    m_file.packedTruncated = reader.isTruncated();
}

void FileScan::work(BlockReader &reader, std::size_t worker)
{
    Block block;
    while (!m_failed && reader.next(block)) {
        m_progress.throwIfStopped();
        if (block.startsAtRecord) {
            GuessedBlock guessed;
            guessed.begin = block.offset;
            guessed.scanned.tables = worker;
            guessed.scanned.batch.base = block.offset;
            EventScanner scanner(m_file.tables[worker], guessed.scanned.batch);
            const ScanStop stop = scanner.scan(block.text.text(), 0, block.limit, block.isLast);
            guessed.how = stop.end;
            guessed.end = block.offset + stop.at;
            m_records += guessed.scanned.batch.counts.records;
            const std::lock_guard lock(m_mutex);
            m_blocks.emplace(guessed.begin, std::move(guessed));
        }
        m_progress.report({reader.storedBytesRead(), m_source.storedBytes(), m_records});
    }
}

void FileScan::accept(GuessedBlock &block)
{
    m_file.batches.push_back(std::move(block.scanned));
}

// Follows the blocks from border to border; where a guess was wrong, the text is scanned again from the true place.
void FileScan::putInOrder(std::uint64_t begin)
{
    std::uint64_t at = begin;
    for (;;) {
        m_progress.throwIfStopped();
        const auto found = m_blocks.find(at);
        if (found == m_blocks.end()) {
            const std::optional<std::uint64_t> next = scanGap(at);
            if (!next)
                return;
            at = *next;
            continue;
        }
        GuessedBlock &block = found->second;
        accept(block);
        if (block.how == ScanEnd::ArrayEnd) {
            m_blocks.clear();
            readTail(block.end);
            return;
        }
        const bool isEnd = block.how == ScanEnd::TextEnd && block.end >= m_textBytes;
        at = block.end;
        m_blocks.erase(m_blocks.begin(), std::next(found));
        if (isEnd) {
            if (!m_file.isArray || m_file.packedTruncated)
                m_file.truncatedAt = at;
            return;
        }
    }
}

// Scans from `at` on, in order, until a guessed block starts where a record does. Returns that place, or none at the end of the records.
std::optional<std::uint64_t> FileScan::scanGap(std::uint64_t at)
{
    std::size_t window = std::max<std::size_t>(m_blockBytes, std::size_t{1} << 16U);
    PaddedBuffer text;
    for (;;) {
        m_progress.throwIfStopped();
        text.shrink(0);
        const std::size_t got = m_source.readAt(at, text.extend(window));
        text.shrink(got);
        const bool isAll = at + got >= m_textBytes;
        const auto target = m_blocks.upper_bound(at);
        const std::uint64_t limit = target == m_blocks.end() ? m_textBytes : target->first;

        GuessedBlock gap;
        gap.scanned.tables = m_workers;
        gap.scanned.batch.base = at;
        EventScanner scanner(m_file.tables[m_workers], gap.scanned.batch);
        const bool giveUp = isAll || got >= BlockReader::kMaxRecordBytes;
        const ScanStop stop = scanner.scan(text.text(), 0, static_cast<std::size_t>(std::min<std::uint64_t>(limit - at, got)), giveUp);
        const std::uint64_t end = at + stop.at;
        switch (stop.end) {
        case ScanEnd::ArrayEnd:
            accept(gap);
            m_blocks.clear();
            readTail(end);
            return {};
        case ScanEnd::Limit:
            accept(gap);
            m_blocks.erase(m_blocks.begin(), m_blocks.lower_bound(end));
            if (m_blocks.contains(end))
                return end;
            at = end;
            break;
        case ScanEnd::TextEnd:
            accept(gap);
            if (isAll) {
                if (!m_file.isArray || m_file.packedTruncated)
                    m_file.truncatedAt = end;
                return {};
            }
            at = end;
            break;
        case ScanEnd::Incomplete:
            if (isAll) { // cut in the middle of its last record
                accept(gap);
                m_file.truncatedAt = end;
                return {};
            }
            if (giveUp) {
                gap.scanned.batch.counts.damaged.add(end);
                accept(gap);
                at += got;
                window = m_blockBytes;
                break;
            }
            if (stop.at != 0)
                accept(gap);
            at = end;
            window = stop.at != 0 ? window : std::min(window * 2, BlockReader::kMaxRecordBytes);
            break;
        }
    }
}

void FileScan::readTail(std::uint64_t at)
{
    PaddedBuffer text;
    std::size_t window = std::size_t{1} << 16U;
    std::size_t behind = 0;
    for (;;) {
        text.shrink(0);
        text.shrink(m_source.readAt(at, text.extend(window)));
        const bool isAll = at + text.size() >= m_textBytes;
        if (m_file.isArray)
            break;
        TopLevelKeys keys;
        behind = parseTail(text.text(), at, keys);
        if (behind == std::string_view::npos && !keys.isDamaged && !isAll && window < BlockReader::kMaxRecordBytes) {
            window *= 2;
            continue;
        }
        std::move(keys.values.begin(), keys.values.end(), std::back_inserter(m_file.keys.values));
        if (keys.isDamaged) {
            m_file.keys.isDamaged = true;
            m_file.keys.damagedAt = keys.damagedAt;
            return;
        }
        if (behind == std::string_view::npos) {
            m_file.truncatedAt = m_textBytes;
            return;
        }
        break;
    }
    // Nothing but white space may follow.
    for (std::uint64_t from = at + behind; from < m_textBytes;) {
        text.shrink(0);
        text.shrink(m_source.readAt(from, text.extend(std::size_t{1} << 16U)));
        if (text.size() == 0)
            return;
        const char *const end = text.text().data() + text.size();
        const char *const rest = skipSpace(text.text().data(), end);
        if (rest != end) {
            m_file.trailingAt = from + static_cast<std::uint64_t>(rest - text.text().data());
            return;
        }
        from += text.size();
    }
}

} // namespace

ScannedFile scanFile(const ByteSource &source, std::size_t blockBytes, unsigned workers, const Progress &progress)
{
    if (workers == 0)
        workers = std::max(1U, std::thread::hardware_concurrency());
    return FileScan(source, blockBytes, workers, progress).run();
}

} // namespace ks
