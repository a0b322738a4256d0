// SPDX-License-Identifier: GPL-3.0-or-later
// Proves that the thread sanitizer still sees through Qt and our suppressions: the two threads write one variable with
// nothing between them. ctest expects the report.
#include <QTest>
#include <QThreadPool>

class PlantedRace : public QObject
{
    Q_OBJECT
private slots:
    void bothThreadsWrite()
    {
        int value = 0;
        QThreadPool::globalInstance()->start([&value] { ++value; });
        ++value;
        QThreadPool::globalInstance()->waitForDone();
        QCOMPARE(value, 2);
    }
};

QTEST_GUILESS_MAIN(PlantedRace)
#include "planted_race.moc"
