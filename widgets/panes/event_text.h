// SPDX-License-Identifier: GPL-3.0-or-later
// What events, lanes and the facts about them are called, for people and in their language.
#pragma once

#include "core/analysis/why.h"
#include "core/analysis/work_summary.h"
#include "core/trace/trace.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace ks {

QString kindText(EventKind kind);              // "kernel", "operator" …
QString familyText(const Trace &trace, EventId event); // "gemm" …; "" for what is no kernel
QString laneText(const Trace &trace, LaneId lane); // "GPU 0 · stream 7", "thread 4711 (main)"
QString shortName(const Trace &trace, EventId event, int maxLength = 60); // elided in the middle

// Why a link is missing, as one sentence; "" if it is not.
QString missingLaunchText(MissingLaunch reason);
QString missingOperatorText(MissingOperator reason);

// "launched 18.2 µs after aten::addmm began", "waited …", "ran … — p93 of 96 calls of this kernel": in this order, without full stops.
QStringList whySentences(const Trace &trace, EventId event, const Why &why, const std::optional<DurationRank> &rank);
// "12 kernels and copies: 1.2 ms (union), 1.4 ms (sum)"
QString workText(const WorkSummary &work);

} // namespace ks
