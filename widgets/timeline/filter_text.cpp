// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/filter_text.h"

#include "core/analysis/filter.h"

namespace ks {

std::shared_ptr<const Filter> filterOfText(const QString &text, QString &error)
{
    try {
        return std::make_shared<const Filter>(Filter::parse(text.toStdString()));
    } catch (const FilterError &what) {
        error = QString::fromStdString(what.what());
        return nullptr;
    }
}

bool letsAllPass(const Filter &filter)
{
    return filter.letsAllPass();
}

std::vector<bool> matchesOf(const Filter &filter, const Trace &trace, const Progress &progress)
{
    return filter.matches(trace, {trace.metadata().rank, {}}, progress);
}

} // namespace ks
