// SPDX-License-Identifier: GPL-3.0-or-later
#include <string> // before <compare>, which moc cannot read on its own

#include "core/base/scalar_id.h"
#include "tests/support/qt_text.h"

#include <QTest>

#include <algorithm>
#include <vector>

using namespace ks;

class TstScalarId : public QObject
{
    Q_OBJECT
private slots:
    void wholeNumbersAreNumbers_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("isNumber");
        for (const char *text : {"0", "7", "-1", "4711", "1704161511422904204", "99999999999999999999999"})
            QTest::newRow(text) << QByteArray(text) << true;
        for (const char *text : {"", "-", "-0", "007", "+7", "1.0", "1e3", " 7", "7 ", "stream 7", "Spans", "0x10", "--7", "-01"})
            QTest::newRow(text) << QByteArray(text) << false;
    }
    void wholeNumbersAreNumbers()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const bool, isNumber);
        const ScalarId id(std::string_view(text.constData(), static_cast<std::size_t>(text.size())));
        QCOMPARE(id.isNumber(), isNumber);
        QCOMPARE(q(id.text()), QString::fromUtf8(text));
    }

    void theNumberOfAnId()
    {
        QCOMPARE(*ScalarId("-12").number(), std::int64_t{-12});
        QCOMPARE(*ScalarId("9223372036854775807").number(), std::int64_t{9223372036854775807});
        QVERIFY(!ScalarId("9223372036854775808").number());
        QVERIFY(!ScalarId("99999999999999999999").number());
        QVERIFY(!ScalarId("stream 7").number());
        QVERIFY(!ScalarId().number());
    }

    void aNumberAndItsTextAreTheSame()
    {
        QVERIFY(ScalarId("7") == ScalarId(std::int64_t{7}));
        QVERIFY(ScalarId("-2071259648") == ScalarId(std::int64_t{-2071259648}));
        QVERIFY(ScalarId("07") != ScalarId(std::int64_t{7}));
    }

    void numbersComeByValueAndBeforeText()
    {
        const std::vector<const char *> sorted = {"-100000000000000000000", "-99999999999999999999", "-10", "-9", "-1", "0", "2", "9", "10", "11",
                                                  "99999999999999999999", "100000000000000000000", "", "-0", "007", "Spans", "a", "b"};
        for (std::size_t i = 0; i < sorted.size(); ++i) {
            for (std::size_t k = 0; k < sorted.size(); ++k) {
                const ScalarId a{std::string_view(sorted[i])};
                const ScalarId b{std::string_view(sorted[k])};
                QVERIFY2((a < b) == (i < k) && (a == b) == (i == k) && ((a <=> b) == 0) == (i == k), sorted[i]);
            }
        }
    }
};

QTEST_APPLESS_MAIN(TstScalarId)
#include "tst_scalar_id.moc"
