// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/benchmark.h"
#include "core/trace/trace.h"
#include "tests/support/qt_text.h"
#include "tests/support/random_json.h"
#include "tests/support/trace_maker.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTest>

#include <random>

using namespace ks;

namespace {

std::optional<std::string> scriptOf(std::string_view name, std::string_view args)
{
    const auto trace =
        TraceMaker().op(name, 10, 30, args).launch("cudaLaunchKernel", 15, 5, 7).kernel("gemm", 50, 84.5, 7, 7).build();
    return benchmarkScript(*trace, trace->eventAtFileIndex(0));
}

// The lines of the list of arguments.
QStringList argumentsOf(std::string_view name, std::string_view args)
{
    const std::optional<std::string> script = scriptOf(name, args);
    if (!script)
        return {};
    const QString text = q(*script);
    const QString list = text.section(QStringLiteral("arguments = [\n"), 1).section(QStringLiteral("\n]"), 0, 0);
    QStringList lines = list.split(QLatin1Char('\n'));
    for (QString &line : lines)
        line = line.trimmed();
    return lines;
}

} // namespace

class TstBenchmarkScript : public QObject
{
    Q_OBJECT
private slots:
    void argumentsAreTheRecordedOnes();
    void whatWasNotRecordedIsSaid();
    void theRecordedTimesAreInAComment();
    void onlyOperatorsOfTorchBecomeScripts();
    void theFileCannotWriteCode();
    void pythonRunsIt();
    void anyArgumentsGiveAScriptPythonCanRead();
};

void TstBenchmarkScript::argumentsAreTheRecordedOnes()
{
    QCOMPARE(argumentsOf("aten::addmm", R"("Input Dims":[[1024],[8944,1024],[1024,1024],[],[]],
        "Input type":["c10::BFloat16","c10::BFloat16","c10::BFloat16","Scalar","Scalar"],
        "Input Strides":[[1],[1024,1],[1,1024],[],[]],"Concrete Inputs":["","","","1","0.5"])"),
             (QStringList{QStringLiteral("tensor((1024,), torch.bfloat16, (1,)),"),
                          QStringLiteral("tensor((8944, 1024), torch.bfloat16, (1024, 1)),"),
                          QStringLiteral("tensor((1024, 1024), torch.bfloat16, (1, 1024)),"), QStringLiteral("1,"),
                          QStringLiteral("0.5,")}));
    QCOMPARE(argumentsOf("aten::mean", R"("Input Dims":[[16,559],[],[],[]],
        "Input type":["float","ScalarList","Scalar",""],"Concrete Inputs":["","[-1]","True",""])"),
             (QStringList{QStringLiteral("tensor((16, 559), torch.float32),"), QStringLiteral("[-1],"),
                          QStringLiteral("True,"), QStringLiteral("None,")}));
    QCOMPARE(
        argumentsOf("aten::mul", R"("Input Dims":[[2,3],[]],"Input type":["float","double"],
        "Concrete Inputs":["",""])"),
        (QStringList{QStringLiteral("tensor((2, 3), torch.float32),"), QStringLiteral("tensor((), torch.float64),")}));
}

void TstBenchmarkScript::whatWasNotRecordedIsSaid()
{
    const QStringList list = argumentsOf("aten::cat", R"("Input Dims":[[[1,559],[2,559]],[]],
        "Input type":["TensorList","Scalar"],"Concrete Inputs":["","-1"])");
    QCOMPARE(list.size(), 2);
    QVERIFY2(
        list[0].startsWith(QStringLiteral("[tensor((1, 559), torch.float32), tensor((2, 559), torch.float32)],  # ")),
        qPrintable(list[0]));
    QVERIFY(q(*scriptOf("aten::mm", "")).contains(QStringLiteral("were not recorded")));
    QVERIFY(q(*scriptOf("aten::add", R"("Input Dims":[[2],[]],"Input type":["float","Scalar"])"))
                .contains(QStringLiteral("Values of numbers were not recorded")));
    QVERIFY(
        argumentsOf("aten::x", R"("Input Dims":[[]],"Input type":["Quantizer"],"Concrete Inputs":[""])")[0].contains(
            QStringLiteral("# recorded as Quantizer")));
}

void TstBenchmarkScript::theRecordedTimesAreInAComment()
{
    const QString script = q(*scriptOf("aten::mm", R"("Input Dims":[[2,2],[2,2]],"Input type":["float","float"])"));
    QVERIFY2(script.startsWith(QStringLiteral("# aten::mm, recorded by the PyTorch profiler in ")), qPrintable(script));
    QVERIFY(script.contains(QStringLiteral("30.0 µs on the host and 84.5 µs on the device (1 piece of work)")));
}

void TstBenchmarkScript::onlyOperatorsOfTorchBecomeScripts()
{
    const auto trace = TraceMaker()
                           .annotation("aten::mm", 0, 9)
                           .op("no colons", 1, 2)
                           .op("aten::x()", 4, 2)
                           .op("aten::add.Tensor", 7, 1)
                           .build();
    QVERIFY(!benchmarkScript(*trace, trace->eventAtFileIndex(0)));
    QVERIFY(!benchmarkScript(*trace, trace->eventAtFileIndex(1)));
    QVERIFY(!benchmarkScript(*trace, trace->eventAtFileIndex(2)));
    QVERIFY(q(*benchmarkScript(*trace, trace->eventAtFileIndex(3))).contains(QStringLiteral("torch.ops.aten.add, ")));
}

void TstBenchmarkScript::theFileCannotWriteCode()
{
    const QStringList list = argumentsOf(
        "aten::add", "\"Input Dims\":[[2],[\"os.system(1)\"],[],[],[]],"
                     "\"Input type\":[\"float\",\"float\",\"Scalar\",\"ScalarList\",\"x\\n]\\nimport os\"],"
                     "\"Concrete Inputs\":[\"\",\"\",\"__import__('os')\\\"\\\\\",\"[1, exit()]\",\"\\n]\\nexit()\"]");
    QCOMPARE(list.size(), 5);
    QVERIFY(list[1].startsWith(QStringLiteral("None,  # ")));
    QCOMPARE(list[2], QStringLiteral(R"("__import__('os')\"\\",)"));
    QVERIFY(list[3].startsWith(QStringLiteral("None,  # ")));
    QVERIFY(list[4].startsWith(QStringLiteral("None,  # recorded as x ] import os")));
}

void TstBenchmarkScript::pythonRunsIt()
{
    const QString python = QStandardPaths::findExecutable(QStringLiteral("python3"));
    if (python.isEmpty())
        QSKIP("there is no python3");
    QProcess process;
    process.start(python, {QStringLiteral(KS_TEST_DATA_DIR "/fake_torch.py")});
    const std::string script = *scriptOf("aten::add", R"("Input Dims":[[2,3],[2,3],[]],
        "Input type":["float","c10::BFloat16","Scalar"],"Input Strides":[[3,1],[1,2],[]],
        "Concrete Inputs":["","","2"])");
    process.write(QByteArray::fromStdString(script));
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished());
    QCOMPARE(QString::fromUtf8(process.readAllStandardError()), QString());
    QCOMPARE(QString::fromUtf8(process.readAllStandardOutput()).trimmed(),
             QStringLiteral("aten::add ((float32[2, 3], bfloat16[2, 3]@[1, 2]), {'alpha': 2})"));
}

void TstBenchmarkScript::anyArgumentsGiveAScriptPythonCanRead()
{
    const QString python = QStandardPaths::findExecutable(QStringLiteral("python3"));
    if (python.isEmpty())
        QSKIP("there is no python3");
    std::mt19937_64 random(1);
    constexpr std::array kValues = {R"("")",       R"("1")", R"("-007")", R"("1e5")", R"("1e")",
                                    R"("[1, 2]")", R"("[")", R"("a\"b")", R"("nan")", R"("\u00e9")",
                                    "3",           "null",   "[[]]",      R"("--1")"};
    constexpr std::array kTypes = {
        R"("float")", R"("Scalar")", R"("ScalarList")", R"("TensorList")", R"("")", R"("Foo\n")", "7"};
    constexpr std::array kDims = {"[]", "[2]", "[2,3]", "[[2],[3]]", "7", R"(["x"])", "[-1]", "[1.5]"};
    QByteArray scripts;
    for (int i = 0; i < 200; ++i) {
        const auto list = [&random](const auto &from) {
            std::string text = "[";
            for (std::size_t k = random() % 5; k-- > 0;)
                text += std::string(from[random() % from.size()]) + (k > 0 ? "," : "");
            return text + "]";
        };
        const auto script =
            scriptOf("aten::add", "\"Input Dims\":" + list(kDims) + ",\"Input type\":" + list(kTypes)
                                      + ",\"Concrete Inputs\":" + list(kValues) + ",\"Input Strides\":" + list(kDims));
        QVERIFY(script);
        scripts += QByteArray::fromStdString(*script) + '\0';
    }
    QProcess process;
    process.start(
        python,
        {QStringLiteral("-c"),
         QStringLiteral("import ast,sys\nfor s in sys.stdin.buffer.read().split(b'\\0'): ast.parse(s.decode())")});
    process.write(scripts);
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished());
    QCOMPARE(QString::fromUtf8(process.readAllStandardError()), QString());
}

QTEST_APPLESS_MAIN(TstBenchmarkScript)
#include "tst_benchmark_script.moc"
