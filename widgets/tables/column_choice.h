// SPDX-License-Identifier: GPL-3.0-or-later
// What somebody chose for the columns of a table, by name: whether they are shown, how wide, in which order. Tables of the same analysis
// can have other columns with other options; what was chosen for those stays.
#pragma once

#include <QHash>
#include <QStringList>

#include <optional>

namespace ks {

class ColumnChoice
{
public:
    std::optional<bool> isShown(const QString &name) const;
    std::optional<int> width(const QString &name) const; // pixels
    const QStringList &order() const { return m_order; } // left to right, empty: nobody moved any

    void show(const QString &name, bool isShown) { m_columns[name].isShown = isShown; }
    void resize(const QString &name, int width) { m_columns[name].width = width; }
    void arrange(const QStringList &names); // those that are there, left to right

    // For settings: one line a column, and one of the order.
    QStringList lines() const;
    static ColumnChoice ofLines(const QStringList &lines); // what cannot be read is left out

private:
    struct Chosen
    {
        std::optional<bool> isShown;
        std::optional<int> width;
    };
    QHash<QString, Chosen> m_columns;
    QStringList m_order;
};

} // namespace ks
