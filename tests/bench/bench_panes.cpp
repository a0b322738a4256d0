// SPDX-License-Identifier: GPL-3.0-or-later
// How long the window stands still: the whole window over a trace, driven with real events, while the longest piece of
// work on its thread is looked for.
//
//   bench_panes TRACE            one after the other all that is done with a trace
//   bench_panes TRACE TRACE      two that are compared
//   bench_panes --events N       of a random training run
//
// Prints of each thing done the longest dispatch of one event in milliseconds, of processor time and of the clock (which
// also shows waiting for a lock, and the other programs of the machine), who received it, and the time until the panes
// answer.
#include "app/filter_line.h"
#include "app/main_window.h"
#include "app/pane_docks.h"
#include "app/tool_bar.h"
#include "core/import/import.h"
#include "tests/bench/measured_application.h"
#include "tests/support/random_run.h"
#include "widgets/panes/analysis_pane.h"
#include "widgets/panes/events_pane.h"
#include "widgets/state/alignment.h"
#include "widgets/tables/option_bar.h"
#include "widgets/tables/table_model.h"
#include "widgets/tables/table_view.h"
#include "widgets/timeline/timeline_view.h"

#include <QDir>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QScrollBar>
#include <QSettings>
#include <QStandardPaths>
#include <QTableView>
#include <QTest>
#include <QWheelEvent>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>

using namespace ks;

namespace {

class Bench
{
public:
    explicit Bench(MeasuredApplication &application)
        : m_application(application)
    {
        m_window.resize(1920, 1080);
        m_window.show();
        (void)QTest::qWaitForWindowExposed(&m_window);
    }

    void open(const QStringList &paths)
    {
        measure("open and first picture", [&] {
            m_window.open(paths);
            waitFor([&] {
                return !m_window.loader().isLoading()
                       && m_state.traces().size() == static_cast<std::uint32_t>(paths.size());
            });
        });
    }

    void add(std::shared_ptr<const Trace> trace)
    {
        measure("traces to the window", [&] { m_state.traces().add(std::move(trace)); });
    }

    // From where both are loaded.
    void compareWith(const QString &path)
    {
        std::shared_ptr<const Trace> second = importTrace(path.toStdString());
        Pane *pane = m_window.panes().pane(u"compare");
        measure("first table of Compare",
                [&] {
                    m_state.traces().add(std::move(second));
                    m_state.traces().setRelation(TraceSet::Relation::RunsCompared);
                    (void)alignOnWhatThereIs(m_state);
                    m_window.panes().show(u"compare");
                },
                {pane});
        OptionBar &options = m_window.panes().pane(u"compare")->options();
        for (const char *show : {"rows", "tree", "waterfall"})
            measure(QStringLiteral("Compare: %1").arg(QLatin1String(show)), [&] { options.choose("show", show); },
                    {pane});
        options.choose("show", "rows");
        for (const char *by : {"kernels", "modules", "steps", "shapes", "families", "names"})
            measure(QStringLiteral("Compare: by %1").arg(QLatin1String(by)), [&] { options.choose("by", by); }, {pane});
        m_three.push_back(pane);
    }

    void wholeTrace()
    {
        measure("everything in view", [&] { m_state.setVisibleRange(m_state.traces().range()); });
    }

    // Each alone on screen.
    void showEach()
    {
        for (QDockWidget *dock : m_window.panes().docks()) {
            auto *pane = qobject_cast<Pane *>(dock->widget());
            measure("first show of " + pane->title(), [&] { m_window.panes().show(pane->id()); }, {pane});
            measure("again " + pane->title(),
                    [&] {
                        m_window.timeline().setFocus(); // who goes through the rows keeps them
                        const TimeRange view = m_state.visibleRange();
                        m_state.setVisibleRange({view.begin, view.end - view.duration() / 100});
                    },
                    {pane});
        }
    }

    // Gaps and launches one by one.
    void sortLongTables()
    {
        for (const auto &[id, view] : {std::pair(u"idle", "gaps"), std::pair(u"launches", "list")}) {
            AnalysisPane &pane = *m_window.panes().pane(id);
            m_window.panes().show(pane.id());
            measure(pane.title() + " one by one", [&] { pane.options().choose("show", view); }, {&pane});
            sortByEach(pane);
            goThroughLong(pane);
            sortByEach(pane);
        }
    }

    void sortByEach(AnalysisPane &pane)
    {
        QHeaderView &header = *pane.view().horizontalHeader();
        for (int column = 1; column < std::min(header.count(), 6); ++column) {
            measure(QStringLiteral("%1 rows sorted by column %2").arg(pane.model().rowCount()).arg(column), [&] {
                pane.view().horizontalScrollBar()->setValue(0);
                const QPoint place(header.sectionViewportPosition(column) + 5, header.height() / 2);
                QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, place);
                waitFor([&] { return !pane.isSorting() && pane.isUpToDate(); });
            });
        }
    }

    // With a row that was chosen and rows that are open from then on.
    void goThroughLong(AnalysisPane &pane)
    {
        TableView &view = pane.view();
        TableModel &model = pane.model();
        const auto press = [&view](Qt::Key key) {
            QTest::keyClick(&view, key);
            QCoreApplication::processEvents();
        };
        measure("  last and first row, pages by key", [&] {
            view.setFocus();
            for (const Qt::Key key : {Qt::Key_End, Qt::Key_PageUp, Qt::Key_Up, Qt::Key_Home, Qt::Key_PageDown})
                press(key);
        });
        measure("  scrolled by its bar", [&] {
            for (int i = 0; i <= 20; ++i) {
                view.verticalScrollBar()->setValue(
                    static_cast<int>(static_cast<qint64>(view.verticalScrollBar()->maximum()) * i / 20));
                QCoreApplication::processEvents();
            }
        });
        measure("  rows opened and closed by key", [&] {
            view.setCurrentIndex(model.index(model.rowCount() / 2, 0));
            for (int i = 0; i < 4; ++i) {
                press(Qt::Key_Right);
                QTest::qWait(100);
                press(Qt::Key_Left);
                press(Qt::Key_Right);
                press(Qt::Key_Down);
            }
        });
        measure("  events selected elsewhere", [&] {
            const Trace &trace = m_state.traces().at(0);
            for (std::uint32_t i = 1; i < 10; ++i) {
                m_state.select(
                    m_state.traces().ref(0, EventId{static_cast<std::uint32_t>(trace.eventCount() / 10) * i}));
                QCoreApplication::processEvents();
            }
        });
    }

    void sortEvents()
    {
        EventsPane &pane = m_window.panes().events();
        m_window.panes().show(pane.id());
        waitFor([&] { return pane.isUpToDate(); });
        QHeaderView &header = *pane.view().horizontalHeader();
        for (int column = 0; column < header.count(); ++column) {
            const QString name = pane.model().headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
            measure("events sorted by " + name, [&] {
                pane.view().horizontalScrollBar()->setValue(0);
                header.resizeSection(column, 60);
                pane.view().scrollTo(pane.view().currentIndex());
                const int at = header.sectionViewportPosition(column) + header.sectionSize(column) / 2;
                QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, {at, header.height() / 2});
                waitFor([&] { return !pane.isSorting() && pane.isUpToDate(); });
            });
        }
    }

    void scrollEvents()
    {
        EventsPane &pane = m_window.panes().events();
        QTableView &view = pane.view();
        measure("events scrolled by wheel", [&] {
            for (int turn = 0; turn < 100; ++turn)
                wheel(*view.viewport(), view.viewport()->rect().center(), -120);
        });
        measure("events scrolled by its bar", [&] {
            for (int i = 0; i <= 100; ++i) {
                view.verticalScrollBar()->setValue(
                    static_cast<int>(static_cast<qint64>(view.verticalScrollBar()->maximum()) * i / 100));
                QCoreApplication::processEvents();
            }
        });
        measure("events gone through by key", [&] {
            view.setFocus();
            view.setCurrentIndex(pane.model().index(pane.model().rowCount() / 2, 0));
            for (int i = 0; i < 20; ++i) {
                QTest::keyClick(&view, i % 4 == 0 ? Qt::Key_PageUp : Qt::Key_Up);
                QCoreApplication::processEvents();
            }
        });
        measure("first and last event by key", [&] {
            QTest::keyClick(&view, Qt::Key_Home, Qt::ControlModifier);
            QCoreApplication::processEvents();
            QTest::keyClick(&view, Qt::Key_End, Qt::ControlModifier);
        });
        measure("events hovered", [&] {
            for (int y = 2; y < view.viewport()->height(); y += 3)
                move(*view.viewport(), {40, y}, Qt::NoButton);
        });
    }

    // Events, operators and kernels beside each other.
    void showThree()
    {
        QDockWidget *before = nullptr;
        for (QDockWidget *dock : m_window.panes().docks())
            m_window.removeDockWidget(dock);
        for (const char *id : {"events", "operators", "kernels"}) {
            auto *dock = m_window.findChild<QDockWidget *>(QStringLiteral("dock.") + QLatin1String(id));
            m_three.push_back(qobject_cast<Pane *>(dock->widget()));
            if (before)
                m_window.splitDockWidget(before, dock, Qt::Horizontal);
            else
                m_window.addDockWidget(Qt::BottomDockWidgetArea, dock);
            before = dock;
            dock->show();
        }
        m_window.timeline().setFocus();
        measure(
            "three panes beside each other", [] {}, m_three);
    }

    void dragArea()
    {
        QWidget &lanes = *m_window.timeline().viewport();
        m_window.timeline().setFocus();
        for (const double share : {0.9, 0.3, 0.02}) {
            const int height = lanes.height();
            const int left = lanes.width() / 20;
            const int right = left + static_cast<int>(lanes.width() * share);
            measure(
                QStringLiteral("area of %1 % dragged").arg(share * 100),
                [&] {
                    QTest::mousePress(&lanes, Qt::LeftButton, {}, {left, height / 10});
                    for (int i = 1; i <= 60; ++i)
                        move(lanes, {left + (right - left) * i / 60, height / 10 + height * 8 / 10 * i / 60},
                             Qt::LeftButton);
                    QTest::mouseRelease(&lanes, Qt::LeftButton, {}, {right, height * 9 / 10});
                },
                m_three);
        }
        measure(
            "area cleared", [&] { QTest::keyClick(&m_window.timeline(), Qt::Key_Escape); }, m_three);
    }

    void typeFilters()
    {
        FilterLine &line = m_window.toolBar().filter();
        measure("first key in the filter line", [&] { line.start(); });
        for (const char *text : {"gemm", "name:aten::mm", "dur > 100us and kind == kernel", "op:addmm"}) {
            measure(
                QStringLiteral("filter %1 typed").arg(QLatin1String(text)),
                [&] {
                    line.selectAll();
                    for (const char *key = text; *key != 0; ++key) {
                        QWidget *popup =
                            QApplication::activePopupWidget(); // of completions; hands on what it does not take
                        QTest::keyClick(popup ? popup : &line, *key);
                        QCoreApplication::processEvents();
                    }
                    if (QWidget *popup = QApplication::activePopupWidget())
                        QTest::keyClick(popup, Qt::Key_Escape);
                    QTest::keyClick(&line, Qt::Key_Return);
                },
                m_three);
        }
        measure(
            "filter cleared", [&] { QTest::keyClick(&line, Qt::Key_Escape); }, m_three);
    }

    // Filters that read arguments of events: first of what is in view, then of all.
    void filterArguments()
    {
        const TimeRange whole = m_state.traces().range();
        const FilterJob &job = m_window.timeline().filterJob();
        for (const double share : {1.0, 0.01}) {
            const TimeNs begin = whole.begin + whole.duration() / 3;
            const auto span = static_cast<TimeNs>(static_cast<double>(whole.duration()) * share);
            m_state.setVisibleRange(share < 1 ? TimeRange{begin, begin + span} : whole);
            const std::vector<const char *> texts =
                share < 1 ? std::vector{"arg.stream == 20", "shape:[64,*]", "kind:kernel arg.grid:3"}
                          : std::vector{"arg.stream == 7", "shape:[32,*]", "kind:kernel arg.grid:2"};
            for (const char *text : texts) {
                bool isKnown = false;
                const auto known = connectTo(job, isKnown);
                measure(QStringLiteral("%1 in %2 % of the trace: the lanes").arg(QLatin1String(text)).arg(share * 100),
                        [&] {
                            m_state.setFilter(QLatin1String(text));
                            waitFor([&] { return isKnown || !job.isRunning(); });
                        });
                QObject::disconnect(known);
                measure(
                    "  panes", [] {}, m_three);
                measure("  all of it", [&] { waitFor([&] { return !job.isRunning(); }); });
                m_state.setFilter({});
                waitFor([&] {
                    return std::all_of(m_three.begin(), m_three.end(),
                                       [](const Pane *pane) { return pane->isUpToDate(); });
                });
            }
        }
        m_state.setVisibleRange(whole);
    }

    void moveView()
    {
        QWidget &lanes = *m_window.timeline().viewport();
        m_window.timeline().setFocus(); // who goes through the rows keeps them
        measure(
            "zoomed by wheel",
            [&] {
                for (int i = 0; i < 60; ++i)
                    wheel(lanes, lanes.rect().center(), 120, Qt::ControlModifier);
            },
            m_three);
        measure(
            "zoomed out by wheel",
            [&] {
                for (int i = 0; i < 60; ++i)
                    wheel(lanes, lanes.rect().center(), -120, Qt::ControlModifier);
            },
            m_three);
        measure("hovered", [&] {
            for (int i = 0; i < 200; ++i)
                move(lanes, {20 + i * 5, 20 + i * 2}, Qt::NoButton);
        });
        measure(
            "event selected by click",
            [&] {
                for (int i = 1; i < 10; ++i) {
                    QTest::mouseClick(&lanes, Qt::LeftButton, {}, {lanes.width() * i / 10, lanes.height() * i / 10});
                    QCoreApplication::processEvents();
                }
            },
            m_three);
    }

private:
    void waitFor(const std::function<bool()> &isDone)
    {
        while (!isDone())
            QTest::qWait(1);
    }

    // Sets `isKnown` when the first part of what matches is there.
    static QMetaObject::Connection connectTo(const FilterJob &job, bool &isKnown)
    {
        return QObject::connect(&job, &FilterJob::progressed, [&isKnown] { isKnown = true; });
    }

    static void move(QWidget &widget, QPoint place, Qt::MouseButtons buttons)
    {
        QMouseEvent event(QEvent::MouseMove, place, widget.mapToGlobal(place), Qt::NoButton, buttons, {});
        QCoreApplication::sendEvent(&widget, &event);
        QCoreApplication::processEvents();
    }

    static void wheel(QWidget &widget, QPoint place, int angle, Qt::KeyboardModifiers modifiers = {})
    {
        QWheelEvent event(place, widget.mapToGlobal(place), {}, QPoint(0, angle), Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&widget, &event);
        QCoreApplication::processEvents();
    }

    // Does it, and waits until the panes answer and nothing is to be painted.
    void measure(const QString &what, const std::function<void()> &act, const std::vector<Pane *> &panes = {})
    {
        m_application.longest = {};
        m_application.over = 0;
        QElapsedTimer timer;
        timer.start();
        act();
        QCoreApplication::processEvents();
        waitFor([&] {
            return timer.elapsed() > 20'000
                   || std::all_of(panes.begin(), panes.end(), [](const Pane *pane) { return pane->isUpToDate(); });
        });
        constexpr double kTold = 8; // ms
        const auto answered = static_cast<double>(timer.nsecsElapsed()) / 1e6;
        QTest::qWait(300);
        const MeasuredApplication::Longest &longest = m_application.longest;
        std::string who = longest.cpu > kTold ? longest.who.toStdString() : "";
        if (longest.clock > longest.cpu * 2 + kTold)
            who += " waited: " + longest.whoWaited.toStdString();
        std::printf("%-44s longest %7.1f ms CPU %7.1f ms clock, %3d over 16 ms; done in %8.1f ms  %s\n",
                    qPrintable(what), longest.cpu, longest.clock, m_application.over, answered, who.c_str());
        std::fflush(stdout);
    }

    MeasuredApplication &m_application;
    Settings m_settings;
    MainWindow m_window{m_settings};
    ViewState &m_state = m_window.state();
    std::vector<Pane *> m_three;
};

std::shared_ptr<const Trace> randomTrace(std::size_t events, int seed)
{
    constexpr std::size_t kEventsPerOperator = 4; // about
    constexpr int kSteps = 50;
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    RandomRun run;
    run.steps = kSteps;
    run.operatorsPerStep =
        static_cast<int>(events / kEventsPerOperator / kSteps / static_cast<std::size_t>(run.threads));
    return importText(randomRun(random, run).json());
}

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    MeasuredApplication application(argc, argv);
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("kinetoscope"));
    QCoreApplication::setApplicationName(QStringLiteral("bench_panes"));
    QSettings().clear();
    const QStringList paths = QCoreApplication::arguments().mid(1);
    Bench bench(application);
    const bool isMade = paths.size() == 2 && paths[0] == QLatin1String("--events");
    if (paths.isEmpty())
        return std::fprintf(stderr, "usage: bench_panes TRACE [TRACE] | --events N\n"), 2;
    if (isMade)
        bench.add(randomTrace(paths[1].toULongLong(), 1));
    else
        bench.open(paths.mid(0, 1));
    if (paths.size() == 2 && !isMade) {
        bench.compareWith(paths[1]);
        bench.moveView();
        return 0;
    }
    bench.wholeTrace();
    bench.showEach();
    bench.sortLongTables();
    bench.sortEvents();
    bench.scrollEvents();
    bench.showThree();
    bench.dragArea();
    bench.typeFilters();
    bench.filterArguments();
    bench.moveView();
    return 0;
}
