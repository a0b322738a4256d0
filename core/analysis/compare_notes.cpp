// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/compare_notes.h"

#include "core/analysis/device_work.h"
#include "core/analysis/step_table.h"
#include "core/analysis/torch_nesting.h"
#include "core/base/translate.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

namespace ks {
namespace {

struct Facts
{
    std::size_t ranks = 0;
    bool hasSteps = false;
    bool hasWork = false;
    std::set<NameId> operators;
    std::set<std::tuple<std::string, std::size_t, TimeNs>> files; // path, events, length
};

Facts factsOf(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress)
{
    Facts facts;
    for (const RankTrace &rank : traces) {
        if (!scope.includesRank(rank.rank))
            continue;
        const Trace &trace = *rank.trace;
        ++facts.ranks;
        facts.hasSteps = facts.hasSteps || !stepsOf(trace, scope.stepPattern).empty();
        facts.hasWork = facts.hasWork || !workIndex(trace, progress).byBegin().empty();
        if (!trace.metadata().path.empty() && trace.metadata().path != "-")
            facts.files.emplace(trace.metadata().path, trace.eventCount(), trace.range().duration());
        for (const TorchNesting::Call &call : torchNesting(trace, progress).calls()) {
            if (trace.kind(call.event) == EventKind::Operator)
                facts.operators.insert(trace.nameId(call.event));
        }
    }
    return facts;
}

bool haveInCommon(const std::set<NameId> &a, const std::set<NameId> &b)
{
    return std::any_of(a.begin(), a.end(), [&b](NameId name) { return b.contains(name); });
}

} // namespace

std::vector<const char *> compareNotes(Baseline baseline, Candidate candidate, const Scope &scope,
                                       const Progress &progress)
{
    const Facts a = factsOf(baseline.traces, scope, progress);
    const Facts b = factsOf(candidate.traces, scope, progress);
    std::vector<const char *> notes;
    if (a.ranks == 0 || b.ranks == 0)
        return notes;
    if (a.files == b.files && !a.files.empty())
        notes.push_back(KS_TR("CompareNote", "both sides are the same file"));
    if (!a.operators.empty() && !b.operators.empty() && !haveInCommon(a.operators, b.operators))
        notes.push_back(KS_TR("CompareNote", "the runs have no operator in common"));
    if (a.hasWork != b.hasWork)
        notes.push_back(KS_TR("CompareNote", "only one run has device work: the waterfall compares host time"));
    if (!a.hasSteps || !b.hasSteps)
        notes.push_back(
            KS_TR("CompareNote", "not both runs have steps: whole recordings are compared, noise cannot be told"));
    if (a.ranks != b.ranks)
        notes.push_back(KS_TR("CompareNote", "the runs have different numbers of ranks: sums differ for that alone"));
    return notes;
}

} // namespace ks
