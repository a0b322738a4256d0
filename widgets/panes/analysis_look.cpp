// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/analysis_look.h"

#include "core/analysis/torch_nesting.h"

#include <QCoreApplication>

namespace ks {
namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ks::AnalysisPane", text);
}

} // namespace

std::vector<EventRef> eventsOfName(const TraceSet &traces, NameId name)
{
    constexpr std::size_t kMost = 20'000;
    std::vector<EventRef> events;
    const bool isSteps = nameText(name) == kStepRow;
    for (std::uint32_t position = 0; position < traces.size(); ++position) {
        const auto &names = traces.at(position).events().name;
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (names[i] != name && !(isSteps && nameText(names[i]).starts_with(kStepPrefix)))
                continue;
            if (events.size() == kMost)
                return {};
            events.push_back(traces.ref(position, static_cast<EventId>(i)));
        }
    }
    return events;
}

BarChart chartOf(const Analysis &analysis)
{
    if (analysis.id == "steps")
        return {{"rank", "step"}, {"dur_ns"}};
    if (analysis.id == "breakdown")
        return {{"rank", "device"}, {"compute_ns", "exposed_communication_ns", "exposed_memory_ns", "idle_ns"}};
    if (analysis.id == "idle")
        return {{"rank", "device", "stream"}, {"host_wait_ns", "kernel_wait_ns", "other_ns"}};
    if (analysis.id == "launches")
        return {{"name", "rank"}, {"delay_total_ns"}};
    if (analysis.id == "communication")
        return {{"index", "collective", "rank"}, {"dur_ns"}};
    return {};
}

std::optional<EventKind> workKindOf(std::string_view id)
{
    for (const EventKind kind : {EventKind::Operator, EventKind::Annotation, EventKind::Launch, EventKind::Kernel,
                                 EventKind::Memcpy, EventKind::Memset}) {
        if (eventKindId(kind) == id)
            return kind;
    }
    return {};
}

FilterReach filterReachOf(const Analysis &analysis)
{
    const bool hasCalls = analysis.id == "operators" || analysis.id == "modules" || analysis.id == "calltree";
    return hasCalls || analysis.isComparison ? FilterReach::Everything : FilterReach::Scope;
}

QString emptyText(const Analysis &analysis)
{
    if (analysis.id == "memory")
        return tr("No [memory] events here: record with profile_memory=True.");
    if (analysis.id == "modules")
        return tr("No nn.Module calls here: record with with_stack=True and with_modules=True.");
    if (analysis.id == "steps")
        return tr("No steps here: give the profiler a schedule and call prof.step() after each iteration.");
    if (analysis.id == "communication")
        return tr("No collectives here.");
    if (analysis.id == "findings")
        return tr("Nothing stands out here.");
    if (analysis.id == "kernels" || analysis.id == "launches" || analysis.id == "idle" || analysis.id == "breakdown")
        return tr("No device work here: record with ProfilerActivity.CUDA.");
    return tr("Nothing to count here.");
}

} // namespace ks
