// SPDX-License-Identifier: GPL-3.0-or-later
// Counters (phase C). A counter is (process, name, id); each numeric argument is one series, a step function of time.
#pragma once

#include "core/base/scalar_id.h"
#include "core/base/time.h"

#include <optional>
#include <string>
#include <vector>

namespace ks {

struct CounterSeries
{
    std::string name;          // may be empty
    std::vector<TimeNs> times; // ascending, ties in file order
    std::vector<double> values;
};

struct Counter
{
    ScalarId pid;
    std::string name;
    std::optional<ScalarId> id;
    std::vector<CounterSeries> series; // in order of first appearance
};

} // namespace ks
