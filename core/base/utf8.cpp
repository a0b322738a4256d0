// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/utf8.h"

#include <algorithm>
#include <array>
#include <vector>

namespace ks {
namespace {

struct Block
{
    char32_t first, last;
};

// Marks that stand on the character before them.
constexpr std::array kZeroWidth = {
    Block{0x0300, 0x036f}, Block{0x0483, 0x0489},   Block{0x0591, 0x05bd}, Block{0x0610, 0x061a}, Block{0x064b, 0x065f},
    Block{0x0e31, 0x0e31}, Block{0x0e34, 0x0e3a},   Block{0x1ab0, 0x1aff}, Block{0x1dc0, 0x1dff}, Block{0x200b, 0x200f},
    Block{0x202a, 0x202e}, Block{0x2060, 0x2064},   Block{0x20d0, 0x20ff}, Block{0xfe00, 0xfe0f}, Block{0xfe20, 0xfe2f},
    Block{0xfeff, 0xfeff}, Block{0xe0100, 0xe01ef},
};

constexpr std::array kWide = {
    Block{0x1100, 0x115f},   Block{0x231a, 0x231b},   Block{0x23e9, 0x23ec},   Block{0x2614, 0x2615},
    Block{0x26a1, 0x26a1},   Block{0x2705, 0x2705},   Block{0x274c, 0x274c},   Block{0x2753, 0x2757},
    Block{0x2795, 0x2797},   Block{0x2b1b, 0x2b1c},   Block{0x2b50, 0x2b50},   Block{0x2e80, 0x303e},
    Block{0x3041, 0x33ff},   Block{0x3400, 0x4dbf},   Block{0x4e00, 0x9fff},   Block{0xa000, 0xa4cf},
    Block{0xa960, 0xa97f},   Block{0xac00, 0xd7a3},   Block{0xf900, 0xfaff},   Block{0xfe30, 0xfe6f},
    Block{0xff00, 0xff60},   Block{0xffe0, 0xffe6},   Block{0x1f300, 0x1f64f}, Block{0x1f680, 0x1f6ff},
    Block{0x1f900, 0x1f9ff}, Block{0x1fa70, 0x1faff}, Block{0x20000, 0x3fffd},
};

template<std::size_t N>
bool contains(const std::array<Block, N> &blocks, char32_t code)
{
    const auto after = std::upper_bound(blocks.begin(), blocks.end(), code,
                                        [](char32_t wanted, const Block &block) { return wanted < block.first; });
    return after != blocks.begin() && code <= std::prev(after)->last;
}

} // namespace

Utf8Char decodeUtf8(std::string_view text)
{
    const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80)
        return {lead, 1, true};
    const std::size_t length = lead >= 0xc2 && lead <= 0xdf   ? 2
                               : (lead & 0xf0U) == 0xe0       ? 3
                               : lead >= 0xf0 && lead <= 0xf4 ? 4
                                                              : 1;
    if (length == 1)
        return {};
    char32_t code = lead & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if (i >= text.size() || (byte(i) & 0xc0U) != 0x80)
            return {0xfffd, i, false};
        code = (code << 6U) | (byte(i) & 0x3fU);
        // Overlong forms, surrogates and what lies beyond Unicode show in the second byte.
        const bool isWrong = i == 1
                             && ((lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xed && byte(1) > 0x9f)
                                 || (lead == 0xf0 && byte(1) < 0x90) || (lead == 0xf4 && byte(1) > 0x8f));
        if (isWrong)
            return {0xfffd, 1, false};
    }
    return {code, length, true};
}

int columnsOf(char32_t code)
{
    if (code < 0x300)
        return code < 0x20 || (code >= 0x7f && code < 0xa0) ? 0 : 1;
    if (contains(kZeroWidth, code))
        return 0;
    return contains(kWide, code) ? 2 : 1;
}

std::size_t columnsOf(std::string_view text)
{
    std::size_t columns = 0;
    while (!text.empty()) {
        const Utf8Char c = decodeUtf8(text);
        columns += static_cast<std::size_t>(columnsOf(c.code));
        text.remove_prefix(c.bytes);
    }
    return columns;
}

std::string elidedMiddle(std::string_view text, std::size_t columns)
{
    if (text.size() <= columns || columnsOf(text) <= columns)
        return std::string(text);
    if (columns < 2)
        return columns == 0 ? std::string() : std::string("…");
    // Where each character starts and how many columns stand before it.
    std::vector<std::size_t> starts;
    std::vector<std::size_t> before;
    std::size_t width = 0;
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Char c = decodeUtf8(text.substr(at));
        starts.push_back(at);
        before.push_back(width);
        width += static_cast<std::size_t>(columnsOf(c.code));
        at += c.bytes;
    }
    const std::size_t head = (columns - 1) * 2 / 3;
    const std::size_t tail = columns - 1 - head;
    const auto headEnd = std::upper_bound(before.begin(), before.end(), head) - before.begin() - 1;
    const auto tailStart = std::lower_bound(before.begin(), before.end(), width - tail) - before.begin();
    const std::size_t headBytes = starts[static_cast<std::size_t>(headEnd)];
    const std::size_t tailBytes =
        static_cast<std::size_t>(tailStart) < starts.size() ? starts[static_cast<std::size_t>(tailStart)] : text.size();
    return std::string(text.substr(0, headBytes)) + "…" + std::string(text.substr(tailBytes));
}

} // namespace ks
