// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/duration_stats.h"

#include <QTest>

#include <random>

using namespace ks;

class TstDurationStats : public QObject
{
    Q_OBJECT

private slots:
    void quantilesAreThoseOfTheSortedValues()
    {
        std::mt19937_64 random(3);
        for (int round = 0; round < 60; ++round) {
            // Few and many, of one magnitude and of all, equal ones, zeros and the largest.
            const std::size_t count = round % 3 == 0   ? 1 + random() % 50
                                      : round % 3 == 1 ? 1025 + random() % 3000
                                                       : 16'000 + random() % 5000;
            const int bits = 1 + static_cast<int>(random() % 62);
            std::vector<TimeNs> values;
            for (std::size_t i = 0; i < count; ++i)
                values.push_back(static_cast<TimeNs>(random() >> (round % 2 == 0 ? 64 - bits : 1 + random() % 63)));
            if (round % 5 == 0)
                values.back() = kMaxTime;
            if (round % 7 == 0)
                values.front() = -5;
            std::vector<TimeNs> sorted = values;
            std::sort(sorted.begin(), sorted.end());
            const auto [least, median, p95, p99, most] = quantilesOf(values, std::array{0.0, 0.5, 0.95, 0.99, 1.0});
            const auto wanted = [&](double share) {
                const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(count)));
                return sorted[std::max<std::size_t>(rank, 1) - 1];
            };
            QCOMPARE(least, sorted.front());
            QCOMPARE(median, wanted(0.5));
            QCOMPARE(p95, wanted(0.95));
            QCOMPARE(p99, wanted(0.99));
            QCOMPARE(most, sorted.back());
        }
    }

    void twoPassesAgreeWithOne()
    {
        std::mt19937_64 random(4);
        std::vector<TimeNs> values;
        DurationStats one;
        for (int i = 0; i < 500; ++i) {
            values.push_back(static_cast<TimeNs>(random() % 1'000'000));
            one.add(values.back());
        }
        const DurationStats two(values);
        QCOMPARE(two.count(), one.count());
        QCOMPARE(two.total(), one.total());
        QCOMPARE(two.min(), one.min());
        QCOMPARE(two.max(), one.max());
        QCOMPARE(two.mean(), one.mean());
        QVERIFY(std::abs(two.sampleDeviation() / one.sampleDeviation() - 1) < 1e-12);
        QCOMPARE(DurationStats(std::span<const TimeNs>()).sampleDeviation(), 0.0);
    }
};

QTEST_APPLESS_MAIN(TstDurationStats)
#include "tst_duration_stats.moc"
