// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/steps.h"

#include "core/base/per_name.h"

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
    std::int64_t number = 0;
    PerName<bool> isStep([&](std::string_view name) { return stepNumber(name, number); });
    for (const Row &row : trace.rows()) {
        if (trace.lane(row.lane).kind != LaneKind::Cpu || row.group != RowGroup::Work)
            continue;
        for (EventId id = row.firstEvent; id < row.endEvent; id = advance(id, 1)) {
            if (!isStep.of(trace.nameId(id)))
                continue;
            const EventKind kind = trace.kind(id);
            if ((kind == EventKind::Operator || kind == EventKind::Annotation) && stepNumber(trace.name(id), number))
                steps.push_back({number, id, trace.range(id)});
        }
    }
    std::sort(steps.begin(), steps.end(), [](const Step &a, const Step &b) {
        return std::tuple(a.range.begin, a.number, a.event) < std::tuple(b.range.begin, b.number, b.event);
    });
    return steps;
}

} // namespace ks
