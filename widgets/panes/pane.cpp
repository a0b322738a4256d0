// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/pane.h"

#include "core/base/format.h"
#include "widgets/state/to_qstring.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <utility>

namespace ks {
namespace {

constexpr int kPatienceMs = 120;
constexpr int kSilenceMs = 250; // a fast answer comes before that

// Lets what lies below shine through, and the mouse reach it.
class Veil : public QWidget
{
public:
    explicit Veil(QWidget *parent)
        : QWidget(parent)
    {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        hide();
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        constexpr float kOpacity = 0.55F;
        QColor colour = palette().color(QPalette::Base);
        colour.setAlphaF(kOpacity);
        QPainter(this).fillRect(rect(), colour);
    }
};

} // namespace

Pane::Pane(const QString &id, const QString &title, const QString &question, ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
    , m_id(id)
    , m_title(title)
    , m_question(question)
    , m_words(new QLabel(this))
    , m_empty(new QLabel(this))
    , m_progress(new QProgressBar(this))
    , m_stack(new QStackedLayout)
    , m_veil(new Veil(this))
{
    setObjectName(QStringLiteral("pane.") + id);
    m_veil->setObjectName(QStringLiteral("veil.") + id);
    m_words->setObjectName(QStringLiteral("words.") + id);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_words->setTextFormat(Qt::PlainText);
    m_words->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_words->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_stack->addWidget(m_empty);
    m_progress->setTextVisible(false);
    m_progress->setRange(0, 1000);
    m_progress->setFixedHeight(3);
    QSizePolicy keepsRoom = m_progress->sizePolicy();
    keepsRoom.setRetainSizeWhenHidden(true);
    m_progress->setSizePolicy(keepsRoom);
    m_progress->hide();

    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatienceMs);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        m_isOwed = !isOnScreen();
        if (m_isOwed)
            return;
        m_isStale = m_isKept = false;
        compute();
        if (!m_job.isRunning())
            setCounting(false);
    });
    m_silence.setSingleShot(true);
    m_silence.setInterval(kSilenceMs);
    connect(&m_silence, &QTimer::timeout, this, [this] { setCounting(true); });
    connect(&m_job, &JobSlot::progressChanged, this, [this] {
        m_progress->setVisible(true);
        m_progress->setValue(static_cast<int>(m_job.progress().share * 1000));
        if (m_isCounting)
            tellCounted();
    });
    connect(&m_job, &JobSlot::runningChanged, this, [this] {
        m_progress->setVisible(m_job.isRunning() && m_progress->isVisible());
        if (isUpToDate())
            setCounting(false);
    });
    connect(&m_state, &ViewState::tracesChanged, this, [this] {
        m_counted.clear();
        setCounting(false);
        forget();
        say({});
        ask();
    });
    connect(&m_state, &ViewState::filterChanged, this, &Pane::ask);
    connect(&m_state, &ViewState::stepPatternChanged, this, &Pane::ask);
    connect(&m_state, &ViewState::areaChanged, this, [this] {
        if (!concernsView())
            return;
        m_isStale = true;
        // While somebody goes through the rows, each of which may move the view, the answer stays.
        if (!m_isFollowing && (!m_rows->hasFocus() || selectedArea(m_state.selection()))) {
            ask();
        } else if (!m_isKept && !m_isCounting) {
            m_isKept = true;
            tellCounted();
        }
    });
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget *old) {
        if (m_isStale && old && old == m_rows)
            ask();
    });
}

Pane::~Pane()
{
    m_job.cancel();
    disconnect(qApp, nullptr, this, nullptr);
}

void Pane::setContent(QWidget *options, QWidget *content, QWidget *rows)
{
    auto *head = new QHBoxLayout;
    constexpr int kGap = 6;
    head->setContentsMargins(kGap, kGap / 2, kGap, 0);
    if (options)
        head->addWidget(options);
    head->addWidget(m_words, 1);
    m_stack->addWidget(content);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(2);
    layout->addLayout(head);
    layout->addWidget(m_progress);
    layout->addLayout(m_stack, 1);
    m_rows = rows;
    setFocusProxy(rows);
}

QSize Pane::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 30, fontMetrics().height() * 5};
}

QString Pane::words() const
{
    return m_words->text();
}

void Pane::setCounted(const QString &what)
{
    m_counted = what;
    m_words->setToolTip(m_question);
    tellCounted();
}

void Pane::setCounting(bool isCounting)
{
    m_silence.stop();
    m_isCounting = isCounting;
    m_veil->setGeometry(m_stack->currentWidget()->geometry());
    m_veil->setVisible(isCounting && hasRows());
    m_veil->raise();
    tellCounted();
}

void Pane::tellCounted()
{
    if (m_isCounting) {
        const double share = m_job.isRunning() ? m_job.progress().share : 0;
        const QString words =
            share > 0 ? tr("Counting, %1 of it done…").arg(toQString(formatPercent(share))) : tr("Counting…");
        m_words->setText(m_counted.isEmpty() ? words : tr("%1 Still shown: %2").arg(words, m_counted));
    } else if (m_counted.isEmpty()) {
        m_words->clear();
    } else {
        m_words->setText((m_isKept ? tr("Counted: %1, before the view moved") : tr("Counted: %1")).arg(m_counted));
    }
}

void Pane::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_veil->setGeometry(m_stack->currentWidget()->geometry());
}

void Pane::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (m_isStale)
        ask();
}

// A dock behind another one in its tabs counts as visible; it lies beside the window, and is painted once it comes back.
bool Pane::isOnScreen() const
{
    return isVisible() && QRect(mapTo(window(), QPoint()), size()).intersects(window()->rect());
}

void Pane::paintEvent(QPaintEvent *event)
{
    QWidget::paintEvent(event);
    if (std::exchange(m_isOwed, false))
        ask();
}

void Pane::ask()
{
    m_isStale = true;
    m_job.cancel();
    if (isVisible()) {
        m_patience.start();
        if (!m_isCounting && !m_silence.isActive())
            m_silence.start();
    } else {
        m_patience.stop();
        m_silence.stop();
    }
}

void Pane::say(const QString &text)
{
    m_empty->setText(text);
    m_stack->setCurrentIndex(text.isEmpty() && hasRows() ? 1 : 0);
}

void Pane::tell(const JobError &error)
{
    say(toQString(error.message));
    emit failed(toQString(error.message));
}

} // namespace ks
