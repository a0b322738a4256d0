// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/record_start.h"

#include "core/import/record_fields.h"

#include <algorithm>

namespace ks {
namespace {

constexpr std::size_t kMaxSpace = 64; // white space between two records; more is no likely start
constexpr std::size_t kMaxKey = 64;

// Does a record start behind the '}' at `close`? Returns the place of its '{', or npos.
std::size_t recordStartBehind(std::string_view text, std::size_t close)
{
    const auto skip = [&](std::size_t at) {
        const std::size_t stop = std::min(text.size(), at + kMaxSpace);
        while (at < stop && isJsonSpace(text[at]))
            ++at;
        return at;
    };
    std::size_t at = skip(close + 1);
    if (at >= text.size() || text[at] != ',')
        return std::string_view::npos;
    const std::size_t brace = skip(at + 1);
    if (brace >= text.size() || text[brace] != '{')
        return std::string_view::npos;
    at = skip(brace + 1);
    if (at >= text.size() || text[at] != '"')
        return std::string_view::npos;
    const std::size_t key = ++at;
    while (at < text.size() && at < key + kMaxKey && text[at] != '"' && static_cast<unsigned char>(text[at]) >= ' ')
        ++at;
    if (at == key || at >= text.size() || text[at] != '"')
        return std::string_view::npos;
    at = skip(at + 1);
    return at < text.size() && text[at] == ':' ? brace : std::string_view::npos;
}

} // namespace

std::size_t findRecordStart(std::string_view text, std::size_t from)
{
    for (std::size_t close = text.find('}', from); close != std::string_view::npos; close = text.find('}', close + 1)) {
        if (const std::size_t start = recordStartBehind(text, close); start != std::string_view::npos)
            return start;
    }
    return std::string_view::npos;
}

std::size_t findLastRecordStart(std::string_view text)
{
    for (std::size_t close = text.rfind('}'); close != std::string_view::npos;
         close = close == 0 ? std::string_view::npos : text.rfind('}', close - 1)) {
        if (const std::size_t start = recordStartBehind(text, close); start != std::string_view::npos)
            return start;
    }
    return std::string_view::npos;
}

std::optional<bool> startsLikeRecord(std::string_view text)
{
    const auto behindSpace = [&](std::size_t from) {
        while (from < text.size() && isJsonSpace(text[from]))
            ++from;
        return from;
    };
    std::size_t at = behindSpace(0);
    if (at < text.size() && text[at] != '{')
        return false;
    at = behindSpace(at + 1);
    if (at < text.size() && text[at] != '"')
        return false;
    if (at >= text.size())
        return {};
    const std::string_view key = text.substr(at + 1, kMaxKey);
    if (const std::size_t end = key.find('"'); end != std::string_view::npos)
        return recordKeyOf(key.substr(0, end)) != RecordKey::Unknown;
    if (key.size() == kMaxKey)
        return false;
    return {};
}

} // namespace ks
