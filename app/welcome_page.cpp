// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/welcome_page.h"

#include "app/recent_files.h"

#include <QDir>
#include <QFileInfo>
#include <QFontDatabase>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

namespace ks {
namespace {

const char *const kRecipe = "from torch.profiler import profile, tensorboard_trace_handler\n"
                            "\n"
                            "with profile(with_stack=True, record_shapes=True, profile_memory=True,\n"
                            "             on_trace_ready=tensorboard_trace_handler(\"traces\")) as prof:\n"
                            "    for batch in loader:\n"
                            "        train(batch)\n"
                            "        prof.step()";

QLabel *heading(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    QFont font = label->font();
    font.setBold(true);
    label->setFont(font);
    return label;
}

} // namespace

WelcomePage::WelcomePage(QWidget *parent)
    : QWidget(parent)
    , m_recent(new QListWidget(this))
    , m_recentBox(new QWidget(this))
{
    setObjectName(QStringLiteral("welcome"));
    auto *column = new QWidget(this);
    column->setMaximumWidth(720);
    column->setMinimumWidth(420);
    auto *layout = new QVBoxLayout(column);
    layout->setSpacing(8);

    auto *title = new QLabel(tr("Kinetoscope"), column);
    QFont font = title->font();
    font.setPointSizeF(font.pointSizeF() * 1.8);
    font.setBold(true);
    title->setFont(font);
    layout->addWidget(title);
    layout->addWidget(new QLabel(tr("Drop a PyTorch profiler trace here (.json, .json.gz, .json.zst, .zip)"), column));
    auto *open = new QPushButton(tr("Open a trace…"), column);
    open->setObjectName(QStringLiteral("welcome.open"));
    open->setDefault(true);
    open->setMinimumSize(open->sizeHint() + QSize(24, 6));
    connect(open, &QPushButton::clicked, this, &WelcomePage::openRequested);
    layout->addWidget(open, 0, Qt::AlignLeft);

    auto *recentLayout = new QVBoxLayout(m_recentBox);
    recentLayout->setContentsMargins(0, 12, 0, 0);
    recentLayout->addWidget(heading(tr("Opened before"), m_recentBox));
    m_recent->setObjectName(QStringLiteral("welcome.recent"));
    m_recent->setAccessibleName(tr("Traces opened before"));
    m_recent->setFrameShape(QFrame::StyledPanel);
    m_recent->setUniformItemSizes(true);
    connect(m_recent, &QListWidget::itemActivated, this,
            [this](const QListWidgetItem *item) { emit fileRequested(item->data(Qt::UserRole).toString()); });
    connect(m_recent, &QListWidget::itemClicked, this,
            [this](const QListWidgetItem *item) { emit fileRequested(item->data(Qt::UserRole).toString()); });
    recentLayout->addWidget(m_recent);
    layout->addWidget(m_recentBox);

    layout->addSpacing(12);
    layout->addWidget(heading(tr("How to record one"), column));
    auto *recipe = new QLabel(QLatin1String(kRecipe), column);
    recipe->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    recipe->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    recipe->setAutoFillBackground(true);
    recipe->setBackgroundRole(QPalette::Base);
    recipe->setMargin(10);
    recipe->setAccessibleName(tr("Python code that records a trace"));
    layout->addWidget(recipe);

    auto *outer = new QVBoxLayout(this);
    outer->addStretch(1);
    auto *row = new QHBoxLayout;
    row->addStretch(1);
    row->addWidget(column, 6);
    row->addStretch(1);
    outer->addLayout(row);
    outer->addStretch(2);
    setFocusProxy(open);
    refresh();
}

void WelcomePage::refresh()
{
    m_recent->clear();
    const QStringList files = recentFiles();
    for (const QString &path : files) {
        const QFileInfo info(path);
        auto *item = new QListWidgetItem(QStringLiteral("%1   —   %2").arg(info.fileName(), QDir::toNativeSeparators(info.absolutePath())), m_recent);
        item->setData(Qt::UserRole, path);
        item->setToolTip(QDir::toNativeSeparators(path));
    }
    const int rows = std::min(static_cast<int>(files.size()), 6);
    m_recent->setFixedHeight(rows * (m_recent->sizeHintForRow(0) + 1) + 2 * m_recent->frameWidth() + 2);
    m_recentBox->setVisible(!files.isEmpty());
}

} // namespace ks
