// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/state/alignment.h"

#include "core/analysis/step_table.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace ks {
namespace {

// The step of the baseline that is looked at.
const Step *stepInView(const ViewState &state)
{
    const TraceSet &traces = state.traces();
    const TimeRange view = traces.toTraceTime(traces.baseline(), state.visibleRange());
    const TimeNs middle = view.begin + view.duration() / 2;
    const auto steps = state.steps(traces.baseline());
    // A view of the whole run looks at no step.
    const auto found = std::find_if(steps.begin(), steps.end(), [&](const Step &step) {
        return step.range.contains(middle) && view.duration() < 2 * step.range.duration();
    });
    return found != steps.end() ? &*found : medianStep(steps);
}

std::optional<TimeNs> stepOf(const ViewState &state, std::uint32_t position)
{
    const Step *const ofBaseline = stepInView(state);
    if (!ofBaseline || position == state.traces().baseline())
        return ofBaseline ? std::optional(ofBaseline->range.begin) : std::nullopt;
    const auto steps = state.steps(position);
    const bool isMedian = ofBaseline == medianStep(state.steps(state.traces().baseline()));
    const auto same = std::find_if(steps.begin(), steps.end(),
                                   [ofBaseline](const Step &step) { return step.number == ofBaseline->number; });
    const Step *const step = !isMedian && same != steps.end() ? &*same : medianStep(steps);
    return step ? std::optional(step->range.begin) : std::nullopt;
}

std::optional<TimeNs> firstWork(const Trace &trace)
{
    std::optional<TimeNs> first;
    for (const Lane &lane : trace.lanes()) {
        if (lane.kind != LaneKind::Gpu)
            continue;
        for (EventId event = lane.firstEvent; event < lane.endEvent; event = advance(event, 1)) {
            if (isDeviceWork(trace.kind(event)))
                first = std::min(first.value_or(std::numeric_limits<TimeNs>::max()), trace.begin(event));
        }
    }
    return first;
}

std::optional<TimeNs> momentOf(const ViewState &state, std::uint32_t position, AlignBy by)
{
    const Trace &trace = state.traces().at(position);
    switch (by) {
    case AlignBy::Recording: return trace.mainRange().begin;
    case AlignBy::Step: return stepOf(state, position);
    case AlignBy::FirstKernel: return firstWork(trace);
    case AlignBy::WallClock: break;
    }
    // The trace time of the moment the baseline's clock shows at its time 0.
    const Trace &baseline = state.traces().at(state.traces().baseline());
    if (!trace.metadata().baseNs || !baseline.metadata().baseNs)
        return {};
    const auto clock = [](const Trace &of) {
        return saturatingAdd(*of.metadata().baseNs, static_cast<std::int64_t>(of.fileTime(TimeNs{0})));
    };
    return saturatingSubtract(clock(baseline), clock(trace));
}

} // namespace

bool align(ViewState &state, AlignBy by)
{
    TraceSet &traces = state.traces();
    if (traces.size() < 2)
        return false;
    std::vector<TimeNs> moments;
    for (std::uint32_t i = 0; i < traces.size(); ++i) {
        const std::optional<TimeNs> moment = momentOf(state, i, by);
        if (!moment)
            return false;
        moments.push_back(*moment);
    }
    const TimeNs wanted = saturatingAdd(moments[traces.baseline()], traces.offset(traces.baseline()));
    std::vector<TimeNs> offsets;
    for (const TimeNs moment : moments)
        offsets.push_back(saturatingSubtract(wanted, moment));
    traces.setOffsets(offsets);
    return true;
}

AlignBy alignOnWhatThereIs(ViewState &state)
{
    for (const AlignBy by : {AlignBy::Step, AlignBy::FirstKernel}) {
        if (align(state, by))
            return by;
    }
    align(state, AlignBy::Recording);
    return AlignBy::Recording;
}

} // namespace ks
