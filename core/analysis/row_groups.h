// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers the rows of calls: one for each name and kind. All steps are one row.
#pragma once

#include "core/analysis/torch_nesting.h"
#include "core/base/ids.h"
#include "core/base/name_pool.h"
#include "core/trace/event_kind.h"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace ks {

class RowGroups
{
public:
    struct Group
    {
        NameId name = kNoName;
        EventKind kind = EventKind::Operator;
    };

    // The kind is that of a call: operator, annotation or launch.
    std::uint32_t numberOf(NameId name, EventKind kind)
    {
        if (index(name) >= m_known.size())
            m_known.resize(index(name) + 1, {kUnknown, kUnknown, kUnknown, kUnknown});
        std::uint32_t &known = m_known[index(name)][static_cast<std::size_t>(kind)];
        if (known == kUnknown)
            known = add(nameText(name).starts_with(kStepPrefix) ? internName(kStepRow) : name, kind);
        return known;
    }
    // By number, in the order they were asked for.
    std::span<const Group> all() const { return m_groups; }

private:
    static constexpr std::uint32_t kUnknown = 0xffffffffU;
    static_assert(static_cast<std::size_t>(EventKind::Operator) < 4
                  && static_cast<std::size_t>(EventKind::Annotation) < 4
                  && static_cast<std::size_t>(EventKind::Launch) < 4);

    std::uint32_t add(NameId rowName, EventKind kind)
    {
        const auto [row, isNew] = m_ofRow.try_emplace({rowName, kind}, static_cast<std::uint32_t>(m_groups.size()));
        if (isNew)
            m_groups.push_back({rowName, kind});
        return row->second;
    }

    std::vector<Group> m_groups;
    std::vector<std::array<std::uint32_t, 4>> m_known; // by name of events and kind
    std::map<std::pair<NameId, EventKind>, std::uint32_t> m_ofRow;
};

} // namespace ks
