// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/name_pool.h"
#include "core/base/utf8.h"
#include "core/table/table_output.h"
#include "tests/support/qt_text.h"

#include <QTest>

#include <cmath>
#include <numeric>
#include <random>

using namespace ks;

namespace {

template<typename Write>
std::string written(Write write)
{
    std::string text;
    {
        TextSink sink(text);
        write(sink);
    }
    return text;
}

// name, class, calls, total_ns, share
Table kernels()
{
    Table table;
    table.names("name");
    table.texts("class");
    table.integers("calls", Unit::Count);
    table.integers("total_ns", Unit::Ns);
    table.reals("share", Unit::Ratio);
    const auto add = [&table](std::string_view name, const char *kind, int calls, std::optional<std::int64_t> total,
                              double share) {
        table.column(0).append(internName(name));
        table.column(1).append(kind);
        table.column(2).append(calls);
        table.column(3).append(total);
        table.column(4).append(share);
    };
    add("gemm", "compute", 3, 150'000, 0.5);
    add("add", "compute", 1200, 4'000, 0.0133);
    add("nccl", "communication", 3, std::nullopt, std::nan(""));
    add("Add", "compute", 3, 150'000, 0.5);
    return table;
}

QString namesOf(const Table &table)
{
    QString names;
    for (std::size_t row = 0; row < table.rowCount(); ++row)
        names += q(table.column(0).text(row)) + QLatin1Char(' ');
    return names.trimmed();
}

} // namespace

class TstTable : public QObject
{
    Q_OBJECT
private slots:
    void holdsTypedCellsAndNulls()
    {
        const Table table = kernels();
        QCOMPARE(table.rowCount(), std::size_t{4});
        QCOMPARE(*table.find("total_ns"), std::size_t{3});
        QVERIFY(!table.find("nothing"));
        QCOMPARE(table.column(2).integer(1), std::int64_t{1200});
        QVERIFY(table.column(3).isNull(2));
        QVERIFY(table.column(4).isNull(2)); // NaN is unknown
        QVERIFY(!table.column(3).isNull(3));
        for (const Column &column : table.columns()) {
            std::size_t unknown = 0;
            for (std::size_t row = 0; row < column.size(); ++row)
                unknown += column.isNull(row) ? 1 : 0;
            QCOMPARE(column.nullCount(), unknown);
        }
        QVERIFY(table.column(4).nullCount() > 0);
        Table cut = table;
        cut.limit(2);
        QCOMPARE(cut.column(4).nullCount(), std::size_t{cut.column(4).isNull(0)} + cut.column(4).isNull(1));
        QVERIFY(!table.column(3).number(2));
        QCOMPARE(*table.column(3).number(0), 150'000.0);
    }

    void sortsDescendingWithTiesByText()
    {
        Table table = kernels();
        table.sort({3, false});
        QCOMPARE(namesOf(table), q("Add gemm add nccl")); // the unknown last
        table.sort({3, true});
        QCOMPARE(namesOf(table), q("add Add gemm nccl")); // also ascending
        table.sort({0, true});
        QCOMPARE(namesOf(table), q("Add add gemm nccl")); // bytewise
        table.sort({2, false});
        QCOMPARE(namesOf(table), q("add Add gemm nccl"));
        table.limit(2);
        QCOMPARE(namesOf(table), q("add Add"));
        QCOMPARE(table.column(3).integer(1), std::int64_t{150'000});
    }

    void breaksFurtherTiesByStart()
    {
        Table table;
        table.texts("name");
        table.integers("start_ns", Unit::Ns);
        table.integers("dur_ns", Unit::Ns);
        for (const int start : {30, 10, 20}) {
            table.column(0).append("k");
            table.column(1).append(start);
            table.column(2).append(5);
        }
        table.sort({2, false});
        QCOMPARE(table.column(1).integer(0), std::int64_t{10});
        QCOMPARE(table.column(1).integer(2), std::int64_t{30});
    }

    void sortsManyRowsAsFewOnes()
    {
        std::mt19937 random(1);
        Table table;
        table.names("name");
        table.texts("class");
        table.integers("dur_ns", Unit::Ns);
        table.reals("share", Unit::Ratio);
        table.integers("start_ns", Unit::Ns);
        table.integers("place", Unit::Id);
        for (std::size_t row = 0; row < 5000; ++row) {
            const auto below = [&random](std::uint32_t limit) { return static_cast<int>(random() % limit); };
            table.column(0).append(internName(std::to_string(below(9))));
            table.column(1).append(below(3) == 0 ? "a" : "b");
            table.column(2).append(below(8) == 0 ? std::nullopt : std::optional((below(400) - 200) * 1'000'000'007LL));
            table.column(3).append(below(8) == 0 ? std::nan("") : (below(40) - 20) * 0.5);
            table.column(4).append(below(3));
            table.column(5).append(row);
        }
        for (std::size_t by = 0; by < table.columns().size(); ++by) {
            for (const bool ascending : {true, false}) {
                std::vector<std::uint32_t> rows(table.rowCount());
                std::iota(rows.begin(), rows.end(), 0U);
                std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
                    const Column &first = table.column(by);
                    if (first.isNull(a) != first.isNull(b))
                        return first.isNull(b);
                    if (const int order = first.compare(a, b); order != 0)
                        return (order < 0) == ascending;
                    for (const std::size_t tie : {0, 1, 4}) {
                        if (const int order = table.column(tie).compare(a, b); tie != by && order != 0)
                            return order < 0;
                    }
                    return false;
                });
                Table sorted = table;
                sorted.sort({by, ascending});
                for (std::size_t row = 0; row < rows.size(); ++row)
                    QCOMPARE(sorted.column(5).integer(row), std::int64_t{rows[row]});
            }
        }
    }

    void pointsOfTimeAreShownSinceTheStartOfTheTrace()
    {
        Table table;
        for (const char *name : {"start_ns", "peak_at_ns", "device_end_ns", "dur_ns", "skew_end_ns"})
            table.integers(name, Unit::Ns).append(1'700'000'000'005'000);
        std::vector<QString> shown;
        for (const Column &column : table.columns())
            shown.push_back(q(isMoment(column) ? momentText(column, 0, 1'700'000'000'000'000) : "not a moment"));
        const QString moment = QStringLiteral("5 µs");
        const QString none = QStringLiteral("not a moment");
        QCOMPARE(shown, (std::vector<QString>{moment, moment, moment, none, none}));
        QVERIFY(written([&](TextSink &sink) { writeTableText(sink, table, 0, 1'700'000'000'000'000); }).find("5 µs")
                != std::string::npos);
        table.column(0).appendNull();
        QCOMPARE(q(momentText(table.column(0), 1, 0)), q(cellText(table.column(0), 1)));
    }

    void sortsTheChildrenOfATreeAmongThemselves()
    {
        Table table;
        table.texts("name");
        table.integers("n", Unit::Count);
        const auto add = [&table](const char *name, int n) {
            table.column(0).append(name);
            table.column(1).append(n);
        };
        add("a", 1);
        add("a.x", 5);
        add("a.y", 7);
        add("b", 9);
        add("b.z", 2);
        constexpr auto kNone = Table::kNoParent;
        table.setParents({kNone, 0, 0, kNone, 3});
        table.sort({1, false});
        QCOMPARE(namesOf(table), q("b b.z a a.y a.x"));
        QCOMPARE(table.parent(0), kNone);
        QCOMPARE(table.parent(1), 0U);
        QCOMPARE(table.parent(4), 2U);
        QCOMPARE(table.depth(4), std::size_t{1});
        QCOMPARE(q(written([&](TextSink &sink) { writeTableText(sink, table); })),
                 q("name   n\n─────  ─\nb      9\n  b.z  2\na      1\n  a.y  7\n  a.x  5\n"));
        table.limit(3);
        QCOMPARE(namesOf(table), q("b b.z a"));
        QCOMPARE(table.parent(1), 0U);
    }

    void writesJson()
    {
        Table table = kernels();
        table.limit(3);
        const std::string text = written([&](TextSink &sink) {
            JsonWriter writer(sink);
            writer.beginObject();
            writeTableJson(writer, table);
            writer.endObject();
        });
        QCOMPARE(
            q(text),
            q(R"({"columns":[{"name":"name","unit":"text"},{"name":"class","unit":"text"},)"
              R"({"name":"calls","unit":"count"},{"name":"total_ns","unit":"ns"},{"name":"share","unit":"ratio"}],)"
              R"("rows":[["gemm","compute",3,150000,0.5],["add","compute",1200,4000,0.0133],)"
              R"(["nccl","communication",3,null,null]]})"
              "\n"));
    }

    void writesCsv()
    {
        Table table;
        table.texts("name");
        table.lists("input_shapes");
        table.reals("mean_ns", Unit::Ns);
        const auto add = [&table](const char *name, const char *list, std::optional<double> mean) {
            table.column(0).append(name);
            table.column(1).append(list);
            table.column(2).append(mean);
        };
        add("plain", "[[8,4]]", 1.5);
        add("a,\"b\"\nc", "[]", std::nullopt);
        QCOMPARE(q(written([&](TextSink &sink) { writeTableCsv(sink, table); })),
                 q("name,input_shapes,mean_ns\r\nplain,\"[[8,4]]\",1.5\r\n\"a,\"\"b\"\"\nc\",[],\r\n"));
    }

    void writesForPeople()
    {
        QCOMPARE(q(written([](TextSink &sink) { writeTableText(sink, kernels()); })),
                 q("name  class          calls     total   share\n"
                   "────  ─────────────  ─────  ────────  ──────\n"
                   "gemm  compute            3  150.0 µs  50.0 %\n"
                   "add   compute        1,200   4.00 µs  1.33 %\n"
                   "nccl  communication      3         –       –\n"
                   "Add   compute            3  150.0 µs  50.0 %\n"));
    }

    void showsEachUnit()
    {
        const auto cell = [](Unit unit, auto value) {
            Column column("c", unit, std::is_integral_v<decltype(value)> ? CellType::Integer : CellType::Real);
            column.append(value);
            return q(cellText(column, 0));
        };
        QCOMPARE(cell(Unit::Count, -1234567), q("-1,234,567"));
        QCOMPARE(cell(Unit::Bytes, 1536), q("1.50 KiB"));
        QCOMPARE(cell(Unit::Percent, 37.25), cell(Unit::Ratio, 0.3725));
        QCOMPARE(cell(Unit::Change, 1.25), q("+25.0 %"));
        QCOMPARE(cell(Unit::Change, 1.0), q("0 %"));
        QCOMPARE(cell(Unit::Change, 0.0), q("-100 %"));
        QCOMPARE(cell(Unit::Flop, std::int64_t{128'000'000'000}), q("128 GFLOP"));
        QCOMPARE(cell(Unit::Flop, 12), q("12 FLOP"));
        QCOMPARE(cell(Unit::GbPerS, 812.0), q("812 GB/s"));
        QCOMPARE(cell(Unit::Number, 0.5), q("0.5"));
        QCOMPARE(cell(Unit::Number, 1234.56), q("1235"));
        QCOMPARE(cell(Unit::Number, 7), q("7"));
        QCOMPARE(cell(Unit::Id, 1234567), q("1234567"));
    }

    void measuresAndCutsTextByColumns()
    {
        QCOMPARE(columnsOf("aten::mm"), std::size_t{8});
        QCOMPARE(columnsOf("é漢字e\xcc\x81😀"), std::size_t{8});
        QCOMPARE(q(elidedMiddle("short", 5)), q("short"));
        QCOMPARE(q(elidedMiddle("0123456789", 7)), q("0123…89"));
        QCOMPARE(q(elidedMiddle("漢字漢字漢字", 7)), q("漢字…字"));
        QCOMPARE(q(elidedMiddle("abc", 1)), q("…"));
        for (std::size_t columns = 0; columns < 14; ++columns)
            QVERIFY(columnsOf(elidedMiddle("a漢b字c漢d字", columns)) <= columns);
    }

    void makesLists()
    {
        const std::vector<std::string> texts = {"a\"b", "c"};
        const std::vector<std::int64_t> numbers = {1, -2};
        QCOMPARE(q(jsonList(texts)), q("[\"a\\\"b\",\"c\"]"));
        QCOMPARE(q(jsonList(numbers)), q("[1,-2]"));
        QCOMPARE(q(jsonList(std::span<const std::int64_t>())), q("[]"));
    }
};

QTEST_APPLESS_MAIN(TstTable)
#include "tst_table.moc"
