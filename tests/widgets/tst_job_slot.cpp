// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/background_release.h"
#include "widgets/jobs/job_pool.h"
#include "widgets/jobs/job_slot.h"

#include <QSignalSpy>
#include <QTest>
#include <QThread>
#include <QThreadPool>

#include <array>
#include <atomic>
#include <memory>
#include <semaphore>

using namespace ks;

namespace {

// Waits for its owner to be cancelled, as a long import would.
void workUntilStopped(const Progress &progress)
{
    while (true) {
        progress.throwIfStopped();
        QThread::yieldCurrentThread();
    }
}

void unexpected(const JobError &error)
{
    QFAIL(error.message.c_str());
}

struct SaysWhereItDied
{
    explicit SaysWhereItDied(std::atomic<QThread *> &thread)
        : where(thread)
    {}
    ~SaysWhereItDied() { where = QThread::currentThread(); }
    std::atomic<QThread *> &where;
};

} // namespace

class TstJobSlot : public QObject
{
    Q_OBJECT
private slots:
    void theWorkRunsElsewhereAndTheResultArrivesHere()
    {
        JobSlot slot;
        std::atomic<QThread *> worker = nullptr;
        QThread *receiver = nullptr;
        int result = 0;
        slot.run(
            [&worker](const Progress &) {
                worker = QThread::currentThread();
                return 42;
            },
            [&](int value) {
                receiver = QThread::currentThread();
                result = value;
            },
            unexpected);
        QVERIFY(slot.isRunning());
        QCOMPARE(result, 0);
        QTRY_COMPARE(result, 42);
        QVERIFY(worker != QThread::currentThread());
        QCOMPARE(receiver, QThread::currentThread());
        QVERIFY(!slot.isRunning());
    }

    void workWithoutAResultIsFine()
    {
        JobSlot slot;
        bool done = false;
        slot.run([](const Progress &) {}, [&] { done = true; }, unexpected);
        QTRY_VERIFY(done);
    }

    void anImportErrorKeepsItsByteOffset()
    {
        JobSlot slot;
        std::optional<JobError> error;
        slot.run([](const Progress &) -> int { throw ImportError("this is no trace", 17); }, [](int) { QFAIL("done"); },
                 [&](const JobError &e) { error = e; });
        QTRY_VERIFY(error.has_value());
        QCOMPARE(error->message, std::string("this is no trace"));
        QCOMPARE(error->byteOffset, std::optional<std::uint64_t>(17));
        QVERIFY(error->kind == JobError::Kind::Failed);
    }

    void aChangedSourceIsToldApart()
    {
        JobSlot slot;
        std::optional<JobError> error;
        slot.run([](const Progress &) { throw SourceChanged("changed"); }, [] { QFAIL("done"); },
                 [&](const JobError &e) { error = e; });
        QTRY_VERIFY(error.has_value());
        QVERIFY(error->kind == JobError::Kind::SourceChanged);
    }

    void aNewRunCancelsTheOldOne()
    {
        JobSlot slot;
        std::atomic<bool> firstEnded = false;
        int result = 0;
        slot.run(
            [&firstEnded](const Progress &progress) {
                try {
                    workUntilStopped(progress);
                } catch (const Cancelled &) {
                    firstEnded = true;
                    throw;
                }
                return 1;
            },
            [&](int value) { result = value; }, unexpected);
        slot.run([](const Progress &) { return 2; }, [&](int value) { result = value; }, unexpected);
        QTRY_COMPARE(result, 2);
        slot.cancel();
        // The first may have been stopped before it began; if it began, it ended.
        jobPool().waitForDone();
        QCoreApplication::processEvents();
        QCOMPARE(result, 2);
    }

    void aResultThatIsLateIsNotDelivered()
    {
        JobSlot slot;
        std::binary_semaphore go(0);
        bool delivered = false;
        slot.run(
            [&go](const Progress &) { // ignores the request to stop
                go.acquire();
                return 1;
            },
            [&](int) { delivered = true; }, unexpected);
        slot.cancel();
        QVERIFY(!slot.isRunning());
        go.release();
        jobPool().waitForDone();
        QCoreApplication::processEvents();
        QVERIFY(!delivered);
    }

    // Its painter waits for them.
    void theThreadsOfQtStayFree()
    {
        std::counting_semaphore<8> running(0);
        std::counting_semaphore<8> go(0);
        std::array<JobSlot, 4> busy;
        for (JobSlot &slot : busy)
            slot.run(
                [&](const Progress &) {
                    running.release();
                    go.acquire();
                    return 1;
                },
                [](int) {}, unexpected);
        for (std::size_t i = 0; i < busy.size(); ++i)
            running.acquire();
        QCOMPARE(QThreadPool::globalInstance()->activeThreadCount(), 0);
        go.release(static_cast<std::ptrdiff_t>(busy.size()));
        jobPool().waitForDone();
    }

    void aResultAlreadyOnItsWayIsNotDeliveredAfterCancel()
    {
        JobSlot slot;
        bool delivered = false;
        slot.run([](const Progress &) { return 1; }, [&](int) { delivered = true; }, unexpected);
        jobPool().waitForDone(); // the result waits in the event queue
        slot.cancel();
        QCoreApplication::processEvents();
        QVERIFY(!delivered);
    }

    void theOwnerMayBeDeletedAtAnyTime()
    {
        for (int round = 0; round < 200; ++round) {
            auto slot = std::make_unique<JobSlot>();
            slot->run(
                [](const Progress &progress) {
                    for (std::uint64_t i = 0; i < 100; ++i)
                        progress.report({i, 100, i});
                    return 1;
                },
                [](int) {}, unexpected);
            if (round % 2)
                QThread::yieldCurrentThread();
            slot.reset();
            QCoreApplication::processEvents();
        }
        jobPool().waitForDone();
    }

    void theSlotMayBeDeletedByItsOwnCallback()
    {
        auto *slot = new JobSlot;
        bool done = false;
        slot->run([](const Progress &) { return 1; },
                  [&](int) {
                      delete slot;
                      done = true;
                  },
                  unexpected);
        QTRY_VERIFY(done);
    }

    void aCallbackMayStartTheNextRun()
    {
        JobSlot slot;
        int sum = 0;
        std::function<void(int)> next = [&](int value) {
            sum += value;
            if (sum < 3)
                slot.run([](const Progress &) { return 1; }, next, unexpected);
        };
        slot.run([](const Progress &) { return 1; }, next, unexpected);
        QTRY_COMPARE(sum, 3);
        QVERIFY(!slot.isRunning());
    }

    void progressArrivesThrottled()
    {
        JobSlot slot;
        QSignalSpy spy(&slot, &JobSlot::progressChanged);
        bool done = false;
        slot.run(
            [](const Progress &progress) {
                for (std::uint64_t i = 1; i <= 100'000; ++i)
                    progress.report({i, 100'000, i});
            },
            [&] { done = true; }, unexpected);
        QTRY_VERIFY(done);
        QVERIFY(spy.count() >= 1);
        QVERIFY2(spy.count() < 1000, qPrintable(QString::number(spy.count())));
        QVERIFY(slot.progress().bytesDone >= 1);
        QCOMPARE(slot.progress().bytesTotal, std::uint64_t{100'000});
    }

    void aBigValueIsFreedOnAWorker()
    {
        std::atomic<QThread *> where = nullptr;
        auto value = releasedInBackground<SaysWhereItDied>(std::make_shared<SaysWhereItDied>(where));
        auto copy = value;
        value.reset();
        QVERIFY(where == nullptr);
        copy.reset();
        QTRY_VERIFY(where != nullptr);
        QVERIFY(where != QThread::currentThread());
    }
};

QTEST_GUILESS_MAIN(TstJobSlot)
#include "tst_job_slot.moc"
