// SPDX-License-Identifier: GPL-3.0-or-later
// What the records of a trace say, twice: read by the importer's scanner, and by simdjson, which knows nothing of it. On every valid text both
// must say the same.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ks {

// `array` is the text of a JSON array of records. None if simdjson refuses it, or if an array
// in it begins like a record does: the scanner takes that bracket for damage.
std::optional<std::string> dumpBySimdjson(std::string_view array);
std::string dumpByScanner(std::string_view array);

} // namespace ks
