// SPDX-License-Identifier: GPL-3.0-or-later
// What counts as a step, by the setting "Steps are", worked out on a worker for every open trace.
#pragma once

#include "app/settings.h"
#include "widgets/jobs/job_slot.h"
#include "widgets/state/view_state.h"

namespace ks {

class StepsJob : public QObject
{
    Q_OBJECT
public:
    StepsJob(ViewState &state, const Settings &settings, QObject *parent = nullptr);

private:
    void run();

    ViewState &m_state;
    const Settings &m_settings;
    JobSlot m_job;
};

} // namespace ks
