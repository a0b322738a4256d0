// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/span_pairs.h"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace ks {
namespace {

// Marks that were begun and not ended yet, outermost first. Finding the innermost of a name costs no walk once there are many, so that
// neither a hundred thousand open begins nor as many ends of other names can hang an import.
class OpenSpans
{
public:
    static constexpr std::size_t kNone = ~std::size_t{0};

    bool isEmpty() const { return m_open.empty(); }
    std::size_t last() const { return m_open.empty() ? kNone : m_open.size() - 1; }
    std::size_t lastOfName(std::uint32_t name) const
    {
        if (!m_byName) {
            std::size_t at = m_open.size();
            while (at > 0 && (m_open[at - 1].isEnded || m_open[at - 1].name != name))
                --at;
            return at - 1; // kNone for 0
        }
        const auto found = m_byName->find(name);
        return found == m_byName->end() || found->second.empty() ? kNone : found->second.back();
    }
    std::uint32_t markAt(std::size_t position) const { return m_open[position].mark; }

    void push(std::uint32_t mark, std::uint32_t name)
    {
        m_open.push_back({mark, name, false});
        if (m_byName) {
            (*m_byName)[name].push_back(m_open.size() - 1);
        } else if (m_open.size() > kFew) {
            m_byName = std::make_unique<ByName>();
            for (std::size_t i = 0; i < m_open.size(); ++i) {
                if (!m_open[i].isEnded)
                    (*m_byName)[m_open[i].name].push_back(i);
            }
        }
    }
    // The last of all, or the last of a name.
    void end(std::size_t position)
    {
        if (m_byName)
            (*m_byName)[m_open[position].name].pop_back();
        m_open[position].isEnded = true;
        while (!m_open.empty() && m_open.back().isEnded)
            m_open.pop_back();
    }

private:
    static constexpr std::size_t kFew = 32;
    struct Open
    {
        std::uint32_t mark = 0;
        std::uint32_t name = 0;
        bool isEnded = false; // never the last one
    };
    using ByName = std::unordered_map<std::uint32_t, std::vector<std::size_t>>;

    std::vector<Open> m_open;
    std::unique_ptr<ByName> m_byName;
};

class Pairing
{
public:
    explicit Pairing(RawTrace &raw)
        : m_raw(raw)
    {}

    SpanPairs run()
    {
        for (std::uint32_t i = 0; i < m_raw.marks.size(); ++i) {
            const SpanMark &mark = m_raw.marks[i].mark;
            switch (mark.phase) {
            case 'B': m_threads[mark.track].push(i, mark.name); break;
            case 'E': endOnThread(i); break;
            case 'b':
            case 'S': beginAsync(i); break;
            default: endAsync(i); break;
            }
        }
        for (auto &[track, spans] : m_threads)
            leaveOpen(spans);
        for (auto &[key, spans] : m_async)
            leaveOpen(spans);
        std::sort(m_pairs.endRecords.begin(), m_pairs.endRecords.end());
        std::sort(m_pairs.open.begin(), m_pairs.open.end());
        return std::move(m_pairs);
    }

private:
    using AsyncKey = std::tuple<NameId, std::uint32_t, std::string>; // category, id, pid of local ids

    const SpanMark &mark(std::uint32_t i) const { return m_raw.marks[i].mark; }

    void close(std::uint32_t begin, std::uint32_t end, bool finished)
    {
        RawEvents::Part &part = m_raw.events.partAt(mark(begin).event);
        RawEvent &event = part.events[mark(begin).event - part.first];
        part.durations.set(event, std::max<TimeNs>(0, saturatingSubtract(mark(end).time, event.begin)));
        if (!finished) {
            m_pairs.unmatchedBegins.add(m_raw.marks[begin].offset);
            return;
        }
        event.isUnfinished = false;
        m_pairs.endRecords.emplace_back(mark(begin).event, m_raw.marks[end].offset);
    }

    // The begin that an end belongs to.
    static std::size_t beginOf(const OpenSpans &spans, const SpanMark &end)
    {
        return end.hasName ? spans.lastOfName(end.name) : spans.last();
    }

    void endOnThread(std::uint32_t end)
    {
        OpenSpans &spans = m_threads[mark(end).track];
        const std::size_t at = beginOf(spans, mark(end));
        if (at == OpenSpans::kNone) {
            m_pairs.unmatchedEnds.add(m_raw.marks[end].offset);
            return;
        }
        for (bool isLast = false; !isLast;) {
            const std::size_t above = spans.last();
            isLast = above == at;
            close(spans.markAt(above), end, isLast);
            spans.end(above);
        }
    }

    AsyncKey keyOf(const SpanMark &mark) const
    {
        return {m_raw.categories[mark.category], mark.id,
                mark.localId ? m_raw.tracks[mark.track].pid.text() : std::string()};
    }

    void beginAsync(std::uint32_t begin)
    {
        const SpanMark &mark = this->mark(begin);
        const AsyncKey key = keyOf(mark);
        m_async[key].push(begin, mark.name);
        const auto [entry, isNew] = m_tracks.try_emplace(std::pair(m_raw.tracks[mark.track].pid, key),
                                                         static_cast<std::uint32_t>(m_raw.asyncTracks.size()));
        if (isNew)
            m_raw.asyncTracks.push_back({mark.track, mark.category, mark.id});
        moveTo(mark.event, {entry->second, mark.category, true});
    }

    // The numbers of the worker that scanned the event get one for its async track.
    void moveTo(std::uint32_t event, const RawPlace &place)
    {
        RawEvents::Part &part = m_raw.events.partAt(event);
        FileNumbers &numbers = *part.numbers;
        const auto [entry, isNew] = m_places.try_emplace(std::pair(part.numbers, place.track),
                                                         static_cast<std::uint32_t>(numbers.places.size()));
        if (isNew) {
            numbers.places.push_back(static_cast<std::uint32_t>(m_raw.places.size()));
            m_raw.places.push_back(place);
        }
        part.events[event - part.first].place = entry->second;
    }

    void endAsync(std::uint32_t end)
    {
        const auto found = m_async.find(keyOf(mark(end)));
        const std::size_t at = found == m_async.end() ? OpenSpans::kNone : beginOf(found->second, mark(end));
        if (at == OpenSpans::kNone) {
            m_pairs.unmatchedEnds.add(m_raw.marks[end].offset);
            return;
        }
        close(found->second.markAt(at), end, true);
        found->second.end(at);
    }

    void leaveOpen(OpenSpans &spans)
    {
        for (; !spans.isEmpty(); spans.end(spans.last())) {
            const std::uint32_t begin = spans.markAt(spans.last());
            m_pairs.unmatchedBegins.add(m_raw.marks[begin].offset);
            m_pairs.open.push_back(mark(begin).event);
        }
    }

    RawTrace &m_raw;
    SpanPairs m_pairs;
    std::unordered_map<std::uint32_t, OpenSpans> m_threads;
    std::map<AsyncKey, OpenSpans> m_async;
    std::map<std::pair<ScalarId, AsyncKey>, std::uint32_t> m_tracks;
    std::map<std::pair<const FileNumbers *, std::uint32_t>, std::uint32_t> m_places; // of async tracks
};

} // namespace

SpanPairs pairSpans(RawTrace &raw)
{
    return Pairing(raw).run();
}

} // namespace ks
