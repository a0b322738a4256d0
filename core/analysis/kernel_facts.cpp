// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/kernel_facts.h"

#include "core/base/parse_number.h"
#include "core/base/text_scan.h"
#include "core/trace/arg_columns.h"
#include "core/trace/args.h"

#include <array>
#include <cmath>
#include <map>

namespace ks {
namespace {

constexpr std::array<std::string_view, 6> kKeys = {"blocks per SM", "est. achieved occupancy %", "grid",
                                                   "block",         "registers per thread",      "shared memory"};

std::vector<std::optional<double>> numbersOf(const std::vector<std::string> &texts)
{
    std::vector<std::optional<double>> numbers;
    for (const std::string &json : texts) {
        double value = 0;
        numbers.push_back(parseDouble(argText(json), value) && std::isfinite(value) ? std::optional(value)
                                                                                    : std::nullopt);
    }
    return numbers;
}

} // namespace

KernelFacts::KernelFacts(const Trace &trace, const Progress &progress)
    : m_all(1)
    , m_configurations(1)
{
    const auto work = workIndex(trace, progress).byBegin();
    std::vector<EventId> kernels;
    std::vector<std::uint32_t> positions;
    for (std::uint32_t i = 0; i < work.size(); ++i) {
        if (work[i].kind == EventKind::Kernel) {
            kernels.push_back(work[i].event);
            positions.push_back(i);
        }
    }
    m_of.assign(work.size(), 0);
    std::vector<ArgColumn> columns;
    try {
        columns = argColumns(trace, kernels, kKeys, progress);
    } catch (const SourceChanged &) {
        return; // what is gone is unknown
    }
    const std::vector<std::optional<double>> blocks = numbersOf(columns[0].texts);
    const std::vector<std::optional<double>> occupancy = numbersOf(columns[1].texts);
    std::map<std::array<std::uint32_t, 4>, std::uint32_t> configurations{{{0, 0, 0, 0}, 0}};
    std::map<std::array<std::uint32_t, 6>, std::uint32_t> known{{{0, 0, 0, 0, 0, 0}, 0}};
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        std::array<std::uint32_t, 6> key{};
        for (std::size_t k = 0; k < key.size(); ++k)
            key[k] = columns[k].numbers[i];
        const auto [entry, isNew] = known.try_emplace(key, static_cast<std::uint32_t>(m_all.size()));
        if (isNew) {
            const auto [configuration, isNewToo] = configurations.try_emplace(
                {key[2], key[3], key[4], key[5]}, static_cast<std::uint32_t>(m_configurations.size()));
            if (isNewToo)
                m_configurations.push_back({columns[2].text(i), columns[3].text(i), parseInteger(columns[4].text(i)),
                                            parseInteger(columns[5].text(i))});
            m_all.push_back({blocks[key[0]], occupancy[key[1]], configuration->second});
        }
        m_of[positions[i]] = entry->second;
    }
}

const KernelFacts &kernelFacts(const Trace &trace, const Progress &progress)
{
    return trace.derived().get<KernelFacts>([&] { return KernelFacts(trace, progress); });
}

} // namespace ks
