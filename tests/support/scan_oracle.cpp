// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/scan_oracle.h"

#include "core/import/event_scanner.h"
#include "core/import/padded_buffer.h"
#include "core/import/record_start.h"
#include "tests/support/decimal_oracle.h"

#include <simdjson.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <vector>

namespace ks {
namespace {

namespace od = simdjson::ondemand;

struct Value
{
    std::string text; // of a string what it says, else the token
    bool isString = false;
    bool isNested = false;
};

Value valueOf(od::value value)
{
    Value result;
    switch (value.type()) {
    case od::json_type::string:
        result.isString = true;
        result.text = std::string_view(value.get_string());
        break;
    case od::json_type::array:
    case od::json_type::object:
        result.isNested = true;
        result.text = std::string_view(simdjson::to_json_string(value));
        break;
    default: {
        std::string_view token = value.raw_json_token();
        token = token.substr(0, token.find_first_of(" \t\r\n,]}"));
        result.text = token;
        break;
    }
    }
    return result;
}

// A record by its keys. Of equal keys of the record the last counts, of equal arguments the first; nested values never count.
struct Record
{
    std::map<std::string, Value> keys;
    std::map<std::string, Value> args;
    std::vector<std::pair<std::string, Value>> allArgs; // of the last args object
    bool hasArgs = false;

    const Value *find(const std::string &key) const
    {
        const auto found = keys.find(key);
        return found == keys.end() ? nullptr : &found->second;
    }
    const Value *arg(const std::string &key) const
    {
        const auto found = args.find(key);
        return found == args.end() ? nullptr : &found->second;
    }
    std::string text(const std::string &key) const
    {
        const Value *value = find(key);
        return value ? value->text : std::string();
    }
    std::optional<std::int64_t> time(const std::string &key) const
    {
        const Value *value = find(key);
        return value ? exactNanoseconds(value->text) : std::nullopt;
    }
};

Record recordOf(od::object object)
{
    Record record;
    for (auto field : object) {
        const std::string key(std::string_view(field.unescaped_key()));
        od::value value = field.value();
        const od::json_type type = value.type();
        if (key == "args" && type == od::json_type::object) {
            record.hasArgs = true;
            record.allArgs.clear();
            for (auto argument : value.get_object()) {
                const std::string name(std::string_view(argument.unescaped_key()));
                const Value told = valueOf(argument.value());
                record.args.try_emplace(name == "external id" ? "External id" : name, told);
                record.allArgs.emplace_back(name, told);
            }
        } else if (key == "id2" && type == od::json_type::object) {
            for (auto id : value.get_object()) {
                const std::string name(std::string_view(id.unescaped_key()));
                const Value told = valueOf(id.value());
                if (!told.isNested || name == "local" || name == "global")
                    record.keys["id2." + name] = told;
            }
        } else if (const Value told = valueOf(value); !told.isNested) {
            record.keys[key] = told;
        }
    }
    return record;
}

class Teller
{
public:
    void tell(const Record &record)
    {
        const Value *phase = record.find("ph");
        if (!phase || !phase->isString || phase->text.empty()) {
            ++m_skipped;
            return;
        }
        ++m_records;
        const char p = phase->text.size() == 1 ? phase->text[0] : '\0';
        const bool isBegin = p == 'B' || p == 'b' || p == 'S';
        const auto time = record.time("ts");
        if (p == 'X' || isBegin) {
            if (!time)
                ++m_skipped;
            else
                event(record, *time, p == 'X');
        } else if (p == 'i' || p == 'I' || p == 'R') {
            if (!time)
                ++m_skipped;
            else
                instant(record, *time);
        } else if (p == 'C') {
            if (!time)
                ++m_skipped;
            else
                counter(record, *time);
        } else if (p == 's' || p == 't' || p == 'f') {
            if (time)
                m_flows << p << ' ' << *time << " id " << record.text(record.find("id") ? "id" : "bind_id") << " after "
                        << m_eventCount << " '" << record.text("cat") << "' on " << place(record)
                        << (p != 'f' || record.text("bp") == "e") << '\n';
        } else if (p == 'M') {
            metadata(record);
        } else if (p == 'E' || p == 'e' || p == 'F') {
            m_skipped += time ? 0 : 1;
        } else if (p != 'n' && p != 'T' && p != 'p') {
            ++m_skipped;
        }
        if ((isBegin || p == 'E' || p == 'e' || p == 'F') && time)
            mark(record, p, *time);
    }
    void tellForeign() { ++m_skipped; }

    std::string take() const
    {
        std::ostringstream out;
        out << "records " << m_records << " skipped " << m_skipped << " negative " << m_negative << " shapes "
            << m_hasShapes << '\n'
            << m_events.str() << m_marks.str() << m_flows.str() << m_instants.str() << m_counters.str()
            << m_metadata.str();
        return out.str();
    }

private:
    static std::string place(const Record &record)
    {
        return "'" + record.text("pid") + "' '" + record.text("tid") + "' ";
    }

    void event(const Record &record, std::int64_t time, bool isComplete)
    {
        const auto told = isComplete ? record.time("dur") : std::nullopt;
        const Value *finished = record.arg("finished");
        const bool isUnfinished = !told || (finished && finished->text == "false" && !finished->isNested);
        m_negative += told && *told < 0 ? 1 : 0;
        const std::int64_t most = time > 0 ? kMaxTime - time : kMaxTime;
        m_events << time << '+' << std::clamp<std::int64_t>(told.value_or(0), 0, most) << " '" << record.text("name")
                 << "' '" << record.text("cat") << "' on " << place(record) << isUnfinished;
        for (const char *key : {"correlation", "External id", "Python id", "Python parent id", "Sequence number",
                                "Fwd thread id", "device", "stream"}) {
            const Value *value = record.arg(key);
            const std::string name(key);
            if (!value || value->isNested || value->text.empty() || value->text == "null" || value->text == "-1")
                continue;
            if (value->text == "0" && (name == "Fwd thread id" || name == "External id"))
                continue;
            m_events << ' ' << name << '=' << value->text;
        }
        m_events << '\n';
        ++m_eventCount;
        m_hasShapes = m_hasShapes || record.arg("Input Dims");
        if (!record.find("bind_id"))
            return;
        for (const char *key : {"flow_in", "flow_out"}) {
            if (record.text(key) == "true")
                m_flows << (std::string_view(key) == "flow_in" ? 'I' : 'O') << ' ' << time << " id "
                        << record.text("bind_id") << " after " << m_eventCount << " '' on " << place(record) << true
                        << '\n';
        }
    }

    void mark(const Record &record, char phase, std::int64_t time)
    {
        m_marks << phase << ' ' << time << " '" << record.text("name") << "' " << (record.find("name") != nullptr)
                << " '" << record.text("cat") << "' on " << place(record);
        if (phase != 'B' && phase != 'E')
            m_marks << " id "
                    << record.text(record.find("id2.local")    ? "id2.local"
                                   : record.find("id2.global") ? "id2.global"
                                                               : "id")
                    << (record.find("id2.local") ? " local" : "");
        m_marks << '\n';
    }

    void instant(const Record &record, std::int64_t time)
    {
        const std::string name = record.text("name");
        if (record.arg("Bytes") && (name == "[memory]" || name == "[OutOfMemory]")) {
            m_instants << "memory " << time << ' ' << (name == "[OutOfMemory]") << " on " << place(record) << '\n';
            return;
        }
        const Value *scope = record.find("s");
        const std::string s = scope && scope->isString ? scope->text : "";
        m_instants << time << " '" << name << "' '" << record.text("cat") << "' on " << place(record)
                   << (s == "g"   ? 2
                       : s == "p" ? 1
                                  : 0)
                   << '\n';
    }

    void counter(const Record &record, std::int64_t time)
    {
        m_counters << time << " '" << record.text("name") << "' of '" << record.text("pid") << "' id "
                   << (record.find("id") ? record.text("id") : "-");
        for (const auto &[key, value] : record.allArgs) {
            double sample = 0;
            if (!value.isNested && parseDouble(value.text, sample))
                m_counters << ' ' << key << '=' << sample;
        }
        m_counters << '\n';
    }

    void metadata(const Record &record)
    {
        const std::string name = record.text("name");
        const std::map<std::string, std::string> keyOf = {{"process_name", "name"},
                                                          {"thread_name", "name"},
                                                          {"process_labels", "labels"},
                                                          {"process_sort_index", "sort_index"},
                                                          {"thread_sort_index", "sort_index"}};
        const auto key = keyOf.find(name);
        if (key == keyOf.end() || !record.arg(key->second))
            return;
        const Value *value = record.arg(key->second);
        m_metadata << name << " '" << (value->isNested ? "" : value->text) << "' of " << place(record) << '\n';
    }

    std::ostringstream m_events, m_marks, m_flows, m_instants, m_counters, m_metadata;
    std::size_t m_eventCount = 0;
    std::size_t m_records = 0;
    std::size_t m_skipped = 0;
    std::size_t m_negative = 0;
    bool m_hasShapes = false;
};

// The same words from the columns of a batch.
class BatchTeller
{
public:
    BatchTeller(const LocalTables &tables, const EventBatch &batch)
        : m_tables(tables)
        , m_batch(batch)
    {}

    std::string take() const
    {
        std::ostringstream out;
        const ScanCounts &counts = m_batch.counts;
        out << "records " << counts.records << " skipped " << counts.skipped.count << " negative "
            << counts.negativeDurations.count << " shapes " << counts.hasShapes << '\n';
        events(out);
        for (const SpanMark &mark : m_batch.marks) {
            out << mark.phase << ' ' << mark.time << " '" << name(mark.name) << "' " << mark.hasName << " '"
                << category(mark.category) << "' on " << place(mark.track);
            if (mark.phase != 'B' && mark.phase != 'E')
                out << " id " << id(mark.id) << (mark.localId ? " local" : "");
            out << '\n';
        }
        for (const RawFlow &flow : m_batch.flows)
            out << flow.phase << ' ' << flow.time << " id " << id(flow.id) << " after " << flow.eventsBefore << " '"
                << category(flow.category) << "' on " << place(flow.track) << flow.bindsToEnclosing << '\n';
        instants(out);
        for (const ScannedCounter &counter : m_batch.counters) {
            out << counter.time << " '" << name(counter.name) << "' of '"
                << m_tables.tracks.texts()[m_tables.tracks.tracks()[counter.track].pid].text << "' id "
                << (counter.id == LocalIds::kNone ? "-" : id(counter.id));
            for (const auto &[series, value] : counter.values)
                out << ' ' << name(series) << '=' << value;
            out << '\n';
        }
        constexpr std::array<const char *, 5> kRows = {"process_name", "process_labels", "process_sort_index",
                                                       "thread_name", "thread_sort_index"};
        for (const ScannedMetadata &row : m_batch.metadata)
            out << kRows[static_cast<std::size_t>(row.key)] << " '" << name(row.value) << "' of " << place(row.track)
                << '\n';
        return out.str();
    }

private:
    std::string name(std::uint32_t id) const { return std::string(m_tables.names[id].text); }
    std::string category(std::uint16_t id) const { return std::string(m_tables.categories[id].text); }
    std::string id(std::uint32_t id) const
    {
        return (id & LocalIds::kInterned) != 0 ? std::string(m_tables.ids.pool()[id & ~LocalIds::kInterned].text)
                                               : std::to_string(id);
    }
    std::string place(std::uint32_t track) const
    {
        const LocalTracks::Track &at = m_tables.tracks.tracks()[track];
        return "'" + std::string(m_tables.tracks.texts()[at.pid].text) + "' '"
               + std::string(m_tables.tracks.texts()[at.tid].text) + "' ";
    }

    void events(std::ostream &out) const
    {
        constexpr std::array<const char *, kRawFieldKeys> kKeys = {
            "correlation",     "External id",   "Python id", "Python parent id",
            "Sequence number", "Fwd thread id", "device",    "stream"};
        std::array<std::size_t, kRawFieldKeys> next{};
        for (std::size_t i = 0; i < m_batch.events.size(); ++i) {
            const RawEvent &event = m_batch.events[i];
            const LocalPlaces::Place &at = m_tables.places.places()[event.place];
            out << event.begin << '+' << m_batch.durations.of(event) << " '" << name(event.name) << "' '"
                << category(at.category) << "' on " << place(at.track) << (event.isUnfinished != 0);
            for (std::size_t key = 0; key < kRawFieldKeys; ++key) {
                if ((m_batch.fields.keys[i] >> key & 1U) != 0)
                    out << ' ' << kKeys[key] << '=' << id(m_batch.fields.values[key][next[key]++]);
            }
            out << '\n';
        }
    }

    // Instants and memory records in file order, as the oracle has them.
    void instants(std::ostream &out) const
    {
        std::size_t memory = 0;
        for (std::size_t i = 0; i <= m_batch.instants.size(); ++i) {
            const std::uint64_t until = i < m_batch.instants.size() ? m_batch.instants[i].offset : ~std::uint64_t{0};
            for (; memory < m_batch.memory.size() && m_batch.memory[memory].offset < until; ++memory) {
                const ScannedMemory &record = m_batch.memory[memory];
                out << "memory " << record.time << ' ' << record.outOfMemory << " on " << place(record.track) << '\n';
            }
            if (i == m_batch.instants.size())
                return;
            const ScannedInstant &instant = m_batch.instants[i];
            out << instant.time << " '" << name(instant.name) << "' '" << category(instant.category) << "' on "
                << place(instant.track) << static_cast<int>(instant.scope) << '\n';
        }
    }

    const LocalTables &m_tables;
    const EventBatch &m_batch;
};

} // namespace

std::optional<std::string> dumpBySimdjson(std::string_view array)
{
    simdjson::dom::parser strict; // reads everything, so that all of the text is known to be valid
    const simdjson::padded_string text(array);
    simdjson::dom::array elements;
    if (strict.parse(text).get(elements) != simdjson::SUCCESS)
        return {};
    od::parser parser;
    od::document document = parser.iterate(text);
    Teller teller;
    for (auto element : document.get_array()) {
        od::value value = element.value();
        const od::json_type type = value.type();
        if (type == od::json_type::object) {
            teller.tell(recordOf(value.get_object()));
            continue;
        }
        if (type == od::json_type::array
            && startsLikeRecord(std::string_view(simdjson::to_json_string(value)).substr(1)).value_or(false))
            return {}; // to the scanner a bracket too many
        teller.tellForeign();
    }
    return teller.take();
}

std::string dumpByScanner(std::string_view array)
{
    PaddedBuffer text;
    text.assign(array);
    LocalTables tables;
    EventBatch batch;
    const std::size_t from = array.find('[') + 1;
    const ScanStop stop = EventScanner(tables, batch).scan(text.text(), from, array.size(), true);
    std::string dump = BatchTeller(tables, batch).take();
    if (stop.end != ScanEnd::ArrayEnd)
        dump += "stopped before the end of the array\n";
    if (batch.counts.damaged.count != 0)
        dump += "damaged records: " + std::to_string(batch.counts.damaged.count) + '\n';
    for (const RawEvent &event : batch.events) {
        if (event.offset >= array.size() || array[event.offset] != '{')
            dump += "an offset is wrong\n";
    }
    return dump;
}

} // namespace ks
