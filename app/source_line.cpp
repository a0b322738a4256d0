// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/source_line.h"

#include "app/main_window.h"
#include "app/message_bar.h"
#include "app/settings.h"

#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QProcess>

namespace ks {
namespace {

class Text
{
    Q_DECLARE_TR_FUNCTIONS(ks::SourceLine)
};

} // namespace

void openSourceLine(MainWindow &window, const Settings &settings, const QString &file, int line)
{
    const QString path = settings.mappedPath(file);
    const QString place = QStringLiteral("%1:%2").arg(path).arg(line);
    if (settings.frameLink() == Settings::FrameLink::Open) {
        QStringList command = settings.editorCommand(path, line);
        const QString program = command.isEmpty() ? QString() : command.takeFirst();
        if (!program.isEmpty() && QProcess::startDetached(program, command)) {
            window.say(Text::tr("Opened %1").arg(place));
            return;
        }
        window.messages().tell(MessageBar::Kind::Error,
                               Text::tr("The editor “%1” did not start; %2 was copied instead.").arg(program, place),
                               {{Text::tr("Settings…"), [&window] { window.showSettings(); }}});
    }
    QApplication::clipboard()->setText(place);
    window.say(Text::tr("Copied: %1").arg(place));
}

} // namespace ks
