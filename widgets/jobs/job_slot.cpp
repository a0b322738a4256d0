// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/job_slot.h"

#include "widgets/jobs/job_pool.h"

#include <QThreadPool>

#include <chrono>
#include <mutex>

namespace ks {
namespace {

constexpr auto kProgressInterval = std::chrono::milliseconds(50);

JobError describe(const std::exception_ptr &exception)
{
    try {
        std::rethrow_exception(exception);
    } catch (const ImportError &error) {
        return {JobError::Kind::Failed, error.what(), error.byteOffset()};
    } catch (const SourceChanged &error) {
        return {JobError::Kind::SourceChanged, error.what(), {}};
    } catch (const std::bad_alloc &) {
        return {JobError::Kind::Failed, "there is not enough memory", {}};
    } catch (const std::exception &error) {
        return {JobError::Kind::Failed, error.what(), {}};
    } catch (...) {
        return {JobError::Kind::Failed, "unknown error", {}};
    }
}

} // namespace

// What the slot and the worker share. The worker reaches the slot only under the mutex and only while it is still wanted.
struct JobSlot::Job
{
    std::stop_source stop;
    std::mutex mutex;
    JobSlot *slot = nullptr; // null once nobody waits
    ProgressReport latest;
    std::chrono::steady_clock::time_point lastSignal;
    std::exception_ptr exception;
};

JobSlot::JobSlot(QObject *parent, QThreadPool *pool)
    : QObject(parent)
    , m_pool(pool ? pool : &jobPool())
{}

JobSlot::~JobSlot()
{
    drop();
}

// Forgets the job that runs, if any: it is told to stop, and whatever it still yields goes nowhere.
void JobSlot::drop()
{
    if (!m_current)
        return;
    m_current->stop.request_stop();
    {
        const std::lock_guard lock(m_current->mutex);
        m_current->slot = nullptr;
    }
    m_current.reset();
    m_onDone = {};
    m_onError = {};
}

void JobSlot::cancel()
{
    if (!m_current)
        return;
    drop();
    emit runningChanged();
}

void JobSlot::start(Work work, std::function<void()> onDone, std::function<void(const JobError &)> onError)
{
    const bool wasRunning = isRunning();
    drop();
    const auto job = std::make_shared<Job>();
    job->slot = this;
    m_current = job;
    m_onDone = std::move(onDone);
    m_onError = std::move(onError);
    m_progress = {};

    const auto receive = [job](const ProgressReport &report) {
        const std::lock_guard lock(job->mutex);
        job->latest = report;
        const auto now = std::chrono::steady_clock::now();
        if (!job->slot || now - job->lastSignal < kProgressInterval)
            return;
        job->lastSignal = now;
        JobSlot *slot = job->slot;
        QMetaObject::invokeMethod(
            slot,
            [slot, job] {
                if (slot->m_current != job)
                    return;
                {
                    const std::lock_guard inner(job->mutex);
                    slot->m_progress = job->latest;
                }
                emit slot->progressChanged();
            },
            Qt::QueuedConnection);
    };
    m_pool->start([job, receive, work = std::move(work)]() mutable {
        try {
            const Progress progress(job->stop.get_token(), receive);
            progress.throwIfStopped();
            work(progress);
        } catch (...) {
            job->exception = std::current_exception();
        }
        work = {}; // what it captured goes here, not where the result is shown
        const std::lock_guard lock(job->mutex);
        if (!job->slot)
            return;
        JobSlot *slot = job->slot;
        QMetaObject::invokeMethod(slot, [slot, job] { slot->deliver(job); }, Qt::QueuedConnection);
    });
    if (!wasRunning)
        emit runningChanged();
}

void JobSlot::deliver(const std::shared_ptr<Job> &job)
{
    if (m_current != job)
        return;
    m_current.reset();
    const auto onDone = std::exchange(m_onDone, {});
    const auto onError = std::exchange(m_onError, {});
    const std::exception_ptr exception = std::exchange(job->exception, nullptr);
    emit runningChanged();
    // From here on the slot is free: a callback may start the next run, or delete the slot.
    if (!exception) {
        onDone();
        return;
    }
    try {
        std::rethrow_exception(exception);
    } catch (const Cancelled &) {
    } catch (...) {
        onError(describe(std::current_exception()));
    }
}

} // namespace ks
