// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/filter_line.h"

#include "core/base/format.h"
#include "widgets/state/to_qstring.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QCoreApplication>
#include <QInputMethodEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QStringListModel>
#include <QTextCharFormat>

#include <algorithm>

namespace ks {
namespace {

constexpr int kTypingMs = 200;
constexpr QColor kFaultColour(0xd9, 0x44, 0x44);

} // namespace

FilterLine::FilterLine(ViewState &state, const FilterJob &job, QWidget *parent)
    : QLineEdit(parent)
    , m_state(state)
    , m_job(job)
    , m_choices(new QStringListModel(this))
    , m_completer(new QCompleter(m_choices, this))
{
    setObjectName(QStringLiteral("filter"));
    setPlaceholderText(tr("Filter  name:gemm dur>100us stream:7  (Ctrl+L)"));
    setClearButtonEnabled(true);
    setAccessibleName(tr("Filter"));
    setMinimumWidth(84);
    m_typing.setSingleShot(true);
    m_typing.setInterval(kTypingMs);
    connect(&m_typing, &QTimer::timeout, this, &FilterLine::applyNow);
    connect(this, &QLineEdit::textEdited, &m_typing, qOverload<>(&QTimer::start));
    m_completer->setWidget(this);
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion); // what fits is decided here
    m_completer->setMaxVisibleItems(12);
    connect(m_completer, qOverload<const QString &>(&QCompleter::activated), this, &FilterLine::take);
    connect(this, &QLineEdit::textEdited, this, [this] { offer(false); });
    connect(&state.traces(), &TraceSet::changed, this, [this] {
        m_collecting.cancel();
        m_values.reset();
        m_completer->popup()->hide();
    });
    connect(this, &QLineEdit::textChanged, this, [this](const QString &text) {
        if (text.isEmpty()) // the clear button is no edit
            applyNow();
    });
    connect(&state, &ViewState::filterChanged, this, [this] {
        if (text() != m_state.filter())
            setText(m_state.filter());
    });
    connect(&job, &FilterJob::changed, this, &FilterLine::showJob);
    connect(&job, &FilterJob::progressed, this, &FilterLine::tellMatching);
    showJob();
}

void FilterLine::start()
{
    setFocus(Qt::ShortcutFocusReason);
    selectAll();
}

QStringList FilterLine::offered() const
{
    return m_completer->popup()->isVisible() ? m_choices->stringList() : QStringList();
}

void FilterLine::focusInEvent(QFocusEvent *event)
{
    QLineEdit::focusInEvent(event);
    collectValues();
}

void FilterLine::collectValues()
{
    const TraceSet &traces = m_state.traces();
    if (m_values || m_collecting.isRunning() || traces.isEmpty())
        return;
    std::vector<RankTrace> all;
    for (std::uint32_t i = 0; i < traces.size(); ++i)
        all.push_back({traces.share(i), traces.at(i).metadata().rank});
    m_collecting.run(
        [all, pattern = m_state.stepPattern()](const Progress &progress) {
            return std::make_shared<const FilterValues>(filterValues(all, pattern, progress));
        },
        [this](std::shared_ptr<const FilterValues> values) {
            m_values = std::move(values);
            if (hasFocus() && m_typing.isActive())
                offer(false);
        },
        [](const JobError &) {}); // then nothing is offered
}

void FilterLine::offer(bool isAsked)
{
    collectValues();
    const QByteArray before = text().left(cursorPosition()).toUtf8();
    FilterCompletion completion;
    if (m_values)
        completion = completeFilter({before.constData(), static_cast<std::size_t>(before.size())},
                                    static_cast<std::size_t>(before.size()), *m_values);
    const bool isWritten = static_cast<qsizetype>(completion.from) < before.size()
                           || before.endsWith(':'); // behind a field its values are wanted
    if (completion.choices.empty() || (!isWritten && !isAsked)) {
        m_completer->popup()->hide();
        return;
    }
    m_from = QString::fromUtf8(before.left(static_cast<qsizetype>(completion.from))).size();
    QStringList choices;
    for (const std::string &choice : completion.choices)
        choices << toQString(choice);
    m_choices->setStringList(choices);
    m_completer->popup()->setCurrentIndex({});
    m_completer->complete();
}

// A field goes on with its values, a value is the end of a term.
void FilterLine::take(const QString &choice)
{
    const QString rest = text().mid(cursorPosition());
    const bool isField =
        choice.endsWith(QLatin1Char(':')) || choice.endsWith(QLatin1Char('>')) || choice.endsWith(QLatin1Char('.'));
    const QString head =
        text().left(m_from) + choice + (isField || rest.startsWith(QLatin1Char(' ')) ? QString() : QStringLiteral(" "));
    setText(head + rest);
    setCursorPosition(static_cast<int>(head.size()));
    if (isField)
        QTimer::singleShot(0, this, [this] { offer(false); }); // once the list that was clicked is closed
    else
        m_typing.start();
}

void FilterLine::applyNow()
{
    m_typing.stop();
    m_state.setFilter(text());
}

void FilterLine::showJob()
{
    tellMatching();
    mark(text() == m_state.filter() ? m_job.fault().at : -1);
}

void FilterLine::tellMatching()
{
    QString tip =
        tr("Dims what does not match: part of a name, /regex/, field:value, dur>100us; and, or, not (Ctrl+L)");
    const FilterFault &fault = m_job.fault();
    if (!fault.why.isEmpty())
        tip = fault.why;
    else if (!m_state.filter().trimmed().isEmpty() && !m_job.isRunning())
        tip = m_job.matching() == 1 ? tr("1 event matches")
                                    : tr("%1 events match").arg(toQString(formatCount(m_job.matching())));
    else if (m_job.isRunning() && m_job.share() > 0)
        tip = tr("%1 events match so far, %2 of their arguments read")
                  .arg(toQString(formatCount(m_job.matching())), toQString(formatPercent(m_job.share())));
    setToolTip(tip);
    setAccessibleDescription(tip);
    update();
}

// Below the text, how far the arguments are read.
void FilterLine::paintEvent(QPaintEvent *event)
{
    QLineEdit::paintEvent(event);
    if (!m_job.isRunning() || m_job.share() <= 0)
        return;
    constexpr double kHeight = 2;
    QPainter(this).fillRect(QRectF(0, height() - kHeight, width() * m_job.share(), kHeight),
                            palette().color(QPalette::Highlight));
}

// Underlines from where the filter cannot be read.
void FilterLine::mark(qsizetype from)
{
    QList<QInputMethodEvent::Attribute> attributes;
    if (from >= 0 && !text().isEmpty()) {
        const auto first =
            static_cast<int>(std::min(from, text().size() - 1)); // what is missing is missing behind the last
        QTextCharFormat format;
        format.setForeground(kFaultColour);
        format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        format.setUnderlineColor(kFaultColour);
        attributes << QInputMethodEvent::Attribute(QInputMethodEvent::TextFormat, first - cursorPosition(),
                                                   static_cast<int>(text().size()) - first, format);
    }
    QInputMethodEvent event(QString(), attributes); // the only way to format the text of a line edit
    QCoreApplication::sendEvent(this, &event);
}

void FilterLine::keyPressEvent(QKeyEvent *event)
{
    if (m_completer->popup()->isVisible()
        && (event->key() == Qt::Key_Escape
            || (m_completer->popup()->currentIndex().isValid()
                && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)))) {
        event->ignore(); // for the list
        return;
    }
    if (event->key() == Qt::Key_Space && event->modifiers() == Qt::ControlModifier) {
        offer(true);
        return;
    }
    switch (event->key()) {
    case Qt::Key_Escape:
        clear();
        applyNow();
        emit left();
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        m_completer->popup()->hide();
        applyNow();
        emit left();
        return;
    default: QLineEdit::keyPressEvent(event);
    }
}

} // namespace ks
