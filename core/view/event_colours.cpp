// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/event_colours.h"

#include "core/trace/args.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>

namespace ks {
namespace {

constexpr std::size_t kPatience = std::size_t{1} << 16U; // events between two looks at the stop token
constexpr auto kUnknown = static_cast<ColourKey>(255);

using Column = std::vector<ColourKey>;

bool startsWith(std::string_view name, std::initializer_list<std::string_view> beginnings)
{
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [name](std::string_view beginning) { return name.starts_with(beginning); });
}

// What a name alone says, asked once per name.
template<typename Key>
class OfName
{
public:
    explicit OfName(Key key)
        : m_key(key)
    {}
    ColourKey operator()(NameId name)
    {
        const auto [at, isNew] = m_known.try_emplace(name, kUnknown);
        if (isNew)
            at->second = m_key(nameText(name));
        return at->second;
    }

private:
    Key m_key;
    std::unordered_map<NameId, ColourKey> m_known;
};

// Host events: their own key, else that of the event around them, else plain. `own` gives kUnknown for "ask around".
template<typename Own>
void inheritFromParents(const Trace &trace, Column &column, Own own, const Progress &progress)
{
    std::vector<EventId> path;
    for (std::size_t i = 0; i < column.size(); ++i) {
        if (i % kPatience == 0)
            progress.throwIfStopped();
        path.clear();
        ColourKey found = kUnknown;
        for (auto id = static_cast<EventId>(i); id != kNoEvent; id = trace.parent(id)) {
            found = column[index(id)];
            if (found == kUnknown)
                found = own(id);
            if (found != kUnknown)
                break;
            path.push_back(id);
        }
        if (found == kUnknown)
            found = plainKey();
        for (const EventId id : path)
            column[index(id)] = found;
        column[i] = found;
    }
}

// Device work takes the colour of the call that launched it, or of the operator that did.
void inheritFromLaunches(const Trace &trace, Column &column, const Progress &progress)
{
    const auto ids = trace.links().ofWork.ids();
    const auto links = trace.links().ofWork.values();
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (i % kPatience == 0)
            progress.throwIfStopped();
        const EventId cause = links[i].launch != kNoEvent ? links[i].launch : links[i].op;
        column[index(ids[i])] = cause == kNoEvent ? plainKey() : column[index(cause)];
    }
}

Column byModule(const Trace &trace, const Progress &progress)
{
    OfName ofName(
        [](std::string_view name) { return name.starts_with("nn.Module: ") ? strongTint(hueOf(name)) : kUnknown; });
    Column column(trace.eventCount(), kUnknown);
    inheritFromParents(
        trace, column, [&](EventId id) { return ofName(trace.nameId(id)); }, progress);
    inheritFromLaunches(trace, column, progress);
    return column;
}

Column byPhase(const Trace &trace, const Progress &progress)
{
    OfName ofName([](std::string_view name) {
        if (startsWith(name, {"Optimizer.", "optimizer", "## optimizer"}))
            return phaseKey(Phase::Optimizer);
        if (startsWith(name, {"autograd::engine::evaluate_function", "backward", "## backward", "loss.backward"})
            || name.find("Backward") != std::string_view::npos)
            return phaseKey(Phase::Backward);
        if (startsWith(name, {"nn.Module: ", "forward", "## forward"}))
            return phaseKey(Phase::Forward);
        return kUnknown;
    });
    const Mates &mates = trace.mates();
    const auto forwards = mates.backwardOfForward.from();
    Column column(trace.eventCount(), kUnknown);
    inheritFromParents(
        trace, column,
        [&](EventId id) {
            const ColourKey named = ofName(trace.nameId(id));
            if (named != kUnknown)
                return named;
            if (trace.parent(id) != kNoEvent)
                return kUnknown;
            // At the top: what autograd knows about it.
            if (std::binary_search(forwards.begin(), forwards.end(), id))
                return phaseKey(Phase::Forward);
            return trace.forwardOf(id) != kNoEvent ? phaseKey(Phase::Backward) : kUnknown;
        },
        progress);
    // A forward operator stands for itself and for what it calls, wherever nothing else is known.
    for (const EventId forward : forwards) {
        if (column[index(forward)] == plainKey())
            column[index(forward)] = phaseKey(Phase::Forward);
    }
    inheritFromLaunches(trace, column, progress);
    return column;
}

Column byStep(const Trace &trace, const Progress &progress)
{
    const auto steps = trace.steps();
    const auto keyAt = [&](TimeNs t) {
        auto after = std::upper_bound(steps.begin(), steps.end(), t,
                                      [](TimeNs wanted, const Step &step) { return wanted < step.range.begin; });
        if (after == steps.begin() || !std::prev(after)->range.contains(t))
            return plainKey();
        // A stride without a common factor: neighbours are a third of the circle apart.
        return strongTint(static_cast<unsigned>(after - steps.begin() - 1) * 7);
    };
    Column column(trace.eventCount(), plainKey());
    for (std::size_t i = 0; i < column.size(); ++i) {
        if (i % kPatience == 0)
            progress.throwIfStopped();
        column[i] = keyAt(trace.begin(static_cast<EventId>(i)));
    }
    inheritFromLaunches(trace, column, progress);
    return column;
}

Column byDelay(const Trace &trace, const Progress &progress)
{
    // ns, where the next step of the ramp begins.
    constexpr std::array<TimeNs, kRampSteps - 1> kBorders = {2'000,   5'000,     10'000,    30'000,
                                                             100'000, 1'000'000, 5'000'000, 20'000'000};
    Column column(trace.eventCount(), plainKey());
    const auto ids = trace.links().ofWork.ids();
    const auto links = trace.links().ofWork.values();
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (i % kPatience == 0)
            progress.throwIfStopped();
        if (links[i].launch == kNoEvent)
            continue;
        const TimeNs delay = saturatingSubtract(trace.begin(ids[i]), trace.end(links[i].launch));
        const auto step = std::upper_bound(kBorders.begin(), kBorders.end(), delay) - kBorders.begin();
        const ColourKey own = rampKey(static_cast<unsigned>(step));
        column[index(ids[i])] = own;
        ColourKey &ofLaunch = column[index(links[i].launch)];
        if (ofLaunch == plainKey() || own > ofLaunch) // a launch of many: the longest
            ofLaunch = own;
    }
    return column;
}

Column byOccupancy(const Trace &trace, const Progress &progress)
{
    Column column(trace.eventCount(), plainKey());
    if (!trace.source())
        return column;
    std::vector<EventId> kernels;
    for (const EventId id : trace.links().ofWork.ids()) {
        if (trace.kind(id) == EventKind::Kernel)
            kernels.push_back(id);
    }
    constexpr std::size_t kBatch = 4096;
    for (std::size_t from = 0; from < kernels.size(); from += kBatch) {
        progress.throwIfStopped();
        const auto batch = std::span(kernels).subspan(from, std::min(kBatch, kernels.size() - from));
        const std::vector<Args> args = parseArgs(trace, batch);
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const auto text = findArg(args[i], "est. achieved occupancy %");
            double percent = -1;
            if (!text || std::from_chars(text->data(), text->data() + text->size(), percent).ec != std::errc()
                || percent < 0)
                continue;
            column[index(batch[i])] = rampKey(static_cast<unsigned>(std::min(percent, 100.0) / 100 * kRampSteps));
        }
    }
    return column;
}

} // namespace

bool needsColumn(ColourMode mode)
{
    return mode != ColourMode::Family && mode != ColourMode::Name && mode != ColourMode::Category;
}

EventColours eventColours(const Trace &trace, ColourMode mode, const Progress &progress)
{
    switch (mode) {
    case ColourMode::Module: return EventColours(mode, byModule(trace, progress));
    case ColourMode::Phase: return EventColours(mode, byPhase(trace, progress));
    case ColourMode::Step: return EventColours(mode, byStep(trace, progress));
    case ColourMode::Delay: return EventColours(mode, byDelay(trace, progress));
    case ColourMode::Occupancy: return EventColours(mode, byOccupancy(trace, progress));
    case ColourMode::Family:
    case ColourMode::Name:
    case ColourMode::Category: break;
    }
    return EventColours(mode);
}

} // namespace ks
