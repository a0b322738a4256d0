// SPDX-License-Identifier: GPL-3.0-or-later
// A table and its cells as text, for tests: whole numbers as they are, null as "null".
#pragma once

#include "core/table/table.h"
#include "core/table/table_output.h"
#include "tests/support/qt_text.h"

#include <QStringList>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace ks {

inline std::string csvOf(const Table &table)
{
    std::string text;
    TextSink sink(text);
    writeTableCsv(sink, table);
    sink.flush();
    return text;
}

inline QString cellOf(const Table &table, std::size_t row, std::string_view column)
{
    const Column *cells = table.findColumn(column);
    if (!cells)
        return QStringLiteral("no column ") + q(column);
    if (cells->isNull(row))
        return QStringLiteral("null");
    const auto number = cells->number(row);
    return number ? QString::number(*number, 'g', 17) : q(cells->text(row));
}

// The first row with that text in that column.
inline std::optional<std::size_t> rowWith(const Table &table, std::string_view column, std::string_view text)
{
    for (std::size_t i = 0; i < table.rowCount(); ++i) {
        if (!table.findColumn(column)->isNull(i) && table.findColumn(column)->text(i) == text)
            return i;
    }
    return {};
}

// Some cells of one row, separated by blanks.
inline QString rowText(const Table &table, std::optional<std::size_t> row,
                       std::initializer_list<std::string_view> columns)
{
    if (!row || *row >= table.rowCount())
        return QStringLiteral("no row");
    QStringList texts;
    for (const std::string_view column : columns)
        texts += cellOf(table, *row, column);
    return texts.join(QLatin1Char(' '));
}

// One column from top to bottom.
inline QString columnText(const Table &table, std::string_view column)
{
    QStringList texts;
    for (std::size_t i = 0; i < table.rowCount(); ++i)
        texts += cellOf(table, i, column);
    return texts.join(QLatin1Char(' '));
}

} // namespace ks
