// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/sparse_column.h"

#include <QTest>

#include <map>
#include <random>

using namespace ks;

namespace {

// Few ids far apart, many close together, in order, backwards.
LargeArray<std::pair<EventId, int>> randomPairs(std::mt19937_64 &random)
{
    const std::size_t count = random() % 300;
    const std::uint64_t range = 1 + random() % (random() % 2 != 0 ? 100'000 : 400);
    const std::uint64_t first = random() % 1'000'000;
    LargeArray<std::pair<EventId, int>> pairs;
    for (std::size_t i = 0; i < count; ++i)
        pairs.emplace_back(static_cast<EventId>(first + random() % range), static_cast<int>(i));
    const auto isBefore = [](const auto &a, const auto &b) { return a.first < b.first; };
    if (random() % 4 == 0)
        std::stable_sort(pairs.begin(), pairs.end(), isBefore);
    if (random() % 8 == 0)
        std::reverse(pairs.begin(), pairs.end());
    return pairs;
}

} // namespace

class TstSparseColumn : public QObject
{
    Q_OBJECT
private slots:
    void ofEqualIdsTheFirstCounts()
    {
        std::mt19937_64 random(1);
        for (int i = 0; i < 2000; ++i) {
            const auto pairs = randomPairs(random);
            std::map<EventId, int> expected;
            for (const auto &[id, value] : pairs)
                expected.try_emplace(id, value);
            const auto column = SparseColumn<int>::fromPairs(pairs);
            QCOMPARE(column.size(), expected.size());
            std::size_t at = 0;
            for (const auto &[id, value] : expected) {
                QVERIFY(column.ids()[at] == id);
                QCOMPARE(column.values()[at++], value);
                QCOMPARE(column.value(id, -1), value);
            }
            QCOMPARE(column.value(kNoEvent, -1), -1);
        }
    }

    void theTargetsOfAnEventKeepTheirOrder()
    {
        std::mt19937_64 random(2);
        for (int i = 0; i < 2000; ++i) {
            std::map<EventId, std::vector<EventId>> expected;
            LargeArray<std::pair<EventId, EventId>> pairs;
            for (const auto &[from, value] : randomPairs(random)) {
                pairs.emplace_back(from, static_cast<EventId>(value));
                expected[from].push_back(static_cast<EventId>(value));
            }
            const EventPairs many = EventPairs::fromPairs(pairs);
            QCOMPARE(many.size(), pairs.size());
            for (const auto &[from, to] : expected) {
                const auto found = many.of(from);
                QVERIFY(std::equal(found.begin(), found.end(), to.begin(), to.end()));
            }
            QVERIFY(many.of(kNoEvent).empty());
        }
    }
};

QTEST_APPLESS_MAIN(TstSparseColumn)
#include "tst_sparse_column.moc"
