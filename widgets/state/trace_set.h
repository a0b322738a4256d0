// SPDX-License-Identifier: GPL-3.0-or-later
// The open traces, in the order of their lanes, and how events and lanes are named across them.
// Each trace has a generation: reloading or closing makes every EventRef into it stale, never wrong.
// View time is trace time plus the offset of that trace; the window speaks view time, analyses speak trace time.
#pragma once

#include "core/trace/trace.h"
#include "core/view/view_index.h"

#include <QObject>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ks {

struct EventRef
{
    std::uint32_t trace = 0;      // position in the TraceSet
    std::uint32_t generation = 0; // of that trace when the reference was made
    EventId event = kNoEvent;
    friend bool operator==(const EventRef &, const EventRef &) = default;
};

struct LaneRef
{
    std::uint32_t trace = 0;
    std::uint32_t generation = 0;
    LaneId lane = kNoLane;
    friend bool operator==(const LaneRef &, const LaneRef &) = default;
};

class TraceSet : public QObject
{
    Q_OBJECT
public:
    // What several open traces are to each other, if somebody said so.
    enum class Relation : std::uint8_t {
        Guessed,     // as their files tell, see isOneRun()
        Ranks,       // of one run, counted together
        RunsCompared // the baseline and others
    };

    explicit TraceSet(QObject *parent = nullptr);
    ~TraceSet() override;

    bool isEmpty() const { return m_entries.empty(); }
    std::uint32_t size() const { return static_cast<std::uint32_t>(m_entries.size()); }
    const Trace &at(std::uint32_t position) const { return *m_entries[position].trace; }
    std::shared_ptr<const Trace> share(std::uint32_t position) const { return m_entries[position].trace; }
    // What drawing needs of it; made here if it was not given.
    const std::shared_ptr<const ViewIndex> &viewIndex(std::uint32_t position) const
    {
        return m_entries[position].index;
    }
    std::uint32_t generation(std::uint32_t position) const { return m_entries[position].generation; }
    TimeNs offset(std::uint32_t position) const { return m_entries[position].offset; }
    std::uint32_t baseline() const { return m_baseline; } // position; 0 if never set
    Relation relation() const { return m_relation; }      // guessed again once only one is left

    // Each emits changed() once. A trace is given away by the last holder of its shared_ptr, see
    // widgets/jobs/background_release.h. Who opens big traces makes the view index on a worker, too.
    std::uint32_t add(std::shared_ptr<const Trace> trace, std::shared_ptr<const ViewIndex> index = {}); // -> position
    void replace(std::uint32_t position, std::shared_ptr<const Trace> trace,
                 std::shared_ptr<const ViewIndex> index = {}); // keeps the offset
    void replaceAll(std::shared_ptr<const Trace> trace,
                    std::shared_ptr<const ViewIndex> index = {}); // one trace, offset 0
    void remove(std::uint32_t position);
    void clear();
    void setOffset(std::uint32_t position, TimeNs offset);
    void setBaseline(std::uint32_t position);
    void setRelation(Relation relation);
    // Shifts all at once, by position.
    void setOffsets(const std::vector<TimeNs> &offsets);

    // References
    EventRef ref(std::uint32_t position, EventId event) const { return {position, generation(position), event}; }
    LaneRef ref(std::uint32_t position, LaneId lane) const { return {position, generation(position), lane}; }
    EventRef sibling(EventRef of, EventId event) const { return {of.trace, of.generation, event}; } // same trace
    bool isValid(EventRef ref) const; // names an event of a trace that is still open
    bool isValid(LaneRef ref) const;
    const Trace *trace(EventRef ref) const { return isValid(ref) ? &at(ref.trace) : nullptr; }
    const Trace *trace(LaneRef ref) const { return isValid(ref) ? &at(ref.trace) : nullptr; }

    // View time. range(ref): ref must be valid.
    TimeRange range(EventRef ref) const;
    TimeRange range() const;     // over all traces; empty if there are none
    TimeRange mainRange() const; // the same without outliers
    TimeRange toViewTime(std::uint32_t position, TimeRange range) const;
    TimeRange toTraceTime(std::uint32_t position, TimeRange range) const;

signals:
    void changed();

private:
    struct Entry
    {
        std::shared_ptr<const Trace> trace;
        std::shared_ptr<const ViewIndex> index;
        std::uint32_t generation = 0;
        TimeNs offset = 0;
    };

    Entry entry(std::shared_ptr<const Trace> trace, std::shared_ptr<const ViewIndex> index);

    std::vector<Entry> m_entries;
    std::uint32_t m_nextGeneration = 1;
    std::uint32_t m_baseline = 0;
    Relation m_relation = Relation::Guessed;
};

} // namespace ks

Q_DECLARE_METATYPE(ks::EventRef)
