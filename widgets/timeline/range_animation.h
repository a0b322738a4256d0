// SPDX-License-Identifier: GPL-3.0-or-later
// Moves the visible range smoothly: pans at constant speed, zooms by a constant factor per moment around the point that
// stays. Runs a timer only while it moves; one of its own, because Qt's animations share one that may tick on for ever where
// one of them ends and another begins and ends in the same moment.
#pragma once

#include "core/base/time.h"

#include <QBasicTimer>
#include <QElapsedTimer>
#include <QObject>

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
    bool isRunning() const { return m_timer.isActive(); }
    TimeRange target() const { return m_to; }

protected:
    void timerEvent(QTimerEvent *event) override;

private:
    void show(double progress);

    Apply m_apply;
    QBasicTimer m_timer;
    QElapsedTimer m_elapsed;
    int m_milliseconds = 0;
    TimeRange m_from, m_to;
};

} // namespace ks
