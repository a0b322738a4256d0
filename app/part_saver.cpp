// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/part_saver.h"

#include "core/analysis/filter.h"
#include "core/export/write_trace.h"
#include "widgets/state/question.h"
#include "widgets/state/to_qstring.h"

#include <QFileInfo>
#include <QSaveFile>

#include <algorithm>
#include <stdexcept>

namespace ks {
namespace {

struct Written
{
    quint64 events = 0;
    quint64 bytes = 0;
};

Written write(const TracePart &part, const QString &path, const Progress &progress)
{
    if (QFileInfo(path) == QFileInfo(toQString(part.trace->metadata().path)))
        throw std::runtime_error(PartSaver::tr("This is the open trace itself; choose another name.").toStdString());
    const std::vector<RankTrace> traces = {{part.trace, part.trace->metadata().rank}};
    Scope scope = part.scope;
    scope.events = matchingEvents(Filter::parse(part.filter), traces, scope.stepPattern, progress.part(0, 0.1));
    const TrimmedTrace trimmedPart = trimmed(*part.trace, scope, progress.part(0.1, 0.3));
    if (trimmedPart.events.empty())
        throw std::runtime_error(PartSaver::tr("Nothing of the trace is selected.").toStdString());
    QSaveFile file(path);
    const auto fail = [&file] {
        throw std::runtime_error(
            PartSaver::tr("The file cannot be written: %1.").arg(file.errorString()).toStdString());
    };
    if (!file.open(QIODevice::WriteOnly))
        fail();
    std::string packed; // gzip is made at once
    const bool isPacked = path.endsWith(QLatin1String(".gz"));
    const auto put = [&](std::string_view text) {
        if (file.write(text.data(), static_cast<qint64>(text.size())) != static_cast<qint64>(text.size()))
            fail();
    };
    {
        TextSink sink([&](std::string_view text) {
            if (isPacked)
                packed += text;
            else
                put(text);
        });
        writeTrace(sink, *part.trace, trimmedPart, progress.part(0.3, isPacked ? 0.8 : 1));
        sink.put('\n');
        sink.flush();
    }
    progress.throwIfStopped();
    if (isPacked)
        put(gzipOf(packed));
    progress.throwIfStopped();
    if (!file.commit())
        fail();
    return {trimmedPart.events.size(), static_cast<quint64>(QFileInfo(path).size())};
}

} // namespace

TracePart selectedPart(const ViewState &state)
{
    TracePart part;
    const TraceSet &traces = state.traces();
    if (traces.isEmpty())
        return part;
    std::uint32_t position = traces.baseline();
    const EventRef *event = selectedEvent(state.selection());
    if (event && traces.isValid(*event))
        position = event->trace;
    const Area area = state.area();
    if (!area.lanes.empty() && traces.isValid(area.lanes.front()))
        position = area.lanes.front().trace;
    part.trace = traces.share(position);
    part.filter = state.filter().toStdString();

    // A step that was picked is saved as a step, with the work it launched, whenever that ran.
    const auto steps = part.trace->steps();
    const auto step =
        std::find_if(steps.begin(), steps.end(), [&](const Step &one) { return event && one.event == event->event; });
    if (event && step != steps.end()) {
        part.scope.steps = Scope::StepRange{step->number, step->number};
        part.words = toQString(part.trace->name(step->event));
        if (!part.filter.empty())
            part.words = PartSaver::tr("%1, only %2").arg(part.words, state.filter());
        return part;
    }
    const Question question = questionOf(state);
    part.words = question.words;
    if (question.scope.steps) {
        part.scope.steps = question.scope.steps;
        return part;
    }
    Scope::Part own{part.trace.get(), {}, {}};
    const TimeRange whole = part.trace->range();
    const TimeRange range = traces.toTraceTime(position, area.range);
    if (range.begin > whole.begin || range.end < whole.end)
        own.range = range;
    for (const LaneRef &lane : area.lanes) {
        if (lane.trace == position)
            own.lanes.push_back(lane.lane);
    }
    if (own.range || !own.lanes.empty())
        part.scope.parts.push_back(std::move(own));
    return part;
}

PartSaver::PartSaver(QObject *parent)
    : QObject(parent)
{
    connect(&m_job, &JobSlot::runningChanged, this, &PartSaver::savingChanged);
    connect(&m_job, &JobSlot::progressChanged, this, &PartSaver::progressChanged);
}

void PartSaver::save(const TracePart &part, const QString &path)
{
    if (!part.trace)
        return;
    m_path = path;
    m_job.run([part, path](const Progress &progress) { return write(part, path, progress); },
              [this, path](const Written &written) { emit saved(path, written.events, written.bytes); },
              [this, path](const JobError &error) {
                  emit failed(path, error.kind == JobError::Kind::SourceChanged
                                        ? tr("The trace changed on disk since it was opened; reload it first.")
                                        : toQString(error.message));
              });
}

void PartSaver::cancel()
{
    m_job.cancel();
}

} // namespace ks
