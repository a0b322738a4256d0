// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/version.h"

#include <QTest>

#include <cstring>

class TstVersion : public QObject
{
    Q_OBJECT
private slots:
    void isTheNumberOfTheProject()
    {
        QCOMPARE(std::strcmp(ks::versionText(), KS_VERSION), 0);
        QVERIFY(std::strlen(ks::versionText()) >= 5);
    }
};

QTEST_APPLESS_MAIN(TstVersion)
#include "tst_version.moc"
