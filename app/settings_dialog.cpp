// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QVBoxLayout>

namespace ks {

SettingsDialog::SettingsDialog(Settings &settings, QWidget *parent)
    : QDialog(parent)
    , m_settings(settings)
{
    setWindowTitle(tr("Settings"));
    auto *layout = new QVBoxLayout(this);
    auto *form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    for (const SettingRow &row : settings.rows()) {
        QWidget *editor = editorOf(row);
        editor->setObjectName(row.key);
        editor->setAccessibleName(row.title);
        editor->setAccessibleDescription(row.help);
        editor->setToolTip(row.help);
        form->addRow(row.title, editor);
        auto *help = new QLabel(row.help, this);
        help->setEnabled(false);
        form->addRow(QString(), help);
    }
    layout->addLayout(form);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(buttons);
    resize(560, sizeHint().height());
}

QWidget *SettingsDialog::editorOf(const SettingRow &row)
{
    const QString key = row.key;
    if (!row.choices.isEmpty()) {
        auto *box = new QComboBox(this);
        for (const SettingChoice &choice : row.choices)
            box->addItem(choice.text, choice.value);
        box->setCurrentIndex(box->findData(m_settings.value(key)));
        connect(box, &QComboBox::activated, this, [this, box, key] { m_settings.setValue(key, box->currentData().toString()); });
        return box;
    }
    if (row.isMultiLine) {
        auto *edit = new QPlainTextEdit(m_settings.value(key), this);
        edit->setTabChangesFocus(true);
        edit->setFixedHeight(edit->fontMetrics().lineSpacing() * 4);
        connect(edit, &QPlainTextEdit::textChanged, this, [this, edit, key] { m_settings.setValue(key, edit->toPlainText()); });
        return edit;
    }
    auto *edit = new QLineEdit(m_settings.value(key), this);
    connect(edit, &QLineEdit::textEdited, this, [this, key](const QString &text) { m_settings.setValue(key, text); });
    return edit;
}

} // namespace ks
