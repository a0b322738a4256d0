// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/operator_inputs.h"

#include "core/analysis/operator_flops.h"

#include <array>
#include <unordered_map>

namespace ks {
namespace {

constexpr std::array<std::string_view, 3> kKeys = {"Input Dims", "Input type", "Concrete Inputs"};

// By position in `events`.
CallInputs readInputs(const Trace &trace, std::span<const EventId> events, const Progress &progress)
{
    std::vector<ArgColumn> columns = argColumns(trace, events, kKeys, progress);
    return {std::move(columns[0]), std::move(columns[1]), std::move(columns[2])};
}

struct CostKey
{
    NameId name;
    std::uint32_t dims, types, concrete;
    friend bool operator==(const CostKey &, const CostKey &) = default;
};
struct CostKeyHash
{
    std::size_t operator()(const CostKey &key) const
    {
        std::size_t hash = index(key.name);
        for (const std::uint32_t number : {key.dims, key.types, key.concrete})
            hash = hash * 0x9e3779b97f4a7c15U + number;
        return hash ^ (hash >> 29U);
    }
};

// Which names have a cost.
class HasCost
{
public:
    bool operator()(NameId name)
    {
        if (index(name) >= m_known.size())
            m_known.resize(index(name) + 1, -1);
        std::int8_t &known = m_known[index(name)];
        if (known < 0)
            known = hasModel(nameText(name)) || hasTorchFlops(nameText(name)) ? 1 : 0;
        return known == 1;
    }

private:
    std::vector<std::int8_t> m_known; // by name: −1 = not yet
};

// Computes the cost of each distinct call once.
class CostTable
{
public:
    // The number of the cost of a call with the inputs at that position.
    std::uint32_t numberOf(NameId name, const CallInputs &inputs, std::size_t position)
    {
        const CostKey key{name, inputs.dims.numbers[position], inputs.types.numbers[position],
                          inputs.concrete.numbers[position]};
        if (key.dims == 0)
            return 0;
        if (index(name) >= m_lastOfName.size())
            m_lastOfName.resize(index(name) + 1);
        Known &last = m_lastOfName[index(name)];
        if (last.key == key)
            return last.number;
        const auto [entry, isNew] = m_numbers.try_emplace(key, 0);
        if (isNew)
            entry->second = add(nameText(name), {inputs.dims.text(position), inputs.types.text(position),
                                                 inputs.concrete.text(position)});
        last = {key, entry->second};
        return entry->second;
    }

    std::vector<CallCost> take() && { return std::move(m_costs); }

private:
    struct Known
    {
        CostKey key{kNoName, 0, 0, 0};
        std::uint32_t number = 0;
    };

    std::uint32_t add(std::string_view name, const OperatorInputs &inputs)
    {
        const CallCost cost{torchFlops(name, inputs), modelCost(name, inputs)};
        if (cost.flops == 0 && !cost.model)
            return 0;
        m_costs.push_back(cost);
        return static_cast<std::uint32_t>(m_costs.size() - 1);
    }

    std::vector<CallCost> m_costs = std::vector<CallCost>(1);
    std::unordered_map<CostKey, std::uint32_t, CostKeyHash> m_numbers;
    std::vector<Known> m_lastOfName; // most calls of a name are like the one before
};

CallCosts computeCosts(const Trace &trace, const Progress &progress, const CallInputs *inputs)
{
    const auto calls = torchNesting(trace, progress).calls();
    CallCosts result;
    result.numbers.assign(calls.size(), 0);
    CostTable costs;
    if (trace.metadata().hasShapes) {
        HasCost hasCost;
        LargeArray<std::uint32_t> wanted; // calls
        LargeArray<EventId> events;
        wanted.reserve(calls.size());
        events.reserve(calls.size());
        for (std::uint32_t i = 0; i < calls.size(); ++i) {
            if (!hasCost(trace.nameId(calls[i].event)) || trace.kind(calls[i].event) == EventKind::Launch)
                continue;
            wanted.push_back(i);
            events.push_back(calls[i].event);
        }
        const CallInputs own = inputs ? CallInputs() : readInputs(trace, events, progress);
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            result.numbers[wanted[i]] = inputs ? costs.numberOf(trace.nameId(events[i]), *inputs, wanted[i])
                                               : costs.numberOf(trace.nameId(events[i]), own, i);
        }
    }
    result.costs = std::move(costs).take();
    return result;
}

} // namespace

const CallInputs &callInputs(const Trace &trace, const Progress &progress)
{
    return trace.derived().get<CallInputs>([&] {
        LargeArray<EventId> events;
        const auto calls = torchNesting(trace, progress).calls();
        events.reserve(calls.size());
        for (const TorchNesting::Call &call : calls)
            events.push_back(trace.kind(call.event) != EventKind::Launch ? call.event : kNoEvent);
        return readInputs(trace, events, progress);
    });
}

const CallCosts &callCosts(const Trace &trace, const Progress &progress, const CallInputs *inputs)
{
    return trace.derived().get<CallCosts>([&] { return computeCosts(trace, progress, inputs); });
}

} // namespace ks
