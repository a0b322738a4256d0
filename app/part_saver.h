// SPDX-License-Identifier: GPL-3.0-or-later
// Saves what is selected as a smaller trace: a step, an area, else what is in view, of that what the filter lets pass. Its numbers stay
// what they are. On a worker; the file appears complete or not at all.
#pragma once

#include "core/analysis/scope.h"
#include "widgets/jobs/job_slot.h"
#include "widgets/state/view_state.h"

#include <memory>

namespace ks {

// What would be saved.
struct TracePart
{
    std::shared_ptr<const Trace> trace; // null: no trace is open
    Scope scope;                        // without the filter
    std::string filter;
    QString words; // "step ProfilerStep#6, only kind:kernel"
};

// Of the trace that is selected in, else of the baseline.
TracePart selectedPart(const ViewState &state);

class PartSaver : public QObject
{
    Q_OBJECT
public:
    explicit PartSaver(QObject *parent = nullptr);

    // `path` ends in .json or .json.gz. Another saving that runs is given up.
    void save(const TracePart &part, const QString &path);
    void cancel();
    bool isSaving() const { return m_job.isRunning(); }
    const QString &path() const { return m_path; } // of the last one
    double share() const { return m_job.progress().share; }

signals:
    void savingChanged();
    void progressChanged();
    void saved(const QString &path, quint64 events, quint64 bytes);
    void failed(const QString &path, const QString &why); // a sentence

private:
    QString m_path;
    JobSlot m_job;
};

} // namespace ks
