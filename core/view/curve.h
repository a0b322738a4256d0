// SPDX-License-Identifier: GPL-3.0-or-later
// A step function of time: a memory curve, a series of a counter. Least and greatest value of any stretch of samples in
// O(log n) from pyramids of fan-out 16. Build: O(n), about 2.5 ms per million samples.
#pragma once

#include "core/base/time.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace ks {

struct Extremes
{
    double least = 0;
    double greatest = 0;
};

class Curve
{
public:
    Curve() = default;
    // times ascending, both of one length; a value holds from its time to the next.
    Curve(std::string name, std::vector<TimeNs> times, std::vector<double> values);

    const std::string &name() const { return m_name; }
    const std::vector<TimeNs> &times() const { return m_times; }
    const std::vector<double> &values() const { return m_values; }
    std::size_t size() const { return m_times.size(); }
    bool isEmpty() const { return m_times.empty(); }

    Extremes extremes(std::size_t first, std::size_t end) const; // of a non-empty stretch of samples
    Extremes extremes() const { return extremes(0, size()); }
    std::size_t firstAtOrAfter(TimeNs t) const; // O(log n)
    // Of each stretch from one border (ascending) to the next: the value that holds when it begins and those in it. The curve is not empty.
    void appendExtremes(std::span<const TimeNs> borders, std::vector<Extremes> &into) const;
    const double *valueAt(TimeNs t) const; // null before the first sample

private:
    std::string m_name;
    std::vector<TimeNs> m_times;
    std::vector<double> m_values;
    std::vector<TimeNs> m_groupTimes;            // of every 16th sample
    std::vector<std::vector<Extremes>> m_levels; // m_levels[k][i] covers 16^(k+1) samples from i * 16^(k+1)
};

} // namespace ks
