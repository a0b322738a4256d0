// SPDX-License-Identifier: GPL-3.0-or-later
// What a name tells, found out once: one array read afterwards.
#pragma once

#include "core/base/ids.h"
#include "core/base/name_pool.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace ks {

template<typename Value>
class PerName
{
public:
    explicit PerName(std::function<Value(std::string_view)> find)
        : m_find(std::move(find))
    {}

    Value of(NameId name)
    {
        if (name == kNoName)
            return m_find({});
        const std::size_t at = index(name);
        if (at >= m_values.size())
            m_values.resize(std::max(at + 1, m_values.size() * 2));
        if (!m_values[at])
            m_values[at] = m_find(nameText(name));
        return *m_values[at];
    }

private:
    std::function<Value(std::string_view)> m_find;
    std::vector<std::optional<Value>> m_values;
};

} // namespace ks
