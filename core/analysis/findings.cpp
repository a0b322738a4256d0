// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/findings.h"

#include "core/analysis/breakdown.h"
#include "core/analysis/idle.h"
#include "core/base/format.h"

#include <algorithm>
#include <array>
#include <map>

namespace ks {
namespace {

constexpr std::size_t kMostEvents = 20;

// The longest of some events.
std::vector<EventId> longest(const Trace &trace, std::vector<EventId> events)
{
    std::stable_sort(events.begin(), events.end(),
                     [&](EventId a, EventId b) { return trace.duration(a) > trace.duration(b); });
    events.resize(std::min(events.size(), kMostEvents));
    return events;
}

FindingSeverity severityFor(double share, double high, double medium)
{
    return share >= high ? FindingSeverity::High : share >= medium ? FindingSeverity::Medium : FindingSeverity::Low;
}

// Which rules a name is for.
struct NameRules
{
    bool sync = false;
    bool loading = false;
    bool compiled = false;
};

NameRules rulesOf(std::string_view name)
{
    return {name.find("Synchronize") != std::string_view::npos,
            name.starts_with("enumerate(DataLoader)#") || name.starts_with("enumerate(DataPipe)#"),
            name.starts_with("Torch-Compiled Region: ") && !name.ends_with("/0")
                && name.find('/') != std::string_view::npos};
}

class Finder
{
public:
    Finder(const Trace &trace, const Scope &scope, const Progress &progress)
        : m_trace(trace)
        , m_selected(trace, scope)
        , m_work(selectedWork(m_selected, progress))
    {
        if (!m_work.empty())
            m_window = breakdownOf(m_work).window.duration();
    }

    std::vector<Finding> run()
    {
        findLateHost();
        findExposedCommunication();
        findShortKernels();
        findPageableCopies();
        findHostCalls();
        findOutOfMemory();
        std::stable_sort(m_findings.begin(), m_findings.end(), [](const Finding &a, const Finding &b) {
            return a.severity != b.severity ? a.severity < b.severity : a.share.value_or(0) > b.share.value_or(0);
        });
        return std::move(m_findings);
    }

private:
    double shareOfWindow(TimeNs time) const
    {
        return m_window > 0 ? static_cast<double>(time) / static_cast<double>(m_window) : 0;
    }

    void findLateHost()
    {
        std::map<std::optional<std::int64_t>, std::vector<DeviceWork>> devices;
        for (const DeviceWork &work : m_work)
            devices[m_trace.lane(work.lane).device].push_back(work);
        for (const auto &[device, work] : devices) {
            TimeNs waiting = 0;
            std::vector<IdleGap> gaps = idleGaps(m_trace, work);
            std::erase_if(gaps, [](const IdleGap &gap) { return gap.gapClass != GapClass::HostWait; });
            for (const IdleGap &gap : gaps)
                waiting += gap.range.duration();
            const double share = shareOfWindow(waiting);
            if (share < 0.05)
                continue;
            std::stable_sort(gaps.begin(), gaps.end(), [](const IdleGap &a, const IdleGap &b) {
                return a.range.duration() > b.range.duration();
            });
            Finding finding{severityFor(share, 0.3, 0.15),
                            "host-bound",
                            "The GPU waits for the host",
                            "GPU " + (device ? std::to_string(*device) : std::string("?")) + " was idle for "
                                + formatDuration(waiting) + " (" + formatPercent(share) + " of its window) in "
                                + formatCount(gaps.size())
                                + " gaps because the next launch call came after the work before it had ended",
                            share,
                            {}};
            for (std::size_t i = 0; i < std::min(gaps.size(), kMostEvents); ++i)
                finding.events.push_back(gaps[i].after);
            m_findings.push_back(std::move(finding));
        }
    }

    void findExposedCommunication()
    {
        if (m_work.empty())
            return;
        const Breakdown b = breakdownOf(m_work);
        const double share = shareOfWindow(b.exposedCommunication);
        if (share < 0.03)
            return;
        std::vector<EventId> events;
        for (const DeviceWork &work : m_work) {
            if (work.workClass == WorkClass::Communication)
                events.push_back(work.event);
        }
        m_findings.push_back({severityFor(share, 0.2, 0.1), "exposed-communication",
                              "Communication is not hidden by computation",
                              formatDuration(b.exposedCommunication) + " (" + formatPercent(share)
                                  + " of the window) only collectives ran; " + formatDuration(b.overlap)
                                  + " of communication was hidden",
                              share, longest(m_trace, std::move(events))});
    }

    void findShortKernels()
    {
        std::vector<EventId> events;
        TimeNs launching = 0;
        std::size_t pairs = 0;
        for (const DeviceWork &work : m_work) {
            const EventId launch = m_trace.launchLink(work.event).launch;
            if (launch == kNoEvent || work.kind != EventKind::Kernel)
                continue;
            ++pairs;
            if (work.part.duration() < m_trace.duration(launch)) {
                events.push_back(work.event);
                launching += m_trace.duration(launch) - work.part.duration();
            }
        }
        const double part = pairs != 0 ? static_cast<double>(events.size()) / static_cast<double>(pairs) : 0;
        if (events.size() < 10 || part < 0.2)
            return;
        m_findings.push_back({severityFor(part, 0.7, 0.4), "short-kernels",
                              "Many kernels are shorter than the calls that launch them",
                              formatCount(events.size()) + " of " + formatCount(pairs) + " launched kernels ("
                                  + formatPercent(part) + "); fusing them or replaying a CUDA graph would save up to "
                                  + formatDuration(launching) + " of launching",
                              std::nullopt, longest(m_trace, std::move(events))});
    }

    void findPageableCopies()
    {
        std::vector<EventId> events;
        TimeNs total = 0;
        for (const DeviceWork &work : m_work) {
            if (work.kind == EventKind::Memcpy && m_trace.name(work.event).find("Pageable") != std::string_view::npos) {
                events.push_back(work.event);
                total += work.part.duration();
            }
        }
        if (events.empty())
            return;
        const double share = shareOfWindow(total);
        m_findings.push_back({severityFor(share, 0.1, 0.02), "pageable-copy", "Copies use pageable host memory",
                              formatCount(events.size()) + " copies, " + formatDuration(total)
                                  + " on the device; pinned memory (pin_memory=True) is faster and lets the host go on",
                              share, longest(m_trace, std::move(events))});
    }

    // One pass over the host's events for rules by name.
    void findHostCalls()
    {
        std::vector<EventId> syncs, loading, recompiled;
        TimeNs syncTime = 0;
        TimeNs loadTime = 0;
        TimeNs stepTime = 0;
        for (const Step &step : m_trace.steps()) {
            if (m_selected.part(step.event))
                stepTime += step.range.duration();
        }
        std::vector<std::optional<NameRules>> rules; // by name
        for (std::size_t i = 0; i < m_trace.eventCount(); ++i) {
            const auto id = static_cast<EventId>(i);
            const EventKind kind = m_trace.kind(id);
            if (kind != EventKind::Launch && kind != EventKind::Operator && kind != EventKind::Annotation)
                continue;
            const std::size_t name = index(m_trace.nameId(id));
            if (name >= rules.size())
                rules.resize(name + 1);
            if (!rules[name])
                rules[name] = rulesOf(m_trace.name(id));
            const bool isSync = kind == EventKind::Launch && rules[name]->sync;
            const bool isLoading = rules[name]->loading;
            const bool isCompiled = rules[name]->compiled;
            if ((!isSync && !isLoading && !isCompiled) || !m_selected.part(id))
                continue;
            (isSync ? syncs : isLoading ? loading : recompiled).push_back(id);
            (isSync ? syncTime : loadTime) += isCompiled ? 0 : m_trace.duration(id);
        }
        if (const double share = shareOfWindow(syncTime); !syncs.empty() && share >= 0.02) {
            m_findings.push_back({severityFor(share, 0.3, 0.1), "synchronisation", "The host waits for the device",
                                  formatCount(syncs.size()) + " synchronising calls took " + formatDuration(syncTime)
                                      + " (" + formatPercent(share) + " of the device's window)",
                                  share, longest(m_trace, std::move(syncs))});
        }
        if (const double share = stepTime > 0 ? static_cast<double>(loadTime) / static_cast<double>(stepTime) : 0;
            share >= 0.05) {
            m_findings.push_back({severityFor(share, 0.2, 0.1), "data-loading", "The training loop waits for data",
                                  formatDuration(loadTime) + " (" + formatPercent(share)
                                      + " of the steps) in the data loader; more workers may help",
                                  share, longest(m_trace, std::move(loading))});
        }
        if (!recompiled.empty())
            m_findings.push_back(
                {FindingSeverity::Low, "recompilation", "Compiled code was compiled again",
                 formatCount(recompiled.size()) + " calls ran code that torch.compile had to recompile", std::nullopt,
                 longest(m_trace, std::move(recompiled))});
    }

    void findOutOfMemory()
    {
        const auto count = std::count_if(m_trace.memory().begin(), m_trace.memory().end(),
                                         [](const MemoryRecord &record) { return record.outOfMemory; });
        if (count != 0)
            m_findings.push_back({FindingSeverity::High,
                                  "out-of-memory",
                                  "Allocations failed for want of memory",
                                  formatCount(static_cast<std::uint64_t>(count)) + " [OutOfMemory] records",
                                  std::nullopt,
                                  {}});
    }

    const Trace &m_trace;
    TraceScope m_selected;
    std::vector<DeviceWork> m_work;
    TimeNs m_window = 0;
    std::vector<Finding> m_findings;
};

} // namespace

std::string_view severityId(FindingSeverity severity)
{
    constexpr std::array<std::string_view, 3> kIds = {"high", "medium", "low"};
    return kIds[static_cast<std::size_t>(severity)];
}

std::vector<Finding> findingsOf(const Trace &trace, const Scope &scope, const Progress &progress)
{
    return Finder(trace, scope, progress).run();
}

Table findingsTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress)
{
    Table table;
    table.integers("rank", Unit::Id);
    for (const char *name : {"severity", "code", "title", "detail"})
        table.texts(name);
    table.reals("share", Unit::Ratio);
    table.lists("events");
    for (const RankTrace &rank : traces) {
        if (!scope.includesRank(rank.rank))
            continue;
        for (const Finding &finding : findingsOf(*rank.trace, scope, progress)) {
            std::vector<std::int64_t> ids;
            for (const EventId event : finding.events)
                ids.push_back(rank.trace->fileIndex(event));
            std::size_t at = 0;
            const auto put = [&](auto value) { table.column(at++).append(value); };
            put(rank.rank);
            put(severityId(finding.severity));
            put(finding.code);
            put(finding.title);
            put(finding.detail);
            put(finding.share);
            put(jsonList(ids));
        }
    }
    return table;
}

} // namespace ks
