// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/job_pool.h"

#include <QCoreApplication>
#include <QThread>
#include <QThreadPool>

#include <algorithm>

namespace ks {

QThreadPool &jobPool()
{
    static QThreadPool pool;
    static const bool isReady = [] {
        constexpr int kLeast = 4;
        pool.setMaxThreadCount(std::max(kLeast, QThread::idealThreadCount()));
        qAddPostRoutine([] { pool.waitForDone(); });
        return true;
    }();
    Q_UNUSED(isReady)
    return pool;
}

} // namespace ks
