// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/background_release.h"

#include "widgets/jobs/job_pool.h"

#include <QCoreApplication>
#include <QThreadPool>

namespace ks {

void releaseInBackground(std::shared_ptr<const void> value)
{
    if (!QCoreApplication::instance())
        return;
    jobPool().start([value = std::move(value)]() mutable { value.reset(); });
}

} // namespace ks
