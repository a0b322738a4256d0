// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/range_animation.h"

#include <QEasingCurve>
#include <QTimerEvent>

#include <cmath>
#include <utility>

namespace ks {
namespace {

constexpr int kTickMs = 16;

} // namespace

RangeAnimation::RangeAnimation(Apply apply, QObject *parent)
    : QObject(parent)
    , m_apply(std::move(apply))
{}

void RangeAnimation::start(TimeRange from, TimeRange to, int milliseconds)
{
    stop();
    m_from = from;
    m_to = to;
    m_milliseconds = milliseconds;
    if (milliseconds <= 0) {
        m_apply(to);
        return;
    }
    m_elapsed.start();
    m_timer.start(kTickMs, Qt::PreciseTimer, this);
}

void RangeAnimation::stop()
{
    m_timer.stop();
}

void RangeAnimation::timerEvent(QTimerEvent *event)
{
    if (event->timerId() != m_timer.timerId()) {
        QObject::timerEvent(event);
        return;
    }
    const double part = static_cast<double>(m_elapsed.elapsed()) / m_milliseconds;
    if (part >= 1)
        stop();
    show(part >= 1 ? 1 : QEasingCurve(QEasingCurve::OutCubic).valueForProgress(part));
}

void RangeAnimation::show(double progress)
{
    if (progress >= 1) {
        m_apply(m_to);
        return;
    }
    const double fromSpan = std::max<double>(static_cast<double>(m_from.duration()), 1);
    const double toSpan = std::max<double>(static_cast<double>(m_to.duration()), 1);
    const double span = fromSpan * std::pow(toSpan / fromSpan, progress);
    // Along the way the left edge keeps the point in place that both views have at the same x.
    const double part =
        std::abs(toSpan - fromSpan) > 1e-9 * fromSpan ? (span - fromSpan) / (toSpan - fromSpan) : progress;
    const double left = static_cast<double>(saturatingSubtract(m_to.begin, m_from.begin)) * part;
    const TimeNs begin = saturatingAdd(m_from.begin, static_cast<TimeNs>(std::llround(left)));
    m_apply({begin, saturatingAdd(begin, std::max<TimeNs>(std::llround(span), 1))});
}

} // namespace ks
