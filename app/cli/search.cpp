// SPDX-License-Identifier: GPL-3.0-or-later
// search: events by name and by filter.
#include "app/cli/analysis_run.h"
#include "app/cli/document.h"
#include "app/cli/filter_option.h"
#include "core/analysis/event_list.h"
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
    EventList list;
    for (const RankTrace &rank : run.ranks) {
        list.traces.push_back(rank);
        if (run.scope.includesRank(rank.rank)) {
            const std::vector<EventId> found = matchesByStart(TraceScope(*rank.trace, run.scope), names);
            list.events.insert(list.events.end(), found.begin(), found.end());
        }
        list.first.push_back(list.size());
    }
    Table table = eventTable(list);
    return std::move(run).result(std::move(table));
}

} // namespace ks::cli
