// SPDX-License-Identifier: GPL-3.0-or-later
// W, S, A, D: zooming and panning that gets faster while a key is held. One step at once, so that a tap does something;
// then a timer that runs only while a key is down.
#pragma once

#include <QBasicTimer>
#include <QElapsedTimer>
#include <QObject>

#include <functional>

class QKeyEvent;

namespace ks {

class KeyMotion : public QObject
{
    Q_OBJECT
public:
    // zoom: factor > 1 shows less; pan: part of the width, positive to later times.
    using Move = std::function<void(double zoom, double pan)>;
    explicit KeyMotion(Move move, QObject *parent = nullptr);

    bool press(const QKeyEvent &event); // true if the key is one of them
    bool release(const QKeyEvent &event);
    void stop();
    bool isMoving() const { return m_timer.isActive(); }

protected:
    void timerEvent(QTimerEvent *event) override;

private:
    void step(double seconds);

    Move m_move;
    QBasicTimer m_timer;
    QElapsedTimer m_held;
    double m_last = 0; // seconds of m_held at the last step
    int m_zoom = 0;    // -1, 0, 1
    int m_pan = 0;
};

} // namespace ks
