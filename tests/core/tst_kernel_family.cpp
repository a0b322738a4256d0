// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/import/import.h"
#include "core/trace/kernel_family.h"
#include "core/trace/trace.h"
#include "tests/support/pack.h"
#include "tests/support/qt_text.h"

#include <QDirIterator>
#include <QTemporaryDir>
#include <QTest>

#include <set>

using namespace ks;

class TstKernelFamily : public QObject
{
    Q_OBJECT

private slots:
    void knowsTheNamesOfAllMakers_data()
    {
        QTest::addColumn<QString>("family");
        QFile file(QStringLiteral(KS_TEST_DATA_DIR "/kernel-names.tsv"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        while (!file.atEnd()) {
            const QByteArray line = file.readLine().trimmed();
            if (line.startsWith('#'))
                continue;
            const qsizetype tab = line.indexOf('\t');
            QTest::newRow(line.mid(tab + 1).constData()) << QString::fromUtf8(line.left(tab));
        }
    }
    void knowsTheNamesOfAllMakers()
    {
        QFETCH(QString, family);
        QCOMPARE(q(kernelFamilyId(kernelFamilyOf(QTest::currentDataTag()))), family);
    }

    void theTextOfTheProgramHasNoFaults()
    {
        FamilyRules rules;
        QCOMPARE(rules.add(readFile(KS_SOURCE_DIR "/resources/kernel-families.txt")).size(), 0U);
        QVERIFY(rules.familyOf("nvjet_tst") == KernelFamily::Gemm);
        QVERIFY(!rules.familyOf("some_kernel_nobody_knows"));
    }

    void readsWordsQuotesAndExpressions()
    {
        FamilyRules rules;
        const auto problems = rules.add("# a remark\n"
                                        "gemm: MyProduct \"two words\" # a remark\r\n"
                                        "\n"
                                        "  attention : ^look /^at_[0-9]+$/\n"
                                        "copy: /a/b/\n");
        QCOMPARE(problems.size(), 0U);
        QVERIFY(rules.familyOf("void myproduct<4>") == KernelFamily::Gemm);
        QVERIFY(rules.familyOf("has TWO WORDS in it") == KernelFamily::Gemm);
        QVERIFY(!rules.familyOf("two other words"));
        QVERIFY(rules.familyOf("lookahead") == KernelFamily::Attention);
        QVERIFY(!rules.familyOf("do not look"));
        QVERIFY(rules.familyOf("at_12") == KernelFamily::Attention);
        QVERIFY(!rules.familyOf("at_12x"));
        QVERIFY(rules.familyOf("xa/by") == KernelFamily::Copy);
        QVERIFY(!rules.familyOf("remark"));
    }

    void tellsLinesThatDoNotDoAndKeepsTheOthers()
    {
        FamilyRules rules;
        const auto problems = rules.add("gemm: good\nsomething else\nnofamily: word\ngemm: /(/\ncopy: \"open\n"
                                        "optimizer:\ncopy: alsogood");
        QString lines;
        for (const FamilyProblem &problem : problems) {
            lines += QString::number(problem.line) + QLatin1Char(' ');
            QVERIFY(!problem.what.empty());
        }
        QCOMPARE(lines, QStringLiteral("2 3 4 5 6 "));
        QVERIFY(rules.familyOf("good") == KernelFamily::Gemm);
        QVERIFY(rules.familyOf("alsogood") == KernelFamily::Gemm); // the first line that fits decides
    }

    void linesOfTheUserGoFirst()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("kernel-families.txt")).toStdString();
        QVERIFY(kernelFamilyOf("nvjet_mine") == KernelFamily::Gemm);
        writeFile(path, "attention: nvjet_mine\nwrong\n");
        QCOMPARE(useFamiliesOf(path).size(), 1U);
        QVERIFY(kernelFamilyOf("nvjet_mine") == KernelFamily::Attention);
        QVERIFY(kernelFamilyOf("nvjet_other") == KernelFamily::Gemm);
        QCOMPARE(useFamiliesOf(path + ".none").size(), 0U);
        QVERIFY(kernelFamilyOf("nvjet_mine") == KernelFamily::Gemm);
    }

    void theFileOfTheUserStandsInTheConfigurationFolder()
    {
        const QByteArray before = qgetenv("XDG_CONFIG_HOME");
        qputenv("XDG_CONFIG_HOME", "/somewhere");
        QCOMPARE(q(userFamilyFile()), QStringLiteral("/somewhere/kinetoscope/kernel-families.txt"));
        qputenv("XDG_CONFIG_HOME", before);
    }

    void fewNamesOfRealTracesAreUnknown()
    {
        std::set<std::string> names;
        std::set<std::string> unknown;
        for (QDirIterator at(QStringLiteral(KS_SHARED_DIR "/corpus"),
                             {QStringLiteral("*.json"), QStringLiteral("*.gz")}, QDir::Files,
                             QDirIterator::Subdirectories);
             at.hasNext();) {
            try {
                const auto trace = importTrace(at.next().toStdString());
                for (const EventId work : trace->links().ofWork.ids()) {
                    if (trace->kind(work) != EventKind::Kernel)
                        continue;
                    const auto [name, isNew] = names.emplace(trace->name(work));
                    if (isNew && kernelFamilyOf(*name) == KernelFamily::Other)
                        unknown.insert(*name);
                }
            } catch (const ImportError &) {}
        }
        if (names.empty())
            QSKIP("no corpus of traces beside the checkout");
        qInfo("%zu of %zu kernel names are of no known family", unknown.size(), names.size());
        QVERIFY(names.size() > 500);
        QVERIFY(unknown.size() * 20 < names.size());
    }
};

QTEST_APPLESS_MAIN(TstKernelFamily)
#include "tst_kernel_family.moc"
