// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/work_class.h"

#include "core/trace/communication.h"

namespace ks {

std::string_view workClassId(WorkClass workClass)
{
    switch (workClass) {
    case WorkClass::Compute: return "compute";
    case WorkClass::Communication: return "communication";
    case WorkClass::Memory: return "memory";
    }
    return "";
}

WorkClass WorkClassifier::classOf(const Trace &trace, EventId work)
{
    if (trace.kind(work) != EventKind::Kernel)
        return WorkClass::Memory;
    const std::size_t name = index(trace.nameId(work));
    if (name >= m_isCommunication.size())
        m_isCommunication.resize(name + 1, -1);
    std::int8_t &known = m_isCommunication[name];
    if (known < 0)
        known = isCommunicationKernel(trace.name(work)) ? 1 : 0;
    return known == 1 ? WorkClass::Communication : WorkClass::Compute;
}

} // namespace ks
