// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/args.h"

#include "core/base/error.h"
#include "core/base/json_cursor.h"

#include <algorithm>
#include <array>

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

// Reads records through a window of the text. At ascending offsets the source is read once, from front to back: a packed one is not
// unpacked again for each record.
class RecordReader
{
public:
    // ahead: bytes to read at once beyond what is asked for.
    RecordReader(const ByteSource &source, std::size_t ahead)
        : m_source(source)
        , m_ahead(ahead)
    {}

    Args read(std::uint64_t offset)
    {
        for (std::size_t wanted = kFirstRead;; wanted *= 8) {
            const std::string_view text = textAt(offset, wanted);
            Args args;
            const Outcome outcome = parseRecord(text, args);
            if (outcome == Outcome::Done)
                return args;
            if (outcome == Outcome::Damaged || text.size() < wanted || wanted >= kMostRead)
                throw SourceChanged("the file no longer holds the record that was read from it");
        }
    }

private:
    // The text from `offset` on: `wanted` bytes or more, unless the source ends before.
    std::string_view textAt(std::uint64_t offset, std::size_t wanted)
    {
        if (offset < m_begin || offset > m_begin + m_size) {
            m_begin = offset;
            m_size = 0;
        }
        const auto skipped = static_cast<std::size_t>(offset - m_begin);
        if (m_size - skipped >= wanted)
            return std::string_view(m_text).substr(skipped, m_size - skipped);
        m_text.erase(0, skipped);
        m_size -= skipped;
        m_begin = offset;
        const std::size_t more = std::max(wanted - m_size, m_ahead);
        m_text.resize(m_size + more + kPadding);
        m_size += m_source.readAt(m_begin + m_size, std::span(m_text).subspan(m_size, more));
        std::fill_n(m_text.begin() + static_cast<std::ptrdiff_t>(m_size), kPadding, '\0');
        return std::string_view(m_text).substr(0, m_size);
    }

    const ByteSource &m_source;
    std::size_t m_ahead;
    std::string m_text; // m_size bytes from m_begin on, then the padding
    std::size_t m_size = 0;
    std::uint64_t m_begin = 0;
};

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

} // namespace

Args parseArgsAt(const Trace &trace, std::uint64_t recordOffset)
{
    if (!trace.source())
        return {};
    if (trace.source()->hasChanged())
        throw SourceChanged("the file has changed since it was opened");
    return RecordReader(*trace.source(), 0).read(recordOffset);
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

    // Records that stand close together are read in large pieces, scattered ones each alone.
    constexpr std::uint64_t kClose = std::uint64_t{1} << 14U;
    const std::uint64_t span = records.back().offset - records.front().offset;
    RecordReader reader(*trace.source(), span / records.size() < kClose ? std::size_t{1} << 18U : 0);
    std::vector<Args> ends(trace.events().endRecord.isEmpty() ? 0 : ids.size());
    for (const Record &record : records)
        (record.isEnd ? ends : all)[record.place] = reader.read(record.offset);
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
