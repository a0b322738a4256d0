// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/operator_inputs.h"

#include "core/analysis/operator_flops.h"

#include <array>
#include <functional>
#include <unordered_map>

namespace ks {
namespace {

constexpr std::array<std::string_view, 3> kKeys = {"Input Dims", "Input type", "Concrete Inputs"};

struct CallArguments
{
    std::vector<std::uint32_t> calls;
    std::vector<ArgColumn> columns; // in the order of the calls, one for each key
};

// Of the calls that `wanted(name of the event)` picks; launches have none.
template<typename Wanted>
CallArguments readArguments(const Trace &trace, Wanted wanted, const Progress &progress)
{
    const auto calls = torchNesting(trace, progress).calls();
    CallArguments result;
    std::vector<EventId> events;
    for (std::uint32_t i = 0; i < calls.size(); ++i) {
        const EventId event = calls[i].event;
        if (trace.kind(event) != EventKind::Launch && wanted(trace.nameId(event))) {
            events.push_back(event);
            result.calls.push_back(i);
        }
    }
    result.columns = argColumns(trace, events, kKeys, progress);
    return result;
}

CallInputs readInputs(const Trace &trace, const Progress &progress)
{
    CallArguments read = readArguments(
        trace, [](NameId) { return true; }, progress);
    const auto spread = [&](ArgColumn &column) {
        std::vector<std::uint32_t> numbers(torchNesting(trace).calls().size(), 0);
        for (std::size_t i = 0; i < read.calls.size(); ++i)
            numbers[read.calls[i]] = column.numbers[i];
        return ArgColumn{std::move(numbers), std::move(column.texts)};
    };
    return {spread(read.columns[0]), spread(read.columns[1]), spread(read.columns[2])};
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

// Costs of calls of one name with the same arguments are computed once.
class CostsOfInputs
{
public:
    CostsOfInputs(const ArgColumn &dims, const ArgColumn &types, const ArgColumn &concrete)
        : m_dims(dims)
        , m_types(types)
        , m_concrete(concrete)
    {}

    // Number of the cost among those of the result; 0 if nothing is known.
    std::uint32_t numberOf(NameId name, std::size_t position, CallCosts &result)
    {
        const CostKey key{name, m_dims.numbers[position], m_types.numbers[position], m_concrete.numbers[position]};
        if (key.dims == 0)
            return 0;
        const auto [entry, isNew] = m_known.try_emplace(key, 0);
        if (!isNew)
            return entry->second;
        const OperatorInputs given{m_dims.text(position), m_types.text(position), m_concrete.text(position)};
        const CallCost cost{torchFlops(nameText(name), given), modelCost(nameText(name), given)};
        if (cost.flops != 0 || cost.model) {
            entry->second = static_cast<std::uint32_t>(result.costs.size());
            result.costs.push_back(cost);
        }
        return entry->second;
    }

private:
    const ArgColumn &m_dims;
    const ArgColumn &m_types;
    const ArgColumn &m_concrete;
    std::unordered_map<CostKey, std::uint32_t, CostKeyHash> m_known;
};

CallCosts computeCosts(const Trace &trace, const Progress &progress, const CallInputs *inputs)
{
    const auto calls = torchNesting(trace, progress).calls();
    CallCosts result;
    result.numbers.assign(calls.size(), 0);
    result.costs.emplace_back();
    if (!trace.metadata().hasShapes)
        return result;
    HasCost hasCost;
    if (inputs) {
        CostsOfInputs costs(inputs->dims, inputs->types, inputs->concrete);
        for (std::size_t call = 0; call < calls.size(); ++call) {
            const NameId name = trace.nameId(calls[call].event);
            if (inputs->dims.numbers[call] != 0 && hasCost(name))
                result.numbers[call] = costs.numberOf(name, call, result);
        }
        return result;
    }
    const CallArguments read = readArguments(trace, std::ref(hasCost), progress);
    CostsOfInputs costs(read.columns[0], read.columns[1], read.columns[2]);
    for (std::size_t i = 0; i < read.calls.size(); ++i) {
        const std::uint32_t call = read.calls[i];
        result.numbers[call] = costs.numberOf(trace.nameId(calls[call].event), i, result);
    }
    return result;
}

} // namespace

const CallInputs &callInputs(const Trace &trace, const Progress &progress)
{
    return trace.derived().get<CallInputs>([&] { return readInputs(trace, progress); });
}

const CallCosts &callCosts(const Trace &trace, const Progress &progress, const CallInputs *inputs)
{
    return trace.derived().get<CallCosts>([&] { return computeCosts(trace, progress, inputs); });
}

} // namespace ks
