// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/qt_text.h"
#include "widgets/tables/table_model.h"
#include "widgets/tables/table_view.h"

#include <QHeaderView>
#include <QSignalSpy>
#include <QTest>

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
    for (QModelIndex index = view.model()->index(0, 0); index.isValid(); index = view.indexBelow(index))
        names << index.data().toString();
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
        view.collapse(view.model()->index(1, 0)); // e
        const QModelIndex b = view.model()->index(0, 0, view.model()->index(0, 0));
        view.expand(view.model()->index(0, 0, b)); // c
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
        QVERIFY(tree.columnWidth(0)
                >= metrics.horizontalAdvance(QStringLiteral("a name that is long")) + 2 * tree.indentation());
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
        view.header()->moveSection(3, 0);    // d before a
        view.header()->resizeSection(2, 77); // c
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
