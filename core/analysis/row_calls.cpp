// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/row_calls.h"

#include "core/analysis/device_work.h"
#include "core/analysis/host_scope.h"
#include "core/analysis/torch_nesting.h"

#include <algorithm>

namespace ks {
namespace {

class IsOfRow
{
public:
    IsOfRow(const Trace &trace, const RowCallsOf &row)
        : m_trace(trace)
        , m_row(row)
        , m_isSteps(row.name && nameText(*row.name) == kStepRow)
    {}
    bool operator()(EventId event) const
    {
        if (m_row.kind && m_trace.kind(event) != *m_row.kind)
            return false;
        return !m_row.name || m_trace.nameId(event) == *m_row.name
               || (m_isSteps && m_trace.name(event).starts_with(kStepPrefix));
    }

private:
    const Trace &m_trace;
    const RowCallsOf &m_row;
    bool m_isSteps;
};

void addWork(std::vector<RowCall> &calls, const Trace &trace, std::uint32_t position, const Scope &scope,
             const RowCallsOf &row, const Progress &progress)
{
    const IsOfRow isOfRow(trace, row);
    for (const DeviceWork &work : selectedWork(TraceScope(trace, scope), progress)) {
        if (isOfRow(work.event))
            calls.push_back({work.part.begin, work.part.duration(), work.event, position});
    }
}

void addHostCalls(std::vector<RowCall> &calls, const Trace &trace, std::uint32_t position, const Scope &scope,
                  const RowCallsOf &row, const Progress &progress)
{
    const IsOfRow isOfRow(trace, row);
    const TorchNesting &nesting = torchNesting(trace, progress);
    const HostScope selected = hostScope(trace, scope, [&nesting](const CallVisitor &visit) {
        for (const TorchNesting::Call &call : nesting.calls()) {
            if (!visit(call.event))
                return;
        }
    });
    const TraceScope host(trace, selected.host);
    for (std::size_t l = 0; l < trace.lanes().size(); ++l) {
        const auto lane = static_cast<LaneId>(l);
        if (!host.includesLane(lane))
            continue;
        progress.throwIfStopped();
        for (std::uint32_t i = nesting.firstOfLane(lane); i < nesting.endOfLane(lane); ++i) {
            const TorchNesting::Call &call = nesting.calls()[i];
            if (!isOfRow(call.event))
                continue;
            if (host.isEverything())
                calls.push_back({call.range.begin, call.range.duration(), call.event, position});
            else if (const std::optional<TimeRange> part = host.part(call.event))
                calls.push_back({part->begin, part->duration(), call.event, position});
        }
    }
}

template<typename Add>
std::vector<RowCall> callsOf(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress, Add add)
{
    std::vector<RowCall> calls;
    for (std::uint32_t i = 0; i < traces.size(); ++i) {
        progress.throwIfStopped();
        if (scope.includesRank(traces[i].rank))
            add(calls, *traces[i].trace, i);
    }
    std::stable_sort(calls.begin(), calls.end(), [](const RowCall &a, const RowCall &b) { return a.begin < b.begin; });
    return calls;
}

} // namespace

std::vector<RowCall> kernelCalls(std::span<const RankTrace> traces, const Scope &scope, const RowCallsOf &row,
                                 const Progress &progress)
{
    return callsOf(traces, scope, progress, [&](std::vector<RowCall> &calls, const Trace &trace, std::uint32_t i) {
        addWork(calls, trace, i, scope, row, progress);
    });
}

std::vector<RowCall> operatorCalls(std::span<const RankTrace> traces, const Scope &scope, const RowCallsOf &row,
                                   const Progress &progress)
{
    return callsOf(traces, scope, progress, [&](std::vector<RowCall> &calls, const Trace &trace, std::uint32_t i) {
        addHostCalls(calls, trace, i, scope, row, progress);
    });
}

} // namespace ks
