// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/operator_inputs.h"

#include "core/analysis/operator_flops.h"

#include <array>
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

CallCosts computeCosts(const Trace &trace, const Progress &progress)
{
    const auto calls = torchNesting(trace, progress).calls();
    CallCosts result;
    result.numbers.assign(calls.size(), 0);
    result.costs.emplace_back();
    if (!trace.metadata().hasShapes)
        return result;
    std::vector<std::int8_t> isCounted; // by name: −1 = not yet known
    const auto counts = [&isCounted](NameId name) {
        if (index(name) >= isCounted.size())
            isCounted.resize(index(name) + 1, -1);
        std::int8_t &known = isCounted[index(name)];
        if (known < 0)
            known = hasModel(nameText(name)) || hasTorchFlops(nameText(name)) ? 1 : 0;
        return known == 1;
    };
    const CallArguments read = readArguments(trace, counts, progress);
    const ArgColumn &dims = read.columns[0];
    const ArgColumn &types = read.columns[1];
    const ArgColumn &concrete = read.columns[2];
    std::unordered_map<CostKey, std::uint32_t, CostKeyHash> known;
    for (std::size_t i = 0; i < read.calls.size(); ++i) {
        const std::uint32_t call = read.calls[i];
        const CostKey key{trace.nameId(calls[call].event), dims.numbers[i], types.numbers[i], concrete.numbers[i]};
        if (key.dims == 0)
            continue;
        const auto [entry, isNew] = known.try_emplace(key, 0);
        if (isNew) {
            const std::string_view name = nameText(key.name);
            const OperatorInputs given{dims.text(i), types.text(i), concrete.text(i)};
            const CallCost cost{torchFlops(name, given), modelCost(name, given)};
            if (cost.flops != 0 || cost.model) {
                entry->second = static_cast<std::uint32_t>(result.costs.size());
                result.costs.push_back(cost);
            }
        }
        result.numbers[call] = entry->second;
    }
    return result;
}

} // namespace

const CallInputs &callInputs(const Trace &trace, const Progress &progress)
{
    return trace.derived().get<CallInputs>([&] { return readInputs(trace, progress); });
}

const CallCosts &callCosts(const Trace &trace, const Progress &progress)
{
    return trace.derived().get<CallCosts>([&] { return computeCosts(trace, progress); });
}

} // namespace ks
