// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/filter_values.h"

#include "core/analysis/modules.h"
#include "core/analysis/step_table.h"
#include "core/base/error.h"
#include "core/trace/args.h"

#include <algorithm>
#include <unordered_map>

namespace ks {
namespace {

constexpr std::size_t kMostNames = 20'000;
constexpr std::size_t kMostValues = 200; // of one argument
constexpr std::size_t kMostRead = 2'000; // events whose arguments are read
constexpr std::size_t kLongestValue = 80;

// Texts and how often they were met.
class Tally
{
public:
    void add(std::string text, std::uint64_t count = 1)
    {
        if (!text.empty())
            m_counts[std::move(text)] += count;
    }
    FilterValues::Texts take(std::size_t most = kMostNames) const
    {
        std::vector<std::pair<std::string, std::uint64_t>> all(m_counts.begin(), m_counts.end());
        std::sort(all.begin(), all.end(), [](const auto &a, const auto &b) {
            return a.second != b.second ? a.second > b.second : a.first < b.first;
        });
        all.resize(std::min(all.size(), most));
        FilterValues::Texts texts;
        for (auto &[text, count] : all)
            texts.push_back(std::move(text));
        return texts;
    }

private:
    std::unordered_map<std::string, std::uint64_t> m_counts;
};

// Numbers ascending, as texts.
FilterValues::Texts textsOf(std::vector<std::int64_t> numbers)
{
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    FilterValues::Texts texts;
    for (const std::int64_t number : numbers)
        texts.push_back(std::to_string(number));
    return texts;
}

class Collector
{
public:
    void add(const RankTrace &of, const std::string &stepPattern, const Progress &progress)
    {
        const Trace &trace = *of.trace;
        if (of.rank)
            m_ranks.push_back(*of.rank);
        addLanes(trace);
        addNames(trace, progress.part(0, 0.7));
        for (const Step &step : stepsOf(trace, stepPattern))
            m_steps.push_back(step.number);
        readSome(trace, progress.part(0.7, 1));
    }

    FilterValues take()
    {
        FilterValues values;
        values.of(FilterField::Name) = m_names.take();
        values.of(FilterField::Operator) = m_operators.take();
        values.of(FilterField::Module) = m_modules.take();
        values.of(FilterField::Category) = m_categories.take();
        values.of(FilterField::Kind) = m_kinds.take();
        values.of(FilterField::Lane) = m_lanes.take();
        values.of(FilterField::Thread) = textsOf(std::move(m_threads));
        values.of(FilterField::Stream) = textsOf(std::move(m_streams));
        values.of(FilterField::Device) = textsOf(std::move(m_devices));
        values.of(FilterField::Rank) = textsOf(std::move(m_ranks));
        values.of(FilterField::Step) = textsOf(std::move(m_steps));
        values.of(FilterField::Shape) = m_shapes.take();
        values.of(FilterField::Dtype) = m_types.take();
        for (const auto &[key, tally] : m_arguments)
            values.ofArgument[key] = tally.take(kMostValues);
        return values;
    }

private:
    void addLanes(const Trace &trace)
    {
        for (const Lane &lane : trace.lanes()) {
            m_lanes.add(lane.name);
            if (lane.stream)
                m_streams.push_back(*lane.stream);
            if (lane.device)
                m_devices.push_back(*lane.device);
            if (const auto thread = lane.tid.number(); thread && lane.kind == LaneKind::Cpu)
                m_threads.push_back(*thread);
        }
    }

    void addNames(const Trace &trace, const Progress &progress)
    {
        struct Use
        {
            std::uint64_t all = 0;
            std::uint64_t operators = 0;
            std::uint64_t modules = 0;
        };
        std::unordered_map<NameId, Use> uses;
        std::vector<std::uint64_t> ofCategory(trace.categories().size());
        const EventTable &events = trace.events();
        for (std::size_t i = 0; i < trace.eventCount(); ++i) {
            if (i % (std::size_t{1} << 20U) == 0)
                progress.throwIfStopped();
            Use &use = uses[events.name[i]];
            const EventKind kind = trace.kind(static_cast<EventId>(i));
            ++use.all;
            use.operators += kind == EventKind::Operator ? 1 : 0;
            use.modules += kind == EventKind::Python ? 1 : 0;
            ++ofCategory[index(events.category[i])];
        }
        for (const auto &[name, use] : uses) {
            const std::string_view text = nameText(name);
            m_names.add(std::string(text), use.all);
            if (use.operators != 0)
                m_operators.add(std::string(text), use.operators);
            if (use.modules != 0 && text.starts_with(kModulePrefix))
                m_modules.add(std::string(text.substr(kModulePrefix.size())), use.modules);
        }
        for (std::size_t i = 0; i < ofCategory.size(); ++i) {
            if (ofCategory[i] == 0)
                continue;
            const Category &category = trace.categories()[i];
            m_categories.add(std::string(nameText(category.text)), ofCategory[i]);
            m_kinds.add(std::string(eventKindId(category.kind)), ofCategory[i]);
        }
    }

    void readSome(const Trace &trace, const Progress &progress)
    {
        std::vector<EventId> some;
        const std::size_t step = 1 + trace.eventCount() / kMostRead;
        for (std::size_t i = 0; i < trace.eventCount(); i += step)
            some.push_back(static_cast<EventId>(i));
        std::vector<Args> all;
        try {
            all = parseArgs(trace, some);
        } catch (const SourceChanged &) {
            return;
        }
        progress.throwIfStopped();
        for (const Args &args : all) {
            if (const auto shapes = findArg(args, "Input Dims"))
                addTensors(*shapes);
            if (const auto types = findArg(args, "Input type"))
                addStrings(*types);
            for (const Arg &arg : args) {
                std::string text = argText(arg.json);
                Tally &values = m_arguments[std::string(arg.key)];
                if (text.size() <= kLongestValue)
                    values.add(std::move(text));
            }
        }
    }

    // "[[32, 56], [], [[8], [8]]]": the innermost lists that are not empty.
    void addTensors(std::string_view json)
    {
        for (std::size_t open = json.find('['); open != std::string_view::npos; open = json.find('[', open + 1)) {
            const std::size_t next = json.find_first_of("[]", open + 1);
            if (next == std::string_view::npos || json[next] == '[' || next == open + 1)
                continue;
            std::string text(json.substr(open, next - open + 1));
            std::erase(text, ' ');
            m_shapes.add(std::move(text));
        }
    }

    void addStrings(std::string_view json)
    {
        for (std::size_t open = json.find('"'); open != std::string_view::npos;) {
            const std::size_t close = json.find('"', open + 1);
            if (close == std::string_view::npos)
                return;
            m_types.add(std::string(json.substr(open + 1, close - open - 1)));
            open = json.find('"', close + 1);
        }
    }

    Tally m_names;
    Tally m_operators;
    Tally m_modules;
    Tally m_categories;
    Tally m_kinds;
    Tally m_lanes;
    Tally m_shapes;
    Tally m_types;
    std::map<std::string, Tally> m_arguments;
    std::vector<std::int64_t> m_threads;
    std::vector<std::int64_t> m_streams;
    std::vector<std::int64_t> m_devices;
    std::vector<std::int64_t> m_ranks;
    std::vector<std::int64_t> m_steps;
};

} // namespace

FilterValues filterValues(std::span<const RankTrace> traces, const std::string &stepPattern, const Progress &progress)
{
    Collector collector;
    for (std::size_t i = 0; i < traces.size(); ++i) {
        const auto part = [&](std::size_t done) {
            return static_cast<double>(done) / static_cast<double>(traces.size());
        };
        collector.add(traces[i], stepPattern, progress.part(part(i), part(i + 1)));
    }
    return collector.take();
}

} // namespace ks
