// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/table_output.h"

#include "core/base/format.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace ks {
namespace {

constexpr std::string_view kNothing = "–";
constexpr std::string_view kGap = "  ";

void putCsvField(TextSink &sink, std::string_view text)
{
    if (text.find_first_of("\",\r\n") == std::string_view::npos) {
        sink.put(text);
        return;
    }
    sink.put('"');
    for (const char c : text) {
        if (c == '"')
            sink.put('"');
        sink.put(c);
    }
    sink.put('"');
}

void putCsvCell(TextSink &sink, const Column &column, std::size_t row)
{
    if (column.isNull(row))
        return;
    switch (column.type()) {
    case CellType::Integer: sink.putNumber(column.integer(row)); break;
    case CellType::Real: putJsonNumber(sink, column.real(row)); break;
    case CellType::Text:
    case CellType::Name:
    case CellType::List: putCsvField(sink, column.text(row)); break;
    }
}

// At most four significant digits, no more than the number needs.
std::string formatNumber(double value)
{
    if (!std::isfinite(value))
        return std::string(kNothing);
    const double magnitude = std::abs(value);
    if (magnitude >= 1e15)
        return "> 1e15";
    int decimals = 3;
    for (double limit = 10; magnitude >= limit && decimals > 0; limit *= 10)
        --decimals;
    std::array<char, 40> digits{};
    const auto result =
        std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed, decimals);
    std::string text(digits.data(), result.ptr);
    if (text.find('.') != std::string::npos) {
        while (text.back() == '0')
            text.pop_back();
        if (text.back() == '.')
            text.pop_back();
    }
    return text;
}

std::string formatFlop(double value)
{
    constexpr std::array kUnits = {std::pair{1e15, "PFLOP"}, std::pair{1e12, "TFLOP"}, std::pair{1e9, "GFLOP"},
                                   std::pair{1e6, "MFLOP"}, std::pair{1e3, "kFLOP"}};
    for (const auto &[size, name] : kUnits) {
        if (std::abs(value) >= size)
            return formatNumber(value / size) + ' ' + name;
    }
    return formatNumber(value) + " FLOP";
}

std::string formatSigned(std::int64_t count)
{
    const auto magnitude =
        count < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(count) : static_cast<std::uint64_t>(count);
    return (count < 0 ? "-" : "") + formatCount(magnitude);
}

std::int64_t rounded(double value)
{
    constexpr double kLimit = 9.2e18;
    return std::llround(std::clamp(value, -kLimit, kLimit));
}

// "cpu_self_ns" -> "cpu self": the unit shows in the cells, and --sort takes the name.
std::string heading(const Column &column)
{
    std::string words = column.name();
    for (const std::string_view suffix : {"_ns", "_bytes", "_percent"}) {
        if (words.ends_with(suffix) && words.size() > suffix.size())
            words.resize(words.size() - suffix.size());
    }
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

// Control characters would break the lines of the table.
std::string oneLine(std::string text)
{
    for (char &c : text) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            c = ' ';
    }
    return text;
}

} // namespace

void writeTableJson(JsonWriter &writer, const Table &table)
{
    using Layout = JsonWriter::Layout;
    writer.key("columns").beginArray(Layout::Lines);
    for (const Column &column : table.columns())
        writer.beginObject().member("name", column.name()).member("unit", unitId(column.unit())).endObject();
    writer.endArray();
    writer.key("rows").beginArray(Layout::Lines);
    for (std::size_t row = 0; row < table.rowCount(); ++row) {
        writer.beginArray();
        for (const Column &column : table.columns()) {
            if (column.isNull(row)) {
                writer.null();
                continue;
            }
            switch (column.type()) {
            case CellType::Integer: writer.value(column.integer(row)); break;
            case CellType::Real: writer.value(column.real(row)); break;
            case CellType::Text:
            case CellType::Name: writer.value(column.text(row)); break;
            case CellType::List: writer.raw(column.text(row)); break;
            }
        }
        writer.endArray();
    }
    writer.endArray();
}

void writeTableCsv(TextSink &sink, const Table &table)
{
    bool first = true;
    for (const Column &column : table.columns()) {
        if (!std::exchange(first, false))
            sink.put(',');
        putCsvField(sink, column.name());
    }
    sink.put("\r\n");
    for (std::size_t row = 0; row < table.rowCount(); ++row) {
        first = true;
        for (const Column &column : table.columns()) {
            if (!std::exchange(first, false))
                sink.put(',');
            putCsvCell(sink, column, row);
        }
        sink.put("\r\n");
    }
}

std::string cellText(const Column &column, std::size_t row)
{
    if (column.isNull(row))
        return std::string(kNothing);
    if (!column.isNumeric())
        return oneLine(std::string(column.text(row)));
    const bool isInteger = column.type() == CellType::Integer;
    const double real = isInteger ? static_cast<double>(column.integer(row)) : column.real(row);
    const auto whole = [&] { return isInteger ? column.integer(row) : rounded(real); };
    switch (column.unit()) {
    case Unit::Ns: return formatDuration(whole());
    case Unit::Bytes: return formatBytes(whole());
    case Unit::Count: return isInteger ? formatSigned(column.integer(row)) : formatNumber(real);
    case Unit::Ratio: return formatPercent(real);
    case Unit::Change: return formatChange(real);
    case Unit::Percent: return formatPercent(real / 100);
    case Unit::Flop: return formatFlop(real);
    case Unit::GbPerS: return formatRate(real * 1e9);
    case Unit::Text:
    case Unit::Number:
    case Unit::Id:
    case Unit::List: break;
    }
    return isInteger ? std::to_string(column.integer(row)) : formatNumber(real);
}

bool isMoment(const Column &column)
{
    const auto endsIn = [&column](std::string_view suffix) { return column.name().ends_with(suffix); };
    return column.unit() == Unit::Ns && column.type() == CellType::Integer && !column.name().starts_with("skew_")
           && (endsIn("start_ns") || endsIn("end_ns") || endsIn("ts_ns") || endsIn("at_ns"));
}

std::string momentText(const Column &column, std::size_t row, std::int64_t origin)
{
    constexpr TimeNs kResolution = 1000;
    if (column.isNull(row))
        return std::string(kNothing);
    return formatTimePoint(saturatingSubtract(column.integer(row), origin), kResolution);
}

void writeTableText(TextSink &sink, const Table &table, std::size_t maxTextColumns, std::int64_t origin)
{
    const auto columns = table.columns();
    const std::size_t rows = table.rowCount();
    // A tree is indented in its first text column.
    const Column *indented = nullptr;
    if (table.isTree()) {
        const auto text = std::find_if(columns.begin(), columns.end(), [](const Column &c) { return c.isText(); });
        indented = text != columns.end() ? &*text : nullptr;
    }

    const auto cell = [&](const Column &column, std::size_t row) {
        std::string text = isMoment(column) ? momentText(column, row, origin) : cellText(column, row);
        if (&column == indented)
            text.insert(0, 2 * table.depth(row), ' ');
        return maxTextColumns == 0 || column.isNumeric() ? text : elidedMiddle(text, maxTextColumns);
    };
    std::vector<std::size_t> widths;
    for (const Column &column : columns) {
        std::size_t width = columnsOf(heading(column));
        for (std::size_t row = 0; row < rows; ++row)
            width = std::max(width, columnsOf(cell(column, row)));
        widths.push_back(width);
    }
    const auto putLine = [&](const auto &textOf) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const std::string text = textOf(columns[i]);
            const std::size_t blanks = widths[i] - std::min(widths[i], columnsOf(text));
            const bool isLast = i + 1 == columns.size();
            if (columns[i].isNumeric())
                sink.putRepeated(' ', blanks).put(text);
            else
                sink.put(text).putRepeated(' ', isLast ? 0 : blanks);
            sink.put(isLast ? std::string_view("\n") : kGap);
        }
    };
    putLine([](const Column &column) { return heading(column); });
    for (std::size_t i = 0; i < columns.size(); ++i) {
        for (std::size_t dash = 0; dash < widths[i]; ++dash)
            sink.put("─");
        sink.put(i + 1 == columns.size() ? std::string_view("\n") : kGap);
    }
    for (std::size_t row = 0; row < rows; ++row)
        putLine([&](const Column &column) { return cell(column, row); });
}

} // namespace ks
