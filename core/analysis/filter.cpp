// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/filter.h"

#include "core/analysis/filter_node.h"
#include "core/analysis/filter_terms.h"
#include "core/analysis/modules.h"
#include "core/analysis/nearest_above.h"
#include "core/analysis/step_table.h"
#include "core/trace/args.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <functional>
#include <ranges>

namespace ks {
namespace {

enum class Verdict : std::uint8_t { No, Yes, NeedsArguments };

Verdict verdictOf(bool holds)
{
    return holds ? Verdict::Yes : Verdict::No;
}

// Filter nodes with what they found out about names, categories and lanes of one trace.
struct Prepared
{
    const FilterNode *node = nullptr;
    bool readsArguments = false;
    std::vector<Prepared> children;
    std::vector<std::int8_t> known; // by name, category or lane: −1 not looked at yet, 0 no, 1 yes

    template<typename Look>
    bool once(std::size_t at, Look look)
    {
        if (at >= known.size())
            known.resize(at + 1, -1);
        if (known[at] < 0)
            known[at] = look() ? 1 : 0;
        return known[at] == 1;
    }
};

using Above = NearestAbove<std::function<bool(EventId)>, std::function<EventId(EventId)>>;

class Matcher
{
public:
    Matcher(const Trace &trace, const FilterContext &context, const FilterNode &root)
        : m_trace(trace)
        , m_rank(context.rank)
        , m_steps(stepsOf(trace, context.stepPattern))
        , m_root(prepared(root))
    {}

    Bits run(const Progress &progress, const ArgumentReading &reading)
    {
        Bits all(m_trace.eventCount());
        for (const Lane &lane : m_trace.lanes())
            all.setAll(index(lane.firstEvent), index(lane.endEvent));
        if (!m_root.readsArguments)
            return among(m_root, std::move(all), progress);
        if (m_root.node->type == FilterNode::Type::And) {
            for (Prepared &child : m_root.children) {
                if (!child.readsArguments)
                    all = among(child, std::move(all), progress);
            }
        }
        if (reading.only)
            all &= inReachOf(*reading.only);
        Bits matches(all.size());
        double share = 0;
        if (reading.first) {
            constexpr std::size_t kFew = 50'000; // nobody need be told of how far these are
            Bits early = during(*reading.first);
            early &= all;
            const std::size_t count = early.count();
            share = static_cast<double>(count) / static_cast<double>(std::max<std::size_t>(all.count(), 1));
            decide(early, reading, matches,
                   count < kFew ? Progress(progress.stopToken(), {}) : progress.part(0, share));
            all -= early;
            if (reading.found && share < 1) {
                reading.found(matches);
                progress.reportShare(share);
            }
        }
        decide(all, reading, matches, progress.part(share, 1));
        return matches;
    }

private:
    // Adds to `matches` what matches among some events, their arguments read where they decide.
    void decide(const Bits &some, const ArgumentReading &reading, Bits &matches, const Progress &progress)
    {
        Bits undecided(some.size());
        matches |= where(some, progress, [this, &undecided](std::size_t i) {
            const Verdict verdict = verdictOn(m_root, static_cast<EventId>(i), nullptr);
            if (verdict == Verdict::NeedsArguments)
                undecided.set(i);
            return verdict == Verdict::Yes;
        });
        using Clock = std::chrono::steady_clock;
        Clock::duration patience = std::chrono::milliseconds(250);
        Clock::time_point next = Clock::now() + patience;
        const std::vector<EventId> events = inFileOrder(undecided);
        constexpr std::size_t kBatch = 8192;
        for (std::size_t first = 0; first < events.size(); first += kBatch) {
            progress.throwIfStopped();
            const auto batch = std::span(events).subspan(first, std::min(kBatch, events.size() - first));
            const std::vector<Args> args = parseArgs(m_trace, batch);
            for (std::size_t i = 0; i < batch.size(); ++i) {
                if (verdictOn(m_root, batch[i], &args[i]) == Verdict::Yes)
                    matches.set(index(batch[i]));
            }
            const std::size_t done = first + batch.size();
            if (reading.found && done < events.size() && Clock::now() >= next) {
                reading.found(matches);
                patience *= 2;
                next = Clock::now() + patience;
            }
            progress.reportShare(static_cast<double>(done) / static_cast<double>(events.size()));
        }
    }

    // Events that touch a range: of each row neighbours.
    Bits during(TimeRange range) const
    {
        Bits found(m_trace.eventCount());
        for (const Row &row : m_trace.rows()) {
            const auto ids = std::views::iota(index(row.firstEvent), index(row.endEvent));
            const auto first = std::ranges::partition_point(
                ids, [&](auto i) { return m_trace.end(static_cast<EventId>(i)) < range.begin; });
            const auto end = std::ranges::partition_point(
                first, ids.end(), [&](auto i) { return m_trace.begin(static_cast<EventId>(i)) < range.end; });
            const auto at = [&](auto place) {
                return index(row.firstEvent) + static_cast<std::size_t>(place - ids.begin());
            };
            found.setAll(at(first), at(end));
        }
        return found;
    }

    Bits inReachOf(TimeRange range) const
    {
        Bits reach = during(range);
        const auto chain = [this](EventId id) { // of device work: the launch, or the operator, and all around it
            const LaunchLink link = m_trace.launchLink(id);
            return link.launch != kNoEvent ? link.launch : link.op;
        };
        Bits more(reach.size());
        for (const Lane &lane : m_trace.lanes()) {
            if (lane.kind != LaneKind::Gpu)
                continue;
            for (std::size_t i = index(lane.firstEvent); i < index(lane.endEvent); ++i) {
                const auto id = static_cast<EventId>(i);
                const bool isIn = reach[i];
                for (EventId at = chain(id); at != kNoEvent; at = m_trace.parent(at)) {
                    if (isIn)
                        more.set(index(at));
                    else if (reach[index(at)])
                        more.set(i);
                }
            }
        }
        reach |= more;
        return reach;
    }

    // Of a few by their offsets, of many by going through the file.
    std::vector<EventId> inFileOrder(const Bits &events) const
    {
        constexpr std::size_t kFew = 16;
        std::vector<EventId> ordered;
        const std::size_t count = events.count();
        ordered.reserve(count);
        if (count * kFew > events.size()) {
            for (std::uint32_t i = 0; i < events.size(); ++i) {
                const EventId id = m_trace.eventAtFileIndex(i);
                if (id != kNoEvent && events[index(id)])
                    ordered.push_back(id);
            }
            return ordered;
        }
        for (std::size_t w = 0; w < events.words().size(); ++w) {
            for (std::uint64_t left = events.words()[w]; left != 0; left &= left - 1)
                ordered.push_back(
                    static_cast<EventId>(w * Bits::kWord + static_cast<std::size_t>(std::countr_zero(left))));
        }
        std::sort(ordered.begin(), ordered.end(),
                  [this](EventId a, EventId b) { return m_trace.recordOffset(a) < m_trace.recordOffset(b); });
        return ordered;
    }

    static Prepared prepared(const FilterNode &node)
    {
        Prepared result;
        result.node = &node;
        for (const FilterNode &child : node.children)
            result.children.push_back(prepared(child));
        const auto reads = [](const Prepared &child) { return child.readsArguments; };
        result.readsArguments = node.type == FilterNode::Type::Term
                                    ? node.readsArguments()
                                    : std::any_of(result.children.begin(), result.children.end(), reads);
        std::stable_partition(result.children.begin(), result.children.end(),
                              [](const Prepared &child) { return isQuick(*child.node); });
        return result;
    }

    static bool isQuick(const FilterNode &node)
    {
        switch (node.field) {
        case FilterField::Step:
        case FilterField::Operator:
        case FilterField::Module:
        case FilterField::Delay: return false;
        default: return node.type == FilterNode::Type::Term && !node.readsArguments();
        }
    }

    // Those of some events for which holds(position) is true.
    template<typename Holds>
    Bits where(const Bits &some, const Progress &progress, Holds holdsAt) const
    {
        Bits found(some.size());
        for (std::size_t w = 0; w < some.words().size(); ++w) {
            if ((w & 0x3ffU) == 0)
                progress.throwIfStopped();
            std::uint64_t word = 0;
            for (std::uint64_t left = some.words()[w]; left != 0; left &= left - 1) {
                const auto bit = static_cast<std::size_t>(std::countr_zero(left));
                word |= std::uint64_t{holdsAt(w * Bits::kWord + bit)} << bit;
            }
            found.words()[w] = word;
        }
        return found;
    }

    // Those of some events that match; for what reads no arguments.
    Bits among(Prepared &at, Bits some, const Progress &progress)
    {
        switch (at.node->type) {
        case FilterNode::Type::Term: return termAmong(at, some, progress);
        case FilterNode::Type::Not: some -= among(at.children.front(), some, progress); return some;
        case FilterNode::Type::And:
            for (Prepared &child : at.children)
                some = among(child, std::move(some), progress);
            return some;
        case FilterNode::Type::Or: break;
        }
        Bits found(some.size());
        for (Prepared &child : at.children) {
            found |= among(child, some, progress);
            some -= found;
        }
        return found;
    }

    Bits termAmong(Prepared &at, const Bits &some, const Progress &progress)
    {
        const EventTable &events = m_trace.events();
        switch (at.node->field) {
        case FilterField::Name:
            return where(some, progress, [&](std::size_t i) {
                return at.once(index(events.name[i]),
                               [&] { return textOfNameHolds(*at.node, m_trace.name(static_cast<EventId>(i))); });
            });
        case FilterField::Lane:
        case FilterField::Thread:
        case FilterField::Stream:
        case FilterField::Device: {
            Bits found(some.size());
            for (const Lane &lane : m_trace.lanes()) {
                if (laneHolds(*at.node, lane))
                    found.setAll(index(lane.firstEvent), index(lane.endEvent));
            }
            found &= some;
            return found;
        }
        default:
            return where(some, progress,
                         [&](std::size_t i) { return holdsFor(at, *at.node, static_cast<EventId>(i), nullptr); });
        }
    }

    Verdict verdictOn(Prepared &at, EventId id, const Args *args)
    {
        switch (at.node->type) {
        case FilterNode::Type::Term: return term(at, id, args);
        case FilterNode::Type::Not: {
            const Verdict inner = verdictOn(at.children.front(), id, args);
            return inner == Verdict::NeedsArguments ? inner : verdictOf(inner == Verdict::No);
        }
        case FilterNode::Type::And:
        case FilterNode::Type::Or: break;
        }
        const Verdict decides = at.node->type == FilterNode::Type::And ? Verdict::No : Verdict::Yes;
        bool needsArguments = false;
        for (Prepared &child : at.children) {
            const Verdict verdict = verdictOn(child, id, args);
            if (verdict == decides)
                return decides;
            needsArguments = needsArguments || verdict == Verdict::NeedsArguments;
        }
        if (needsArguments)
            return Verdict::NeedsArguments;
        return decides == Verdict::No ? Verdict::Yes : Verdict::No;
    }

    Verdict term(Prepared &at, EventId id, const Args *args)
    {
        const FilterNode &node = *at.node;
        if (node.readsArguments() && !args)
            return Verdict::NeedsArguments;
        return verdictOf(holdsFor(at, node, id, args));
    }

    bool holdsFor(Prepared &at, const FilterNode &node, EventId id, const Args *args)
    {
        switch (node.field) {
        case FilterField::Name: return nameHolds(at, id);
        case FilterField::Operator: return nameHolds(at, operatorOf(id));
        case FilterField::Module: return nameHolds(at, moduleOf(id));
        case FilterField::Category:
            return at.once(index(m_trace.events().category[index(id)]),
                           [&] { return textHolds(node, m_trace.category(id)); });
        case FilterField::Kind:
            return at.once(index(m_trace.events().category[index(id)]), [&] { return kindHolds(node, id); });
        case FilterField::Lane:
        case FilterField::Thread:
        case FilterField::Stream:
        case FilterField::Device: {
            const LaneId lane = m_trace.lane(id);
            return at.once(index(lane), [&] { return laneHolds(node, m_trace.lane(lane)); });
        }
        case FilterField::Rank: return numberHolds(node, m_rank);
        case FilterField::Step: return stepHolds(node, m_trace.begin(starter(id)));
        case FilterField::Duration: return numberHolds(node, m_trace.duration(id));
        case FilterField::Self: return numberHolds(node, m_trace.selfTime(id));
        case FilterField::Delay: return numberHolds(node, delayOf(id));
        case FilterField::Start:
            return numberHolds(node, node.isSinceStart
                                         ? m_trace.begin(id)
                                         : static_cast<std::int64_t>(m_trace.fileTime(m_trace.begin(id))));
        case FilterField::Shape:
        case FilterField::Dtype:
        case FilterField::Argument: return argumentsHold(node, *args);
        }
        return false;
    }

    // Of no event nothing holds.
    bool nameHolds(Prepared &at, EventId named) const
    {
        if (named == kNoEvent)
            return false;
        return at.once(index(m_trace.nameId(named)), [&] { return textOfNameHolds(*at.node, m_trace.name(named)); });
    }

    static bool textOfNameHolds(const FilterNode &node, std::string_view name)
    {
        if (node.field == FilterField::Module)
            name.remove_prefix(kModulePrefix.size());
        return node.regex ? (*node.regex)(name) : textHolds(node, name);
    }

    bool kindHolds(const FilterNode &node, EventId id) const
    {
        const std::string_view kind = eventKindId(m_trace.kind(id));
        const bool isSame = kind.size() == node.value.text.size() && containsIgnoringCase(kind, node.value.text);
        return node.isAny || isSame == (node.compare != FilterCompare::NotEqual);
    }

    static bool laneHolds(const FilterNode &node, const Lane &lane)
    {
        switch (node.field) {
        case FilterField::Lane: return textHolds(node, lane.name);
        case FilterField::Thread:
            if (lane.kind == LaneKind::Gpu || !lane.hasThread)
                return false;
            if (node.isAny)
                return true;
            if (node.number && lane.tid.number())
                return numberHolds(node, lane.tid.number());
            return textHolds(node, lane.name);
        case FilterField::Stream: return numberHolds(node, lane.kind == LaneKind::Gpu ? lane.stream : std::nullopt);
        default: return numberHolds(node, lane.kind == LaneKind::Gpu ? lane.device : std::nullopt);
        }
    }

    bool stepHolds(const FilterNode &node, TimeNs begin) const
    {
        constexpr std::ptrdiff_t kOverlapping = 16; // steps of several processes in one file run side by side
        const std::span<const Step> steps = m_steps;
        const auto after = std::upper_bound(steps.begin(), steps.end(), begin,
                                            [](TimeNs time, const Step &step) { return time < step.range.begin; });
        const auto first = after - std::min(after - steps.begin(), kOverlapping);
        return std::any_of(first, after, [&](const Step &step) {
            return step.range.contains(begin) && numberHolds(node, step.number);
        });
    }

    // Device work goes by its launch.
    EventId starter(EventId id) const
    {
        const EventId launch = isDeviceWork(m_trace.kind(id)) ? m_trace.launchLink(id).launch : kNoEvent;
        return launch != kNoEvent ? launch : id;
    }

    static bool isOperator(const Trace &trace, EventId id) { return trace.kind(id) == EventKind::Operator; }
    static bool isModule(const Trace &trace, EventId id)
    {
        return trace.kind(id) == EventKind::Python && trace.name(id).starts_with(kModulePrefix);
    }

    EventId above(std::optional<Above> &search, EventId id, bool (*fits)(const Trace &, EventId)) const
    {
        if (!search)
            search.emplace(
                m_trace, [this, fits](EventId at) { return fits(m_trace, at); },
                [this](EventId at) { return m_trace.parent(at); });
        return (*search)(id);
    }

    EventId operatorOf(EventId id)
    {
        return isDeviceWork(m_trace.kind(id)) ? m_trace.launchLink(id).op : above(m_operator, id, isOperator);
    }

    EventId moduleOf(EventId id)
    {
        if (!isDeviceWork(m_trace.kind(id)))
            return above(m_module, id, isModule);
        const LaunchLink link = m_trace.launchLink(id);
        const EventId inside = link.launch != kNoEvent ? link.launch : link.op;
        return inside != kNoEvent ? above(m_module, inside, isModule) : kNoEvent;
    }

    std::optional<std::int64_t> delayOf(EventId id) const
    {
        if (starter(id) == id)
            return {};
        return std::max<TimeNs>(0, saturatingSubtract(m_trace.begin(id), m_trace.end(starter(id))));
    }

    const Trace &m_trace;
    std::optional<std::int64_t> m_rank;
    std::vector<Step> m_steps; // by begin
    Prepared m_root;
    std::optional<Above> m_operator; // made when asked for
    std::optional<Above> m_module;
};

} // namespace

Filter Filter::parse(std::string_view text)
{
    Filter filter;
    filter.m_root = parseFilter(text);
    return filter;
}

bool Filter::readsArguments() const
{
    const std::function<bool(const FilterNode &)> reads = [&reads](const FilterNode &node) {
        return node.type == FilterNode::Type::Term ? node.readsArguments()
                                                   : std::any_of(node.children.begin(), node.children.end(), reads);
    };
    return m_root && reads(*m_root);
}

Bits Filter::matches(const Trace &trace, const FilterContext &context, const Progress &progress,
                     const ArgumentReading &reading) const
{
    if (!m_root) {
        Bits all(trace.eventCount());
        all.setAll(0, all.size());
        return all;
    }
    return Matcher(trace, context, *m_root).run(progress, reading);
}

std::shared_ptr<const EventSet> matchingEvents(const Filter &filter, std::span<const RankTrace> traces,
                                               const std::string &stepPattern, const Progress &progress,
                                               std::span<const Scope::Part> parts)
{
    if (filter.letsAllPass())
        return nullptr;
    auto matches = std::make_shared<EventSet>();
    for (std::size_t i = 0; i < traces.size(); ++i) {
        const RankTrace &rank = traces[i];
        const auto part = std::find_if(parts.begin(), parts.end(),
                                       [&rank](const Scope::Part &one) { return one.trace == rank.trace.get(); });
        ArgumentReading reading;
        if (part != parts.end())
            reading.only = part->range;
        const auto share = [&traces](std::size_t n) {
            return static_cast<double>(n) / static_cast<double>(traces.size());
        };
        matches->insert(rank.trace, filter.matches(*rank.trace, {rank.rank, stepPattern},
                                                   progress.part(share(i), share(i + 1)), reading));
    }
    return matches;
}

} // namespace ks
