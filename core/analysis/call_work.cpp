// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/call_work.h"

#include "core/analysis/device_work.h"
#include "core/analysis/host_calls.h"

namespace ks {

CallWork::CallWork(const Trace &trace, const Progress &progress)
{
    const auto work = workIndex(trace, progress).byBegin();
    if (work.empty())
        return;
    HostCalls calls(trace, torchNesting(trace, progress));
    constexpr std::size_t kUsualDepth = 8;
    m_groupOf.reserve(work.size());
    m_groups.reserve(work.size());
    m_calls.reserve(work.size() * kUsualDepth);
    EventId launch = kNoEvent; // of the last group
    for (std::size_t i = 0; i < work.size(); ++i) {
        if ((i & 0xffffU) == 0)
            progress.throwIfStopped();
        if (work[i].launch == kNoEvent || work[i].launch != launch) {
            const HostCalls::Owners &owners = calls.ownersOf(work[i].event, work[i].launch);
            Group group;
            group.self = owners.self;
            group.first = static_cast<std::uint32_t>(m_calls.size());
            for (const std::uint32_t call : owners.all) // mostly few
                m_calls.push_back(call);
            group.forward = static_cast<std::uint32_t>(m_calls.size());
            for (const std::uint32_t call : owners.forward)
                m_calls.push_back(call);
            group.end = static_cast<std::uint32_t>(m_calls.size());
            m_groups.push_back(group);
            launch = work[i].launch;
        }
        m_groupOf.push_back(static_cast<std::uint32_t>(m_groups.size() - 1));
    }
}

const CallWork &callWork(const Trace &trace, const Progress &progress)
{
    return trace.derived().get<CallWork>([&] { return CallWork(trace, progress); });
}

} // namespace ks
