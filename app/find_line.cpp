// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/find_line.h"

#include "core/base/format.h"
#include "widgets/state/to_qstring.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>

namespace ks {
namespace {

constexpr int kTypingMs = 150;

QString count(std::size_t n)
{
    return toQString(formatCount(n));
}

} // namespace

FindLine::FindLine(Finder &finder, QWidget *parent)
    : QWidget(parent)
    , m_finder(finder)
    , m_edit(new QLineEdit(this))
    , m_summary(new QLabel(this))
{
    m_edit->setObjectName(QStringLiteral("find"));
    m_edit->setPlaceholderText(tr("Find (Ctrl+F)"));
    m_edit->setClearButtonEnabled(true);
    m_edit->setAccessibleName(tr("Find"));
    m_edit->setToolTip(tr("Marks every event that fits: part of a name, /regex/, or field:value as in the filter. "
                          "F3 and Shift+F3 go through them (Ctrl+F or /)"));
    m_edit->setMinimumWidth(84);
    m_edit->setMaximumWidth(240);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    m_edit->installEventFilter(this);
    m_summary->setObjectName(QStringLiteral("find.summary"));
    m_summary->setAccessibleName(tr("What was found"));
    m_summary->hide();
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_edit, 1);
    layout->addWidget(m_summary);
    m_typing.setSingleShot(true);
    m_typing.setInterval(kTypingMs);
    connect(&m_typing, &QTimer::timeout, this, &FindLine::searchNow);
    connect(m_edit, &QLineEdit::textChanged, &m_typing, qOverload<>(&QTimer::start));
    connect(&finder, &Finder::changed, this, &FindLine::show);
}

void FindLine::start()
{
    m_edit->setFocus(Qt::ShortcutFocusReason);
    m_edit->selectAll();
}

void FindLine::search(const QString &text)
{
    m_edit->setText(text);
    searchNow();
}

void FindLine::searchNow()
{
    m_typing.stop();
    m_finder.search(m_edit->text());
}

void FindLine::step(int direction)
{
    if (m_edit->text() != m_finder.query())
        searchNow();
    if (m_finder.query().isEmpty())
        start();
    else
        m_finder.step(direction);
}

QString FindLine::summary() const
{
    if (m_finder.query().trimmed().isEmpty())
        return {};
    if (!m_finder.error().isEmpty())
        return m_finder.error();
    if (m_finder.isSearching())
        return tr("searching…");
    const Found &found = m_finder.found();
    if (found.count == 0)
        return tr("nothing found");
    const QString hits = m_finder.current() > 0 ? tr("%1 of %2").arg(count(m_finder.current()), count(found.count))
                                                : tr("%1 found").arg(count(found.count));
    return tr("%1 · sum %2 · union %3")
        .arg(hits, toQString(formatDuration(found.sum)), toQString(formatDuration(found.busy)));
}

void FindLine::show()
{
    const QString text = summary();
    m_summary->setText(text);
    m_summary->setToolTip(text);
    m_summary->setVisible(!text.isEmpty());
    if (!m_finder.isSearching() && !text.isEmpty()) {
        QAccessibleEvent alert(m_summary, QAccessible::Alert);
        QAccessible::updateAccessibility(&alert);
    }
}

bool FindLine::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_edit && event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            step(key->modifiers() & Qt::ShiftModifier ? -1 : +1);
            return true;
        }
        if (key->key() == Qt::Key_Escape) {
            m_edit->clear();
            searchNow();
            emit left();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace ks
