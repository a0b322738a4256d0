// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recent_menu.h"

#include "app/recent_files.h"

#include <QFileInfo>

namespace ks {

RecentMenu::RecentMenu(QWidget *parent)
    : QMenu(tr("Open &recent"), parent)
{
    setObjectName(QStringLiteral("recentMenu"));
    connect(this, &QMenu::aboutToShow, this, &RecentMenu::fill);
}

void RecentMenu::fill()
{
    clear();
    const QStringList files = recentFiles();
    for (const QString &path : files) {
        QString text = QFileInfo(path).fileName();
        text.replace(QLatin1Char('&'), QLatin1String("&&"));
        QAction *action = addAction(text, this, [this, path] { emit chosen(path); });
        action->setToolTip(path);
    }
    if (files.isEmpty()) {
        addAction(tr("Nothing yet"))->setEnabled(false);
        return;
    }
    addSeparator();
    addAction(tr("Forget these"), this, [this] {
        forgetRecentFiles();
        emit forgotten();
    });
}

} // namespace ks
