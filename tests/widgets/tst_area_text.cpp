// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/name_pool.h"
#include "widgets/panes/area_text.h"

#include <QTest>

using namespace ks;

namespace {

AreaSummary idleFor(TimeNs idle, TimeNs wall)
{
    AreaSummary summary;
    summary.devices = 1;
    summary.wall = wall;
    summary.idle = idle;
    summary.busy = summary.compute = wall - idle;
    summary.idleOfClass = {idle, 0, 0};
    summary.waitingCall = internName("aten::item");
    return summary;
}

} // namespace

class TstAreaText : public QObject
{
    Q_OBJECT
private slots:
    void oneSentenceTellsSharesAndWhatWasWaitedFor()
    {
        AreaSummary summary = idleFor(250'000, 1'000'000);
        summary.work = {};
        summary.work.work = 3;
        summary.work.sum = 800'000;
        summary.work.events = 12;
        QCOMPARE(
            areaText(summary, {0, 1'000'000}, true),
            QStringLiteral("1.000 ms selected: 75 % compute, 25 % idle (25 % waiting for the host: aten::item) · busy "
                           "750 µs (union) · sum 800 µs · 3 kernels and copies · 12 events"));
    }

    void oneIsOne()
    {
        AreaSummary summary = idleFor(250'000, 1'000'000);
        summary.work.work = 1;
        summary.work.events = 1;
        const QString text = areaText(summary, {0, 1'000'000}, true);
        QVERIFY2(text.endsWith(QStringLiteral(" · 1 kernel or copy · 1 event")), qPrintable(text));
    }

    void allIsSaidOnlyOfAll()
    {
        const TimeRange range{0, 1'000'000};
        QVERIFY(areaText(idleFor(1'000'000, 1'000'000), range, false).contains(QStringLiteral("100 % idle")));
        const QString nearly = areaText(idleFor(996'000, 1'000'000), range, false);
        QVERIFY2(nearly.contains(QStringLiteral("99.6 % idle")), qPrintable(nearly));
        QVERIFY(areaText(idleFor(994'000, 1'000'000), range, false).contains(QStringLiteral("99 % idle")));
    }
};

QTEST_APPLESS_MAIN(TstAreaText)
#include "tst_area_text.moc"
