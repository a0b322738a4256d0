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
        row("mv", "aten::mv", R"("Input Dims":[[2,3],[3]],"Input type":["float","float"])", "12 44");
        row("dot", "aten::dot", R"("Input Dims":[[3],[3]],"Input type":["double","double"])", "6 56");
        row("scaled to bfloat16, with a bias", "aten::_scaled_mm",
            R"("Input Dims":[[2,3],[3,5],[],[],[5]],"Input type":["c10::Float8_e4m3fn","c10::Float8_e4m3fn"],)"
            R"("Concrete Inputs":["","","","","","","15","True"])",
            "70 41"); // 60 + 10; 6 + 15 + 10·2
        row("linear backward", "aten::linear_backward",
            R"("Input Dims":[[4,3],[4,5],[5,3],[]],"Input type":["float","float","float",""],)"
            R"("Concrete Inputs":["","","","[True, True, True]"])",
            "260 316"); // 120 + 120 + 20; (12 + 20 + 15 + 12 + 15 + 5)·4
        row("convolution backward", "aten::convolution_backward",
            R"("Input Dims":[[2,4,5,6],[2,6,9,8],[4,3,3,3],[],[],[],[],[],[],[],[]],"Input type":["float","float","float"],)"
            R"("Concrete Inputs":["","","","[4]","[2, 1]","[1, 0]","[1, 1]","False","[0, 0]","2","[True, True, True]"])",
            "26160 10672"); // 2·(2·27·240) + 240; (2·(240+864+108) + 240 + 4)·4
        row("attention backward", "aten::_scaled_dot_product_flash_attention_backward",
            R"("Input Dims":[[1,2,4,8],[1,2,4,8],[1,2,4,8],[1,2,4,8]],)"
            R"("Input type":["c10::Half","c10::Half","c10::Half","c10::Half"],)"
            R"("Concrete Inputs":["","","","","","","","","4","4","0.","False"])",
            "2560 896"); // 2·2·16·(8·5); (6·64 + 64)·2
        row("attention of queries that share keys, backward", "aten::_scaled_dot_product_flash_attention_backward",
            R"("Input Dims":[[1,4,4,8],[1,4,4,8],[1,2,4,8],[1,2,4,8]],"Input type":["float","float","float","float"],)"
            R"("Concrete Inputs":["","","","","","","","","4","4","0.","True"])",
            "2592 2560"); // (2·4·16·40 + 4·16·1)/2; (128·3 + 64·4)·4
        row("flash attention, tokens first", "flash_attn::_flash_attn_forward",
            R"("Input Dims":[[1,4,2,8],[1,4,2,8],[1,4,2,8]],"Input type":["c10::Half","c10::Half","c10::Half"],)"
            R"("Concrete Inputs":["","","","0.","1.","False"])",
            "1024 512");
        // One sequence of 4, two of 2: 16 + 2·2·2 pairs
        row("flash attention, packed", "flash_attn::_flash_attn_varlen_forward",
            R"("Input Dims":[[8,2,8],[8,2,8],[8,2,8],[4],[4]],"Input type":["c10::Half","c10::Half","c10::Half"],)"
            R"("Concrete Inputs":["","","","","","4","4","0.","1.","False"])",
            "1536 1024");
        row("add, broadcast", "aten::add", R"("Input Dims":[[7,3],[3]],"Input type":["float","float"])", "21 180");
        row("add of two types", "aten::add", R"("Input Dims":[[4],[4]],"Input type":["c10::Half","float"])", "4 40");
        row("add of a number", "aten::add", R"("Input Dims":[[7,3],[]],"Input type":["float","Scalar"])", "21 168");
        row("add, no match", "aten::add", R"("Input Dims":[[7,3],[4]],"Input type":["float","float"])", "null null");
        row("relu", "aten::relu", R"("Input Dims":[[7,3]],"Input type":["c10::BFloat16"])", "21 84");
        row("relu backward", "aten::threshold_backward",
            R"("Input Dims":[[7,3],[7,3],[]],"Input type":["float","float","Scalar"])", "21 252");
        row("sum of rows", "aten::sum",
            R"("Input Dims":[[7,3],[],[],[]],"Input type":["float","ScalarList","Scalar",""],)"
            R"("Concrete Inputs":["","[-1]","False",""])",
            "21 112");
        row("sum of all", "aten::sum", R"("Input Dims":[[7,3]],"Input type":["float"],"Concrete Inputs":["",""])",
            "21 88");
        row("sum, values not recorded", "aten::sum", R"("Input Dims":[[7,3]],"Input type":["float"])", "21 null");
        row("softmax", "aten::_softmax", R"("Input Dims":[[7,3],[],[]],"Input type":["float","Scalar","Scalar"])",
            "63 168");
        row("softmax backward", "aten::_softmax_backward_data",
            R"("Input Dims":[[7,3],[7,3],[],[]],"Input type":["float","float","Scalar","Scalar"])", "84 252");
        row("layer norm", "aten::native_layer_norm",
            R"("Input Dims":[[7,3],[],[3],[3],[]],"Input type":["float","ScalarList","float","float","Scalar"])",
            "147 192");
        row("layer norm without weights", "aten::native_layer_norm",
            R"("Input Dims":[[7,3],[],[],[],[]],"Input type":["float","ScalarList","","","Scalar"])", "105 168");
        row("no model", "aten::view", R"("Input Dims":[[7,3],[3]],"Input type":["float","float"])", "null null");
        row("no such library", "mylib::add", R"("Input Dims":[[7,3],[3]],"Input type":["float","float"])", "null null");
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
