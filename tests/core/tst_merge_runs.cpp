// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/merge_runs.h"

#include <QTest>

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

using namespace ks;

namespace {

using Entry = std::pair<int, std::uint32_t>; // key, where it stood

bool isBefore(const Entry &a, const Entry &b)
{
    return a.first < b.first;
}

} // namespace

class MergeRunsTest : public QObject
{
    Q_OBJECT

private slots:
    void runsBecomeOneAndEqualKeysStayInOrder()
    {
        std::mt19937_64 random(3);
        for (int round = 0; round < 2000; ++round) {
            std::vector<Entry> all;
            std::vector<std::size_t> ends;
            for (std::size_t runs = random() % 9; runs != 0; --runs) {
                int key = static_cast<int>(random() % 5);
                for (std::size_t left = random() % 20; left != 0; --left) {
                    all.emplace_back(key, static_cast<std::uint32_t>(all.size()));
                    key += static_cast<int>(random() % 3);
                }
                ends.push_back(all.size()); // a run may be empty
            }
            std::vector<Entry> expected = all;
            std::stable_sort(expected.begin(), expected.end(), isBefore);
            mergeRuns(all, ends, isBefore);
            QVERIFY(all == expected);
        }
    }
};

QTEST_APPLESS_MAIN(MergeRunsTest)
#include "tst_merge_runs.moc"
