// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/status_line.h"

#include "core/base/format.h"
#include "widgets/panes/area_text.h"
#include "widgets/panes/area_work.h"
#include "widgets/panes/event_text.h"
#include "widgets/state/to_qstring.h"

#include <QAccessible>
#include <QFileInfo>
#include <QLabel>
#include <QProgressBar>
#include <QStatusBar>
#include <QToolButton>

#include <algorithm>

namespace ks {
namespace {

constexpr int kRestMs = 120;
constexpr int kSayingMs = 10'000;
constexpr TimeNs kPixels = 1000; // about as many points of time as a view has pixels

QString duration(TimeNs ns)
{
    return toQString(formatDuration(ns));
}

// What these events, wherever in the traces they are, amount to: the device work among them, of the host's their number and time.
QString markedText(const TraceSet &traces, const std::vector<EventRef> &marked)
{
    std::vector<std::vector<EventId>> events(traces.size());
    for (const EventRef event : marked)
        events[event.trace].push_back(event.event);
    WorkSummary all;
    TimeNs sum = 0;
    for (std::uint32_t position = 0; position < traces.size(); ++position) {
        const WorkSummary own = summariseWork(traces.at(position), events[position]);
        all.work += own.work;
        all.sum = saturatingAdd(all.sum, own.sum);
        all.busy = saturatingAdd(all.busy, own.busy);
        for (const EventId event : events[position])
            sum = saturatingAdd(sum, traces.at(position).duration(event));
    }
    if (all.work > 0)
        return workText(all);
    return marked.size() == 1
               ? StatusLine::tr("1 event, %1").arg(duration(sum))
               : StatusLine::tr("%1 events, %2 in sum").arg(toQString(formatCount(marked.size())), duration(sum));
}

} // namespace

StatusLine::StatusLine(ViewState &state, QStatusBar &bar)
    : QObject(&bar)
    , m_state(state)
    , m_cursor(new QLabel(&bar))
    , m_sentence(new QLabel(&bar))
    , m_loadingText(new QLabel(&bar))
    , m_loadingBar(new QProgressBar(&bar))
    , m_cancel(new QToolButton(&bar))
    , m_problems(new QToolButton(&bar))
{
    bar.setSizeGripEnabled(false);
    m_cursor->setObjectName(QStringLiteral("status.cursor"));
    m_cursor->setAccessibleName(tr("Time under the mouse"));
    m_cursor->setMinimumWidth(m_cursor->fontMetrics().horizontalAdvance(QStringLiteral("000.000 000 000 ms")));
    m_cursor->setContentsMargins(8, 0, 0, 0);
    m_cursor->setForegroundRole(QPalette::PlaceholderText);
    m_sentence->setObjectName(QStringLiteral("status.sentence"));
    m_sentence->setAccessibleName(tr("Selection"));
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setMinimumWidth(1); // a long sentence is cut, the window stays as it is
    m_loadingText->setObjectName(QStringLiteral("status.loading"));
    m_loadingBar->setFixedWidth(140);
    m_loadingBar->setMaximumHeight(m_sentence->fontMetrics().height());
    m_loadingBar->setTextVisible(false);
    m_loadingBar->setAccessibleName(tr("Part of the file that is read"));
    m_cancel->setObjectName(QStringLiteral("status.cancel"));
    m_cancel->setText(tr("Cancel"));
    m_cancel->setToolTip(tr("Stop opening this file; what is open stays"));
    m_problems->setObjectName(QStringLiteral("status.problems"));
    m_problems->setAutoRaise(true);
    m_problems->setToolTip(tr("Show what was odd about the file"));
    bar.addWidget(m_cursor);
    bar.addWidget(m_sentence, 1);
    bar.addPermanentWidget(m_loadingText);
    bar.addPermanentWidget(m_loadingBar);
    bar.addPermanentWidget(m_cancel);
    bar.addPermanentWidget(m_problems);
    hideLoading();
    setProblems(0);

    m_later.setSingleShot(true);
    m_later.setInterval(kRestMs);
    m_saying.setSingleShot(true);
    m_saying.setInterval(kSayingMs);
    connect(&m_later, &QTimer::timeout, this, &StatusLine::describe);
    connect(&m_saying, &QTimer::timeout, this, &StatusLine::describe);
    connect(m_cancel, &QToolButton::clicked, this, &StatusLine::cancelRequested);
    connect(m_problems, &QToolButton::clicked, this, &StatusLine::diagnosticsRequested);
    connect(&m_state, &ViewState::cursorChanged, this, &StatusLine::showCursor);
    connect(&m_state, &ViewState::selectionChanged, this, [this] {
        m_saying.stop();
        describe();
    });
    connect(&m_state, &ViewState::areaChanged, this, [this] { m_later.start(); });
}

QString StatusLine::sentence() const
{
    return m_sentence->text();
}

void StatusLine::say(const QString &text)
{
    m_later.stop();
    m_job.cancel();
    m_sentence->setText(text);
    m_saying.start();
    QAccessibleEvent alert(m_sentence, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void StatusLine::setProblems(std::size_t count)
{
    m_problems->setVisible(count > 0);
    m_problems->setText(QStringLiteral("⚠ %1").arg(toQString(formatCount(count))));
    m_problems->setAccessibleName(tr("%1 kinds of problem in the file").arg(count));
}

void StatusLine::showLoading(const QString &file, const ProgressReport &progress)
{
    QString text = tr("Opening %1").arg(QFileInfo(file).fileName());
    if (progress.bytesDone > 0) {
        const QString done = toQString(formatBytes(static_cast<std::int64_t>(progress.bytesDone)));
        text +=
            progress.bytesTotal > 0
                ? tr(" · %1 of %2").arg(done, toQString(formatBytes(static_cast<std::int64_t>(progress.bytesTotal))))
                : QStringLiteral(" · ") + done;
    }
    if (progress.records > 0)
        text += tr(" · %1 records").arg(toQString(formatCount(progress.records)));
    m_loadingText->setText(text);
    constexpr int kSteps = 1000;
    // A bar that moves by itself only where the size stays unknown: Qt's animations may tick on for ever where one of them
    // ends and another begins and ends in the same moment.
    m_loadingBar->setRange(0, progress.bytesDone > 0 && progress.bytesTotal == 0 ? 0 : kSteps);
    const double share = progress.bytesTotal > 0
                             ? static_cast<double>(progress.bytesDone) / static_cast<double>(progress.bytesTotal)
                             : 0;
    m_loadingBar->setValue(static_cast<int>(std::min(1.0, share) * kSteps));
    m_loadingText->show();
    m_loadingBar->show();
    m_cancel->show();
}

void StatusLine::showWork(const QString &text, double share)
{
    constexpr int kSteps = 1000;
    m_loadingText->setText(text);
    m_loadingBar->setRange(0, kSteps);
    m_loadingBar->setValue(static_cast<int>(std::min(1.0, share) * kSteps));
    m_loadingText->show();
    m_loadingBar->show();
    m_cancel->show();
}

void StatusLine::hideLoading()
{
    m_loadingText->hide();
    m_loadingBar->hide();
    m_cancel->hide();
}

void StatusLine::showCursor()
{
    const auto cursor = m_state.cursor();
    const TimeNs resolution = std::max<TimeNs>(1, m_state.visibleRange().duration() / kPixels);
    m_cursor->setText(cursor ? toQString(formatTimePoint(*cursor, resolution)) : QString());
}

void StatusLine::describe()
{
    if (m_saying.isActive())
        return;
    const TraceSet &traces = m_state.traces();
    if (traces.isEmpty()) {
        m_job.cancel();
        m_sentence->clear();
        return;
    }
    if (const EventRef *event = selectedEvent(m_state.selection()); event && m_state.marked().empty()) {
        m_job.cancel();
        const Trace &trace = *traces.trace(*event);
        m_sentence->setText(
            QStringLiteral("%1 · %2").arg(shortName(trace, event->event, 90), duration(trace.duration(event->event))));
        return;
    }
    if (!m_state.marked().empty()) {
        m_job.cancel();
        m_sentence->setText(tr("Marked: %1").arg(markedText(traces, m_state.marked())));
        return;
    }
    const bool isArea = selectedArea(m_state.selection()) != nullptr;
    const Area area = m_state.area();
    m_job.run(
        areaReport(traces, area),
        [this, range = area.range, isArea](const AreaSummary &sum) {
            const QString text = areaText(sum, range, isArea);
            m_sentence->setText(text);
            m_sentence->setToolTip(text);
        },
        [](const JobError &) {});
}

} // namespace ks
