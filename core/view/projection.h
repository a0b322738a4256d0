// SPDX-License-Identifier: GPL-3.0-or-later
// What a device works for: host events projected onto its time through the launches. A stretch runs from the begin of the
// first to the end of the last piece of neighbouring work with the same cause. Work whose launch is not in the file
// belongs to nothing. Cost: O(device work * depth of the operators that launch it), about 0.3 us a piece.
#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ks {

enum class ProjectionLevel : std::uint8_t {
    Step,       // ProfilerStep, by the begin of the launch
    Annotation, // innermost annotation around the launch that is no step
    Module,     // innermost nn.Module around the launch, or around the forward mate of its operator
    Operator,   // outermost operator around the launch
};

struct ProjectedRange
{
    TimeRange range;
    EventId cause = kNoEvent; // host event
};

struct ProjectedRow
{
    ProjectionLevel level = ProjectionLevel::Step;
    std::vector<ProjectedRange> ranges; // disjoint, ascending
};

// Of the work of these lanes together, outer levels first, without empty rows. `annotated`: the file tells steps and
// annotations of the device itself (gpu_user_annotation), so that those two levels are left out.
std::vector<ProjectedRow> projectedRows(const Trace &trace, std::span<const LaneId> lanes, bool annotated);

} // namespace ks
