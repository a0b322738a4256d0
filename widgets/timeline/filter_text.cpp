// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/filter_text.h"

#include "core/analysis/filter.h"

#include <QList>

#include <algorithm>

namespace ks {

std::shared_ptr<const Filter> filterOfText(const QString &text, FilterFault &fault)
{
    try {
        return std::make_shared<const Filter>(Filter::parse(text.toStdString()));
    } catch (const FilterError &what) {
        fault.why = QString::fromStdString(what.what());
        const QList<uint> characters = text.toUcs4(); // which columns count
        const auto before = std::min(static_cast<qsizetype>(what.column()) - 1, characters.size());
        fault.at = QString::fromUcs4(reinterpret_cast<const char32_t *>(characters.constData()), before).size();
        return nullptr;
    }
}

bool letsAllPass(const Filter &filter)
{
    return filter.letsAllPass();
}

Bits matchesOf(const Filter &filter, const Trace &trace, const std::string &stepPattern, const Progress &progress)
{
    return filter.matches(trace, {trace.metadata().rank, stepPattern}, progress);
}

} // namespace ks
