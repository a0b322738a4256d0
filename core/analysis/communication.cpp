// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/communication.h"

#include "core/analysis/chain.h"
#include "core/analysis/collective.h"
#include "core/base/error.h"
#include "core/base/parse_number.h"
#include "core/trace/arg_columns.h"
#include "core/trace/args.h"

#include <algorithm>
#include <array>
#include <map>

namespace ks {
namespace {

// What the arguments of a kernel tell.
struct CommunicationFacts
{
    std::optional<std::string> group;
    std::optional<std::string> collective; // as the file spells it
    std::optional<std::string> dtype;
    std::optional<std::int64_t> groupSize;
    std::optional<std::int64_t> inElements;
    std::optional<std::int64_t> outElements;
    std::optional<std::int64_t> bytes;
};

struct CommunicationKernel
{
    DeviceWork work;
    const CommunicationFacts *facts = nullptr;
    std::int64_t index = 0;
};

std::optional<std::string> textArg(const Args &args, std::string_view key)
{
    const std::optional<std::string_view> json = findArg(args, key);
    return json && *json != "null" ? std::optional(argText(*json)) : std::nullopt;
}

std::optional<std::int64_t> integerArg(const Args &args, std::string_view key)
{
    const std::optional<std::string> text = textArg(args, key);
    return text ? parseInteger(*text) : std::nullopt;
}

CommunicationFacts factsOf(const Args &args)
{
    CommunicationFacts facts;
    facts.group = textArg(args, "Process Group Name");
    facts.collective = textArg(args, "Collective name");
    facts.dtype = textArg(args, "dtype");
    facts.groupSize = integerArg(args, "Group size");
    facts.inElements = integerArg(args, "In msg nelems");
    facts.outElements = integerArg(args, "Out msg nelems");
    if (const auto known = collectiveOf(args))
        facts.bytes = known->bytes;
    return facts;
}

constexpr std::array<std::string_view, 6> kKeys = {"Collective name", "Process Group Name", "dtype",
                                                   "Group size",      "In msg nelems",      "Out msg nelems"};

// What is told of all communication of a trace.
class AllFacts
{
public:
    AllFacts(const Trace &trace, const Progress &progress)
        : m_facts(1)
    {
        const auto work = workIndex(trace, progress).byBegin();
        m_ofPosition.assign(work.size(), 0);
        std::vector<Asked> kernels;
        for (std::uint32_t i = 0; i < work.size(); ++i) {
            if (work[i].workClass == WorkClass::Communication)
                kernels.push_back({i, work[i].event});
        }
        try {
            // Exporters leave the arguments off a kernel whose launch they learn of too late; the launching operator
            // has them.
            std::vector<Asked> operators;
            for (const Asked &kernel : read(trace, kernels, progress.part(0, 0.5))) {
                const EventId op = launchingOperator(trace, kernel.event);
                if (op != kNoEvent)
                    operators.push_back({kernel.position, op});
            }
            read(trace, operators, progress.part(0.5, 1));
        } catch (const SourceChanged &) {
            m_ofPosition.assign(work.size(), 0); // what is gone is unknown
        }
    }

    // By position in workIndex(trace).
    const CommunicationFacts &of(std::uint32_t position) const { return m_facts[m_ofPosition[position]]; }

private:
    struct Asked
    {
        std::uint32_t position; // of the work
        EventId event;          // whose arguments tell
    };

    // Returns those that name no collective. What they tell else counts where nothing else is known.
    std::vector<Asked> read(const Trace &trace, const std::vector<Asked> &asked, const Progress &progress)
    {
        std::vector<EventId> events;
        events.reserve(asked.size());
        for (const Asked &one : asked)
            events.push_back(one.event);
        const std::vector<ArgColumn> columns = argColumns(trace, events, kKeys, progress);
        std::map<std::array<std::uint32_t, kKeys.size()>, std::uint32_t> known; // each combination is looked at once
        std::vector<Asked> unnamed;
        for (std::size_t i = 0; i < asked.size(); ++i) {
            std::uint32_t &facts = m_ofPosition[asked[i].position];
            if (columns[0].numbers[i] == 0)
                unnamed.push_back(asked[i]);
            if (columns[0].numbers[i] == 0 && facts != 0)
                continue;
            std::array<std::uint32_t, kKeys.size()> key{};
            for (std::size_t k = 0; k < kKeys.size(); ++k)
                key[k] = columns[k].numbers[i];
            const auto [entry, isNew] = known.try_emplace(key, static_cast<std::uint32_t>(m_facts.size()));
            if (isNew)
                m_facts.push_back(factsOf(argsAt(columns, i)));
            facts = entry->second;
        }
        return unnamed;
    }

    static Args argsAt(const std::vector<ArgColumn> &columns, std::size_t i)
    {
        Args args;
        for (std::size_t k = 0; k < kKeys.size(); ++k) {
            if (columns[k].numbers[i] != 0)
                args.push_back({std::string(kKeys[k]), columns[k].text(i)});
        }
        return args;
    }

    std::vector<CommunicationFacts> m_facts;
    std::vector<std::uint32_t> m_ofPosition; // place in m_facts, 0: nothing is told
};

std::vector<CommunicationKernel> communicationKernels(const Trace &trace, const Scope &scope, const Progress &progress)
{
    const AllFacts &all = trace.derived().get<AllFacts>([&] { return AllFacts(trace, progress); });
    std::vector<CommunicationKernel> kernels;
    std::map<std::optional<std::string>, std::int64_t> next;
    for (const DeviceWork &work : selectedWork(TraceScope(trace, scope), progress)) {
        if (work.workClass != WorkClass::Communication)
            continue;
        const CommunicationFacts &facts = all.of(work.position);
        kernels.push_back({work, &facts, next[facts.group]++});
    }
    return kernels;
}

// What a ring moves per byte of the message.
double busFactor(std::string_view collective, std::int64_t ranks)
{
    const auto n = static_cast<double>(std::max<std::int64_t>(ranks, 1));
    if (collective.find("allreduce") != std::string_view::npos
        || collective.find("all_reduce") != std::string_view::npos)
        return 2 * (n - 1) / n;
    const bool isPointToPoint =
        collective == "send" || collective == "recv" || collective.find("broadcast") != std::string_view::npos;
    return isPointToPoint ? 1 : (n - 1) / n;
}

} // namespace

Table communicationTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress)
{
    Table table;
    table.integers("rank", Unit::Id);
    table.texts("group");
    table.integers("index", Unit::Id);
    table.texts("collective");
    table.texts("dtype");
    for (const char *name : {"group_size", "in_elements", "out_elements"})
        table.integers(name, Unit::Count);
    for (const char *name : {"device", "stream"})
        table.integers(name, Unit::Id);
    for (const char *name : {"start_ns", "dur_ns"})
        table.integers(name, Unit::Ns);
    table.integers("kernel", Unit::Id);
    for (const RankTrace &rank : traces) {
        if (!scope.includesRank(rank.rank))
            continue;
        const Trace &trace = *rank.trace;
        for (const CommunicationKernel &kernel : communicationKernels(trace, scope, progress)) {
            std::size_t at = 0;
            const auto put = [&](auto value) { table.column(at++).append(value); };
            put(rank.rank);
            put(kernel.facts->group);
            put(kernel.index);
            put(kernel.facts->collective);
            put(kernel.facts->dtype);
            put(kernel.facts->groupSize);
            put(kernel.facts->inElements);
            put(kernel.facts->outElements);
            put(trace.lane(kernel.work.lane).device);
            put(trace.lane(kernel.work.lane).stream);
            put(static_cast<std::int64_t>(trace.fileTime(kernel.work.part.begin)));
            put(kernel.work.part.duration());
            put(trace.fileIndex(kernel.work.event));
        }
    }
    return table;
}

Table collectiveTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress)
{
    struct Across
    {
        std::size_t ranks = 0;
        TimeNs latency = kMaxTime;
        std::int64_t firstStart = kMaxTime, lastStart = kMinTime, firstEnd = kMaxTime, lastEnd = kMinTime;
        std::optional<std::string> collective;
        std::optional<std::int64_t> bytes;
        std::optional<std::int64_t> groupSize;
    };
    std::map<std::pair<std::string, std::int64_t>, Across> all;
    std::size_t ranks = 0;
    for (const RankTrace &rank : traces) {
        if (!scope.includesRank(rank.rank))
            continue;
        ++ranks;
        const Trace &trace = *rank.trace;
        const std::int64_t base = trace.metadata().baseNs.value_or(0);
        for (const CommunicationKernel &kernel : communicationKernels(trace, scope, progress)) {
            Across &across = all[{kernel.facts->group.value_or(std::string()), kernel.index}];
            const std::int64_t start =
                saturatingAdd(base, static_cast<std::int64_t>(trace.fileTime(kernel.work.part.begin)));
            const std::int64_t end = saturatingAdd(start, kernel.work.part.duration());
            ++across.ranks;
            across.latency = std::min(across.latency, kernel.work.part.duration());
            across.firstStart = std::min(across.firstStart, start);
            across.lastStart = std::max(across.lastStart, start);
            across.firstEnd = std::min(across.firstEnd, end);
            across.lastEnd = std::max(across.lastEnd, end);
            if (!across.collective)
                across.collective = kernel.facts->collective;
            if (!across.bytes)
                across.bytes = kernel.facts->bytes;
            if (!across.groupSize)
                across.groupSize = kernel.facts->groupSize;
        }
    }
    Table table;
    table.texts("group");
    table.integers("index", Unit::Id);
    table.texts("collective");
    table.integers("ranks", Unit::Count);
    for (const char *name : {"latency_ns", "skew_start_ns", "skew_end_ns"})
        table.integers(name, Unit::Ns);
    for (const char *name : {"algbw_gbps", "busbw_gbps"})
        table.reals(name, Unit::GbPerS);
    for (const auto &[key, across] : all) {
        if (across.ranks != ranks)
            continue;
        const std::optional<double> bandwidth =
            across.bytes && across.latency > 0
                ? std::optional(static_cast<double>(*across.bytes) / static_cast<double>(across.latency))
                : std::nullopt;
        std::size_t at = 0;
        const auto put = [&](auto value) { table.column(at++).append(value); };
        put(key.first.empty() ? std::nullopt : std::optional(key.first));
        put(key.second);
        put(across.collective);
        put(across.ranks);
        put(across.latency);
        put(across.lastStart - across.firstStart);
        put(across.lastEnd - across.firstEnd);
        put(bandwidth);
        put(bandwidth ? std::optional(*bandwidth
                                      * busFactor(across.collective.value_or(std::string()),
                                                  across.groupSize.value_or(static_cast<std::int64_t>(ranks))))
                      : std::nullopt);
    }
    return table;
}

} // namespace ks
