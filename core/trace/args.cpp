// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/args.h"

#include "core/base/error.h"
#include "core/base/json_cursor.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace ks {
namespace {

using Outcome = JsonCursor::Outcome;

constexpr std::size_t kFirstRead = std::size_t{1} << 12U;
constexpr std::size_t kMostRead = std::size_t{64} << 20U; // the longest record the importer accepts
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

// The args of the record that `text` starts with; later arguments of the same key replace nothing, but all are told.
Outcome parseRecord(std::string_view text, Args &args)
{
    JsonCursor cursor(text.data(), text.data() + text.size());
    if (cursor.atEnd() || cursor.peek() != '{')
        return Outcome::Damaged;
    return cursor.object([&](JsonCursor &at, const Token &key) {
        if (key.text() != "args" || at.peek() != '{') {
            Token ignored;
            return at.value(ignored);
        }
        args.clear();
        return at.object([&](JsonCursor &inner, const Token &name) {
            Arg arg;
            arg.key = cleanText(name.text()).text;
            const Outcome outcome = appendValue(inner, arg.json, 0);
            args.push_back(std::move(arg));
            return outcome;
        });
    });
}

Args readRecord(const ByteSource &source, std::uint64_t offset)
{
    std::string text;
    for (std::size_t wanted = kFirstRead;; wanted *= 8) {
        text.resize(wanted + kPadding);
        const std::size_t got = source.readAt(offset, std::span(text.data(), wanted));
        std::fill(text.begin() + static_cast<std::ptrdiff_t>(got), text.end(), '\0');
        Args args;
        const Outcome outcome = parseRecord(std::string_view(text.data(), got), args);
        if (outcome == Outcome::Done)
            return args;
        if (outcome == Outcome::Damaged || got < wanted || wanted >= kMostRead)
            throw SourceChanged("the file no longer holds the record that was read from it");
    }
}

void mergeOver(Args &args, Args later)
{
    for (Arg &arg : later) {
        const auto same = std::find_if(args.begin(), args.end(), [&](const Arg &known) { return known.key == arg.key; });
        if (same != args.end())
            same->json = std::move(arg.json);
        else
            args.push_back(std::move(arg));
    }
}

} // namespace

Args parseArgsAt(const Trace &trace, std::uint64_t recordOffset)
{
    if (!trace.source())
        return {};
    if (trace.source()->hasChanged())
        throw SourceChanged("the file has changed since it was opened");
    return readRecord(*trace.source(), recordOffset);
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
    std::vector<std::size_t> order(ids.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return trace.recordOffset(ids[a]) < trace.recordOffset(ids[b]); });
    std::vector<Args> all(ids.size());
    if (!trace.source() || ids.empty())
        return all;
    if (trace.source()->hasChanged())
        throw SourceChanged("the file has changed since it was opened");
    for (const std::size_t i : order) {
        all[i] = readRecord(*trace.source(), trace.recordOffset(ids[i]));
        if (const std::uint64_t *end = trace.events().endRecord.find(ids[i]))
            mergeOver(all[i], readRecord(*trace.source(), *end));
    }
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

} // namespace ks
