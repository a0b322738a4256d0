// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/time_ruler.h"

#include "core/base/format.h"
#include "widgets/render/colours.h"
#include "widgets/render/ruler_painter.h"
#include "widgets/render/timeline_painter.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace ks {
namespace {

constexpr double kNoteSize = 9; // logical pixels

} // namespace

TimeRuler::TimeRuler(ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
{
    setMouseTracking(true);
    setAccessibleName(tr("Time"));
    setAccessibleDescription(tr("Time ruler with the steps. A drag selects a range of time."));
    connect(&state, &ViewState::markersChanged, this, qOverload<>(&QWidget::update));
    connect(&state, &ViewState::selectionChanged, this, qOverload<>(&QWidget::update));
    connect(&state, &ViewState::notesChanged, this, qOverload<>(&QWidget::update));
    connect(&state, &ViewState::stepsChanged, this, qOverload<>(&QWidget::update));
}

void TimeRuler::setView(const Viewport &view)
{
    if (view == m_view)
        return;
    m_view = view;
    update(m_left, 0, width() - m_left, height()); // the corner left of it stays
}

void TimeRuler::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = themeFor(palette().window().color().lightness() < 128);
    painter.fillRect(QRect(0, 0, m_left, height()), toColour(theme.header));
    painter.translate(m_left, 0);
    RulerPicture picture{m_view, theme, {}};
    if (!m_state.traces().isEmpty()) {
        const std::uint32_t baseline = std::min(m_state.traces().baseline(), m_state.traces().size() - 1);
        picture.steps = m_state.steps(baseline);
        picture.trace = &m_state.traces().at(baseline);
        picture.offset = m_state.traces().offset(baseline);
    }
    paintRuler(painter, picture);
    if (const Area *area = selectedArea(m_state.selection())) {
        const double x0 = std::clamp(m_view.xOf(area->range.begin), 0.0, m_view.width());
        const double x1 = std::clamp(m_view.xOf(area->range.end), 0.0, m_view.width());
        painter.fillRect(QRectF(x0, 0, x1 - x0, height()), toColour(theme.accent, 0.18));
        painter.setFont(timelineFont());
        painter.setPen(toColour(theme.accent));
        const QString length = toText(formatDuration(area->range.duration()));
        if (QFontMetricsF(painter.font()).horizontalAdvance(length) + 8 < x1 - x0) {
            const QRectF box(x0, kStepBandHeight, x1 - x0, kTicksHeight);
            painter.fillRect(box.adjusted(1, 0, -1, -1), toColour(mix(theme.lanes, theme.accent, 0.18)));
            painter.drawText(box, Qt::AlignCenter, length);
        }
    }
    paintMarkers(painter);
    paintNotes(painter);
    painter.resetTransform();
    painter.setPen(toColour(theme.border));
    painter.drawLine(m_left - 1, 0, m_left - 1, height());
    painter.drawLine(0, height() - 1, m_left, height() - 1);
}

void TimeRuler::paintMarkers(QPainter &painter) const
{
    const Theme &theme = themeFor(palette().window().color().lightness() < 128);
    const Markers markers = m_state.markers();
    painter.setFont(timelineFont());
    const auto flag = [&](TimeNs t, const QString &text) {
        const double x = m_view.xOf(t);
        if (x < 0 || x > m_view.width())
            return;
        const double width = QFontMetricsF(painter.font()).horizontalAdvance(text) + 8;
        const QRectF box(x, kStepBandHeight, width, kTicksHeight - 1);
        painter.fillRect(box, toColour(theme.selection));
        painter.setPen(toColour(theme.ink(theme.selection)));
        painter.drawText(box, Qt::AlignCenter, text);
    };
    if (markers.a)
        flag(*markers.a, QStringLiteral("A"));
    if (markers.b) {
        QString text = QStringLiteral("B");
        if (markers.a)
            text += QStringLiteral("  ") + toText(formatDuration(saturatingSubtract(*markers.b, *markers.a)));
        flag(*markers.b, text);
    }
}

// A corner at the time of each note; its text is a tooltip.
void TimeRuler::paintNotes(QPainter &painter) const
{
    const Theme &theme = themeFor(palette().window().color().lightness() < 128);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(toColour(theme.peak));
    for (const Note &note : m_state.notes()) {
        const double x = m_view.xOf(note.range.begin);
        if (x < -kNoteSize || x > m_view.width())
            continue;
        const double y = kRulerHeight - 1;
        const QPointF corners[] = {{x, y}, {x, y - kNoteSize}, {x + kNoteSize, y - kNoteSize}};
        painter.drawPolygon(corners, 3);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

const Note *TimeRuler::noteAt(QPointF position) const
{
    const double x = position.x() - m_left;
    for (const Note &note : m_state.notes()) {
        const double at = m_view.xOf(note.range.begin);
        if (x >= at - 1 && x <= at + kNoteSize + 1 && position.y() >= kStepBandHeight)
            return &note;
    }
    return nullptr;
}

bool TimeRuler::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const Note *note = noteAt(help->pos());
        if (note)
            QToolTip::showText(help->globalPos(), note->text, this);
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

double TimeRuler::xOf(const QMouseEvent &event) const
{
    return event.position().x() - m_left;
}

const Step *TimeRuler::stepAt(QPointF position) const
{
    if (m_state.traces().isEmpty() || position.y() >= kStepBandHeight || position.x() < m_left)
        return nullptr;
    const std::uint32_t baseline = std::min(m_state.traces().baseline(), m_state.traces().size() - 1);
    const TimeNs t = saturatingSubtract(m_view.timeAt(position.x() - m_left), m_state.traces().offset(baseline));
    for (const Step &step : m_state.steps(baseline)) {
        if (step.range.contains(t))
            return &step;
    }
    return nullptr;
}

void TimeRuler::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && event->position().x() >= m_left) {
        m_pressed = xOf(*event);
        m_dragging = false;
    }
}

void TimeRuler::mouseMoveEvent(QMouseEvent *event)
{
    const double x = xOf(*event);
    m_state.setCursor(x >= 0 ? std::optional(m_view.timeAt(x)) : std::nullopt);
    if (!m_pressed)
        return;
    if (!m_dragging && std::abs(x - *m_pressed) < QApplication::startDragDistance())
        return;
    m_dragging = true;
    const TimeNs a = m_view.timeAt(std::min(x, *m_pressed));
    const TimeNs b = m_view.timeAt(std::max(x, *m_pressed));
    emit areaDragged({a, std::max(b, saturatingAdd(a, 1))}, false);
}

void TimeRuler::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !m_pressed)
        return;
    const double x = xOf(*event);
    if (m_dragging) {
        const TimeNs a = m_view.timeAt(std::min(x, *m_pressed));
        const TimeNs b = m_view.timeAt(std::max(x, *m_pressed));
        emit areaDragged({a, std::max(b, saturatingAdd(a, 1))}, true);
    }
    m_pressed.reset();
    m_dragging = false;
}

void TimeRuler::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (const Step *step = stepAt(event->position())) {
        const TimeNs offset =
            m_state.traces().offset(std::min(m_state.traces().baseline(), m_state.traces().size() - 1));
        emit zoomRequested({saturatingAdd(step->range.begin, offset), saturatingAdd(step->range.end, offset)});
    }
}

void TimeRuler::wheelEvent(QWheelEvent *event)
{
    event->ignore(); // the timeline zooms
}

} // namespace ks
