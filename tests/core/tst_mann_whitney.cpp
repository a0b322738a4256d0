// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/mann_whitney.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace ks;

namespace {

double sumOfRanks(const std::vector<double> &all, const std::vector<bool> &isOfA)
{
    double sum = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!isOfA[i])
            continue;
        double rank = 0.5;
        for (const double other : all)
            rank += other < all[i] ? 1 : other == all[i] ? 0.5 : 0;
        sum += rank;
    }
    return sum;
}

// Of all ways to share out the values, those whose ranks lie at least as far from the middle.
double byAllOrders(const std::vector<double> &a, const std::vector<double> &b)
{
    std::vector<double> all(a);
    all.insert(all.end(), b.begin(), b.end());
    std::vector<bool> isOfA(all.size(), false);
    std::fill(isOfA.begin(), isOfA.begin() + static_cast<std::ptrdiff_t>(a.size()), true);
    const double middle = static_cast<double>(a.size() * (all.size() + 1)) / 2;
    const double distance = std::abs(sumOfRanks(all, isOfA) - middle);
    std::vector<bool> order(all.size(), false);
    std::fill(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(a.size()), true);
    double count = 0;
    double asFar = 0;
    do {
        ++count;
        asFar += std::abs(sumOfRanks(all, order) - middle) >= distance - 1e-9 ? 1 : 0;
    } while (std::prev_permutation(order.begin(), order.end()));
    return asFar / count;
}

} // namespace

class TstMannWhitney : public QObject
{
    Q_OBJECT

private slots:
    void countsAllOrdersOfSmallSamples()
    {
        std::mt19937_64 random(1);
        std::uniform_real_distribution<double> value(0, 1);
        for (const auto &[m, n] : {std::pair{1, 1}, {2, 3}, {4, 4}, {5, 3}, {3, 7}, {6, 5}}) {
            for (int i = 0; i < 5; ++i) {
                std::vector<double> a, b;
                for (int k = 0; k < m; ++k)
                    a.push_back(value(random));
                for (int k = 0; k < n; ++k)
                    b.push_back(value(random) + 0.2 * i);
                QVERIFY(std::abs(mannWhitneyP(a, b) - byAllOrders(a, b)) < 1e-12);
                QCOMPARE(mannWhitneyP(a, b), mannWhitneyP(b, a));
            }
        }
    }

    void comesCloseWithTies()
    {
        const std::vector<double> a{1, 2, 2, 3, 3, 3, 4, 5, 5};
        const std::vector<double> b{3, 4, 4, 5, 6, 6, 6, 7, 8};
        QVERIFY(std::abs(mannWhitneyP(a, b) - byAllOrders(a, b)) < 0.005);
    }

    void comesCloseForLargeSamples()
    {
        // 9 against 9 without ties is approximated: all orders tell how well.
        const std::vector<double> a{1, 3, 5, 7, 9, 11, 13, 15, 17};
        const std::vector<double> b{6, 8, 10, 12, 14, 16, 18, 20, 22};
        QVERIFY(std::abs(mannWhitneyP(a, b) - byAllOrders(a, b)) < 0.01);
    }

    void findsNothingInEqualSamples()
    {
        const std::vector<double> a{5, 5, 5, 5};
        QCOMPARE(mannWhitneyP(a, a), 1.0);
        QCOMPARE(mannWhitneyP(a, {}), 1.0);
        const std::vector<double> b{1, 2, 3, 4, 5, 6};
        QCOMPARE(mannWhitneyP(b, b), 1.0);
    }
};

QTEST_APPLESS_MAIN(TstMannWhitney)
#include "tst_mann_whitney.moc"
