// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/scan_file.h"

#include "core/base/error.h"
#include "core/import/block_reader.h"
#include "core/import/event_scanner.h"
#include "core/import/limits.h"
#include "core/import/record_start.h"
#include "core/import/records_end.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <thread>

namespace ks {
namespace {

// How much text may be looked at in vain; see EventScanner::setPatience. Then records are skipped more coarsely: a text made to waste time
// is read in linear time, if less completely. Counted in the order of the file, so that neither blocks nor workers change the result.
constexpr std::uint64_t kPatience = std::uint64_t{256} << 20U;
constexpr std::uint64_t kBlockPatience = std::uint64_t{8} << 20U;
constexpr std::size_t kShortWindow = std::size_t{1} << 16U;
constexpr std::size_t kSearchWindow = std::size_t{1} << 20U;

// A block that was scanned where it was guessed to start.
struct GuessedBlock
{
    std::uint64_t begin = 0;
    std::uint64_t end = 0; // where its scan stopped
    std::uint64_t wasted = 0;
    ScanEnd how = ScanEnd::TextEnd;
    ScannedBatch scanned;
};

class FileScan
{
public:
    FileScan(const ByteSource &source, std::size_t blockBytes, unsigned workers, const Progress &progress,
             std::uint64_t memoryBytes)
        : m_source(source)
        , m_blockBytes(blockBytes)
        , m_workers(workers)
        , m_progress(progress)
        , m_limits(source, memoryBytes)
        , m_stream(source.open(progress.stopToken()))
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
    std::optional<std::uint64_t> giveUpRecord(std::uint64_t at, PaddedBuffer &text, bool isAll, EventBatch &batch);
    std::optional<std::uint64_t> endRecords(std::uint64_t at);
    void noteTrailing(std::uint64_t from);
    bool readText(std::uint64_t at, std::size_t window, PaddedBuffer &text);
    void accept(GuessedBlock &block);

    bool isCoarse() const { return m_wasted >= kPatience; }
    std::size_t firstWindow() const
    {
        return isCoarse() ? kShortWindow : std::clamp(m_blockBytes, kShortWindow, BlockReader::kMaxRecordBytes);
    }
    std::size_t longestRecord() const { return isCoarse() ? kShortWindow : BlockReader::kMaxRecordBytes; }
    bool isTrusted(const GuessedBlock &block) const { return m_wasted + block.wasted <= kPatience; }
    void grow(std::uint64_t wasted);

    const ByteSource &m_source;
    const std::size_t m_blockBytes;
    const unsigned m_workers;
    const Progress &m_progress;
    ImportLimits m_limits;
    std::unique_ptr<ByteStream> m_stream;
    PaddedBuffer m_head;
    ScannedFile m_file;
    std::mutex m_mutex;
    std::map<std::uint64_t, GuessedBlock> m_blocks; // by begin
    std::atomic<std::uint64_t> m_records{0};
    std::atomic<bool> m_failed{false};
    std::uint64_t m_textBytes = 0;
    std::uint64_t m_wasted = 0;
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
        throw ImportError(
            "not a trace: an array of arrays (a memory timeline, perhaps), there are no trace events in it",
            head.recordsBegin);
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
    FileBlock block;
    while (!m_failed && reader.next(block)) {
        m_progress.throwIfStopped();
        m_limits.checkText(block.offset);
        if (block.startsAtRecord) {
            const std::size_t namesBefore = m_file.tables[worker].names.size();
            GuessedBlock guessed;
            guessed.scanned.batch = EventBatch(m_file.tables[worker].stores);
            guessed.begin = block.offset;
            guessed.scanned.tables = worker;
            guessed.scanned.batch.base = block.offset;
            EventScanner scanner(m_file.tables[worker], guessed.scanned.batch);
            scanner.setPatience(kBlockPatience);
            const ScanStop stop =
                scanner.scan(block.text.text(), 0, block.limit, false); // what the end means is judged in order
            guessed.scanned.batch.finish();
            guessed.how = stop.end;
            guessed.end = block.offset + stop.at;
            guessed.wasted = stop.wasted;
            m_records += guessed.scanned.batch.counts.records;
            m_limits.addMemory(memoryOf(guessed.scanned.batch)
                               + (m_file.tables[worker].names.size() - namesBefore) * kMemoryOfName);
            const std::lock_guard lock(m_mutex);
            m_blocks.emplace(guessed.begin, std::move(guessed));
        }
        m_progress.report({reader.storedBytesRead(), m_source.storedBytes(), m_records});
    }
}

void FileScan::accept(GuessedBlock &block)
{
    if (block.scanned.tables == m_workers) // of a gap: not counted yet
        m_limits.addMemory(memoryOf(block.scanned.batch));
    block.scanned.batch.finish();
    m_file.batches.push_back(std::move(block.scanned));
}

void FileScan::grow(std::uint64_t wasted)
{
    m_wasted += wasted;
    if (isCoarse())
        m_blocks.clear(); // they were scanned with patience
}

// Reads `window` bytes at `at`, fewer only at the end of the text. Returns whether this is all of it.
bool FileScan::readText(std::uint64_t at, std::size_t window, PaddedBuffer &text)
{
    text.shrink(0);
    const std::size_t got = m_source.readAt(at, text.extend(window));
    text.shrink(got);
    if (got < window && at + got < m_textBytes) {
        if (!m_file.packedTruncated)
            throw SourceChanged("the file became shorter while it was read");
        m_textBytes = at + got; // how much of a damaged stream can be unpacked may depend on where one starts
    }
    return at + got >= m_textBytes;
}

// Follows the blocks from border to border; where a guess was wrong, the text is scanned again from the true place.
void FileScan::putInOrder(std::uint64_t begin)
{
    std::uint64_t at = begin;
    for (;;) {
        m_progress.throwIfStopped();
        const auto found = m_blocks.find(at);
        if (found == m_blocks.end() || !isTrusted(found->second)) {
            const std::optional<std::uint64_t> next = scanGap(at);
            if (!next)
                return;
            at = *next;
            continue;
        }
        GuessedBlock &block = found->second;
        accept(block);
        const ScanEnd how = block.how;
        at = block.end;
        const std::uint64_t wasted = block.wasted;
        m_blocks.erase(m_blocks.begin(), std::next(found));
        grow(wasted);
        if (how == ScanEnd::ArrayEnd) {
            const std::optional<std::uint64_t> more = endRecords(at);
            if (!more)
                return;
            at = *more;
            m_blocks.erase(m_blocks.begin(), m_blocks.lower_bound(at));
        } else if (how == ScanEnd::TextEnd && at >= m_textBytes) {
            if (!m_file.isArray || m_file.packedTruncated)
                m_file.truncatedAt = at;
            return;
        }
    }
}

// Scans from `at` on, in order, until a guessed block starts where a record does. Returns that place, or none at the end of the records.
std::optional<std::uint64_t> FileScan::scanGap(std::uint64_t at)
{
    std::size_t window = firstWindow();
    PaddedBuffer text;
    for (;;) {
        m_progress.throwIfStopped();
        const bool isAll = readText(at, window, text);
        const auto target = m_blocks.upper_bound(at);
        const std::uint64_t limit = target == m_blocks.end() ? m_textBytes : target->first;

        GuessedBlock gap;
        gap.scanned.batch = EventBatch(m_file.tables[m_workers].stores);
        gap.scanned.tables = m_workers;
        gap.scanned.batch.base = at;
        EventScanner scanner(m_file.tables[m_workers], gap.scanned.batch);
        scanner.setPatience(isCoarse() ? EventScanner::kNoPatience : kPatience - m_wasted);
        const ScanStop stop = scanner.scan(
            text.text(), 0, static_cast<std::size_t>(std::min<std::uint64_t>(limit - at, text.size())), isAll);
        grow(stop.wasted);
        if (stop.end == ScanEnd::Incomplete && stop.at == 0) {
            if (!isAll && text.size() < longestRecord()) {
                window = std::min(window * 8, longestRecord());
                continue;
            }
            const std::optional<std::uint64_t> next = giveUpRecord(at, text, isAll, gap.scanned.batch);
            accept(gap);
            if (!next)
                return {};
            at = *next;
        } else {
            accept(gap);
            at += stop.at;
            if (stop.end == ScanEnd::ArrayEnd) {
                const std::optional<std::uint64_t> more = endRecords(at);
                if (!more)
                    return {};
                at = *more;
            } else if (stop.end == ScanEnd::TextEnd && isAll) {
                if (!m_file.isArray || m_file.packedTruncated)
                    m_file.truncatedAt = at;
                return {};
            } else if (stop.end == ScanEnd::Tired) {
                grow(kPatience);
            }
        }
        window = firstWindow();
        m_blocks.erase(m_blocks.begin(), m_blocks.lower_bound(at));
        if (const auto block = m_blocks.find(at); block != m_blocks.end() && isTrusted(block->second))
            return at;
    }
}

// The record at `at` does not end within `text`. Returns where to go on; none if nothing follows, so that it is the cut end of the file.
// Nothing is read from the middle of a record: quotes would be taken for each other from there on.
std::optional<std::uint64_t> FileScan::giveUpRecord(std::uint64_t at, PaddedBuffer &text, bool isAll, EventBatch &batch)
{
    constexpr std::size_t kStartBytes = 512; // more than is looked at to recognise the start of a record
    std::uint64_t place = at;
    std::size_t from = isCoarse() && !isAll ? text.size() - kStartBytes : 1;
    grow(text.size());
    for (;; from = 0) {
        m_progress.throwIfStopped();
        const std::size_t next = findRecordStart(text.text(), from);
        if (next != std::string_view::npos) {
            batch.counts.damaged.add(at);
            return place + next;
        }
        if (isAll) {
            m_file.truncatedAt = at;
            return {};
        }
        place += text.size() - kStartBytes;
        isAll = readText(place, kSearchWindow, text);
    }
}

// The records seem to end before `at`. Returns where to go on if they do not.
std::optional<std::uint64_t> FileScan::endRecords(std::uint64_t at)
{
    RecordsEnd end = lookBehindRecords(
        at, [this](std::uint64_t from, std::size_t bytes, PaddedBuffer &text) { return readText(from, bytes, text); });
    if (end.record)
        return end.record;
    m_blocks.clear();
    if (m_file.isArray) {
        noteTrailing(at);
        return {};
    }
    std::move(end.keys.values.begin(), end.keys.values.end(), std::back_inserter(m_file.keys.values));
    if (end.keys.isDamaged) {
        m_file.keys.isDamaged = true;
        m_file.keys.damagedAt = end.keys.damagedAt;
    } else if (!end.document) {
        m_file.truncatedAt = m_textBytes;
    } else {
        noteTrailing(*end.document);
    }
    return {};
}

// Nothing but white space may follow.
void FileScan::noteTrailing(std::uint64_t from)
{
    PaddedBuffer text;
    while (from < m_textBytes) {
        m_progress.throwIfStopped();
        text.shrink(0);
        text.shrink(m_source.readAt(from, text.extend(kShortWindow)));
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

ScannedFile scanFile(const ByteSource &source, std::size_t blockBytes, unsigned workers, const Progress &progress,
                     std::uint64_t memoryBytes)
{
    if (workers == 0)
        workers = std::max(1U, std::thread::hardware_concurrency());
    return FileScan(source, blockBytes, workers, progress, memoryBytes).run();
}

} // namespace ks
