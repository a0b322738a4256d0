// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_palette.h"
#include "app/fuzzy.h"
#include "app/main_window.h"
#include "app/settings.h"
#include "app/settings_dialog.h"
#include "widgets/timeline/timeline_view.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>

using namespace ks;

class TstActions : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("kinetoscope"));
        QCoreApplication::setApplicationName(QStringLiteral("tst_actions"));
        QSettings().clear();
    }

    void everyCommandHasATextATipAndAnOwnId()
    {
        Settings settings;
        MainWindow window(settings);
        QSet<QString> ids;
        QVERIFY(window.actions().all().size() > 20);
        for (const Actions::Entry &entry : window.actions().all()) {
            QVERIFY2(!entry.row.text.isEmpty(), qPrintable(entry.row.id));
            QVERIFY2(!entry.row.tip.isEmpty(), qPrintable(entry.row.id));
            QVERIFY2(entry.row.id.contains(QLatin1Char('.')), qPrintable(entry.row.id));
            QVERIFY2(!ids.contains(entry.row.id), qPrintable(entry.row.id));
            ids.insert(entry.row.id);
            for (const QKeySequence &key : entry.action->shortcuts())
                QVERIFY2(entry.action->toolTip().contains(key.toString(QKeySequence::NativeText)), qPrintable(entry.row.id));
        }
    }

    void everyKeyBelongsToOneCommand()
    {
        Settings settings;
        MainWindow window(settings);
        QHash<QKeySequence, QString> owners;
        for (const Actions::Entry &entry : window.actions().all()) {
            for (const QKeySequence &key : entry.action->shortcuts()) {
                QVERIFY2(!owners.contains(key), qPrintable(key.toString() + QLatin1Char(' ') + owners.value(key) + QLatin1Char(' ') + entry.row.id));
                owners.insert(key, entry.row.id);
            }
        }
    }

    void singleLettersBelongToTheTimeline()
    {
        Settings settings;
        MainWindow window(settings);
        for (const Actions::Entry &entry : window.actions().all()) {
            for (const QKeySequence &key : entry.action->shortcuts()) {
                const QString text = key.toString();
                if (text.size() == 1 && text.front().isLetterOrNumber())
                    QVERIFY2(entry.row.scope == ActionScope::Timeline, qPrintable(entry.row.id));
            }
            if (entry.row.scope == ActionScope::Timeline)
                QVERIFY2(window.timeline().actions().contains(entry.action), qPrintable(entry.row.id));
        }
    }

    void everyCommandIsInAMenu()
    {
        Settings settings;
        MainWindow window(settings);
        QSet<QAction *> inMenus;
        const auto menus = window.menuBar()->findChildren<QMenu *>();
        for (const QMenu *menu : menus) {
            const auto actions = menu->actions();
            inMenus.unite(QSet<QAction *>(actions.begin(), actions.end()));
        }
        for (const Actions::Entry &entry : window.actions().all())
            QVERIFY2(inMenus.contains(entry.action), qPrintable(entry.row.id));
    }

    void withoutATraceOnlyWhatMakesSenseIsOn()
    {
        Settings settings;
        MainWindow window(settings);
        for (const char *id : {"file.reload", "go.operator", "go.back", "view.fitAll", "edit.copyName"})
            QVERIFY2(!window.actions().action(QLatin1String(id))->isEnabled(), id);
        for (const char *id : {"file.open", "help.palette", "edit.settings", "view.diagnostics"})
            QVERIFY2(window.actions().action(QLatin1String(id))->isEnabled(), id);
    }

    void thePaletteFindsCommandsByAFewLetters()
    {
        Settings settings;
        MainWindow window(settings);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        CommandModel model(window.actions());
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setPattern({});
        QCOMPARE(model.rowCount(), static_cast<int>(window.actions().all().size()));
        model.setPattern(QStringLiteral("diag"));
        QCOMPARE(model.actionAt(0)->objectName(), QStringLiteral("view.diagnostics"));
        model.setPattern(QStringLiteral("qqqq"));
        QCOMPARE(model.rowCount(), 0);

        window.actions().action(QStringLiteral("help.palette"))->trigger();
        auto *palette = window.findChild<CommandPalette *>();
        QTRY_VERIFY(palette->isVisible());
        auto *line = palette->findChild<QLineEdit *>();
        QTest::keyClicks(line, QStringLiteral("shdiag"));
        QTest::keyClick(line, Qt::Key_Return);
        QVERIFY(!palette->isVisible());
        QTRY_VERIFY(window.findChild<QWidget *>(QStringLiteral("diagnostics"))->isVisible());
    }

    void lettersInOrderFit_data()
    {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("better");
        QTest::addColumn<QString>("worse");
        QTest::newRow("word starts") << "to" << "To the operator" << "Restore all";
        QTest::newRow("run") << "zoom" << "Zoom in" << "Zigzag, low room";
        QTest::newRow("initials") << "fs" << "Fit the selection" << "Offsets";
        QTest::newRow("must fit") << "xyz" << "xyz" << "Open";
    }
    void lettersInOrderFit()
    {
        QFETCH(QString, pattern);
        QFETCH(QString, better);
        QFETCH(QString, worse);
        QVERIFY(fuzzyScore(pattern, better) > fuzzyScore(pattern, worse));
        QCOMPARE(fuzzyScore(QStringLiteral("openx"), QStringLiteral("Open")), 0);
    }

    void settingsAreKeptAndTold()
    {
        Settings settings;
        QSignalSpy changed(&settings, &Settings::changed);
        QVERIFY(settings.theme() == Settings::Theme::System);
        settings.setValue(Settings::themeKey(), QStringLiteral("dark"));
        settings.setValue(Settings::themeKey(), QStringLiteral("dark"));
        QCOMPARE(changed.count(), 1);
        QVERIFY(Settings().theme() == Settings::Theme::Dark);
        QSettings().setValue(Settings::themeKey(), QStringLiteral("nonsense"));
        QVERIFY(settings.theme() == Settings::Theme::System);

        settings.setValue(Settings::editorKey(), QStringLiteral("kate --line %l \"%f\""));
        QCOMPARE(settings.editorCommand(QStringLiteral("/a b/c.py"), 7),
                 (QStringList{QStringLiteral("kate"), QStringLiteral("--line"), QStringLiteral("7"), QStringLiteral("/a b/c.py")}));
        settings.setValue(Settings::pathMapKey(), QStringLiteral("/x = /y\n /workspace = /home/me/src \nbroken"));
        QCOMPARE(settings.mappedPath(QStringLiteral("/workspace/train.py")), QStringLiteral("/home/me/src/train.py"));
        QCOMPARE(settings.mappedPath(QStringLiteral("train.py")), QStringLiteral("train.py"));
        for (const SettingRow &row : settings.rows())
            settings.setValue(row.key, row.fallback);
        QVERIFY(QSettings().allKeys().filter(QStringLiteral("source/")).isEmpty());
    }

    void theSettingsDialogIsMadeFromTheList()
    {
        Settings settings;
        SettingsDialog dialog(settings);
        for (const SettingRow &row : settings.rows()) {
            const auto *editor = dialog.findChild<QWidget *>(row.key);
            QVERIFY2(editor && !editor->accessibleName().isEmpty(), qPrintable(row.key));
        }
        auto *theme = dialog.findChild<QComboBox *>(Settings::themeKey());
        QVERIFY(theme);
        dialog.show();
        theme->setFocus();
        QTest::keyClick(theme, Qt::Key_Down);
        QVERIFY(settings.theme() == Settings::Theme::Light);
        settings.setValue(Settings::themeKey(), QStringLiteral("system"));
    }
};

QTEST_MAIN(TstActions)
#include "tst_actions.moc"
