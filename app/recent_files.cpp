// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recent_files.h"

#include <QFileInfo>
#include <QSettings>

namespace ks {
namespace {

constexpr qsizetype kMost = 10;

QString key()
{
    return QStringLiteral("recentFiles");
}

} // namespace

QStringList recentFiles()
{
    QStringList files = QSettings().value(key()).toStringList();
    files.removeIf([](const QString &path) { return !QFileInfo::exists(path); });
    return files;
}

void rememberFile(const QString &path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList files = QSettings().value(key()).toStringList();
    files.removeAll(absolute);
    files.prepend(absolute);
    QSettings().setValue(key(), files.mid(0, kMost));
}

void forgetRecentFiles()
{
    QSettings().remove(key());
}

} // namespace ks
