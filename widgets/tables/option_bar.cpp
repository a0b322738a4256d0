// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tables/option_bar.h"

#include "widgets/state/to_qstring.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>

namespace ks {
namespace {

using Kind = AnalysisOption::Kind;

QString titleOf(const char *text)
{
    QString title = QCoreApplication::translate("Analysis", text);
    if (!title.isEmpty())
        title[0] = title[0].toUpper();
    return title;
}

// What a choice is called when its title is a whole sentence.
QString nameOf(const AnalysisChoice &choice)
{
    return titleOf(choice.title);
}

} // namespace

OptionBar::OptionBar(const Analysis &analysis, QWidget *parent)
    : QWidget(parent)
    , m_options(analysis)
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    for (const AnalysisOption &option : analysis.options)
        add(option, *layout);
    layout->addStretch();
}

bool OptionBar::isEmpty() const
{
    return findChildren<QWidget *>(Qt::FindDirectChildrenOnly).isEmpty();
}

void OptionBar::add(const AnalysisOption &option, QHBoxLayout &layout)
{
    const QString title = titleOf(option.title);
    QWidget *control = nullptr;
    switch (option.kind) {
    case Kind::Flag: {
        auto *box = new QCheckBox(title, this);
        connect(box, &QCheckBox::toggled, this,
                [this, &option](bool isOn) { set(option, isOn ? QStringLiteral("true") : QStringLiteral("false")); });
        control = box;
        break;
    }
    case Kind::Choice:
    case Kind::View: {
        auto *list = new QComboBox(this);
        for (const AnalysisChoice &choice : option.choices)
            list->addItem(nameOf(choice), toQString(choice.id));
        connect(list, &QComboBox::currentIndexChanged, this,
                [this, &option, list] { set(option, list->currentData().toString()); });
        control = list;
        break;
    }
    case Kind::Count: {
        auto *number = new QSpinBox(this);
        number->setRange(0, 1000);
        number->setSpecialValueText(tr("off"));
        number->setPrefix(toQString(option.id) + QLatin1Char(' '));
        connect(number, &QSpinBox::valueChanged, this,
                [this, &option](int value) { set(option, QString::number(value)); });
        control = number;
        break;
    }
    case Kind::Duration:
    case Kind::Moment:
    case Kind::Text: {
        auto *line = new QLineEdit(this);
        line->setPlaceholderText(toQString(option.id));
        line->setMaximumWidth(line->fontMetrics().averageCharWidth() * 18);
        connect(line, &QLineEdit::editingFinished, this, [this, &option, line] {
            if (line->isModified())
                set(option, line->text().trimmed());
            line->setModified(false);
        });
        control = line;
        break;
    }
    }
    control->setObjectName(QStringLiteral("option.") + toQString(option.id));
    control->setAccessibleName(title);
    control->setToolTip(title);
    layout.addWidget(control);
}

void OptionBar::set(const AnalysisOption &option, const QString &value)
{
    AnalysisOptions changedOptions = m_options;
    try {
        changedOptions.set(option.id, value.toStdString());
    } catch (const AnalysisError &error) {
        emit refused(toQString(error.what()));
        return;
    }
    m_options = std::move(changedOptions);
    emit changed();
}

} // namespace ks
