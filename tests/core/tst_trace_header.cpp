// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/import/import.h"
#include "core/import/padded_buffer.h"
#include "core/import/trace_header.h"
#include "tests/support/qt_text.h"
#include "tests/support/random_json.h"

#include <QTest>

#include <string>

using namespace ks;

namespace {

// "records at N", "more", or what was thrown.
std::string headOf(const std::string &text, bool isAll, TraceHead &head)
{
    PaddedBuffer padded;
    padded.assign(text);
    try {
        return parseHead(padded.text(), isAll, head) == HeadResult::Records ? "records at " + std::to_string(head.recordsBegin) : "more";
    } catch (const ImportError &error) {
        return error.what();
    }
}

std::string headOf(const std::string &text, bool isAll = true)
{
    TraceHead head;
    return headOf(text, isAll, head);
}

std::string keysOf(const TopLevelKeys &keys)
{
    std::string text;
    for (const auto &[key, value] : keys.values)
        text += key + "=" + value + " ";
    return text + (keys.isDamaged ? "damaged" : "");
}

} // namespace

class TstTraceHeader : public QObject
{
    Q_OBJECT
private slots:
    void theRecordsAreFound()
    {
        TraceHead head;
        const std::string text = json(" { 'a' : 1 , 'b':'x', 'c':[{'traceEvents':[1]}], 'd':{} , 'traceEvents' : [ {'ph':'X'}");
        QCOMPARE(q(headOf(text, false, head)), q("records at " + std::to_string(text.find("[ {") + 1)));
        QCOMPARE(q(keysOf(head.keys)), q(json("a=1 b='x' c=[{'traceEvents':[1]}] d={} ")));
        QVERIFY(!head.isArray);
        QCOMPARE(q(headOf(json("\xef\xbb\xbf{'traceEvents':["))), QStringLiteral("records at 19"));
        QCOMPARE(q(headOf(" [{}]", false, head)), QStringLiteral("records at 2"));
        QVERIFY(head.isArray && !head.firstIsArray);
        headOf("[ [1,2]]", true, head);
        QVERIFY(head.firstIsArray);
    }

    void everyBeginningOfAHeadAsksForMore()
    {
        const std::string text = json("{ 'a' : 1 , 'b':'x\\'y', 'c':[{'traceEvents':[1]}], 'traceEvents' : [");
        for (std::size_t length = 0; length < text.size(); ++length) {
            QCOMPARE(q(headOf(text.substr(0, length), false)), QStringLiteral("more"));
            QVERIFY(!q(headOf(text.substr(0, length), true)).startsWith(QStringLiteral("records")));
        }
        QVERIFY(q(headOf(text, false)).startsWith(QStringLiteral("records")));
    }

    void brokenValuesDoNotHideTheRecords()
    {
        TraceHead head;
        const std::string text = json("{'a':'un'escaped','b':[1,2}, 'traceEvents':[{}");
        QCOMPARE(q(headOf(text, true, head)), q("records at " + std::to_string(text.size() - 2)));
        QVERIFY(head.keys.isDamaged);
        QVERIFY(head.keys.damagedAt > 0 && head.keys.damagedAt < text.size());
    }

    void whatIsNoTraceIsNamed_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("words");
        const auto row = [](const char *name, const std::string &text, const char *words) { QTest::newRow(name) << QByteArray::fromStdString(text) << QString::fromLatin1(words); };
        row("blank", " \n\t ", "white space");
        row("pickle", "\x80\x04\x95", "pickle");
        row("HTML", "<html>", "HTML");
        row("protobuf", std::string("\x0a\x12\x00\x01", 4), "not JSON");
        row("UTF-16", "\xff\xfe{", "UTF-16");
        row("words", "hello", "not JSON");
        row("a number", "42", "not JSON");
        row("execution trace", json("{'schema':'1.1.1','nodes':[]}"), "execution trace");
        row("other JSON", json("{'a':1}"), "without trace events");
        row("records that are none", json("{'traceEvents':{}}"), "without trace events");
        row("cut in the header", json("{'a':1,'b':"), "truncated");
        row("broken", json("{'a':]"), "not JSON");
    }
    void whatIsNoTraceIsNamed()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QString, words);
        const QString what = q(headOf(text.toStdString()));
        QVERIFY2(what.contains(words), qPrintable(what));
    }

    void theTailEndsBehindItsBrace()
    {
        const auto tail = [](const std::string &text, TopLevelKeys &keys) {
            PaddedBuffer padded;
            padded.assign(text);
            return parseTail(padded.text(), 100, keys);
        };
        TopLevelKeys keys;
        QCOMPARE(tail(json(" , 'a':1,'b':[{}]} {"), keys), std::size_t{18});
        QCOMPARE(q(keysOf(keys)), QStringLiteral("a=1 b=[{}] "));
        keys = {};
        QCOMPARE(tail("}", keys), std::size_t{1});
        QCOMPARE(tail("", keys), std::string_view::npos);
        QCOMPARE(tail(json(",'a':1"), keys), std::string_view::npos);
        QVERIFY(!keys.isDamaged);
        QCOMPARE(tail(json(",'a' 1}"), keys), std::string_view::npos);
        QVERIFY(keys.isDamaged);
        QCOMPARE(keys.damagedAt, std::uint64_t{105});
    }

    void keysStandBeforeAndBehindTheRecords()
    {
        const auto check = [](const std::string &text) {
            const auto trace = importText(text);
            const Metadata &m = trace->metadata();
            QCOMPARE(m.baseNs.value_or(0), std::int64_t{1751410836000000000});
            QCOMPARE(m.rank.value_or(-1), std::int64_t{3});
            QCOMPARE(m.worldSize.value_or(-1), std::int64_t{8});
            QCOMPARE(m.devices.size(), std::size_t{2});
            QCOMPARE(q(m.devices[1].name), QStringLiteral("B"));
            QCOMPARE(m.devices[0].memoryBytes.value_or(0), std::int64_t{85899345920});
            QCOMPARE(m.devices[0].multiprocessors.value_or(0), std::int64_t{132});
            QVERIFY(m.profiler.withStack == std::optional(true));
            QVERIFY(!m.profiler.profileMemory);
            QVERIFY(std::find(m.topLevel.begin(), m.topLevel.end(), std::pair<std::string, std::string>("schemaVersion", "1")) != m.topLevel.end());
        };
        const std::string keys = json("'schemaVersion':1,'deviceProperties':[{'id':0,'name':'A','totalGlobalMem':85899345920,'numSms':132},{'id':4,'name':'B'}],"
                                      "'distributedInfo':{'rank':3,'world_size':'8'},'with_stack':1,'profile_memory':0,'baseTimeNanoseconds':1751410836000000000");
        const std::string records = json("'traceEvents':[{'ph':'X','ts':1,'dur':1}]");
        check("{" + keys + "," + records + "}");
        check("{" + records + "," + keys + "}");
    }

    void keysWithoutNumberAreNotAllKept()
    {
        std::string text = "{";
        for (int i = 0; i < 100'000; ++i)
            text += json("'k") + std::to_string(i) + json("':1,");
        const auto trace = importText(text + json("'traceEvents':[{'ph':'X','ts':1,'dur':1}]}"));
        QCOMPARE(trace->eventCount(), std::size_t{1});
        QCOMPARE(trace->metadata().topLevel.size(), std::size_t{4096});
    }

    void aHugeHeaderIsRead()
    {
        std::string text = json("{'a':'") + std::string(5'000'000, 'x') + json("','n':") + std::string(100'000, '[') + std::string(100'000, ']');
        text += json(",'traceEvents':[{'ph':'X','ts':1,'dur':1}]}");
        const auto trace = importText(text);
        QCOMPARE(trace->eventCount(), std::size_t{1});
        QCOMPARE(trace->recordOffset(EventId{0}), std::uint64_t{text.find(json("{'ph'"))});
        for (const auto &[key, value] : trace->metadata().topLevel)
            QVERIFY(value.size() <= std::size_t{1} << 20U);
    }
};

QTEST_APPLESS_MAIN(TstTraceHeader)
#include "tst_trace_header.moc"
