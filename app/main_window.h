// SPDX-License-Identifier: GPL-3.0-or-later
// The window: timeline in the middle, panes as docks around it, messages above it. It wires panes to the ViewState and never to each
// other; what it can do is in the command table (commands.h).
#pragma once

#include "app/actions.h"
#include "app/part_saver.h"
#include "app/settings.h"
#include "app/trace_loader.h"
#include "widgets/state/view_state.h"

#include <QMainWindow>
#include <QPointer>

class QDialog;
class QDockWidget;
class QMenu;
class QStackedWidget;

namespace ks {

class CommandPalette;
class DetailsPane;
class DiagnosticsPane;
class MessageBar;
class PaneDocks;
class Reloading;
class StatusLine;
class StepPicker;
class TimelineView;
class ToolBar;
class WelcomePage;

class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    explicit MainWindow(Settings &settings, QWidget *parent = nullptr);
    ~MainWindow() override;

    ViewState &state() { return m_state; }
    Actions &actions() { return *m_actions; }
    TraceLoader &loader() { return m_loader; }
    MessageBar &messages() { return *m_messages; }
    TimelineView &timeline() { return *m_timeline; }
    DetailsPane &details() { return *m_details; }
    ToolBar &toolBar() { return *m_toolBar; }
    StepPicker &steps();
    StatusLine &status() { return *m_status; }
    PaneDocks &panes() { return *m_panes; }

    void open(const QStringList &paths); // the first as the trace, the others beside it
    void chooseAndOpen(bool beside = false);
    PartSaver &saver() { return m_saver; }
    Reloading &reloading() { return *m_reloading; }
    void closeTraces();
    void say(const QString &text); // in the status bar; "" says nothing
    void toggleDetails();
    void showDiagnostics();
    void showPalette();
    void showShortcuts();
    void showSettings();
    void showAbout();

protected:
    bool event(QEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    void buildCentre();
    void buildDocks();
    void buildMenus();
    void connectLoader();
    void onTracesChanged();
    void onLoaded(const QString &path, std::uint32_t position, bool isFirst);
    void onFailed(const QString &path, const JobError &error);
    void showDialog(QDialog *dialog);

    Settings &m_settings;
    ViewState m_state;
    TraceLoader m_loader;
    PartSaver m_saver;
    Actions *m_actions = nullptr;
    TimelineView *m_timeline = nullptr;
    WelcomePage *m_welcome = nullptr;
    QStackedWidget *m_stack = nullptr;
    MessageBar *m_messages = nullptr;
    Reloading *m_reloading = nullptr;
    DetailsPane *m_details = nullptr;
    DiagnosticsPane *m_diagnostics = nullptr;
    PaneDocks *m_panes = nullptr;
    QDockWidget *m_detailsDock = nullptr;
    QDockWidget *m_diagnosticsDock = nullptr;
    ToolBar *m_toolBar = nullptr;
    StatusLine *m_status = nullptr;
    CommandPalette *m_palette = nullptr;
    QPointer<QDialog> m_dialog;
};

} // namespace ks
