// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/main_window.h"

#include "app/command_palette.h"
#include "app/commands.h"
#include "app/context_menus.h"
#include "app/kept_views.h"
#include "app/message_bar.h"
#include "app/pane_docks.h"
#include "app/recent_files.h"
#include "app/recent_menu.h"
#include "app/reloading.h"
#include "app/run_commands.h"
#include "app/settings_dialog.h"
#include "app/shortcut_sheet.h"
#include "app/source_line.h"
#include "app/status_line.h"
#include "app/steps_job.h"
#include "app/take_out.h"
#include "app/theme.h"
#include "app/timeline_commands.h"
#include "app/tool_bar.h"
#include "app/welcome_page.h"
#include "core/base/format.h"
#include "core/base/version.h"
#include "widgets/panes/details_pane.h"
#include "widgets/panes/diagnostics_pane.h"
#include "widgets/state/question.h"
#include "widgets/state/to_qstring.h"
#include "widgets/state/trace_names.h"
#include "widgets/timeline/timeline_view.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>

#include <algorithm>

namespace ks {
namespace {

constexpr int kStateVersion = 2; // of the docks

QStringList localFiles(const QMimeData &data)
{
    QStringList files;
    const auto urls = data.urls();
    for (const QUrl &url : urls) {
        if (url.isLocalFile())
            files << url.toLocalFile();
    }
    return files;
}

} // namespace

MainWindow::MainWindow(Settings &settings, QWidget *parent)
    : QMainWindow(parent)
    , m_settings(settings)
    , m_loader(m_state.traces())
{
    setObjectName(QStringLiteral("mainWindow"));
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    buildCentre();
    buildDocks();
    m_actions = new Actions(this, m_timeline, this);
    m_toolBar = new ToolBar(m_state, *m_timeline, this);
    m_status = new StatusLine(m_state, *statusBar());
    addCommands(*this);
    m_panes->addCommands(*m_actions);
    // The letters that jump also work beside the breadcrumb, where nobody types.
    for (const Actions::Entry &entry : m_actions->all()) {
        if (entry.row.scope == ActionScope::Timeline && entry.row.menu == ActionMenu::Go)
            m_details->addAction(entry.action);
    }
    buildMenus();
    m_toolBar->addCommands(*m_actions);
    addToolBar(m_toolBar);
    usePerfettoKeys(*this, m_settings.perfettoKeys());
    new StepsJob(m_state, m_settings, this);
    new KeptViews(m_state, *m_timeline, this);
    m_palette = new CommandPalette(*m_actions, this);
    connectLoader();
    connectSaver(*this);

    connect(m_status, &StatusLine::diagnosticsRequested, this, &MainWindow::showDiagnostics);
    connect(&m_diagnostics->model(), &QAbstractItemModel::modelReset, this,
            [this] { m_status->setProblems(m_diagnostics->model().problems()); });
    connect(&m_state, &ViewState::tracesChanged, this, &MainWindow::onTracesChanged);
    connect(&m_state, &ViewState::selectionChanged, m_actions, &Actions::refresh);
    connect(&m_state, &ViewState::historyChanged, m_actions, &Actions::refresh);
    connect(&m_settings, &Settings::changed, this, [this](const QString &key) {
        if (key == Settings::themeKey())
            applyTheme(m_settings.theme());
        else if (key == Settings::keysKey())
            usePerfettoKeys(*this, m_settings.perfettoKeys());
    });
    onTracesChanged();

    resize(QSize(1400, 860).boundedTo(screen()->availableSize() * 9 / 10));
    resizeDocks({m_detailsDock}, {std::min(390, width() / 3)}, Qt::Horizontal);
    resizeDocks({m_panes->docks().front()}, {height() / 3}, Qt::Vertical);
    const QSettings stored;
    restoreGeometry(stored.value(QStringLiteral("window/geometry")).toByteArray());
    restoreState(stored.value(QStringLiteral("window/docks")).toByteArray(), kStateVersion);
}

MainWindow::~MainWindow()
{
    m_loader.cancel();
}

void MainWindow::buildCentre()
{
    auto *centre = new QWidget(this);
    auto *layout = new QVBoxLayout(centre);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    m_messages = new MessageBar(centre);
    m_reloading = new Reloading(m_state, m_loader, *m_messages, this);
    m_stack = new QStackedWidget(centre);
    m_welcome = new WelcomePage(m_stack);
    m_timeline = new TimelineView(m_state, m_stack);
    m_stack->addWidget(m_welcome);
    m_stack->addWidget(m_timeline);
    layout->addWidget(m_messages);
    layout->addWidget(m_stack, 1);
    setCentralWidget(centre);
    connect(m_timeline, &TimelineView::contextMenuWanted, this, [this](QPoint place) { showEventMenu(*this, place); });
    connect(m_timeline, &TimelineView::laneMenuWanted, this,
            [this](LaneRef lane, QPoint place) { showLaneMenu(*this, lane, place); });
    connect(m_welcome, &WelcomePage::openRequested, this, [this] { chooseAndOpen(); });
    connect(m_welcome, &WelcomePage::fileRequested, this, [this](const QString &path) { open({path}); });
}

void MainWindow::buildDocks()
{
    m_details = new DetailsPane(m_state, this);
    m_detailsDock = new QDockWidget(tr("Details"), this);
    m_detailsDock->setObjectName(QStringLiteral("dock.details"));
    m_detailsDock->setWidget(m_details);
    addDockWidget(Qt::RightDockWidgetArea, m_detailsDock);

    m_diagnostics = new DiagnosticsPane(m_state, this);
    m_diagnosticsDock = new QDockWidget(tr("Diagnostics"), this);
    m_diagnosticsDock->setObjectName(QStringLiteral("dock.diagnostics"));
    m_diagnosticsDock->setWidget(m_diagnostics);
    addDockWidget(Qt::BottomDockWidgetArea, m_diagnosticsDock);
    m_panes = new PaneDocks(*this, m_state);
    tabifyDockWidget(m_panes->docks().back(), m_diagnosticsDock);
    m_panes->docks().front()->raise();
    m_diagnosticsDock->hide();
    connect(m_panes, &PaneDocks::said, this, &MainWindow::say);
    connect(m_panes, &PaneDocks::failed, this, &MainWindow::say);
    connect(m_panes, &PaneDocks::benchmarkRequested, this, [this](EventRef op) { copyBenchmark(*this, op); });

    connect(m_details, &DetailsPane::sourceLineActivated, this,
            [this](const QString &file, int line) { openSourceLine(*this, m_settings, file, line); });
    connect(m_details, &DetailsPane::copied, this, [this](const QString &text) { say(tr("Copied: %1").arg(text)); });
    connect(m_details, &DetailsPane::benchmarkRequested, this, [this](EventRef op) { copyBenchmark(*this, op); });
    connect(m_details, &DetailsPane::reloadRequested, &m_loader, &TraceLoader::reload);
}

void MainWindow::buildMenus()
{
    QMenu *file = menuBar()->addMenu(tr("&File"));
    m_actions->fillMenu(ActionMenu::File, *file);
    auto *recent = new RecentMenu(this);
    connect(recent, &RecentMenu::chosen, this, [this](const QString &path) { open({path}); });
    connect(recent, &RecentMenu::forgotten, m_welcome, &WelcomePage::refresh);
    file->insertMenu(m_actions->action(QStringLiteral("file.reload")), recent);
    m_actions->fillMenu(ActionMenu::Edit, *menuBar()->addMenu(tr("&Edit")));
    m_actions->fillMenu(ActionMenu::Go, *menuBar()->addMenu(tr("&Go")));
    QMenu *view = menuBar()->addMenu(tr("&View"));
    m_actions->fillMenu(ActionMenu::View, *view);
    view->addSeparator();
    view->addAction(m_detailsDock->toggleViewAction());
    view->addAction(m_diagnosticsDock->toggleViewAction());
    m_actions->fillMenu(ActionMenu::Lanes, *menuBar()->addMenu(tr("&Lanes")));
    m_actions->fillMenu(ActionMenu::Tables, *menuBar()->addMenu(tr("&Tables")));
    m_actions->fillMenu(ActionMenu::Runs, *menuBar()->addMenu(tr("&Runs")));
    m_actions->fillMenu(ActionMenu::Help, *menuBar()->addMenu(tr("&Help")));
    const auto menus = menuBar()->findChildren<QMenu *>();
    for (QMenu *menu : menus)
        menu->setToolTipsVisible(true);
}

void MainWindow::connectLoader()
{
    const auto showProgress = [this] {
        if (m_loader.isLoading())
            m_status->showLoading(m_loader.path(), m_loader.progress());
        else
            m_status->hideLoading();
    };
    connect(&m_loader, &TraceLoader::loadingChanged, this, showProgress);
    connect(&m_loader, &TraceLoader::progressChanged, this, showProgress);
    connect(&m_loader, &TraceLoader::loaded, this, &MainWindow::onLoaded);
    connect(m_reloading, &Reloading::done, this, [this] { say(tr("Reloaded")); });
    connect(&m_loader, &TraceLoader::failed, this, &MainWindow::onFailed);
    connect(m_status, &StatusLine::cancelRequested, &m_loader, &TraceLoader::cancel);
}

void MainWindow::open(const QStringList &paths)
{
    m_loader.open(paths);
}

StepPicker &MainWindow::steps()
{
    return m_toolBar->steps();
}

void MainWindow::toggleDetails()
{
    m_detailsDock->setVisible(!m_detailsDock->isVisible());
}

void MainWindow::chooseAndOpen(bool beside)
{
    auto *dialog = new QFileDialog(this, beside ? tr("Open beside what is open") : tr("Open a trace"));
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setNameFilters({tr("Traces (*.json *.json.gz *.json.zst *.gz *.zst *.zip)"), tr("All files (*)")});
    const QStringList recent = recentFiles();
    if (!recent.isEmpty())
        dialog->setDirectory(QFileInfo(recent.first()).absolutePath());
    connect(dialog, &QFileDialog::filesSelected, this, [this, beside](const QStringList &files) {
        if (beside)
            m_loader.add(files);
        else
            open(files);
    });
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::closeTraces()
{
    m_loader.cancel();
    m_saver.cancel();
    m_state.traces().clear();
    m_state.clearHistory();
}

void MainWindow::onTracesChanged()
{
    const TraceSet &traces = m_state.traces();
    if (traces.isEmpty())
        m_welcome->refresh();
    m_stack->setCurrentWidget(traces.isEmpty() ? static_cast<QWidget *>(m_welcome) : m_timeline);
    QString title = tr("Kinetoscope");
    if (!traces.isEmpty()) {
        QStringList names;
        for (std::uint32_t i = 0; i < traces.size(); ++i)
            names << traceName(traces, i);
        title = QStringLiteral("%1 — %2").arg(names.join(QStringLiteral(" + ")), title);
    }
    setWindowTitle(title);
    m_actions->refresh();
}

void MainWindow::onLoaded(const QString &path, std::uint32_t position, bool isFirst)
{
    if (path != QLatin1String("-"))
        rememberFile(path);
    if (isFirst) {
        m_messages->dismiss();
        m_state.clearHistory();
        m_timeline->setFocus();
        if (m_state.traces().at(0).eventCount() == 0)
            m_messages->tell(MessageBar::Kind::Note, tr("%1 has no events.").arg(QFileInfo(path).fileName()));
        return;
    }
    m_timeline->setFocus();
    tellFurtherTrace(*this, position);
}

void MainWindow::onFailed(const QString &path, const JobError &error)
{
    const QString reason = toQString(error.message);
    QString text = error.byteOffset && *error.byteOffset > 0
                       ? tr("%1 cannot be opened: %2 (at byte %3).")
                             .arg(QFileInfo(path).fileName(), reason, toQString(formatCount(*error.byteOffset)))
                       : tr("%1 cannot be opened: %2.").arg(QFileInfo(path).fileName(), reason);
    if (!m_state.traces().isEmpty())
        text += QLatin1Char(' ') + tr("What was open still is.");
    m_messages->tell(
        MessageBar::Kind::Error, text,
        {{tr("Open another…"), [this] { chooseAndOpen(); }}, MessageBar::copy(path + QStringLiteral(": ") + text)});
}

void MainWindow::say(const QString &text)
{
    if (!text.isEmpty())
        m_status->say(text);
}

void MainWindow::showDiagnostics()
{
    m_diagnosticsDock->show();
    m_diagnosticsDock->raise();
    m_diagnostics->setFocus();
}

void MainWindow::showPalette()
{
    m_palette->open();
}

void MainWindow::showDialog(QDialog *dialog)
{
    delete m_dialog;
    m_dialog = dialog;
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

void MainWindow::showShortcuts()
{
    showDialog(new ShortcutSheet(*m_actions, this));
}

void MainWindow::showSettings()
{
    showDialog(new SettingsDialog(m_settings, this));
}

void MainWindow::showAbout()
{
    auto *dialog = new QDialog(this);
    dialog->setWindowTitle(tr("About Kinetoscope"));
    auto *text = new QLabel(tr("<h3>Kinetoscope %1</h3><p>A viewer for PyTorch profiler traces.</p>"
                               "<p>GPL-3.0-or-later</p>")
                                .arg(QLatin1String(versionText())),
                            dialog);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    auto *layout = new QVBoxLayout(dialog);
    layout->addWidget(text);
    layout->addWidget(buttons);
    showDialog(dialog);
}

// Coming back to the window is when a trace that was recorded again is noticed.
bool MainWindow::event(QEvent *event)
{
    if (event->type() == QEvent::WindowActivate)
        m_reloading->offer();
    return QMainWindow::event(event);
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    QSettings stored;
    stored.setValue(QStringLiteral("window/geometry"), saveGeometry());
    stored.setValue(QStringLiteral("window/docks"), saveState(kStateVersion));
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    if (!localFiles(*event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    const QStringList files = localFiles(*event->mimeData());
    if (files.isEmpty())
        return;
    event->acceptProposedAction();
    if (m_state.traces().isEmpty())
        open(files);
    else
        m_loader.add(files); // what else it may be is asked when it is there
}

} // namespace ks
