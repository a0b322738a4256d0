// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/event_text.h"

#include "core/base/format.h"
#include "core/trace/kernel_family.h"
#include "widgets/state/to_qstring.h"

#include <QCoreApplication>

namespace ks {
namespace {

class Text
{
    Q_DECLARE_TR_FUNCTIONS(ks::EventText)
};

QString count(std::size_t n)
{
    return toQString(formatCount(n));
}

QString duration(TimeNs ns)
{
    return toQString(formatDuration(ns));
}

QString groupSentence(const Trace &trace, const Why &why)
{
    const LaunchGroup &group = *why.group;
    const QString launch = shortName(trace, why.launch);
    if (!group.isGraph)
        return Text::tr("part %1 of %2 of one %3 call").arg(count(group.node), count(group.nodes), launch);
    if (group.replays < 2)
        return Text::tr("node %1 of %2 of the graph launched by %3").arg(count(group.node), count(group.nodes), launch);
    return Text::tr("node %1 of %2 of a graph; replay %3 of %4 (%5)")
        .arg(count(group.node), count(group.nodes), count(group.replay), count(group.replays), launch);
}

QString waitSentence(const Trace &trace, EventId event, const Why &why)
{
    if (*why.waited == 0)
        return Text::tr("started while its launch call was still running");
    const Lane &stands = trace.lane(trace.lane(event));
    const QString lane = stands.stream ? Text::tr("stream %1").arg(*stands.stream) : laneText(trace, trace.lane(event));
    if (why.group && why.group->isGraph && why.queuedBefore == 0)
        return Text::tr("began %1 after the launch of its graph").arg(duration(*why.waited));
    if (why.queuedBefore == 0)
        return Text::tr("waited %1 in %2, nothing queued before it").arg(duration(*why.waited), lane);
    const QString waited = Text::tr("waited %1 in %2 behind %3").arg(duration(*why.waited), lane);
    if (why.queuedCopies > 0)
        return waited.arg(Text::tr("%1 kernels and copies").arg(count(why.queuedBefore)));
    return waited.arg(why.queuedBefore == 1 ? Text::tr("1 kernel") : Text::tr("%1 kernels").arg(count(why.queuedBefore)));
}

} // namespace

QString kindText(EventKind kind)
{
    switch (kind) {
    case EventKind::Operator: return Text::tr("operator");
    case EventKind::Annotation: return Text::tr("annotation");
    case EventKind::Python: return Text::tr("python function");
    case EventKind::Launch: return Text::tr("runtime call");
    case EventKind::Kernel: return Text::tr("kernel");
    case EventKind::Memcpy: return Text::tr("copy");
    case EventKind::Memset: return Text::tr("memset");
    case EventKind::GpuAnnotation: return Text::tr("annotation on the GPU");
    case EventKind::Sync: return Text::tr("synchronisation");
    case EventKind::Overhead: return Text::tr("profiler overhead");
    case EventKind::Span: return Text::tr("recording");
    case EventKind::Other: break;
    }
    return Text::tr("event");
}

QString familyText(const Trace &trace, EventId event)
{
    if (trace.kind(event) != EventKind::Kernel)
        return {};
    switch (kernelFamilyOf(trace.name(event))) {
    case KernelFamily::Gemm: return Text::tr("gemm");
    case KernelFamily::Attention: return Text::tr("attention");
    case KernelFamily::Convolution: return Text::tr("convolution");
    case KernelFamily::Elementwise: return Text::tr("elementwise");
    case KernelFamily::Reduction: return Text::tr("reduction");
    case KernelFamily::Normalization: return Text::tr("normalization");
    case KernelFamily::Embedding: return Text::tr("embedding");
    case KernelFamily::Optimizer: return Text::tr("optimizer");
    case KernelFamily::Communication: return Text::tr("communication");
    case KernelFamily::Copy: return Text::tr("copy");
    case KernelFamily::Other: break;
    }
    return {};
}

QString laneText(const Trace &trace, LaneId id)
{
    const Lane &lane = trace.lane(id);
    if (lane.kind == LaneKind::Gpu) {
        QStringList parts;
        if (lane.device)
            parts << Text::tr("GPU %1").arg(*lane.device);
        if (lane.stream)
            parts << Text::tr("stream %1").arg(*lane.stream);
        if (!parts.isEmpty())
            return parts.join(QStringLiteral(" · "));
    }
    const QString name = toQString(lane.name);
    switch (lane.role) {
    case LaneRole::MainThread: return Text::tr("main thread (%1)").arg(toQString(lane.tid.text()));
    case LaneRole::AutogradThread: return Text::tr("autograd thread (%1)").arg(toQString(lane.tid.text()));
    case LaneRole::Overhead: return Text::tr("profiler overhead");
    default: break;
    }
    if (lane.kind == LaneKind::Cpu && lane.tid.isNumber() && name == toQString(lane.tid.text()))
        return Text::tr("thread %1").arg(name);
    return name.isEmpty() ? Text::tr("unnamed lane") : name;
}

QString shortName(const Trace &trace, EventId event, int maxLength)
{
    QString name = toQString(trace.name(event));
    if (name.startsWith(QLatin1String("void "))) // a kernel of C++; the full name is among the facts
        name.remove(0, 5);
    if (name.isEmpty())
        return Text::tr("(no name)");
    // Of a python frame the file matters more than the folders it is in.
    if (const qsizetype slash = name.lastIndexOf(QLatin1Char('/'), name.indexOf(QLatin1String(".py(")));
        name.size() > maxLength && trace.kind(event) == EventKind::Python && slash > 0)
        name = QStringLiteral("…") + name.mid(slash);
    if (name.size() > maxLength)
        name = name.left(maxLength * 2 / 3) + QStringLiteral("…") + name.right(maxLength / 3);
    return name;
}

QString missingLaunchText(MissingLaunch reason)
{
    switch (reason) {
    case MissingLaunch::None: return {};
    case MissingLaunch::NoCpuEvents: return Text::tr("No CPU events were recorded, so nothing tells who launched this.");
    case MissingLaunch::NoCorrelation: return Text::tr("The file gives no correlation id for this, so nothing links it to a launch.");
    case MissingLaunch::BeforeRecording: return Text::tr("It was launched before the recording began.");
    case MissingLaunch::Graph: return Text::tr("It was launched by a CUDA graph whose launch is not in the file.");
    case MissingLaunch::NotRecorded: return Text::tr("Its launch is not in the file: no runtime call has its correlation id.");
    }
    return {};
}

QString missingOperatorText(MissingOperator reason)
{
    switch (reason) {
    case MissingOperator::None:
    case MissingOperator::NoLaunch: return {}; // told by the missing launch
    case MissingOperator::NoOperators: return Text::tr("No operators were recorded, only runtime calls.");
    case MissingOperator::NothingAround: return Text::tr("No operator encloses this launch.");
    }
    return {};
}

QStringList whySentences(const Trace &trace, EventId event, const Why &why, const std::optional<DurationRank> &rank)
{
    QStringList sentences;
    if (why.sinceOperator)
        sentences << Text::tr("launched %1 after %2 began").arg(duration(*why.sinceOperator), shortName(trace, why.op, 40));
    if (why.waited)
        sentences << waitSentence(trace, event, why);
    if (why.group)
        sentences << groupSentence(trace, why);
    if (why.via == LinkVia::ExternalId && why.launch == kNoEvent)
        sentences << Text::tr("its operator is known by External id alone");

    QString ran = trace.isUnfinished(event) ? Text::tr("did not end in the recording") : Text::tr("ran %1").arg(duration(trace.duration(event)));
    if (rank && rank->calls > 1) {
        const QString place = QStringLiteral("p%1").arg(rank->percentile());
        ran += trace.kind(event) == EventKind::Kernel
                   ? Text::tr(" — %1 of %2 calls of this kernel").arg(place, count(rank->calls))
                   : Text::tr(" — %1 of %2 calls of this name").arg(place, count(rank->calls));
    } else if (rank) {
        ran += Text::tr(" — the only one of this name");
    }
    sentences << ran;
    return sentences;
}

QString workText(const WorkSummary &work)
{
    if (work.work == 0)
        return Text::tr("no device work");
    if (work.work == 1)
        return Text::tr("1 piece of device work, %1").arg(duration(work.sum));
    return Text::tr("%1 pieces of device work: %2 (union), %3 (sum)").arg(count(work.work), duration(work.busy), duration(work.sum));
}

} // namespace ks
