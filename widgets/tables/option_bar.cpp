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

// "kernel-delay" -> "Kernel delay": beside a control there is no room for its title, which is a sentence.
QString shortName(const AnalysisOption &option)
{
    QString name = toQString(option.id);
    name.replace(QLatin1Char('-'), QLatin1Char(' '));
    name[0] = name[0].toUpper();
    return name;
}

} // namespace

OptionBar::OptionBar(const Analysis &analysis, QWidget *parent)
    : QWidget(parent)
    , m_analysis(analysis)
    , m_options(analysis)
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    for (const AnalysisOption &option : analysis.options)
        add(option, *layout);
    layout->addStretch();
    showWhatMatters();
}

void OptionBar::choose(std::string_view option, std::string_view choice)
{
    if (auto *list = findChild<QComboBox *>(QStringLiteral("option.") + toQString(option)))
        list->setCurrentIndex(list->findData(toQString(choice)));
}

void OptionBar::showWhatMatters()
{
    for (const AnalysisOption &option : m_analysis.options) {
        if (auto *control = findChild<QWidget *>(QStringLiteral("option.") + toQString(option.id)))
            control->setVisible(m_options.matters(option));
    }
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
        auto *box = new QCheckBox(shortName(option), this);
        connect(box, &QCheckBox::toggled, this,
                [this, &option](bool isOn) { set(option, isOn ? QStringLiteral("true") : QStringLiteral("false")); });
        control = box;
        break;
    }
    case Kind::Choice:
    case Kind::View: {
        auto *list = new QComboBox(this);
        for (const AnalysisChoice &choice : option.choices)
            list->addItem(titleOf(choice.title), toQString(choice.id));
        connect(list, &QComboBox::currentIndexChanged, this,
                [this, &option, list] { set(option, list->currentData().toString()); });
        control = list;
        break;
    }
    case Kind::Count: {
        auto *number = new QSpinBox(this);
        number->setRange(0, 1000);
        number->setSpecialValueText(tr("%1: off").arg(shortName(option)));
        number->setPrefix(tr("%1: ").arg(shortName(option)));
        connect(number, &QSpinBox::valueChanged, this,
                [this, &option](int value) { set(option, QString::number(value)); });
        control = number;
        break;
    }
    case Kind::Duration:
    case Kind::Moment:
    case Kind::Text: {
        auto *line = new QLineEdit(this);
        line->setPlaceholderText(option.kind == Kind::Duration ? tr("%1, such as 30us").arg(shortName(option))
                                 : option.kind == Kind::Moment ? tr("%1 at: peak, 1.5ms").arg(shortName(option))
                                                               : shortName(option));
        constexpr int kPadding = 4; // characters
        line->setFixedWidth(line->fontMetrics().horizontalAdvance(line->placeholderText())
                            + kPadding * line->fontMetrics().averageCharWidth());
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
    showWhatMatters();
    emit changed();
}

} // namespace ks
