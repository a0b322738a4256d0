// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/filter.h"
#include "core/table/table_output.h"
#include "tests/support/qt_text.h"
#include "tests/support/row_trace.h"
#include "tests/widgets/pane_fixture.h"
#include "widgets/panes/events_pane.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QTableView>

#include <algorithm>

using namespace ks;

namespace {

struct Fixture : ShownPane<EventsPane>
{
    explicit Fixture(int traces = 1)
        : ShownPane(traces, Several::Ranks)
    {}
    QTableView &view() { return pane.view(); }
    EventId eventAt(int row) { return pane.model().events().events[pane.model().position(row)]; }
    QPoint middleOf(int row, int column = 0) { return view().visualRect(pane.model().index(row, column)).center(); }
    bool sortByClicking(EventColumn column)
    {
        QSignalSpy sorted(&pane, &EventsPane::sorted);
        QHeaderView *header = view().horizontalHeader();
        const int section = static_cast<int>(column);
        view().scrollTo(pane.model().index(0, section));
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          QPoint(header->sectionViewportPosition(section) + 10, header->height() / 2));
        return sorted.count() > 0 || sorted.wait(20'000);
    }
};

} // namespace

class TstEventsPane : public QObject
{
    Q_OBJECT
private slots:
    void itListsWhatIsVisibleSelectedAndFiltered()
    {
        Fixture fixture;
        QAbstractItemModelTester tester(&fixture.pane.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QVERIFY(fixture.wait());
        const std::vector<RankTrace> ranks = {{fixture.state.traces().share(0), {}}};
        const auto shown = [&] { return fixture.pane.model().events().events; };
        QCOMPARE(shown(), listEvents(ranks, {}).events);
        QCOMPARE(fixture.pane.model().rowCount(), static_cast<int>(fixture.trace().eventCount()));
        QVERIFY(fixture.pane.words().contains(QStringLiteral("whole trace")));

        const TimeRange whole = fixture.trace().range();
        const TimeRange half{whole.begin + whole.duration() / 4, whole.begin + whole.duration() * 3 / 4};
        QVERIFY(fixture.after([&] { fixture.state.setVisibleRange(half); }));
        Scope scope;
        scope.parts = {{&fixture.trace(), half, {}}};
        QCOMPARE(shown(), listEvents(ranks, scope).events);

        QVERIFY(fixture.after([&] { fixture.state.setFilter(QStringLiteral("kind:kernel")); }));
        scope.events = matchingEvents(Filter::parse("kind:kernel"), ranks);
        const std::vector<EventId> kernels = listEvents(ranks, scope).events;
        QCOMPARE(shown(), kernels);
        QVERIFY(!kernels.empty() && kernels.size() < fixture.trace().eventCount());
        QVERIFY2(fixture.pane.words().contains(QStringLiteral("kind:kernel"))
                     && fixture.pane.words().contains(QStringLiteral(" %1 events").arg(kernels.size())),
                 qPrintable(fixture.pane.words()));
    }

    void cellsTellTheEvent()
    {
        Fixture fixture;
        QVERIFY(fixture.wait());
        EventModel &model = fixture.pane.model();
        for (int row = 0; row < model.rowCount(); ++row) {
            const EventId event = fixture.eventAt(row);
            const auto cell = [&](EventColumn column, int role = Qt::DisplayRole) {
                return model.index(row, static_cast<int>(column)).data(role).toString();
            };
            QCOMPARE(cell(EventColumn::Name), q(fixture.trace().name(event)));
            QCOMPARE(cell(EventColumn::Category), q(fixture.trace().category(event)));
            QVERIFY(cell(EventColumn::Duration, Qt::ToolTipRole).endsWith(QStringLiteral(" ns")));
            const EventId op = operatorAround(fixture.trace(), event);
            QCOMPARE(cell(EventColumn::Operator), op == kNoEvent ? QString() : q(fixture.trace().name(op)));
        }
        QVERIFY(!model.data(model.index(0, 0).siblingAtRow(model.rowCount()), Qt::DisplayRole).isValid());
    }

    void aClickedRowIsTheEventAndIsBroughtIntoView()
    {
        Fixture fixture;
        QVERIFY(fixture.wait());
        QSignalSpy revealed(&fixture.state, &ViewState::revealRequested);
        QTest::mouseClick(fixture.view().viewport(), Qt::LeftButton, {}, fixture.middleOf(3));
        QCOMPARE(*selectedEvent(fixture.state.selection()), fixture.state.traces().ref(0, fixture.eventAt(3)));
        QCOMPARE(revealed.count(), 1);
        QTest::keyClick(&fixture.view(), Qt::Key_Down);
        QCOMPARE(*selectedEvent(fixture.state.selection()), fixture.state.traces().ref(0, fixture.eventAt(4)));
        QCOMPARE(revealed.count(), 2);
        // The view moves with it; the list stays as long as the keyboard is in it.
        const int rows = fixture.pane.model().rowCount();
        fixture.view().setFocus();
        fixture.state.setVisibleRange(fixture.trace().range(fixture.eventAt(4)));
        QTest::qWait(300);
        QCOMPARE(fixture.pane.model().rowCount(), rows);
    }

    void anEventSelectedElsewhereIsMarkedWhateverTheOrder()
    {
        Fixture fixture;
        QVERIFY(fixture.wait());
        QSignalSpy revealed(&fixture.state, &ViewState::revealRequested);
        for (int i = 0; i < 2; ++i) {
            for (std::uint32_t e = 0; e < fixture.trace().eventCount(); e += 7) {
                fixture.state.select(fixture.state.traces().ref(0, EventId{e}));
                QCOMPARE(fixture.eventAt(fixture.view().currentIndex().row()), EventId{e});
                QVERIFY(fixture.view().viewport()->rect().intersects(
                    fixture.view().visualRect(fixture.view().currentIndex())));
            }
            const EventId last = selectedEvent(fixture.state.selection())->event;
            if (i == 0)
                QVERIFY(fixture.sortByClicking(EventColumn::Duration));
            QCOMPARE(fixture.eventAt(fixture.view().currentIndex().row()), last); // still, after sorting
        }
        QCOMPARE(revealed.count(), 0);
        fixture.state.select(std::monostate());
        QVERIFY(!fixture.view().selectionModel()->hasSelection());
    }

    void aClickOnAnyHeaderSortsByItAndASecondTurnsItRound()
    {
        Fixture fixture(2);
        QVERIFY(fixture.wait());
        EventModel &model = fixture.pane.model();
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.events().traces.size(), std::size_t{2});
        for (const EventColumn column : {EventColumn::Duration, EventColumn::Name, EventColumn::Start}) {
            const bool startsAscending = column != EventColumn::Duration;
            QVERIFY(fixture.sortByClicking(column));
            QCOMPARE(model.order(), sortedPositions(model.events(), column, startsAscending));
            QVERIFY(fixture.sortByClicking(column));
            QCOMPARE(model.order(), sortedPositions(model.events(), column, !startsAscending));
        }
        // It stays sorted when the list changes.
        QVERIFY(fixture.after([&] { fixture.state.setFilter(QStringLiteral("aten")); }));
        QCOMPARE(model.order(), sortedPositions(model.events(), EventColumn::Start, false));
    }

    void takingTheKeyboardSelectsNoEvent()
    {
        Fixture fixture;
        QVERIFY(fixture.wait());
        fixture.pane.activateWindow();
        fixture.view().setFocus(Qt::TabFocusReason);
        QTRY_VERIFY(fixture.view().hasFocus());
        QCOMPARE(fixture.view().currentIndex().row(), 0);
        QVERIFY(isNone(fixture.state.selection()));
        QTest::keyClick(&fixture.view(), Qt::Key_Down);
        const EventRef *selected = selectedEvent(fixture.state.selection());
        QVERIFY(selected);
        QCOMPARE(selected->event, fixture.eventAt(1));
    }

    void rowsOfALongListComeBitByBit()
    {
        constexpr int kMany = 1'200'000;
        RowTrace rows;
        rows.process("1").lane(LaneKind::Cpu, LaneRole::MainThread, "1").row();
        const EventId first = rows.event("aten::mm", EventKind::Operator, 0, 10);
        const EventId last = rows.event("aten::add", EventKind::Operator, 20, 10);
        const auto listOf = [trace = rows.build(), first, last](int count) {
            EventList list;
            list.traces = {{trace, {}}};
            list.steps.resize(1);
            list.events.assign(static_cast<std::size_t>(count), first);
            list.events.back() = last;
            list.first.push_back(list.events.size());
            return std::make_shared<const EventList>(std::move(list));
        };
        const auto asTheyStand = std::make_shared<const EventModel::Order>();
        EventModel model([](const Trace &, LaneId) { return QString(); });
        QTableView view;
        view.setModel(&model);
        view.show();
        QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
        model.setEvents(listOf(kMany), asTheyStand);
        int rowsTold = model.rowCount();
        QVERIFY(rowsTold > 0 && rowsTold < kMany);
        QTRY_COMPARE(model.rowCount(), kMany);
        QVERIFY(inserted.count() > 1);
        for (const QList<QVariant> &told : inserted) {
            QCOMPARE(told[1].toInt(), rowsTold);
            rowsTold = told[2].toInt() + 1;
        }
        QCOMPARE(rowsTold, kMany);
        QCOMPARE(model.index(kMany - 1, 0).data().toString(), q("aten::add"));
        // What is wanted is there at once, and then the rest.
        model.setEvents(listOf(3), asTheyStand);
        QCOMPARE(model.rowCount(), 3);
        model.setEvents(listOf(kMany), asTheyStand);
        model.growTo(kMany - 10);
        QCOMPARE(model.rowCount(), kMany - 9);
        QTRY_COMPARE(model.rowCount(), kMany);
        // As many as before come together.
        model.setEvents(listOf(kMany), asTheyStand);
        QCOMPARE(model.rowCount(), kMany);
    }

    void theMouseOverARowMarksTheEventElsewhere()
    {
        Fixture fixture;
        QVERIFY(fixture.wait());
        QTest::mouseMove(fixture.view().viewport(), fixture.middleOf(1));
        QTest::mouseMove(fixture.view().viewport(), fixture.middleOf(2));
        QTRY_COMPARE(fixture.state.hovered(),
                     std::optional<EventRef>(fixture.state.traces().ref(0, fixture.eventAt(2))));
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(fixture.view().viewport(), &leave);
        QVERIFY(!fixture.state.hovered());
    }

    void theEventUnderTheMouseElsewhereStandsOut()
    {
        Fixture fixture;
        QVERIFY(fixture.wait());
        QVERIFY(fixture.sortByClicking(EventColumn::Duration));
        fixture.state.setHovered(fixture.state.traces().ref(0, fixture.eventAt(4)));
        const auto standsOut = [&](int row) {
            return fixture.pane.model().index(row, 0).data(Qt::BackgroundRole).isValid();
        };
        QVERIFY(standsOut(4) && !standsOut(3) && !standsOut(5));
        fixture.state.setHovered({});
        QVERIFY(!standsOut(4));
    }

    void selectedRowsAreCopiedWithAHeading()
    {
        Fixture fixture;
        QVERIFY(fixture.wait());
        QTest::mouseClick(fixture.view().viewport(), Qt::LeftButton, {}, fixture.middleOf(1));
        QTest::mouseClick(fixture.view().viewport(), Qt::LeftButton, Qt::ShiftModifier, fixture.middleOf(3));
        QTest::keyClick(&fixture.view(), Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 5); // a heading, three rows, the end
        QVERIFY(lines[0].startsWith(QStringLiteral("Name\tCategory\tLane\tStart")));
        QVERIFY(lines[2].startsWith(q(fixture.trace().name(fixture.eventAt(2))) + QLatin1Char('\t')));
    }

    void widthsAndOrderOfColumnsAreKept()
    {
        Fixture fixture;
        QSignalSpy changed(&fixture.pane, &EventsPane::columnsChanged);
        fixture.view().horizontalHeader()->resizeSection(1, 77);
        fixture.view().horizontalHeader()->moveSection(3, 0);
        QVERIFY(changed.count() >= 2);
        Fixture other;
        other.pane.setColumns(fixture.pane.columns());
        QCOMPARE(other.view().columnWidth(1), 77);
        QCOMPARE(other.view().horizontalHeader()->logicalIndex(0), 3);
    }

    void aHiddenPaneListsNothingAndABadFilterIsSaid()
    {
        Fixture fixture;
        QVERIFY(fixture.wait());
        fixture.pane.hide();
        QSignalSpy computed(&fixture.pane, &Pane::computed);
        fixture.state.setFilter(QStringLiteral("kind:kernel"));
        QTest::qWait(300);
        QCOMPARE(computed.count(), 0);
        fixture.pane.show();
        QVERIFY(computed.count() > 0 || computed.wait(20'000));
        QSignalSpy failed(&fixture.pane, &Pane::failed);
        fixture.state.setFilter(QStringLiteral("dur >"));
        QVERIFY(failed.wait(20'000));
        fixture.state.traces().clear();
        QCOMPARE(fixture.pane.model().rowCount(), 0);
    }
};

QTEST_MAIN(TstEventsPane)
#include "tst_events_pane.moc"
