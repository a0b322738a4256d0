// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the program itself. Golden outputs are in tests/data/cli; with KS_UPDATE_GOLDEN=1 they are written anew: read the difference
// before it is committed.
#include "tests/support/planted_run.h"

#include <QFile>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

namespace {

struct Outcome
{
    int exitCode = -1;
    QByteArray out;
    QByteArray errors;
};

Outcome run(const QStringList &arguments, const QByteArray &input = {})
{
    QProcess process;
    process.setWorkingDirectory(QStringLiteral(KS_TEST_DATA_DIR "/cli"));
    process.start(QStringLiteral(KS_CLI), arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(20'000) || process.exitStatus() != QProcess::NormalExit)
        return {};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

Outcome run(const char *arguments)
{
    return run(QString::fromUtf8(arguments).split(QLatin1Char(' '), Qt::SkipEmptyParts));
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QJsonObject jsonOf(const Outcome &outcome)
{
    return QJsonDocument::fromJson(outcome.out).object();
}

} // namespace

class TstCli : public QObject
{
    Q_OBJECT
private slots:
    void printsItsVersion()
    {
        const Outcome outcome = run("--version");
        QCOMPARE(outcome.exitCode, 0);
        QCOMPARE(outcome.out, QByteArray("kinetoscope-cli " KS_VERSION "\n"));
    }

    void helpListsCommandsAndOptions()
    {
        const Outcome all = run("--help");
        QCOMPARE(all.exitCode, 0);
        for (const char *command : {"info", "dump", "chain", "search", "render"}) {
            QVERIFY(all.out.contains(QByteArray("\n  ") + command + ' '));
            const Outcome own = run(QStringList{QString::fromUtf8(command), QStringLiteral("--help")});
            QCOMPARE(own.exitCode, 0);
            QVERIFY(own.out.contains("--output FILE"));
            QVERIFY(own.errors.isEmpty());
        }
        QVERIFY(run("dump --help").out.contains("--args"));
    }

    void usageErrors_data()
    {
        QTest::addColumn<QByteArray>("arguments");
        QTest::addColumn<QByteArray>("error");
        const auto row = [](const char *arguments, const char *error) {
            QTest::newRow(*arguments ? arguments : "nothing") << QByteArray(arguments) << QByteArray(error);
        };
        row("", "which command? (kinetoscope-cli --help lists them)");
        row("nonsense training.json", "unknown command 'nonsense'");
        row("--nonsense", "unknown command '--nonsense'");
        row("info", "info needs a trace");
        row("dump training.json training.json", "dump takes 1 trace, not 2");
        row("dump --nonsense training.json", "unknown option '--nonsense'");
        row("dump -x training.json", "unknown option '-x'");
        row("dump --step 3 training.json", "unknown option '--step'");
        row("dump training.json --format csv", "dump has no csv: --format table or json");
        row("dump training.json --format xml", "--format: 'xml' is none of table, json, csv");
        row("dump training.json --format", "--format needs a value: table|json");
        row("dump --args=yes training.json", "--args takes no value");
        row("chain training.json", "chain needs either --event ID or --at NAME@NS");
        row("chain training.json --event 3 --at x@1", "chain needs either --event ID or --at NAME@NS");
        row("chain training.json --event x", "--event: 'x' is no whole number");
        row("chain training.json --event -1", "--event: must not be negative");
        row("chain training.json --event 99999999999 --quiet", "no event 99999999999: there are 10");
        row("chain training.json --event 10 --quiet", "no event 10: there are 10");
        row("chain training.json --at x", "--at: 'x' is not NAME@NS, NS being start_ns");
        row("chain training.json --at aten::mm@5 --quiet", "no event 'aten::mm' starts at 5");
        row("search training.json --sort nothing --quiet", "--sort: search has no column 'nothing'");
        row("search training.json --sort name:up", "--sort: 'up' is neither asc nor desc");
        row("search training.json --limit -1", "--limit: must not be negative");
        row("search training.json --where (gemm", "--where: column 1: '(' without ')'");
        row("operators training.json --rules hta",
            "--rules: 'hta' is none of those operators knows: kinetoscope, torch");
        row("operators training.json --by-stack", "--by-stack needs a value: N");
        row("memory training.json --curve --by-operator", "memory: only one of --curve, --live, --by-operator");
        row("memory training.json --live=soon", "--live: 'soon' is no time (an integer, or 1.5ms, 20us, 3s, 500ns)");
        row("render training.json", "render needs -o FILE");
        row("render training.json -o /nonexistent/x.png", "cannot write /nonexistent/x.png: No such file or directory");
    }
    void usageErrors()
    {
        QFETCH(const QByteArray, arguments);
        QFETCH(const QByteArray, error);
        const Outcome outcome = run(arguments.constData());
        QCOMPARE(outcome.errors, "kinetoscope-cli: " + error + '\n');
        QCOMPARE(outcome.exitCode, 2);
        QVERIFY(outcome.out.isEmpty());
    }

    void aPatternThatIsNoneIsAUsageError()
    {
        const Outcome outcome = run("search training.json --regex (");
        QCOMPARE(outcome.exitCode, 2);
        QVERIFY(outcome.errors.startsWith("kinetoscope-cli: --regex: "));
    }

    void aFileThatCannotBeOpenedIsNamedWithItsPlace()
    {
        const Outcome missing = run("info none.json training.json also_none.json --format json");
        QCOMPARE(missing.exitCode, 3);
        QVERIFY(missing.out.isEmpty());
        const QList<QByteArray> lines = missing.errors.split('\n');
        QCOMPARE(lines.size(), 3);
        QVERIFY(lines[0].startsWith("kinetoscope-cli: none.json: byte 0: "));
        QVERIFY(lines[1].startsWith("kinetoscope-cli: also_none.json: byte 0: "));

        const Outcome noTrace = run({QStringLiteral("dump"), QStringLiteral("-")}, "{\"a\": [1, 2]}");
        QCOMPARE(noTrace.exitCode, 3);
        QVERIFY(noTrace.out.isEmpty());
        QVERIFY(noTrace.errors.startsWith("kinetoscope-cli: -: byte "));
    }

    void goldenOutputs_data()
    {
        QTest::addColumn<QByteArray>("arguments");
        const auto row = [](const char *golden, const char *arguments) {
            QTest::newRow(golden) << QByteArray(arguments);
        };
        row("training.info.json", "info training.json --format json");
        row("training.info.txt", "info training.json");
        row("training.dump.json", "dump --args --format=json -- training.json");
        row("training.dump.txt", "dump training.json --args");
        row("training.chain.json", "chain --format json training.json --at gemm_8x2@40125 --quiet");
        row("training.chain.txt", "chain training.json --event 1 --quiet");
        row("training.search.json", "search training.json --name ATEN --format json --quiet");
        row("training.search.csv", "search training.json --regex ^(gemm|orphan) --format csv --quiet");
        row("training.search.txt", "search training.json --sort dur_ns --limit 3 --quiet");
        row("training.where.json", "search --where op:mm training.json --format json --quiet");
        row("training.operators.json", "operators training.json --by-shape --format json --quiet");
        row("training.operators.txt", "operators training.json --sort device_total_ns --quiet");
        row("training.memory.json", "memory training.json --format json --quiet");
        row("training.live.json", "memory --live training.json --format json --quiet");
        row("training.live_then.csv", "memory --live 10us training.json --format csv --quiet");
        row("training.modules.json", "modules training.json --format json --quiet");
        // Two recordings of our own.
        for (const auto &[name, file] :
             {std::pair("cpu_training", "cpu_training.json"), std::pair("cpu_mlp_train", "cpu_mlp_train.json.gz")}) {
            const QByteArray path = QByteArray(KS_SOURCE_DIR "/resources/samples/") + file;
            const auto golden = [&](const char *what, const QByteArray &command) {
                QTest::newRow(QByteArray("recordings/") + name + '.' + what + ".csv")
                    << QByteArray(command + ' ' + path + " --format csv --quiet");
            };
            golden("operators", "operators");
            golden("steps", "steps");
            golden("modules", "modules");
            golden("memory", "memory");
            golden("memory_by_operator", "memory --by-operator");
            golden("live", "memory --live --limit 20");
            golden("step", "operators --step 2-9 --limit 20");
            golden("search", "search --name mm --limit 30");
        }
    }
    void goldenOutputs()
    {
        QFETCH(const QByteArray, arguments);
        const QString golden = QStringLiteral(KS_TEST_DATA_DIR "/cli/") + QString::fromUtf8(QTest::currentDataTag());
        const Outcome outcome = run(arguments.constData());
        QCOMPARE(outcome.errors, QByteArray());
        QCOMPARE(outcome.exitCode, 0);
        if (qEnvironmentVariableIsSet("KS_UPDATE_GOLDEN")) {
            QFile file(golden);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(outcome.out);
            return;
        }
        const QList<QByteArray> got = outcome.out.split('\n');
        const QList<QByteArray> wanted = contentOf(golden).split('\n');
        for (qsizetype i = 0; i < std::min(got.size(), wanted.size()); ++i)
            QCOMPARE(got[i], wanted[i]);
        QCOMPARE(got.size(), wanted.size());
        if (golden.endsWith(QLatin1String(".json")))
            QVERIFY(!jsonOf(outcome).isEmpty());
    }

    void infoAndDumpAgree()
    {
        const QJsonObject dump = jsonOf(run("dump training.json --format json"));
        const QJsonObject card =
            jsonOf(run("info training.json --format json"))[QLatin1String("cards")].toArray()[0].toObject();
        for (const char *key : {"rank", "world_size", "base_ns", "records", "start_ns", "end_ns", "main_start_ns",
                                "main_end_ns", "lanes", "warnings", "counter_samples"}) {
            QVERIFY2(dump.contains(QLatin1String(key)), key);
            QCOMPARE(card[QLatin1String(key)], dump[QLatin1String(key)]);
        }
        QCOMPARE(card[QLatin1String("events")].toInt(), dump[QLatin1String("events")].toArray().size());
        QCOMPARE(card[QLatin1String("instants")].toInt(), dump[QLatin1String("instants")].toArray().size());
    }

    void severalTracesAreRanks()
    {
        const QJsonObject info = jsonOf(run("info training.json empty.json --format json"));
        const QJsonArray traces = info[QLatin1String("traces")].toArray();
        QCOMPARE(traces.size(), 2);
        QCOMPARE(traces[0].toObject()[QLatin1String("rank")].toInt(-1), 1); // told by the file
        QCOMPARE(traces[1].toObject()[QLatin1String("rank")].toInt(-1), 1); // second of two
        QCOMPARE(info[QLatin1String("cards")].toArray().size(), 2);
        const QJsonObject found = jsonOf(run("search training.json training.json --name gemm --format json --quiet"));
        QCOMPARE(found[QLatin1String("columns")].toArray()[0].toObject()[QLatin1String("name")].toString(),
                 QStringLiteral("rank"));
        QCOMPARE(found[QLatin1String("rows")].toArray().size(), 2);
    }

    void readsStandardInput()
    {
        const QByteArray text = contentOf(QStringLiteral(KS_TEST_DATA_DIR "/cli/training.json"));
        const Outcome piped = run({QStringLiteral("dump"), QStringLiteral("--format=json"), QStringLiteral("-")}, text);
        QCOMPARE(piped.exitCode, 0);
        QByteArray wanted = run("dump --format json training.json").out;
        QCOMPARE(piped.out, wanted.replace("\"file\":\"training.json\"", "\"file\":\"-\""));
    }

    void warningsGoToStandardErrorUnlessQuiet()
    {
        const Outcome outcome = run("search training.json --name nothing");
        QVERIFY(outcome.errors.startsWith("kinetoscope-cli: training.json: warning: "));
        QVERIFY(run("search training.json --name nothing --quiet").errors.isEmpty());
        QVERIFY(run("dump training.json").errors.isEmpty()); // tells them in its output
    }

    void anOutputFileAppearsCompleteOrNotAtAll()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("out.json"));
        const QStringList toFile = {QStringLiteral("-o"), path, QStringLiteral("--format"), QStringLiteral("json")};
        const Outcome written = run(QStringList{QStringLiteral("dump"), QStringLiteral("training.json")} + toFile);
        QCOMPARE(written.exitCode, 0);
        QVERIFY(written.out.isEmpty());
        const QByteArray content = contentOf(path);
        QCOMPARE(content, run("dump training.json --format json").out);
        QVERIFY(QFile::permissions(path).testFlag(QFileDevice::ReadOwner));

        QCOMPARE(run(QStringList{QStringLiteral("dump"), QStringLiteral("none.json")} + toFile).exitCode, 3);
        QCOMPARE(run(QStringList{QStringLiteral("chain"), QStringLiteral("training.json")} + toFile).exitCode, 2);
        QCOMPARE(contentOf(path), content);
        QCOMPARE(QDir(dir.path()).entryList(QDir::Files), QStringList{QStringLiteral("out.json")});
    }

    void neitherLocaleNorTimeZoneChangesAByte()
    {
        for (const char *command :
             {"info training.json", "dump training.json --args --format json", "search training.json --quiet"}) {
            const Outcome plain = run(command);
            qputenv("LC_ALL", "de_DE.UTF-8");
            qputenv("TZ", "America/New_York");
            qputenv("COLUMNS", "20");
            const Outcome elsewhere = run(command);
            qputenv("LC_ALL", "C.UTF-8");
            qputenv("TZ", "UTC");
            qunsetenv("COLUMNS");
            QCOMPARE(elsewhere.out, plain.out);
            QVERIFY(!plain.out.isEmpty());
        }
    }

    void writesReportsOfAComparison()
    {
        const QTemporaryDir dir;
        const auto fileOf = [&dir](const char *name, const ks::PlantedRun &planted) {
            const QString path = dir.filePath(QLatin1String(name));
            QFile file(path);
            if (file.open(QIODevice::WriteOnly))
                file.write(QByteArray::fromStdString(ks::plantedRun(planted).json()));
            return path;
        };
        ks::PlantedRun slow;
        slow.productUs = 130;
        const QString junit = dir.filePath(QStringLiteral("gates.xml"));
        const QString markdown = dir.filePath(QStringLiteral("summary.md"));
        const Outcome outcome = run({QStringLiteral("compare"), fileOf("a.json", {}), fileOf("b.json", slow),
                                     QStringLiteral("--fail-if"), QStringLiteral("step_mean > 5%"),
                                     QStringLiteral("--fail-if"), QStringLiteral("kernel:sgemm_128x64 > 2ms"),
                                     QStringLiteral("--junit"), junit, QStringLiteral("--markdown"), markdown});
        QCOMPARE(outcome.exitCode, 1);
        QXmlStreamReader xml(contentOf(junit));
        QStringList cases;
        QStringList failures;
        while (!xml.atEnd()) {
            xml.readNext();
            if (xml.isStartElement() && xml.name() == QLatin1String("testcase"))
                cases << xml.attributes().value(QLatin1String("name")).toString();
            if (xml.isStartElement() && xml.name() == QLatin1String("failure"))
                failures << cases.last();
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QCOMPARE(cases, (QStringList{QStringLiteral("step_mean > 5%"), QStringLiteral("kernel:sgemm_128x64 > 2ms")}));
        QCOMPARE(failures, QStringList{QStringLiteral("step_mean > 5%")});
        const QByteArray summary = contentOf(markdown);
        QVERIFY(summary.contains("## b.json compared with a.json"));
        QVERIFY(summary.contains("| kernels | gemm | 400 µs | 520 µs | 120.0 µs | 100 % |"));
        QVERIFY(summary.contains("| aten::mm |"));
    }

    void rendersPngAndSvg()
    {
        const QTemporaryDir dir;
        const QString png = dir.filePath(QStringLiteral("x.png"));
        const Outcome image =
            run({QStringLiteral("render"), QStringLiteral("training.json"), QStringLiteral("-o"), png,
                 QStringLiteral("--size"), QStringLiteral("640x360"), QStringLiteral("--from"), QStringLiteral("1us")});
        QCOMPARE(image.errors.count('\n'), image.errors.count("warning: "));
        QCOMPARE(image.exitCode, 0);
        QVERIFY(image.out.isEmpty());
        QCOMPARE(QImage(png).size(), QSize(640, 360));

        const QString svg = dir.filePath(QStringLiteral("x.SVG"));
        QCOMPARE(run({QStringLiteral("render"), QStringLiteral("training.json"), QStringLiteral("-o"), svg,
                      QStringLiteral("--step=4")})
                     .exitCode,
                 0);
        QVERIFY(contentOf(svg).contains("<svg"));
        for (const char *wrong : {"--size=0x5", "--size=640", "--size=99999x1", "--step=9", "--step=x", "--from=soon",
                                  "--to=-5us", "--colour-by=taste", "--scale=0", "--scale=5", "--where=dur>"}) {
            const Outcome outcome =
                run({QStringLiteral("render"), QStringLiteral("training.json"), QStringLiteral("-o"), png,
                     QString::fromUtf8(wrong), QStringLiteral("--quiet")});
            QVERIFY2(outcome.exitCode == 2, wrong);
        }
        QCOMPARE(run({QStringLiteral("render"), QStringLiteral("training.json"), QStringLiteral("-o"),
                      dir.filePath(QStringLiteral("x.txt"))})
                     .exitCode,
                 2);
    }

    // Every way to colour, the filter and the theme each give a picture of their own; what matches everything changes nothing.
    void rendersInAllColoursAndDimsWhatAFilterLeavesOut()
    {
        const QTemporaryDir dir;
        const QString png = dir.filePath(QStringLiteral("x.png"));
        const auto picture = [&](const QStringList &more) {
            const QStringList arguments = {QStringLiteral("render"), QStringLiteral("training.json"),
                                           QStringLiteral("-o"), png, QStringLiteral("--quiet")};
            return run(arguments + more).exitCode == 0 ? QImage(png) : QImage();
        };
        const QImage plain = picture({});
        QCOMPARE(plain.size(), QSize(1600, 900));
        std::vector<QImage> seen = {plain};
        for (const char *how : {"--colour-by=name", "--colour-by=category", "--colour-by=phase", "--colour-by=step",
                                "--colour-by=delay", "--where=kind:kernel", "--where=gemm", "--dark"}) {
            const QImage image = picture({QString::fromUtf8(how)});
            QCOMPARE(image.size(), plain.size());
            QVERIFY2(std::find(seen.begin(), seen.end(), image) == seen.end(), how);
            seen.push_back(image);
        }
        QVERIFY(!picture({QStringLiteral("--colour-by=module")}).isNull());
        QVERIFY(!picture({QStringLiteral("--colour-by=occupancy")}).isNull());
        QCOMPARE(picture({QStringLiteral("--colour-by=family")}), plain);
        QCOMPARE(picture({QStringLiteral("--where=dur >= 0")}), plain);
        QCOMPARE(picture({QStringLiteral("--scale=2")}).size(), QSize(3200, 1800));
    }
};

QTEST_GUILESS_MAIN(TstCli)
#include "tst_cli.moc"
