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

    void extremesAreThoseFoundOneByOne()
    {
        std::mt19937_64 random(2);
        for (int i = 0; i < 200; ++i) {
            std::vector<TimeNs> times(1 + random() % 1200);
            for (TimeNs &time : times)
                time = static_cast<TimeNs>(random() % 2000);
            std::sort(times.begin(), times.end());
            std::vector<double> values;
            for (std::size_t k = 0; k < times.size(); ++k)
                values.push_back(static_cast<double>(random() % 5000));
            const Curve curve("a", times, values);
            const auto check = [&values](Extremes found, std::size_t from, std::size_t next) {
                const auto first = values.begin() + static_cast<std::ptrdiff_t>(from);
                const auto end = values.begin() + static_cast<std::ptrdiff_t>(next);
                QCOMPARE(found.least, *std::min_element(first, end));
                QCOMPARE(found.greatest, *std::max_element(first, end));
            };
            for (int k = 0; k < 50; ++k) {
                const std::size_t from = random() % times.size();
                const std::size_t next = from + 1 + random() % (times.size() - from);
                check(curve.extremes(from, next), from, next);
            }
            // Borders as columns of pixels are, or anywhere.
            std::vector<TimeNs> borders(random() % 400);
            const auto step = static_cast<TimeNs>(1 + random() % 40);
            const auto begin = static_cast<TimeNs>(random() % 2100) - 50;
            for (std::size_t k = 0; k < borders.size(); ++k)
                borders[k] = i % 2 == 0 ? begin + step * static_cast<TimeNs>(k) : static_cast<TimeNs>(random() % 2100);
            std::sort(borders.begin(), borders.end());
            std::vector<Extremes> found{{7, 8}};
            curve.appendExtremes(borders, found);
            QCOMPARE(found.size(), 1 + std::max<std::size_t>(borders.size(), 1) - 1);
            QCOMPARE(found.front().greatest, 8.0);
            for (std::size_t k = 0; k + 1 < borders.size(); ++k) {
                std::size_t from = 0; // what holds at the border: the last sample before it
                while (from + 1 < times.size() && times[from + 1] < borders[k])
                    ++from;
                std::size_t next = from + 1;
                while (next < times.size() && times[next] < borders[k + 1])
                    ++next;
                check(found[k + 1], from, next);
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
