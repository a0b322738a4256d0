// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/take_out.h"

#include "app/copy_text.h"
#include "app/main_window.h"
#include "app/message_bar.h"
#include "app/status_line.h"
#include "core/base/format.h"
#include "widgets/charts/picture_menu.h"
#include "widgets/state/to_qstring.h"
#include "widgets/timeline/timeline_view.h"

#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>

namespace ks {
namespace {

class Text
{
    Q_DECLARE_TR_FUNCTIONS(ks::TakeOut)
};

} // namespace

void connectSaver(MainWindow &w)
{
    const auto showProgress = [&w] {
        if (w.saver().isSaving())
            w.status().showWork(Text::tr("Saving %1").arg(QFileInfo(w.saver().path()).fileName()), w.saver().share());
        else if (!w.loader().isLoading())
            w.status().hideLoading();
    };
    QObject::connect(&w.saver(), &PartSaver::savingChanged, &w, showProgress);
    QObject::connect(&w.saver(), &PartSaver::progressChanged, &w, showProgress);
    QObject::connect(&w.status(), &StatusLine::cancelRequested, &w.saver(), &PartSaver::cancel);
    QObject::connect(&w.saver(), &PartSaver::saved, &w, [&w](const QString &path, quint64 events, quint64 bytes) {
        w.messages().tell(
            MessageBar::Kind::Note,
            (events == 1 ? Text::tr("Saved %1 event to %2 (%3).") : Text::tr("Saved %1 events to %2 (%3)."))
                .arg(toQString(formatCount(events)), QFileInfo(path).fileName(),
                     toQString(formatBytes(static_cast<std::int64_t>(bytes)))),
            {{Text::tr("Open it"), [&w, path] { w.open({path}); }}});
    });
    QObject::connect(&w.saver(), &PartSaver::failed, &w, [&w](const QString &path, const QString &why) {
        w.messages().tell(MessageBar::Kind::Error,
                          Text::tr("%1 was not saved. %2").arg(QFileInfo(path).fileName(), why));
    });
}

void choosePart(MainWindow &w)
{
    const TracePart part = selectedPart(w.state());
    if (!part.trace)
        return;
    auto *dialog = new QFileDialog(&w, Text::tr("Save %1 as a trace").arg(part.words));
    dialog->setObjectName(QStringLiteral("savePart"));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({Text::tr("Packed traces (*.json.gz)"), Text::tr("Traces (*.json)")});
    dialog->setDefaultSuffix(QStringLiteral("json.gz"));
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString &filter) {
        dialog->setDefaultSuffix(filter.contains(QLatin1String(".gz")) ? QStringLiteral("json.gz")
                                                                       : QStringLiteral("json"));
    });
    const QFileInfo source(toQString(part.trace->metadata().path));
    if (source.exists())
        dialog->setDirectory(source.absolutePath());
    dialog->selectFile(Text::tr("%1-part.json.gz").arg(source.fileName().section(QLatin1Char('.'), 0, 0)));
    QObject::connect(dialog, &QFileDialog::fileSelected, &w,
                     [&w, part](const QString &path) { w.saver().save(part, path); });
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void copyBenchmark(MainWindow &w, EventRef op)
{
    QString script;
    try {
        script = benchmarkText(w.state(), op);
    } catch (const SourceChanged &) {
        w.say(Text::tr("The trace changed on disk since it was opened; reload it first."));
        return;
    }
    if (script.isEmpty()) {
        w.say(Text::tr("This is no operator of PyTorch that a script could call."));
        return;
    }
    QApplication::clipboard()->setText(script);
    w.say(Text::tr("Copied a script that measures %1").arg(script.section(QLatin1Char(','), 0, 0).mid(2)));
}

void exportTimeline(MainWindow &w)
{
    askForPicture(
        w.timeline(), [&w](const QString &path) { w.say(Text::tr("Exported to %1").arg(path)); },
        [&w](const QString &why) { w.messages().tell(MessageBar::Kind::Error, why); });
}

} // namespace ks
