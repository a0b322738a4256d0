// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/kernel_args.h"

#include "core/base/text_scan.h"
#include "core/trace/args.h"

#include <algorithm>
#include <numeric>

namespace ks {
namespace {

constexpr std::size_t kBatch = 4096;

std::optional<double> numberOf(const Args &args, std::string_view key)
{
    const std::optional<std::string_view> json = findArg(args, key);
    double value = 0;
    if (!json || !parseDouble(argText(*json), value))
        return {};
    return value;
}

} // namespace

std::vector<KernelArgs> kernelArgs(const Trace &trace, std::span<const EventId> events, const Progress &progress)
{
    std::vector<KernelArgs> all(events.size());
    std::vector<std::size_t> order(events.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return trace.recordOffset(events[a]) < trace.recordOffset(events[b]);
    });
    std::vector<EventId> batch;
    for (std::size_t first = 0; first < order.size(); first += kBatch) {
        progress.throwIfStopped();
        const std::size_t last = std::min(first + kBatch, order.size());
        batch.clear();
        for (std::size_t i = first; i < last; ++i)
            batch.push_back(events[order[i]]);
        try {
            const std::vector<Args> args = parseArgs(trace, batch);
            for (std::size_t i = first; i < last; ++i)
                all[order[i]] = {numberOf(args[i - first], "blocks per SM"),
                                 numberOf(args[i - first], "est. achieved occupancy %")};
        } catch (const SourceChanged &) {
            return all; // what is gone is unknown
        }
    }
    return all;
}

} // namespace ks
