// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/trace_maker.h"

#include "core/import/import.h"

#include <cmath>

namespace ks {
namespace {

std::string quoted(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += c;
    }
    return out + '"';
}

// Microseconds with three decimals: whole nanoseconds.
std::string micros(double us)
{
    const auto ns = static_cast<std::int64_t>(std::llround(us * 1000));
    const std::int64_t magnitude = ns < 0 ? -ns : ns;
    const std::string fraction = std::to_string(1000 + magnitude % 1000).substr(1);
    return (ns < 0 ? "-" : "") + std::to_string(magnitude / 1000) + '.' + fraction;
}

std::string place(std::int64_t pid, std::int64_t tid)
{
    return R"("pid":)" + std::to_string(pid) + R"(,"tid":)" + std::to_string(tid);
}

std::string joined(std::string a, std::string_view b)
{
    if (!a.empty() && !b.empty())
        a += ',';
    return a += b;
}

std::string deviceArgs(std::int64_t stream, std::uint64_t correlation, std::int64_t device, std::string_view args)
{
    std::string text = R"("device":)" + std::to_string(device) + R"(,"stream":)" + std::to_string(stream);
    if (correlation != 0)
        text += R"(,"correlation":)" + std::to_string(correlation);
    return joined(std::move(text), args);
}

std::string metadataRow(std::string_view what, std::int64_t pid, std::int64_t tid, std::string_view key,
                        std::string_view value)
{
    return R"({"ph":"M","name":)" + quoted(what) + R"(,"ts":0,)" + place(pid, tid) + R"(,"args":{)" + quoted(key) + ':'
        + quoted(value) + "}}";
}

} // namespace

TraceMaker::TraceMaker() = default;

TraceMaker &TraceMaker::thread(std::int64_t tid, std::string_view name)
{
    m_tid = tid;
    if (!name.empty())
        m_records.push_back(metadataRow("thread_name", m_pid, tid, "name", name));
    return *this;
}

TraceMaker &TraceMaker::process(std::int64_t pid, std::string_view name, std::string_view labels)
{
    m_pid = pid;
    m_tid = pid;
    if (!name.empty())
        m_records.push_back(metadataRow("process_name", pid, 0, "name", name));
    if (!labels.empty())
        m_records.push_back(metadataRow("process_labels", pid, 0, "labels", labels));
    return *this;
}

TraceMaker &TraceMaker::op(std::string_view name, double beginUs, double durationUs, std::string_view args)
{
    return slice("cpu_op", name, beginUs, durationUs, m_pid, m_tid, args);
}

TraceMaker &TraceMaker::annotation(std::string_view name, double beginUs, double durationUs, std::string_view args)
{
    return slice("user_annotation", name, beginUs, durationUs, m_pid, m_tid, args);
}

TraceMaker &TraceMaker::step(std::int64_t number, double beginUs, double durationUs)
{
    return annotation("ProfilerStep#" + std::to_string(number), beginUs, durationUs);
}

TraceMaker &TraceMaker::python(std::string_view name, double beginUs, double durationUs, std::int64_t id,
                               std::int64_t parent)
{
    std::string args;
    if (id >= 0) {
        args = R"("Python id":)" + std::to_string(id) + R"(,"Python parent id":)"
            + (parent >= 0 ? std::to_string(parent) : std::string("null"));
    }
    return slice("python_function", name, beginUs, durationUs, m_pid, m_tid, args);
}

TraceMaker &TraceMaker::launch(std::string_view name, double beginUs, double durationUs, std::uint64_t correlation,
                               std::string_view args)
{
    const std::string own = R"("correlation":)" + std::to_string(correlation);
    return slice("cuda_runtime", name, beginUs, durationUs, m_pid, m_tid, joined(own, args));
}

TraceMaker &TraceMaker::kernel(std::string_view name, double beginUs, double durationUs, std::int64_t stream,
                               std::uint64_t correlation, std::int64_t device, std::string_view args)
{
    return slice("kernel", name, beginUs, durationUs, device, stream, deviceArgs(stream, correlation, device, args));
}

TraceMaker &TraceMaker::memcpy(std::string_view name, double beginUs, double durationUs, std::int64_t stream,
                               std::uint64_t correlation, std::int64_t device, std::string_view args)
{
    return slice("gpu_memcpy", name, beginUs, durationUs, device, stream,
                 deviceArgs(stream, correlation, device, args));
}

TraceMaker &TraceMaker::memset(std::string_view name, double beginUs, double durationUs, std::int64_t stream,
                               std::uint64_t correlation, std::int64_t device, std::string_view args)
{
    return slice("gpu_memset", name, beginUs, durationUs, device, stream,
                 deviceArgs(stream, correlation, device, args));
}

TraceMaker &TraceMaker::gpuAnnotation(std::string_view name, double beginUs, double durationUs, std::int64_t stream,
                                      std::int64_t device)
{
    return slice("gpu_user_annotation", name, beginUs, durationUs, device, stream);
}

TraceMaker &TraceMaker::slice(std::string_view category, std::string_view name, double beginUs, double durationUs,
                              std::int64_t pid, std::int64_t tid, std::string_view args)
{
    std::string record = R"({"ph":"X","cat":)" + quoted(category) + R"(,"name":)" + quoted(name) + ',' + place(pid, tid)
        + R"(,"ts":)" + micros(beginUs) + R"(,"dur":)" + micros(durationUs);
    if (!args.empty())
        record.append(R"(,"args":{)").append(args).append("}");
    return raw(record + '}');
}

TraceMaker &TraceMaker::memory(double atUs, std::int64_t bytes, std::uint64_t address, std::int64_t total,
                               std::int64_t device, std::int64_t reserved)
{
    std::string record = R"({"ph":"i","s":"t","cat":"cpu_instant_event","name":"[memory]",)" + place(m_pid, m_tid)
        + R"(,"ts":)" + micros(atUs) + R"(,"args":{"Device Type":)" + (device < 0 ? "0" : "1") + R"(,"Device Id":)"
        + std::to_string(device) + R"(,"Addr":)" + std::to_string(address) + R"(,"Bytes":)" + std::to_string(bytes);
    if (total >= 0)
        record += R"(,"Total Allocated":)" + std::to_string(total);
    if (reserved >= 0)
        record += R"(,"Total Reserved":)" + std::to_string(reserved);
    return raw(record + "}}");
}

TraceMaker &TraceMaker::outOfMemory(double atUs, std::int64_t bytes, std::int64_t device)
{
    return raw(R"({"ph":"i","s":"t","cat":"cpu_instant_event","name":"[OutOfMemory]",)" + place(m_pid, m_tid)
               + R"(,"ts":)" + micros(atUs) + R"(,"args":{"Device Type":1,"Device Id":)" + std::to_string(device)
               + R"(,"Bytes":)" + std::to_string(bytes) + "}}");
}

TraceMaker &TraceMaker::flow(std::string_view category, std::uint64_t id, double fromUs, std::int64_t fromTid,
                             double toUs, std::int64_t toTid)
{
    flowRecord('s', category, id, fromUs, m_pid, fromTid);
    return flowRecord('f', category, id, toUs, m_pid, toTid);
}

TraceMaker &TraceMaker::flowRecord(char phase, std::string_view category, std::uint64_t id, double atUs,
                                   std::int64_t pid, std::int64_t tid)
{
    return raw(R"({"ph":")" + std::string(1, phase) + R"(","id":)" + std::to_string(id) + R"(,"cat":)"
               + quoted(category) + R"(,"name":)" + quoted(category) + ',' + place(pid, tid) + R"(,"ts":)"
               + micros(atUs) + (phase == 's' ? "}" : R"(,"bp":"e"})"));
}

TraceMaker &TraceMaker::counter(std::string_view name, double atUs, std::string_view args)
{
    return raw(R"({"ph":"C","name":)" + quoted(name) + ',' + place(m_pid, 0) + R"(,"ts":)" + micros(atUs)
               + R"(,"args":{)" + std::string(args) + "}}");
}

TraceMaker &TraceMaker::instant(std::string_view name, double atUs, std::string_view scope)
{
    return raw(R"({"ph":"i","s":)" + quoted(scope) + R"(,"name":)" + quoted(name) + ',' + place(m_pid, m_tid)
               + R"(,"ts":)" + micros(atUs) + '}');
}

TraceMaker &TraceMaker::raw(std::string_view record)
{
    m_records.emplace_back(record);
    return *this;
}

TraceMaker &TraceMaker::metadata(std::string_view key, std::string_view value)
{
    m_top += "  " + quoted(key) + ": " + std::string(value) + ",\n";
    return *this;
}

TraceMaker &TraceMaker::rank(std::int64_t rank, std::int64_t worldSize)
{
    return metadata("distributedInfo",
                    R"({"backend":"nccl","rank":)" + std::to_string(rank) + R"(,"world_size":)"
                        + std::to_string(worldSize) + '}');
}

TraceMaker &TraceMaker::device(std::int64_t id, std::string_view name, std::int64_t multiprocessors)
{
    m_devices = joined(std::move(m_devices),
                       R"({"id":)" + std::to_string(id) + R"(,"name":)" + quoted(name)
                           + R"(,"totalGlobalMem":85899345920,"numSms":)" + std::to_string(multiprocessors) + '}');
    return *this;
}

std::string TraceMaker::json() const
{
    std::string text =
        "{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [" + m_devices + "],\n" + m_top + "  \"traceEvents\": [\n";
    for (std::size_t i = 0; i < m_records.size(); ++i)
        text += "  " + m_records[i] + (i + 1 < m_records.size() ? ",\n" : "\n");
    return text + "  ]\n}\n";
}

std::shared_ptr<const Trace> TraceMaker::build() const
{
    return importText(json());
}

} // namespace ks
