// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/appended.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <thread>
#include <vector>

using namespace ks;

class TstAppended : public QObject
{
    Q_OBJECT
private slots:
    void arraysOfOneStoreHoldWhatWasAppended()
    {
        std::mt19937_64 random(1);
        AppendStore<std::uint64_t> store;
        std::vector<Appended<std::uint64_t>> arrays;
        std::vector<std::vector<std::uint64_t>> expected;
        for (int i = 0; i < 400; ++i) {
            // Empty ones, small ones, some larger than a piece; some are dropped, some never closed.
            const std::size_t count = random() % 8 == 0 ? 0 : random() % 50 == 0 ? 400'000 : random() % 3000;
            Appended<std::uint64_t> array(store);
            std::vector<std::uint64_t> values;
            for (std::size_t k = 0; k < count; ++k) {
                array.push_back(random());
                values.push_back(array.back());
            }
            if (random() % 10 != 0)
                array.close();
            if (random() % 5 == 0)
                continue;
            arrays.push_back(std::move(array));
            expected.push_back(std::move(values));
        }
        QVERIFY(arrays.size() > 250);
        for (std::size_t i = 0; i < arrays.size(); ++i) {
            QCOMPARE(arrays[i].size(), expected[i].size());
            QVERIFY(std::equal(expected[i].begin(), expected[i].end(), arrays[i].begin()));
        }
    }

    void anArrayOutlivesItsStoreAndMoves()
    {
        Appended<int> array;
        {
            AppendStore<int> store;
            Appended<int> first(store);
            first.push_back(1);
            first.close();
            array = Appended<int>(store);
            array.push_back(2);
            array.push_back(3);
            array.close();
        }
        Appended<int> moved = std::move(array);
        QCOMPARE(moved.size(), std::size_t{2});
        QCOMPARE(moved.front() + moved.back(), 5);
        moved = {};
        QVERIFY(moved.empty());
    }

    void withoutAStoreItGrowsByItself()
    {
        Appended<int> array;
        for (int i = 0; i < 100'000; ++i)
            array.push_back(array.empty() ? 0 : array.back() + 1);
        QCOMPARE(array.size(), std::size_t{100'000});
        for (int i = 0; i < 100'000; ++i)
            QCOMPARE(array[static_cast<std::size_t>(i)], i);
    }

    void arraysMayBeDroppedByOtherThreads()
    {
        AppendStore<int> store;
        std::vector<Appended<int>> arrays;
        for (int i = 0; i < 200; ++i) {
            Appended<int> array(store);
            for (int k = 0; k < 2000; ++k)
                array.push_back(k);
            array.close();
            arrays.push_back(std::move(array));
        }
        std::vector<std::jthread> threads;
        for (std::size_t t = 0; t < 4; ++t) {
            threads.emplace_back([&arrays, t] {
                for (std::size_t i = t; i < arrays.size(); i += 4)
                    arrays[i] = {};
            });
        }
        threads.clear();
        QVERIFY(std::all_of(arrays.begin(), arrays.end(), [](const auto &array) { return array.empty(); }));
    }

    void largeArraysGrowAndShrink()
    {
        LargeArray<std::uint32_t> array(1'000'000, 7U);
        array.resize(2'000'000);
        QCOMPARE(array[999'999], 7U);
        array.assign(10, 3U);
        array.shrink_to_fit();
        QCOMPARE(array.back(), 3U);
    }

    // Regions of random sizes come and go, some of it while freed memory is kept: none may overlap another, each keeps what was written to it.
    void regionsOfLargeMemoryNeverOverlap()
    {
        struct Region
        {
            char *memory = nullptr;
            std::size_t bytes = 0;
            char mark = 0;
        };
        for (unsigned seed = 0; seed < 20; ++seed) {
            std::mt19937_64 random(seed);
            std::vector<Region> regions;
            std::vector<std::unique_ptr<LargeMemoryReuse>> users;
            const auto holds = [](const Region &region) {
                for (std::size_t at = 0; at < region.bytes; at += 4096) {
                    if (region.memory[at] != region.mark)
                        return false;
                }
                return region.memory[region.bytes - 1] == region.mark;
            };
            for (int step = 0; step < 200; ++step) {
                if (random() % 8 == 0)
                    users.push_back(std::make_unique<LargeMemoryReuse>());
                else if (random() % 8 == 0 && !users.empty())
                    users.erase(users.begin() + static_cast<std::ptrdiff_t>(random() % users.size()));
                if (random() % 2 == 0 || regions.empty()) {
                    Region region;
                    region.bytes = 1 + random() % (5 * kHugePage);
                    region.memory = static_cast<char *>(allocateLarge(region.bytes));
                    region.mark = static_cast<char>('a' + step % 26);
                    QCOMPARE(reinterpret_cast<std::uintptr_t>(region.memory) % kHugePage, std::uintptr_t{0});
                    std::fill(region.memory, region.memory + region.bytes, region.mark);
                    regions.push_back(region);
                } else {
                    const std::size_t at = random() % regions.size();
                    QVERIFY(holds(regions[at]));
                    freeLarge(regions[at].memory, regions[at].bytes);
                    regions.erase(regions.begin() + static_cast<std::ptrdiff_t>(at));
                }
            }
            for (const Region &region : regions) {
                QVERIFY(holds(region));
                freeLarge(region.memory, region.bytes);
            }
        }
    }

    void freedMemoryIsTheNextWhileItIsKept()
    {
        const LargeMemoryReuse reuse;
        void *const first = allocateLarge(3 * kHugePage);
        void *const second = allocateLarge(kHugePage + 1);
        freeLarge(first, 3 * kHugePage);
        void *const again = allocateLarge(2 * kHugePage); // a part of it
        QCOMPARE(again, first);
        freeLarge(again, 2 * kHugePage);
        void *const whole = allocateLarge(3 * kHugePage); // joined with the rest
        QCOMPARE(whole, first);
        freeLarge(whole, 3 * kHugePage);
        freeLarge(second, kHugePage + 1);
    }

#ifdef __linux__
    void whatIsKeptIsMovedTogetherWhereMoreIsWanted()
    {
        const LargeMemoryReuse reuse;
        std::array<char *, 4> regions{};
        for (char *&region : regions) {
            region = static_cast<char *>(allocateLarge(kHugePage));
            std::fill(region, region + kHugePage, 'x');
        }
        std::sort(regions.begin(), regions.end());
        freeLarge(regions[0], kHugePage); // not beside each other
        freeLarge(regions[2], kHugePage);
        auto *const joined = static_cast<char *>(allocateLarge(3 * kHugePage));
        QCOMPARE(std::count(joined, joined + 3 * kHugePage, 'x'), static_cast<std::ptrdiff_t>(2 * kHugePage));
        std::fill(joined, joined + 3 * kHugePage, 'y');
        for (char *const kept : {regions[1], regions[3]}) {
            QCOMPARE(std::count(kept, kept + kHugePage, 'x'), static_cast<std::ptrdiff_t>(kHugePage));
            freeLarge(kept, kHugePage);
        }
        freeLarge(joined, 3 * kHugePage);
    }
#endif
};

QTEST_APPLESS_MAIN(TstAppended)
#include "tst_appended.moc"
