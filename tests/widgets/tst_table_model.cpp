// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/table_output.h"
#include "tests/support/qt_text.h"
#include "widgets/tables/table_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include <future>
#include <numeric>
#include <random>

using namespace ks;

namespace {

Table randomTable(std::mt19937_64 &random, bool isTree)
{
    Table table;
    Column &name = table.texts("name");
    const std::size_t rows = random() % 60;
    for (std::size_t i = 0; i < rows; ++i)
        name.append(std::string(1, static_cast<char>('a' + random() % 20)));
    Column &time = table.integers("dur_ns", Unit::Ns);
    for (std::size_t i = 0; i < rows; ++i) {
        if (random() % 5 == 0)
            time.appendNull();
        else
            time.append(static_cast<std::int64_t>(random() % 10) * 1000);
    }
    if (isTree) {
        std::vector<std::uint32_t> parents;
        for (std::size_t i = 0; i < rows; ++i)
            parents.push_back(i == 0 || random() % 3 == 0 ? Table::kNoParent
                                                          : static_cast<std::uint32_t>(random() % i));
        table.setParents(std::move(parents));
    }
    return table;
}

void collect(const TableModel &model, const QModelIndex &parent, std::vector<std::uint32_t> &rows)
{
    for (int i = 0; i < model.rowCount(parent); ++i) {
        const QModelIndex index = model.index(i, 0, parent);
        rows.push_back(model.tableRow(index));
        collect(model, index, rows);
    }
}

} // namespace

class TstTableModel : public QObject
{
    Q_OBJECT
private slots:
    // What takes its time is for another thread.
    void aLongTableIsSortedByWhoeverOwnsIt()
    {
        std::mt19937_64 random(8);
        auto table = std::make_shared<Table>();
        table->integers("dur_ns", Unit::Ns);
        for (std::size_t i = 0; i <= TableModel::kMostAtOnce; ++i)
            table->column(0).append(static_cast<std::int64_t>(random() % 1000));
        TableModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setTable(table);
        const QPersistentModelIndex kept = model.indexOf(17);
        QSignalSpy wanted(&model, &TableModel::orderWanted);
        model.sort(0, Qt::DescendingOrder);
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(model.tableRow(model.index(0, 0)), std::uint32_t{0});
        model.setOrder(std::async(std::launch::async, model.sorter()).get());
        std::vector<std::uint32_t> expected(table->rowCount());
        std::iota(expected.begin(), expected.end(), 0U);
        std::stable_sort(expected.begin(), expected.end(), [&table](std::uint32_t a, std::uint32_t b) {
            return table->column(0).integer(a) > table->column(0).integer(b);
        });
        std::vector<std::uint32_t> shown;
        collect(model, {}, shown);
        QVERIFY(shown == expected);
        QCOMPARE(model.tableRow(kept), std::uint32_t{17});
        QCOMPARE(kept.row(), model.indexOf(17).row());
        model.setOrder({1, 0}); // of another table
        QCOMPARE(model.tableRow(model.index(0, 0)), expected.front());
    }

    void rowsAreInsertedBelowThoseThatOpen()
    {
        std::mt19937_64 random(5);
        for (int i = 0; i < 60; ++i) {
            Table table = randomTable(random, false);
            if (table.rowCount() < 3)
                continue;
            TableModel model;
            QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
            std::vector<std::uint32_t> wanted;
            connect(&model, &TableModel::rowsWanted, this, [&](std::uint32_t row) { wanted.push_back(row); });
            model.setOpens([](std::uint32_t row) { return row % 2 == 1; });
            model.setTable(std::make_shared<const Table>(table));
            model.sort(1, Qt::AscendingOrder);
            QVERIFY(model.hasChildren(model.indexOf(1)) && !model.hasChildren(model.indexOf(0)));
            model.fetchMore(model.indexOf(1));
            model.fetchMore(model.indexOf(1));
            QCOMPARE(std::count(wanted.begin(), wanted.end(), 1U), 1);
            const QPersistentModelIndex other = model.indexOf(2);
            const Table children = randomTable(random, false);
            const std::size_t before = table.rowCount();
            table.insertBelow(1, children);
            model.insertBelow(1, std::make_shared<const Table>(table));
            QCOMPARE(other, QPersistentModelIndex(model.indexOf(2)));
            QCOMPARE(static_cast<std::size_t>(model.rowCount()), before);
            const QModelIndex parent = model.indexOf(1);
            QCOMPARE(static_cast<std::size_t>(model.rowCount(parent)), children.rowCount());
            QCOMPARE(model.hasChildren(parent), children.rowCount() > 0);
            // Sorted as the others are.
            const Column &by = model.table().column(1);
            for (int row = 1; row < model.rowCount(parent); ++row) {
                const std::uint32_t a = model.tableRow(model.index(row - 1, 1, parent));
                const std::uint32_t b = model.tableRow(model.index(row, 1, parent));
                QVERIFY(by.isNull(b) || (!by.isNull(a) && by.integer(a) <= by.integer(b)));
            }
        }
    }

    void itIsAModelOfListsAndTrees()
    {
        std::mt19937_64 random(1);
        for (int i = 0; i < 60; ++i) {
            TableModel model;
            QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
            model.setTable(std::make_shared<const Table>(randomTable(random, i % 2 != 0)));
            model.sort(1, Qt::DescendingOrder);
            model.sort(0, Qt::AscendingOrder);
            model.sort(-1, Qt::AscendingOrder);
            model.setTable(std::make_shared<const Table>(randomTable(random, i % 3 != 0)));
        }
    }

    void everyRowIsShownOnceUnderItsParent()
    {
        std::mt19937_64 random(2);
        for (int i = 0; i < 200; ++i) {
            const bool isTree = i % 2 != 0;
            TableModel model;
            model.setTable(std::make_shared<const Table>(randomTable(random, isTree)));
            if (i % 4 > 1)
                model.sort(static_cast<int>(random() % 2),
                           random() % 2 != 0 ? Qt::AscendingOrder : Qt::DescendingOrder);
            std::vector<std::uint32_t> rows;
            collect(model, {}, rows);
            std::sort(rows.begin(), rows.end());
            QCOMPARE(rows.size(), model.table().rowCount());
            for (std::uint32_t row = 0; row < rows.size(); ++row) {
                QCOMPARE(rows[row], row);
                const QModelIndex index = model.indexOf(row, 1);
                QCOMPARE(model.tableRow(index), row);
                const std::uint32_t parent = model.table().parent(row);
                QVERIFY(model.parent(index) == (parent == Table::kNoParent ? QModelIndex() : model.indexOf(parent)));
                QCOMPARE(index.data().toString(), q(cellText(model.table().column(1), row)));
            }
        }
    }

    void sortingPutsUnknownLastAndKeepsTheOrderOfEqualRows()
    {
        std::mt19937_64 random(3);
        for (int i = 0; i < 100; ++i) {
            TableModel model;
            model.setTable(std::make_shared<const Table>(randomTable(random, false)));
            const Qt::SortOrder order = i % 2 != 0 ? Qt::AscendingOrder : Qt::DescendingOrder;
            model.sort(1, order);
            const Column &time = model.table().column(1);
            for (int row = 1; row < model.rowCount(); ++row) {
                const std::uint32_t above = model.tableRow(model.index(row - 1, 1));
                const std::uint32_t below = model.tableRow(model.index(row, 1));
                QVERIFY(!time.isNull(above) || time.isNull(below));
                if (time.isNull(below))
                    continue;
                const int difference = time.compare(above, below);
                QVERIFY(order == Qt::AscendingOrder ? difference <= 0 : difference >= 0);
                QVERIFY(difference != 0 || above < below);
            }
        }
    }

    void aSelectedRowStaysSelectedWhenSorted()
    {
        std::mt19937_64 random(4);
        for (int i = 0; i < 50; ++i) {
            TableModel model;
            model.setTable(std::make_shared<const Table>(randomTable(random, true)));
            if (model.table().rowCount() == 0)
                continue;
            const std::uint32_t row = static_cast<std::uint32_t>(random() % model.table().rowCount());
            const QPersistentModelIndex kept = model.indexOf(row, 1);
            model.sort(1, Qt::AscendingOrder);
            QCOMPARE(model.tableRow(kept), row);
            QVERIFY(kept == model.indexOf(row, 1));
        }
    }

    void rowsAreCopiedAsShown()
    {
        Table table;
        table.texts("name").append("gemm");
        table.integers("dur_ns", Unit::Ns).append(84'500);
        table.reals("share", Unit::Percent).append(12.5);
        TableModel model;
        model.setTable(std::make_shared<const Table>(std::move(table)));
        const QString text = tabSeparated(model, {model.indexOf(0)}, {0, 1});
        QCOMPARE(text.count(QLatin1Char('\n')), 2);
        QVERIFY2(text.endsWith(QStringLiteral("\ngemm\t84.5 µs\n")), qPrintable(text));
        QCOMPARE(model.indexOf(0, 1).data(Qt::ToolTipRole).toString(), QStringLiteral("84,500 ns"));
        QVERIFY(model.isNumeric(1) && !model.isNumeric(0));
    }
};

QTEST_MAIN(TstTableModel)
#include "tst_table_model.moc"
