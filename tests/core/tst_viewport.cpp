// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/viewport.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace ks;

class TstViewport : public QObject
{
    Q_OBJECT
private slots:
    void mapsTheEdgesOfItsRange();
    void timeComesBackFromPixels_data();
    void timeComesBackFromPixels();
    void zoomingKeepsTheTimeUnderTheCursor();
    void zoomingInAndOutComesBack();
    void neverShowsLessThanTwentyNanoseconds();
    void neverLeavesTheTraceByMoreThanTheMargin();
    void panningByPixelsAddsUp();
    void resizingKeepsScaleAndLeftEdge();
    void survivesTheEndsOfTime();
};

void TstViewport::mapsTheEdgesOfItsRange()
{
    const Viewport view({0, 1'000'000}, {1000, 3000}, 500);
    QCOMPARE(view.xOf(1000), 0.0);
    QCOMPARE(view.xOf(3000), 500.0);
    QCOMPARE(view.timeAt(250), TimeNs{2000});
    QCOMPARE(view.range().begin, TimeNs{1000});
    QCOMPARE(view.range().end, TimeNs{3000});
    QCOMPARE(view.nsPerPixel(), 4.0);
}

void TstViewport::timeComesBackFromPixels_data()
{
    QTest::addColumn<qint64>("begin");
    QTest::addColumn<qint64>("span");
    QTest::newRow("20 ns") << qint64{5} << qint64{20};
    QTest::newRow("1 ms, a day in") << qint64{86'400'000'000'000} << qint64{1'000'000};
    QTest::newRow("20 ns, 30 years in") << qint64{946'080'000'000'000'000} << qint64{20};
    QTest::newRow("15 days") << qint64{0} << qint64{1'296'000'000'000'000};
}

void TstViewport::timeComesBackFromPixels()
{
    QFETCH(qint64, begin);
    QFETCH(qint64, span);
    Viewport view({0, begin + 4 * span}, {begin, begin + span}, 1733);
    view.panBy(0.37);
    std::mt19937_64 random(1);
    std::uniform_int_distribution<qint64> inView(begin, begin + span);
    for (int i = 0; i < 10'000; ++i) {
        const TimeNs t = inView(random);
        QCOMPARE(view.timeAt(view.xOf(t)), t);
    }
}

void TstViewport::zoomingKeepsTheTimeUnderTheCursor()
{
    Viewport view({0, 1'000'000'000}, {0, 1'000'000'000}, 1600);
    for (const double x : {10.0, 800.0, 1500.0}) {
        Viewport zoomed = view;
        for (int i = 0; i < 40; ++i) {
            const TimeNs under = zoomed.timeAt(x);
            zoomed.zoomAt(x, 1.4);
            QVERIFY(std::abs(zoomed.xOf(under) - x) <= 1 / zoomed.nsPerPixel());
        }
    }
}

void TstViewport::zoomingInAndOutComesBack()
{
    const Viewport start({0, 1'000'000}, {200'000, 400'000}, 1000);
    Viewport view = start;
    for (int i = 0; i < 20; ++i)
        view.zoomAt(300, 1.25);
    for (int i = 0; i < 20; ++i)
        view.zoomAt(300, 1 / 1.25);
    QCOMPARE(view.range(), start.range());
}

void TstViewport::neverShowsLessThanTwentyNanoseconds()
{
    Viewport view({0, 1'000'000}, {0, 1000}, 1000);
    for (int i = 0; i < 100; ++i)
        view.zoomAt(500, 2);
    QCOMPARE(view.span(), Viewport::kMinSpan);
    view.setRange({500, 500});
    QCOMPARE(view.span(), Viewport::kMinSpan);
    QVERIFY(view.xOf(500) > 0 && view.xOf(500) < 1000);
}

void TstViewport::neverLeavesTheTraceByMoreThanTheMargin()
{
    Viewport view({1000, 11'000}, {1000, 11'000}, 1000);
    view.panBy(1e9);
    QVERIFY(view.xOf(11'000) >= 949);
    view.panBy(-1e9);
    QVERIFY(view.xOf(1000) <= 51);
    view.zoomAt(0, 1e-9);
    QVERIFY(view.xOf(11'000) - view.xOf(1000) >= 899);
    QVERIFY(view.xOf(1000) >= 0 && view.xOf(11'000) <= 1000);
}

void TstViewport::panningByPixelsAddsUp()
{
    Viewport once({0, 1'000'000}, {1000, 1020}, 1000);
    Viewport often = once;
    once.panBy(700);
    for (int i = 0; i < 700; ++i)
        often.panBy(1);
    QVERIFY(std::abs(once.xOf(1010) - often.xOf(1010)) < 0.001);
}

void TstViewport::resizingKeepsScaleAndLeftEdge()
{
    Viewport view({0, 1'000'000}, {1000, 3000}, 500);
    view.setWidth(1000);
    QCOMPARE(view.xOf(1000), 0.0);
    QCOMPARE(view.nsPerPixel(), 4.0);
}

void TstViewport::survivesTheEndsOfTime()
{
    Viewport view({kMinTime, kMaxTime}, {kMinTime, kMaxTime}, 1000);
    view.zoomAt(500, 1e30);
    view.panBy(1e30);
    view.panBy(-1e300);
    view.zoomAt(0, std::nan(""));
    view.setRange({kMaxTime, kMinTime});
    QVERIFY(std::isfinite(view.xOf(0)));
    QVERIFY(view.range().begin <= view.range().end);
    QVERIFY(view.timeAt(1e300) >= view.timeAt(-1e300));
}

QTEST_APPLESS_MAIN(TstViewport)
#include "tst_viewport.moc"
