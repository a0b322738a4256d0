// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_tooltip.h"

#include "core/base/format.h"
#include "core/view/lane_groups.h"
#include "widgets/render/colours.h"

#include <QCoreApplication>

namespace ks {
namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ks::TimelineTooltip", text);
}

QString escaped(std::string_view name)
{
    constexpr qsizetype kMost = 300;
    QString text = toText(name);
    if (text.size() > kMost)
        text = text.left(kMost) + u'…';
    return text.toHtmlEscaped();
}

QString kindName(const Trace &trace, EventId id)
{
    switch (trace.kind(id)) {
    case EventKind::Operator: return tr("operator");
    case EventKind::Annotation: return tr("annotation");
    case EventKind::Python: return tr("python function");
    case EventKind::Launch: return tr("launch");
    case EventKind::Kernel:
        return tr("kernel") + QStringLiteral(" · ") + toText(kernelFamilyId(familyOf(trace.nameId(id))));
    case EventKind::Memcpy: return tr("copy");
    case EventKind::Memset: return tr("memset");
    case EventKind::GpuAnnotation: return tr("annotation on the device");
    case EventKind::Sync: return tr("synchronisation");
    case EventKind::Overhead: return tr("profiler overhead");
    case EventKind::Span:
    case EventKind::Other: break;
    }
    return escaped(trace.category(id));
}

QString duration(TimeNs ns)
{
    QString text = toText(formatDuration(ns));
    const QString exact = toText(formatExactNs(ns));
    return text == exact ? text : text + QStringLiteral(" (") + exact + u')';
}

QString ofEvent(const Trace &trace, EventId id)
{
    QString text =
        QStringLiteral("<b>") + escaped(trace.name(id)) + QStringLiteral("</b><br>") + duration(trace.duration(id));
    if (trace.isUnfinished(id))
        text += QStringLiteral(" · ") + tr("has no end in the file");
    text += QStringLiteral("<br>") + kindName(trace, id) + QStringLiteral(" · ")
            + tr("at %1").arg(toText(formatTimePoint(trace.begin(id), 1)));
    return text;
}

QString ofRun(const Track &track, const Hit &hit)
{
    const Trace &trace = *track.trace;
    const RunFacts facts = runFacts(trace, track.index->durations(), hit.first, hit.end);
    const TimeNs span = facts.range.duration();
    const double share = span > 0 ? static_cast<double>(facts.busy) / static_cast<double>(span) : 1;
    return tr("%1 events · %2 busy · longest: %3")
               .arg(toText(formatCount(facts.count)), toText(formatPercent(share)),
                    QStringLiteral("<b>") + escaped(trace.name(facts.longest)) + QStringLiteral("</b>, ")
                        + toText(formatDuration(trace.duration(facts.longest))))
           + QStringLiteral("<br>") + tr("click selects the longest, double-click zooms in");
}

QString ofCurves(const Track &track, const Hit &hit, TimeNs t)
{
    const CurveLane &lane = track.index->curveLanes()[track.layout.blocks()[hit.block].curveLane];
    QStringList lines{QStringLiteral("<b>") + escaped(lane.name) + QStringLiteral("</b>")};
    for (const Curve &curve : lane.curves) {
        const double *value = curve.valueAt(t);
        if (!value)
            continue;
        const QString amount = lane.unit == CurveUnit::Bytes ? toText(formatBytes(static_cast<std::int64_t>(*value)))
                                                             : QString::number(*value, 'g', 6);
        lines.append(curve.name().empty() ? amount : escaped(curve.name()) + QStringLiteral(": ") + amount);
    }
    return lines.join(QStringLiteral("<br>"));
}

} // namespace

QString timelineTooltip(const Track &track, const Hit &hit, TimeNs t)
{
    switch (hit.kind) {
    case Hit::Kind::Event: return ofEvent(*track.trace, hit.first);
    case Hit::Kind::Run: return ofRun(track, hit);
    case Hit::Kind::Curves: return ofCurves(track, hit, t);
    case Hit::Kind::Instant: {
        const Instant &instant = track.trace->instants()[hit.instant];
        return QStringLiteral("<b>") + escaped(nameText(instant.name)) + QStringLiteral("</b><br>")
               + tr("at %1").arg(toText(formatTimePoint(instant.time, 1)));
    }
    case Hit::Kind::Nothing:
    case Hit::Kind::Heading:
    case Hit::Kind::Lane: break;
    }
    return {};
}

} // namespace ks
