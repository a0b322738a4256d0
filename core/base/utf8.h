// SPDX-License-Identifier: GPL-3.0-or-later
// Code points of UTF-8 text, and how many columns they take in a terminal. Locale-independent; surrogates and overlong
// forms are invalid.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ks {

inline constexpr std::string_view kReplacementUtf8 = "\xef\xbf\xbd";

struct Utf8Char
{
    char32_t code = 0xfffd;
    std::size_t bytes = 1; // to go on; of an invalid sequence the bytes that belong together
    bool isValid = false;
};

// The first code point of a text that is not empty.
Utf8Char decodeUtf8(std::string_view text);

// 0 for combining marks, 2 for wide East Asian characters and emoji, else 1.
int columnsOf(char32_t code);
std::size_t columnsOf(std::string_view text);

// Not wider than `columns`: what is cut from the middle becomes one "…", since the ends of kernel names tell them
// apart.
std::string elidedMiddle(std::string_view text, std::size_t columns);

} // namespace ks
