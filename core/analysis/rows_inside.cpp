// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/rows_inside.h"

#include "core/analysis/filter.h"

#include <algorithm>

namespace ks {

bool opens(const Analysis &analysis, const AnalysisOptions &options, const Table &table, std::size_t row)
{
    if (!analysis.inside || !options.values().empty())
        return false;
    const Column *name = table.findColumn("name");
    const Column *sum = table.findColumn(analysis.inside->sum);
    const Column *kind = table.findColumn("kind");
    if (!name || !sum || !kind || name->isNull(row) || kind->isNull(row) || table.parent(row) != Table::kNoParent)
        return false;
    const auto &kinds = analysis.inside->ofKinds;
    return sum->integer(row) > 0 && std::find(kinds.begin(), kinds.end(), kind->text(row)) != kinds.end();
}

Table rowsInside(const Analysis &analysis, const Table &table, std::size_t row, const RowsInsideInput &input,
                 const Progress &progress)
{
    const RowsInside &inside = *analysis.inside;
    const Analysis &of = *findAnalysis(inside.analysis);
    const std::string own = std::string(inside.field) + " == " + quotedForFilter(table.findColumn("name")->text(row));
    Scope scope = input.scope;
    scope.events = matchingEvents(Filter::parse(input.filter.empty() ? own : "(" + input.filter + ") and " + own),
                                  input.traces, scope.stepPattern, progress.part(0, 0.5));
    AnalysisOptions options(of);
    for (const auto &[option, value] : inside.options)
        options.set(option, std::string(value));
    const Table found = of.run({input.traces, scope, options}, progress.part(0.5, 1));
    Table rows;
    for (const Column &column : table.columns()) {
        Column &to = rows.addColumn(column.name(), column.unit(), column.type());
        const auto told = std::find_if(inside.columns.begin(), inside.columns.end(),
                                       [&](const auto &entry) { return entry.second == column.name(); });
        const Column *from = told == inside.columns.end() ? nullptr : found.findColumn(told->first);
        for (std::size_t i = 0; i < found.rowCount(); ++i) {
            if (from)
                to.appendCell(*from, i);
            else
                to.appendNull();
        }
    }
    return rows;
}

} // namespace ks
