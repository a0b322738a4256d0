// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/operator_at.h"

#include "core/base/gallop.h"

namespace ks {

OperatorAt::OperatorAt(const Trace &trace, const TorchNesting &nesting)
    : m_trace(trace)
    , m_nesting(nesting)
{
    for (std::size_t i = 0; i < trace.lanes().size(); ++i)
        m_next.push_back(nesting.firstOfLane(static_cast<LaneId>(i)));
}

std::uint32_t OperatorAt::operatorFrom(std::uint32_t call) const
{
    while (call != TorchNesting::kNone && m_trace.kind(m_nesting.calls()[call].event) != EventKind::Operator)
        call = m_nesting.calls()[call].parent;
    return call;
}

std::uint32_t OperatorAt::at(LaneId lane, TimeNs time)
{
    if (lane == kNoLane)
        return TorchNesting::kNone;
    const auto calls = m_nesting.calls();
    std::uint32_t &next = m_next[index(lane)];
    next = static_cast<std::uint32_t>(
        gallop(next, m_nesting.endOfLane(lane), [&](std::size_t i) { return calls[i].range.begin > time; }));
    if (next == m_nesting.firstOfLane(lane))
        return TorchNesting::kNone;
    std::uint32_t call = next - 1;
    while (call != TorchNesting::kNone && calls[call].range.end < time)
        call = calls[call].parent;
    return operatorFrom(call);
}

} // namespace ks
