// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/operators.h"

#include "core/analysis/call_stacks.h"
#include "core/analysis/device_work.h"
#include "core/analysis/host_calls.h"
#include "core/analysis/host_scope.h"
#include "core/analysis/memory_sums.h"
#include "core/analysis/operator_inputs.h"
#include "core/analysis/torch_nesting.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <tuple>

namespace ks {
namespace {

constexpr std::uint32_t kNone = TorchNesting::kNone;
constexpr std::string_view kMemoryName = "[memory]";

struct OperatorRow
{
    NameId name = kNoName;
    std::string_view kind;
    std::uint32_t shapes = 0;
    std::uint32_t stack = 0;
    std::int64_t calls = 0;
    TimeNs total = 0;
    TimeNs self = 0;
    TimeNs deviceTotal = 0;
    TimeNs deviceSelf = 0;
    TimeNs deviceTotalUnion = 0;
    TimeNs deviceSelfUnion = 0;
    TimeNs deviceWithBackward = 0;
    MemorySum memory;
    MemorySum memorySelf;
    std::int64_t flops = 0;
    std::int64_t modelFlops = 0;
    std::int64_t modelBytes = 0;
    std::int64_t modelled = 0;   // calls whose model knows the flops
    std::int64_t bytesKnown = 0; // calls whose model knows the bytes
    bool hasWork = false;
};

// Rows by name and kind, and by shapes and stack where these count.
class RowIndex
{
public:
    OperatorRow &row(NameId name, EventKind kind, std::uint32_t shapes, std::uint32_t stack)
    {
        if (shapes != 0 || stack != 0)
            return byKey(name, kind, shapes, stack);
        if (index(name) >= m_byName.size())
            m_byName.resize(index(name) + 1);
        OperatorRow *&known = m_byName[index(name)][static_cast<std::size_t>(kind)];
        if (!known)
            known = &add(name, eventKindId(kind), 0, 0);
        return *known;
    }

    OperatorRow &memoryRow()
    {
        if (!m_memory)
            m_memory = &add(internName(kMemoryName), "memory", 0, 0);
        return *m_memory;
    }

    const std::deque<OperatorRow> &rows() const { return m_rows; }

private:
    using Key = std::tuple<NameId, EventKind, std::uint32_t, std::uint32_t>;

    OperatorRow &byKey(NameId name, EventKind kind, std::uint32_t shapes, std::uint32_t stack)
    {
        OperatorRow *&known = m_byKey[Key{name, kind, shapes, stack}];
        if (!known)
            known = &add(name, eventKindId(kind), shapes, stack);
        return *known;
    }

    OperatorRow &add(NameId name, std::string_view kind, std::uint32_t shapes, std::uint32_t stack)
    {
        OperatorRow &row = m_rows.emplace_back();
        row.name = name;
        row.kind = kind;
        row.shapes = shapes;
        row.stack = stack;
        return row;
    }

    static_assert(static_cast<std::size_t>(EventKind::Operator) < 4
                  && static_cast<std::size_t>(EventKind::Annotation) < 4
                  && static_cast<std::size_t>(EventKind::Launch) < 4);
    std::deque<OperatorRow> m_rows;                     // pointers into it stay
    std::vector<std::array<OperatorRow *, 4>> m_byName; // those without shapes and stack
    std::map<Key, OperatorRow *> m_byKey;
    OperatorRow *m_memory = nullptr;
};

// The name a row has for an event of that name.
class RowNames
{
public:
    NameId operator()(NameId name)
    {
        if (index(name) >= m_names.size())
            m_names.resize(index(name) + 1, kNoName);
        NameId &known = m_names[index(name)];
        if (known == kNoName)
            known = nameText(name).starts_with(kStepPrefix) ? internName(kStepRow) : name;
        return known;
    }

private:
    std::vector<NameId> m_names;
};

// Adds one trace to the rows.
class TraceRows
{
public:
    TraceRows(const Trace &trace, const Scope &scope, const OperatorOptions &options, RowIndex &rows, RowNames &names,
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
        , m_options(options)
        , m_rows(rows)
        , m_progress(progress)
    {
        if (options.byShape)
            readShapes(texts);
        if (options.frames != 0)
            m_stacks = callStacks(trace, m_nesting, options.frames, texts, progress.part(0.5, 0.9));
        if (options.withFlops)
            m_costs = &callCosts(trace, progress.part(0, 0.5));
        m_rowOf.assign(m_nesting.calls().size(), nullptr);
        addCalls(names);
    }

    // Was any recorded?
    bool addMemory()
    {
        MemorySums sums(m_trace.memory());
        if (sums.isEmpty())
            return false;
        const auto calls = m_nesting.calls();
        std::vector<std::int32_t> covering(sums.size() + 1, 0); // +1 where a call begins to cover, −1 where it ends
        std::vector<MemorySum> own(calls.size());
        for (std::size_t i = 0; i < calls.size(); ++i) {
            const MemorySums::Part whole = sums.within(calls[i].range);
            ++covering[whole.first];
            --covering[whole.end];
            MemorySums::Part part = whole;
            if (m_host.range() && !m_host.range()->contains(calls[i].range))
                part = sums.within(calls[i].range.clampedTo(*m_host.range()));
            const MemorySum sum = sums.sum(part);
            own[i] += sum;
            if (calls[i].parent != kNone)
                own[calls[i].parent] -= sum;
            if (m_rowOf[i])
                m_rowOf[i]->memory += sum;
        }
        for (std::size_t i = 0; i < calls.size(); ++i) {
            if (m_rowOf[i])
                m_rowOf[i]->memorySelf += own[i];
        }
        if (m_selected.onlyWithWork || m_selected.host.events)
            return true;
        std::int64_t depth = 0;
        for (std::size_t i = 0; i < sums.size(); ++i) {
            depth += covering[i];
            const MemoryRecord &record = sums.record(i);
            if (depth != 0 || !isSelected(record))
                continue;
            OperatorRow &row = m_rows.memoryRow();
            const MemorySum sum = sums.sum({i, i + 1});
            ++row.calls;
            row.memory += sum;
            row.memorySelf += sum;
        }
        return true;
    }

    void addDeviceWork()
    {
        const std::vector<DeviceWork> work = selectedWork(TraceScope(m_trace, m_selected.work), m_progress);
        if (work.empty())
            return;
        HostCalls owners(m_trace, m_nesting);
        // Work comes by begin, so the union of a call grows at its end only.
        std::vector<TimeNs> totalEnd(m_nesting.calls().size(), kMinTime);
        std::vector<TimeNs> selfEnd(m_nesting.calls().size(), kMinTime);
        const auto add = [this](std::uint32_t call, TimeRange part, TimeNs OperatorRow::*sum,
                                TimeNs OperatorRow::*unionOf, std::vector<TimeNs> &ends) {
            OperatorRow *row = m_rowOf[call];
            if (!row)
                return;
            row->hasWork = true;
            row->*sum = saturatingAdd(row->*sum, part.duration());
            if (part.end > ends[call]) {
                row->*unionOf = saturatingAdd(row->*unionOf, part.end - std::max(part.begin, ends[call]));
                ends[call] = part.end;
            }
        };
        for (const DeviceWork &piece : work) {
            const HostCalls::Owners &of = owners.ownersOf(piece.event);
            for (const auto *calls : {&of.all, &of.forward}) {
                for (const std::uint32_t call : *calls) {
                    if (OperatorRow *row = m_rowOf[call])
                        row->deviceWithBackward = saturatingAdd(row->deviceWithBackward, piece.part.duration());
                }
            }
            for (const std::uint32_t call : of.all)
                add(call, piece.part, &OperatorRow::deviceTotal, &OperatorRow::deviceTotalUnion, totalEnd);
            if (of.self != kNone)
                add(of.self, piece.part, &OperatorRow::deviceSelf, &OperatorRow::deviceSelfUnion, selfEnd);
        }
    }

    bool onlyWithWork() const { return m_selected.onlyWithWork; }

private:
    void addCalls(RowNames &names)
    {
        const auto calls = m_nesting.calls();
        const std::vector<TimeNs> self = m_nesting.selfTimes(m_host.range());
        const bool all = m_host.isEverything();
        for (std::size_t l = 0; l < m_trace.lanes().size(); ++l) {
            const auto lane = static_cast<LaneId>(l);
            if (!m_host.includesLane(lane))
                continue;
            m_progress.throwIfStopped();
            for (std::uint32_t i = m_nesting.firstOfLane(lane); i < m_nesting.endOfLane(lane); ++i) {
                const EventId event = calls[i].event;
                TimeRange part = calls[i].range;
                bool isCall = true;
                if (!all) {
                    const std::optional<TimeRange> selected = m_host.part(event);
                    if (!selected)
                        continue;
                    part = *selected;
                    isCall = m_host.counts(event);
                }
                OperatorRow &row = m_rows.row(names(m_trace.nameId(event)), m_trace.kind(event),
                                              m_shapes.empty() ? 0 : m_shapes[i], m_stacks.empty() ? 0 : m_stacks[i]);
                m_rowOf[i] = &row;
                row.calls += isCall ? 1 : 0;
                row.total = saturatingAdd(row.total, part.duration());
                row.self = saturatingAdd(row.self, self[i]);
                if (m_costs && isCall && m_costs->numbers[i] != 0)
                    addCost(row, m_costs->costs[m_costs->numbers[i]]);
            }
        }
    }

    // Numbers of the shapes of calls among the texts of all traces.
    void readShapes(TextNumbers &texts)
    {
        const ArgColumn &dims = callInputs(m_trace, m_progress.part(0, 0.5)).dims;
        std::vector<std::uint32_t> numbers;
        for (const std::string &text : dims.texts)
            numbers.push_back(texts.numberOf(text.empty() ? std::string_view("[]") : std::string_view(text)));
        m_shapes.reserve(dims.numbers.size());
        for (const std::uint32_t number : dims.numbers)
            m_shapes.push_back(numbers[number]);
    }

    static void addCost(OperatorRow &row, const CallCost &cost)
    {
        row.flops = saturatingAdd(row.flops, cost.flops);
        if (!cost.model)
            return;
        row.modelFlops = saturatingAdd(row.modelFlops, cost.model->flops);
        row.modelBytes = saturatingAdd(row.modelBytes, cost.model->bytes.value_or(0));
        ++row.modelled;
        row.bytesKnown += cost.model->bytes ? 1 : 0;
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
    const OperatorOptions &m_options;
    RowIndex &m_rows;
    const Progress m_progress;
    std::vector<std::uint32_t> m_shapes; // by call: number of a text, none if they do not count
    std::vector<std::uint32_t> m_stacks; // the same
    const CallCosts *m_costs = nullptr;
    std::vector<OperatorRow *> m_rowOf; // by call; null if it is not selected
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
        put(row.name);
        put(row.kind);
        if (options.byShape)
            put(std::string_view(texts.text(row.shapes)));
        if (options.frames != 0)
            put(std::string_view(texts.text(row.stack)));
        put(row.calls);
        put(row.total);
        put(row.self);
        put(row.calls != 0 ? std::optional(static_cast<double>(row.total) / static_cast<double>(row.calls))
                           : std::nullopt);
        for (const TimeNs time : {row.deviceTotal, row.deviceSelf, row.deviceTotalUnion, row.deviceSelfUnion})
            put(time);
        for (const std::int64_t bytes :
             {row.memory.host, row.memorySelf.host, row.memory.device, row.memorySelf.device})
            put(hasMemory ? std::optional(bytes) : std::nullopt);
        put(row.flops);
        const auto ifAllKnown = [&row](std::int64_t known, std::int64_t sum) {
            return known != 0 && known == row.calls ? std::optional(sum) : std::nullopt;
        };
        put(ifAllKnown(row.modelled, row.modelFlops));
        put(ifAllKnown(row.bytesKnown, row.modelBytes));
        put(row.deviceWithBackward);
    }
    return table;
}

} // namespace

Table operatorTable(std::span<const RankTrace> traces, const Scope &scope, const OperatorOptions &options,
                    const Progress &progress)
{
    RowIndex rows;
    RowNames names;
    TextNumbers texts("[]");
    bool hasMemory = false;
    bool onlyWithWork = false;
    for (std::size_t i = 0; i < traces.size(); ++i) {
        if (!scope.includesRank(traces[i].rank))
            continue;
        const auto count = static_cast<double>(traces.size());
        TraceRows ofTrace(*traces[i].trace, scope, options, rows, names, texts,
                          progress.part(static_cast<double>(i) / count, static_cast<double>(i + 1) / count));
        hasMemory = ofTrace.addMemory() || hasMemory;
        ofTrace.addDeviceWork();
        onlyWithWork = onlyWithWork || ofTrace.onlyWithWork();
    }
    std::deque<OperatorRow> kept = rows.rows();
    if (onlyWithWork)
        std::erase_if(kept, [](const OperatorRow &row) { return !row.hasWork; });
    Table table = tableOf(kept, options, texts, hasMemory);
    table.sort({*table.find("cpu_self_ns"), false});
    return table;
}

} // namespace ks
