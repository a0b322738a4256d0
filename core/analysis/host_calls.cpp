// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/host_calls.h"

namespace ks {
namespace {

constexpr EventId kUnknown{0xfffffffeU};

bool isOwner(EventKind kind)
{
    return kind == EventKind::Operator || kind == EventKind::Annotation;
}

} // namespace

HostCalls::HostCalls(const Trace &trace, const TorchNesting &nesting)
    : m_trace(trace)
    , m_nesting(nesting)
    , m_enclosing(trace.eventCount(), kUnknown)
{}

EventId HostCalls::enclosing(EventId event)
{
    m_path.clear();
    EventId found = kUnknown;
    while (found == kUnknown) {
        if (m_enclosing[index(event)] != kUnknown) {
            found = m_enclosing[index(event)];
            break;
        }
        m_path.push_back(event);
        event = m_trace.parent(event);
        if (event == kNoEvent)
            found = kNoEvent;
        else if (isOwner(m_trace.kind(event)) && m_nesting.callOf(event) != TorchNesting::kNone)
            found = event;
    }
    for (const EventId passed : m_path)
        m_enclosing[index(passed)] = found;
    return found;
}

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
        at = enclosing(link.launch);
    else if (link.op != kNoEvent)
        at = m_nesting.callOf(link.op) != TorchNesting::kNone ? link.op : enclosing(link.op);
    std::uint32_t annotation = TorchNesting::kNone;
    for (; at != kNoEvent; at = enclosing(at)) {
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
