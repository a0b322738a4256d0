// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/renamed_kernels.h"

#include "core/analysis/call_work.h"
#include "core/analysis/device_work.h"
#include "core/analysis/operator_inputs.h"
#include "core/analysis/torch_nesting.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace ks {
namespace {

// Where a kernel is launched from.
struct Place
{
    std::string op;
    std::string shapes;
    std::uint32_t position = 0; // among the kernels of the call
    friend auto operator<=>(const Place &, const Place &) = default;
};

std::set<std::string, std::less<>> namesOf(std::span<const RankTrace> traces, const Scope &scope,
                                           const Progress &progress)
{
    std::set<NameId> ids;
    for (const RankTrace &rank : traces) {
        if (!scope.includesRank(rank.rank))
            continue;
        visitWork(TraceScope(*rank.trace, scope), progress,
                  [&](std::uint32_t, const WorkIndex::Entry &work, TimeRange) {
                      if (work.kind == EventKind::Kernel)
                          ids.insert(rank.trace->nameId(work.event));
                  });
    }
    std::set<std::string, std::less<>> names;
    for (const NameId id : ids)
        names.emplace(nameText(id));
    return names;
}

// Calls of kernels the other run does not have, by place and name.
using Places = std::map<Place, std::map<std::string, std::int64_t>>;

Places placesOf(std::span<const RankTrace> traces, const Scope &scope, const std::set<std::string, std::less<>> &others,
                const Progress &progress)
{
    Places places;
    for (const RankTrace &rank : traces) {
        if (!scope.includesRank(rank.rank))
            continue;
        const Trace &trace = *rank.trace;
        const CallWork &owners = callWork(trace, progress);
        const auto calls = torchNesting(trace, progress).calls();
        const ArgColumn *shapes = trace.metadata().hasShapes ? &callInputs(trace, progress).dims : nullptr;
        std::unordered_map<std::uint32_t, std::uint32_t> next; // by call
        visitWork(TraceScope(trace, scope), progress,
                  [&](std::uint32_t position, const WorkIndex::Entry &work, TimeRange) {
                      const std::uint32_t call = owners.ownersOf(position).self;
                      if (work.kind != EventKind::Kernel || call == TorchNesting::kNone)
                          return;
                      const std::uint32_t place = next[call]++;
                      const std::string_view name = trace.name(work.event);
                      if (others.contains(name))
                          return;
                      const Place at{std::string(trace.name(calls[call].event)),
                                     shapes ? shapes->text(call) : std::string(), place};
                      ++places[at][std::string(name)];
                  });
    }
    return places;
}

} // namespace

std::map<std::string, std::string> renamedKernels(std::span<const RankTrace> baseline,
                                                  std::span<const RankTrace> candidate, const Scope &scope,
                                                  const Progress &progress)
{
    const auto namesA = namesOf(baseline, scope, progress);
    const auto namesB = namesOf(candidate, scope, progress);
    if (std::includes(namesA.begin(), namesA.end(), namesB.begin(), namesB.end())
        || std::includes(namesB.begin(), namesB.end(), namesA.begin(), namesA.end()))
        return {};
    const Places placesA = placesOf(baseline, scope, namesB, progress);
    const Places placesB = placesOf(candidate, scope, namesA, progress);
    std::map<std::pair<std::string, std::string>, std::int64_t> votes; // calls both have in the same place
    for (const auto &[place, inB] : placesB) {
        const auto inA = placesA.find(place);
        if (inA == placesA.end())
            continue;
        for (const auto &[nameB, callsB] : inB) {
            for (const auto &[nameA, callsA] : inA->second)
                votes[{nameA, nameB}] += std::min(callsA, callsB);
        }
    }
    std::vector<std::tuple<std::int64_t, std::string, std::string>> byVotes;
    for (const auto &[names, count] : votes)
        byVotes.emplace_back(-count, names.first, names.second);
    std::sort(byVotes.begin(), byVotes.end());
    std::map<std::string, std::string> renamed;
    std::set<std::string> taken;
    for (const auto &[count, nameA, nameB] : byVotes) {
        if (!renamed.contains(nameB) && taken.insert(nameA).second)
            renamed.emplace(nameB, nameA);
    }
    return renamed;
}

} // namespace ks
