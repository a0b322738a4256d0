// SPDX-License-Identifier: GPL-3.0-or-later
// The traces opened last, newest first, at most ten; kept in QSettings.
#pragma once

#include <QString>
#include <QStringList>

namespace ks {

QStringList recentFiles(); // those that still exist
void rememberFile(const QString &path);
void forgetRecentFiles();

} // namespace ks
