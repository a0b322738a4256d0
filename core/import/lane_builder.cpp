// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/lane_builder.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_map>

namespace ks {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(kSpace);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

// What metadata rows tell of processes and threads; later rows replace earlier ones, labels add up.
struct ToldNames
{
    struct OfProcess
    {
        std::string name;
        std::vector<std::string> labels;
        std::set<std::string, std::less<>> knownLabels;
        std::int64_t sortIndex = 0;
    };
    struct OfTrack
    {
        std::string name;
        std::int64_t sortIndex = 0;
    };
    std::map<ScalarId, OfProcess> processes;
    std::unordered_map<std::uint32_t, OfTrack> tracks;

    explicit ToldNames(const RawTrace &raw)
    {
        for (const ScannedMetadata &row : raw.metadata) {
            const std::string_view text = nameText(NameId{row.value});
            const ScalarId &pid = raw.tracks[row.track].pid;
            std::int64_t number = 0;
            switch (row.key) {
            case MetadataKey::ProcessName: processes[pid].name = trimmed(text); break;
            case MetadataKey::ProcessLabels: {
                OfProcess &process = processes[pid];
                if (process.knownLabels.emplace(trimmed(text)).second)
                    process.labels.emplace_back(trimmed(text));
                break;
            }
            case MetadataKey::ProcessSortIndex:
                if (parseInteger(text, number))
                    processes[pid].sortIndex = number;
                break;
            case MetadataKey::ThreadName: tracks[row.track].name = trimmed(text); break;
            case MetadataKey::ThreadSortIndex:
                if (parseInteger(text, number))
                    tracks[row.track].sortIndex = number;
                break;
            }
        }
    }
};

std::optional<std::int64_t> numberIn(std::string_view text)
{
    const std::size_t first = text.find_first_of("0123456789");
    std::int64_t number = 0;
    if (first == std::string_view::npos
        || std::from_chars(text.data() + first, text.data() + text.size(), number).ec != std::errc())
        return {};
    return number;
}

// A lane before it has its place: host and device lane of a track, or an async track.
struct LaneDraft
{
    std::uint64_t events = 0;
    std::size_t firstEvent = ~std::size_t{0};
    bool isScaffold = true; // nothing but overhead and spans
    std::optional<std::int64_t> device;
    std::optional<std::int64_t> stream;
};

class LaneBuilder
{
public:
    LaneBuilder(const RawTrace &raw, std::vector<EventKind> kindOfCategory, unsigned workers,
                const std::function<void()> &throwIfStopped)
        : m_raw(raw)
        , m_kindOfCategory(std::move(kindOfCategory))
        , m_workers(workers)
        , m_throwIfStopped(throwIfStopped)
        , m_told(raw)
        , m_drafts(raw.tracks.size() * 2 + raw.asyncTracks.size())
    {
        for (const RawPlace &place : raw.places) {
            const bool isDevice = laneKindOf(m_kindOfCategory[place.category]) == LaneKind::Gpu;
            m_draftOfPlace.push_back(place.isAsync ? raw.tracks.size() * 2 + place.track
                                                   : place.track * std::size_t{2} + (isDevice ? 1 : 0));
        }
    }

    BuiltLanes run()
    {
        surveyEvents();
        readDevices();
        makeProcesses();
        makeLanes();
        placeDrafts();
        groupTracks();
        return std::move(m_built);
    }

private:
    EventKind kindOf(std::size_t place) const { return m_kindOfCategory[m_raw.places[place].category]; }
    bool isAsync(std::size_t draft) const { return draft >= m_raw.tracks.size() * 2; }
    bool isDevice(std::size_t draft) const { return !isAsync(draft) && draft % 2 == 1; }
    std::uint32_t trackOf(std::size_t draft) const
    {
        return isAsync(draft) ? m_raw.asyncTracks[draft - m_raw.tracks.size() * 2].track
                              : static_cast<std::uint32_t>(draft / 2);
    }

    // What one stretch of the file holds of each place.
    struct Survey
    {
        struct Entry
        {
            std::size_t events = 0;
            std::size_t firstEvent = 0;
        };
        std::vector<Entry> places;
        TimeRange extent{kMaxTime, kMinTime};
    };

    Survey surveyOf(std::span<const RawEvents::Part> parts) const
    {
        Survey survey;
        survey.places.resize(m_raw.places.size());
        for (const RawEvents::Part &part : parts) {
            m_throwIfStopped();
            TimeRange extent = survey.extent;
            for (const RawEvent &event : part.events) {
                extent = {std::min(extent.begin, event.begin), std::max(extent.end, part.durations.endOf(event))};
                Survey::Entry &entry = survey.places[part.placeOf(event)];
                if (entry.events++ == 0)
                    entry.firstEvent = part.first + static_cast<std::size_t>(&event - part.events.begin());
            }
            survey.extent = extent;
        }
        return survey;
    }

    void surveyEvents()
    {
        const std::vector<std::span<const RawEvents::Part>> stretches = m_raw.events.stretches(m_workers);
        m_surveys.resize(stretches.size());
        parallelFor(stretches.size(), m_workers, [&](std::size_t i) { m_surveys[i] = surveyOf(stretches[i]); });
        for (const Survey &survey : m_surveys) {
            m_built.extent = {std::min(m_built.extent.begin, survey.extent.begin),
                              std::max(m_built.extent.end, survey.extent.end)};
            for (std::size_t i = 0; i < m_raw.places.size(); ++i) {
                const Survey::Entry &entry = survey.places[i];
                if (entry.events == 0)
                    continue;
                LaneDraft &draft = m_drafts[m_draftOfPlace[i]];
                draft.events += entry.events;
                draft.firstEvent = std::min(draft.firstEvent, entry.firstEvent);
                draft.isScaffold = draft.isScaffold && laneKindOf(kindOf(i)) == LaneKind::Other;
            }
        }
    }

    // Device and stream as the arguments tell them, else the numbers of the lane.
    void readDevices()
    {
        const auto read = [this](RawFieldKey key, std::optional<std::int64_t> LaneDraft::*member) {
            const RawEvents::Part *near = nullptr; // fields come in the order of events
            m_raw.field(key).forEach([&](std::uint32_t position, std::uint32_t number) {
                if (!near || position - near->first >= near->events.size())
                    near = &m_raw.events.partAt(position);
                const RawEvents::Part &part = *near;
                const RawEvent &event = part.events[position - part.first];
                const std::uint32_t place = part.placeOf(event);
                if (!isDeviceWork(kindOf(place)))
                    return;
                std::optional<std::int64_t> &value = m_drafts[m_draftOfPlace[place]].*member;
                if (!value)
                    value = static_cast<std::int64_t>(m_raw.idNumber(number));
            });
        };
        read(RawFieldKey::Device, &LaneDraft::device);
        read(RawFieldKey::Stream, &LaneDraft::stream);
    }

    void makeProcesses()
    {
        std::map<ScalarId, bool> pids;
        for (std::size_t i = 0; i < m_drafts.size(); ++i) {
            if (m_drafts[i].events != 0)
                pids[m_raw.tracks[trackOf(i)].pid] = true;
        }
        for (const auto &[pid, used] : pids) {
            Process process;
            process.pid = pid;
            if (const auto told = m_told.processes.find(pid); told != m_told.processes.end()) {
                process.name = told->second.name;
                process.labels = told->second.labels;
                process.sortIndex = told->second.sortIndex;
            }
            if (const std::string_view tag = rankTagOf(pid.text()); !tag.empty())
                process.rank = numberIn(tag);
            m_built.processes.push_back(std::move(process));
        }
        std::sort(m_built.processes.begin(), m_built.processes.end(), [](const Process &a, const Process &b) {
            return std::tie(a.sortIndex, a.name, a.pid) < std::tie(b.sortIndex, b.name, b.pid);
        });
        for (std::size_t i = 0; i < m_built.processes.size(); ++i)
            m_processOfPid[m_built.processes[i].pid] = static_cast<ProcessId>(i);
    }

    Lane laneOf(std::size_t draft) const
    {
        const std::uint32_t track = trackOf(draft);
        const LaneDraft &from = m_drafts[draft];
        Lane lane;
        lane.process = m_processOfPid.at(m_raw.tracks[track].pid);
        if (isAsync(draft)) {
            const AsyncTrack &async = m_raw.asyncTracks[draft - m_raw.tracks.size() * 2];
            lane.kind = LaneKind::Async;
            lane.role = LaneRole::AsyncTrack;
            lane.hasThread = false;
            lane.name = std::string(nameText(m_raw.categories[async.category]));
            lane.name += (lane.name.empty() ? "" : " ") + m_raw.idText(async.id);
            return lane;
        }
        lane.kind = isDevice(draft) ? LaneKind::Gpu : from.isScaffold ? LaneKind::Other : LaneKind::Cpu;
        lane.tid = m_raw.tracks[track].tid;
        if (const auto told = m_told.tracks.find(track); told != m_told.tracks.end()) {
            lane.name = told->second.name;
            lane.sortIndex = told->second.sortIndex;
        }
        if (lane.name.empty())
            lane.name = lane.tid.text();
        if (lane.kind == LaneKind::Gpu) {
            lane.device = from.device ? from.device : m_raw.tracks[track].pid.number();
            lane.stream = from.stream ? from.stream : lane.tid.number();
        }
        return lane;
    }

    void makeLanes()
    {
        std::vector<std::pair<Lane, std::size_t>> lanes;
        for (std::size_t i = 0; i < m_drafts.size(); ++i) {
            if (m_drafts[i].events != 0)
                lanes.emplace_back(laneOf(i), i);
        }
        // Of lanes that look alike (async tracks of two scopes) the first in the file comes first; the numbers of tracks depend on who scanned what.
        std::sort(lanes.begin(), lanes.end(), [this](const auto &x, const auto &y) {
            const Lane &a = x.first;
            const Lane &b = y.first;
            return std::tie(a.process, a.sortIndex, a.name, a.tid, a.kind, m_drafts[x.second].firstEvent)
                   < std::tie(b.process, b.sortIndex, b.name, b.tid, b.kind, m_drafts[y.second].firstEvent);
        });
        m_laneOfDraft.assign(m_drafts.size(), kNoLane);
        for (auto &[lane, draft] : lanes) {
            const auto id = static_cast<LaneId>(m_built.lanes.size());
            m_laneOfDraft[draft] = id;
            m_built.processes[index(lane.process)].lanes.push_back(id);
            m_built.lanes.push_back(std::move(lane));
        }
    }

    void placeDrafts()
    {
        const std::size_t tracks = m_raw.tracks.size();
        LanesOfEvents &lanesOf = m_built.lanesOf;
        for (std::size_t track = 0; track < tracks; ++track)
            lanesOf.tracks.push_back({m_laneOfDraft[track * 2], m_laneOfDraft[track * 2 + 1]});
        for (std::size_t i = 0; i < m_raw.places.size(); ++i)
            lanesOf.places.push_back(
                {m_laneOfDraft[m_draftOfPlace[i]], kindOf(i), CategoryId{m_raw.places[i].category}});
        for (const Survey &survey : m_surveys) {
            std::vector<std::size_t> &counts = lanesOf.eventsOfStretch.emplace_back(m_built.lanes.size(), 0);
            for (std::size_t i = 0; i < m_raw.places.size(); ++i) {
                if (survey.places[i].events != 0)
                    counts[index(lanesOf.places[i].lane)] += survey.places[i].events;
            }
        }
        lanesOf.kindOfCategory = std::move(m_kindOfCategory);
    }

    void groupTracks()
    {
        std::map<std::string_view, std::uint32_t> groups{{"", 0}};
        const auto groupOf = [&](const ScalarId &pid) {
            return groups.try_emplace(rankTagOf(pid.text()), static_cast<std::uint32_t>(groups.size())).first->second;
        };
        for (const RawTrack &track : m_raw.tracks)
            m_built.groupOfTrack.push_back(groupOf(track.pid));
        std::map<std::uint32_t, bool> used;
        for (const Lane &lane : m_built.lanes) {
            m_built.groupOfLane.push_back(groupOf(m_built.processes[index(lane.process)].pid));
            used[m_built.groupOfLane.back()] = true;
        }
        used.erase(0);
        m_built.rankTags = used.size();
    }

    const RawTrace &m_raw;
    std::vector<EventKind> m_kindOfCategory;
    std::vector<std::size_t> m_draftOfPlace;
    const unsigned m_workers;
    const std::function<void()> &m_throwIfStopped;
    const ToldNames m_told;
    std::vector<Survey> m_surveys; // by stretch of the file
    std::vector<LaneDraft> m_drafts;
    std::map<ScalarId, ProcessId> m_processOfPid;
    std::vector<LaneId> m_laneOfDraft;
    BuiltLanes m_built;
};

} // namespace

std::string_view rankTagOf(std::string_view pid)
{
    if (pid.starts_with('[')) {
        const std::size_t close = pid.find(']');
        return close == std::string_view::npos ? std::string_view() : pid.substr(0, close + 1);
    }
    constexpr std::string_view kRank = "rank";
    if (pid.size() <= kRank.size())
        return {};
    for (std::size_t i = 0; i < kRank.size(); ++i) {
        if ((pid[i] | 0x20) != kRank[i])
            return {};
    }
    std::size_t at = kRank.size();
    if (pid[at] == ' ' || pid[at] == '_' || pid[at] == '-' || pid[at] == ':')
        ++at;
    const std::size_t digits = at;
    while (at < pid.size() && pid[at] >= '0' && pid[at] <= '9')
        ++at;
    return at == digits ? std::string_view() : pid.substr(0, at);
}

std::vector<EventKind> kindsOfCategories(const RawTrace &raw)
{
    std::vector<EventKind> kinds;
    for (const NameId category : raw.categories) {
        const std::string_view text = nameText(category);
        kinds.push_back(text.empty() ? EventKind::Operator
                                     : eventKindOf(text)); // files written without Kineto tell no category
    }
    return kinds;
}

BuiltLanes buildLanes(const RawTrace &raw, std::vector<EventKind> kindOfCategory, unsigned workers,
                      const std::function<void()> &throwIfStopped)
{
    return LaneBuilder(raw, std::move(kindOfCategory), workers, throwIfStopped).run();
}

} // namespace ks
