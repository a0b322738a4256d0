// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where numbers become text for people: units chosen by size, 3 to 4 significant digits, the same in every locale.
// (Machine-readable output prints plain integers and never comes here.)
#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <string>

namespace ks {

std::string formatDuration(TimeNs ns); // "0 ns", "950 ns", "18.2 µs", "1.204 ms", "84.5 ms", "2.05 s", "-1.5 µs"
std::string formatExactNs(TimeNs ns);  // "5,312,408 ns"
// A point of time on an axis whose ticks are `resolution` apart: as many digits as tell two ticks apart. "412.0 ms", "1.204 512 s"
std::string formatTimePoint(TimeNs ns, TimeNs resolution);
std::string formatBytes(std::int64_t bytes);   // "512 B", "1.50 GiB"
std::string formatCount(std::uint64_t count);  // "1,234,567"
std::string formatChange(double ratio);        // of what it was before: 1.82 -> "+82.0 %", 0.5 -> "-50.0 %"
std::string formatPercent(double ratio);       // 0.372 -> "37.2 %", 0.0004 -> "0.04 %", 1 -> "100 %"
std::string formatRate(double bytesPerSecond); // "812 GB/s" (powers of 1000, as the field counts bandwidth)

} // namespace ks
