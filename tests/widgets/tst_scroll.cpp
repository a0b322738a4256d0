// SPDX-License-Identifier: GPL-3.0-or-later
// What stays and what scrolls, against a picture of the screen line by line.
#include "widgets/timeline/scroll.h"

#include <QTest>

#include <random>

using namespace ks;

namespace {

constexpr int kContent = 300;

// The content y of every line of the screen: first all that stay, then the others from the y-th on.
std::vector<int> screenOf(const Scroll &scroll)
{
    std::vector<int> lines, others;
    for (int content = 0; content < kContent; ++content) {
        bool stays = false;
        for (const Scroll::Stretch &stay : scroll.stays)
            stays |= content >= stay.from && content < stay.to;
        (stays ? lines : others).push_back(content);
    }
    lines.insert(lines.end(), others.begin() + std::min<std::ptrdiff_t>(scroll.y, std::ssize(others)), others.end());
    return lines;
}

Scroll randomScroll(std::mt19937 &random)
{
    const auto upTo = [&random](int most) { return std::uniform_int_distribution<int>(0, most)(random); };
    Scroll scroll;
    scroll.y = upTo(100);
    int at = upTo(1) == 0 ? 0 : upTo(40);
    for (int i = upTo(3); i > 0; --i) {
        const int to = at + 1 + upTo(30);
        scroll.stays.push_back({at, to});
        at = to + 1 + upTo(40);
    }
    return scroll;
}

} // namespace

class TstScroll : public QObject
{
    Q_OBJECT
private slots:
    void linesOfTheScreenAreThoseOfTheContent()
    {
        std::mt19937 random(3);
        for (int round = 0; round < 500; ++round) {
            const Scroll scroll = randomScroll(random);
            const std::vector<int> lines = screenOf(scroll);
            for (int y = 0; y < static_cast<int>(lines.size()); ++y) {
                const int content = lines[static_cast<std::size_t>(y)];
                QCOMPARE(scroll.toContent(y), content);
                QCOMPARE(scroll.toScreen(content), static_cast<double>(y));
                QVERIFY(!scroll.hides(content));
            }
            int hidden = 0;
            for (int content = 0; content < kContent; ++content)
                hidden += scroll.hides(content) ? 1 : 0;
            QCOMPARE(hidden, kContent - static_cast<int>(lines.size())); // what scrolled away, no more
        }
    }

    void bandsCoverTheScreenOnce()
    {
        std::mt19937 random(4);
        for (int round = 0; round < 500; ++round) {
            const Scroll scroll = randomScroll(random);
            const int height = 1 + static_cast<int>(random() % 150);
            int at = 0;
            for (const Scroll::Band &band : scroll.bands(height)) {
                QCOMPARE(band.from, at);
                QVERIFY(band.to > band.from);
                for (int y = band.from; y < band.to; ++y)
                    QCOMPARE(y + band.shift, scroll.toContent(y));
                at = band.to;
            }
            QCOMPARE(at, height);
        }
    }
};

QTEST_APPLESS_MAIN(TstScroll)
#include "tst_scroll.moc"
