// SPDX-License-Identifier: GPL-3.0-or-later
// Moves the visible range smoothly: pans at constant speed, zooms by a constant factor per moment around the point that
// stays. Runs a timer only while it moves.
#pragma once

#include "core/base/time.h"

#include <QVariantAnimation>

#include <functional>

namespace ks {

class RangeAnimation : public QObject
{
    Q_OBJECT
public:
    using Apply = std::function<void(TimeRange)>;
    explicit RangeAnimation(Apply apply, QObject *parent = nullptr);

    void start(TimeRange from, TimeRange to, int milliseconds); // 0: at once
    void stop();
    bool isRunning() const { return m_animation.state() == QAbstractAnimation::Running; }
    TimeRange target() const { return m_to; }

private:
    void show(double progress);

    Apply m_apply;
    QVariantAnimation m_animation;
    TimeRange m_from, m_to;
};

} // namespace ks
