// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/steps.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <tuple>

namespace ks {
namespace {

bool stepNumber(std::string_view name, std::int64_t &number)
{
    constexpr std::string_view kPrefix = "ProfilerStep#";
    if (!name.starts_with(kPrefix))
        return false;
    const std::string_view digits = name.substr(kPrefix.size());
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error == std::errc() && end == digits.data() + digits.size() && number >= 0 && digits.front() != '-';
}

} // namespace

std::vector<Step> findSteps(const Trace &trace)
{
    std::vector<Step> steps;
    for (const Lane &lane : trace.lanes()) {
        if (lane.kind != LaneKind::Cpu)
            continue;
        for (EventId id = lane.firstEvent; id < lane.endEvent; id = advance(id, 1)) {
            const EventKind kind = trace.kind(id);
            if (kind != EventKind::Operator && kind != EventKind::Annotation)
                continue;
            std::int64_t number = 0;
            if (stepNumber(trace.name(id), number))
                steps.push_back({number, id, trace.range(id)});
        }
    }
    std::sort(steps.begin(), steps.end(), [](const Step &a, const Step &b) {
        return std::tuple(a.range.begin, a.number, a.event) < std::tuple(b.range.begin, b.number, b.event);
    });
    return steps;
}

} // namespace ks
