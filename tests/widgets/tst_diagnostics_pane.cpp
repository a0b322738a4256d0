// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/diagnostics_pane.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QTableView>
#include <QTest>

using namespace ks;

namespace {

std::shared_ptr<const Trace> traceWith(Diagnostics diagnostics)
{
    TraceData data;
    data.metadata.path = "/traces/rank0.json";
    data.diagnostics = std::move(diagnostics);
    return std::make_shared<const Trace>(std::move(data));
}

Diagnostics some()
{
    return {{DiagnosticKind::Truncated, 1, 123'456, "the file ends inside an event"},
            {DiagnosticKind::InvalidUtf8, 2, 17, "a name is not UTF-8"},
            {DiagnosticKind::OrphanKernel, 509, {}, "509 kernels have no launch"}};
}

} // namespace

class TstDiagnosticsPane : public QObject
{
    Q_OBJECT
private slots:
    void theModelIsOneRowPerKind()
    {
        TraceSet traces;
        DiagnosticsModel model(traces);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        traces.add(traceWith(some()));
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.problems(), std::size_t{2}); // a note is no problem
        const auto cell = [&](int row, DiagnosticsModel::Column column) { return model.index(row, column).data().toString(); };
        QCOMPARE(cell(0, DiagnosticsModel::FirstByte), QStringLiteral("123,456"));
        QCOMPARE(cell(2, DiagnosticsModel::Count), QStringLiteral("509"));
        QCOMPARE(cell(2, DiagnosticsModel::FirstByte), QStringLiteral("–"));
        QVERIFY(cell(0, DiagnosticsModel::Meaning).contains(QLatin1String("missing")));
        QCOMPARE(cell(1, DiagnosticsModel::File), QStringLiteral("rank0.json"));
        traces.clear();
        QCOMPARE(model.rowCount(), 0);
    }

    void everyKindSaysWhatItIsAndWhatItMeans()
    {
        for (int kind = 0; kind <= static_cast<int>(DiagnosticKind::Overlap); ++kind) {
            QVERIFY(!diagnosticTitle(static_cast<DiagnosticKind>(kind)).isEmpty());
            QVERIFY(!diagnosticMeaning(static_cast<DiagnosticKind>(kind)).isEmpty());
        }
    }

    void thePaneSaysSoWhenThereIsNothing()
    {
        ViewState state;
        DiagnosticsPane pane(state);
        pane.show();
        const auto *label = pane.findChild<QLabel *>();
        QVERIFY(label && label->isVisible());
        QVERIFY(label->text().contains(QLatin1String("Open a trace")));
        state.traces().add(traceWith({}));
        QVERIFY(label->isVisible());
        QVERIFY(label->text().contains(QLatin1String("Nothing odd")));
        state.traces().replaceAll(traceWith(some()));
        QVERIFY(!label->isVisible());
        QVERIFY(pane.findChild<QTableView *>()->isVisible());
    }

    void theFileIsNamedOnlyWhereThereAreSeveral()
    {
        ViewState state;
        DiagnosticsPane pane(state);
        auto *table = pane.findChild<QTableView *>();
        state.traces().add(traceWith(some()));
        QVERIFY(table->isColumnHidden(DiagnosticsModel::File));
        state.traces().add(traceWith(some()));
        QVERIFY(!table->isColumnHidden(DiagnosticsModel::File));
        QCOMPARE(pane.model().rowCount(), 6);
    }

    void rowsAreCopiedAsText()
    {
        ViewState state;
        DiagnosticsPane pane(state);
        state.traces().add(traceWith(some()));
        pane.show();
        auto *table = pane.findChild<QTableView *>();
        QVERIFY(QTest::qWaitForWindowActive(&pane));
        table->setFocus();
        table->selectRow(1);
        QTest::keySequence(table, QKeySequence::Copy);
        QTRY_VERIFY(QApplication::clipboard()->text().startsWith(QLatin1String("Invalid UTF-8\t2\t17\t")));
    }
};

QTEST_MAIN(TstDiagnosticsPane)
#include "tst_diagnostics_pane.moc"
