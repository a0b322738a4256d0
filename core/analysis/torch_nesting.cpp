// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/torch_nesting.h"

#include <algorithm>

namespace ks {
namespace {

using Call = TorchNesting::Call;

constexpr std::size_t kManyRows = 48;

// Which events take part.
class CallTest
{
public:
    explicit CallTest(const Trace &trace)
        : m_events(trace.events())
    {
        for (const std::string_view name : kNoiseNames) {
            if (const NameId known = findName(name); known != kNoName)
                m_noise.push_back(known);
        }
        for (const Category &category : trace.categories())
            m_takesPart.push_back(category.kind == EventKind::Operator || category.kind == EventKind::Annotation
                                  || category.kind == EventKind::Launch);
    }

    bool operator()(EventId id) const
    {
        return m_takesPart[index(m_events.category[index(id)])]
               && std::find(m_noise.begin(), m_noise.end(), m_events.name[index(id)]) == m_noise.end();
    }

private:
    const EventTable &m_events;
    std::vector<NameId> m_noise;   // mostly few of them
    std::vector<char> m_takesPart; // by category
};

// The names of steps, which are all one.
class StepNames
{
public:
    explicit StepNames(const Trace &trace)
    {
        for (const Step &step : trace.steps()) {
            const std::size_t name = index(trace.nameId(step.event));
            if (name >= m_isStep.size())
                m_isStep.resize(name + 1, false);
            m_isStep[name] = trace.name(step.event).starts_with(kStepPrefix);
        }
    }

    bool isOne(NameId a, NameId b) const { return a == b || (isStep(a) && isStep(b)); }

private:
    bool isStep(NameId name) const { return index(name) < m_isStep.size() && m_isStep[index(name)]; }

    std::vector<bool> m_isStep; // by name
};

// The calls of one row, from front to back.
class RowHead
{
public:
    RowHead(const Trace &trace, const CallTest &isCall, const Row &row)
        : m_trace(&trace)
        , m_isCall(&isCall)
        , m_at(row.firstEvent)
        , m_end(row.endEvent)
    {
        skip();
    }

    TimeNs begin() const { return m_begin; } // kMaxTime at the end
    bool atEnd() const { return m_at == m_end; }
    Call take()
    {
        const Call call{{m_begin, saturatingAdd(m_begin, m_trace->duration(m_at))}, m_at, TorchNesting::kNone};
        m_at = advance(m_at, 1);
        skip();
        return call;
    }

private:
    void skip()
    {
        while (m_at < m_end && !(*m_isCall)(m_at))
            m_at = advance(m_at, 1);
        m_begin = m_at < m_end ? m_trace->begin(m_at) : kMaxTime;
    }

    const Trace *m_trace;
    const CallTest *m_isCall;
    EventId m_at;
    EventId m_end;
    TimeNs m_begin = kMaxTime;
};

// Merges rows that are sorted each. Events of a deeper row mostly stand between two of the row above: so each row hands
// over what the rows below it have before its own next event. Linear, with one comparison per event and row below it.
class RowMerge
{
public:
    RowMerge(std::vector<RowHead> heads, LargeArray<Call> &out)
        : m_heads(std::move(heads))
        , m_out(out)
    {}

    void run()
    {
        drain(0, kMaxTime);
        for (RowHead &head : m_heads) { // what begins at the end of time
            while (!head.atEnd())
                m_out.push_back(head.take());
        }
    }

private:
    void drain(std::size_t row, TimeNs before)
    {
        if (row == m_heads.size())
            return;
        while (m_heads[row].begin() < before) {
            drain(row + 1, m_heads[row].begin());
            m_out.push_back(m_heads[row].take());
        }
        drain(row + 1, before);
    }

    std::vector<RowHead> m_heads;
    LargeArray<Call> &m_out;
};

class InNestingOrder
{
public:
    InNestingOrder(const Trace &trace, bool tiesByFile)
        : m_trace(trace)
        , m_tiesByFile(tiesByFile)
    {}

    bool operator()(const Call &a, const Call &b) const
    {
        if (a.range.begin != b.range.begin)
            return a.range.begin < b.range.begin;
        if (!m_tiesByFile && a.range.end != b.range.end)
            return a.range.end > b.range.end;
        return m_trace.fileIndex(a.event) < m_trace.fileIndex(b.event);
    }

private:
    const Trace &m_trace;
    bool m_tiesByFile;
};

// Are all times of the lane whole microseconds (torch up to 2.3, which nested by nanoseconds and wrote what was left
// after a division), and its operators and annotations written as they began? Then the file tells which of two calls
// that begin in one microsecond was first, and an empty one before another is no child of it.
bool isRoundedAndWrittenByBegin(const Trace &trace, std::span<const Call> byBegin)
{
    constexpr TimeNs kMicrosecond = 1000;
    const auto origin = static_cast<std::int64_t>(trace.fileTime(0)) % kMicrosecond;
    std::uint32_t before = 0; // greatest file index of what began earlier, plus one
    std::uint32_t here = 0;   // the same of what begins together
    for (std::size_t i = 0; i < byBegin.size(); ++i) {
        const Call &call = byBegin[i];
        if ((call.range.begin + origin) % kMicrosecond != 0 || (call.range.end - call.range.begin) % kMicrosecond != 0)
            return false;
        if (i != 0 && byBegin[i - 1].range.begin != call.range.begin)
            before = here;
        if (trace.kind(call.event) == EventKind::Launch)
            continue;
        const std::uint32_t file = trace.fileIndex(call.event) + 1;
        if (file <= before)
            return false;
        here = std::max(here, file);
    }
    return true;
}

// `calls` are sorted by begin: puts in order those that begin together with the first.
void orderTies(std::span<Call> calls, const InNestingOrder &inOrder)
{
    std::size_t end = 1;
    while (end < calls.size() && calls[end].range.begin == calls[0].range.begin)
        ++end;
    const auto to = calls.begin() + static_cast<std::ptrdiff_t>(end);
    if (end > 1 && !std::is_sorted(calls.begin(), to, inOrder))
        std::sort(calls.begin(), to, inOrder);
}

// Appends the calls of a lane by begin.
void appendCalls(const Trace &trace, const Lane &lane, const CallTest &isCall, LargeArray<Call> &calls)
{
    const std::size_t first = calls.size();
    std::vector<RowHead> heads;
    for (RowId rowId = lane.firstRow; rowId < lane.endRow; rowId = advance(rowId, 1)) {
        const Row &row = trace.row(rowId);
        if (row.group != RowGroup::Work)
            continue;
        RowHead head(trace, isCall, row);
        if (!head.atEnd())
            heads.push_back(head);
    }
    if (heads.size() > kManyRows) { // comparing all rows would cost more than sorting
        for (RowHead &head : heads) {
            while (!head.atEnd())
                calls.push_back(head.take());
        }
        std::sort(calls.begin() + static_cast<std::ptrdiff_t>(first), calls.end(),
                  [](const Call &a, const Call &b) { return a.range.begin < b.range.begin; });
    } else {
        RowMerge(std::move(heads), calls).run();
    }
}

// Calls sorted by begin get their order and parents, by position among those of the lane; says how many children each
// has.
void nest(const Trace &trace, std::span<Call> calls, LargeArray<std::uint32_t> &children)
{
    const InNestingOrder inOrder(trace, isRoundedAndWrittenByBegin(trace, calls));
    std::vector<std::uint32_t> open;
    children.resize(calls.size());
    for (std::uint32_t i = 0; i < calls.size(); ++i) {
        if (i == 0 || calls[i].range.begin != calls[i - 1].range.begin)
            orderTies(calls.subspan(i), inOrder);
        children[i] = 0;
        const TimeRange range = calls[i].range;
        while (!open.empty()
               && (range.begin >= calls[open.back()].range.end || range.end > calls[open.back()].range.end))
            open.pop_back();
        if (!open.empty()) {
            calls[i].parent = open.back();
            ++children[open.back()];
        }
        open.push_back(i);
    }
}

// How many calls there are at most.
std::size_t mostCalls(const Trace &trace)
{
    std::size_t events = 0;
    for (const Row &row : trace.rows()) {
        if (row.group == RowGroup::Work && trace.lane(row.lane).kind == LaneKind::Cpu)
            events += distance(row.firstEvent, row.endEvent);
    }
    return events;
}

} // namespace

TorchNesting::TorchNesting(const Trace &trace, const Progress &progress)
    : m_callOf(trace.eventCount(), kNone)
{
    const CallTest isCall(trace);
    const StepNames names(trace);
    m_firstOfLane.reserve(trace.lanes().size() + 1);
    m_calls.reserve(mostCalls(trace));        // what is not needed is never touched
    LargeArray<std::uint32_t> children, kept; // of the calls of a lane
    for (const Lane &lane : trace.lanes()) {
        progress.throwIfStopped();
        const auto base = static_cast<std::uint32_t>(m_calls.size());
        m_firstOfLane.push_back(base);
        if (lane.kind != LaneKind::Cpu)
            continue;
        appendCalls(trace, lane, isCall, m_calls);
        const std::span<Call> calls = std::span(m_calls).subspan(base);
        nest(trace, calls, children);
        // A call merged into its parent leaves it the children it has, so a chain of one name becomes one call in one
        // pass. What is kept moves up; `kept` says where to, and `children` moves with it.
        kept.resize(calls.size());
        std::uint32_t count = 0;
        for (std::uint32_t i = 0; i < calls.size(); ++i) {
            Call call = calls[i];
            const std::uint32_t parent = call.parent != kNone ? kept[call.parent] : kNone;
            if (parent != kNone && children[parent] == 1
                && names.isOne(trace.nameId(calls[parent].event), trace.nameId(call.event))) {
                kept[i] = parent;
                children[parent] = children[i];
            } else {
                kept[i] = count;
                call.parent = parent != kNone ? base + parent : kNone;
                calls[count] = call;
                children[count] = children[i];
                ++count;
            }
            m_callOf[index(call.event)] = base + kept[i];
        }
        m_calls.resize(base + count);
    }
    m_firstOfLane.push_back(static_cast<std::uint32_t>(m_calls.size()));
}

std::vector<TimeNs> TorchNesting::selfTimes(std::optional<TimeRange> within) const
{
    std::vector<TimeNs> self(m_calls.size());
    for (std::size_t i = 0; i < m_calls.size(); ++i) {
        const TimeRange range = within ? m_calls[i].range.clampedTo(*within) : m_calls[i].range;
        self[i] = range.duration();
        if (m_calls[i].parent != kNone)
            self[m_calls[i].parent] = saturatingSubtract(self[m_calls[i].parent], range.duration());
    }
    return self;
}

const TorchNesting &torchNesting(const Trace &trace, const Progress &progress)
{
    return trace.derived().get<TorchNesting>([&] { return TorchNesting(trace, progress); });
}

} // namespace ks
