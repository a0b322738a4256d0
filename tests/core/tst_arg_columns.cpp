// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/text_scan.h"
#include "core/import/import.h"
#include "core/trace/arg_columns.h"
#include "core/trace/args.h"
#include "core/trace/seen_records.h"
#include "tests/support/pack.h"
#include "tests/support/qt_text.h"
#include "tests/support/random_json.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

using namespace ks;

namespace {

constexpr std::array<std::string_view, 3> kKeys = {"grid", "kind", "count"};

std::vector<EventId> allEvents(const Trace &trace)
{
    std::vector<EventId> events;
    for (std::size_t i = 0; i < trace.eventCount(); ++i)
        events.push_back(static_cast<EventId>(i));
    return events;
}

// Few layouts and few values, so that most records were seen before, in one of several ways.
std::string randomRecords(std::mt19937_64 &random, int count)
{
    const auto pick = [&random](const auto &choices) { return std::string(choices[random() % choices.size()]); };
    const auto argument = [&] {
        switch (random() % 7) {
        case 0: return "'grid':" + pick(std::array{"[1,2]", "[1,25]", "[]", "[ 1 , 2 ]", "7"});
        case 1: return "'count':" + pick(std::array{"7", "75", "7.5", "null", "'7'", "-7"});
        case 2: return "'kind':" + pick(std::array{"'a'", "'a7'", "''", "'a\\'b'", "{'count':1}"});
        case 3: return "'id':" + std::to_string(random() % 1000);
        case 4: return "'stream':" + pick(std::array{"7", "'7'", "[7]", "true"});
        case 5: return std::string("'count2':7");
        default: return "'x':" + std::to_string(random() % 3);
        }
    };
    std::string text = "[";
    for (int i = 0; i < count; ++i) {
        text += "{'ph':'X','name':'" + pick(std::array{"a", "b"}) + "','pid':1,'tid':" + std::to_string(random() % 2);
        text += ",'ts':" + std::to_string(i * 10) + ",'dur':" + std::to_string(random() % 10);
        if (random() % 8 != 0) {
            text += ",'args':{";
            for (std::size_t left = random() % 5; left != 0; --left)
                text += argument() + (left > 1 ? "," : "");
            text += random() % 8 == 0 ? "},'id':7}" : "}}";
        } else {
            text += "}";
        }
        text += ",\n";
    }
    return json(text + "{}]");
}

} // namespace

class TstArgColumns : public QObject
{
    Q_OBJECT
private slots:
    void columnsHoldWhatEachRecordSays()
    {
        std::size_t told = 0;
        for (unsigned seed = 0; seed < 200; ++seed) {
            std::mt19937_64 random(seed);
            const auto trace = importText(randomRecords(random, 200));
            const std::vector<EventId> events = allEvents(*trace);
            QCOMPARE(events.size(), std::size_t{200});
            for (const std::size_t first : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) { // all, two, the last
                const auto keys = std::span(kKeys).subspan(first);
                const std::vector<ArgColumn> columns = argColumns(*trace, events, keys);
                for (std::size_t i = 0; i < events.size(); ++i) {
                    const Args args = parseArgs(*trace, events[i]);
                    for (std::size_t k = 0; k < keys.size(); ++k) {
                        const std::string_view expected = findArg(args, keys[k]).value_or("");
                        QCOMPARE(q(columns[k].text(i)), q(expected));
                        told += expected.empty() ? 0 : 1;
                    }
                }
            }
        }
        QVERIFY(told > 20'000);
    }

    void theOrderOfTheEventsDoesNotMatter()
    {
        std::mt19937_64 random(1);
        const auto trace = importText(randomRecords(random, 500));
        std::vector<EventId> events = allEvents(*trace);
        const std::vector<ArgColumn> columns = argColumns(*trace, events, kKeys);
        std::shuffle(events.begin(), events.end(), random);
        const std::vector<ArgColumn> shuffled = argColumns(*trace, events, kKeys);
        for (std::size_t i = 0; i < events.size(); ++i) {
            for (std::size_t k = 0; k < kKeys.size(); ++k)
                QCOMPARE(q(shuffled[k].text(i)), q(columns[k].text(index(events[i]))));
        }
    }

    void noEventHasNoArguments()
    {
        std::mt19937_64 random(1);
        const auto trace = importText(randomRecords(random, 100));
        std::vector<EventId> events = allEvents(*trace);
        const std::vector<ArgColumn> columns = argColumns(*trace, events, kKeys);
        for (std::size_t i = 0; i < events.size(); i += 2)
            events[i] = kNoEvent;
        const std::vector<ArgColumn> some = argColumns(*trace, events, kKeys);
        std::size_t told = 0;
        for (std::size_t i = 0; i < events.size(); ++i) {
            QCOMPARE(q(some[1].text(i)), i % 2 == 0 ? QString() : q(columns[1].text(i)));
            told += some[1].numbers[i] != 0 ? 1 : 0;
        }
        QVERIFY(told > 5);
        events.assign(10, kNoEvent);
        QCOMPARE(argColumns(*trace, events, kKeys)[0].numbers, LargeArray<std::uint32_t>(10, 0));
    }

    void oddRecordsAreReadAsOneByOne()
    {
        for (unsigned seed = 0; seed < 200; ++seed) {
            std::mt19937_64 random(seed);
            RandomJson options;
            options.isPlain = seed % 2 == 0;
            options.hasNestedRecords = seed % 3 == 0;
            options.damageEvery = seed % 4 == 0 ? 5 : 0;
            options.hugeBytes = seed % 10 == 0 ? 300'000 : 0;
            std::shared_ptr<const Trace> trace;
            try {
                trace = importText(randomTraceJson(random, options));
            } catch (const ImportError &) {
                continue;
            }
            const std::array<std::string_view, 3> keys = {"External id", "stream", "Input Dims"};
            const std::vector<EventId> events = allEvents(*trace);
            const std::vector<ArgColumn> together = argColumns(*trace, events, keys);
            for (std::size_t i = 0; i < events.size(); ++i) {
                const std::vector<ArgColumn> alone = argColumns(*trace, std::span(events).subspan(i, 1), keys);
                for (std::size_t k = 0; k < keys.size(); ++k)
                    QCOMPARE(q(together[k].text(i)), q(alone[k].text(0)));
            }
        }
    }

    void argumentsOfTheEndGoOverThoseOfTheBegin()
    {
        std::string text = "[";
        for (int i = 0; i < 100; ++i) {
            const std::string ts = std::to_string(i * 10);
            text += "{'ph':'B','name':'a','pid':1,'tid':1,'ts':" + ts + ",'args':{'count':1,'kind':'b'}},";
            text += "{'ph':'E','name':'a','pid':1,'tid':1,'ts':" + ts + "5,'args':{'count':2}},";
        }
        const auto trace = importText(json(text + "{}]"));
        const std::vector<EventId> events = allEvents(*trace);
        const std::vector<ArgColumn> columns = argColumns(*trace, events, kKeys);
        QVERIFY(!events.empty());
        for (std::size_t i = 0; i < events.size(); ++i) {
            QCOMPARE(q(columns[0].text(i)), QString());
            QCOMPARE(q(columns[2].text(i)), QStringLiteral("2"));
            QCOMPARE(q(columns[1].text(i)), QStringLiteral("\"b\""));
        }
    }

    void aFileThatChangedIsNotReadAgain()
    {
        QTemporaryDir directory;
        const std::string path = directory.filePath(QStringLiteral("t")).toStdString();
        std::mt19937_64 random(1);
        writeFile(path, randomRecords(random, 100));
        const auto trace = importTrace(path);
        std::filesystem::resize_file(path, 10);
        QVERIFY_THROWS_EXCEPTION(SourceChanged, argColumns(*trace, allEvents(*trace), kKeys));
    }

    void whatDiffersInWordsLeftOutOnlyWasSeen()
    {
        SeenRecords seen;
        const std::string record = padded("{\"id\":12,\"n\":\"x\"}");
        const std::array words = {std::string_view(record).substr(6, 2)};
        QCOMPARE(seen.find(3, whole(record)), SeenRecords::kUnseen);
        QVERIFY(seen.remember(3, whole(record), words, 5));
        QCOMPARE(seen.find(3, whole(padded("{\"id\":4711,\"n\":\"x\"}"))), 5U);
        QCOMPARE(seen.find(3, whole(padded("{\"id\":-1.5e3,\"n\":\"x\"}"))), 5U);
        QCOMPARE(seen.find(3, whole(padded("{\"id\":1,\"n\":\"x\"} and more"))), 5U);
        for (const char *other : {"{\"id\":1,\"n\":\"y\"}", "{\"id\":1 ,\"n\":\"x\"}", "{\"id\":,\"n\":\"x\"}",
                                  "{\"id\":\"1\",\"n\":\"x\"}", "{\"id\":1", "{\"id\":1,\"n\":\"x", ""})
            QCOMPARE(seen.find(3, whole(padded(other))), SeenRecords::kUnseen);
        QCOMPARE(seen.find(2, whole(record)), SeenRecords::kUnseen); // of another group
    }

    void whatIsRememberedIsBounded()
    {
        SeenRecords seen;
        int remembered = 0;
        for (int i = 0; i < 1000; ++i)
            remembered += seen.remember(0, "{\"n\":\"" + std::to_string(i) + "\"}", {}, 1) ? 1 : 0;
        QVERIFY(remembered > 4 && remembered < 100);
        QVERIFY(!seen.remember(1, std::string(std::size_t{100} << 20U, 'x'), {}, 1));
    }

private:
    static std::string padded(std::string text) { return text + std::string(kPadding, '\0'); }
    static std::string_view whole(const std::string &padded)
    {
        return std::string_view(padded).substr(0, padded.size() - kPadding);
    }
};

QTEST_APPLESS_MAIN(TstArgColumns)
#include "tst_arg_columns.moc"
