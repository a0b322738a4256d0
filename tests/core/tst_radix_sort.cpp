// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/large_memory.h"
#include "core/base/radix_sort.h"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

using namespace ks;

class TstRadixSort : public QObject
{
    Q_OBJECT

    using Entry = std::pair<std::uint64_t, std::uint32_t>; // key, where it stood

    template<typename Array>
    static bool isSortedLikeByComparing(std::mt19937_64 &random, std::size_t size, std::uint64_t largest)
    {
        Array items;
        for (std::uint32_t i = 0; i < size; ++i)
            items.push_back({largest == ~std::uint64_t{0} ? random() : random() % (largest + 1), i});
        Array expected = items;
        std::stable_sort(expected.begin(), expected.end(),
                         [](const Entry &a, const Entry &b) { return a.first < b.first; });
        radixSort(items, [](const Entry &entry) { return entry.first; });
        return items == expected;
    }

private slots:
    void sortsLikeAStableSort()
    {
        std::mt19937_64 random(7);
        for (const std::size_t size : {0U, 1U, 2U, 255U, 256U, 257U, 5000U}) {
            for (const std::uint64_t largest :
                 {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2047}, std::uint64_t{2048}, std::uint64_t{3'000'000},
                  std::uint64_t{1} << 40U, ~std::uint64_t{0}}) {
                QVERIFY(isSortedLikeByComparing<std::vector<Entry>>(random, size, largest));
                QVERIFY(isSortedLikeByComparing<LargeArray<Entry>>(random, size, largest));
            }
        }
    }

    void whatIsInOrderIsNotMoved()
    {
        std::vector<std::uint32_t> items(1000);
        for (std::uint32_t i = 0; i < items.size(); ++i)
            items[i] = i / 3;
        const std::uint32_t *const before = items.data();
        radixSort(items, [](std::uint32_t item) { return item; });
        QCOMPARE(static_cast<const std::uint32_t *>(items.data()), before);
        QVERIFY(std::is_sorted(items.begin(), items.end()));
    }
};

QTEST_APPLESS_MAIN(TstRadixSort)
#include "tst_radix_sort.moc"
