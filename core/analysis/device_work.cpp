// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/device_work.h"

#include "core/base/merge_runs.h"

#include <algorithm>
#include <map>

namespace ks {
namespace {

constexpr std::size_t kBlock = 64;

class IsEarlier
{
public:
    explicit IsEarlier(const Trace &trace)
        : m_trace(trace)
    {}
    bool operator()(const WorkIndex::Entry &a, const WorkIndex::Entry &b) const
    {
        if (a.range.begin != b.range.begin)
            return a.range.begin < b.range.begin;
        return m_trace.fileIndex(a.event) < m_trace.fileIndex(b.event);
    }

private:
    const Trace &m_trace;
};

} // namespace

WorkIndex::WorkIndex(const Trace &trace, const Progress &progress)
{
    const IsEarlier isEarlier(trace);
    std::vector<std::size_t> ends;
    WorkClassifier classifier;
    const auto links = trace.links().ofWork.ids();
    const auto linkValues = trace.links().ofWork.values();
    m_entries.reserve(links.size());
    std::size_t next = 0; // both are ascending by event
    for (std::size_t r = 0; r < trace.rows().size(); ++r) {
        const Row &row = trace.rows()[r];
        if (trace.lane(row.lane).kind != LaneKind::Gpu)
            continue;
        const std::size_t before = m_entries.size();
        for (EventId id = row.firstEvent; id < row.endEvent; id = advance(id, 1)) {
            if ((index(id) & 0xffffU) == 0)
                progress.throwIfStopped();
            const EventKind kind = trace.kind(id);
            if (!isDeviceWork(kind))
                continue;
            while (next < links.size() && links[next] < id)
                ++next;
            const bool isLinked = next < links.size() && links[next] == id;
            m_entries.push_back({trace.range(id), id, isLinked ? linkValues[next].launch : kNoEvent, row.lane,
                                 classifier.classOf(trace, id), kind});
        }
        if (m_entries.size() == before)
            continue;
        // Begins ascend in a row; of those that begin together the file decides.
        const auto first = m_entries.begin() + static_cast<std::ptrdiff_t>(before);
        if (!std::is_sorted(first, m_entries.end(), isEarlier))
            std::sort(first, m_entries.end(), isEarlier);
        ends.push_back(m_entries.size());
    }
    mergeRuns(m_entries, std::move(ends), isEarlier);
    TimeNs latest = kMinTime;
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        latest = std::max(latest, m_entries[i].range.end);
        if (i % kBlock == kBlock - 1 || i + 1 == m_entries.size())
            m_latestEnd.push_back(latest);
    }
}

std::span<const WorkIndex::Entry> WorkIndex::near(TimeRange range) const
{
    const auto block = static_cast<std::size_t>(std::lower_bound(m_latestEnd.begin(), m_latestEnd.end(), range.begin)
                                                - m_latestEnd.begin());
    const std::size_t first = std::min(block * kBlock, m_entries.size());
    const auto from = m_entries.begin() + static_cast<std::ptrdiff_t>(first);
    const auto to =
        std::partition_point(from, m_entries.end(), [&](const Entry &entry) { return entry.range.begin < range.end; });
    return {from, to};
}

const WorkIndex &workIndex(const Trace &trace, const Progress &progress)
{
    return trace.derived().get<WorkIndex>([&] { return WorkIndex(trace, progress); });
}

std::vector<DeviceWork> selectedWork(const TraceScope &scope, const Progress &progress)
{
    const Trace &trace = scope.trace();
    std::vector<DeviceWork> work;
    if (scope.isOnlyRange()) {
        const WorkIndex &all = workIndex(trace, progress);
        work.reserve(scope.range() ? all.near(*scope.range()).size() : all.byBegin().size());
    }
    visitWork(scope, progress, [&](std::uint32_t position, const WorkIndex::Entry &entry, TimeRange part) {
        work.push_back({part, entry.event, entry.launch, entry.lane, position, entry.workClass, entry.kind,
                        scope.counts(entry.range.begin)});
    });
    // What the range cuts begins with it, and goes by the order of the file.
    if (scope.range()) {
        const auto cutEnd = std::partition_point(work.begin(), work.end(), [&](const DeviceWork &entry) {
            return entry.part.begin == scope.range()->begin;
        });
        std::sort(work.begin(), cutEnd, [&trace](const DeviceWork &a, const DeviceWork &b) {
            return trace.fileIndex(a.event) < trace.fileIndex(b.event);
        });
    }
    return work;
}

WorkStream streamOf(const Trace &trace, const DeviceWork &work)
{
    const Lane &lane = trace.lane(work.lane);
    return {lane.device, lane.stream};
}

std::vector<std::pair<WorkStream, std::vector<DeviceWork>>> byStream(const Trace &trace,
                                                                     std::span<const DeviceWork> work)
{
    std::map<WorkStream, std::vector<DeviceWork>> streams;
    std::vector<std::vector<DeviceWork> *> ofLane(trace.lanes().size(), nullptr);
    for (const DeviceWork &entry : work) {
        std::vector<DeviceWork> *&stream = ofLane[index(entry.lane)];
        if (!stream)
            stream = &streams[streamOf(trace, entry)];
        stream->push_back(entry);
    }
    std::vector<std::pair<WorkStream, std::vector<DeviceWork>>> result;
    for (auto &[key, entries] : streams)
        result.emplace_back(key, std::move(entries));
    return result;
}

} // namespace ks
