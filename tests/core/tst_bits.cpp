// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/bits.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace ks;

class TstBits : public QObject
{
    Q_OBJECT
private slots:
    void theyAreWhatAListOfBooleansIs()
    {
        std::mt19937_64 random(5);
        for (int round = 0; round < 300; ++round) {
            const std::size_t size = random() % 300;
            std::vector<bool> plain[2] = {std::vector<bool>(size), std::vector<bool>(size)};
            Bits bits[2] = {Bits(size), Bits(size)};
            for (int side = 0; side < 2 && size > 0; ++side) {
                const std::size_t first = random() % size;
                const std::size_t end = first + random() % (size - first + 1);
                bits[side].setAll(first, end);
                std::fill(plain[side].begin() + static_cast<std::ptrdiff_t>(first),
                          plain[side].begin() + static_cast<std::ptrdiff_t>(end), true);
                for (int k = 0; k < 10; ++k) {
                    const std::size_t at = random() % size;
                    bits[side].set(at);
                    plain[side][at] = true;
                }
            }
            const auto holds = [&](const Bits &found, auto expected) {
                std::size_t count = 0;
                for (std::size_t i = 0; i < size; ++i) {
                    if (found[i] != expected(plain[0][i], plain[1][i]))
                        return false;
                    count += found[i] ? 1 : 0;
                }
                return found.size() == size && found.count() == count;
            };
            QVERIFY(holds(bits[0], [](bool a, bool) { return a; }));
            Bits both = bits[0];
            both &= bits[1];
            QVERIFY(holds(both, [](bool a, bool b) { return a && b; }));
            Bits either = bits[0];
            either |= bits[1];
            QVERIFY(holds(either, [](bool a, bool b) { return a || b; }));
            Bits without = bits[0];
            without -= bits[1];
            QVERIFY(holds(without, [](bool a, bool b) { return a && !b; }));
            QCOMPARE(without.words().size(), (size + 63) / 64);
        }
    }
};

QTEST_APPLESS_MAIN(TstBits)
#include "tst_bits.moc"
