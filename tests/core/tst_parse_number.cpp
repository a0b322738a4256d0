// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/name_match.h"
#include "core/base/parse_number.h"

#include <QTest>

using namespace ks;

class TstParseNumber : public QObject
{
    Q_OBJECT
private slots:
    void durations_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("ns");
        const auto row = [](const char *text, qint64 ns) { QTest::newRow(text) << QByteArray(text) << ns; };
        constexpr qint64 kNone = -1;
        row("500ns", 500);
        row("1.5ms", 1'500'000);
        row("20us", 20'000);
        row("20 µs", 20'000);
        row("20 \xce\xbcs", 20'000); // the Greek letter
        row("3s", 3'000'000'000);
        row("2min", 120'000'000'000);
        row("0.0005us", 1); // half is away from zero
        row("0.0004us", 0);
        row("-1.5us", -1500);
        row("9223372036854775807ns", 9'223'372'036'854'775'807);
        row("9223372036854775808ns", kNone);
        row("9999999999999s", kNone);
        row("0.1234567890123456789s", 123'456'789);
        row("100", kNone);
        row("us", kNone);
        row("", kNone);
        row(".5ms", kNone);
        row("1.5.5ms", kNone);
        row("1e3us", kNone);
        row("5 parsecs", kNone);
    }
    void durations()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const qint64, ns);
        QCOMPARE(parseDuration(text.toStdString()).value_or(-1), ns);
    }

    void bytesAndIntegers()
    {
        QCOMPARE(*parseBytes("64MiB"), std::int64_t{64} << 20);
        QCOMPARE(*parseBytes("1.5 KiB"), std::int64_t{1536});
        QCOMPARE(*parseBytes("2GB"), std::int64_t{2'000'000'000});
        QCOMPARE(*parseBytes("512"), std::int64_t{512});
        QCOMPARE(*parseBytes("512B"), std::int64_t{512});
        QVERIFY(!parseBytes("12 apples"));
        QCOMPARE(*parseInteger("-12"), std::int64_t{-12});
        for (const char *text : {"", "-", "1.5", "12x", " 1", "99999999999999999999"})
            QVERIFY2(!parseInteger(text), text);
    }

    void names()
    {
        NameMatch match;
        QVERIFY(match("anything"));
        match.requireText("ATEN::");
        QVERIFY(match("x aten::mm"));
        QVERIFY(!match("cudaLaunchKernel"));
        QVERIFY(!match.requirePattern("(mm|add)$"));
        QVERIFY(match("aten::mm"));
        QVERIFY(!match("aten::mm_")); // both must hold
        QVERIFY(match.requirePattern("("));
        QVERIFY(containsIgnoringCase("a", ""));
        QVERIFY(!containsIgnoringCase("", "a"));
    }

    void aLongNameAndAHardPatternAreHarmless()
    {
        NameMatch match;
        QVERIFY(!match.requirePattern("(a*)*b"));
        QVERIFY(!match(std::string(200'000, 'a')));
        QVERIFY(match(std::string(200'000, 'a') + 'b'));
    }
};

QTEST_APPLESS_MAIN(TstParseNumber)
#include "tst_parse_number.moc"
