// SPDX-License-Identifier: GPL-3.0-or-later
// What explains the difference of two steps, as bars from the step before to the step after.
#pragma once

#include "core/table/table.h"
#include "widgets/charts/themed_chart.h"

#include <cstdint>

namespace ks {

class WaterfallChart : public ThemedChart
{
    Q_OBJECT
public:
    explicit WaterfallChart(QWidget *parent = nullptr);

    // False, and nothing drawn, if the table is no waterfall or nothing differs.
    bool show(const Table &table);

signals:
    void rowClicked(std::uint32_t row);
};

} // namespace ks
