// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/import.h"
#include "core/trace/args.h"
#include "tests/support/qt_text.h"
#include "tests/support/random_json.h"
#include "tests/support/trace_check.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace ks;

namespace {

struct Mark
{
    char phase = 'B';
    int time = 0;
    int thread = 1;
    std::string name;
    bool hasName = true;
    std::string id;
    std::string category;
};

std::string jsonOf(const std::vector<Mark> &marks)
{
    std::string text = "[";
    for (const Mark &mark : marks) {
        text += json("{'ph':'") + mark.phase + json("','ts':") + std::to_string(mark.time) + json(",'pid':1,'tid':") + std::to_string(mark.thread)
                + json(",'cat':'") + mark.category + "\"";
        if (mark.hasName)
            text += json(",'name':'") + mark.name + "\"";
        if (!mark.id.empty())
            text += json(",'id':'") + mark.id + "\"";
        text += "},";
    }
    return text + "{}]";
}

// begin -> duration in microseconds (-1: to the end), finished; by file order of begins. Written down as the header says it, slowly.
struct Span
{
    int begin = 0;
    int duration = -1;
    bool isFinished = false;
    friend bool operator==(const Span &, const Span &) = default;
};

struct Expected
{
    std::vector<Span> spans;
    int unmatchedEnds = 0;
};

Expected pairSlowly(const std::vector<Mark> &marks)
{
    Expected expected;
    struct Open
    {
        std::size_t span;
        std::string name;
    };
    std::map<std::string, std::vector<Open>> open;
    for (const Mark &mark : marks) {
        const bool isAsync = mark.phase != 'B' && mark.phase != 'E';
        std::vector<Open> &stack = open[isAsync ? "a" + mark.category + "/" + mark.id : "t" + std::to_string(mark.thread)];
        if (mark.phase == 'B' || mark.phase == 'b' || mark.phase == 'S') {
            stack.push_back({expected.spans.size(), mark.hasName ? mark.name : ""});
            expected.spans.push_back({mark.time, -1, false});
            continue;
        }
        auto at = stack.end();
        for (auto i = stack.begin(); i != stack.end(); ++i) {
            if (!mark.hasName || i->name == mark.name)
                at = i;
        }
        if (at == stack.end()) {
            ++expected.unmatchedEnds;
            continue;
        }
        const auto close = [&](std::size_t span, bool isFinished) {
            expected.spans[span].duration = std::max(0, mark.time - expected.spans[span].begin);
            expected.spans[span].isFinished = isFinished;
        };
        close(at->span, true);
        if (isAsync) {
            stack.erase(at);
        } else {
            for (auto above = at + 1; above != stack.end(); ++above)
                close(above->span, false);
            stack.erase(at, stack.end());
        }
    }
    return expected;
}

std::uint64_t countOf(const Trace &trace, DiagnosticKind kind)
{
    const auto note = std::find_if(trace.diagnostics().begin(), trace.diagnostics().end(), [&](const Diagnostic &n) { return n.kind == kind; });
    return note == trace.diagnostics().end() ? 0 : note->count;
}

} // namespace

class TstSpanPairs : public QObject
{
    Q_OBJECT
private slots:
    void pairsAreTheOracles_data()
    {
        QTest::addColumn<bool>("isAsync");
        QTest::addColumn<int>("names");
        QTest::newRow("threads") << false << 3;
        QTest::newRow("threads, many names") << false << 60;
        QTest::newRow("async") << true << 3;
        QTest::newRow("async, many names") << true << 60;
    }
    void pairsAreTheOracles()
    {
        QFETCH(const bool, isAsync);
        QFETCH(const int, names);
        for (unsigned seed = 0; seed < 300; ++seed) {
            std::mt19937_64 random(seed);
            std::vector<Mark> marks;
            const std::size_t count = 5 + random() % 250;
            const std::size_t beginOdds = 2 + random() % 3;
            for (std::size_t i = 0; i < count; ++i) {
                Mark mark;
                const bool isBegin = i == 0 || random() % beginOdds != 0;
                mark.phase = isAsync ? (random() % 4 == 0 ? (isBegin ? 'S' : 'F') : isBegin ? 'b' : 'e') : isBegin ? 'B' : 'E';
                mark.time = static_cast<int>(i) * 3 + static_cast<int>(random() % 8);
                mark.thread = 1 + static_cast<int>(random() % 2);
                mark.name = "n" + std::to_string(random() % static_cast<unsigned>(names));
                mark.hasName = random() % 4 != 0;
                if (isAsync) {
                    mark.id = std::to_string(random() % 3);
                    mark.category = "c" + std::to_string(random() % 2);
                }
                marks.push_back(mark);
            }
            const Expected expected = pairSlowly(marks);
            const auto trace = importText(jsonOf(marks));
            const std::string where = "seed " + std::to_string(seed);
            QVERIFY2(traceFault(*trace).empty(), (where + traceFault(*trace)).c_str());
            QCOMPARE(trace->eventCount(), expected.spans.size());
            const std::int64_t origin = static_cast<std::int64_t>(trace->fileTime(0));
            std::uint64_t unfinished = 0;
            for (std::size_t i = 0; i < expected.spans.size(); ++i) {
                const EventId id = trace->eventAtFileIndex(static_cast<std::uint32_t>(i));
                const Span &span = expected.spans[i];
                QVERIFY2(trace->begin(id) + origin == span.begin * 1000, where.c_str());
                QVERIFY2(trace->isUnfinished(id) != span.isFinished, where.c_str());
                if (span.duration >= 0)
                    QVERIFY2(trace->duration(id) == span.duration * 1000, where.c_str());
                else
                    QVERIFY2(trace->end(id) == trace->range().end, where.c_str());
                unfinished += span.isFinished ? 0 : 1;
            }
            QCOMPARE(countOf(*trace, DiagnosticKind::UnmatchedBegin), unfinished);
            QCOMPARE(countOf(*trace, DiagnosticKind::UnmatchedEnd), static_cast<std::uint64_t>(expected.unmatchedEnds));
        }
    }

    void argumentsOfTheEndAreLaidOverThoseOfTheBegin()
    {
        const auto trace = importText(json("[{'ph':'B','name':'a','ts':1,'pid':1,'tid':1,'args':{'x':1,'y':2}},{'ph':'E','ts':5,'pid':1,'tid':1,'args':{'y':3,'z':4}}]"));
        std::string text;
        for (const Arg &arg : parseArgs(*trace, EventId{0}))
            text += arg.key + "=" + arg.json + " ";
        QCOMPARE(q(text), QStringLiteral("x=1 y=3 z=4 "));
    }

    void asyncIdsAreOfTheFileOrOfTheProcess()
    {
        const char *const global = "[{'ph':'b','name':'a','cat':'c','ts':1,'pid':1,'id':7},{'ph':'e','name':'a','cat':'c','ts':5,'pid':2,'id':7}]";
        QVERIFY(!importText(json(global))->isUnfinished(EventId{0}));
        const char *const local = "[{'ph':'b','name':'a','cat':'c','ts':1,'pid':1,'id2':{'local':7}},{'ph':'e','name':'a','cat':'c','ts':5,'pid':2,'id2':{'local':7}}]";
        QVERIFY(importText(json(local))->isUnfinished(EventId{0}));
        const char *const same = "[{'ph':'b','name':'a','cat':'c','ts':1,'pid':1,'id2':{'local':7}},{'ph':'e','name':'a','cat':'c','ts':5,'pid':1,'id2':{'local':7}}]";
        const auto trace = importText(json(same));
        QVERIFY(!trace->isUnfinished(EventId{0}));
        QVERIFY(trace->lane(LaneId{0}).kind == LaneKind::Async);
        QCOMPARE(q(trace->lane(LaneId{0}).name), QStringLiteral("c 7"));
    }
};

QTEST_APPLESS_MAIN(TstSpanPairs)
#include "tst_span_pairs.moc"
