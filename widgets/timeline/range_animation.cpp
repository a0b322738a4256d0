// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/range_animation.h"

#include <cmath>
#include <utility>

namespace ks {

RangeAnimation::RangeAnimation(Apply apply, QObject *parent)
    : QObject(parent)
    , m_apply(std::move(apply))
{
    m_animation.setEasingCurve(QEasingCurve::OutCubic);
    connect(&m_animation, &QVariantAnimation::valueChanged, this,
            [this](const QVariant &value) { show(value.toDouble()); });
}

void RangeAnimation::start(TimeRange from, TimeRange to, int milliseconds)
{
    m_animation.stop();
    m_from = from;
    m_to = to;
    if (milliseconds <= 0) {
        m_apply(to);
        return;
    }
    m_animation.setStartValue(0.0);
    m_animation.setEndValue(1.0);
    m_animation.setDuration(milliseconds);
    m_animation.start();
}

void RangeAnimation::stop()
{
    m_animation.stop();
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
