// SPDX-License-Identifier: GPL-3.0-or-later
// An application that knows the longest piece of work on its thread.
#pragma once

#include <QApplication>
#include <QMetaEnum>

#include <ctime>

namespace ks {

inline double milliseconds(clockid_t clock)
{
    timespec t{};
    clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

// Measures every event it delivers, but not those that are sent while one is.
class MeasuredApplication : public QApplication
{
public:
    using QApplication::QApplication;

    struct Longest
    {
        double cpu = 0;
        double clock = 0;
        QString who;       // of the longest of processor time
        QString whoWaited; // of the clock
    };
    Longest longest;
    int over = 0; // more than a frame of 60 a second

    bool notify(QObject *receiver, QEvent *event) override
    {
        if (m_depth != 0)
            return QApplication::notify(receiver, event);
        const QEvent::Type type = event->type();
        const QString who = QLatin1String(receiver->metaObject()->className());
        const double cpu = milliseconds(CLOCK_THREAD_CPUTIME_ID);
        const double clock = milliseconds(CLOCK_MONOTONIC);
        ++m_depth;
        const bool result = QApplication::notify(receiver, event);
        --m_depth;
        note(milliseconds(CLOCK_THREAD_CPUTIME_ID) - cpu, milliseconds(CLOCK_MONOTONIC) - clock, who, type);
        return result;
    }

private:
    void note(double cpu, double clock, const QString &who, QEvent::Type type)
    {
        constexpr double kFrame = 16;
        over += cpu > kFrame ? 1 : 0;
        if (cpu <= longest.cpu && clock <= longest.clock)
            return;
        const char *name = QMetaEnum::fromType<QEvent::Type>().valueToKey(type);
        const QString what = QStringLiteral("%1 of %2").arg(QLatin1String(name ? name : "event"), who);
        if (cpu > longest.cpu) {
            longest.cpu = cpu;
            longest.who = what;
        }
        if (clock > longest.clock) {
            longest.clock = clock;
            longest.whoWaited = what;
        }
    }

    int m_depth = 0;
};

} // namespace ks
