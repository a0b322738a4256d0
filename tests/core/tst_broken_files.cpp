// SPDX-License-Identifier: GPL-3.0-or-later
// What real exporters wrote wrongly: recordings of our own in tests/data/broken.
#include "core/base/error.h"
#include "core/import/import.h"
#include "tests/support/pack.h"
#include "tests/support/qt_text.h"
#include "tests/support/trace_check.h"
#include "tests/support/trace_dump.h"

#include <QFileInfo>
#include <QTest>

#include <string>

using namespace ks;

namespace {

std::string notesOf(const Trace &trace)
{
    std::string text;
    for (const Diagnostic &note : trace.diagnostics())
        text += std::string(diagnosticId(note.kind)) + " " + std::to_string(note.count) + "; ";
    return text;
}

} // namespace

class TstBrokenFiles : public QObject
{
    Q_OBJECT
private slots:
    void theyOpenAndSayWhatIsWrong_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<int>("events");
        QTest::addColumn<QString>("notes");
        QTest::addColumn<QString>("name"); // of an event that must be there
        const auto row = [](const char *file, int events, const char *notes, const char *name) {
            QTest::newRow(file) << QStringLiteral(KS_TEST_DATA_DIR "/broken/") + QLatin1String(file) << events << QString::fromLatin1(notes) << QString::fromLatin1(name);
        };
        row("e3_broken_quote.json", 26, "damaged-event 1; ", "");
        row("e4_broken_backslash.json", 27, "repaired-json 1; ", "");
        row("e5_broken_newline.json", 40, "repaired-json 2; ", "");
        row("kineto_e6_backslash_n_valid.json", 27, "", "");
        row("kineto_ns_e6_backslash_n_valid.json", 27, "", "");
        row("legacy_e3_broken_quote.json", 25, "damaged-event 1; overlap 1; ", "");
        row("unfinished_async_op_huge_dur.json", 984, "overlap 8; ", "<forked function>");
        row("unfinished_op_negative_dur.json", 984, "negative-duration 1; overlap 8; ", "<forked function>");
        QTest::newRow("garbage_python_names_invalid_utf8.json") << QStringLiteral(KS_SHARED_DIR "/traces/broken/garbage_python_names_invalid_utf8.json") << 7084 << QStringLiteral("repaired-json 8; invalid-utf8 1; overlap 50; ") << QString();
    }
    void theyOpenAndSayWhatIsWrong()
    {
        QFETCH(const QString, path);
        QFETCH(const int, events);
        QFETCH(const QString, notes);
        QFETCH(const QString, name);
        if (!QFileInfo::exists(path))
            QSKIP(qPrintable(path + QStringLiteral(" is not there")));
        const std::string text = readFile(path.toStdString());
        const auto trace = importText(text);
        QCOMPARE(q(notesOf(*trace)), notes);
        QCOMPARE(static_cast<int>(trace->eventCount()), events);
        QVERIFY2(traceFault(*trace).empty(), traceFault(*trace).c_str());
        bool isThere = name.isEmpty();
        for (std::size_t i = 0; i < trace->eventCount() && !isThere; ++i)
            isThere = q(trace->name(static_cast<EventId>(i))).contains(name);
        QVERIFY(isThere);
        const std::string difference = firstDifference(dumpTrace(*trace), dumpTrace(*importText(text, {}, {256, 3})));
        QVERIFY2(difference.empty(), difference.c_str());
    }
};

QTEST_APPLESS_MAIN(TstBrokenFiles)
#include "tst_broken_files.moc"
