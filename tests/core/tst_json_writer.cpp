// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_writer.h"
#include "tests/support/qt_text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include <cmath>
#include <limits>

using namespace ks;

namespace {

template<typename Write>
std::string written(Write write)
{
    std::string text;
    {
        TextSink sink(text);
        JsonWriter writer(sink);
        write(writer);
    }
    return text;
}

} // namespace

class TstJsonWriter : public QObject
{
    Q_OBJECT
private slots:
    void writesNestedValuesOnOneLine()
    {
        const auto text = written([](JsonWriter &w) {
            w.beginObject()
                .member("a", 1)
                .key("b")
                .beginArray()
                .value("x")
                .value(true)
                .null()
                .beginObject()
                .endObject()
                .endArray();
            w.key("c").raw("[1.50,2]").endObject();
        });
        QCOMPARE(q(text), q("{\"a\":1,\"b\":[\"x\",true,null,{}],\"c\":[1.50,2]}\n"));
    }

    void writesLinesOutsideAndOneLineInside()
    {
        const auto text = written([](JsonWriter &w) {
            w.beginObject(JsonWriter::Layout::Lines).member("a", 1).key("rows").beginArray(JsonWriter::Layout::Lines);
            w.beginArray().value(1).value(2).endArray().beginArray(JsonWriter::Layout::Inline).endArray().endArray();
            w.key("none").beginArray(JsonWriter::Layout::Lines).endArray().endObject();
        });
        QCOMPARE(q(text), q("{\n  \"a\": 1,\n  \"rows\": [\n    [1,2],\n    []\n  ],\n  \"none\": []\n}\n"));
    }

    void keepsEveryDigitOfWholeNumbers()
    {
        const auto text = written([](JsonWriter &w) {
            w.beginArray()
                .value(std::numeric_limits<std::int64_t>::min())
                .value(std::numeric_limits<std::uint64_t>::max());
            w.value(std::int8_t{-5}).value(std::optional<int>()).value(std::optional<int>(7)).endArray();
        });
        QCOMPARE(q(text), q("[-9223372036854775808,18446744073709551615,-5,null,7]\n"));
    }

    void writesShortestDoubles()
    {
        const auto text = written([](JsonWriter &w) {
            w.beginArray()
                .value(0.1)
                .value(3.0)
                .value(1e300)
                .value(-0.5)
                .value(std::nan(""))
                .value(HUGE_VAL)
                .endArray();
        });
        QCOMPARE(q(text), q("[0.1,3,1e+300,-0.5,null,null]\n"));
    }

    void escapesAndRepairsText_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("json");
        QTest::newRow("empty") << QByteArray("") << QByteArray("\"\"");
        QTest::newRow("plain") << QByteArray("aten::mm") << QByteArray("\"aten::mm\"");
        QTest::newRow("quotes") << QByteArray("a\"b\\c") << QByteArray("\"a\\\"b\\\\c\"");
        QTest::newRow("controls") << QByteArray("\n\t\r\b\f\x01\x1f", 7)
                                  << QByteArray("\"\\n\\t\\r\\b\\f\\u0001\\u001f\"");
        QTest::newRow("zero") << QByteArray("a\0b", 3) << QByteArray("\"a\\u0000b\"");
        QTest::newRow("delete") << QByteArray("\x7f") << QByteArray("\"\x7f\"");
        QTest::newRow("utf-8") << QByteArray("é漢😀") << QByteArray("\"é漢😀\"");
        QTest::newRow("lone continuation") << QByteArray("a\x80z") << QByteArray("\"a\xef\xbf\xbdz\"");
        QTest::newRow("cut sequence") << QByteArray("\xe6\xbc") << QByteArray("\"\xef\xbf\xbd\"");
        QTest::newRow("overlong") << QByteArray("\xc0\xaf") << QByteArray("\"\xef\xbf\xbd\xef\xbf\xbd\"");
        QTest::newRow("surrogate") << QByteArray("\xed\xa0\x80")
                                   << QByteArray("\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
        QTest::newRow("beyond unicode") << QByteArray("\xf4\x90\x80\x80")
                                        << QByteArray("\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
        QTest::newRow("no lead") << QByteArray("\xff") << QByteArray("\"\xef\xbf\xbd\"");
    }
    void escapesAndRepairsText()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QByteArray, json);
        const std::string got = jsonString({text.data(), static_cast<std::size_t>(text.size())});
        QCOMPARE(QByteArray::fromStdString(got), json);
        QVERIFY(!QJsonDocument::fromJson('[' + QByteArray::fromStdString(got) + ']').isNull());
    }

    void handsOnLargeOutputInBlocks()
    {
        std::size_t blocks = 0;
        std::size_t bytes = 0;
        {
            TextSink sink([&](std::string_view text) {
                ++blocks;
                bytes += text.size();
            });
            JsonWriter writer(sink);
            writer.beginArray();
            for (int i = 0; i < 100'000; ++i)
                writer.value(100'000);
            writer.endArray();
        }
        QCOMPARE(bytes, std::size_t{100'000 * 7 + 2});
        QVERIFY(blocks >= 10 && blocks <= 11);
    }

    void aFailedOutputIsNotCompleted()
    {
        std::string text;
        try {
            TextSink sink(text);
            sink.put("half");
            throw std::runtime_error("stop");
        } catch (const std::runtime_error &) {}
        QCOMPARE(q(text), q(""));
    }
};

QTEST_APPLESS_MAIN(TstJsonWriter)
#include "tst_json_writer.moc"
