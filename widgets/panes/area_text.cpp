// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/area_text.h"

#include "core/analysis/short_name.h"
#include "core/base/format.h"
#include "widgets/state/to_qstring.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace ks {
namespace {

class Text
{
    Q_DECLARE_TR_FUNCTIONS(ks::AreaText)
};

constexpr double kWorthNaming = 0.005; // a share of half a percent

QString duration(TimeNs ns)
{
    return toQString(formatDuration(ns));
}

QString percent(TimeNs part, TimeNs whole)
{
    const double ratio = whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
    const int rounded = qRound(ratio * 100);
    const bool wouldBeAll = rounded == 100 && part < whole; // "100 % idle" beside some work
    return ratio >= 0.01 && !wouldBeAll ? QStringLiteral("%1 %").arg(rounded) : toQString(formatPercent(ratio));
}

// "11 % host wait in aten::item": the class with the largest share.
QString idleReason(const AreaSummary &summary)
{
    const auto largest = std::max_element(summary.idleOfClass.begin(), summary.idleOfClass.end());
    if (*largest <= 0)
        return {};
    const QString share = percent(*largest, summary.wall);
    switch (largest - summary.idleOfClass.begin()) {
    case 0: {
        if (summary.waitingCall == kNoName)
            return Text::tr("%1 waiting for the host").arg(share);
        const QString call = toQString(shortName(nameText(summary.waitingCall))).left(60);
        return Text::tr("%1 waiting for the host: %2").arg(share, call);
    }
    case 1: return Text::tr("%1 between kernels").arg(share);
    default: return Text::tr("%1 for other reasons").arg(share);
    }
}

QString shares(const AreaSummary &summary)
{
    QStringList parts;
    const auto add = [&](TimeNs part, const QString &text) {
        if (static_cast<double>(part) >= kWorthNaming * static_cast<double>(summary.wall))
            parts << text.arg(percent(part, summary.wall));
    };
    add(summary.compute, Text::tr("%1 compute"));
    add(summary.exposedCommunication, Text::tr("%1 exposed communication"));
    add(summary.exposedCopies, Text::tr("%1 exposed copies"));
    QString idle = Text::tr("%1 idle").arg(percent(summary.idle, summary.wall));
    const QString reason = idleReason(summary);
    if (!reason.isEmpty() && summary.idle > 0)
        idle += QStringLiteral(" (%1)").arg(reason);
    parts << idle;
    return parts.join(QStringLiteral(", "));
}

} // namespace

QString areaText(const AreaSummary &summary, TimeRange range, bool isSelected)
{
    QString head = isSelected ? Text::tr("%1 selected").arg(duration(range.duration()))
                              : Text::tr("%1 in view").arg(duration(range.duration()));
    if (summary.devices > 0) {
        if (summary.devices > 1)
            head += Text::tr(" on %1 devices").arg(summary.devices);
        head += QStringLiteral(": ") + shares(summary);
    }
    QStringList parts{head};
    if (summary.work.work > 0) {
        parts << Text::tr("busy %1 (union)").arg(duration(summary.busy));
        parts << Text::tr("sum %1").arg(duration(summary.work.sum));
        parts << (summary.work.work == 1
                      ? Text::tr("1 kernel or copy")
                      : Text::tr("%1 kernels and copies").arg(toQString(formatCount(summary.work.work))));
    }
    parts << (summary.work.events == 1 ? Text::tr("1 event")
                                       : Text::tr("%1 events").arg(toQString(formatCount(summary.work.events))));
    return parts.join(QStringLiteral(" · "));
}

} // namespace ks
