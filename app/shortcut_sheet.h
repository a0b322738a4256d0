// SPDX-License-Identifier: GPL-3.0-or-later
// All keys on one page: those of the command table, and those of the mouse and the timeline.
#pragma once

#include "app/actions.h"

#include <QDialog>

namespace ks {

class ShortcutSheet : public QDialog
{
    Q_OBJECT
public:
    explicit ShortcutSheet(const Actions &actions, QWidget *parent = nullptr);
};

} // namespace ks
