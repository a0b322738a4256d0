// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/torch_nesting.h"

#include <algorithm>

namespace ks {
namespace {

using Call = TorchNesting::Call;

constexpr std::size_t kManyRows = 48;

// The events of one row that take part, from front to back.
class RowHead
{
public:
    RowHead(std::vector<Call>::const_iterator at, std::vector<Call>::const_iterator end)
        : m_at(at)
        , m_end(end)
    {
        step();
    }

    TimeNs begin() const { return m_begin; } // kMaxTime at the end
    bool atEnd() const { return m_at == m_end; }
    const Call &take()
    {
        const Call &call = *m_at++;
        step();
        return call;
    }

private:
    void step() { m_begin = m_at != m_end ? m_at->range.begin : kMaxTime; }

    std::vector<Call>::const_iterator m_at;
    std::vector<Call>::const_iterator m_end;
    TimeNs m_begin = kMaxTime;
};

// Merges rows that are sorted each. Events of a deeper row mostly stand between two of the row above: so each row hands over what
// the rows below it have before its own next event. Linear, with one comparison per event and row below it.
class RowMerge
{
public:
    RowMerge(std::vector<RowHead> heads, std::vector<Call> &out)
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
    std::vector<Call> &m_out;
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

// Are all times of the lane whole microseconds (torch up to 2.3, which nested by nanoseconds and wrote what was left after a division),
// and its operators and annotations written as they began? Then the file tells which of two calls that begin in one microsecond
// was first, and an empty one before another is no child of it.
bool isRoundedAndWrittenByBegin(const Trace &trace, const std::vector<Call> &byBegin)
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

// `calls` are sorted by begin: puts those that begin together in order.
void orderTies(std::vector<Call> &calls, const InNestingOrder &inOrder)
{
    for (std::size_t first = 0, end = 0; first < calls.size(); first = end) {
        for (end = first + 1; end < calls.size() && calls[end].range.begin == calls[first].range.begin;)
            ++end;
        const auto from = calls.begin() + static_cast<std::ptrdiff_t>(first);
        const auto to = calls.begin() + static_cast<std::ptrdiff_t>(end);
        if (end - first > 1 && !std::is_sorted(from, to, inOrder))
            std::sort(from, to, inOrder);
    }
}

bool isOneName(const Trace &trace, EventId a, EventId b)
{
    return trace.nameId(a) == trace.nameId(b) || (trace.name(a).starts_with(kStepPrefix) && trace.name(b).starts_with(kStepPrefix));
}

} // namespace

TorchNesting::TorchNesting(const Trace &trace, const Progress &progress)
{
    std::transform(kNoiseNames.begin(), kNoiseNames.end(), m_noise.begin(), findName);
    for (const Category &category : trace.categories())
        m_takesPart.push_back(category.kind == EventKind::Operator || category.kind == EventKind::Annotation
                              || category.kind == EventKind::Launch);
    m_callOf.assign(trace.eventCount(), kNone);
    m_firstOfLane.reserve(trace.lanes().size() + 1);
    for (const Lane &lane : trace.lanes()) {
        progress.throwIfStopped();
        m_firstOfLane.push_back(static_cast<std::uint32_t>(m_calls.size()));
        if (lane.kind == LaneKind::Cpu)
            addLane(trace, lane);
    }
    m_firstOfLane.push_back(static_cast<std::uint32_t>(m_calls.size()));
}

void TorchNesting::addLane(const Trace &trace, const Lane &lane)
{
    const EventTable &events = trace.events();
    std::vector<Call> byRow;
    byRow.reserve(distance(lane.firstEvent, lane.endEvent));
    std::vector<std::size_t> rowEnds;
    for (RowId rowId = lane.firstRow; rowId < lane.endRow; rowId = advance(rowId, 1)) {
        const Row &row = trace.row(rowId);
        if (row.group != RowGroup::Work)
            continue;
        const std::size_t before = byRow.size();
        for (EventId id = row.firstEvent; id < row.endEvent; id = advance(id, 1)) {
            if (!m_takesPart[index(events.category[index(id)])])
                continue;
            const NameId name = events.name[index(id)];
            if (std::find(m_noise.begin(), m_noise.end(), name) == m_noise.end())
                byRow.push_back({trace.range(id), id, kNone});
        }
        if (byRow.size() != before)
            rowEnds.push_back(byRow.size());
    }

    std::vector<Call> inLane;
    if (rowEnds.size() == 1) {
        inLane = std::move(byRow);
    } else if (rowEnds.size() > kManyRows) { // comparing all rows would cost more than sorting
        inLane = std::move(byRow);
        std::sort(inLane.begin(), inLane.end(), [](const Call &a, const Call &b) { return a.range.begin < b.range.begin; });
    } else {
        std::vector<RowHead> heads;
        std::size_t first = 0;
        for (const std::size_t end : rowEnds) {
            heads.emplace_back(byRow.begin() + static_cast<std::ptrdiff_t>(first), byRow.begin() + static_cast<std::ptrdiff_t>(end));
            first = end;
        }
        inLane.reserve(byRow.size());
        RowMerge(std::move(heads), inLane).run();
    }
    orderTies(inLane, InNestingOrder(trace, isRoundedAndWrittenByBegin(trace, inLane)));
    nest(inLane, trace);
}

void TorchNesting::nest(std::vector<Call> &lane, const Trace &trace)
{
    std::vector<std::uint32_t> open;
    std::vector<std::uint32_t> children(lane.size(), 0);
    for (std::uint32_t i = 0; i < lane.size(); ++i) {
        const TimeRange range = lane[i].range;
        while (!open.empty() && (range.begin >= lane[open.back()].range.end || range.end > lane[open.back()].range.end))
            open.pop_back();
        if (!open.empty()) {
            lane[i].parent = open.back();
            ++children[open.back()];
        }
        open.push_back(i);
    }

    // A call merged into its parent leaves it the children it has, so a chain of one name becomes one call in this one pass.
    std::vector<std::uint32_t> &callOf = open;
    callOf.assign(lane.size(), kNone);
    std::vector<std::uint32_t> childrenOf; // by position in m_calls, from `base` on
    const auto base = static_cast<std::uint32_t>(m_calls.size());
    childrenOf.reserve(lane.size());
    for (std::uint32_t i = 0; i < lane.size(); ++i) {
        Call call = lane[i];
        if (call.parent != kNone)
            call.parent = callOf[call.parent];
        if (call.parent != kNone && childrenOf[call.parent - base] == 1 && isOneName(trace, m_calls[call.parent].event, call.event)) {
            callOf[i] = call.parent;
            childrenOf[call.parent - base] = children[i];
        } else {
            callOf[i] = static_cast<std::uint32_t>(m_calls.size());
            childrenOf.push_back(children[i]);
            m_calls.push_back(call);
        }
        m_callOf[index(call.event)] = callOf[i];
    }
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

} // namespace ks
