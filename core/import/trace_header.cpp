// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/trace_header.h"

#include "core/base/error.h"
#include "core/base/json_cursor.h"

#include <simdjson.h>

#include <algorithm>

namespace ks {
namespace {

using Outcome = JsonCursor::Outcome;

constexpr std::size_t kMaxValueBytes = std::size_t{1} << 20U; // of a value that is kept
constexpr std::size_t kMaxKeys = 4096; // exporters write a dozen
constexpr std::size_t kMaxHeadBytes = std::size_t{256} << 20U;

// Passes a member and keeps its value.
Outcome keepValue(JsonCursor &cursor, const Token &key, TopLevelKeys &keys)
{
    const char *const first = cursor.at();
    Token ignored;
    const Outcome outcome = cursor.value(ignored);
    if (outcome == Outcome::Done && keys.values.size() < kMaxKeys) {
        const std::string_view text(first, static_cast<std::size_t>(cursor.at() - first));
        keys.values.emplace_back(cleanText(key.text()).text, text.substr(0, kMaxValueBytes));
    }
    return outcome;
}

// Broken values can hide the key; its text is still there.
std::size_t findRecordsByText(std::string_view text, std::size_t from)
{
    constexpr std::string_view kKey = "\"traceEvents\"";
    for (std::size_t at = text.find(kKey, from); at != std::string_view::npos; at = text.find(kKey, at + 1)) {
        const char *const end = text.data() + text.size();
        const char *value = skipSpace(text.data() + at + kKey.size(), end);
        if (value < end && *value == ':') {
            value = skipSpace(value + 1, end);
            if (value < end && *value == '[')
                return static_cast<std::size_t>(value + 1 - text.data());
        }
    }
    return std::string_view::npos;
}

[[noreturn]] void refuseBytes(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    std::string what = "not a trace: this is not JSON";
    if (byte(0) == 0x80 && byte(1) >= 2 && byte(1) <= 5)
        what += " but a Python pickle (a memory snapshot, perhaps)";
    else if (byte(0) == '<')
        what += " but HTML (a systrace page, perhaps)";
    else if (byte(0) == 0x0a)
        what += " (a Perfetto protobuf trace, perhaps)";
    else if ((byte(0) == 0xff && byte(1) == 0xfe) || (byte(0) == 0xfe && byte(1) == 0xff))
        what += " in UTF-8 but UTF-16 text";
    throw ImportError(what, 0);
}

[[noreturn]] void refuseObject(const TopLevelKeys &keys)
{
    const auto has = [&](std::string_view key) {
        return std::any_of(keys.values.begin(), keys.values.end(),
                           [&](const auto &value) { return value.first == key; });
    };
    if (has("nodes") && has("schema"))
        throw ImportError("not a trace: this is a PyTorch execution trace, a graph of operators without times", 0);
    throw ImportError(
        "not a trace: JSON without trace events (expected an object with the key traceEvents, or an array of events)",
        0);
}

HeadResult parseArrayHead(std::string_view text, std::size_t open, TraceHead &head)
{
    head.isArray = true;
    head.recordsBegin = open + 1;
    const char *const end = text.data() + text.size();
    const char *const first = skipSpace(text.data() + open + 1, end);
    head.firstIsArray = first < end && *first == '[';
    return HeadResult::Records;
}

} // namespace

HeadResult parseHead(std::string_view text, bool isAll, TraceHead &head)
{
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    const std::size_t start = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    const char *const end = text.data() + text.size();
    JsonCursor cursor(text.data() + start, end);
    cursor.skipSpace();
    if (cursor.atEnd()) {
        if (!isAll && text.size() <= kMaxHeadBytes)
            return HeadResult::NeedsMore;
        if (!isAll)
            throw ImportError("not a trace: nothing but white space within the first 256 MiB", 0);
        throw ImportError("the file is empty: it holds nothing but white space", 0);
    }
    const auto open = static_cast<std::size_t>(cursor.at() - text.data());
    if (cursor.peek() == '[')
        return parseArrayHead(text, open, head);
    if (cursor.peek() != '{')
        refuseBytes(text.substr(start));

    head = {};
    bool found = false;
    const Outcome outcome = cursor.object([&](JsonCursor &at, const Token &key) {
        if (key.text() == "traceEvents" && at.peek() == '[') {
            found = true;
            return Outcome::Damaged; // stop here
        }
        return keepValue(at, key, head.keys);
    });
    if (found) {
        head.recordsBegin = static_cast<std::size_t>(cursor.at() + 1 - text.data());
        return HeadResult::Records;
    }
    if (outcome == Outcome::Done)
        refuseObject(head.keys);
    if (outcome == Outcome::Damaged) {
        head.keys.isDamaged = true;
        head.keys.damagedAt = static_cast<std::uint64_t>(cursor.at() - text.data());
        head.recordsBegin = findRecordsByText(text, open);
        if (head.recordsBegin != std::string_view::npos)
            return HeadResult::Records;
        if (isAll)
            throw ImportError("not a trace: this is not JSON, and there are no trace events in it",
                              head.keys.damagedAt);
    }
    if (isAll)
        throw ImportError("the file ends inside its header, before any event (truncated)", text.size());
    if (text.size() > kMaxHeadBytes)
        throw ImportError("not a trace: no trace events within the first 256 MiB", 0);
    return HeadResult::NeedsMore;
}

std::size_t parseTail(std::string_view text, std::uint64_t offset, TopLevelKeys &keys)
{
    JsonCursor cursor(text.data(), text.data() + text.size());
    const Outcome outcome = cursor.members([&](JsonCursor &at, const Token &key) { return keepValue(at, key, keys); });
    if (outcome == Outcome::Done)
        return static_cast<std::size_t>(cursor.at() - text.data());
    if (outcome == Outcome::Damaged) {
        keys.isDamaged = true;
        keys.damagedAt = offset + static_cast<std::uint64_t>(cursor.at() - text.data());
    }
    return std::string_view::npos;
}

namespace {

namespace dom = simdjson::dom;

std::optional<std::int64_t> integerAt(const dom::element &object, std::initializer_list<const char *> keys)
{
    for (const char *key : keys) {
        std::int64_t value = 0;
        if (object[key].get(value) == simdjson::SUCCESS)
            return value;
        std::string_view text;
        if (object[key].get(text) == simdjson::SUCCESS && parseInteger(text, value))
            return value;
    }
    return {};
}

void applyDevices(const dom::element &value, Metadata &metadata)
{
    dom::array devices;
    if (value.get(devices) != simdjson::SUCCESS)
        return;
    for (const dom::element device : devices) {
        Device entry;
        entry.id = integerAt(device, {"id"}).value_or(static_cast<std::int64_t>(metadata.devices.size()));
        std::string_view name;
        if (device["name"].get(name) == simdjson::SUCCESS)
            entry.name = name;
        entry.memoryBytes = integerAt(device, {"totalGlobalMem"});
        entry.multiprocessors = integerAt(device, {"numSms", "multiProcessorCount"});
        metadata.devices.push_back(std::move(entry));
    }
}

} // namespace

void applyKeys(const TopLevelKeys &keys, Metadata &metadata)
{
    dom::parser parser;
    for (const auto &[key, json] : keys.values) {
        dom::element value;
        const bool isValid = parser.parse(json).get(value) == simdjson::SUCCESS;
        std::int64_t number = 0;
        const bool isNumber = parseInteger(json, number)
                              || (json.size() > 2 && json.front() == '"'
                                  && parseInteger(std::string_view(json).substr(1, json.size() - 2), number));
        const auto flag = [&]() -> std::optional<bool> {
            return (isNumber && number != 0) || json == "true" ? std::optional(true) : std::nullopt;
        };
        if (key == "deviceProperties" || key == "computeProperties") {
            if (isValid)
                applyDevices(value, metadata);
        } else if (key == "distributedInfo") {
            if (isValid && value.is_object()) {
                metadata.rank = integerAt(value, {"rank"});
                metadata.worldSize = integerAt(value, {"world_size"});
            }
            metadata.topLevel.emplace_back(key, json);
        } else if (key == "baseTimeNanoseconds") {
            if (isNumber)
                metadata.baseNs = number;
        } else if (key == "record_shapes") {
            metadata.profiler.recordShapes = flag();
        } else if (key == "profile_memory") {
            metadata.profiler.profileMemory = flag();
        } else if (key == "with_stack") {
            metadata.profiler.withStack = flag();
        } else if (key == "with_modules") {
            metadata.profiler.withModules = flag();
        } else if (key == "with_flops") {
            metadata.profiler.withFlops = flag();
        } else {
            metadata.topLevel.emplace_back(key, json);
        }
    }
}

} // namespace ks
