// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as people type them in options and filters. Whole text or nothing; none also if the number does not fit. Decimal fractions
// are exact and rounded to nearest, ties away from zero.
#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace ks {

std::optional<std::int64_t> parseInteger(std::string_view text); // "-12"
std::optional<TimeNs> parseDuration(std::string_view text); // "1.5ms", "20us", "20 µs", "3s", "500ns"; a unit is needed
std::optional<std::int64_t>
parseBytes(std::string_view text); // "64MiB", "1.5 GB", "512B", "512": KiB = 1024, KB = 1000

} // namespace ks
