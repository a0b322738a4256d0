// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/event_scanner.h"
#include "core/import/padded_buffer.h"
#include "core/import/record_start.h"
#include "tests/support/qt_text.h"
#include "tests/support/random_json.h"
#include "tests/support/scan_oracle.h"
#include "tests/support/trace_dump.h"

#include <QTest>

#include <array>
#include <random>
#include <string>

using namespace ks;

namespace {

struct Scanned
{
    explicit Scanned(std::string_view records, bool isLast = true, std::size_t limit = std::string_view::npos)
    {
        text.assign(records);
        stop = EventScanner(tables, batch).scan(text.text(), 0, std::min(limit, records.size()), isLast);
    }
    std::string_view name(std::size_t event) const { return tables.names[batch.events[event].name].text; }
    std::size_t events() const { return batch.events.size(); }
    std::uint64_t damaged() const { return batch.counts.damaged.count; }

    PaddedBuffer text;
    LocalTables tables;
    EventBatch batch;
    ScanStop stop;
};

std::string slice(const char *name, int ts = 1)
{
    return json("{'ph':'X','cat':'cpu_op','name':'") + std::string(name) + json("','pid':1,'tid':1,'ts':")
           + std::to_string(ts) + json(",'dur':2,'args':{'x':1}}");
}

} // namespace

class TstEventScanner : public QObject
{
    Q_OBJECT
private slots:
    void onValidJsonItSaysWhatSimdjsonSays_data()
    {
        QTest::addColumn<bool>("isPlain");
        QTest::addColumn<bool>("hasNestedRecords");
        QTest::newRow("as an exporter writes") << true << false;
        QTest::newRow("any layout") << false << false;
        QTest::newRow("records inside arguments") << false << true;
        QTest::newRow("records inside arguments, plain") << true << true;
    }
    void onValidJsonItSaysWhatSimdjsonSays()
    {
        QFETCH(const bool, isPlain);
        QFETCH(const bool, hasNestedRecords);
        for (unsigned seed = 0; seed < 150; ++seed) {
            std::mt19937_64 random(seed);
            RandomJson options;
            options.records = 1 + random() % 80;
            options.isPlain = isPlain;
            options.hasNestedRecords = hasNestedRecords;
            options.isArray = true;
            const std::string text = randomTraceJson(random, options);
            const auto expected = dumpBySimdjson(text);
            QVERIFY2(expected, text.c_str());
            const std::string difference = firstDifference(*expected, dumpByScanner(text));
            QVERIFY2(difference.empty(), ("seed " + std::to_string(seed) + ", " + difference + "\n" + text).c_str());
        }
    }

    void everyLayoutOfOneRecordIsRead()
    {
        // Layouts alternate, so that what was learned from one record must be given up at the next.
        std::string text = "[";
        for (int i = 0; i < 300; ++i) {
            const std::string ts = std::to_string(1000 + i);
            switch (i % 7) {
            case 0:
                text += json("{'ph': 'X', 'cat': 'cpu_op', 'name': 'a', 'pid': 1, 'tid': 1, 'ts': ") + ts
                        + json(", 'dur': 3, 'args': {'External id': 5}},");
                break;
            case 1:
                text += json("{'ph':'X','cat':'cpu_op','name':'a','pid':1,'tid':1,'ts':") + ts
                        + json(",'dur':3,'args':{'External id':5}},");
                break;
            case 2:
                text += json("{'ph':'X','name':'a','cat':'cpu_op','pid':1,'tid':1,'ts':") + ts + json(",'dur':3},");
                break;
            case 3: text += json("{'ts':") + ts + json(",'ph':'X','dur':3,'name':'b\\'c','tid':'x'},"); break;
            case 4:
                text += json("{'ph': 'X', 'cat': 'cpu_op', 'name': 'a', 'pid': 1, 'tid': 1, 'ts': ") + ts
                        + json(", 'args': {'External id': 5}, 'dur': 3},");
                break;
            case 5:
                text += json("{'ph': 'X', 'cat': 'kernel', 'name': 'k', 'pid': 0, 'tid': 7, 'ts': ") + ts
                        + json(", 'dur': 3, 'args': {'External id': 5, 'device': 0}},");
                break;
            default:
                text += json("{'ph': 'X', 'cat': 'cpu_op', 'name': '', 'pid': -1, 'tid': '', 'ts': ") + ts
                        + json(".5, 'dur': 0, 'args': {}},");
                break;
            }
        }
        text += "{}]";
        const std::string difference = firstDifference(*dumpBySimdjson(text), dumpByScanner(text));
        QVERIFY2(difference.empty(), difference.c_str());
    }

    void whatWasLearnedFromOddRecordsHidesNothing()
    {
        // An array in place of the arguments, then arguments; keys, phases and categories with raw control characters, again and again.
        const std::string arrayFirst = json("[{'ph':'X','ts':1,'args':[1,2]},{'ph':'X','ts':2,'args':{'correlation':7}}"
                                            ",{'ph':'X','ts':3,'args':{'correlation':8}},"
                                            "{'ph':'b','ts':1,'id2':[1]},{'ph':'b','ts':1,'id2':{'local':5}}]");
        const std::string difference = firstDifference(*dumpBySimdjson(arrayFirst), dumpByScanner(arrayFirst));
        QVERIFY2(difference.empty(), difference.c_str());
        std::string odd;
        for (int i = 0; i < 10; ++i)
            odd += json("{'ph':'X','ts':1,'a\nb':2},{'ph':'X','cat':'c\nd','ts':1},{'ph':'X','cat':nan,'ts':1},");
        const Scanned scanned(odd + "{}]");
        QCOMPARE(scanned.batch.counts.repairedControls.count, std::uint64_t{20});
        QCOMPARE(scanned.batch.counts.repairedNumbers.count, std::uint64_t{10});
    }

    void valuesThatWereTheSameSoFarMayChange()
    {
        // Few values first, then many, then few again; of words and of strings, of known keys and of others.
        std::string text = "[";
        for (int i = 0; i < 400; ++i) {
            const int values = i < 100 ? 1 : i < 200 ? 2 : i < 300 ? 40 : 5;
            const auto number = [&](int salt) { return std::to_string((i * salt) % values); };
            text += json("{'ph': 'X', 'cat': 'cpu_op', 'name': 'a', 'pid': ") + number(3) + json(", 'tid': 't")
                    + number(7) + json("', 'ts': ") + std::to_string(1000 + i)
                    + json(", 'dur': 3, 'args': {'External id': ") + std::to_string(i) + json(", 'other': '")
                    + number(11) + (i % 50 == 49 ? "\\n" : "") + json("', 'stream': ") + number(13) + json(", 'more': ")
                    + (i % 60 == 59 ? "null" : number(1)) + json("}},");
        }
        text += "{}]";
        const std::string difference = firstDifference(*dumpBySimdjson(text), dumpByScanner(text));
        QVERIFY2(difference.empty(), difference.c_str());
    }

    void numbersOfEveryLengthAreExactInAKnownShape()
    {
        std::string text = "[";
        const auto add = [&](const std::string &number) {
            text += json("{'ph':'X','ts':") + number + json(",'dur':") + number + json(",'args':{'correlation':")
                    + number + json(",'External id':") + number + json(",'stream':") + number + "}},";
            text += json("{'ph':'i','name':'[memory]','ts':") + number + json(",'args':{'Bytes':") + number
                    + json(",'Ev Idx':") + number + "}},";
        };
        std::mt19937_64 random(1);
        for (int i = 0; i < 2000; ++i) {
            std::string digits(1, static_cast<char>('1' + random() % 9));
            for (std::size_t left = random() % 18; left != 0; --left)
                digits += static_cast<char>('0' + random() % 10);
            std::string fraction(1 + random() % 18, '0');
            for (char &digit : fraction)
                digit = static_cast<char>('0' + random() % 10);
            switch (random() % 8) {
            case 0: add("0"); break;
            case 1: add(digits + "." + fraction); break;
            case 2: add("-" + digits); break;
            case 3: add(digits + "e" + std::to_string(random() % 5)); break;
            default: add(digits); break;
            }
        }
        text += "{}]";
        const auto expected = dumpBySimdjson(text);
        QVERIFY(expected);
        const std::string difference = firstDifference(*expected, dumpByScanner(text));
        QVERIFY2(difference.empty(), difference.c_str());
    }

    void keysWithEscapesAreTheSameKeys()
    {
        const std::string text =
            json("[{'\\u0070h':'X','na\\u006de':'a','ts':1,'d\\u0075r':2,'\\u0061rgs':{'corr\\u0065lation':7}}]");
        const std::string difference = firstDifference(*dumpBySimdjson(text), dumpByScanner(text));
        QVERIFY2(difference.empty(), difference.c_str());
    }

    void oneRecordThatMakesNoSenseCostsOneRecord_data()
    {
        QTest::addColumn<QByteArray>("broken");
        for (const std::string &broken : {
                 json("{'ph':'X','name':'un'escaped','ts':5,'dur':1}"),
                 json("{'ph':'X','name':'a','ts':5,'dur':1,'args':{'a':[1,2}}"),
                 json("{'ph':'X','name':'a','ts':5,'dur':1,'args':{'a':[1,2]}"),
                 json("{'ph':'X','name':'a','ts':5,'dur':1,'args':{'a':{'b':{'c':1}}"),
                 json("{'ph':'X','name':'a',,:'ts':5,'dur':1}"),
                 json("{'ph':'X','name':'a','ts':5 'dur':1}"),
                 json("{'ph' 'X','name':'a','ts':5}"),
                 json("{ph:'X','name':'a','ts':5}"),
                 json("{'ph':'X','name':'a','ts':}"),
                 json("{'ph':'X','name':'a','ts':5]}"),
                 json("{'ph':'X','name':'a','ts':5"),
                 json("{'ph':'X','name':'a"),
                 json("{"),
                 json("'ph':'X','name':'a','ts':5}"),
             })
            QTest::newRow(broken.c_str()) << QByteArray::fromStdString(broken);
    }
    void oneRecordThatMakesNoSenseCostsOneRecord()
    {
        QFETCH(const QByteArray, broken);
        const std::string text = slice("first") + ",\n" + slice("second") + ",\n" + broken.toStdString() + ",\n"
                                 + slice("third") + ",\n" + slice("fourth") + "]";
        const Scanned scanned(text);
        QVERIFY(scanned.stop.end == ScanEnd::ArrayEnd);
        QVERIFY(scanned.damaged() >= 1 && scanned.damaged() <= 2);
        QVERIFY(scanned.events() >= 3);
        QCOMPARE(q(scanned.name(0)), QStringLiteral("first"));
        QCOMPARE(q(scanned.name(1)), QStringLiteral("second"));
        QCOMPARE(q(scanned.name(scanned.events() - 1)), QStringLiteral("fourth"));
    }

    void repairsAreCountedOncePerRecord()
    {
        const Scanned scanned("{\"ph\":\"X\",\"name\":\"a\nb\",\"ts\":1},{\"ph\":\"B\",\"name\":\"\xff\",\"ts\":1},{"
                              "\"ph\":\"X\",\"name\":\"C:\\Users\",\"ts\":1},"
                              "{\"ph\":\"X\",\"name\":\"x\",\"ts\":1,\"args\":{\"a\":nan,\"b\":-inf,\"c\":\"x\ny\"}}]");
        QCOMPARE(scanned.events(), std::size_t{4});
        const ScanCounts &counts = scanned.batch.counts;
        QCOMPARE(counts.repairedControls.count, std::uint64_t{2});
        QCOMPARE(counts.invalidUtf8.count, std::uint64_t{1});
        QCOMPARE(counts.repairedEscapes.count, std::uint64_t{1});
        QCOMPARE(counts.repairedNumbers.count, std::uint64_t{1});
        QCOMPARE(counts.damaged.count, std::uint64_t{0});
    }

    void commasToManyAndNoneAreForgiven()
    {
        const Scanned scanned(",," + slice("a") + ",,\n ," + slice("b") + slice("c") + ",]");
        QCOMPARE(scanned.events(), std::size_t{3});
        QCOMPARE(scanned.damaged(), std::uint64_t{0});
        QVERIFY(scanned.stop.end == ScanEnd::ArrayEnd);
    }

    void whatStandsBetweenRecordsMayChangeAtAnyPlace()
    {
        // Each gap a few times, so that it is known when another one comes, some of the same length; what is no record counts every time.
        std::string text = "[";
        std::mt19937_64 random(3);
        for (int i = 0; i < 400; ++i) {
            constexpr std::array kGaps = {",",      ",\n  ", " ,\n ", ",5,",   ",\t\t\t",
                                          ",null,", ",\r\n", ", 5,",  "\n,\n", ",     \n         ",
                                          ",{},",   ",[5], "};
            text += json("{'ph':'X','ts':") + std::to_string(i) + json(",'dur':1,'name':'a'}");
            text += kGaps.at(i % 3 == 0 ? random() % kGaps.size() : static_cast<std::size_t>(i) / 40 % kGaps.size());
        }
        text += "{}]";
        const std::string difference = firstDifference(*dumpBySimdjson(text), dumpByScanner(text));
        QVERIFY2(difference.empty(), difference.c_str());
    }

    void itStopsAtTheLimitAndAtTheEnd()
    {
        const std::string a = slice("a");
        const std::string b = slice("b");
        const std::string both = a + "," + b;
        for (std::size_t limit = 0; limit <= both.size(); ++limit) {
            const Scanned scanned(both, false, limit);
            const std::size_t expected = limit == 0 ? 0 : limit <= a.size() + 1 ? 1 : 2;
            QCOMPARE(scanned.events(), expected);
            QVERIFY(scanned.stop.end == (expected == 2 ? ScanEnd::TextEnd : ScanEnd::Limit));
            QCOMPARE(scanned.stop.at, expected == 0 ? std::size_t{0} : expected == 1 ? a.size() + 1 : both.size());
        }
        for (std::size_t length = a.size() + 2; length < both.size(); ++length) {
            const Scanned scanned(std::string_view(both).substr(0, length), false);
            QVERIFY(scanned.stop.end == ScanEnd::Incomplete);
            QCOMPARE(scanned.stop.at, a.size() + 1);
            QCOMPARE(scanned.events(), std::size_t{1});
            QCOMPARE(scanned.damaged(), std::uint64_t{0});
        }
    }

    void likelyStartsOfRecords()
    {
        const std::string text = json("[{'a':1}, {'b':{'c':[{},{}]}} , { 'd' : 2},{}]");
        const std::size_t b = text.find(json("{'b'"));
        const std::size_t d = text.find(json("{ 'd'"));
        QCOMPARE(findRecordStart(text, 0), b);
        QCOMPARE(findRecordStart(text, b), d);
        QCOMPARE(findLastRecordStart(text), d);
        QCOMPARE(findRecordStart(text, d), std::string_view::npos);
        QCOMPARE(findLastRecordStart(text.substr(0, d)), b);
        for (const char *none : {"", "}", "},", "},{", "},{\"", "},{\"a\"", "}{\"a\":", "},{a:", "},{\"\":"}) {
            QCOMPARE(findRecordStart(none, 0), std::string_view::npos);
            QCOMPARE(findLastRecordStart(none), std::string_view::npos);
        }
    }

    void numbersOfDurationsMeanWhatTheySay()
    {
        const Scanned scanned(json("{'ph':'X','ts':'1.5','dur':'2'},{'ph':'X','ts':1},{'ph':'X','ts':1,'dur':-3},{'ph':"
                                   "'X','ts':1,'dur':1e300},{'ph':'X'},"
                                   "{'ph':'X','ts':-1e300,'dur':1e300}]"));
        QCOMPARE(scanned.events(), std::size_t{5});
        const auto &events = scanned.batch.events;
        const RawDurations &durations = scanned.batch.durations;
        QVERIFY(events[0].begin == 1500 && durations.of(events[0]) == 2000 && !events[0].isUnfinished);
        QVERIFY(durations.of(events[1]) == 0 && events[1].isUnfinished);
        QVERIFY(durations.of(events[2]) == 0 && scanned.batch.counts.negativeDurations.count == 1);
        QVERIFY(durations.endOf(events[3]) == kMaxTime);
        QVERIFY(events[4].begin == kMinTime);
        QCOMPARE(scanned.batch.counts.skipped.count, std::uint64_t{1});
    }

    void manyCategoriesShareTheLast()
    {
        std::string text;
        for (int i = 0; i < 70'000; ++i)
            text +=
                json("{'ph':'X','cat':'c") + std::to_string(i) + json("','ts':1,'dur':1,'bind_id':1,'flow_in':true},");
        const Scanned scanned(text);
        QCOMPARE(scanned.events(), std::size_t{70'000});
        QCOMPARE(int{scanned.tables.places.places()[scanned.batch.events.back().place].category}, 0xffff);
        for (const RawFlow &flow : scanned.batch.flows)
            QVERIFY(flow.category == scanned.batch.flows.front().category);
    }
};

QTEST_APPLESS_MAIN(TstEventScanner)
#include "tst_event_scanner.moc"
