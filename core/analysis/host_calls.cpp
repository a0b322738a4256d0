// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/host_calls.h"

namespace ks {
HostCalls::HostCalls(const Trace &trace, const TorchNesting &nesting)
    : m_trace(trace)
    , m_nesting(nesting)
    , m_enclosing(trace, IsOwner{&trace, &nesting}, Parent{&trace})
{}

const HostCalls::Owners &HostCalls::ownersOf(EventId work)
{
    const LaunchLink link = m_trace.launchLink(work);
    if (link.launch != kNoEvent && link.launch == m_ownersLaunch)
        return m_owners;
    m_ownersLaunch = link.launch;
    m_owners.self = TorchNesting::kNone;
    m_owners.all.clear();
    EventId at = kNoEvent;
    if (link.launch != kNoEvent)
        at = m_enclosing(link.launch);
    else if (link.op != kNoEvent)
        at = m_nesting.callOf(link.op) != TorchNesting::kNone ? link.op : m_enclosing(link.op);
    std::uint32_t annotation = TorchNesting::kNone;
    for (; at != kNoEvent; at = m_enclosing(at)) {
        const std::uint32_t call = m_nesting.callOf(at);
        if (m_trace.kind(at) == EventKind::Operator && m_owners.self == TorchNesting::kNone)
            m_owners.self = call;
        if (m_trace.kind(at) == EventKind::Annotation && annotation == TorchNesting::kNone)
            annotation = call;
        if (m_owners.all.empty() || m_owners.all.back() != call) // a call and one merged into it are one
            m_owners.all.push_back(call);
    }
    if (m_owners.self == TorchNesting::kNone)
        m_owners.self = annotation;
    return m_owners;
}

} // namespace ks
