// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/operator_inputs.h"

#include "core/analysis/operator_flops.h"

#include <array>
#include <functional>
#include <unordered_map>

namespace ks {
namespace {

constexpr std::array<std::string_view, 3> kKeys = {"Input Dims", "Input type", "Concrete Inputs"};

// Of the calls that `wanted(name of the event)` picks; launches have none.
template<typename Wanted>
CallInputs readInputs(const Trace &trace, Wanted wanted, const Progress &progress)
{
    LargeArray<EventId> events;
    const auto calls = torchNesting(trace, progress).calls();
    events.reserve(calls.size());
    for (const TorchNesting::Call &call : calls) {
        const bool isRead = trace.kind(call.event) != EventKind::Launch && wanted(trace.nameId(call.event));
        events.push_back(isRead ? call.event : kNoEvent);
    }
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

CallCosts computeCosts(const Trace &trace, const Progress &progress, const CallInputs *inputs)
{
    const auto calls = torchNesting(trace, progress).calls();
    CallCosts result;
    result.numbers.assign(calls.size(), 0);
    result.costs.emplace_back();
    if (!trace.metadata().hasShapes)
        return result;
    HasCost hasCost;
    const CallInputs own = inputs ? CallInputs() : readInputs(trace, std::ref(hasCost), progress);
    const CallInputs &all = inputs ? *inputs : own;
    std::unordered_map<CostKey, std::uint32_t, CostKeyHash> known;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const CostKey key{trace.nameId(calls[i].event), all.dims.numbers[i], all.types.numbers[i],
                          all.concrete.numbers[i]};
        if (key.dims == 0 || !hasCost(key.name))
            continue;
        const auto [entry, isNew] = known.try_emplace(key, 0);
        if (isNew) {
            const std::string_view name = nameText(key.name);
            const OperatorInputs given{all.dims.text(i), all.types.text(i), all.concrete.text(i)};
            const CallCost cost{torchFlops(name, given), modelCost(name, given)};
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
    return trace.derived().get<CallInputs>([&] {
        return readInputs(
            trace, [](NameId) { return true; }, progress);
    });
}

const CallCosts &callCosts(const Trace &trace, const Progress &progress, const CallInputs *inputs)
{
    return trace.derived().get<CallCosts>([&] { return computeCosts(trace, progress, inputs); });
}

} // namespace ks
