// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/args.h"

#include "core/base/error.h"
#include "core/base/json_cursor.h"
#include "core/trace/record_reader.h"

#include <algorithm>
#include <array>

namespace ks {
namespace {

using Outcome = JsonCursor::Outcome;

constexpr int kMaxDepth = 200;

void appendJsonString(std::string &out, std::string_view text)
{
    constexpr std::string_view kHex = "0123456789abcdef";
    out += '"';
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < 0x20) {
            out += "\\u00";
            out += kHex[byte >> 4U];
            out += kHex[byte & 0xfU];
        } else {
            out += c;
        }
    }
    out += '"';
}

// The value at the cursor as valid JSON: digits as they are, strings repaired, words that are no JSON as strings.
Outcome appendValue(JsonCursor &cursor, std::string &out, int depth)
{
    if (cursor.peek() == '{' && depth < kMaxDepth) {
        out += '{';
        bool isFirst = true;
        const Outcome outcome = cursor.object([&](JsonCursor &at, const Token &key) {
            out += isFirst ? "" : ",";
            isFirst = false;
            appendJsonString(out, cleanText(key.text()).text);
            out += ':';
            return appendValue(at, out, depth + 1);
        });
        out += '}';
        return outcome;
    }
    if (cursor.peek() == '[' && depth < kMaxDepth) {
        out += '[';
        cursor.advance();
        for (bool isFirst = true;;) {
            cursor.skipSpace();
            if (cursor.atEnd())
                return Outcome::Incomplete;
            if (cursor.peek() == ']') {
                cursor.advance();
                out += ']';
                return Outcome::Done;
            }
            if (cursor.peek() == ',') {
                cursor.advance();
                continue;
            }
            out += isFirst ? "" : ",";
            isFirst = false;
            if (const Outcome outcome = appendValue(cursor, out, depth + 1); outcome != Outcome::Done)
                return outcome;
        }
    }
    const char *const first = cursor.at();
    Token token;
    const Outcome outcome = cursor.value(token);
    if (outcome != Outcome::Done)
        return outcome;
    if (!token.data) // too deep
        appendJsonString(out, cleanText({first, static_cast<std::size_t>(cursor.at() - first)}).text);
    else if (token.isString)
        appendJsonString(out, cleanText(token.text()).text);
    else if (JsonCursor::isJsonWord(token))
        out += token.text();
    else
        appendJsonString(out, token.text());
    return Outcome::Done;
}

// Inside brackets the importer looks at brackets only; what makes no sense there is told as the text it is.
Outcome appendArgument(JsonCursor &cursor, std::string &out)
{
    const JsonCursor begin = cursor;
    const Outcome outcome = appendValue(cursor, out, 0);
    if (outcome != Outcome::Damaged || (begin.peek() != '[' && begin.peek() != '{'))
        return outcome;
    cursor = begin;
    const Outcome passed = cursor.nested();
    out.clear();
    if (passed == Outcome::Done)
        appendJsonString(out, cleanText({begin.at(), static_cast<std::size_t>(cursor.at() - begin.at())}).text);
    return passed;
}

// The args of the record that `text` starts with; later arguments of the same key replace nothing, but all are told.
Outcome parseRecord(std::string_view text, Args &args)
{
    JsonCursor cursor(text.data(), text.data() + text.size());
    if (cursor.atEnd() || cursor.peek() != '{')
        return Outcome::Damaged;
    return cursor.object([&](JsonCursor &at, const Token &key) {
        const bool isArgs =
            key.text() == "args" || ((key.flags & kHasEscapes) != 0 && cleanText(key.text()).text == "args");
        if (!isArgs || at.peek() != '{') {
            Token ignored;
            return at.value(ignored);
        }
        args.clear();
        return at.object([&](JsonCursor &inner, const Token &name) {
            Arg arg;
            arg.key = cleanText(name.text()).text;
            const Outcome outcome = appendArgument(inner, arg.json);
            args.push_back(std::move(arg));
            return outcome;
        });
    });
}

void mergeOver(Args &args, Args later)
{
    for (Arg &arg : later) {
        const auto same =
            std::find_if(args.begin(), args.end(), [&](const Arg &known) { return known.key == arg.key; });
        if (same != args.end())
            same->json = std::move(arg.json);
        else
            args.push_back(std::move(arg));
    }
}

Args readArgs(RecordReader &reader, std::uint64_t offset)
{
    Args args;
    reader.read(offset, [&args](std::string_view text) { return parseRecord(text, args); });
    return args;
}

} // namespace

std::string cleanJson(std::string_view raw)
{
    std::string padded(raw);
    padded += ','; // a number ends where something else begins
    padded.append(kPadding, '\0');
    JsonCursor cursor(padded.data(), padded.data() + raw.size() + 1);
    std::string json;
    return appendArgument(cursor, json) == Outcome::Done ? json : std::string();
}

Args parseArgsAt(const Trace &trace, std::uint64_t recordOffset)
{
    if (!trace.source())
        return {};
    if (trace.source()->hasChanged())
        throw SourceChanged("the file has changed since it was opened");
    RecordReader reader(*trace.source(), 0);
    return readArgs(reader, recordOffset);
}

Args parseArgs(const Trace &trace, EventId id)
{
    Args args = parseArgsAt(trace, trace.recordOffset(id));
    if (const std::uint64_t *end = trace.events().endRecord.find(id))
        mergeOver(args, parseArgsAt(trace, *end));
    return args;
}

std::vector<Args> parseArgs(const Trace &trace, std::span<const EventId> ids)
{
    std::vector<Args> all(ids.size());
    if (!trace.source() || ids.empty())
        return all;
    if (trace.source()->hasChanged())
        throw SourceChanged("the file has changed since it was opened");

    struct Record
    {
        std::uint64_t offset;
        std::size_t place;
        bool isEnd; // its arguments go over those of the begin
    };
    std::vector<Record> records;
    records.reserve(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        records.push_back({trace.recordOffset(ids[i]), i, false});
        if (const std::uint64_t *end = trace.events().endRecord.find(ids[i]))
            records.push_back({*end, i, true});
    }
    std::sort(records.begin(), records.end(), [](const Record &a, const Record &b) { return a.offset < b.offset; });

    RecordReader reader(*trace.source(), readAhead(records.back().offset - records.front().offset, records.size()));
    std::vector<Args> ends(trace.events().endRecord.isEmpty() ? 0 : ids.size());
    for (const Record &record : records)
        (record.isEnd ? ends : all)[record.place] = readArgs(reader, record.offset);
    for (std::size_t i = 0; i < ends.size(); ++i)
        mergeOver(all[i], std::move(ends[i]));
    return all;
}

std::optional<std::string_view> findArg(const Args &args, std::string_view key)
{
    const auto found = std::find_if(args.begin(), args.end(), [&](const Arg &arg) { return arg.key == key; });
    return found == args.end() ? std::nullopt : std::optional<std::string_view>(found->json);
}

std::string argText(std::string_view json)
{
    if (json.size() >= 2 && json.front() == '"' && json.back() == '"')
        return cleanText(json.substr(1, json.size() - 2)).text;
    return std::string(json);
}

std::vector<std::string_view> jsonElements(std::string_view json)
{
    const auto trim = [](std::string_view text) {
        while (!text.empty() && static_cast<unsigned char>(text.front()) <= ' ')
            text.remove_prefix(1);
        while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ')
            text.remove_suffix(1);
        return text;
    };
    json = trim(json);
    if (json.size() < 2 || json.front() != '[' || json.back() != ']')
        return {};
    json = json.substr(1, json.size() - 2);
    std::vector<std::string_view> parts;
    int depth = 0;
    bool inString = false;
    std::size_t start = 0;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (inString) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '[' || c == '{') {
            ++depth;
        } else if (c == ']' || c == '}') {
            --depth;
        } else if (c == ',' && depth == 0) {
            parts.push_back(trim(json.substr(start, i - start)));
            start = i + 1;
        }
    }
    if (!trim(json).empty())
        parts.push_back(trim(json.substr(start)));
    return parts;
}

} // namespace ks
