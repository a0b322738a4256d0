// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog made from the list of settings. Not modal; a change acts at once.
#pragma once

#include "app/settings.h"

#include <QDialog>

namespace ks {

class SettingsDialog : public QDialog
{
    Q_OBJECT
public:
    explicit SettingsDialog(Settings &settings, QWidget *parent = nullptr);

private:
    QWidget *editorOf(const SettingRow &row);

    Settings &m_settings;
};

} // namespace ks
