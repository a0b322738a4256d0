// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/trace_paths.h"

#include "core/analysis/device_work.h"
#include "core/analysis/host_scope.h"
#include "core/analysis/nearest_above.h"
#include "core/analysis/torch_nesting.h"

#include <vector>

namespace ks {
namespace {

// Adds one trace to the tree.
class TraceCalls
{
public:
    TraceCalls(const Trace &trace, PathTree &tree, const Progress &progress)
        : m_trace(trace)
        , m_tree(tree)
        , m_progress(progress)
        , m_frameAbove(trace, IsFrame{&trace}, Parent{&trace})
        , m_nodeOf(trace.eventCount(), PathTree::kNoNode)
    {}

    // Do rows without work stay out?
    bool add(const Scope &scope)
    {
        const HostScope selected = hostScope(m_trace, scope, [this](const CallVisitor &visit) {
            forEachHostEvent([&visit](EventId event, LaneId) { return visit(event); });
        });
        const TraceScope host(m_trace, selected.host);
        addCalls(host);
        addWork(TraceScope(m_trace, selected.work), host, TraceScope(m_trace, scope));
        return selected.onlyWithWork;
    }

private:
    struct IsFrame
    {
        const Trace *trace;
        bool operator()(EventId event) const { return trace->kind(event) == EventKind::Python; }
    };
    struct Parent
    {
        const Trace *trace;
        EventId operator()(EventId event) const { return trace->parent(event); }
    };

    template<typename Visit>
    void forEachHostEvent(Visit visit) const
    {
        for (std::size_t l = 0; l < m_trace.lanes().size(); ++l) {
            const Lane &lane = m_trace.lanes()[l];
            if (lane.kind != LaneKind::Cpu)
                continue;
            for (EventId id = lane.firstEvent; id < lane.endEvent; id = advance(id, 1)) {
                if ((index(id) & 0xffffU) == 0)
                    m_progress.throwIfStopped();
                if (!visit(id, static_cast<LaneId>(l)))
                    return;
            }
        }
    }

    // The caller told, unless what encloses the frame only adds calls between the two.
    EventId above(EventId event)
    {
        const EventId around = m_trace.parent(event);
        const EventId caller = m_trace.kind(event) == EventKind::Python ? m_trace.caller(event) : kNoEvent;
        return caller == kNoEvent || caller == event || m_frameAbove(event) == caller ? around : caller;
    }

    NameId rowName(NameId name)
    {
        if (index(name) >= m_names.size())
            m_names.resize(index(name) + 1, kNoName);
        NameId &known = m_names[index(name)];
        if (known == kNoName)
            known = nameText(name).starts_with(kStepPrefix) ? internName(kStepRow) : name;
        return known;
    }

    std::uint32_t nodeOf(EventId event)
    {
        m_path.clear();
        std::uint32_t node = PathTree::kNoNode;
        for (EventId at = event; at != kNoEvent; at = above(at)) {
            std::uint32_t &known = m_nodeOf[index(at)];
            if (known == kOnTheWay) // callers in a circle
                break;
            if (known != PathTree::kNoNode) {
                node = known;
                break;
            }
            known = kOnTheWay;
            m_path.push_back(at);
        }
        for (; !m_path.empty(); m_path.pop_back()) {
            const EventId at = m_path.back();
            node = m_tree.childOf(node, rowName(m_trace.nameId(at)), m_trace.kind(at));
            m_nodeOf[index(at)] = node;
        }
        return node;
    }

    void addCalls(const TraceScope &host)
    {
        m_isSelected.assign(m_trace.eventCount(), false);
        std::vector<TimeNs> self(m_trace.eventCount(), 0);
        const auto clamped = [&host](TimeRange range) { return host.range() ? range.clampedTo(*host.range()) : range; };
        forEachHostEvent([&](EventId event, LaneId lane) {
            m_isSelected[index(event)] = host.includesLane(lane) && host.part(event);
            const TimeRange range = clamped(m_trace.range(event));
            self[index(event)] += range.duration();
            if (const EventId around = m_trace.parent(event); around != kNoEvent)
                self[index(around)] -= range.clampedTo(clamped(m_trace.range(around))).duration();
            return true;
        });
        NearestAbove selectedAbove(
            m_trace, [this](EventId event) { return m_isSelected[index(event)]; },
            [this](EventId event) { return above(event); });
        forEachHostEvent([&](EventId event, LaneId) {
            if (!m_isSelected[index(event)])
                return true;
            const TimeNs duration = clamped(m_trace.range(event)).duration();
            const std::uint32_t own = nodeOf(event);
            PathTree::Node &node = m_tree[own];
            node.costs.calls += host.counts(event) ? 1 : 0;
            // As Trace::selfTime(): what the calls inside cover twice is not taken from it twice.
            node.costs.self = saturatingAdd(node.costs.self, std::max<TimeNs>(self[index(event)], 0));
            node.costs.total = saturatingAdd(node.costs.total, duration);
            node.isSelected = true;
            // From the next selected one up that one's duration counts instead; finish() adds up.
            if (const EventId next = selectedAbove(event); next != kNoEvent) {
                PathTree::Costs &costs = m_tree[nodeOf(next)].costs;
                costs.total = saturatingSubtract(costs.total, duration);
            }
            return true;
        });
    }

    // `all`: what is selected, for work that nothing stands above.
    void addWork(const TraceScope &scope, const TraceScope &host, const TraceScope &all)
    {
        const bool restrictsHost = !host.isEverything();
        NearestAbove selectedAbove(
            m_trace, [this](EventId event) { return m_isSelected[index(event)]; },
            [this](EventId event) { return above(event); });
        const auto isBelowSelected = [&](EventId starter) {
            return m_isSelected[index(starter)] || selectedAbove(starter) != kNoEvent;
        };
        for (const DeviceWork &work : selectedWork(scope, m_progress)) {
            const EventId starter = work.isLinked() ? work.launch : m_trace.launchLink(work.event).op;
            if (restrictsHost && (starter == kNoEvent ? !all.part(work.event) : !isBelowSelected(starter)))
                continue;
            const std::uint32_t around = starter != kNoEvent ? nodeOf(starter) : PathTree::kNoNode;
            PathTree::Node &node = m_tree[m_tree.childOf(around, m_trace.nameId(work.event), work.kind)];
            node.costs.calls += work.isCall ? 1 : 0;
            node.costs.deviceSelf = saturatingAdd(node.costs.deviceSelf, work.part.duration());
            node.isSelected = true;
            node.hasWork = true;
        }
    }

    static constexpr std::uint32_t kOnTheWay = PathTree::kNoNode - 1;

    const Trace &m_trace;
    PathTree &m_tree;
    const Progress &m_progress;
    NearestAbove<IsFrame, Parent> m_frameAbove;
    std::vector<std::uint32_t> m_nodeOf; // by event
    std::vector<bool> m_isSelected;      // by event
    std::vector<NameId> m_names;         // of rows, by name
    std::vector<EventId> m_path;
};

} // namespace

bool addTracePaths(const Trace &trace, const Scope &scope, PathTree &tree, const Progress &progress)
{
    return TraceCalls(trace, tree, progress).add(scope);
}

} // namespace ks
