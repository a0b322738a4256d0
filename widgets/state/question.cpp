// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/state/question.h"

#include "core/analysis/filter.h"
#include "core/base/format.h"
#include "widgets/state/to_qstring.h"

#include <QCoreApplication>

#include <algorithm>
#include <set>

namespace ks {
namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ks::Question", text);
}

// Ranks are as the files tell; where these do not tell them apart, the traces are numbered.
RankTrace rankTrace(const TraceSet &traces, std::uint32_t position)
{
    std::set<std::int64_t> ranks;
    for (std::uint32_t i = 0; i < traces.size(); ++i) {
        const std::optional<std::int64_t> rank = traces.at(i).metadata().rank;
        if (traces.relation() == TraceSet::Relation::Ranks && (!rank || !ranks.insert(*rank).second))
            return {traces.share(position), position};
    }
    return {traces.share(position), traces.at(position).metadata().rank};
}

void take(Question &question, const TraceSet &traces, std::uint32_t position)
{
    question.traces.push_back(rankTrace(traces, position));
    question.positions.push_back(position);
}

Scope::Part partOf(const TraceSet &traces, std::uint32_t position, const Area &area)
{
    Scope::Part part;
    part.trace = &traces.at(position);
    const TimeRange whole = traces.toViewTime(position, part.trace->range());
    if (area.range.begin > whole.begin || area.range.end < whole.end)
        part.range = traces.toTraceTime(position, area.range);
    for (const LaneRef &lane : area.lanes) {
        if (lane.trace == position)
            part.lanes.push_back(lane.lane);
    }
    return part;
}

// A step that was picked: the view is that step to the nanosecond. It counts as a step, device work by its launch.
const Step *pickedStep(const ViewState &state)
{
    const TraceSet &traces = state.traces();
    if (selectedArea(state.selection()) || !state.followsView())
        return nullptr;
    const std::uint32_t position = traces.baseline();
    const TimeRange view = traces.toTraceTime(position, state.visibleRange());
    const auto steps = state.steps(position);
    const auto step = std::find_if(steps.begin(), steps.end(), [&](const Step &one) { return one.range == view; });
    return step != steps.end() ? &*step : nullptr;
}

QString wordsOf(const ViewState &state, bool isPart)
{
    const Area area = state.area();
    const QString length = toQString(formatDuration(area.range.duration()));
    QString words = tr("the whole trace");
    if (selectedArea(state.selection())) {
        words = area.lanes.empty()       ? tr("the selected %1").arg(length)
                : area.lanes.size() == 1 ? tr("the selected %1 on one lane").arg(length)
                                         : tr("the selected %1 on %2 lanes").arg(length).arg(area.lanes.size());
    } else if (isPart) {
        words = tr("the visible %1").arg(length);
    }
    return state.filter().isEmpty() ? words : tr("%1, only %2").arg(words, state.filter());
}

// Does the scope leave out most of each trace? Else it pays to share what is found in all of it.
bool isSmallPart(const Scope &scope, const std::vector<RankTrace> &traces)
{
    constexpr int kShare = 4;
    return std::all_of(traces.begin(), traces.end(), [&scope](const RankTrace &rank) {
        return std::any_of(scope.parts.begin(), scope.parts.end(), [&rank](const Scope::Part &part) {
            return part.trace == rank.trace.get() && part.range
                   && part.range->duration() < rank.trace->range().duration() / kShare;
        });
    });
}

} // namespace

bool isOneRun(const TraceSet &traces)
{
    if (traces.size() > 1 && traces.relation() != TraceSet::Relation::Guessed)
        return traces.relation() == TraceSet::Relation::Ranks;
    std::set<std::int64_t> ranks;
    for (std::uint32_t i = 0; i < traces.size(); ++i) {
        const Metadata &metadata = traces.at(i).metadata();
        if (!metadata.rank || !ranks.insert(*metadata.rank).second
            || metadata.worldSize != traces.at(0).metadata().worldSize)
            return traces.size() == 1;
    }
    return true;
}

Question questionOf(const ViewState &state, bool comparing)
{
    Question question;
    const TraceSet &traces = state.traces();
    if (traces.isEmpty())
        return question;
    const std::uint32_t baseline = traces.baseline();
    if (comparing) {
        for (std::uint32_t i = 0; i < traces.size() && question.traces.empty(); ++i) {
            if (i != baseline)
                take(question, traces, i);
        }
        question.baseline.push_back(rankTrace(traces, baseline));
    } else if (isOneRun(traces)) {
        for (std::uint32_t i = 0; i < traces.size(); ++i)
            take(question, traces, i);
    } else {
        take(question, traces, baseline);
    }
    const Area area = state.area();
    bool isPart = !area.lanes.empty();
    std::vector<std::uint32_t> looked = question.positions;
    if (comparing)
        looked.push_back(baseline);
    for (const std::uint32_t position : looked) {
        question.scope.parts.push_back(partOf(traces, position, area));
        isPart = isPart || question.scope.parts.back().range;
    }
    // What is in view of one run says nothing of the same time in another.
    isPart = isPart && (!comparing || selectedArea(state.selection()));
    if (!isPart)
        question.scope.parts.clear();
    question.scope.stepPattern = state.stepPattern();
    question.filter = state.filter().toStdString();
    question.matches = state.matches();
    question.words = wordsOf(state, isPart);
    if (const Step *step = comparing ? nullptr : pickedStep(state)) {
        question.scope.parts.clear();
        question.scope.steps = Scope::StepRange{step->number, step->number};
        const QString words = tr("the step %1, %2")
                                  .arg(toQString(traces.at(baseline).name(step->event)),
                                       toQString(formatDuration(step->range.duration())));
        question.words = state.filter().isEmpty() ? words : tr("%1, only %2").arg(words, state.filter());
    }
    return question;
}

std::optional<Question> questionOfOtherRun(const ViewState &state, const Question &question)
{
    const TraceSet &traces = state.traces();
    if (isOneRun(traces))
        return {};
    Question other;
    for (std::uint32_t i = 0; i < traces.size() && other.traces.empty(); ++i) {
        if (i != traces.baseline())
            take(other, traces, i);
    }
    other.scope = question.scope;
    other.scope.parts.clear();
    other.filter = question.filter;
    other.matches = question.matches;
    return other;
}

Scope withFilter(const Question &question, const Progress &progress, FilterReach reach)
{
    Scope scope = question.scope;
    const Filter filter = Filter::parse(question.filter);
    std::vector<RankTrace> all = question.traces;
    all.insert(all.end(), question.baseline.begin(), question.baseline.end());
    if (reach == FilterReach::Scope && isSmallPart(scope, all)) {
        scope.events = matchingEvents(filter, all, scope.stepPattern, progress, scope.parts);
        return scope;
    }
    if (filter.letsAllPass())
        return scope;
    auto events = std::make_shared<EventSet>();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto share = [&all](std::size_t n) { return static_cast<double>(n) / static_cast<double>(all.size()); };
        const std::shared_ptr<const Trace> &trace = all[i].trace;
        const FilterContext context{all[i].rank, scope.stepPattern};
        events->insert(
            trace, *question.matches->of(trace, question.filter, context, progress.part(share(i), share(i + 1)),
                                         [&](const Progress &part) { return filter.matches(*trace, context, part); }));
    }
    scope.events = std::move(events);
    return scope;
}

} // namespace ks
