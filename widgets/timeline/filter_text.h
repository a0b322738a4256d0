// SPDX-License-Identifier: GPL-3.0-or-later
// The text of the filter box or of Find as a filter of core.
#pragma once

#include "core/base/bits.h"
#include "core/base/progress.h"
#include "core/trace/trace.h"

#include <QString>

#include <memory>
#include <string>

namespace ks {

class Filter;

// Why a text cannot be read as a filter.
struct FilterFault
{
    QString why;       // with the column; "" if there is none
    qsizetype at = -1; // in the text
};

// Null if the text cannot be read.
std::shared_ptr<const Filter> filterOfText(const QString &text, FilterFault &fault);
bool letsAllPass(const Filter &filter);
// By EventId; `stepPattern` as stepsOf() takes it. On a worker: arguments may have to be read.
Bits matchesOf(const Filter &filter, const Trace &trace, const std::string &stepPattern, const Progress &progress);

} // namespace ks
