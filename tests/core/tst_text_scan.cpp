// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_cursor.h"
#include "core/base/text_scan.h"
#include "core/base/utf8.h"
#include "tests/support/decimal_oracle.h"
#include "tests/support/qt_text.h"
#include "tests/support/random_json.h"

#include <QTest>

#include <random>
#include <string>

using namespace ks;

namespace {

// Text with the padding the functions ask for; what stands behind is none of their business.
struct Padded
{
    explicit Padded(std::string_view text)
        : bytes(text)
        , size(text.size())
    {
        bytes.append(kPadding, '\0');
    }
    const char *begin() const { return bytes.data(); }
    const char *end() const { return bytes.data() + size; }

    std::string bytes;
    std::size_t size;
};

// The end of a string, one byte after the other.
std::ptrdiff_t slowStringEnd(std::string_view text)
{
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\')
            ++i;
        else if (text[i] == '"')
            return static_cast<std::ptrdiff_t>(i);
    }
    return -1;
}

// skipNested, one byte after the other: bytes taken, -1 incomplete, -2 damaged.
std::ptrdiff_t slowNested(std::string_view text)
{
    std::string open;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"') {
            const std::ptrdiff_t end = slowStringEnd(text.substr(i + 1));
            if (end < 0)
                return -1;
            i += static_cast<std::size_t>(end) + 1;
        } else if (c == '{' || c == '[') {
            open += c;
        } else if (c == '}' || c == ']') {
            if (open.back() != (c == '}' ? '{' : '['))
                return -2;
            open.pop_back();
            if (open.empty())
                return static_cast<std::ptrdiff_t>(i) + 1;
        }
    }
    return -1;
}

bool hasControlInString(std::string_view text)
{
    bool isInside = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"')
            isInside = !isInside;
        else if (isInside && text[i] == '\\')
            ++i;
        else if (isInside && static_cast<unsigned char>(text[i]) < ' ')
            return true;
    }
    return false;
}

std::string randomOf(std::mt19937_64 &random, std::string_view alphabet, std::size_t length)
{
    std::string text;
    while (text.size() < length)
        text += alphabet[random() % alphabet.size()];
    return text;
}

TimeNs microseconds(std::string_view text)
{
    const Padded padded(text);
    TimeNs ns = -424242;
    return parseMicroseconds({padded.begin(), padded.size}, ns) ? ns : -424242;
}

} // namespace

class TstTextScan : public QObject
{
    Q_OBJECT
private slots:
    void timesAreExact_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("ns");
        const auto row = [](const char *text, qint64 ns) { QTest::newRow(text) << QByteArray(text) << ns; };
        row("0", 0);
        row("-0", 0);
        row("1", 1000);
        row("12345678", 12'345'678'000);
        row("1.5", 1500);
        row("1.05", 1050);
        row("1.005", 1005);
        row("1.0005", 1001); // half away from zero
        row("1.00049999999999999999999", 1000);
        row("-1.0005", -1001);
        row("-0.0005", -1);
        row("0.0005", 1);
        row("0.00049999", 0);
        row("6520430066704.992", 6'520'430'066'704'992);
        row("1704161511420306.491", 1'704'161'511'420'306'491); // 19 digits
        row("1795990004599258", 1'795'990'004'599'258'000);
        row("1142512.1100000001", 1'142'512'110);
        row("12.345999999", 12'346);
        row("1e-06", 0);
        row("5e-4", 1);
        row("4.9e-4", 0);
        row("1e3", 1'000'000);
        row("1E+3", 1'000'000);
        row("1.5e-2", 15);
        row("0.00015e7", 1'500'000);
        row("123456789012345.6789", 123'456'789'012'345'679);
        row("9223372036854775.807", kMaxTime);
        row("9223372036854775.806", kMaxTime - 1);
        row("-9223372036854775.807", -kMaxTime);
        row("-9223372036854775.808", kMinTime);
        row("9223372036854775.808", kMaxTime);
        row("18446744073709551615", kMaxTime);
        row("1e300", kMaxTime);
        row("-1e300", kMinTime);
        row("1e99999999999999999999", kMaxTime);
        row("1e-99999999999999999999", 0);
        row("0e99999999999999999999", 0);
        row("9.2233720368547758075e15", kMaxTime);
        row("-0.0", 0);
        row("007", 7000);
        row("+1", 1000);
    }
    void timesAreExact()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const qint64, ns);
        QCOMPARE(microseconds(text.toStdString()), ns);
        QCOMPARE(exactNanoseconds(text.toStdString()).value_or(-424242), ns); // so that the oracle is right, too
    }

    void whatIsNoNumberIsNoTime()
    {
        for (const char *text :
             {"",    "-",   "+",    ".",   "e5",  "1e",  "1e+",   "1e5.5", "1e+-5", "1e-+5",    "100a",
              "12 ", " 12", "0x10", "nan", "inf", "--1", "1.2.3", "1-",    "null",  "12345678x"}) {
            QVERIFY2(microseconds(text) == -424242, text);
            QVERIFY2(!exactNanoseconds(text), text);
        }
    }

    void longNumbersAreExactToo()
    {
        const std::string zeros(700, '0');
        QCOMPARE(microseconds("0." + zeros + "12345e703"), TimeNs{123'450}); // 123.45 us
        QCOMPARE(microseconds("5" + zeros + "e-700"), TimeNs{5000});
        QCOMPARE(microseconds("5" + std::string(1500, '0') + "e-1500"), TimeNs{5000});
        QCOMPARE(microseconds("5." + zeros), TimeNs{5000});
        QCOMPARE(microseconds("0.0004" + std::string(700, '9')), TimeNs{0});
        QCOMPARE(microseconds("1" + zeros), kMaxTime);
    }

    void timesEqualTheDecimalOracle()
    {
        std::mt19937_64 random(1);
        for (int i = 0; i < 200'000; ++i) {
            std::string text = random() % 5 == 0 ? "-" : "";
            text += randomOf(random, "0123456789", random() % 20);
            if (random() % 3 != 0)
                text += '.' + randomOf(random, random() % 4 == 0 ? "0005" : "0123456789", random() % 8);
            if (random() % 4 == 0)
                text += (random() % 2 != 0 ? "e-" : "e") + randomOf(random, "0123456789", random() % 3);
            const auto expected = exactNanoseconds(text);
            QVERIFY2(microseconds(text) == expected.value_or(-424242), text.c_str());
        }
    }

    void timesInThePlainFormAreReadAtOnce()
    {
        const auto plain = [](std::string_view text) {
            const Padded padded(text);
            TimeNs ns = -424242;
            return parsePlainMicroseconds({padded.begin(), padded.size}, ns) ? ns : -424242;
        };
        for (const char *text : {"0", "7", "12345678", "123456789", "1795990004599258", "6520430066704.992",
                                 "1704161511420306.491", "1.5", "0.05"})
            QCOMPARE(plain(text), microseconds(text));
        for (const char *text : {"", "-1", "+1", ".5", "1.", "1.2345", "1e3", "9223372036854775", "12345678901234567",
                                 "1x", "1.x", "12,3"})
            QVERIFY2(plain(text) == -424242, text);
        std::mt19937_64 random(4);
        int read = 0;
        for (int i = 0; i < 200'000; ++i) {
            std::string text = randomOf(random, "0123456789", random() % 18);
            if (random() % 3 != 0)
                text += '.' + randomOf(random, "0123456789", random() % 5);
            if (random() % 8 == 0)
                text += randomOf(random, "e-.x,9", 1);
            const TimeNs ns = plain(text);
            if (ns == -424242)
                continue;
            ++read;
            QVERIFY2(ns == exactNanoseconds(text), text.c_str());
        }
        QVERIFY(read > 80'000);
    }

    void plainNumbersEndWhereWordsEnd()
    {
        std::mt19937_64 random(6);
        int plain = 0;
        for (int i = 0; i < 200'000; ++i) {
            std::string text = randomOf(random, "0123456789", random() % 19);
            if (random() % 2 != 0)
                text += '.' + randomOf(random, "0123456789", random() % 19);
            if (random() % 8 == 0)
                text += randomOf(random, "e-.x+_", 1 + random() % 2);
            const std::size_t point = text.find('.');
            const Padded padded(text + randomOf(random, ",}] \n\":", 1) + randomOf(random, "0.e", 3));
            const PlainNumber number = findPlainNumber(padded.begin());
            if (!number.end)
                continue;
            ++plain;
            QVERIFY2(number.end == findWordEnd(padded.begin()), text.c_str());
            QCOMPARE(std::size_t{number.whole}, point == std::string::npos ? 0 : point);
            QVERIFY2(text.find_first_not_of("0123456789.") == std::string::npos, text.c_str());
        }
        QVERIFY(plain > 50'000);
    }

    void textIsTheSameOrNot()
    {
        std::mt19937_64 random(7);
        for (int i = 0; i < 100'000; ++i) {
            const Padded a(randomOf(random, "ab", random() % 70));
            Padded b = a;
            const bool isSame = a.size == 0 || random() % 2 == 0;
            if (!isSame)
                b.bytes[random() % a.size] ^= 4;
            b.bytes[a.size] = 'x'; // what stands behind does not count
            QCOMPARE(detail::isSame(a.begin(), b.begin(), a.size), isSame);
        }
    }

    void integersOfEverySize()
    {
        const auto integer = [](std::string_view text) {
            std::int64_t value = 0;
            return parseInteger(text, value) ? q(std::to_string(value)) : QStringLiteral("none");
        };
        QCOMPARE(integer("-7"), QStringLiteral("-7"));
        QCOMPARE(integer("9223372036854775807"), QStringLiteral("9223372036854775807"));
        QCOMPARE(integer("18446744073709551615"), QStringLiteral("-1")); // an address, bit by bit
        QCOMPARE(integer("139900000000000.0"), QStringLiteral("139900000000000"));
        QCOMPARE(integer("1e3"), QStringLiteral("1000"));
        for (const char *text : {"", "-", "x", "1x", "nan", "inf", "1e300", "-99999999999999999999"})
            QCOMPARE(integer(text), QStringLiteral("none"));
        double number = 0;
        QVERIFY(parseDouble("-1.5e3", number) && number == -1500);
        for (const char *text : {"nan", "inf", "-inf", "NaN", "", "1.5x"})
            QVERIFY2(!parseDouble(text, number), text);
        std::uint64_t wide = 0;
        QVERIFY(parseUnsigned("18446744073709551615", wide) && wide == ~std::uint64_t{0});
        QVERIFY(!parseUnsigned("-1", wide) && !parseUnsigned("18446744073709551616", wide));
    }

    void stringsEndWhereTheyEnd()
    {
        std::mt19937_64 random(2);
        for (int i = 0; i < 50'000; ++i) {
            const std::string text =
                randomOf(random, random() % 2 != 0 ? "abcdefghijklmnopqrstuv\"" : "ab\\\"\n", random() % 60);
            Padded padded(text);
            padded.bytes[padded.size] = '"'; // behind the end: must not be seen
            std::uint8_t flags = 0;
            const char *const end = findStringEnd(padded.begin(), padded.end(), flags);
            QVERIFY2((end ? end - padded.begin() : -1) == slowStringEnd(text), text.c_str());
            const std::string_view passed =
                std::string_view(text).substr(0, end ? static_cast<std::size_t>(end - padded.begin()) : text.size());
            QCOMPARE((flags & kHasEscapes) != 0, passed.find('\\') != std::string_view::npos);
        }
    }

    void nestedValuesEndWhereTheyEnd()
    {
        std::mt19937_64 random(3);
        int done = 0;
        for (int i = 0; i < 100'000; ++i) {
            std::string text = random() % 2 != 0 ? "[" : "{";
            switch (random() % 4) {
            case 0: text += randomOf(random, "[]{}1,\"\"\\", random() % 40); break;
            case 1: text += randomOf(random, "[]{}aaaaaaaaaaaaaaaaaa", random() % 40); break;
            case 2: text += randomOf(random, "[[]]11,,,\"\"", random() % 300); break;
            default: text += randomOf(random, "[[]]aaaaaaaaaaaa,,,\"\"\"\"aaaaaaaaaaaaaa\n", random() % 300); break;
            }
            Padded padded(text);
            padded.bytes[padded.size] = ']';
            padded.bytes[padded.size + 1] = '}';
            std::uint8_t flags = 0;
            const char *at = padded.begin();
            const Skip skip = skipNested(at, padded.end(), flags);
            const std::ptrdiff_t taken = skip == Skip::Done ? at - padded.begin() : skip == Skip::Incomplete ? -1 : -2;
            QVERIFY2(taken == slowNested(text), text.c_str());
            if (skip == Skip::Done)
                QCOMPARE((flags & kHasControls) != 0,
                         hasControlInString(text.substr(0, static_cast<std::size_t>(taken))));
            done += skip == Skip::Done ? 1 : 0;
        }
        QVERIFY(done > 1000);
    }

    void deepNestingNeedsNoStack()
    {
        const std::size_t depth = 1'000'000;
        const Padded padded(std::string(depth, '[') + std::string(depth, ']'));
        const char *at = padded.begin();
        std::uint8_t flags = 0;
        QVERIFY(skipNested(at, padded.end(), flags) == Skip::Done);
        QVERIFY(at == padded.end());
        const Padded wrong(std::string(60, '{') + '[' + std::string(60, '}'));
        at = wrong.begin();
        QVERIFY(skipNested(at, wrong.end(), flags) == Skip::Damaged);
    }

    void escapesAreResolved_data()
    {
        QTest::addColumn<QByteArray>("raw");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("repairs"); // 1 controls, 2 escapes, 4 UTF-8
        const auto row = [](const char *name, const char *raw, const char *text, int repairs) {
            QTest::newRow(name) << QByteArray(raw) << QByteArray(text) << repairs;
        };
        row("plain", "aten::mm", "aten::mm", 0);
        row("all of JSON", R"(\"\\\/\b\f\n\r\t)", "\"\\/\b\f\n\r\t", 0);
        row("unicode", R"(\u00e9\u4F60\u0041)", "\xc3\xa9\xe4\xbd\xa0\x41", 0);
        row("a pair", R"(\ud83d\ude00)", "\xf0\x9f\x98\x80", 0);
        row("half a pair", R"(\ud83d!)", "\xef\xbf\xbd!", 2);
        row("the other half", R"(\ude00)", "\xef\xbf\xbd", 2);
        row("half, then another character", R"(\ud83dA)",
            "\xef\xbf\xbd"
            "A",
            2);
        row("half, then a half", R"(\ud83d\ud83d\ude00)", "\xef\xbf\xbd\xf0\x9f\x98\x80", 2);
        row("a path of Windows", R"(C:\Users\x)", R"(C:\Users\x)", 2);
        row("too few digits", R"(\u12)", R"(\u12)", 2);
        row("no digits", R"(\uzzzz)", R"(\uzzzz)", 2);
        row("a sign is no digit", R"(\u-123\u+123)", R"(\u-123\u+123)", 2);
        row("controls",
            "a\nb\x01"
            "c",
            "a b c", 1);
        row("valid UTF-8", "\xc3\xa9\xf0\x9f\x98\x80", "\xc3\xa9\xf0\x9f\x98\x80", 0);
        row("a lone byte",
            "a\xff"
            "b",
            "a\xef\xbf\xbd"
            "b",
            4);
        row("cut", "a\xe4\xbd", "a\xef\xbf\xbd", 4);
        row("overlong", "\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd", 4);
        row("everything", "\x01\\q\xff", " \\q\xef\xbf\xbd", 7);
    }
    void escapesAreResolved()
    {
        QFETCH(const QByteArray, raw);
        QFETCH(const QByteArray, text);
        QFETCH(const int, repairs);
        const CleanText clean = cleanText({raw.constData(), static_cast<std::size_t>(raw.size())});
        QCOMPARE(q(clean.text), q({text.constData(), static_cast<std::size_t>(text.size())}));
        QCOMPARE((clean.hadControls ? 1 : 0) + (clean.hadBadEscapes ? 2 : 0) + (clean.hadBadUtf8 ? 4 : 0), repairs);
    }

    void cleanedTextIsValidAndStays()
    {
        std::mt19937_64 random(4);
        for (int i = 0; i < 50'000; ++i) {
            std::string raw;
            for (std::size_t length = random() % 24; raw.size() < length;)
                raw += random() % 3 == 0 ? "\\u\"nd83dDe00"[random() % 12] : static_cast<char>(random() % 256);
            const std::string text = cleanText(raw).text;
            for (std::string_view rest = text; !rest.empty();) {
                const Utf8Char next = decodeUtf8(rest);
                QVERIFY(next.isValid);
                rest.remove_prefix(next.bytes);
            }
            std::string_view tail = raw;
            if (tail.ends_with('\\'))
                QVERIFY(text.ends_with('\\'));
        }
    }

    void aBackslashAtTheVeryEnd()
    {
        const CleanText clean = cleanText("abc\\");
        QCOMPARE(q(clean.text), QStringLiteral("abc\\"));
        QVERIFY(clean.hadBadEscapes);
    }

    void aCursorPassesObjectsOfAnyKind()
    {
        const Padded padded(json("{'a' : 1,, 'b':'x\\'y', 'c':[{}, '}'],'d':N/A,'e':-inf,}"));
        JsonCursor cursor(padded.begin(), padded.end());
        std::string seen;
        const auto outcome = cursor.object([&](JsonCursor &at, const Token &key) {
            Token value;
            const auto result = at.value(value);
            seen += std::string(key.text()) + '=' + (value.data ? std::string(value.text()) : "nested") + ' ';
            return result;
        });
        QVERIFY(outcome == JsonCursor::Outcome::Done);
        QVERIFY(cursor.atEnd());
        QCOMPARE(q(seen), QStringLiteral("a=1 b=x\\\"y c=nested d=N/A e=-inf "));
        QVERIFY(cursor.sawOddNumber());
        QVERIFY((cursor.stringFlags() & kHasEscapes) != 0);
    }

    void everyCutObjectIsIncompleteOrDamaged()
    {
        const std::string whole = json("{'a' : 1, 'b':'x\\'y', 'c':[{}, '}'],'d':-12}");
        for (std::size_t length = 1; length < whole.size(); ++length) {
            const Padded padded(std::string_view(whole).substr(0, length));
            JsonCursor cursor(padded.begin(), padded.end());
            const auto outcome = cursor.object([](JsonCursor &at, const Token &) {
                Token value;
                return at.atEnd() ? JsonCursor::Outcome::Incomplete : at.value(value);
            });
            QVERIFY2(outcome == JsonCursor::Outcome::Incomplete, whole.substr(0, length).c_str());
        }
    }
};

QTEST_APPLESS_MAIN(TstTextScan)
#include "tst_text_scan.moc"
