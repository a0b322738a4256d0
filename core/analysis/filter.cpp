// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/filter.h"

#include "core/analysis/filter_node.h"
#include "core/analysis/modules.h"
#include "core/analysis/nearest_above.h"
#include "core/analysis/step_table.h"
#include "core/trace/args.h"

#include <algorithm>
#include <functional>

namespace ks {
namespace {

enum class Verdict : std::uint8_t { No, Yes, NeedsArguments };

Verdict verdictOf(bool holds)
{
    return holds ? Verdict::Yes : Verdict::No;
}

template<typename Number>
bool holds(FilterCompare compare, Number a, Number b)
{
    switch (compare) {
    case FilterCompare::Has:
    case FilterCompare::Equal: return !(a < b) && !(b < a);
    case FilterCompare::NotEqual: return a < b || b < a;
    case FilterCompare::Less: return a < b;
    case FilterCompare::LessOrEqual: return !(b < a);
    case FilterCompare::Greater: return b < a;
    case FilterCompare::GreaterOrEqual: return !(a < b);
    }
    return false;
}

bool textHolds(const FilterNode &term, std::string_view text)
{
    if (term.isAny)
        return !text.empty();
    switch (term.compare) {
    case FilterCompare::Has: return term.value.isPartOf(text);
    case FilterCompare::Equal: return term.value.isWhole(text);
    case FilterCompare::NotEqual: return !term.value.isWhole(text);
    default: return false;
    }
}

bool numberHolds(const FilterNode &term, const std::optional<std::int64_t> &number)
{
    return number && (term.isAny || (term.number && holds(term.compare, *number, *term.number)));
}

// "[32, *, 56]" -> "32" "*" "56"
std::vector<std::string_view> dimensionsOf(std::string_view list)
{
    std::vector<std::string_view> dimensions;
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(','), list.size());
        std::string_view dimension = list.substr(0, end);
        list.remove_prefix(std::min(end + 1, list.size()));
        while (dimension.starts_with(' '))
            dimension.remove_prefix(1);
        while (dimension.ends_with(' '))
            dimension.remove_suffix(1);
        dimensions.push_back(dimension);
    }
    return dimensions;
}

// Has one tensor of the shapes (JSON) these dimensions? Lists of tensors are looked into.
bool hasShape(std::string_view shapes, const std::vector<std::string_view> &wanted)
{
    for (std::size_t open = shapes.find('['); open != std::string_view::npos; open = shapes.find('[', open + 1)) {
        const std::size_t next = shapes.find_first_of("[]", open + 1);
        if (next == std::string_view::npos || shapes[next] == '[')
            continue;
        const std::vector<std::string_view> dimensions = dimensionsOf(shapes.substr(open + 1, next - open - 1));
        if (std::equal(dimensions.begin(), dimensions.end(), wanted.begin(), wanted.end(),
                       [](std::string_view a, std::string_view b) { return b == "*" || a == b; }))
            return true;
    }
    return false;
}

bool argumentsHold(const FilterNode &term, const Args &args)
{
    const auto found = findArg(args, term.field == FilterField::Shape   ? "Input Dims"
                                     : term.field == FilterField::Dtype ? "Input type"
                                                                        : std::string_view(term.key));
    if (!found)
        return false;
    const std::string &value = term.value.text;
    if (term.field == FilterField::Shape && value.size() >= 2 && value.front() == '[' && value.back() == ']'
        && !value.starts_with("[[")) {
        const bool has = hasShape(*found, dimensionsOf(std::string_view(value).substr(1, value.size() - 2)));
        return has == (term.compare != FilterCompare::NotEqual);
    }
    const std::string text = argText(*found);
    if (term.field == FilterField::Argument && !term.isAny) {
        const std::optional<double> number = term.real ? parseReal(text) : std::nullopt;
        if (number)
            return holds(term.compare, *number, *term.real);
    }
    return textHolds(term, text);
}

// Filter nodes with what they found out about names, categories and lanes of one trace.
struct Prepared
{
    const FilterNode *node = nullptr;
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

    std::vector<bool> run(const Progress &progress)
    {
        std::vector<bool> matches(m_trace.eventCount(), false);
        std::vector<EventId> undecided;
        for (std::size_t l = 0; l < m_trace.lanes().size(); ++l) {
            m_lane = static_cast<LaneId>(l);
            const Lane &lane = m_trace.lane(m_lane);
            for (EventId id = lane.firstEvent; id < lane.endEvent; id = advance(id, 1)) {
                if ((index(id) & 0xffffU) == 0)
                    progress.throwIfStopped();
                const Verdict verdict = verdictOn(m_root, id, nullptr);
                matches[index(id)] = verdict == Verdict::Yes;
                if (verdict == Verdict::NeedsArguments)
                    undecided.push_back(id);
            }
        }
        std::sort(undecided.begin(), undecided.end(),
                  [this](EventId a, EventId b) { return m_trace.recordOffset(a) < m_trace.recordOffset(b); });
        constexpr std::size_t kBatch = 8192;
        for (std::size_t first = 0; first < undecided.size(); first += kBatch) {
            progress.throwIfStopped();
            const auto batch = std::span(undecided).subspan(first, std::min(kBatch, undecided.size() - first));
            const std::vector<Args> args = parseArgs(m_trace, batch);
            for (std::size_t i = 0; i < batch.size(); ++i) {
                m_lane = m_trace.lane(batch[i]);
                matches[index(batch[i])] = verdictOn(m_root, batch[i], &args[i]) == Verdict::Yes;
            }
        }
        return matches;
    }

private:
    static Prepared prepared(const FilterNode &node)
    {
        Prepared result;
        result.node = &node;
        for (const FilterNode &child : node.children)
            result.children.push_back(prepared(child));
        return result;
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
        case FilterField::Device: return at.once(index(m_lane), [&] { return laneHolds(node, m_trace.lane(m_lane)); });
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
        const FilterNode &node = *at.node;
        return at.once(index(m_trace.nameId(named)), [&] {
            std::string_view name = m_trace.name(named);
            if (node.field == FilterField::Module)
                name.remove_prefix(kModulePrefix.size());
            return node.regex ? (*node.regex)(name) : textHolds(node, name);
        });
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
                return holds(node.compare, *lane.tid.number(), *node.number);
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
    LaneId m_lane = kNoLane;         // of the event looked at
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

std::vector<bool> Filter::matches(const Trace &trace, const FilterContext &context, const Progress &progress) const
{
    if (!m_root)
        return std::vector<bool>(trace.eventCount(), true);
    return Matcher(trace, context, *m_root).run(progress);
}

std::shared_ptr<const EventSet> matchingEvents(const Filter &filter, std::span<const RankTrace> traces,
                                               const std::string &stepPattern, const Progress &progress)
{
    if (filter.letsAllPass())
        return nullptr;
    auto matches = std::make_shared<EventSet>();
    for (const RankTrace &rank : traces)
        matches->insert(rank.trace, filter.matches(*rank.trace, {rank.rank, stepPattern}, progress));
    return matches;
}

} // namespace ks
