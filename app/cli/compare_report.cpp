// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/compare_report.h"

#include "core/base/format.h"
#include "core/table/table_output.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string_view>

namespace ks::cli {
namespace {

std::string escapedXml(std::string_view text)
{
    std::string result;
    for (const char c : text) {
        switch (c) {
        case '&': result += "&amp;"; break;
        case '<': result += "&lt;"; break;
        case '>': result += "&gt;"; break;
        case '"': result += "&quot;"; break;
        default:
            // Other control characters are not allowed in XML 1.0 at all.
            if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t')
                result += c;
        }
    }
    return result;
}

// A cell of a Markdown table.
std::string escapedCell(std::string_view text)
{
    std::string result;
    for (const char c : text) {
        if (c == '|' || c == '\\' || c == '*' || c == '_' || c == '`' || c == '<')
            result += '\\';
        result += c == '\n' ? ' ' : c;
    }
    return result;
}

bool isBytes(std::string_view metric)
{
    return metric == "peak_memory";
}

std::string valueText(std::string_view metric, double value)
{
    const auto whole = static_cast<std::int64_t>(std::llround(value));
    return isBytes(metric) ? formatBytes(whole) : formatDuration(whole);
}

std::string changeText(std::string_view metric, double before, double after)
{
    std::string text = (after > before ? "+" : "") + valueText(metric, after - before);
    if (before != 0)
        text += " (" + std::string(after > before ? "+" : "") + formatPercent((after - before) / before) + ")";
    return text;
}

std::string sentenceOf(const Gate &gate)
{
    return gate.metric + ": " + valueText(gate.metric, gate.baseline) + " → " + valueText(gate.metric, gate.candidate)
           + ", " + changeText(gate.metric, gate.baseline, gate.candidate) + "; the gate is " + gate.expression;
}

template<typename T>
std::optional<double> number(const std::optional<T> &value)
{
    return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

// Rows of a table that fit, as lines of a Markdown table.
std::string rowsText(const Table &table, std::initializer_list<std::string_view> columns, std::size_t most,
                     const std::function<bool(std::size_t row)> &fits)
{
    std::string lines;
    std::size_t count = 0;
    for (std::size_t row = 0; row < table.rowCount() && count < most; ++row) {
        if (!fits(row))
            continue;
        ++count;
        lines += '|';
        for (const std::string_view name : columns) {
            const Column *column = table.findColumn(name);
            lines += ' ' + (column ? escapedCell(cellText(*column, row)) : std::string()) + " |";
        }
        lines += '\n';
    }
    return lines;
}

} // namespace

std::string junitText(const CompareReport &report)
{
    const auto failed =
        std::count_if(report.gates.begin(), report.gates.end(), [](const Gate &gate) { return gate.failed; });
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"kinetoscope compare "
                       + escapedXml(report.baseline) + " " + escapedXml(report.candidate) + "\" tests=\""
                       + std::to_string(report.gates.size()) + "\" failures=\"" + std::to_string(failed) + "\">\n";
    for (const Gate &gate : report.gates) {
        text += "  <testcase classname=\"kinetoscope.compare\" name=\"" + escapedXml(gate.expression) + "\"";
        if (gate.failed)
            text += ">\n    <failure message=\"" + escapedXml(sentenceOf(gate)) + "\"/>\n  </testcase>\n";
        else
            text += ">\n    <system-out>" + escapedXml(sentenceOf(gate)) + "</system-out>\n  </testcase>\n";
    }
    return text + "</testsuite>\n";
}

std::string markdownText(const CompareReport &report)
{
    std::string text =
        "## " + escapedCell(report.candidate) + " compared with " + escapedCell(report.baseline) + "\n\n";
    if (!report.gates.empty()) {
        text += "| gate | baseline | candidate | change | |\n|---|--:|--:|--:|---|\n";
        for (const Gate &gate : report.gates)
            text += "| " + escapedCell(gate.expression) + " | " + valueText(gate.metric, gate.baseline) + " | "
                    + valueText(gate.metric, gate.candidate) + " | "
                    + changeText(gate.metric, gate.baseline, gate.candidate) + " | "
                    + (gate.failed ? "**failed**" : "passed") + " |\n";
        text += '\n';
    }
    text += "| | baseline | candidate | change |\n|---|--:|--:|--:|\n";
    const auto figure = [&text](std::string_view title, std::string_view metric, const std::optional<double> &before,
                                const std::optional<double> &after) {
        if (!before || !after)
            return;
        text += "| " + std::string(title) + " | " + valueText(metric, *before) + " | " + valueText(metric, *after)
                + " | " + changeText(metric, *before, *after) + " |\n";
    };
    figure("mean step", "step_mean", report.before.stepMean, report.after.stepMean);
    figure("device busy", "device_busy", number(report.before.deviceBusy), number(report.after.deviceBusy));
    figure("device work, sum", "device_sum", number(report.before.deviceSum), number(report.after.deviceSum));
    figure("operators, self", "cpu_self", number(report.before.cpuSelf), number(report.after.cpuSelf));
    figure("peak memory", "peak_memory", number(report.before.peakMemory), number(report.after.peakMemory));

    constexpr std::size_t kMostParts = 12;
    constexpr std::size_t kMostRows = 10;
    constexpr std::size_t kNamed = 2; // depth in the waterfall: families, causes
    const Table &waterfall = report.waterfall;
    const std::string parts =
        rowsText(waterfall, {"part", "item", "baseline_ns", "candidate_ns", "delta_ns", "share"}, kMostParts,
                 [&](std::size_t row) {
                     return row == 0
                            || (waterfall.depth(row) == kNamed
                                && waterfall.findColumn("delta_ns")->number(row).value_or(0) != 0);
                 });
    text += "\nWhat explains the step time:\n\n| part | | baseline | candidate | change | share |\n"
            "|---|---|--:|--:|--:|--:|\n"
            + parts;
    const Table &rows = report.rows;
    const std::string key = rows.columns().empty() ? std::string() : rows.columns().front().name();
    const std::string changed =
        rowsText(rows, {key, "baseline", "candidate", "delta", "verdict"}, kMostRows,
                 [&](std::size_t row) { return rows.findColumn("delta")->number(row).value_or(0) != 0; });
    if (!changed.empty())
        text += "\nLargest changes:\n\n| name | baseline | candidate | change | over steps |\n|---|--:|--:|--:|---|\n"
                + changed;
    return text;
}

} // namespace ks::cli
