// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/work_groups.h"

#include "core/analysis/kernel_facts.h"

#include <map>
#include <unordered_map>
#include <utility>

namespace ks {
namespace {

struct Key
{
    std::uint64_t work;  // name, class, kind
    std::uint64_t start; // operator, number of the facts
    friend bool operator==(const Key &, const Key &) = default;
};

struct HashOfKey
{
    std::size_t operator()(const Key &key) const
    {
        constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15U;
        const std::uint64_t mixed = (key.work * kOdd) ^ (key.start + (key.work >> 29U));
        return static_cast<std::size_t>((mixed * kOdd) ^ (mixed >> 31U));
    }
};

} // namespace

WorkGroups::WorkGroups(const Trace &trace, const Progress &progress)
{
    const KernelFacts &facts = kernelFacts(trace, progress.part(0, 0.8));
    const std::span<const WorkIndex::Entry> work = workIndex(trace, progress).byBegin();
    std::unordered_map<Key, std::uint32_t, HashOfKey> known;
    m_of.reserve(work.size());
    for (std::uint32_t position = 0; position < work.size(); ++position) {
        if ((position & 0xffffU) == 0)
            progress.throwIfStopped();
        const WorkIndex::Entry &entry = work[position];
        const EventId op = trace.launchLink(entry.event).op;
        const NameId opName = op != kNoEvent ? trace.nameId(op) : kNoName;
        const NameId name = trace.nameId(entry.event);
        const Key key{(std::uint64_t{index(name)} << 16U) | (static_cast<std::uint64_t>(entry.workClass) << 8U)
                          | static_cast<std::uint64_t>(entry.kind),
                      (std::uint64_t{index(opName)} << 32U) | facts.number(position)};
        const auto [group, isNew] = known.try_emplace(key, static_cast<std::uint32_t>(m_all.size()));
        if (isNew)
            m_all.push_back({name, entry.workClass, entry.kind, opName, facts.configuration(position),
                             facts.blocksPerSm(position), facts.occupancyPercent(position), 0, 0});
        m_of.push_back(group->second);
        ++m_all[group->second].size;
    }
    std::map<std::pair<NameId, WorkClass>, std::size_t> sizes;
    for (const WorkGroup &group : m_all)
        sizes[{group.name, group.workClass}] += group.size;
    for (WorkGroup &group : m_all)
        group.sizeOfName = sizes[{group.name, group.workClass}];
}

const WorkGroups &workGroups(const Trace &trace, const Progress &progress)
{
    return trace.derived().get<WorkGroups>([&] { return WorkGroups(trace, progress); });
}

} // namespace ks
