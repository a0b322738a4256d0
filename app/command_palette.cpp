// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_palette.h"

#include "app/fuzzy.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace ks {
namespace {

constexpr int kKeysRole = Qt::UserRole;

QString plainText(const QAction &action)
{
    QString text = action.text();
    return text.remove(QLatin1Char('&'));
}

// The name on the left, the key on the right.
class CommandDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::paint(painter, option, index);
        const bool isOn = index.flags().testFlag(Qt::ItemIsEnabled);
        const bool isSelected = option.state.testFlag(QStyle::State_Selected);
        painter->save();
        painter->setPen(option.palette.color(isOn ? QPalette::Active : QPalette::Disabled,
                                             isSelected ? QPalette::HighlightedText : QPalette::PlaceholderText));
        painter->drawText(option.rect.adjusted(0, 0, -8, 0), Qt::AlignRight | Qt::AlignVCenter, index.data(kKeysRole).toString());
        painter->restore();
    }
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const QSize size = QStyledItemDelegate::sizeHint(option, index);
        return {size.width(), option.fontMetrics.height() + 8};
    }
};

} // namespace

CommandModel::CommandModel(const Actions &actions, QObject *parent)
    : QAbstractListModel(parent)
    , m_actions(actions)
{}

void CommandModel::setPattern(const QString &pattern)
{
    struct Hit
    {
        QAction *action;
        int score;
    };
    std::vector<Hit> hits;
    for (const Actions::Entry &entry : m_actions.all()) {
        const int score = fuzzyScore(pattern, plainText(*entry.action));
        if (score > 0)
            hits.push_back({entry.action, score});
    }
    std::stable_sort(hits.begin(), hits.end(), [](const Hit &a, const Hit &b) {
        if (a.action->isEnabled() != b.action->isEnabled())
            return a.action->isEnabled();
        return a.score > b.score;
    });
    beginResetModel();
    m_shown.clear();
    for (const Hit &hit : hits)
        m_shown.push_back(hit.action);
    endResetModel();
}

QAction *CommandModel::actionAt(int row) const
{
    return row >= 0 && row < rowCount() ? m_shown[static_cast<std::size_t>(row)] : nullptr;
}

int CommandModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

QVariant CommandModel::data(const QModelIndex &index, int role) const
{
    const QAction *action = checkIndex(index, CheckIndexOption::IndexIsValid) ? actionAt(index.row()) : nullptr;
    if (!action)
        return {};
    switch (role) {
    case Qt::DisplayRole: return plainText(*action);
    case Qt::ToolTipRole: return action->toolTip();
    case Qt::AccessibleTextRole: return QStringLiteral("%1 %2").arg(plainText(*action), Actions::keysText(*action));
    case kKeysRole: return Actions::keysText(*action);
    default: return {};
    }
}

Qt::ItemFlags CommandModel::flags(const QModelIndex &index) const
{
    const QAction *action = actionAt(index.row());
    return action && action->isEnabled() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags;
}

CommandPalette::CommandPalette(Actions &actions, QWidget *window)
    : QFrame(window, Qt::Popup)
    , m_actions(actions)
    , m_model(new CommandModel(actions, this))
    , m_line(new QLineEdit(this))
    , m_list(new QListView(this))
{
    setObjectName(QStringLiteral("commandPalette"));
    setAccessibleName(tr("Command palette"));
    setFrameShape(QFrame::StyledPanel);
    m_line->setPlaceholderText(tr("Type a few letters of a command"));
    m_line->setAccessibleName(tr("Search commands"));
    m_line->setClearButtonEnabled(true);
    m_line->installEventFilter(this);
    m_list->setModel(m_model);
    m_list->setItemDelegate(new CommandDelegate(m_list));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setAccessibleName(tr("Commands"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->addWidget(m_line);
    layout->addWidget(m_list);
    connect(m_line, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_model->setPattern(text);
        m_list->setCurrentIndex(m_model->index(0));
    });
    connect(m_list, &QListView::clicked, this, [this] { accept(); });
}

void CommandPalette::open()
{
    m_actions.refresh();
    m_line->clear();
    m_model->setPattern({});
    m_list->setCurrentIndex(m_model->index(0));
    const QWidget *window = parentWidget();
    resize(std::min(560, window->width() - 40), std::min(420, window->height() - 80));
    move(window->mapToGlobal(QPoint((window->width() - width()) / 2, 48)));
    show();
    m_line->setFocus();
}

bool CommandPalette::eventFilter(QObject *watched, QEvent *event)
{
    if (watched != m_line || event->type() != QEvent::KeyPress)
        return QFrame::eventFilter(watched, event);
    const auto *key = static_cast<QKeyEvent *>(event);
    const int row = m_list->currentIndex().row();
    const int page = std::max(1, m_list->height() / std::max(1, m_list->sizeHintForRow(0)) - 1);
    const auto to = [&](int wanted) {
        m_list->setCurrentIndex(m_model->index(std::clamp(wanted, 0, std::max(0, m_model->rowCount() - 1))));
        return true;
    };
    switch (key->key()) {
    case Qt::Key_Down: return to(row + 1);
    case Qt::Key_Up: return to(row - 1);
    case Qt::Key_PageDown: return to(row + page);
    case Qt::Key_PageUp: return to(row - page);
    case Qt::Key_Return:
    case Qt::Key_Enter: accept(); return true;
    default: return QFrame::eventFilter(watched, event);
    }
}

void CommandPalette::accept()
{
    QAction *action = m_model->actionAt(m_list->currentIndex().row());
    if (!action || !action->isEnabled())
        return;
    hide(); // the focus goes back first: a command may depend on it
    action->trigger();
}

} // namespace ks
