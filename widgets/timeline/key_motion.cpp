// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/key_motion.h"

#include <QKeyEvent>
#include <QTimerEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ks {
namespace {

constexpr int kTickMs = 16;
constexpr double kTap = 0.06;      // seconds of motion a tap is worth
constexpr double kZoomSpeed = 1.5; // e-folds per second at first
constexpr double kPanSpeed = 0.8;  // widths per second at first
constexpr double kFastest = 3;     // times the first speed
constexpr double kRamp = 1.2;      // seconds to get there

} // namespace

KeyMotion::KeyMotion(Move move, QObject *parent)
    : QObject(parent)
    , m_move(std::move(move))
{}

bool KeyMotion::press(const QKeyEvent &event)
{
    if (event.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier))
        return false;
    int zoom = 0;
    int pan = 0;
    switch (event.key()) {
    case Qt::Key_W: zoom = 1; break;
    case Qt::Key_S: zoom = -1; break;
    case Qt::Key_A: pan = -1; break;
    case Qt::Key_D: pan = 1; break;
    default: return false;
    }
    if (event.isAutoRepeat())
        return true;
    if (zoom)
        m_zoom = zoom;
    if (pan)
        m_pan = pan;
    if (!m_timer.isActive()) {
        m_held.start();
        m_last = 0;
        m_timer.start(kTickMs, Qt::PreciseTimer, this);
        step(kTap);
    }
    return true;
}

bool KeyMotion::release(const QKeyEvent &event)
{
    const auto letGo = [](int &direction, int of) {
        if (direction == of)
            direction = 0;
    };
    switch (event.key()) {
    case Qt::Key_W:
    case Qt::Key_S:
        if (!event.isAutoRepeat())
            letGo(m_zoom, event.key() == Qt::Key_W ? 1 : -1);
        break;
    case Qt::Key_A:
    case Qt::Key_D:
        if (!event.isAutoRepeat())
            letGo(m_pan, event.key() == Qt::Key_D ? 1 : -1);
        break;
    default: return false;
    }
    if (m_zoom == 0 && m_pan == 0)
        m_timer.stop();
    return true;
}

void KeyMotion::stop()
{
    m_zoom = m_pan = 0;
    m_timer.stop();
}

void KeyMotion::timerEvent(QTimerEvent *event)
{
    if (event->timerId() != m_timer.timerId()) {
        QObject::timerEvent(event);
        return;
    }
    const double now = static_cast<double>(m_held.nsecsElapsed()) / 1e9;
    // A slow frame must not throw the view away.
    step(std::min(now - m_last, 0.1));
    m_last = now;
}

void KeyMotion::step(double seconds)
{
    const double held = static_cast<double>(m_held.nsecsElapsed()) / 1e9;
    const double speed = 1 + (kFastest - 1) * std::min(held / kRamp, 1.0);
    m_move(std::exp(m_zoom * kZoomSpeed * speed * seconds), m_pan * kPanSpeed * speed * seconds);
}

} // namespace ks
