// SPDX-License-Identifier: GPL-3.0-or-later
// Decimal text of microseconds -> nanoseconds, the slow and obvious way: digits in a string, the point moved by hand. What parseMicroseconds()
// is measured by.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ks {

// Rounded to nearest, ties away from zero; saturates at 64 bits; none if the text is no number of JSON's grammar (a leading '+', a missing
// digit before or behind the point are allowed, as real files have them).
std::optional<std::int64_t> exactNanoseconds(std::string_view microseconds);

} // namespace ks
