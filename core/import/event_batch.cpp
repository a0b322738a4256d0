// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/event_batch.h"

namespace ks {

void ScanCounts::add(const ScanCounts &other)
{
    damaged.add(other.damaged);
    skipped.add(other.skipped);
    repairedControls.add(other.repairedControls);
    repairedEscapes.add(other.repairedEscapes);
    repairedNumbers.add(other.repairedNumbers);
    invalidUtf8.add(other.invalidUtf8);
    negativeDurations.add(other.negativeDurations);
    records += other.records;
    asyncInstants += other.asyncInstants;
    hasShapes |= other.hasShapes;
}

EventBatch::EventBatch(BatchStores &stores)
    : events(stores.events)
    , flows(stores.flows)
    , instants(stores.instants)
    , memory(stores.memory)
{
    fields.keys = Appended<std::uint8_t>(stores.fieldKeys);
    for (std::size_t key = 0; key < kRawFieldKeys; ++key)
        fields.values[key] = Appended<std::uint32_t>(stores.fieldValues[key]);
}

void EventBatch::finish()
{
    events.close();
    fields.keys.close();
    for (Appended<std::uint32_t> &values : fields.values)
        values.close();
    flows.close();
    instants.close();
    memory.close();
}

void PhaseCounts::grow()
{
    std::vector<Entry> old(m_entries.size() * 2);
    old.swap(m_entries);
    const std::size_t mask = m_entries.size() - 1;
    for (const Entry &entry : old) {
        if (entry.count == 0)
            continue;
        std::size_t at = (entry.key * 0x9e3779b1U) & mask;
        while (m_entries[at].count != 0)
            at = (at + 1) & mask;
        m_entries[at] = entry;
    }
}

} // namespace ks
