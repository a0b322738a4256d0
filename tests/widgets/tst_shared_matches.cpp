// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/state/shared_matches.h"

#include "tests/support/random_run.h"

#include <QTest>

#include <atomic>
#include <future>
#include <semaphore>

using namespace ks;

class TstSharedMatches : public QObject
{
    Q_OBJECT

    static std::shared_ptr<const Trace> trace(unsigned seed = 1)
    {
        std::mt19937_64 random(seed);
        return randomRun(random).build();
    }

private slots:
    void whatOneWorksOutAllHave()
    {
        SharedMatches shared;
        const auto one = trace();
        std::atomic<int> worked = 0;
        std::binary_semaphore begun{0};
        std::binary_semaphore goOn{0};
        const auto ask = [&] {
            return shared.of(one, "a", {}, {}, [&](const Progress &) {
                ++worked;
                begun.release();
                goOn.acquire();
                return Bits(7);
            });
        };
        auto first = std::async(std::launch::async, ask);
        begun.acquire();
        auto second = std::async(std::launch::async, ask);
        QCOMPARE(second.wait_for(std::chrono::milliseconds(100)), std::future_status::timeout);
        goOn.release();
        const auto found = first.get();
        QCOMPARE(found->size(), std::size_t{7});
        QVERIFY(second.get() == found);
        QCOMPARE(worked.load(), 1);
        // Another filter, rank, pattern or trace is another question.
        const auto isNew = [&](const std::shared_ptr<const Trace> &of, const std::string &filter,
                               const FilterContext &context) {
            bool asked = false;
            (void)shared.of(of, filter, context, {}, [&](const Progress &) {
                asked = true;
                return Bits(1);
            });
            return asked;
        };
        QVERIFY(!isNew(one, "a", {}));
        QVERIFY(isNew(one, "b", {}));
        QVERIFY(isNew(one, "a", {1, {}}));
        QVERIFY(isNew(one, "a", {{}, "auto"}));
        QVERIFY(isNew(trace(2), "a", {}));
        QVERIFY(!isNew(one, "a", {{}, "auto"}));
    }

    void whoGivesUpIsRelieved()
    {
        SharedMatches shared;
        const auto one = trace();
        std::stop_source stop;
        std::binary_semaphore begun{0};
        auto first = std::async(std::launch::async, [&] {
            return shared.of(one, "a", {}, Progress(stop.get_token(), {}), [&](const Progress &progress) -> Bits {
                begun.release();
                while (true)
                    progress.throwIfStopped();
            });
        });
        begun.acquire();
        auto second = std::async(std::launch::async,
                                 [&] { return shared.of(one, "a", {}, {}, [](const Progress &) { return Bits(3); }); });
        // Who waits may give up, too.
        std::stop_source other;
        other.request_stop();
        QVERIFY_THROWS_EXCEPTION(Cancelled, (void)shared.of(one, "a", {}, Progress(other.get_token(), {}),
                                                            [](const Progress &) { return Bits(5); }));
        stop.request_stop();
        QVERIFY_THROWS_EXCEPTION(Cancelled, first.get());
        QCOMPARE(second.get()->size(), std::size_t{3});
    }

    void whoWaitsKnowsHowFarItIs()
    {
        SharedMatches shared;
        const auto one = trace();
        std::binary_semaphore begun{0};
        std::binary_semaphore goOn{0};
        auto first = std::async(std::launch::async, [&] {
            return shared.of(one, "a", {}, {}, [&](const Progress &progress) {
                progress.reportShare(0.5);
                begun.release();
                goOn.acquire();
                return Bits(1);
            });
        });
        begun.acquire();
        std::atomic<bool> isHalf = false;
        const Progress told({}, [&](const ProgressReport &report) {
            if (report.share == 0.5 && !isHalf.exchange(true))
                goOn.release();
        });
        (void)shared.of(one, "a", {}, told, [](const Progress &) { return Bits(2); });
        QVERIFY(isHalf);
        QCOMPARE(first.get()->size(), std::size_t{1});
    }

    void closedTracesAreNotKept()
    {
        SharedMatches shared;
        auto one = trace();
        const std::weak_ptr<const Trace> watched = one;
        (void)shared.of(one, "a", {}, {}, [](const Progress &) { return Bits(1); });
        one.reset();
        QVERIFY(watched.expired());
    }
};

QTEST_APPLESS_MAIN(TstSharedMatches)
#include "tst_shared_matches.moc"
