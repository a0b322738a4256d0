// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps all workers busy: as long as it lives no answer comes, as if each took long.
#pragma once

#include "widgets/jobs/job_pool.h"

#include <QSemaphore>
#include <QThreadPool>

namespace ks {

class BusyPool
{
public:
    BusyPool()
    {
        for (int i = 0; i < jobPool().maxThreadCount(); ++i)
            jobPool().start([this] { m_gate.acquire(); });
    }
    ~BusyPool()
    {
        m_gate.release(jobPool().maxThreadCount());
        jobPool().waitForDone();
    }

private:
    QSemaphore m_gate;
};

} // namespace ks
