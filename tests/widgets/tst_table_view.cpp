// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/qt_text.h"
#include "widgets/tables/table_model.h"
#include "widgets/tables/table_view.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>

using namespace ks;

namespace {

struct Row
{
    const char *name;
    const char *status;
    std::uint32_t parent;
};

std::shared_ptr<const Table> treeOf(std::initializer_list<Row> rows, bool hasStatus = false)
{
    auto table = std::make_shared<Table>();
    table->texts("name");
    if (hasStatus)
        table->texts("status");
    std::vector<std::uint32_t> parents;
    for (const Row &row : rows) {
        table->column(0).append(row.name);
        if (hasStatus)
            table->column(1).append(row.status);
        parents.push_back(row.parent);
    }
    table->setParents(parents);
    return table;
}

constexpr std::uint32_t kTop = Table::kNoParent;

// Names of the rows one sees.
QStringList seen(const TableView &view)
{
    QStringList names;
    for (int row = 0; row < view.table().rowCount(); ++row)
        names << view.table().index(row, 0).data().toString();
    return names;
}

} // namespace

class TstTableView : public QObject
{
    Q_OBJECT

private slots:
    void someLevelsOfATreeAreOpenAtFirst()
    {
        TableView view([](std::string_view) { return true; });
        view.setTable(treeOf({{"a", "", kTop}, {"b", "", 0}, {"c", "", 1}, {"d", "", 2}}));
        QCOMPARE(seen(view), (QStringList{q("a"), q("b"), q("c")}));
    }

    void rowsStayOpenAndClosedWhenTheTableComesAgain()
    {
        TableView view([](std::string_view) { return true; });
        view.setTable(
            treeOf({{"a", "", kTop}, {"b", "", 0}, {"c", "", 1}, {"d", "", 2}, {"e", "", kTop}, {"f", "", 4}}));
        view.table().setOpen(4, false); // e
        view.table().setOpen(2, true);  // c
        const QStringList before = seen(view);
        QCOMPARE(before, (QStringList{q("a"), q("b"), q("c"), q("d"), q("e")}));
        // The same with a row before them.
        view.setTable(treeOf({{"x", "", kTop},
                              {"y", "", 0},
                              {"a", "", kTop},
                              {"b", "", 2},
                              {"c", "", 3},
                              {"d", "", 4},
                              {"e", "", kTop},
                              {"f", "", 6}}));
        QCOMPARE(seen(view), QStringList{q("x")} + before);
    }

    void columnsAreAsWideAsTheirLongestText()
    {
        TableView view([](std::string_view) { return true; });
        auto table = std::make_shared<Table>();
        table->texts("name");
        table->texts("where");
        for (int i = 0; i < 500; ++i) {
            table->column(0).append(i % 90 == 40 ? "a name that is long" : "a");
            table->column(1).append(i == 7 ? "in the middle of it" : "here");
        }
        view.setTable(std::move(table));
        view.resize(300, 100);
        view.show();
        const QFontMetrics metrics = view.fontMetrics();
        QVERIFY(view.columnWidth(0) >= metrics.horizontalAdvance(QStringLiteral("a name that is long")));
        QVERIFY(view.columnWidth(1) >= metrics.horizontalAdvance(QStringLiteral("in the middle of it")));
        // With the indentation of a tree.
        TableView tree([](std::string_view) { return true; });
        tree.setTable(treeOf({{"a", "", kTop}, {"a name that is long", "", 0}}));
        QVERIFY(tree.columnWidth(0) >= metrics.horizontalAdvance(QStringLiteral("a name that is long"))
                                           + tree.indentOf(tree.table().indexOf(1)));
        QVERIFY(tree.indentOf(tree.table().indexOf(1)) > tree.indentOf(tree.table().indexOf(0)));
    }

    void whatIsChosenForColumnsStaysAndComesBack()
    {
        const auto table = [] {
            auto made = std::make_shared<Table>();
            for (const char *name : {"a", "b", "c", "d"}) {
                made->texts(name);
                made->column(made->columns().size() - 1).append("text");
            }
            return made;
        };
        const auto isAtFirst = [](std::string_view name) { return name != "d"; };
        TableView view(isAtFirst);
        view.setTable(table());
        QSignalSpy changed(&view, &TableView::columnChoiceChanged);
        view.showOnly({q("a"), q("c"), q("d")});
        view.horizontalHeader()->moveSection(3, 0);    // d before a
        view.horizontalHeader()->resizeSection(2, 77); // c
        QCOMPARE(changed.count(), 2);
        const QStringList wanted = {q("d"), q("a"), q("c")};
        QCOMPARE(view.shownColumns(), wanted);
        view.setTable(table());
        QCOMPARE(view.shownColumns(), wanted);
        QCOMPARE(view.columnWidth(2), 77);
        QCOMPARE(changed.count(), 2); // the table chose nothing
        // Another time, and first with a table that has not all of them.
        TableView later(isAtFirst);
        later.setColumnChoice(ColumnChoice::ofLines(view.columnChoice().lines()));
        later.setTable(treeOf({{"x", "", kTop}}));
        QCOMPARE(later.shownColumns(), QStringList{q("name")});
        later.setTable(table());
        QCOMPARE(later.shownColumns(), wanted);
        QCOMPARE(later.columnWidth(2), 77);
        // Nonsense is left out.
        const ColumnChoice nothing = ColumnChoice::ofLines({q(""), q("a"), q("a\tmaybe\t-3"), q("\torder")});
        QVERIFY(!nothing.isShown(q("a")) && !nothing.width(q("a")) && nothing.order().isEmpty());
    }

    void rowsAreOpenedByTheirArrowsByDoubleClicksAndByKeys()
    {
        TableView view([](std::string_view) { return true; });
        view.setTable(
            treeOf({{"a", "", kTop}, {"b", "", 0}, {"c", "", 1}, {"d", "", 2}, {"e", "", 0}, {"f", "", kTop}}));
        view.resize(400, 300);
        view.show();
        TableModel &model = view.table();
        const auto arrow = [&](std::uint32_t row) {
            const QModelIndex index = model.indexOf(row);
            return view.arrowOf(index, view.visualRect(index)).center();
        };
        const QStringList first = {q("a"), q("b"), q("c"), q("e"), q("f")};
        QCOMPARE(seen(view), first);
        QSignalSpy chosen(&view, &RowsView::rowChosen);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, arrow(0));
        QCOMPARE(seen(view), (QStringList{q("a"), q("f")}));
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, arrow(0));
        QCOMPARE(seen(view), first); // b is still open
        QCOMPARE(chosen.count(), 0);
        const QModelIndex c = model.indexOf(2);
        const QPoint text(view.visualRect(c).left() + view.indentOf(c) + 4, view.visualRect(c).center().y());
        QTest::mouseDClick(view.viewport(), Qt::LeftButton, {}, text);
        QCOMPARE(seen(view), (QStringList{q("a"), q("b"), q("c"), q("d"), q("e"), q("f")}));
        // By keys: out of what closes, into what opens.
        view.goTo(3); // d
        const auto current = [&] { return view.currentIndex().data().toString(); };
        QTest::keyClick(&view, Qt::Key_Left);
        QCOMPARE(current(), q("c"));
        QTest::keyClick(&view, Qt::Key_Left);
        QCOMPARE(seen(view), first);
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(current(), q("d"));
        view.goTo(0);
        QTest::keyClick(&view, '-');
        QCOMPARE(seen(view), (QStringList{q("a"), q("f")}));
        QTest::keyClick(&view, '*');
        QCOMPARE(seen(view), (QStringList{q("a"), q("b"), q("c"), q("d"), q("e"), q("f")}));
        // Who is inside a row that is closed by its arrow goes to it.
        view.goTo(3);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, arrow(0));
        QCOMPARE(current(), q("a"));
        QTest::keyClick(&view, Qt::Key_End);
        QCOMPARE(current(), q("f"));
        QTest::keyClick(&view, Qt::Key_Home);
        QCOMPARE(current(), q("a"));
        view.goTo(3); // opens what it is in
        QCOMPARE(current(), q("d"));
        QVERIFY(view.viewport()->rect().contains(view.visualRect(view.currentIndex()).center()));
    }

    void whoCannotSeeItIsToldWhatOpens()
    {
        TableView view([](std::string_view) { return true; });
        view.setTable(treeOf({{"a", "", kTop}, {"b", "", 0}, {"c", "", 1}, {"d", "", 2}, {"e", "", kTop}}));
        const auto told = [&](std::uint32_t row) {
            return view.table().indexOf(row).data(Qt::AccessibleDescriptionRole).toString();
        };
        QCOMPARE(told(0), q("level 1, open"));
        QCOMPARE(told(2), q("level 3, closed"));
        QCOMPARE(told(4), QString());
        view.goTo(3);
        QCOMPARE(told(3), q("level 4"));
    }

    // Of many selected rows the current one is kept.
    void manySelectedRowsDoNotHoldUpSorting()
    {
        auto table = std::make_shared<Table>();
        Column &cells = table->integers("calls", Unit::Count);
        for (int i = 0; i < 5000; ++i)
            cells.append(i);
        TableView view([](std::string_view) { return true; });
        view.setTable(std::move(table));
        view.resize(300, 200);
        view.show();
        const QPoint heading(10, view.horizontalHeader()->height() / 2);
        view.goTo(7);
        view.selectionModel()->select(QItemSelection(view.table().index(5, 0), view.table().index(20, 0)),
                                      QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        QTest::mouseClick(view.horizontalHeader()->viewport(), Qt::LeftButton, {}, heading);
        QCOMPARE(view.selectionModel()->selectedRows().size(), 16);
        QCOMPARE(view.table().tableRow(view.currentIndex()), 7U);
        view.selectAll();
        QTest::mouseClick(view.horizontalHeader()->viewport(), Qt::LeftButton, {}, heading);
        QVERIFY(!view.selectionModel()->hasSelection());
        QCOMPARE(view.table().tableRow(view.currentIndex()), 7U);
    }

    // The arrow is seen, and seen to turn.
    void anArrowStandsBeforeWhatOpens()
    {
        TableView view([](std::string_view) { return true; });
        view.setTable(treeOf({{"a", "", kTop}, {"b", "", 0}, {"c", "", kTop}}));
        view.resize(300, 200);
        view.show();
        const auto picture = [&](std::uint32_t row) {
            const QModelIndex index = view.table().indexOf(row);
            return view.viewport()->grab(view.arrowOf(index, view.visualRect(index))).toImage();
        };
        const auto isBlank = [](const QImage &image) {
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    if (image.pixel(x, y) != image.pixel(0, 0))
                        return false;
                }
            }
            return true;
        };
        const QImage open = picture(0);
        QVERIFY(!isBlank(open) && isBlank(picture(2)));
        view.table().setOpen(0, false);
        QVERIFY(!isBlank(picture(0)) && picture(0) != open);
    }

    void namesStayInTheirColumnHoweverDeepRowsAreOpen()
    {
        constexpr std::uint32_t kLevels = 60;
        auto table = std::make_shared<Table>();
        table->texts("name");
        table->texts("kind");
        std::vector<std::uint32_t> parents;
        for (std::uint32_t i = 0; i < kLevels; ++i) {
            table->column(0).append("row " + std::to_string(i));
            table->column(1).append(i + 1 == kLevels ? "a kernel, say" : "b");
            parents.push_back(i == 0 ? kTop : i - 1);
        }
        table->setParents(parents);
        TableView view([](std::string_view) { return true; });
        view.resize(500, 300);
        view.setTable(table);
        const auto indent = [&](int row) { return view.indentOf(view.table().index(row, 0)); };
        const int ofLevel = indent(1) - indent(0);
        view.goTo(kLevels - 1);
        QCOMPARE(view.table().rowCount(), static_cast<int>(kLevels));
        QVERIFY(view.columnWidth(1) >= view.fontMetrics().horizontalAdvance(QStringLiteral("a kernel, say"))); // it is wide enough before it shows
        view.setColumnWidth(0, 400);
        const int last = static_cast<int>(kLevels) - 1;
        for (int row = 1; row <= last; ++row)
            QVERIFY(indent(row) > indent(row - 1));
        QVERIFY(indent(1) - indent(0) < ofLevel);
        QVERIFY(indent(last) <= 200);
        QVERIFY(view.arrowOf(view.table().index(last, 0), QRect(0, 0, 400, 20)).right() < 200);
        view.setColumnWidth(0, 120); // not even one pixel of each level
        QVERIFY(indent(last) <= 72);
        view.setColumnWidth(0, 4000); // room for all
        QCOMPARE(indent(1) - indent(0), ofLevel);
    }

    void theLastOfManyRowsIsAKeyAway()
    {
        constexpr int kMany = 700'000;
        auto table = std::make_shared<Table>();
        Column &cells = table->integers("start_ns", Unit::Count);
        for (int i = 0; i < kMany; ++i)
            cells.append(i);
        TableView view([](std::string_view) { return true; });
        view.setTable(std::move(table));
        view.resize(300, 200);
        view.show();
        QVERIFY(view.table().rowCount() < kMany);
        QTest::keyClick(&view, Qt::Key_End);
        QCOMPARE(view.currentIndex().row(), kMany - 1);
        QVERIFY(view.viewport()->rect().intersects(view.visualRect(view.currentIndex())));
        QCOMPARE(view.verticalScrollBar()->value(), view.verticalScrollBar()->maximum());
    }

    void rowsAreCopiedAsShown()
    {
        TableView view([](std::string_view name) { return name != "share"; });
        auto table = std::make_shared<Table>();
        table->texts("name");
        table->integers("dur_ns", Unit::Ns);
        table->reals("share", Unit::Percent);
        for (int i = 0; i < 3; ++i) {
            table->column(0).append(std::string(1, static_cast<char>('a' + i)));
            table->column(1).append(84'500 + i * 1000);
            table->column(2).append(12.5);
        }
        view.setTable(std::move(table));
        QCOMPARE(view.selectedText().count(QLatin1Char('\n')), 4);
        QVERIFY(view.selectedText().endsWith(q("\nb\t85.5 µs\nc\t86.5 µs\n")));
        view.selectRow(1);
        QCOMPARE(view.selectedText().count(QLatin1Char('\n')), 2);
        QVERIFY(view.selectedText().endsWith(q("\nb\t85.5 µs\n")));
    }

    void takingTheKeyboardChoosesNoRow()
    {
        QWidget window;
        QVBoxLayout layout(&window);
        QLineEdit other;
        TableView view([](std::string_view) { return true; });
        layout.addWidget(&other);
        layout.addWidget(&view);
        view.setTable(treeOf({{"a", "", kTop}, {"b", "", kTop}}));
        window.show();
        window.activateWindow();
        other.setFocus();
        QTRY_VERIFY(other.hasFocus());
        QSignalSpy chosen(&view, &RowsView::rowChosen);
        QTest::keyClick(&other, Qt::Key_Tab);
        QTRY_VERIFY(view.hasFocus());
        QCOMPARE(view.currentIndex().row(), 0); // for the keys to start from
        QVERIFY(!view.selectionModel()->hasSelection());
        QCOMPARE(chosen.count(), 0);
        QTest::keyClick(&view, Qt::Key_Space); // chooses it
        QCOMPARE(chosen.count(), 1);
        QVERIFY(view.selectionModel()->isRowSelected(0, {}));
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(chosen.count(), 2);
    }

    void treesOfTwoRunsAreOpenToWhereTheyPart()
    {
        TableView view([](std::string_view) { return true; });
        view.setTable(treeOf({{"a", "both", kTop},
                              {"b", "both", 0},
                              {"c", "both", 1},
                              {"d", "replaced", 2},
                              {"e", "baseline", 3},
                              {"f", "candidate", 0},
                              {"g", "candidate", 5}},
                             true));
        QCOMPARE(seen(view), (QStringList{q("a"), q("b"), q("c"), q("d"), q("f")}));
    }
};

QTEST_MAIN(TstTableView)
#include "tst_table_view.moc"
