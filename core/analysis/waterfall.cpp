// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/waterfall.h"

#include "core/analysis/analysis.h"
#include "core/analysis/device_work.h"
#include "core/analysis/step_at.h"
#include "core/analysis/step_parts.h"
#include "core/analysis/step_table.h"
#include "core/base/parse_number.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace ks {
namespace {

// The parts of one run.
struct Run
{
    StepParts parts;
    TimeNs total = 0;
    std::int64_t count = 0; // of stretches that were added up
    std::string name;       // of the step, if it is one
    Step step;              // the first of them

    double mean(TimeNs time) const { return count != 0 ? static_cast<double>(time) / static_cast<double>(count) : 0; }
};

bool hasDeviceWork(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress)
{
    return std::any_of(traces.begin(), traces.end(), [&](const RankTrace &rank) {
        return scope.includesRank(rank.rank) && !workIndex(*rank.trace, progress).byBegin().empty();
    });
}

// As TensorBoard's plugin cuts them: a step ends with the last work it launched and begins no earlier than the one
// before ends, so that it holds its own work, not what the step before left behind.
void stretchToDevice(const Trace &trace, const StepAt &all, std::vector<Step> &steps, const Progress &progress)
{
    std::vector<TimeNs> lastEnd(steps.size(), kMinTime);
    for (const WorkIndex::Entry &work : workIndex(trace, progress).byBegin()) {
        if (work.launch == kNoEvent)
            continue;
        if (const auto step = all.at(trace.begin(work.launch)))
            lastEnd[*step] = std::max(lastEnd[*step], trace.end(work.event));
    }
    TimeNs before = kMinTime;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        TimeRange &range = steps[i].range;
        range.begin = std::max(range.begin, before);
        range.end = std::max({range.end, lastEnd[i], range.begin});
        before = range.end;
    }
}

std::vector<Step> wanted(const Trace &trace, const Scope &scope, const StepPair &pair, std::int64_t number,
                         bool ofDevices, const Progress &progress)
{
    Scope allSteps;
    allSteps.stepPattern = scope.stepPattern;
    const StepAt all(trace, allSteps);
    std::vector<Step> steps(all.steps().begin(), all.steps().end());
    if (ofDevices)
        stretchToDevice(trace, all, steps, progress);
    if (scope.steps)
        std::erase_if(steps, [&scope](const Step &step) {
            return step.number < scope.steps->first || step.number > scope.steps->last;
        });
    if (pair.kind == StepPair::Kind::Numbers) {
        std::erase_if(steps, [number](const Step &step) { return step.number != number; });
        if (steps.empty())
            throw AnalysisError("pair", "there is no step " + std::to_string(number));
    }
    if (steps.empty()) // the whole recording is one
        return {Step{0, kNoEvent, trace.mainRange()}};
    if (pair.kind == StepPair::Kind::Median)
        return {*medianStep(steps)};
    return steps;
}

// The thread that runs a step; without steps the one with most calls.
LaneId threadOf(const Trace &trace, const Step &step)
{
    if (step.event != kNoEvent)
        return trace.lane(step.event);
    LaneId busiest{};
    std::size_t most = 0;
    for (std::size_t i = 0; i < trace.lanes().size(); ++i) {
        const Lane &lane = trace.lanes()[i];
        const std::size_t events = distance(lane.firstEvent, lane.endEvent);
        if (lane.kind == LaneKind::Cpu && events > most) {
            busiest = static_cast<LaneId>(i);
            most = events;
        }
    }
    return busiest;
}

Run runOf(std::span<const RankTrace> traces, const Scope &scope, const StepPair &pair, std::int64_t number,
          bool ofDevices, const Progress &progress)
{
    Run run;
    for (const RankTrace &rank : traces) {
        if (!scope.includesRank(rank.rank) || rank.trace->lanes().empty())
            continue;
        for (const Step &step : wanted(*rank.trace, scope, pair, number, ofDevices, progress)) {
            std::size_t count = 1;
            if (ofDevices)
                count = run.parts.addDevices(*rank.trace, step.range, progress);
            else
                run.parts.addHost(*rank.trace, threadOf(*rank.trace, step), step.range);
            run.total += step.range.duration() * static_cast<TimeNs>(count);
            if (run.count == 0)
                run.step = step;
            run.count += static_cast<std::int64_t>(count);
            if (run.name.empty() && pair.kind != StepPair::Kind::All && step.event != kNoEvent)
                run.name = rank.trace->name(step.event);
        }
    }
    return run;
}

// Rows that add up to the one above.
struct Node
{
    StepPart part = StepPart::Kernels;
    std::string name;
    double baseline = 0;
    double candidate = 0;
    struct Piece // the longest of it
    {
        TimeRange range;
        EventId event = kNoEvent;
    };
    Piece before, after; // in the baseline, in the candidate
    std::vector<Node> children;

    double delta() const { return candidate - baseline; }
};

Node &childOf(std::vector<Node> &nodes, StepPart part, const std::string &name)
{
    const auto known = std::find_if(nodes.begin(), nodes.end(),
                                    [&](const Node &node) { return node.part == part && node.name == name; });
    return known != nodes.end() ? *known : nodes.emplace_back(Node{part, name, 0, 0, {}, {}, {}});
}

void addTo(std::vector<Node> &parts, const Run &run, double Node::*side)
{
    for (const auto &[key, time] : run.parts.times()) {
        const auto add = [&, &part = time](Node &node) {
            node.*side += run.mean(part.sum);
            Node::Piece &piece = side == &Node::candidate ? node.after : node.before;
            if (part.longest.duration() > piece.range.duration())
                piece = {part.longest, part.event};
        };
        Node &part = childOf(parts, key.part, std::string());
        Node &named = childOf(part.children, key.part, key.name);
        add(part);
        add(named);
        if (key.part == StepPart::Kernels)
            add(childOf(named.children, key.part, key.op));
    }
}

void sortByDelta(std::vector<Node> &nodes)
{
    std::stable_sort(nodes.begin(), nodes.end(),
                     [](const Node &a, const Node &b) { return std::abs(a.delta()) > std::abs(b.delta()); });
    for (Node &node : nodes)
        sortByDelta(node.children);
}

class Output
{
public:
    // Traces are null if a run has several ranks.
    Output(bool isWhole, double delta, const Trace *baseline, const Trace *candidate)
        : m_isWhole(isWhole)
        , m_delta(delta)
        , m_baseline(baseline)
        , m_candidate(candidate)
    {
        table.texts("part");
        table.texts("item");
        for (const char *name : {"baseline_ns", "candidate_ns", "delta_ns"})
            table.addColumn(name, Unit::Ns, isWhole ? CellType::Integer : CellType::Real);
        table.reals("share", Unit::Ratio);
        for (const std::string before : {"", "baseline_"}) {
            for (const char *name : {"start_ns", "length_ns"})
                table.integers(before + name, Unit::Ns);
            table.integers(before + "event", Unit::Id);
        }
    }

    std::uint32_t add(std::string_view part, const Node &node, std::uint32_t parent)
    {
        std::size_t at = 0;
        const auto put = [&](auto value) { table.column(at++).append(value); };
        put(part);
        put(node.name.empty() ? std::nullopt : std::optional(node.name));
        for (const double value : {node.baseline, node.candidate, node.delta()}) {
            if (m_isWhole)
                put(static_cast<std::int64_t>(std::llround(value)));
            else
                put(value);
        }
        put(m_delta != 0 ? std::optional(node.delta() / m_delta + 0.0) : std::nullopt); // no −0
        for (const auto &[trace, piece] : {std::pair(m_candidate, node.after), std::pair(m_baseline, node.before)}) {
            const bool isKnown = trace && !piece.range.isEmpty();
            put(isKnown ? std::optional(static_cast<std::int64_t>(trace->fileTime(piece.range.begin))) : std::nullopt);
            put(isKnown ? std::optional(piece.range.duration()) : std::nullopt);
            put(isKnown && piece.event != kNoEvent ? std::optional(trace->fileIndex(piece.event)) : std::nullopt);
        }
        parents.push_back(parent);
        return static_cast<std::uint32_t>(parents.size() - 1);
    }

    void add(const std::vector<Node> &nodes, std::uint32_t parent)
    {
        for (const Node &node : nodes)
            add(node.children, add(stepPartId(node.part), node, parent));
    }

    Table table;
    std::vector<std::uint32_t> parents;

private:
    bool m_isWhole;
    double m_delta;
    const Trace *m_baseline;
    const Trace *m_candidate;
};

} // namespace

std::optional<StepPair> parseStepPair(std::string_view text)
{
    if (text.empty() || text == "median")
        return StepPair{};
    if (text == "all")
        return StepPair{StepPair::Kind::All, 0, 0};
    const std::size_t colon = text.find(':');
    const auto baseline = parseInteger(text.substr(0, colon));
    const auto candidate =
        colon != std::string_view::npos ? parseInteger(text.substr(colon + 1)) : std::optional<std::int64_t>();
    if (!baseline || !candidate)
        return {};
    return StepPair{StepPair::Kind::Numbers, *baseline, *candidate};
}

Table waterfallTable(Baseline baseline, Candidate candidate, const Scope &scope, const StepPair &pair,
                     const Progress &progress)
{
    const bool ofDevices =
        hasDeviceWork(baseline.traces, scope, progress) && hasDeviceWork(candidate.traces, scope, progress);
    const Run a = runOf(baseline.traces, scope, pair, pair.baseline, ofDevices, progress.part(0, 0.5));
    const Run b = runOf(candidate.traces, scope, pair, pair.candidate, ofDevices, progress.part(0.5, 1));
    std::vector<Node> parts;
    addTo(parts, a, &Node::baseline);
    addTo(parts, b, &Node::candidate);
    sortByDelta(parts);
    Node step;
    step.name = a.name == b.name ? a.name : a.name + " → " + b.name;
    step.baseline = a.mean(a.total);
    step.candidate = b.mean(b.total);
    step.before = {a.step.range, a.step.event};
    step.after = {b.step.range, b.step.event};
    const auto only = [](std::span<const RankTrace> traces) {
        return traces.size() == 1 ? traces.front().trace.get() : nullptr;
    };
    Output output(a.count <= 1 && b.count <= 1, step.delta(), only(baseline.traces), only(candidate.traces));
    if (a.count != 0 || b.count != 0)
        output.add(parts, output.add("step", step, Table::kNoParent));
    output.table.setParents(std::move(output.parents));
    return std::move(output.table);
}

} // namespace ks
