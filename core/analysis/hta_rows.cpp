// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/hta_rows.h"

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/parse_number.h"
#include "core/trace/args.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace ks {
namespace {

constexpr TimeNs kMicrosecond = 1000;
constexpr std::size_t kBatch = 8192;

// HTA reads times as doubles of microseconds, which are a quarter of a microsecond apart in traces of absolute time. Its numbers cannot be
// had without the same loss.
double asMicroseconds(TimeNs time)
{
    return static_cast<double>(static_cast<long double>(time) / kMicrosecond);
}

TimeNs fromMicroseconds(double time)
{
    return static_cast<TimeNs>(time) * kMicrosecond;
}

std::int64_t integerArg(const Args &args, std::string_view key)
{
    const std::optional<std::string_view> json = findArg(args, key);
    return json ? parseInteger(argText(*json)).value_or(-1) : -1;
}

// Stream and correlation of many rows.
void readArgs(const Trace &trace, std::vector<HtaRow> &rows, const Progress &progress)
{
    std::vector<std::size_t> wanted;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (trace.kind(rows[i].event) != EventKind::Python)
            wanted.push_back(i);
    }
    std::vector<EventId> events;
    for (std::size_t first = 0; first < wanted.size(); first += kBatch) {
        progress.throwIfStopped();
        const std::size_t last = std::min(first + kBatch, wanted.size());
        events.clear();
        for (std::size_t i = first; i < last; ++i)
            events.push_back(rows[wanted[i]].event);
        const std::vector<Args> args = parseArgs(trace, events);
        for (std::size_t i = first; i < last; ++i) {
            rows[wanted[i]].stream = integerArg(args[i - first], "stream");
            rows[wanted[i]].correlation = integerArg(args[i - first], "correlation");
        }
    }
}

bool isDeviceRow(const Trace &trace, const HtaRow &row)
{
    const std::string_view name = trace.name(row.event);
    return (row.stream >= 0 && row.correlation >= 0) || name == "Event Sync" || name == "Context Sync";
}

// With two steps or more the last one is left out, and device rows whose call is left out or unknown.
void dropLastStep(const Trace &trace, std::vector<HtaRow> &rows)
{
    std::set<std::int64_t> numbers;
    for (const Step &step : trace.steps())
        numbers.insert(step.number);
    if (numbers.size() < 2)
        return;
    const auto last = std::find_if(trace.steps().begin(), trace.steps().end(),
                                   [&](const Step &step) { return step.number == *numbers.rbegin(); });
    const auto limit = static_cast<TimeNs>(trace.fileTime(last->range.begin));
    std::unordered_set<std::int64_t, NumberHash> kept;
    std::erase_if(rows, [&](const HtaRow &row) {
        if (isDeviceRow(trace, row))
            return false;
        if (row.begin >= limit)
            return true;
        if (row.correlation >= 0)
            kept.insert(row.correlation);
        return false;
    });
    std::erase_if(rows, [&](const HtaRow &row) { return isDeviceRow(trace, row) && !kept.contains(row.correlation); });
}

// The last of the steps around a moment, however they overlap.
class StepsByTime
{
public:
    explicit StepsByTime(const Trace &trace)
    {
        std::vector<std::pair<TimeNs, std::uint32_t>> borders; // twice each: where the step begins and ends
        for (std::uint32_t i = 0; i < trace.steps().size(); ++i) {
            const TimeRange range = trace.steps()[i].range;
            if (range.isEmpty())
                continue;
            borders.emplace_back(static_cast<TimeNs>(trace.fileTime(range.begin)), i);
            borders.emplace_back(static_cast<TimeNs>(trace.fileTime(range.end)), i);
        }
        std::sort(borders.begin(), borders.end());
        std::set<std::uint32_t> open;
        for (const auto &[time, step] : borders) {
            if (!open.insert(step).second)
                open.erase(step);
            m_from[time] = open.empty() ? std::nullopt : std::optional(trace.steps()[*open.rbegin()].number);
        }
    }

    std::optional<std::int64_t> at(TimeNs fileTime) const
    {
        const auto after = m_from.upper_bound(fileTime);
        return after == m_from.begin() ? std::nullopt : std::prev(after)->second;
    }

private:
    std::map<TimeNs, std::optional<std::int64_t>> m_from; // what holds from there on
};

void findIterations(const Trace &trace, std::vector<HtaRow> &rows)
{
    const StepsByTime steps(trace);
    std::unordered_map<std::int64_t, std::optional<std::int64_t>, NumberHash> ofCorrelation;
    for (HtaRow &row : rows) {
        if (!row.isHost())
            continue;
        row.iteration = steps.at(row.begin);
        if (row.correlation >= 0)
            ofCorrelation[row.correlation] = row.iteration;
    }
    for (HtaRow &row : rows) {
        if (row.isHost())
            continue;
        if (const auto found = ofCorrelation.find(row.correlation); found != ofCorrelation.end())
            row.iteration = found->second;
    }
}

} // namespace

std::string_view htaClassId(HtaClass htaClass)
{
    switch (htaClass) {
    case HtaClass::Compute: return "compute";
    case HtaClass::Communication: return "communication";
    case HtaClass::Memory: return "memory";
    case HtaClass::Other: return "other";
    }
    return "";
}

HtaClass htaClassOf(std::string_view name)
{
    const auto starts = [&](auto... prefixes) { return (name.starts_with(prefixes) || ...); };
    const auto contains = [&](auto... parts) { return ((name.find(parts) != std::string_view::npos) || ...); };
    if (starts("nccl", "hip", "hccl") || contains("ncclKernel"))
        return HtaClass::Communication;
    if (starts("Memcpy", "Memset", "dma"))
        return HtaClass::Memory;
    const std::size_t cuda = name.find("cuda");
    const bool isLaunch = cuda != std::string_view::npos && name.find("LaunchKernel", cuda) != std::string_view::npos;
    const bool isNoCompute = contains("Memcpy", "Memset", "dma", "Sync") || isLaunch
                             || starts("Stream Wait Event", "runFunction", "job_exe", "packet", "pe_exe",
                                       "cpum_exe_subgraph", "collective_subgraph_execution");
    return isNoCompute ? HtaClass::Other : HtaClass::Compute;
}

std::vector<HtaRow> htaRows(const Trace &trace, const Progress &progress)
{
    std::vector<HtaRow> rows;
    bool hasFractions = false;
    for (std::uint32_t i = 0; i < trace.eventCount(); ++i) {
        const EventId event = trace.eventAtFileIndex(i);
        const bool isComplete =
            !trace.events().endRecord.find(event) && trace.lane(trace.lane(event)).kind != LaneKind::Async;
        if (!isComplete || trace.kind(event) == EventKind::Span || trace.category(event).empty())
            continue;
        HtaRow row;
        row.event = event;
        row.begin = static_cast<TimeNs>(trace.fileTime(trace.begin(event)));
        row.end = static_cast<TimeNs>(trace.fileTime(trace.end(event)));
        hasFractions = hasFractions || row.begin % kMicrosecond != 0;
        rows.push_back(row);
    }
    if (hasFractions) {
        for (HtaRow &row : rows) {
            const double begin = asMicroseconds(row.begin);
            const double end = begin + asMicroseconds(row.end - row.begin);
            row.begin = fromMicroseconds(std::ceil(begin));
            row.end = fromMicroseconds(std::floor(end));
        }
    }
    readArgs(trace, rows, progress);
    dropLastStep(trace, rows);
    findIterations(trace, rows);
    return rows;
}

} // namespace ks
