// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/number_table.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <random>
#include <utility>
#include <vector>

using namespace ks;

class TstNumberTable : public QObject
{
    Q_OBJECT
private slots:
    // Numbers close together and far apart, some used several times, also at the ends of what 64 bits hold.
    void everyNumberLeadsToItsEvent()
    {
        for (unsigned seed = 0; seed < 1000; ++seed) {
            std::mt19937_64 random(seed);
            const std::uint64_t first = random() % 3 == 0 ? 0 : random();
            const std::uint64_t range = random() % 2 == 0 ? 1 + random() % 200 : ~std::uint64_t{0};
            const bool largestCounts = random() % 2 == 0;
            std::vector<std::pair<std::uint64_t, EventId>> entries;
            std::map<std::uint64_t, EventId> expected;
            std::map<std::uint64_t, std::vector<EventId>> all;
            for (std::uint64_t left = random() % 100; left != 0; --left) {
                const bool isRepeated = !entries.empty() && random() % 4 == 0;
                const std::uint64_t number =
                    isRepeated ? entries[random() % entries.size()].first : first + random() % range;
                const EventId event{static_cast<std::uint32_t>(random() % 1000)};
                entries.emplace_back(number, event);
                all[number].push_back(event);
                const auto [known, isNew] = expected.try_emplace(number, event);
                if (!isNew && largestCounts)
                    known->second = std::max(known->second, event);
            }
            const auto forEach = [&](auto visit) {
                for (const auto &[number, event] : entries)
                    visit(number, event);
            };
            const EventsOfNumber several(forEach);
            const NumberTable table(forEach,
                                    [&](EventId later, EventId earlier) { return largestCounts && later > earlier; });
            for (const auto &[number, event] : expected)
                QVERIFY(table.find(number) == event);
            for (const auto &[number, events] : all)
                QVERIFY(std::ranges::equal(several.of(number), events));
            for (int i = 0; i < 100; ++i) {
                const std::uint64_t number = first + random() % range + random() % 3 - 1;
                if (!expected.contains(number)) {
                    QVERIFY(table.find(number) == kNoEvent);
                    QVERIFY(several.of(number).empty());
                }
            }
        }
    }
};

QTEST_APPLESS_MAIN(TstNumberTable)
#include "tst_number_table.moc"
