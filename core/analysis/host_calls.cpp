// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/host_calls.h"

#include <algorithm>

namespace ks {
HostCalls::HostCalls(const Trace &trace, const TorchNesting &nesting)
    : m_trace(trace)
    , m_nesting(nesting)
    , m_enclosing(trace, IsOwner{&trace, &nesting}, Parent{&trace})
{
    const auto &mates = trace.mates().forwardOfBackward;
    if (mates.isEmpty())
        return;
    m_mateOfCall.assign(nesting.calls().size(), kNoEvent);
    for (std::size_t i = 0; i < mates.size(); ++i) {
        const std::uint32_t call = nesting.callOf(mates.ids()[i]);
        if (call != TorchNesting::kNone)
            m_mateOfCall[call] = mates.values()[i];
    }
}

const HostCalls::Owners &HostCalls::ownersOf(EventId work, EventId launch)
{
    if (launch != kNoEvent && launch == m_ownersLaunch)
        return m_owners;
    m_ownersLaunch = launch;
    m_owners.self = TorchNesting::kNone;
    m_owners.all.clear();
    m_owners.forward.clear();
    EventId at = kNoEvent;
    if (launch != kNoEvent)
        at = m_enclosing(launch);
    else if (const EventId op = m_trace.launchLink(work).op; op != kNoEvent)
        at = m_nesting.callOf(op) != TorchNesting::kNone ? op : m_enclosing(op);
    std::uint32_t annotation = TorchNesting::kNone;
    EventId mate = kNoEvent; // of the innermost call that has one
    for (; at != kNoEvent; at = m_enclosing(at)) {
        const std::uint32_t call = m_nesting.callOf(at);
        if (m_trace.kind(at) == EventKind::Operator && m_owners.self == TorchNesting::kNone)
            m_owners.self = call;
        if (m_trace.kind(at) == EventKind::Annotation && annotation == TorchNesting::kNone)
            annotation = call;
        if (mate == kNoEvent && !m_mateOfCall.empty())
            mate = m_mateOfCall[call];
        if (m_owners.all.empty() || m_owners.all.back() != call) // a call and one merged into it are one
            m_owners.all.push_back(call);
    }
    if (m_owners.self == TorchNesting::kNone)
        m_owners.self = annotation;
    if (mate != kNoEvent)
        findForward(mate);
    return m_owners;
}

void HostCalls::findForward(EventId mate)
{
    EventId at = m_nesting.callOf(mate) != TorchNesting::kNone ? mate : m_enclosing(mate);
    for (; at != kNoEvent; at = m_enclosing(at)) {
        const std::uint32_t call = m_nesting.callOf(at);
        const auto isKnown = [call](const std::vector<std::uint32_t> &calls) {
            return std::find(calls.begin(), calls.end(), call) != calls.end();
        };
        if (!isKnown(m_owners.all) && !isKnown(m_owners.forward))
            m_owners.forward.push_back(call);
    }
}

} // namespace ks
