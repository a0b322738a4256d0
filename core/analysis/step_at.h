// SPDX-License-Identifier: GPL-3.0-or-later
// Which step of a trace runs at a moment.
#pragma once

#include "core/analysis/scope.h"
#include "core/trace/step.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace ks {

class StepAt
{
public:
    // Of the steps the scope selects, all of them if it names none: those that lie whole in its range of time.
    StepAt(const Trace &trace, const Scope &scope);

    std::span<const Step> steps() const { return m_steps; } // by begin
    // Position in steps(); of those that overlap the one that began last. O(log n)
    std::optional<std::size_t> at(TimeNs time) const;
    // The scope, but only what is in steps.
    Scope narrowed(const Scope &scope) const;

private:
    std::vector<Step> m_steps;
};

} // namespace ks
