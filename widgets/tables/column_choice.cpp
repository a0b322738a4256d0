// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tables/column_choice.h"

#include <algorithm>

namespace ks {
namespace {

constexpr QLatin1String kOrder("order");
constexpr QLatin1String kShown("shown");
constexpr QLatin1String kHidden("hidden");
constexpr QLatin1Char kBetween('\t');
constexpr int kWidest = 10'000; // pixels

} // namespace

std::optional<bool> ColumnChoice::isShown(const QString &name) const
{
    return m_columns.value(name).isShown;
}

std::optional<int> ColumnChoice::width(const QString &name) const
{
    return m_columns.value(name).width;
}

void ColumnChoice::arrange(const QStringList &names)
{
    QStringList order = names;
    for (const QString &before : m_order) { // of other tables: where they were
        if (!names.contains(before))
            order << before;
    }
    m_order = order;
}

QStringList ColumnChoice::lines() const
{
    QStringList lines;
    for (auto column = m_columns.begin(); column != m_columns.end(); ++column) {
        const QString shown = !column->isShown ? QString() : QString(*column->isShown ? kShown : kHidden);
        lines << QStringList{column.key(), shown, column->width ? QString::number(*column->width) : QString()}.join(
            kBetween);
    }
    std::sort(lines.begin(), lines.end());
    if (!m_order.isEmpty())
        lines << (QStringList{QString(), kOrder} + m_order).join(kBetween);
    return lines;
}

ColumnChoice ColumnChoice::ofLines(const QStringList &lines)
{
    ColumnChoice choice;
    for (const QString &line : lines) {
        const QStringList parts = line.split(kBetween);
        if (parts.size() > 2 && parts[0].isEmpty() && parts[1] == kOrder) {
            choice.m_order = parts.mid(2);
            continue;
        }
        if (parts.size() != 3 || parts[0].isEmpty())
            continue;
        if (parts[1] == kShown || parts[1] == kHidden)
            choice.show(parts[0], parts[1] == kShown);
        bool isNumber = false;
        const int width = parts[2].toInt(&isNumber);
        if (isNumber && width > 0 && width <= kWidest)
            choice.resize(parts[0], width);
    }
    return choice;
}

} // namespace ks
