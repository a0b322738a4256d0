// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/table_chart.h"

#include "core/base/format.h"
#include "core/table/column_title.h"
#include "core/table/table_output.h"
#include "widgets/state/to_qstring.h"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QCoreApplication>
#include <QLegend>
#include <QStackedBarSeries>
#include <QToolTip>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace ks {
namespace {

// The meaning of the colours is that of the timeline's families.
QColor colourOf(std::string_view column, bool isDark)
{
    if (column.find("communication") != std::string_view::npos)
        return QColor(0xee, 0x77, 0x33);
    if (column.find("memory") != std::string_view::npos)
        return QColor(0x9a, 0xa0, 0xa6);
    if (column.find("idle") != std::string_view::npos || column.find("other") != std::string_view::npos)
        return isDark ? QColor(0x4a, 0x4d, 0x52) : QColor(0xd9, 0xdc, 0xe1);
    if (column.find("host_wait") != std::string_view::npos)
        return QColor(0xcc, 0xbb, 0x44);
    if (column.find("kernel_wait") != std::string_view::npos)
        return QColor(0x66, 0xcc, 0xee);
    return QColor(0x44, 0x77, 0xaa);
}

QString labelOf(const Table &table, const std::vector<std::string_view> &columns, std::size_t row)
{
    QStringList parts;
    for (const std::string_view name : columns) {
        const Column *column = table.findColumn(name);
        if (column && !column->isNull(row))
            parts << toQString(cellText(*column, row));
    }
    return parts.join(QStringLiteral(" · "));
}

} // namespace

TableChart::TableChart(QWidget *parent)
    : ThemedChart(parent)
{
    setObjectName(QStringLiteral("chart"));
    setAccessibleName(tr("Chart of the table"));
}

bool TableChart::show(const Table &table, const BarChart &what)
{
    clear();
    const std::size_t rows = table.rowCount();
    std::vector<const Column *> values;
    for (const std::string_view name : what.values) {
        if (const Column *column = table.findColumn(name))
            values.push_back(column);
    }
    if (rows == 0 || rows > kMostBars || values.empty() || values.size() != what.values.size())
        return false;

    double largest = 0;
    for (std::size_t row = 0; row < rows; ++row) {
        double height = 0;
        for (const Column *column : values)
            height += std::max(0.0, column->number(row).value_or(0));
        largest = std::max(largest, height);
    }
    QStringList labels;
    for (std::size_t row = 0; row < rows; ++row)
        labels << labelOf(table, what.labels, row);
    const TimeUnit unit = timeUnitFor(largest);
    auto *series = new QStackedBarSeries(chart());
    for (const Column *column : values) {
        auto *set = new QBarSet(QCoreApplication::translate("Column", columnTitle(*column).c_str()));
        for (std::size_t row = 0; row < rows; ++row)
            *set << std::max(0.0, column->number(row).value_or(0)) / unit.ns;
        set->setColor(colourOf(column->name(), isDark()));
        set->setBorderColor(Qt::transparent);
        connect(set, &QBarSet::clicked, this, [this](int bar) { emit rowClicked(static_cast<std::uint32_t>(bar)); });
        connect(set, &QBarSet::hovered, this, [this, set, unit, labels](bool isInside, int bar) {
            showTip(isInside, QStringLiteral("%1 · %2").arg(labels[bar], set->label()), set->at(bar) * unit.ns);
        });
        series->append(set);
    }
    addBars(*series, labels, largest);
    chart()->legend()->setVisible(values.size() > 1);
    return true;
}

} // namespace ks
