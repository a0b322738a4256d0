// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/records_end.h"

#include "core/import/block_reader.h"
#include "core/import/record_start.h"

#include <algorithm>
#include <string_view>

namespace ks {
namespace {

constexpr std::size_t kFirstWindow = std::size_t{1} << 16U;

// Closing brackets, a comma and the beginning of a record: what stands behind a `]` inside a damaged record, never behind the last one. The comma
// may be missing before what is a record for certain.
// Returns the place of the '{', or npos.
std::size_t recordBehindClosers(std::string_view text, std::size_t from)
{
    std::size_t at = std::min(text.find_first_not_of(" \t\r\n}]", from), text.size());
    if (startsLikeRecord(text.substr(at)).value_or(false))
        return at;
    if (at == text.size() || text[at] != ',')
        return std::string_view::npos;
    const std::size_t brace = text.find_first_not_of(" \t\r\n", at + 1);
    if (brace == std::string_view::npos || text[brace] != '{')
        return std::string_view::npos;
    at = text.find_first_not_of(" \t\r\n", brace + 1);
    return at != std::string_view::npos && text[at] == '"' ? brace : std::string_view::npos;
}

// `text` stands behind a `]`, and was read as keys of the document as far as `behind` (npos: it is no such thing, or ends early). Returns where
// a record starts that shows that the `]` did not close the records, or npos.
std::size_t recordBehindFalseEnd(std::string_view text, std::size_t behind, const TopLevelKeys &keys,
                                 std::uint64_t offset)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (startsLikeRecord(text).value_or(false))
        return first;
    if (first == std::string_view::npos || std::string_view(",}]").find(text[first]) == std::string_view::npos)
        return std::string_view::npos;
    if (behind != std::string_view::npos)
        return recordBehindClosers(text, behind);
    if (!keys.isDamaged)
        return std::string_view::npos;
    const auto damage = static_cast<std::size_t>(keys.damagedAt - offset);
    if (damage >= text.size())
        return std::string_view::npos;
    const std::size_t before = damage == 0 ? std::string_view::npos : text.find_last_not_of(" \t\r\n", damage - 1);
    if (before != std::string_view::npos && text[before] == ':')
        return std::string_view::npos; // the value of a key
    switch (text[damage]) {
    case '{': return damage;
    case '[': return findRecordStart(text, damage);
    case ']': return recordBehindClosers(text, damage);
    default: return std::string_view::npos;
    }
}

} // namespace

RecordsEnd lookBehindRecords(std::uint64_t at, const ReadText &readText)
{
    RecordsEnd end;
    PaddedBuffer text;
    std::size_t behind = std::string_view::npos;
    for (std::size_t window = kFirstWindow;; window *= 8) {
        const bool isAll = readText(at, window, text);
        end.keys = {};
        behind = parseTail(text.text(), at, end.keys);
        if (behind != std::string_view::npos || end.keys.isDamaged || isAll || window >= BlockReader::kMaxRecordBytes)
            break;
    }
    if (behind != std::string_view::npos)
        end.document = at + behind;
    const std::size_t record = recordBehindFalseEnd(text.text(), behind, end.keys, at);
    if (record != std::string_view::npos)
        end.record = at + record;
    return end;
}

} // namespace ks
