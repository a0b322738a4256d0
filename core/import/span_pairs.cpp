// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/span_pairs.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

namespace ks {
namespace {

using Stack = std::vector<std::uint32_t>; // marks of open begins, outermost first

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
            case 'B':
                m_threads[mark.track].push_back(i);
                break;
            case 'E':
                endOnThread(i);
                break;
            case 'b':
            case 'S':
                beginAsync(i);
                break;
            default:
                endAsync(i);
                break;
            }
        }
        for (auto &[track, stack] : m_threads)
            leaveOpen(stack);
        for (auto &[key, stack] : m_async)
            leaveOpen(stack);
        std::sort(m_pairs.endRecords.begin(), m_pairs.endRecords.end());
        std::sort(m_pairs.open.begin(), m_pairs.open.end());
        return std::move(m_pairs);
    }

private:
    using AsyncKey = std::tuple<NameId, std::uint32_t, std::string>; // category, id, pid of local ids

    const SpanMark &mark(std::uint32_t i) const { return m_raw.marks[i].mark; }

    void close(std::uint32_t begin, std::uint32_t end, bool finished)
    {
        RawEvent &event = m_raw.events[mark(begin).event];
        event.duration = std::max<TimeNs>(0, saturatingSubtract(mark(end).time, event.begin));
        if (!finished) {
            m_pairs.unmatchedBegins.add(m_raw.marks[begin].offset);
            return;
        }
        event.flags &= static_cast<std::uint8_t>(~RawEvent::kUnfinished);
        m_pairs.endRecords.emplace_back(mark(begin).event, m_raw.marks[end].offset);
    }

    // Position in the stack of the begin that an end belongs to, or -1.
    std::ptrdiff_t beginOf(const Stack &stack, const SpanMark &end) const
    {
        auto at = static_cast<std::ptrdiff_t>(stack.size()) - 1;
        while (at >= 0 && end.hasName && mark(stack[static_cast<std::size_t>(at)]).name != end.name)
            --at;
        return at;
    }

    void endOnThread(std::uint32_t end)
    {
        Stack &stack = m_threads[mark(end).track];
        const std::ptrdiff_t at = beginOf(stack, mark(end));
        if (at < 0) {
            m_pairs.unmatchedEnds.add(m_raw.marks[end].offset);
            return;
        }
        for (auto above = static_cast<std::ptrdiff_t>(stack.size()) - 1; above > at; --above)
            close(stack[static_cast<std::size_t>(above)], end, false);
        close(stack[static_cast<std::size_t>(at)], end, true);
        stack.resize(static_cast<std::size_t>(at));
    }

    AsyncKey keyOf(const SpanMark &mark) const
    {
        return {m_raw.categories[mark.category], mark.id, mark.localId ? m_raw.tracks[mark.track].pid.text() : std::string()};
    }

    void beginAsync(std::uint32_t begin)
    {
        const SpanMark &mark = this->mark(begin);
        const AsyncKey key = keyOf(mark);
        m_async[key].push_back(begin);
        const auto [entry, isNew] = m_tracks.try_emplace(std::pair(m_raw.tracks[mark.track].pid, key),
                                                         static_cast<std::uint32_t>(m_raw.asyncTracks.size()));
        if (isNew)
            m_raw.asyncTracks.push_back({mark.track, std::get<0>(key), mark.id});
        m_raw.events[mark.event].track = entry->second;
    }

    void endAsync(std::uint32_t end)
    {
        const auto found = m_async.find(keyOf(mark(end)));
        const std::ptrdiff_t at = found == m_async.end() ? -1 : beginOf(found->second, mark(end));
        if (at < 0) {
            m_pairs.unmatchedEnds.add(m_raw.marks[end].offset);
            return;
        }
        close(found->second[static_cast<std::size_t>(at)], end, true);
        found->second.erase(found->second.begin() + at);
    }

    void leaveOpen(const Stack &stack)
    {
        for (const std::uint32_t begin : stack) {
            m_pairs.unmatchedBegins.add(m_raw.marks[begin].offset);
            m_pairs.open.push_back(mark(begin).event);
        }
    }

    RawTrace &m_raw;
    SpanPairs m_pairs;
    std::unordered_map<std::uint32_t, Stack> m_threads;
    std::map<AsyncKey, Stack> m_async;
    std::map<std::pair<ScalarId, AsyncKey>, std::uint32_t> m_tracks;
};

} // namespace

SpanPairs pairSpans(RawTrace &raw)
{
    return Pairing(raw).run();
}

} // namespace ks
