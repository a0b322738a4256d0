// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/operators.h"

#include "core/analysis/call_blocks.h"
#include "core/analysis/call_memory.h"
#include "core/analysis/call_stacks.h"
#include "core/analysis/call_sums.h"
#include "core/analysis/host_scope.h"
#include "core/analysis/operator_inputs.h"
#include "core/analysis/operator_sums.h"
#include "core/analysis/row_groups.h"
#include "core/analysis/torch_nesting.h"
#include "core/base/hash.h"
#include "core/base/large_memory.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

namespace ks {
namespace {

constexpr std::string_view kMemoryName = "[memory]";

struct OperatorRow
{
    NameId name = kNoName;
    std::string_view kind;
    std::uint32_t shapes = 0;
    std::uint32_t stack = 0;
    OperatorSums sums;
};

// Rows by name and kind, and by shapes and stack where these count.
class RowIndex
{
public:
    OperatorSums &row(NameId name, EventKind kind, std::uint32_t shapes = 0, std::uint32_t stack = 0)
    {
        const std::uint32_t group = m_groups.numberOf(name, kind);
        m_byGroup.resize(m_groups.all().size());
        OperatorRow *&known = shapes == 0 && stack == 0 ? m_byGroup[group] : m_byKey[Key{group, shapes, stack}];
        if (!known)
            known = &m_rows.emplace_back(OperatorRow{m_groups.all()[group].name, eventKindId(kind), shapes, stack, {}});
        return known->sums;
    }

    OperatorSums &memoryRow()
    {
        if (!m_memory)
            m_memory = &m_rows.emplace_back(OperatorRow{internName(kMemoryName), "memory", 0, 0, {}});
        return m_memory->sums;
    }

    const std::deque<OperatorRow> &rows() const { return m_rows; }

private:
    struct Key
    {
        std::uint32_t group, shapes, stack;
        friend bool operator==(const Key &, const Key &) = default;
    };
    struct KeyHash
    {
        std::size_t operator()(const Key &key) const
        {
            return foldMultiply((std::uint64_t{key.group} << 32U) | key.shapes, 0x9e3779b97f4a7c15ULL + key.stack);
        }
    };

    std::deque<OperatorRow> m_rows; // pointers into it stay
    RowGroups m_groups;
    std::vector<OperatorRow *> m_byGroup; // those without shapes and stack
    std::unordered_map<Key, OperatorRow *, KeyHash> m_byKey;
    OperatorRow *m_memory = nullptr;
};

// Adds one trace to the rows.
class TraceRows
{
public:
    TraceRows(const Trace &trace, const Scope &scope, const OperatorOptions &options, RowIndex &rows,
              TextNumbers &texts, const Progress &progress)
        : m_trace(trace)
        , m_nesting(torchNesting(trace, progress))
        , m_selected(hostScope(trace, scope,
                               [this](const CallVisitor &visit) {
                                   for (const TorchNesting::Call &call : m_nesting.calls()) {
                                       if (!visit(call.event))
                                           return;
                                   }
                               }))
        , m_host(trace, m_selected.host)
        , m_rows(rows)
        , m_memory(callMemory(trace, progress))
        , m_progress(progress)
    {
        if (options.withFlops && !options.byShape && options.frames == 0 && TraceScope(trace, scope).isOnlyRange())
            addBlocks();
        else
            addCalls(options, texts);
        addMemoryOutside();
    }

    bool hasMemory() const { return !m_memory.sums.isEmpty(); } // was any recorded?
    bool onlyWithWork() const { return m_selected.onlyWithWork; }

private:
    void addBlocks()
    {
        const CallBlocks &blocks = callBlocks(m_trace, m_progress);
        const std::vector<OperatorSums> sums = blocks.sumsIn(m_host, m_progress);
        for (std::size_t i = 0; i < sums.size(); ++i) {
            if (sums[i].parts != 0)
                m_rows.row(blocks.groups()[i].name, blocks.groups()[i].kind) += sums[i];
        }
    }

    void addCalls(const OperatorOptions &options, TextNumbers &texts)
    {
        const CallInputs *inputs = options.byShape ? &callInputs(m_trace, m_progress.part(0, 0.5)) : nullptr;
        const CallCosts *costs = options.withFlops ? &callCosts(m_trace, m_progress.part(0, 0.5), inputs) : nullptr;
        // By call: numbers of texts, none if they do not count.
        std::vector<std::uint32_t> shapes;
        std::vector<std::uint32_t> stacks;
        if (options.byShape)
            shapes = shapesOf(inputs->dims, texts);
        if (options.frames != 0)
            stacks = callStacks(m_trace, m_nesting, options.frames, texts, m_progress.part(0.5, 0.9));
        CallSums sums(m_host, m_progress);
        sums.includeAll();
        const auto calls = m_nesting.calls();
        sums.addCalls(
            [&](std::uint32_t call) -> OperatorSums & {
                const EventId event = calls[call].event;
                return m_rows.row(m_trace.nameId(event), m_trace.kind(event), shapes.empty() ? 0 : shapes[call],
                                  stacks.empty() ? 0 : stacks[call]);
            },
            costs);
        sums.addMemory(m_memory);
        sums.addWork(TraceScope(m_trace, m_selected.work), callWork(m_trace, m_progress));
    }

    // Numbers of the shapes of calls among the texts of all traces.
    static std::vector<std::uint32_t> shapesOf(const ArgColumn &dims, TextNumbers &texts)
    {
        std::vector<std::uint32_t> numbers;
        for (const std::string &text : dims.texts)
            numbers.push_back(texts.numberOf(text.empty() ? std::string_view("[]") : std::string_view(text)));
        std::vector<std::uint32_t> shapes;
        shapes.reserve(dims.numbers.size());
        for (const std::uint32_t number : dims.numbers)
            shapes.push_back(numbers[number]);
        return shapes;
    }

    void addMemoryOutside()
    {
        if (m_selected.onlyWithWork || m_selected.host.events)
            return;
        for (const std::size_t i : m_memory.outside) {
            if (!isSelected(m_memory.sums.record(i)))
                continue;
            OperatorSums &row = m_rows.memoryRow();
            const MemorySum sum = m_memory.sums.sum({i, i + 1});
            ++row.calls;
            row.memory += sum;
            row.memorySelf += sum;
        }
    }

    bool isSelected(const MemoryRecord &record) const
    {
        if (m_selected.host.restrictsLanes() && (record.lane == kNoLane || !m_host.includesLane(record.lane)))
            return false;
        if (m_host.range() && !m_host.range()->contains(record.time))
            return false;
        const auto steps = m_host.stepRanges();
        return !m_host.hasSteps() || std::any_of(steps.begin(), steps.end(), [&record](TimeRange step) {
            return step.contains(record.time);
        });
    }

    const Trace &m_trace;
    const TorchNesting &m_nesting;
    HostScope m_selected;
    TraceScope m_host;
    RowIndex &m_rows;
    const CallMemory &m_memory;
    const Progress m_progress;
};

Table tableOf(const std::deque<OperatorRow> &rows, const OperatorOptions &options, const TextNumbers &texts,
              bool hasMemory)
{
    Table table;
    table.names("name");
    table.texts("kind");
    if (options.byShape)
        table.lists("input_shapes");
    if (options.frames != 0)
        table.lists("stack");
    table.integers("calls", Unit::Count);
    table.integers("cpu_total_ns", Unit::Ns);
    table.integers("cpu_self_ns", Unit::Ns);
    table.reals("cpu_mean_ns", Unit::Ns);
    for (const char *name : {"device_total_ns", "device_self_ns", "device_total_union_ns", "device_self_union_ns"})
        table.integers(name, Unit::Ns);
    for (const char *name :
         {"cpu_memory_bytes", "cpu_memory_self_bytes", "device_memory_bytes", "device_memory_self_bytes"})
        table.integers(name, Unit::Bytes);
    table.integers("flops", Unit::Flop);
    table.integers("model_flops", Unit::Flop);
    table.integers("model_bytes", Unit::Bytes);
    table.integers("device_with_backward_ns", Unit::Ns);
    for (const OperatorRow &row : rows) {
        std::size_t at = 0;
        const auto put = [&](auto value) { table.column(at++).append(value); };
        const OperatorSums &sums = row.sums;
        put(row.name);
        put(row.kind);
        if (options.byShape)
            put(std::string_view(texts.text(row.shapes)));
        if (options.frames != 0)
            put(std::string_view(texts.text(row.stack)));
        put(sums.calls);
        put(sums.total);
        put(sums.self);
        put(sums.calls != 0 ? std::optional(static_cast<double>(sums.total) / static_cast<double>(sums.calls))
                            : std::nullopt);
        for (const TimeNs time : {sums.deviceTotal, sums.deviceSelf, sums.deviceTotalUnion, sums.deviceSelfUnion})
            put(time);
        for (const std::int64_t bytes :
             {sums.memory.host, sums.memorySelf.host, sums.memory.device, sums.memorySelf.device})
            put(hasMemory ? std::optional(bytes) : std::nullopt);
        put(sums.flops);
        const auto ifAllKnown = [&sums](std::int64_t known, std::int64_t sum) {
            return known != 0 && known == sums.calls ? std::optional(sum) : std::nullopt;
        };
        put(ifAllKnown(sums.modelled, sums.modelFlops));
        put(ifAllKnown(sums.bytesKnown, sums.modelBytes));
        put(sums.deviceWithBackward);
    }
    return table;
}

} // namespace

Table operatorTable(std::span<const RankTrace> traces, const Scope &scope, const OperatorOptions &options,
                    const Progress &progress)
{
    const LargeMemoryReuse reuse; // what is read or sorted for one column makes room for the next
    RowIndex rows;
    TextNumbers texts("[]");
    bool hasMemory = false;
    bool onlyWithWork = false;
    for (std::size_t i = 0; i < traces.size(); ++i) {
        if (!scope.includesRank(traces[i].rank))
            continue;
        const auto count = static_cast<double>(traces.size());
        const TraceRows ofTrace(*traces[i].trace, scope, options, rows, texts,
                                progress.part(static_cast<double>(i) / count, static_cast<double>(i + 1) / count));
        hasMemory = hasMemory || ofTrace.hasMemory();
        onlyWithWork = onlyWithWork || ofTrace.onlyWithWork();
    }
    std::deque<OperatorRow> kept = rows.rows();
    if (onlyWithWork)
        std::erase_if(kept, [](const OperatorRow &row) { return !row.sums.hasWork; });
    Table table = tableOf(kept, options, texts, hasMemory);
    table.sort({*table.find("cpu_self_ns"), false});
    return table;
}

} // namespace ks
