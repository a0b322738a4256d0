// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/filter.h"
#include "core/analysis/filter_completion.h"
#include "tests/support/qt_text.h"
#include "tests/support/random_run.h"
#include "tests/support/trace_maker.h"

#include <QTest>

#include <random>
#include <string>

using namespace ks;

namespace {

FilterValues someValues()
{
    FilterValues values;
    values.of(FilterField::Name) = {"aten::mm", "void gemm<128, 64>(float*)", "gemm_tail", "aten::addmm"};
    values.of(FilterField::Kind) = {"kernel", "operator"};
    values.of(FilterField::Stream) = {"7", "70", "20"};
    values.of(FilterField::Shape) = {"[32,56]", "[8]"};
    values.ofArgument["External id"] = {"1", "2"};
    values.ofArgument["grid"] = {"[1,1,1]"};
    return values;
}

// What `text` becomes with each choice, the cursor behind it.
QStringList completed(const std::string &text, const FilterValues &values = someValues())
{
    const FilterCompletion completion = completeFilter(text, text.size(), values);
    QStringList result;
    for (const std::string &choice : completion.choices)
        result << q(text.substr(0, completion.from) + choice);
    return result;
}

} // namespace

class TstFilterCompletion : public QObject
{
    Q_OBJECT
private slots:
    void aTermIsCompleted_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("expected");
        const auto row = [](const char *text, std::initializer_list<const char *> expected) {
            QStringList texts;
            for (const char *one : expected)
                texts << q(one);
            QTest::newRow(text) << q(text) << texts;
        };
        row("ki", {"kind:"});
        row("KI", {"kind:"});
        row("not (ki", {"not (kind:"});
        row("s", {"stream:", "shape:", "self>", "start>"});
        row("kind:", {"kind:kernel", "kind:operator"});
        row("kind:O", {"kind:operator"});
        row("stream:7", {"stream:70"});
        row("dur>10us stream:2", {"dur>10us stream:20"});
        row("shape:[3", {"shape:[32,56]"});
        row("mm", {"aten::mm", "\"void gemm<128, 64>(float*)\"", "gemm_tail", "aten::addmm"});
        row("gemm", {"gemm_tail", "\"void gemm<128, 64>(float*)\""});
        row("name:gemm", {"name:gemm_tail", "name:\"void gemm<128, 64>(float*)\""});
        row("\"void g", {"\"void gemm<128, 64>(float*)\""});
        row("name==\"aten::a", {"name==\"aten::addmm\""});
        row("arg.", {"arg.\"External id\":", "arg.grid:"});
        row("arg.\"Ex", {"arg.\"External id\":"});
        row("arg.\"External id\":", {"arg.\"External id\":1", "arg.\"External id\":2"});
        row("arg.grid:", {"arg.grid:[1,1,1]"});
        row("/gem", {});
        row("dur>", {});
        row("m", {});
        row("nothing_like_it", {});
        row("\"a quoted text\" kind:k", {"\"a quoted text\" kind:kernel"});
        row("/a b/ kind:k", {"/a b/ kind:kernel"});
    }
    void aTermIsCompleted()
    {
        QFETCH(const QString, text);
        QFETCH(const QStringList, expected);
        QCOMPARE(completed(text.toStdString()), expected);
    }

    void onlyWhatStandsBeforeTheCursorCounts()
    {
        const FilterCompletion completion = completeFilter("kind: dur>1ms", 5, someValues());
        QCOMPARE(completion.from, std::size_t{5});
        QCOMPARE(completion.choices.size(), std::size_t{2});
    }

    void whereNothingIsWrittenAreTheFieldsThatHaveValues()
    {
        const QStringList all = completed("kind:kernel ");
        QVERIFY(all.contains(QStringLiteral("kind:kernel stream:")));
        QVERIFY(all.contains(QStringLiteral("kind:kernel dur>")));
        QVERIFY(!all.contains(QStringLiteral("kind:kernel module:")));
    }

    // Whatever is offered of a real run is a filter, and one that something fits.
    void everyChoiceFindsSomething()
    {
        std::mt19937_64 random(3);
        const auto trace = randomRun(random).build();
        const std::vector<RankTrace> ranks = {{trace, 0}};
        const FilterValues values = filterValues(ranks);
        QVERIFY(!values.of(FilterField::Name).empty() && !values.of(FilterField::Stream).empty());
        std::size_t tried = 0;
        const auto tryAll = [&](const std::string &begin) {
            const FilterCompletion completion = completeFilter(begin, begin.size(), values);
            for (const std::string &choice : completion.choices) {
                const std::string text = begin.substr(0, completion.from) + choice;
                const Bits found = Filter::parse(text).matches(*trace, {.rank = 0, .stepPattern = {}});
                QVERIFY2(found.count() > 0, text.c_str());
                ++tried;
            }
        };
        for (const auto &[name, field] : filterFields()) {
            if (!values.of(field).empty())
                tryAll(std::string(name) + ":");
        }
        for (const auto &[key, texts] : values.ofArgument)
            tryAll("arg.\"" + key + "\":");
        tryAll("aten");
        QVERIFY(tried > 30);
    }

    void frequentNamesComeFirst()
    {
        TraceMaker maker;
        for (int i = 0; i < 5; ++i)
            maker.op("often", i * 10, 5);
        const auto trace = maker.op("once", 60, 5).kernel("twice", 70, 3, 7, 1).kernel("twice", 80, 3, 7, 2).build();
        const FilterValues values = filterValues(std::vector<RankTrace>{{trace, {}}});
        QCOMPARE(values.of(FilterField::Name), (FilterValues::Texts{"often", "twice", "once"}));
        QCOMPARE(values.of(FilterField::Operator), (FilterValues::Texts{"often", "once"}));
        QCOMPARE(values.of(FilterField::Stream), (FilterValues::Texts{"7"}));
    }
};

QTEST_APPLESS_MAIN(TstFilterCompletion)
#include "tst_filter_completion.moc"
