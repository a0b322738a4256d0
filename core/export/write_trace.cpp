// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/write_trace.h"

#include "core/base/json_writer.h"
#include "core/trace/args.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>
#include <set>

namespace ks {
namespace {

constexpr std::size_t kBatch = 4096; // arguments of so many events are held at once

// Nanoseconds as microseconds, exactly: "12", "12.5", "-0.003".
std::string microseconds(std::int64_t ns)
{
    const bool isNegative = ns < 0;
    const std::uint64_t magnitude =
        isNegative ? std::uint64_t{0} - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
    std::string text = (isNegative ? "-" : "") + std::to_string(magnitude / 1000);
    if (const std::uint64_t rest = magnitude % 1000; rest != 0) {
        const std::string digits = std::to_string(rest);
        text += '.' + std::string(3 - digits.size(), '0') + digits;
        while (text.back() == '0')
            text.pop_back();
    }
    return text;
}

class Writer
{
public:
    Writer(TextSink &sink, const Trace &trace, const TrimmedTrace &part, const Progress &progress)
        : m_json(sink)
        , m_trace(trace)
        , m_part(part)
        , m_progress(progress)
    {}

    void run()
    {
        m_json.beginObject(JsonWriter::Layout::Lines);
        writeKeys();
        m_json.key("traceEvents").beginArray(JsonWriter::Layout::Lines);
        writeNames();
        writeEvents();
        writeMemory();
        writeArrows();
        writeInstants();
        writeCounters();
        m_json.endArray();
        m_json.endObject();
    }

private:
    void writeKeys()
    {
        const Metadata &about = m_trace.metadata();
        if (!about.devices.empty()) {
            m_json.key("deviceProperties").beginArray();
            for (const Device &device : about.devices) {
                m_json.beginObject().member("id", device.id).member("name", device.name);
                if (device.memoryBytes)
                    m_json.member("totalGlobalMem", *device.memoryBytes);
                if (device.multiprocessors)
                    m_json.member("numSms", *device.multiprocessors);
                m_json.endObject();
            }
            m_json.endArray();
        }
        if (about.baseNs)
            m_json.member("baseTimeNanoseconds", *about.baseNs);
        const ProfilerFlags &flags = about.profiler;
        for (const auto &[name, flag] :
             {std::pair("record_shapes", flags.recordShapes), std::pair("profile_memory", flags.profileMemory),
              std::pair("with_stack", flags.withStack), std::pair("with_modules", flags.withModules),
              std::pair("with_flops", flags.withFlops)}) {
            if (flag)
                m_json.member(name, *flag ? 1 : 0);
        }
        std::set<std::string> written;
        for (const auto &[name, json] : about.topLevel) {
            const std::string clean = name == "traceEvents" ? std::string() : cleanJson(json);
            if (!clean.empty() && written.insert(name).second) // what is too long was cut
                m_json.key(name).raw(clean);
        }
    }

    void put(const ScalarId &id)
    {
        if (id.isNumber())
            m_json.raw(id.text());
        else
            m_json.value(id.text());
    }

    void beginRecord(const char *phase, std::string_view name)
    {
        m_json.beginObject().member("ph", phase).member("name", name);
    }
    void putPlace(const Lane &lane)
    {
        m_json.key("pid");
        put(m_trace.processOf(lane).pid);
        m_json.key("tid");
        if (lane.hasThread)
            put(lane.tid);
        else
            m_json.value(0);
    }
    void putTime(const char *name, std::int64_t ns) { m_json.key(name).raw(microseconds(ns)); }
    void putFileTime(TimeNs time) { putTime("ts", static_cast<std::int64_t>(m_trace.fileTime(time))); }
    void putArgs(const Args &args)
    {
        if (args.empty())
            return;
        m_json.key("args").beginObject();
        std::set<std::string_view> written; // of equal keys the first counts
        for (const Arg &arg : args) {
            if (written.insert(arg.key).second)
                m_json.key(arg.key).raw(arg.json.empty() ? std::string_view("null") : std::string_view(arg.json));
        }
        m_json.endObject();
    }

    template<typename Value>
    void name(const char *record, const Lane *lane, const Process &process, const char *key, const Value &value)
    {
        m_json.beginObject().member("ph", "M").member("name", record).key("pid");
        put(process.pid);
        m_json.key("tid");
        if (lane)
            put(lane->tid);
        else
            m_json.value(0);
        m_json.key("args").beginObject().member(key, value).endObject().endObject();
    }

    void writeNames()
    {
        std::vector<bool> isUsed(m_trace.lanes().size(), false);
        for (const EventId event : m_part.events)
            isUsed[index(m_trace.lane(event))] = true;
        for (const Process &process : m_trace.processes()) {
            if (std::none_of(process.lanes.begin(), process.lanes.end(),
                             [&](LaneId lane) { return isUsed[index(lane)]; }))
                continue;
            if (!process.name.empty())
                name("process_name", nullptr, process, "name", process.name);
            for (const std::string &label : process.labels)
                name("process_labels", nullptr, process, "labels", label);
            if (process.sortIndex != 0)
                name("process_sort_index", nullptr, process, "sort_index", process.sortIndex);
            for (const LaneId id : process.lanes) {
                const Lane &lane = m_trace.lane(id);
                if (!isUsed[index(id)] || !lane.hasThread)
                    continue;
                if (lane.name != lane.tid.text())
                    name("thread_name", &lane, process, "name", lane.name);
                if (lane.sortIndex != 0)
                    name("thread_sort_index", &lane, process, "sort_index", lane.sortIndex);
            }
        }
    }

    void writeEvents()
    {
        const auto events = std::span(m_part.events);
        for (std::size_t first = 0; first < events.size(); first += kBatch) {
            m_progress.throwIfStopped();
            m_progress.reportShare(static_cast<double>(first) / static_cast<double>(events.size()));
            const auto batch = events.subspan(first, std::min(kBatch, events.size() - first));
            const std::vector<Args> args = parseArgs(m_trace, batch);
            for (std::size_t i = 0; i < batch.size(); ++i)
                writeEvent(batch[i], args[i]);
        }
    }

    void writeEvent(EventId event, const Args &args)
    {
        const Lane &lane = m_trace.lane(m_trace.lane(event));
        const bool isAsync = lane.kind == LaneKind::Async;
        beginRecord(isAsync ? "b" : "X", m_trace.name(event));
        if (const std::string_view category = m_trace.category(event); !category.empty())
            m_json.member("cat", category);
        putPlace(lane);
        if (isAsync)
            m_json.member("id", m_trace.fileIndex(event));
        putFileTime(m_trace.begin(event));
        if (!isAsync)
            putTime("dur", m_trace.duration(event));
        putArgs(args);
        m_json.endObject();
        if (!isAsync)
            return;
        beginRecord("e", m_trace.name(event));
        m_json.member("cat", m_trace.category(event));
        putPlace(lane);
        m_json.member("id", m_trace.fileIndex(event));
        putFileTime(m_trace.end(event));
        m_json.endObject();
    }

    void writeMemory()
    {
        for (const std::uint32_t position : m_part.memoryRecords) {
            const MemoryRecord &record = m_trace.memory()[position];
            beginRecord("i", record.outOfMemory ? "[OutOfMemory]" : "[memory]");
            m_json.member("cat", "cpu_instant_event").member("s", "t");
            if (record.lane != kNoLane)
                putPlace(m_trace.lane(record.lane));
            else
                m_json.member("pid", 0).member("tid", 0);
            putFileTime(record.time);
            putArgs(parseArgsAt(m_trace, record.recordOffset));
            m_json.endObject();
        }
    }

    bool isKept(EventId event) const
    {
        const auto before = [this](EventId a, EventId b) { return m_trace.fileIndex(a) < m_trace.fileIndex(b); };
        return std::binary_search(m_part.events.begin(), m_part.events.end(), event, before);
    }

    void writeArrows()
    {
        std::uint32_t id = 0;
        for (const Arrow &arrow : m_trace.arrows().all) {
            if (!isKept(arrow.from) || !isKept(arrow.to))
                continue;
            ++id;
            for (const bool isEnd : {false, true}) {
                const EventId at = isEnd ? arrow.to : arrow.from;
                beginRecord(isEnd ? "f" : "s", nameText(arrow.category));
                m_json.member("cat", nameText(arrow.category)).member("id", id);
                putPlace(m_trace.lane(m_trace.lane(at)));
                putFileTime(m_trace.begin(at));
                if (isEnd)
                    m_json.member("bp", "e");
                m_json.endObject();
            }
        }
    }

    bool isInTime(TimeNs time) const { return time >= m_part.range.begin && time <= m_part.range.end; }

    void writeInstants()
    {
        for (const Instant &instant : m_trace.instants()) {
            if (!isInTime(instant.time) || instant.lane == kNoLane)
                continue;
            beginRecord("i", nameText(instant.name));
            if (const std::string_view category = nameText(instant.category); !category.empty())
                m_json.member("cat", category);
            m_json.member("s", instant.scope == InstantScope::Thread    ? "t"
                               : instant.scope == InstantScope::Process ? "p"
                                                                        : "g");
            putPlace(m_trace.lane(instant.lane));
            putFileTime(instant.time);
            putArgs(parseArgsAt(m_trace, instant.recordOffset));
            m_json.endObject();
        }
    }

    void writeCounters()
    {
        for (const Counter &counter : m_trace.counters()) {
            for (const CounterSeries &series : counter.series) {
                for (std::size_t i = 0; i < series.times.size(); ++i) {
                    if (!isInTime(series.times[i]))
                        continue;
                    beginRecord("C", counter.name);
                    m_json.key("pid");
                    put(counter.pid);
                    if (counter.id) {
                        m_json.key("id");
                        put(*counter.id);
                    }
                    putFileTime(series.times[i]);
                    m_json.key("args").beginObject().member(series.name, series.values[i]).endObject().endObject();
                }
            }
        }
    }

    JsonWriter m_json;
    const Trace &m_trace;
    const TrimmedTrace &m_part;
    const Progress &m_progress;
};

} // namespace

void writeTrace(TextSink &sink, const Trace &trace, const TrimmedTrace &part, const Progress &progress)
{
    Writer(sink, trace, part, progress).run();
}

std::string gzipOf(std::string_view text)
{
    constexpr int kGzip = 16; // added to the window bits
    z_stream stream{};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
    std::string packed;
    std::array<char, 1U << 16U> buffer{};
    int status = Z_OK;
    while (status != Z_STREAM_END) {
        if (stream.avail_in == 0 && !text.empty()) {
            const std::size_t size = std::min<std::size_t>(text.size(), std::size_t{1} << 30U);
            stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(text.data()));
            stream.avail_in = static_cast<uInt>(size);
            text.remove_prefix(size);
        }
        stream.next_out = reinterpret_cast<Bytef *>(buffer.data());
        stream.avail_out = static_cast<uInt>(buffer.size());
        status = deflate(&stream, text.empty() ? Z_FINISH : Z_NO_FLUSH);
        packed.append(buffer.data(), buffer.size() - stream.avail_out);
    }
    deflateEnd(&stream);
    return packed;
}

} // namespace ks
