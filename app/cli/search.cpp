// SPDX-License-Identifier: GPL-3.0-or-later
// search: events by name.
#include "app/cli/document.h"
#include "app/cli/open_traces.h"
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

std::vector<EventId> matchesByStart(const Trace &trace, MatchingNames &names)
{
    std::vector<EventId> found;
    for (std::size_t i = 0; i < trace.eventCount(); ++i) {
        const auto id = static_cast<EventId>(i);
        if (names.contains(trace.nameId(id)))
            found.push_back(id);
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
    TableResult result;
    result.traces = openTraces(command, options);
    Table &table = result.table;
    const bool withRank = result.traces.size() > 1; // ids are those of one trace
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
    for (const OpenTrace &open : result.traces) {
        const Trace &trace = *open.trace;
        for (const EventId id : matchesByStart(trace, names)) {
            if (withRank)
                table.column(0).append(open.rank);
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
    return result;
}

} // namespace ks::cli
