// SPDX-License-Identifier: GPL-3.0-or-later
// Where in a text does a record start? Guesses, made without knowing whether the text stands inside a string.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace ks {

// Places where records are likely to start: `{` behind `},` and before a key. Used to cut a text into blocks and to go on after damage; a
// wrong guess (such text inside the arguments of a record) costs time, never correctness. npos if there is none.
std::size_t findRecordStart(std::string_view text, std::size_t from); // its `}` stands at or behind `from`
std::size_t findLastRecordStart(std::string_view text);
// Is this, white space aside, an object whose first key is one that records have? None if the text ends too early to tell.
std::optional<bool> startsLikeRecord(std::string_view text);

} // namespace ks
