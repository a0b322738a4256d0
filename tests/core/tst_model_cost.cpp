// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/model_cost.h"
#include "core/analysis/operators.h"
#include "tests/support/table_text.h"
#include "tests/support/trace_maker.h"

#include <QTest>

using namespace ks;

namespace {

const std::initializer_list<std::string_view> kModel = {"model_flops", "model_bytes"};

Table tableOf(const TraceMaker &maker)
{
    return operatorTable(std::vector<RankTrace>{{maker.build(), 0}}, {});
}

} // namespace

class TstModelCost : public QObject
{
    Q_OBJECT
private slots:
    void countsWhatACallMustComputeAndMove_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("args");
        QTest::addColumn<QString>("cost");
        const auto row = [](const char *title, const char *name, const char *args, const char *cost) {
            QTest::newRow(title) << name << args << cost;
        };
        row("mm", "aten::mm", R"("Input Dims":[[2,3],[3,5]],"Input type":["float","float"])", "60 124");
        row("mm, half", "aten::mm", R"("Input Dims":[[2,3],[3,5]],"Input type":["c10::Half","c10::Half"])", "60 62");
        row("mm, no types", "aten::mm", R"("Input Dims":[[2,3],[3,5]])", "60 null");
        row("mm, no match", "aten::mm", R"("Input Dims":[[2,3],[4,5]],"Input type":["float","float"])", "null null");
        row("mm, too large", "aten::mm", R"("Input Dims":[[4000000000,4000000000],[4000000000,2]])", "null null");
        row("addmm", "aten::addmm", R"("Input Dims":[[5],[2,3],[3,5],[],[]],"Input type":["float","float","float"])",
            "70 144");
        row("bmm", "aten::bmm", R"("Input Dims":[[4,2,3],[4,3,5]],"Input type":["float","float"])", "240 496");
        row("baddbmm", "aten::baddbmm",
            R"("Input Dims":[[4,2,5],[4,2,3],[4,3,5]],"Input type":["float","float","float"])", "280 496");
        row("scaled", "aten::_scaled_mm", R"("Input Dims":[[2,3],[3,5]],"Input type":["c10::Float8_e4m3fn"])",
            "60 null");
        // Output 2·4·5·6: 2·(3·3·3)·240 + 240; bytes (2·6·9·8 + 4·3·3·3 + 240 + 4)·4
        row("convolution", "aten::convolution",
            R"("Input Dims":[[2,6,9,8],[4,3,3,3],[4],[],[],[],[],[],[]],"Input type":["float","float","float"],)"
            R"("Concrete Inputs":["","","","[2, 1]","[1, 0]","[1, 1]","False","[0, 0]","2"])",
            "13200 4864");
        // Output 1·3·(4−1)·2+2: 8 long
        row("transposed", "aten::convolution",
            R"("Input Dims":[[1,2,4],[2,3,2],[]],"Input type":["float","float",""],)"
            R"("Concrete Inputs":["","","","[2]","[0]","[1]","True","[0]","1"])",
            "96 176");
        row("attention", "aten::_scaled_dot_product_flash_attention",
            R"("Input Dims":[[1,2,4,8],[1,2,4,8],[1,2,4,8]],"Input type":["c10::Half","c10::Half","c10::Half"],)"
            R"("Concrete Inputs":["","","","0.","False"])",
            "1024 512");
        row("causal", "aten::_scaled_dot_product_flash_attention",
            R"("Input Dims":[[1,2,4,8],[1,2,4,8],[1,2,4,8]],"Input type":["c10::Half","c10::Half","c10::Half"],)"
            R"("Concrete Inputs":["","","","0.","True"])",
            "512 512");
        row("no model", "aten::add", R"("Input Dims":[[7,3],[3]],"Input type":["float","float"])", "null null");
    }
    void countsWhatACallMustComputeAndMove()
    {
        QFETCH(QString, name);
        QFETCH(QString, args);
        const Table table = tableOf(TraceMaker().op(name.toStdString(), 0, 10, args.toStdString()));
        QTEST(rowText(table, 0, kModel), "cost");
    }

    void knowsARowOnlyIfItKnowsEveryCall()
    {
        const char *const known = R"("Input Dims":[[2,3],[3,5]],"Input type":["float","float"])";
        TraceMaker maker;
        maker.op("aten::mm", 0, 10, known).op("aten::mm", 20, 10, known);
        QCOMPARE(rowText(tableOf(maker), 0, kModel), q("120 248"));
        maker.op("aten::mm", 40, 10);
        QCOMPARE(rowText(tableOf(maker), 0, kModel), q("null null"));
    }
};

QTEST_APPLESS_MAIN(TstModelCost)
#include "tst_model_cost.moc"
