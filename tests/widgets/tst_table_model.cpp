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

std::vector<std::uint32_t> shownRows(const TableModel &model)
{
    std::vector<std::uint32_t> rows;
    for (int i = 0; i < model.rowCount(); ++i)
        rows.push_back(model.tableRow(model.index(i, 0)));
    return rows;
}

void openAll(TableModel &model)
{
    for (std::uint32_t row = 0; row < model.table().rowCount(); ++row)
        model.setOpen(row, true);
}

// What one has to see: the rows inside one that is open below it, in their order.
void addShown(const TableModel &model, std::uint32_t parent, const std::vector<std::uint32_t> &order,
              std::vector<std::uint32_t> &rows)
{
    for (const std::uint32_t row : order) {
        if (model.table().parent(row) != parent)
            continue;
        rows.push_back(row);
        if (model.isOpen(row))
            addShown(model, row, order, rows);
    }
}

std::vector<std::uint32_t> expectedRows(const TableModel &model, int column = -1, bool isAscending = true)
{
    std::vector<std::uint32_t> order(model.table().rowCount());
    std::iota(order.begin(), order.end(), 0U);
    if (column >= 0) {
        const Column &by = model.table().column(static_cast<std::size_t>(column));
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            if (by.isNull(a) != by.isNull(b))
                return by.isNull(b);
            return isAscending ? by.compare(a, b) < 0 : by.compare(b, a) < 0;
        });
    }
    std::vector<std::uint32_t> rows;
    addShown(model, Table::kNoParent, order, rows);
    return rows;
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
        QVERIFY(shownRows(model) == expected);
        QCOMPARE(model.tableRow(kept), std::uint32_t{17});
        QCOMPARE(kept.row(), model.indexOf(17).row());
        model.setOrder({1, 0}); // of another table
        QCOMPARE(model.tableRow(model.index(0, 0)), expected.front());
    }

    void whatIsInsideARowComesWhenItIsOpened()
    {
        std::mt19937_64 random(5);
        int checked = 0;
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
            QVERIFY(model.opens(1) && !model.opens(0));
            model.setOpen(0, true);
            model.setOpen(1, true);
            model.setOpen(1, false);
            model.setOpen(1, true);
            QVERIFY(wanted == std::vector<std::uint32_t>{1} && !model.isOpen(0));
            const QPersistentModelIndex other = model.indexOf(2);
            const Table children = randomTable(random, false);
            const std::size_t before = table.rowCount();
            table.insertBelow(1, children);
            const bool isOpen = i % 3 != 0;
            model.setOpen(1, isOpen);
            model.insertBelow(1, std::make_shared<const Table>(table));
            QCOMPARE(other, QPersistentModelIndex(model.indexOf(2)));
            QCOMPARE(model.inside(1).size(), children.rowCount());
            QCOMPARE(model.opens(1), children.rowCount() > 0);
            QCOMPARE(static_cast<std::size_t>(model.rowCount()), before + (isOpen ? children.rowCount() : 0));
            // Sorted as the others are, now and later.
            QVERIFY(shownRows(model) == expectedRows(model, 1));
            model.setOpen(1, true);
            QVERIFY(shownRows(model) == expectedRows(model, 1));
            model.sort(0, Qt::DescendingOrder);
            QVERIFY(shownRows(model) == expectedRows(model, 0, false));
            model.setOpen(1, false);
            QVERIFY(shownRows(model) == expectedRows(model, 0, false));
            ++checked;
        }
        QVERIFY(checked > 30);
    }

    void itIsAModelOfListsAndTrees()
    {
        std::mt19937_64 random(1);
        for (int i = 0; i < 60; ++i) {
            TableModel model;
            QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
            model.setTable(std::make_shared<const Table>(randomTable(random, i % 2 != 0)));
            openAll(model);
            model.sort(1, Qt::DescendingOrder);
            model.sort(0, Qt::AscendingOrder);
            model.sort(-1, Qt::AscendingOrder);
            model.setTable(std::make_shared<const Table>(randomTable(random, i % 3 != 0)), 0,
                           [](std::uint32_t row) { return row % 2 == 0; });
        }
    }

    void oneSeesWhatIsInsideTheRowsThatAreOpen()
    {
        std::mt19937_64 random(2);
        for (int i = 0; i < 200; ++i) {
            TableModel model;
            QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
            const auto isOpenAtFirst = [i](std::uint32_t row) {
                return (row + static_cast<std::uint32_t>(i)) % 3 == 0;
            };
            model.setTable(std::make_shared<const Table>(randomTable(random, i % 2 != 0)), 0, isOpenAtFirst);
            const auto rows = static_cast<std::uint32_t>(model.table().rowCount());
            if (rows == 0)
                continue;
            QVERIFY(shownRows(model) == expectedRows(model));
            const bool isSorted = i % 4 > 1;
            const int column = isSorted ? static_cast<int>(random() % 2) : -1;
            const bool isAscending = random() % 2 != 0;
            model.sort(column, isAscending ? Qt::AscendingOrder : Qt::DescendingOrder);
            for (int change = 0; change < 30; ++change) {
                const auto row = static_cast<std::uint32_t>(random() % rows);
                switch (random() % 4) {
                case 0: model.setOpen(row, false); break;
                case 1: QCOMPARE(model.tableRow(model.reveal(row)), row); break;
                default: model.setOpen(row, true); break;
                }
                QVERIFY(shownRows(model) == expectedRows(model, column, isAscending));
            }
            openAll(model);
            QCOMPARE(static_cast<std::uint32_t>(model.rowCount()), rows);
            for (std::uint32_t row = 0; row < rows; ++row) {
                const QModelIndex index = model.indexOf(row, 1);
                QCOMPARE(model.tableRow(index), row);
                QCOMPARE(index.data().toString(), q(cellText(model.table().column(1), row)));
            }
        }
    }

    // A view gets to know of them bit by bit.
    void aRowFarDownIsThereWhenItIsWanted()
    {
        constexpr std::uint32_t kMany = 600'000;
        auto table = std::make_shared<Table>();
        Column &time = table->integers("dur_ns", Unit::Ns);
        for (std::uint32_t i = 0; i < kMany; ++i)
            time.append(static_cast<std::int64_t>(kMany - i));
        TableModel model;
        model.setTable(table);
        QVERIFY(model.rowCount() < static_cast<int>(kMany));
        QVERIFY(!model.indexOf(kMany - 5).isValid());
        const QPersistentModelIndex far = model.reveal(kMany - 5);
        QCOMPARE(far.row(), static_cast<int>(kMany - 5));
        QTRY_COMPARE(model.rowCount(), static_cast<int>(kMany));
        // Rows inside one, and another order, among many.
        model.setOpens([](std::uint32_t row) { return row == kMany - 7; });
        model.setOpen(kMany - 7, true);
        Table children;
        children.integers("dur_ns", Unit::Ns).append(3);
        auto larger = std::make_shared<Table>(*table);
        larger->insertBelow(kMany - 7, children);
        model.insertBelow(kMany - 7, larger);
        QCOMPARE(model.rowCount(), static_cast<int>(kMany + 1));
        QCOMPARE(far.row(), static_cast<int>(kMany - 4));
        model.sort(0, Qt::AscendingOrder);
        model.setOrder(model.sorter()());
        QCOMPARE(far.row(), 4);
        QCOMPARE(model.tableRow(far), kMany - 5);
        QCOMPARE(model.tableRow(model.index(7, 0)), kMany); // what is inside the seventh
        QCOMPARE(model.rowCount(), static_cast<int>(kMany + 1));
        model.setOpen(kMany - 7, false);
        QCOMPARE(model.rowCount(), static_cast<int>(kMany));
    }

    // The row was on screen when it was opened; what is inside comes when it stands where no view knows of it.
    void whatIsInsideComesAlsoToARowFarDown()
    {
        constexpr std::uint32_t kMany = 600'000;
        auto table = std::make_shared<Table>();
        Column &time = table->integers("dur_ns", Unit::Ns);
        for (std::uint32_t i = 0; i < kMany; ++i)
            time.append(static_cast<std::int64_t>(i));
        TableModel model;
        model.setOpens([](std::uint32_t row) { return row == 7; });
        model.setTable(table);
        model.setOpen(7, true);
        model.sort(0, Qt::DescendingOrder);
        model.setOrder(model.sorter()());
        QVERIFY(!model.indexOf(7).isValid());
        Table children;
        children.integers("dur_ns", Unit::Ns).append(3);
        auto larger = std::make_shared<Table>(*table);
        larger->insertBelow(7, children);
        model.insertBelow(7, larger);
        QCOMPARE(model.wholeCount(), static_cast<int>(kMany + 1));
        QCOMPARE(model.tableRow(model.index(model.indexOf(7).row() + 1, 0)), kMany);
        model.setOpen(7, false);
        QTRY_COMPARE(model.rowCount(), static_cast<int>(kMany));
        QCOMPARE(model.tableRow(model.index(static_cast<int>(kMany) - 1, 0)), 0U);
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
            const QPersistentModelIndex kept = model.reveal(row, 1);
            model.sort(1, Qt::AscendingOrder);
            QCOMPARE(model.tableRow(kept), row);
            QVERIFY(kept == model.indexOf(row, 1));
        }
    }

    // "Before" says nothing of what is compared.
    void theHeadingOfAComparisonNamesWhatIsCompared()
    {
        Table table;
        table.integers("baseline", Unit::Ns).setMeasure("cpu_self_ns");
        table.integers("baseline_calls", Unit::Count);
        TableModel model;
        model.setTable(std::make_shared<const Table>(std::move(table)));
        QCOMPARE(model.headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("Before · CPU self"));
        QCOMPARE(model.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("Calls before"));
    }

    void cellsSayExactlyWhatTheyAreInTheirTips()
    {
        Table table;
        table.texts("name").append("gemm");
        table.integers("dur_ns", Unit::Ns).append(84'500);
        TableModel model;
        model.setTable(std::make_shared<const Table>(std::move(table)));
        QCOMPARE(model.indexOf(0, 1).data().toString(), QStringLiteral("84.5 µs"));
        QCOMPARE(model.indexOf(0, 1).data(Qt::ToolTipRole).toString(), QStringLiteral("84,500 ns"));
        QVERIFY(model.isNumeric(1) && !model.isNumeric(0));
    }
};

QTEST_MAIN(TstTableModel)
#include "tst_table_model.moc"
