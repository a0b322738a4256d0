// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/step_at.h"

#include "core/analysis/step_table.h"

#include <algorithm>
#include <limits>

namespace ks {

StepAt::StepAt(const Trace &trace, const Scope &scope)
    : m_steps(stepsOf(trace, scope.stepPattern))
{
    if (scope.steps)
        std::erase_if(m_steps, [&scope](const Step &step) {
            return step.number < scope.steps->first || step.number > scope.steps->last;
        });
    if (const std::optional<TimeRange> range = TraceScope(trace, scope).range())
        std::erase_if(m_steps, [&range](const Step &step) { return !range->contains(step.range); });
}

std::optional<std::size_t> StepAt::at(TimeNs time) const
{
    const auto after = std::upper_bound(m_steps.begin(), m_steps.end(), time,
                                        [](TimeNs wanted, const Step &step) { return wanted < step.range.begin; });
    if (after == m_steps.begin() || !std::prev(after)->range.contains(time))
        return {};
    return static_cast<std::size_t>(after - m_steps.begin()) - 1;
}

Scope StepAt::narrowed(const Scope &scope) const
{
    Scope result = scope;
    if (!result.steps)
        result.steps =
            Scope::StepRange{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
    return result;
}

} // namespace ks
