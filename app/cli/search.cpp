// SPDX-License-Identifier: GPL-3.0-or-later
// search: events by name and by filter.
#include "app/cli/analysis_run.h"
#include "app/cli/document.h"
#include "app/cli/filter_option.h"
#include "core/base/name_match.h"

#include <algorithm>
#include <unordered_map>

namespace ks::cli {
namespace {

// Each name is looked at once, however many events carry it.
class MatchingNames
{
public:
    explicit MatchingNames(NameMatch match)
        : m_match(std::move(match))
    {}

    bool contains(NameId name)
    {
        const auto [entry, isNew] = m_known.try_emplace(name, false);
        if (isNew)
            entry->second = m_match(nameText(name));
        return entry->second;
    }

private:
    NameMatch m_match;
    std::unordered_map<NameId, bool> m_known;
};

NameMatch matchOf(const Options &options)
{
    NameMatch match;
    if (const auto text = options.value("--name"))
        match.requireText(*text);
    if (const auto pattern = options.value("--regex")) {
        if (const auto error = match.requirePattern(*pattern))
            throw UsageError("--regex: " + *error);
    }
    return match;
}

std::vector<EventId> matchesByStart(const TraceScope &scope, MatchingNames &names)
{
    const Trace &trace = scope.trace();
    std::vector<EventId> found;
    for (std::size_t l = 0; l < trace.lanes().size(); ++l) {
        const Lane &lane = trace.lanes()[l];
        if (!scope.includesLane(static_cast<LaneId>(l)))
            continue;
        for (EventId id = lane.firstEvent; id < lane.endEvent; id = advance(id, 1)) {
            if (names.contains(trace.nameId(id)) && scope.part(id))
                found.push_back(id);
        }
    }
    std::sort(found.begin(), found.end(), [&trace](EventId a, EventId b) {
        return trace.begin(a) != trace.begin(b) ? trace.begin(a) < trace.begin(b)
                                                : trace.fileIndex(a) < trace.fileIndex(b);
    });
    return found;
}

} // namespace

TableResult search(const Command &command, const Options &options)
{
    MatchingNames names(matchOf(options));
    const Filter filter = filterFrom(options);
    if (const auto rules = options.value(kRulesOption.name); rules && *rules != "kinetoscope")
        throw UsageError("--rules: '" + std::string(*rules) + "' is none of those search knows: kinetoscope");
    AnalysisRun run = openRun(command, options);
    run.scope.events = matchingEvents(filter, run.ranks, run.scope.stepPattern);
    Table table;
    const bool withRank = run.ranks.size() > 1; // ids are those of one trace
    if (withRank)
        table.integers("rank", Unit::Number);
    const std::size_t first = table.columns().size();
    table.integers("id", Unit::Id);
    table.names("name");
    table.names("category");
    table.texts("kind");
    table.integers("lane", Unit::Id);
    table.integers("start_ns", Unit::Ns);
    table.integers("dur_ns", Unit::Ns);
    table.integers("self_ns", Unit::Ns);
    for (const RankTrace &rank : run.ranks) {
        if (!run.scope.includesRank(rank.rank))
            continue;
        const Trace &trace = *rank.trace;
        for (const EventId id : matchesByStart(TraceScope(trace, run.scope), names)) {
            if (withRank)
                table.column(0).append(rank.rank);
            table.column(first).append(trace.fileIndex(id));
            table.column(first + 1).append(trace.nameId(id));
            table.column(first + 2).append(internName(trace.category(id)));
            table.column(first + 3).append(eventKindId(trace.kind(id)));
            table.column(first + 4).append(index(trace.lane(id)));
            table.column(first + 5).append(fileNs(trace, trace.begin(id)));
            table.column(first + 6).append(trace.duration(id));
            table.column(first + 7).append(trace.selfTime(id));
        }
    }
    return std::move(run).result(std::move(table));
}

} // namespace ks::cli
