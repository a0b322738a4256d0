// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/import/import.h"
#include "core/trace/args.h"
#include "tests/support/pack.h"
#include "tests/support/qt_text.h"
#include "tests/support/random_json.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <random>
#include <string>

using namespace ks;

namespace {

std::string recordWith(const std::string &args)
{
    return json("[{'ph':'X','name':'a','ts':1,'dur':1,'args':") + args + "}]";
}

std::string told(const Args &args)
{
    std::string text;
    for (const Arg &arg : args)
        text += arg.key + "=" + arg.json + " ";
    return text;
}

std::string argsOf(const std::string &args)
{
    return told(parseArgs(*importText(recordWith(args)), EventId{0}));
}

} // namespace

class TstArgs : public QObject
{
    Q_OBJECT
private slots:
    void valuesKeepEveryDigit()
    {
        QCOMPARE(q(argsOf(json("{'a':1.50,'b':18446744073709551615,'c':1e-06,'d':-0.0,'e':true,'f':null,'g':'x'}"))),
                 q(json("a=1.50 b=18446744073709551615 c=1e-06 d=-0.0 e=true f=null g='x' ")));
        QCOMPARE(q(argsOf(json("{ 'a' : [ 1 , [ ] , { 'b' : 2 } ] , 'c':{}}"))), q(json("a=[1,[],{'b':2}] c={} ")));
    }

    void whatIsNoJsonBecomesAString()
    {
        QCOMPARE(q(argsOf(json("{'a':inf,'b':[nan,-inf,N/A],'c':.5,'d':+1}"))), q(json("a='inf' b=['nan','-inf','N/A'] c='.5' d='+1' ")));
        QCOMPARE(q(argsOf(json("{'a':[1,,2,],'b':1,}"))), q(json("a=[1,2] b=1 ")));
        QCOMPARE(q(argsOf(json("{'a':'x\ny\\qz'}"))), q(json("a='x y\\\\qz' ")));
        QCOMPARE(q(argsOf(json("{'\\u0061\\n':'\\u0001'}"))), q(json("a\n='\\u0001' ")));
    }

    void nonsenseInBracketsIsToldAsItIs()
    {
        QCOMPARE(q(argsOf(json("{'a':[1:2 'x'],'b':{1},'c':3}"))), q(json("a='[1:2 \\'x\\']' b='{1}' c=3 ")));
    }

    void everyValueIsValidJson()
    {
        for (unsigned seed = 0; seed < 400; ++seed) {
            std::mt19937_64 random(seed);
            RandomJson options;
            options.hasForeignElements = false;
            options.hasNestedRecords = seed % 2 == 0;
            options.damageEvery = seed % 4 == 0 ? 3 : 0;
            options.records = 10;
            options.isArray = true;
            std::shared_ptr<const Trace> trace;
            try {
                trace = importText(randomTraceJson(random, options));
            } catch (const ImportError &) {
                continue;
            }
            for (std::size_t i = 0; i < trace->eventCount(); ++i) {
                for (const Arg &arg : parseArgs(*trace, static_cast<EventId>(i))) {
                    QJsonParseError error;
                    QJsonDocument::fromJson(QByteArray::fromStdString("[" + arg.json + "]"), &error);
                    QVERIFY2(error.error == QJsonParseError::NoError, (arg.key + " = " + arg.json).c_str());
                }
            }
        }
    }

    void deepNestingIsShownAsFarAsItMakesSense()
    {
        const std::string deep = std::string(100'000, '[') + "1" + std::string(100'000, ']');
        const std::string text = argsOf("{\"a\":" + deep + "}");
        QVERIFY(text.size() > 100'000);
        QJsonParseError error;
        QJsonDocument::fromJson(QByteArray::fromStdString(text.substr(2)), &error);
        QVERIFY(error.error == QJsonParseError::NoError);
    }

    void equalKeysAreAllTold()
    {
        const Args args = parseArgs(*importText(recordWith(json("{'stream':7,'stream':'free text','x':1}"))), EventId{0});
        QCOMPARE(q(told(args)), q(json("stream=7 stream='free text' x=1 ")));
        QCOMPARE(q(*findArg(args, "stream")), QStringLiteral("7"));
        QVERIFY(!findArg(args, "y"));
        QCOMPARE(q(argText("7")), QStringLiteral("7"));
        QCOMPARE(q(argText(json("'a\\nb'"))), QStringLiteral("a\nb"));
        QCOMPARE(q(argText("[\"x\"]")), QStringLiteral("[\"x\"]"));
    }

    void noArgumentsAreNone()
    {
        QCOMPARE(q(argsOf("{}")), QString());
        QCOMPARE(q(argsOf("null")), QString());
        QCOMPARE(q(told(parseArgs(*importText(json("[{'ph':'X','ts':1}]")), EventId{0}))), QString());
    }

    void longRecordsAreReadWhole()
    {
        for (const std::size_t length : {std::size_t{4000}, std::size_t{4096}, std::size_t{40'000}, std::size_t{3'000'000}}) {
            const std::string text = argsOf(json("{'long':'") + std::string(length, 'x') + json("','last':1}"));
            QCOMPARE(text.size(), length + 15);
            QVERIFY(text.ends_with("last=1 "));
        }
    }

    void everyContainerGivesTheSameArguments()
    {
        std::string text = "[";
        for (int i = 0; i < 50'000; ++i)
            text += json("{'ph':'X','name':'a','ts':") + std::to_string(i * 3) + json(",'dur':1,'pid':1,'tid':") + std::to_string(i % 3) + json(",'args':{'i':") + std::to_string(i) + "}},";
        text += "{}]";
        QTemporaryDir directory;
        const std::string path = directory.filePath(QStringLiteral("t")).toStdString();
        for (const std::string &packed : {text, gzipped(text), zstdPacked(text), zipped({{"a.json", text}})}) {
            writeFile(path, packed);
            const auto trace = importTrace(path);
            std::vector<EventId> ids;
            for (std::uint32_t i = 0; i < 50'000; i += 997)
                ids.push_back(trace->eventAtFileIndex((i * 7919U) % 50'000U));
            const std::vector<Args> all = parseArgs(*trace, ids);
            QCOMPARE(all.size(), ids.size());
            for (std::size_t i = 0; i < ids.size(); ++i) {
                QCOMPARE(q(told(all[i])), q("i=" + std::to_string(trace->fileIndex(ids[i])) + " "));
                QCOMPARE(q(told(parseArgs(*trace, ids[i]))), q(told(all[i])));
            }
        }
    }

    void aFileThatChangedIsNotReadAgain()
    {
        QTemporaryDir directory;
        const std::string path = directory.filePath(QStringLiteral("t")).toStdString();
        writeFile(path, recordWith(json("{'a':1}")));
        const auto trace = importTrace(path);
        QCOMPARE(q(told(parseArgs(*trace, EventId{0}))), QStringLiteral("a=1 "));
        std::filesystem::resize_file(path, 10);
        const EventId ids[] = {EventId{0}};
        QVERIFY_THROWS_EXCEPTION(SourceChanged, parseArgs(*trace, EventId{0}));
        QVERIFY_THROWS_EXCEPTION(SourceChanged, parseArgs(*trace, ids));
        std::filesystem::remove(path);
        QVERIFY_THROWS_EXCEPTION(SourceChanged, parseArgs(*trace, EventId{0}));
    }
};

QTEST_APPLESS_MAIN(TstArgs)
#include "tst_args.moc"
