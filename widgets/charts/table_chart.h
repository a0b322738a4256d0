// SPDX-License-Identifier: GPL-3.0-or-later
// Some columns of a table as bars, one bar a row, so that the shape shows before the numbers: steps by duration, where the time of each
// device went, what each stream waited for.
#pragma once

#include "core/table/table.h"
#include "widgets/charts/themed_chart.h"

#include <string_view>
#include <vector>

namespace ks {

// What is drawn of a table.
struct BarChart
{
    std::vector<std::string_view> labels; // columns that name a bar
    std::vector<std::string_view> values; // columns of times that stand on each other
};

class TableChart : public ThemedChart
{
    Q_OBJECT
public:
    // More bars are not told apart.
    static constexpr std::size_t kMostBars = 200;

    explicit TableChart(QWidget *parent = nullptr);

    // False, and nothing drawn, if the table has not these columns, no rows or too many.
    bool show(const Table &table, const BarChart &what);

signals:
    void rowClicked(std::uint32_t row);
};

} // namespace ks
