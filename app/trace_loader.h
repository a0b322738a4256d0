// SPDX-License-Identifier: GPL-3.0-or-later
// Paths -> worker -> TraceSet. What is open stays usable until the new trace is there; if a file cannot be opened, it stays open.
#pragma once

#include "widgets/jobs/job_slot.h"
#include "widgets/state/trace_set.h"

#include <QObject>
#include <QStringList>

#include <deque>

namespace ks {

class TraceLoader : public QObject
{
    Q_OBJECT
public:
    explicit TraceLoader(TraceSet &traces, QObject *parent = nullptr);

    // The first replaces all open traces, the others are added. Cancels what is loading.
    void open(const QStringList &paths);
    void add(const QStringList &paths);  // keeps what is open
    void reload(std::uint32_t position); // from its path
    void cancel();

    bool isLoading() const { return m_job.isRunning(); }
    QString path() const { return m_current.path; } // of what is loading
    ProgressReport progress() const { return m_job.progress(); }

signals:
    void loadingChanged();  // began, ended, or went on to the next file
    void progressChanged();
    void loaded(const QString &path, std::uint32_t position, bool isFirst); // isFirst: it replaced what was open
    void reloaded(std::uint32_t position);
    void failed(const QString &path, const ks::JobError &error);

private:
    enum class Mode : std::uint8_t { Replace, Add, Reload };
    struct Request
    {
        QString path;
        Mode mode = Mode::Replace;
        std::uint32_t position = 0;   // Reload
        std::uint32_t generation = 0; // Reload: of the trace that is to be replaced
    };

    void next();
    struct Opened
    {
        std::shared_ptr<const Trace> trace;
        std::shared_ptr<const ViewIndex> index;
    };
    void deliver(const Request &request, Opened opened);

    TraceSet &m_traces;
    JobSlot m_job;
    std::deque<Request> m_waiting;
    Request m_current;
};

} // namespace ks
