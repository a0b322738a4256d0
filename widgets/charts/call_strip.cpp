// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/call_strip.h"

#include "core/base/format.h"
#include "widgets/state/to_qstring.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace ks {
namespace {

constexpr double kLogFrom = 30;   // times the shortest call: a linear axis would press all others to the ground
constexpr std::size_t kReach = 6; // columns of pixels
constexpr double kDot = 3;

} // namespace

CallStrip::CallStrip(QWidget *parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("callStrip"));
    setAccessibleName(tr("Every call over time, by duration"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumHeight(60);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
}

void CallStrip::setCalls(std::shared_ptr<const Curve> calls)
{
    m_calls = std::move(calls);
    m_range = m_calls->isEmpty() ? TimeRange() : TimeRange{m_calls->times().front(), m_calls->times().back() + 1};
    m_durations = m_calls->isEmpty() ? Extremes() : m_calls->extremes();
    m_current.reset();
    m_hovered.reset();
    m_isLog = m_durations.greatest > kLogFrom * std::max(m_durations.least, 1.0);
    layOut();
}

void CallStrip::setCurrent(std::optional<std::size_t> call)
{
    m_current = call;
    update();
}

void CallStrip::layOut()
{
    m_columns = stripColumns(*m_calls, m_range, static_cast<std::size_t>(std::max(1.0, std::floor(plot().width()))));
    update();
}

void CallStrip::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    layOut();
}

QRectF CallStrip::plot() const
{
    const QFontMetrics metrics = fontMetrics();
    const int left = metrics.horizontalAdvance(QStringLiteral("888.8 ms")) + 8;
    return QRectF(rect()).adjusted(left, metrics.height() / 2.0 + 1, -8, -metrics.height() - 4.0);
}

double CallStrip::heightOf(double duration) const
{
    const double full = plot().height();
    const double most = std::max(m_durations.greatest, 1.0);
    if (!m_isLog)
        return duration / most * full;
    const double least = std::log(std::max(m_durations.least, 1.0));
    return (std::log(std::max(duration, 1.0)) - least) / (std::log(most) - least) * full;
}

QPointF CallStrip::placeOf(std::size_t call) const
{
    const QRectF area = plot();
    const double share = static_cast<double>(saturatingSubtract(m_calls->times()[call], m_range.begin))
                         / static_cast<double>(std::max<TimeNs>(m_range.duration(), 1));
    return {area.left() + share * std::floor(area.width()), area.bottom() - heightOf(m_calls->values()[call])};
}

std::optional<std::size_t> CallStrip::callAt(QPointF place) const
{
    const QRectF area = plot();
    const double x = place.x() - area.left();
    if (x < -static_cast<double>(kReach) || x > area.width() + static_cast<double>(kReach))
        return {};
    const auto column = static_cast<std::size_t>(std::clamp(x, 0.0, static_cast<double>(m_columns.size() - 1)));
    return nearestCall(m_columns, m_calls->values(), column, area.bottom() - place.y(), kReach,
                       [this](double duration) { return heightOf(duration); });
}

void CallStrip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QRectF area = plot();
    const QColor ink = palette().color(QPalette::Text);
    QColor faint = ink;
    faint.setAlphaF(0.15F);
    painter.setPen(faint);
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    painter.drawLine(area.topLeft(), area.topRight());
    painter.setPen(ink);
    const int height = fontMetrics().height();
    const QRectF label(0, 0, area.left() - 4, height);
    const auto lowest = static_cast<TimeNs>(m_isLog ? m_durations.least : 0);
    painter.drawText(label.translated(0, area.top() - height / 2.0), Qt::AlignRight | Qt::AlignVCenter,
                     toQString(formatDuration(static_cast<TimeNs>(m_durations.greatest))));
    painter.drawText(label.translated(0, area.bottom() - height / 2.0), Qt::AlignRight | Qt::AlignVCenter,
                     toQString(formatDuration(lowest)));
    const QRectF below(area.left(), area.bottom() + 2, area.width(), height);
    const TimeNs resolution = std::max<TimeNs>(1, m_range.duration() / 100);
    const QString begin = toQString(formatTimePoint(m_range.begin, resolution));
    const QString end = toQString(formatTimePoint(m_range.end, resolution));
    painter.drawText(below, Qt::AlignLeft, begin);
    painter.drawText(below, Qt::AlignRight, end);
    // Between the two, where there is room.
    const QString scale = tr("logarithmic");
    const int space = fontMetrics().horizontalAdvance(QLatin1Char(' '));
    const QRectF between = below.adjusted(fontMetrics().horizontalAdvance(begin) + space, 0,
                                          -fontMetrics().horizontalAdvance(end) - space, 0);
    if (m_isLog && fontMetrics().horizontalAdvance(scale) <= between.width())
        painter.drawText(between, Qt::AlignHCenter, scale);

    const QColor accent = palette().color(QPalette::Highlight);
    QColor line = QColor(0x44, 0x77, 0xaa);
    QColor dot = line.lighter(120);
    for (std::size_t c = 0; c < m_columns.size(); ++c) {
        const StripColumn &column = m_columns[c];
        if (column.first == column.end)
            continue;
        const double x = area.left() + static_cast<double>(c);
        const double top = area.bottom() - heightOf(column.most);
        const double bottom = area.bottom() - heightOf(column.least);
        if (bottom - top > 1) {
            painter.fillRect(QRectF(x, top, 1, bottom - top), line);
            painter.fillRect(QRectF(x - 1, bottom - 1, kDot, kDot), dot);
        }
        painter.fillRect(QRectF(x - 1, top - 1, kDot, kDot), dot);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    constexpr double kRing = 4.5;
    for (const auto &[call, colour] : {std::pair(m_hovered, ink), std::pair(m_current, accent)}) {
        if (!call || *call >= size())
            continue;
        painter.setPen(QPen(colour, 2));
        painter.drawEllipse(placeOf(*call), kRing, kRing);
    }
}

void CallStrip::mousePressEvent(QMouseEvent *event)
{
    const std::optional<std::size_t> call = callAt(event->position());
    if (event->button() != Qt::LeftButton || !call)
        return QWidget::mousePressEvent(event);
    setCurrent(call);
    emit callClicked(*call);
}

void CallStrip::mouseMoveEvent(QMouseEvent *event)
{
    const std::optional<std::size_t> call = callAt(event->position());
    if (call == m_hovered)
        return;
    m_hovered = call;
    update();
    if (!call)
        return QToolTip::hideText();
    const TimeNs resolution = std::max<TimeNs>(1, m_range.duration() / 10'000);
    QToolTip::showText(event->globalPosition().toPoint(),
                       tr("%1 at %2")
                           .arg(toQString(formatDuration(static_cast<TimeNs>(m_calls->values()[*call]))),
                                toQString(formatTimePoint(m_calls->times()[*call], resolution))),
                       this);
}

void CallStrip::leaveEvent(QEvent *event)
{
    QWidget::leaveEvent(event);
    m_hovered.reset();
    update();
}

void CallStrip::keyPressEvent(QKeyEvent *event)
{
    if ((event->key() != Qt::Key_Left && event->key() != Qt::Key_Right) || m_calls->isEmpty())
        return QWidget::keyPressEvent(event);
    const std::size_t last = size() - 1;
    std::size_t next = 0;
    if (event->key() == Qt::Key_Right)
        next = m_current ? std::min(*m_current + 1, last) : 0;
    else
        next = m_current ? *m_current - (*m_current > 0 ? 1 : 0) : last;
    setCurrent(next);
    emit callClicked(next);
}

} // namespace ks
