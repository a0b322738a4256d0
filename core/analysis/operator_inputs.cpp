// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/operator_inputs.h"

#include "core/analysis/operator_flops.h"

#include <array>
#include <unordered_map>

namespace ks {
namespace {

constexpr std::array<std::string_view, 3> kKeys = {"Input Dims", "Input type", "Concrete Inputs"};

CallInputs readInputs(const Trace &trace, const Progress &progress)
{
    const auto calls = torchNesting(trace, progress).calls();
    std::vector<EventId> events;
    std::vector<std::uint32_t> positions;
    for (std::uint32_t i = 0; i < calls.size(); ++i) {
        if (trace.kind(calls[i].event) != EventKind::Launch) {
            events.push_back(calls[i].event);
            positions.push_back(i);
        }
    }
    std::vector<ArgColumn> columns = argColumns(trace, events, kKeys, progress);
    const auto spread = [&](ArgColumn &column) {
        std::vector<std::uint32_t> numbers(calls.size(), 0);
        for (std::size_t i = 0; i < positions.size(); ++i)
            numbers[positions[i]] = column.numbers[i];
        return ArgColumn{std::move(numbers), std::move(column.texts)};
    };
    return {spread(columns[0]), spread(columns[1]), spread(columns[2])};
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
    const CallInputs &inputs = callInputs(trace, progress);
    std::unordered_map<CostKey, std::uint32_t, CostKeyHash> known;
    for (std::uint32_t i = 0; i < calls.size(); ++i) {
        const CostKey key{trace.nameId(calls[i].event), inputs.dims.numbers[i], inputs.types.numbers[i],
                          inputs.concrete.numbers[i]};
        if (key.dims == 0)
            continue;
        const auto [entry, isNew] = known.try_emplace(key, 0);
        if (isNew) {
            const std::string_view name = nameText(key.name);
            const OperatorInputs given{inputs.dims.text(i), inputs.types.text(i), inputs.concrete.text(i)};
            CallCost cost{torchFlops(name, given), modelCost(name, given)};
            if (cost.flops != 0 || cost.model) {
                entry->second = static_cast<std::uint32_t>(result.costs.size());
                result.costs.push_back(cost);
            }
        }
        result.numbers[i] = entry->second;
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
