// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/filter.h"
#include "tests/support/qt_text.h"
#include "tests/support/random_run.h"
#include "tests/support/trace_maker.h"

#include <QStringList>
#include <QTest>

#include <algorithm>
#include <functional>
#include <random>

using namespace ks;

namespace {

// File indices: 0 step, 1 forward, 2 Linear_0, 3 aten::linear, 4 aten::addmm, 5 launch, 6 aten::t on thread 200, 7
// gemm, 8 Memcpy, 9 lost kernel.
std::shared_ptr<const Trace> sample()
{
    return TraceMaker()
        .step(3, 0, 100)
        .annotation("forward pass", 5, 80)
        .python("nn.Module: Linear_0", 8, 60, 1)
        .op("aten::linear", 10, 50, R"("Input Dims":[[32, 3, 56],[8,56]],"Input type":["float","c10::Half"])")
        .op("aten::addmm", 20, 30, R"("Input Dims":[[[1,2],[3,4]],[]],"External id":77)")
        .launch("cudaLaunchKernel", 30, 5, 1)
        .thread(200, "pt_autograd_0")
        .op("aten::t", 150, 0.5)
        .kernel("void gemm<float>(int)", 60, 20, 7, 1, 0, R"("grid":[8,1,1],"bytes":1048576)")
        .memcpy("Memcpy HtoD (Pageable -> Device)", 90, 2, 8, 0, 1)
        .kernel("lost", 200, 1, 7, 99)
        .rank(2, 4)
        .build();
}

// File indices of what matches, ascending.
QString matchesOf(const Trace &trace, std::string_view filter)
{
    const Bits matches = Filter::parse(filter).matches(trace, {trace.metadata().rank, {}});
    QStringList found;
    for (std::uint32_t i = 0; i < trace.eventCount(); ++i) {
        if (matches[index(trace.eventAtFileIndex(i))])
            found += QString::number(i);
    }
    return found.join(QLatin1Char(' '));
}

} // namespace

class TstFilter : public QObject
{
    Q_OBJECT
private slots:
    void matches_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QString>("matches");
        const auto row = [](const char *filter, const char *matches) { QTest::newRow(filter) << filter << matches; };
        row("", "0 1 2 3 4 5 6 7 8 9");
        row("  ", "0 1 2 3 4 5 6 7 8 9");
        // Names
        row("ATEN::", "3 4 6");
        row("aten::addmm", "4");
        row("gemm<float>", "7");
        row("\"forward pass\"", "1");
        row("\"(Pageable -> Device)\"", "8");
        row("/^aten::.$/", "6");
        row("/[(]Page/ or /::t$/", "6 8");
        row("name:LINEAR", "2 3");
        row("name == aten::linear", "3");
        row("name == ATEN::linear", "");
        row("name != aten::linear kind:operator", "4 6");
        row("name:aten::*", "3 4 6");
        row("name:*mm", "4");
        row("name:\"*mm\"", "");
        // Joining
        row("aten and not linear", "4 6");
        row("aten not linear", "4 6");
        row("linear or gemm", "2 3 7");
        row("kind:kernel or kind:operator dur < 1us", "6 7 9");
        row("(kind:kernel or kind:operator) dur < 2us", "6 9");
        row("NOT (kind:operator OR kind:python) AND dur>=5us", "0 1 5 7");
        row("not not gemm", "7");
        // Kinds, categories, lanes
        row("kind:kernel", "7 9");
        row("kind == kernel", "7 9");
        row("kind!=operator kind != python", "0 1 5 7 8 9");
        row("cat:gpu_", "8");
        row("cat == cpu_op", "3 4 6");
        row("thread:200", "6");
        row("thread:autograd", "6");
        row("lane:pt_", "6");
        row("stream:7", "7 9");
        row("stream >= 8", "8");
        row("stream != 7", "8"); // nothing holds of what has no stream
        row("stream:*", "7 8 9");
        row("device:1", "8");
        row("rank:2 kind:launch", "5");
        row("rank:1", "");
        // Numbers
        row("dur > 20us kind:operator", "3 4");
        row("dur>20000 kind:operator", "3 4");
        row("dur == 500ns", "6");
        row("self:20us kind:operator", "3");
        row("delay > 20us", "7");
        row("delay:25us", "7");
        row("start < 10us", "0 1 2");
        row("start == 150000", "6");
        row("step:3", "0 1 2 3 4 5 7 8");
        row("step > 3", "");
        // Links
        row("op:addmm", "5 7");
        row("op == aten::linear", "4");
        row("module:linear", "3 4 5 7");
        row("module == Linear_0 kind:kernel", "7");
        // Arguments
        row("shape:[32,*,56]", "3");
        row("shape:[32, 3, 56]", "3");
        row("shape:[3,4]", "4");
        row("shape:[32,56]", "");
        row("shape:*", "3 4");
        row("dtype:half", "3");
        row("arg.\"External id\":77", "4");
        row("arg.\"External id\" > 76.5", "4");
        row("arg.grid:8,1", "7");
        row("arg.bytes >= 1MiB", "7");
        row("arg.bytes > 1MiB", "");
        row("kind:kernel not arg.grid:*", "9");
        row("lost or arg.bytes:1048576", "7 9");
    }
    void matches()
    {
        QFETCH(QString, filter);
        const auto trace = sample();
        QTEST(matchesOf(*trace, filter.toStdString()), "matches");
    }

    void namesTheColumnOfAnError_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("words");
        const auto row = [](const char *filter, int column, const char *words) {
            QTest::newRow(filter) << filter << column << words;
        };
        row("gemm and", 9, "missing");
        row("or gemm", 1, "missing");
        row("(gemm", 1, "without ')'");
        row("gemm)", 5, "without '('");
        row("kind:kernels", 6, "no kind");
        row("speed > 3", 1, "'speed' is no field");
        row("dur > fast", 7, "no time");
        row("stream:seven", 8, "no whole number");
        row("ä dur >", 8, "missing"); // characters, not bytes
        row("name < aten", 1, "larger or smaller");
        row("/(/", 1, "");
        row("/abc", 1, "without a second");
        row("\"abc", 1, "without a second");
        row("> 3", 1, "field is missing");
        row("()", 2, "missing");
        row("not", 4, "missing");
        row("kind: kernel", 6, "missing");
    }
    void namesTheColumnOfAnError()
    {
        QFETCH(QString, filter);
        QFETCH(int, column);
        QFETCH(QString, words);
        try {
            Filter::parse(filter.toStdString());
            QFAIL("no error");
        } catch (const FilterError &error) {
            QCOMPARE(static_cast<int>(error.column()), column);
            QVERIFY2(q(error.what()).contains(words), error.what());
            QVERIFY2(q(error.what()).startsWith(QStringLiteral("column %1: ").arg(column)), error.what());
        }
    }

    void refusesEndlessNesting()
    {
        QVERIFY_THROWS_EXCEPTION(FilterError, Filter::parse(std::string(100'000, '(')));
        std::string nots;
        for (int i = 0; i < 100'000; ++i)
            nots += "not ";
        QVERIFY_THROWS_EXCEPTION(FilterError, Filter::parse(nots + "a"));
        std::string many = "a";
        for (int i = 0; i < 10'000; ++i)
            many += " or b";
        QVERIFY(!Filter::parse(many).letsAllPass());
    }

    void readsNoArgumentsOfWhatIsDecidedWithoutThem()
    {
        // A trace without its text: arguments would be empty, and those that need them match nothing.
        const auto trace = sample();
        QCOMPARE(matchesOf(*trace, "gemm or arg.none:1"), q("7"));
        QCOMPARE(matchesOf(*trace, "gemm arg.none:1"), QString());
    }

    // Whatever way the terms are joined, and whether arguments are read on the way.
    void joinedTermsMatchWhatTheySayOneByOne()
    {
        std::mt19937_64 random(11);
        const auto trace = randomRun(random).build();
        const FilterContext context{.rank = 0, .stepPattern = {}};
        const std::vector<std::string> terms = {
            "gemm",          "aten",     "kind:kernel", "kind != operator",   "cat:cpu_op",
            "lane:stream",   "stream:7", "dur>5us",     "self>2us",           "op:aten::addmm",
            "module:Linear", "step:1",   "delay>1us",   "arg.correlation>20",
        };
        std::vector<std::vector<bool>> ofTerm;
        for (const std::string &term : terms) {
            const Bits found = Filter::parse(term).matches(*trace, context);
            for (std::size_t i = 0; i < found.size(); ++i) {
                if (i == 0)
                    ofTerm.emplace_back();
                ofTerm.back().push_back(found[i]);
            }
        }
        QVERIFY(std::count_if(ofTerm.begin(), ofTerm.end(),
                              [](const std::vector<bool> &found) {
                                  return std::find(found.begin(), found.end(), true) != found.end();
                              })
                > 8);
        const std::function<std::pair<std::string, std::vector<bool>>(int)> make = [&](int depth) {
            const auto kind = depth > 0 ? random() % 4 : 3;
            if (kind == 3) {
                const std::size_t term = random() % terms.size();
                return std::pair(terms[term], ofTerm[term]);
            }
            auto [text, expected] = make(depth - 1);
            if (kind == 2) {
                expected.flip();
                return std::pair("not (" + text + ")", expected);
            }
            const auto [other, also] = make(depth - 1);
            for (std::size_t i = 0; i < expected.size(); ++i)
                expected[i] = kind == 0 ? expected[i] && also[i] : expected[i] || also[i];
            return std::pair("(" + text + (kind == 0 ? ") and (" : ") or (") + other + ")", expected);
        };
        for (int round = 0; round < 200; ++round) {
            const auto [text, expected] = make(3);
            const Bits found = Filter::parse(text).matches(*trace, context);
            QCOMPARE(found.size(), expected.size());
            for (std::size_t i = 0; i < expected.size(); ++i)
                QVERIFY2(found[i] == expected[i], text.c_str());
        }
    }
};

QTEST_APPLESS_MAIN(TstFilter)
#include "tst_filter.moc"
