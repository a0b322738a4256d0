// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/arg_columns.h"

#include "core/trace/args.h"
#include "core/trace/record_reader.h"
#include "core/trace/seen_records.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

namespace ks {
namespace {

using Outcome = JsonCursor::Outcome;

// Texts as they stand in the file, numbered.
class RawTexts
{
public:
    std::uint32_t numberOf(std::string_view text)
    {
        if (text == m_last)
            return m_lastNumber;
        auto known = m_numbers.find(text);
        if (known == m_numbers.end()) {
            m_texts.emplace_back(text);
            known = m_numbers.emplace(m_texts.back(), static_cast<std::uint32_t>(m_texts.size())).first;
        }
        m_last = known->first;
        return m_lastNumber = known->second;
    }

    // Ways to write the same become one.
    void finish(ArgColumn &column) const
    {
        std::unordered_map<std::string, std::uint32_t> clean;
        std::vector<std::uint32_t> numberOfRaw{0};
        column.texts.emplace_back();
        for (const std::string &raw : m_texts) {
            std::string json = cleanJson(raw);
            const auto [known, isNew] = clean.try_emplace(json, static_cast<std::uint32_t>(column.texts.size()));
            if (isNew)
                column.texts.push_back(std::move(json));
            numberOfRaw.push_back(known->second);
        }
        for (std::uint32_t &number : column.numbers)
            number = numberOfRaw[number];
    }

private:
    std::deque<std::string> m_texts;
    std::unordered_map<std::string_view, std::uint32_t> m_numbers; // from 1
    std::string_view m_last;
    std::uint32_t m_lastNumber = 0; // of no text, which none of the file is
};

// Finds the values of some keys in records.
class KeyFinder
{
public:
    explicit KeyFinder(std::span<const std::string_view> keys)
        : m_keys(keys)
        , m_values(keys.size())
    {}

    Outcome operator()(std::string_view text)
    {
        std::fill(m_values.begin(), m_values.end(), std::string_view());
        m_words.clear();
        m_missing = m_keys.size();
        JsonCursor cursor(text.data(), text.data() + text.size());
        if (cursor.atEnd() || cursor.peek() != '{')
            return Outcome::Damaged;
        const Outcome outcome = cursor.object([this](JsonCursor &at, const Token &key) {
            if (key.text() == "args" && at.peek() == '{')
                return at.object([this](JsonCursor &inner, const Token &name) { return take(inner, name); });
            Token token;
            return pass(at, token);
        });
        m_seen = text.substr(0, static_cast<std::size_t>(cursor.at() - text.data()));
        return m_missing == 0 ? Outcome::Done : outcome;
    }

    // After Done. Where the record has no such key the value is empty.
    std::span<const std::string_view> values() const { return m_values; }
    // The record as far as it was looked at, and the words in it that are no value of these keys.
    std::string_view seen() const { return m_seen; }
    std::span<const std::string_view> words() const { return m_words; }

private:
    Outcome pass(JsonCursor &at, Token &token)
    {
        const Outcome outcome = at.value(token);
        if (outcome == Outcome::Done && token.data && !token.isString)
            m_words.push_back(token.text());
        return outcome;
    }

    Outcome take(JsonCursor &at, const Token &name)
    {
        const char *const first = at.at();
        Token token;
        for (std::size_t i = 0; i < m_keys.size(); ++i) {
            if (!m_values[i].empty() || name.text() != m_keys[i])
                continue;
            if (const Outcome outcome = at.value(token); outcome != Outcome::Done)
                return outcome;
            m_values[i] = {first, static_cast<std::size_t>(at.at() - first)};
            if (--m_missing != 0)
                return Outcome::Done;
            at.advance();            // with what ends the value: 7 is not the begin of 75
            return Outcome::Damaged; // enough seen
        }
        return pass(at, token);
    }

    std::span<const std::string_view> m_keys;
    std::vector<std::string_view> m_values;
    std::vector<std::string_view> m_words;
    std::string_view m_seen;
    std::size_t m_missing = 0;
};

// Reads the values of some keys record by record, each as a number of its text, 0 for none.
class ValueReader
{
public:
    explicit ValueReader(std::span<const std::string_view> keys)
        : m_find(keys)
        , m_texts(keys.size())
        , m_numbers(keys.size())
    {}

    // By key, until the next call. Records of one group are mostly written alike.
    std::span<const std::uint32_t> read(RecordReader &reader, std::uint64_t offset, std::uint32_t group)
    {
        std::span<const std::uint32_t> numbers;
        reader.read(offset, [&](std::string_view text) {
            if (const std::uint32_t answer = m_seen.find(group, text); answer != SeenRecords::kUnseen) {
                numbers = std::span(m_answers).subspan(answer, m_texts.size());
                return Outcome::Done;
            }
            const Outcome outcome = m_find(text);
            if (outcome == Outcome::Done)
                numbers = takeApart(group);
            return outcome;
        });
        return numbers;
    }

    const RawTexts &texts(std::size_t key) const { return m_texts[key]; }

private:
    std::span<const std::uint32_t> takeApart(std::uint32_t group)
    {
        for (std::size_t k = 0; k < m_texts.size(); ++k)
            m_numbers[k] = m_find.values()[k].empty() ? 0 : m_texts[k].numberOf(m_find.values()[k]);
        if (m_seen.remember(group, m_find.seen(), m_find.words(), static_cast<std::uint32_t>(m_answers.size())))
            m_answers.insert(m_answers.end(), m_numbers.begin(), m_numbers.end());
        return m_numbers;
    }

    KeyFinder m_find;
    std::vector<RawTexts> m_texts; // by key
    SeenRecords m_seen;
    std::vector<std::uint32_t> m_answers; // by key, of each record remembered
    std::vector<std::uint32_t> m_numbers; // of the record taken apart last
};

struct Record
{
    std::uint64_t offset;
    std::uint32_t place;
    bool isEnd; // its arguments go over those of the begin
};

// The places of events by their order in the file; empty where comparing is better: they are few, or one comes twice.
LargeArray<std::uint32_t> placesInFileOrder(const Trace &trace, std::span<const EventId> events)
{
    constexpr std::size_t kFew = 16; // of so many events one
    constexpr std::uint32_t kNone = 0xffffffffU;
    if (events.size() < trace.eventCount() / kFew)
        return {};
    LargeArray<std::uint32_t> placeOf(trace.eventCount(), kNone); // by position in the file
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (events[i] == kNoEvent)
            continue;
        std::uint32_t &place = placeOf[trace.fileIndex(events[i])];
        if (place != kNone)
            return {};
        place = static_cast<std::uint32_t>(i);
    }
    placeOf.erase(std::remove(placeOf.begin(), placeOf.end(), kNone), placeOf.end());
    return placeOf;
}

// In the order of the file.
LargeArray<Record> recordsOf(const Trace &trace, std::span<const EventId> events)
{
    LargeArray<Record> records;
    records.reserve(events.size());
    const bool hasEnds = !trace.events().endRecord.isEmpty();
    const auto add = [&](std::uint32_t place) {
        records.push_back({trace.recordOffset(events[place]), place, false});
        if (const std::uint64_t *end = hasEnds ? trace.events().endRecord.find(events[place]) : nullptr)
            records.push_back({*end, place, true});
    };
    const LargeArray<std::uint32_t> places = placesInFileOrder(trace, events);
    for (const std::uint32_t place : places)
        add(place);
    for (std::uint32_t i = 0; places.empty() && i < events.size(); ++i) {
        if (events[i] != kNoEvent)
            add(i);
    }
    const auto isEarlier = [](const Record &a, const Record &b) { return a.offset < b.offset; };
    if (!std::is_sorted(records.begin(), records.end(), isEarlier))
        std::sort(records.begin(), records.end(), isEarlier);
    return records;
}

} // namespace

std::vector<ArgColumn> argColumns(const Trace &trace, std::span<const EventId> events,
                                  std::span<const std::string_view> keys, const Progress &progress)
{
    std::vector<ArgColumn> columns(keys.size());
    for (ArgColumn &column : columns)
        column.numbers.assign(events.size(), 0);
    ValueReader values(keys);
    const LargeArray<Record> records = trace.source() ? recordsOf(trace, events) : LargeArray<Record>();
    if (!records.empty()) {
        if (trace.source()->hasChanged())
            throw SourceChanged("the file has changed since it was opened");
        RecordReader reader(*trace.source(), readAhead(records.back().offset - records.front().offset, records.size()));
        for (std::size_t r = 0; r < records.size(); ++r) {
            if (r % 8192 == 0) {
                progress.throwIfStopped();
                progress.reportShare(static_cast<double>(r) / static_cast<double>(records.size()));
            }
            const Record &record = records[r];
            const auto numbers =
                values.read(reader, record.offset, static_cast<std::uint32_t>(trace.nameId(events[record.place])));
            for (std::size_t k = 0; k < keys.size(); ++k) {
                std::uint32_t &number = columns[k].numbers[record.place];
                if (numbers[k] != 0 && (number == 0 || record.isEnd))
                    number = numbers[k];
            }
        }
    }
    for (std::size_t k = 0; k < keys.size(); ++k)
        values.texts(k).finish(columns[k]);
    return columns;
}

} // namespace ks
