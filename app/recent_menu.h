// SPDX-License-Identifier: GPL-3.0-or-later
// The traces opened last, to open again.
#pragma once

#include <QMenu>

namespace ks {

class RecentMenu : public QMenu
{
    Q_OBJECT
public:
    explicit RecentMenu(QWidget *parent = nullptr);

signals:
    void chosen(const QString &path);
    void forgotten(); // all of them

private:
    void fill();
};

} // namespace ks
