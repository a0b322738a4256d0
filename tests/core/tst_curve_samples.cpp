// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/curve_samples.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace ks;

class TstCurveSamples : public QObject
{
    Q_OBJECT
private slots:
    void noPeakAndNoValleyIsLostAndNothingIsInvented()
    {
        std::mt19937_64 random(1);
        for (int i = 0; i < 300; ++i) {
            std::vector<TimeNs> times(1 + random() % 300);
            for (TimeNs &time : times)
                time = static_cast<TimeNs>(random() % 1000);
            std::sort(times.begin(), times.end());
            std::vector<double> values;
            for (std::size_t k = 0; k < times.size(); ++k)
                values.push_back(static_cast<double>(random() % 5000));
            const auto from = static_cast<TimeNs>(random() % 600);
            const TimeRange range{from, from + 1 + static_cast<TimeNs>(random() % 700)};
            const std::size_t width = 1 + random() % 80;
            const std::vector<CurvePoint> points = curveSamples(Curve("a", times, values), range, width);
            QVERIFY(points.size() <= 3 * width + 1);
            QVERIFY(std::is_sorted(points.begin(), points.end(),
                                   [](const CurvePoint &a, const CurvePoint &b) { return a.time < b.time; }));
            // Every value the curve has in the range, by hand.
            std::vector<double> inside;
            for (std::size_t k = 0; k < times.size(); ++k) {
                const TimeNs end = k + 1 < times.size() ? times[k + 1] : kMaxTime;
                const bool isJump = range.contains(times[k]);
                if (isJump || (times[k] < range.end && end > range.begin))
                    inside.push_back(values[k]);
            }
            QCOMPARE(points.empty(), inside.empty());
            if (inside.empty())
                continue;
            const auto byValue = [](const CurvePoint &a, const CurvePoint &b) { return a.value < b.value; };
            QCOMPARE(std::max_element(points.begin(), points.end(), byValue)->value,
                     *std::max_element(inside.begin(), inside.end()));
            QCOMPARE(std::min_element(points.begin(), points.end(), byValue)->value,
                     *std::min_element(inside.begin(), inside.end()));
            for (const CurvePoint &point : points)
                QVERIFY(std::find(inside.begin(), inside.end(), point.value) != inside.end());
        }
    }

    void extremesAndTheNextSampleAreThoseFoundOneByOne()
    {
        std::mt19937_64 random(2);
        for (int i = 0; i < 200; ++i) {
            std::vector<TimeNs> times(random() % 1200);
            for (TimeNs &time : times)
                time = static_cast<TimeNs>(random() % 2000);
            std::sort(times.begin(), times.end());
            std::vector<double> values;
            for (std::size_t k = 0; k < times.size(); ++k)
                values.push_back(static_cast<double>(random() % 5000));
            const Curve curve("a", times, values);
            for (int k = 0; k < 100; ++k) {
                const std::size_t from = random() % (times.size() + 1);
                const auto t = static_cast<TimeNs>(random() % 2100);
                std::size_t next = from;
                while (next < times.size() && times[next] < t)
                    ++next;
                QCOMPARE(curve.nextAtOrAfter(from, t), next);
                if (next == from)
                    continue;
                const auto first = values.begin() + static_cast<std::ptrdiff_t>(from);
                const auto end = values.begin() + static_cast<std::ptrdiff_t>(next);
                QCOMPARE(curve.extremes(from, next).least, *std::min_element(first, end));
                QCOMPARE(curve.extremes(from, next).greatest, *std::max_element(first, end));
            }
        }
    }

    void ofNothingThereAreNoPoints()
    {
        QVERIFY(curveSamples({}, {0, 10}, 5).empty());
        QVERIFY(curveSamples(Curve("a", {1}, {2}), {5, 5}, 5).empty());
        QVERIFY(curveSamples(Curve("a", {1}, {2}), {0, 5}, 0).empty());
    }
};

QTEST_APPLESS_MAIN(TstCurveSamples)
#include "tst_curve_samples.moc"
