// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/step_table.h"

#include "core/base/name_match.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>

namespace ks {
namespace {

std::optional<std::int64_t> firstNumber(std::string_view name)
{
    const std::size_t first = name.find_first_of("0123456789");
    std::int64_t number = 0;
    if (first == std::string_view::npos
        || std::from_chars(name.data() + first, name.data() + name.size(), number).ec != std::errc())
        return {};
    return number;
}

void sortAndNumber(const Trace &trace, std::vector<Step> &steps)
{
    std::sort(steps.begin(), steps.end(), [](const Step &a, const Step &b) {
        return std::tuple(a.range.begin, a.event) < std::tuple(b.range.begin, b.event);
    });
    std::map<std::int64_t, int> seen;
    bool unique = true;
    for (Step &step : steps) {
        const std::optional<std::int64_t> number = firstNumber(trace.name(step.event));
        step.number = number.value_or(-1);
        unique = unique && number && ++seen[step.number] == 1;
    }
    if (unique)
        return;
    for (std::size_t i = 0; i < steps.size(); ++i)
        steps[i].number = static_cast<std::int64_t>(i);
}

template<typename Wanted>
std::vector<Step> hostSteps(const Trace &trace, Wanted wanted)
{
    std::vector<Step> steps;
    std::unordered_map<NameId, bool> known;
    for (const Lane &lane : trace.lanes()) {
        if (lane.kind != LaneKind::Cpu)
            continue;
        for (EventId id = lane.firstEvent; id < lane.endEvent; id = advance(id, 1)) {
            const EventKind kind = trace.kind(id);
            if (kind != EventKind::Operator && kind != EventKind::Annotation)
                continue;
            const auto [entry, isNew] = known.try_emplace(trace.nameId(id), false);
            if (isNew)
                entry->second = wanted(trace.name(id));
            if (entry->second)
                steps.push_back({0, id, trace.range(id)});
        }
    }
    sortAndNumber(trace, steps);
    return steps;
}

std::vector<Step> stepsByPattern(const Trace &trace, std::string_view pattern)
{
    NameMatch match;
    if (match.requirePattern(pattern))
        return {}; // the command line has refused it already
    return hostSteps(trace, [&](std::string_view name) { return match(name); });
}

// What the recorder itself writes around collectives.
bool isCollective(std::string_view name)
{
    return name.starts_with("nccl:") || name.starts_with("gloo:") || name.starts_with("c10d::");
}

// The outermost annotation that repeats and covers most time.
std::vector<Step> repeatedAnnotation(const Trace &trace)
{
    std::unordered_map<NameId, std::pair<std::uint64_t, TimeNs>> counts;
    for (const Lane &lane : trace.lanes()) {
        if (lane.kind != LaneKind::Cpu)
            continue;
        for (EventId id = lane.firstEvent; id < lane.endEvent; id = advance(id, 1)) {
            if (trace.kind(id) != EventKind::Annotation)
                continue;
            auto &[count, total] = counts[trace.nameId(id)];
            ++count;
            total = saturatingAdd(total, trace.duration(id));
        }
    }
    NameId best = kNoName;
    TimeNs most = 0;
    for (const auto &[name, entry] : counts) {
        const bool better =
            entry.first > 1 && !isCollective(nameText(name))
            && (entry.second > most || (entry.second == most && best != kNoName && nameText(name) < nameText(best)));
        if (better) {
            best = name;
            most = entry.second;
        }
    }
    if (best == kNoName)
        return {};
    const std::string_view wanted = nameText(best);
    return hostSteps(trace, [&](std::string_view name) { return name == wanted; });
}

// From one launch of a graph to the next.
std::vector<Step> graphReplays(const Trace &trace)
{
    std::vector<Step> steps;
    for (const EventId launch : trace.links().launches) {
        if (trace.name(launch).find("GraphLaunch") != std::string_view::npos)
            steps.push_back({0, launch, trace.range(launch)});
    }
    std::sort(steps.begin(), steps.end(), [](const Step &a, const Step &b) { return a.range.begin < b.range.begin; });
    for (std::size_t i = 0; i < steps.size(); ++i) {
        steps[i].number = static_cast<std::int64_t>(i);
        if (i + 1 < steps.size())
            steps[i].range.end = steps[i + 1].range.begin;
    }
    return steps;
}

std::vector<Step> stepsByThemselves(const Trace &trace)
{
    for (const std::string_view serving : {"execute_.*context.*generation.*", "^step\\["}) {
        if (std::vector<Step> steps = stepsByPattern(trace, serving); steps.size() > 1)
            return steps;
    }
    // A single step that the profiler told is a better one than whatever repeats inside it.
    if (std::vector<Step> steps = repeatedAnnotation(trace); steps.size() > 1 && trace.steps().empty())
        return steps;
    if (std::vector<Step> steps = graphReplays(trace); steps.size() > 1)
        return steps;
    return {trace.steps().begin(), trace.steps().end()};
}

// Every table and filter asks, mostly for the same.
class KnownSteps
{
public:
    KnownSteps() = default;
    KnownSteps(KnownSteps &&other) noexcept
        : m_known(std::move(other.m_known))
    {}

    std::vector<Step> of(const Trace &trace, std::string_view pattern) const
    {
        constexpr std::size_t kMostPatterns = 16;
        const std::lock_guard lock(m_mutex);
        if (m_known.size() >= kMostPatterns)
            m_known.clear();
        auto known = m_known.find(std::string(pattern));
        if (known == m_known.end())
            known =
                m_known.emplace(pattern, pattern == "auto" ? stepsByThemselves(trace) : stepsByPattern(trace, pattern))
                    .first;
        return known->second;
    }

private:
    mutable std::mutex m_mutex;
    mutable std::map<std::string, std::vector<Step>> m_known; // by pattern
};

} // namespace

std::vector<Step> stepsOf(const Trace &trace, std::string_view pattern)
{
    std::vector<Step> told(trace.steps().begin(), trace.steps().end());
    if (pattern.empty() || (pattern == "auto" && told.size() > 1))
        return told;
    return trace.derived().get<KnownSteps>([] { return KnownSteps(); }).of(trace, pattern);
}

const Step *medianStep(std::span<const Step> steps)
{
    if (steps.empty())
        return nullptr;
    std::vector<const Step *> byDuration;
    byDuration.reserve(steps.size());
    for (const Step &step : steps)
        byDuration.push_back(&step);
    const auto middle = byDuration.begin() + static_cast<std::ptrdiff_t>((byDuration.size() - 1) / 2);
    std::nth_element(byDuration.begin(), middle, byDuration.end(), [](const Step *a, const Step *b) {
        return std::tuple(a->range.duration(), a->range.begin) < std::tuple(b->range.duration(), b->range.begin);
    });
    return *middle;
}

std::size_t stepCount(std::span<const RankTrace> traces, const Scope &scope)
{
    std::size_t count = 0;
    for (const RankTrace &rank : traces) {
        if (scope.includesRank(rank.rank))
            count = std::max(count, stepsOf(*rank.trace, scope.stepPattern).size());
    }
    return count;
}

} // namespace ks
