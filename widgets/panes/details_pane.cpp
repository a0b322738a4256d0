// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/details_pane.h"

#include "core/base/format.h"
#include "widgets/panes/area_work.h"
#include "widgets/panes/details_style.h"
#include "widgets/panes/event_text.h"
#include "widgets/state/to_qstring.h"
#include "widgets/state/trace_names.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QStyle>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace ks {
namespace {

constexpr int kPatienceMs = 80;
constexpr std::size_t kMostOthers = 4; // traces in which the same event is looked for
constexpr int kHistogramHeight = 44;
constexpr int kMargin = 10;

} // namespace

// What a name amounts to in a trace.
struct DetailsPane::Totals
{
    QString trace;
    std::size_t calls = 0;
    TimeNs sum = 0;
    TimeNs shortest = std::numeric_limits<TimeNs>::max();
    TimeNs longest = 0;
};

DetailsPane::DetailsPane(ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
    , m_text(new QTextBrowser(this))
{
    setObjectName(QStringLiteral("details"));
    m_text->setObjectName(QStringLiteral("details.text"));
    m_text->setAccessibleName(tr("Details of the selection"));
    m_text->setOpenLinks(false);
    m_text->setUndoRedoEnabled(false);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // everything wraps
    m_text->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    m_text->setTextInteractionFlags(Qt::TextBrowserInteraction | Qt::TextSelectableByKeyboard);
    m_text->viewport()->installEventFilter(this);
    m_text->document()->setDocumentMargin(kMargin);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_text);
    setFocusProxy(m_text);

    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatienceMs);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        if (const EventRef *event = selectedEvent(m_state.selection()))
            showDetails(*event);
    });
    connect(m_text, &QTextBrowser::anchorClicked, this, &DetailsPane::follow);
    connect(m_text, &QTextBrowser::highlighted, this, &DetailsPane::hover);
    connect(&m_state, &ViewState::selectionChanged, this, &DetailsPane::refresh);
    connect(&m_state, &ViewState::tracesChanged, this, &DetailsPane::refresh);
    refresh();
}

DetailsPane::~DetailsPane() = default;

QString DetailsPane::plainText() const
{
    return m_text->toPlainText();
}

void DetailsPane::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::LanguageChange || event->type() == QEvent::FontChange)
        refresh();
}

void DetailsPane::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (m_stale)
        refresh();
}

bool DetailsPane::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Leave)
        m_state.setHovered({});
    return QWidget::eventFilter(watched, event);
}

void DetailsPane::refresh()
{
    m_stale = !isVisible();
    if (m_stale) {
        m_job.cancel();
        return;
    }
    m_patience.stop();
    m_allFrames = false;
    m_details.reset();
    const Selection &selection = m_state.selection();
    if (const EventRef *event = selectedEvent(selection))
        read(*event);
    else if (const NameId *name = selectedName(selection))
        readName(*name);
    else if (selectedArea(selection))
        readArea();
    else
        showNothing();
}

void DetailsPane::read(EventRef event)
{
    m_patience.start();
    const TraceSet &traces = m_state.traces();
    std::vector<OtherTrace> others;
    for (std::uint32_t i = 0; i < traces.size() && others.size() < kMostOthers; ++i) {
        if (i != event.trace)
            others.push_back({i, traceName(traces, i), traces.share(i)});
    }
    m_job.run(
        [trace = traces.share(event.trace), event, others,
         pattern = m_state.stepPattern()](const Progress &progress) {
            return readDetails(*trace, event.event, others, pattern, progress);
        },
        [this, event](EventDetails details) {
            m_patience.stop();
            m_details = std::move(details);
            showDetails(event);
        },
        [this](const JobError &error) {
            m_patience.stop();
            setPage(QStringLiteral("<p class=\"missing\">%1</p>").arg(toQString(error.message).toHtmlEscaped()));
        });
}

void DetailsPane::showDetails(EventRef event)
{
    const Trace *trace = m_state.traces().trace(event);
    if (!trace)
        return;
    if (m_details) {
        const int room = m_text->width() - style()->pixelMetric(QStyle::PM_ScrollBarExtent) - 2 * kMargin - 4;
        const QSize chart(std::max(120, room), kHistogramHeight);
        m_text->document()->addResource(QTextDocument::ImageResource, QUrl(QStringLiteral("histogram")),
                                        histogramImage(m_details->rank, palette(), chart, devicePixelRatioF()));
    }
    setPage(eventPage(*trace, event.event, m_details ? &*m_details : nullptr, m_allFrames));
}

void DetailsPane::readName(NameId name)
{
    std::vector<std::pair<std::shared_ptr<const Trace>, QString>> traces;
    for (std::uint32_t i = 0; i < m_state.traces().size(); ++i)
        traces.emplace_back(m_state.traces().share(i), traceName(m_state.traces(), i));
    m_job.run(
        [traces, name](const Progress &progress) {
            std::vector<Totals> all;
            for (const auto &[trace, called] : traces) {
                Totals totals;
                totals.trace = called;
                const auto &names = trace->events().name;
                for (std::size_t i = 0; i < names.size(); ++i) {
                    if ((i & 0xffffU) == 0)
                        progress.throwIfStopped();
                    if (names[i] != name)
                        continue;
                    const TimeNs duration = trace->duration(static_cast<EventId>(i));
                    ++totals.calls;
                    totals.sum = saturatingAdd(totals.sum, duration);
                    totals.shortest = std::min(totals.shortest, duration);
                    totals.longest = std::max(totals.longest, duration);
                }
                all.push_back(totals);
            }
            return all;
        },
        [this, name](const std::vector<Totals> &all) { showName(name, all); }, [](const JobError &) {});
}

// Of several traces each for itself: two runs do not add up.
void DetailsPane::showName(NameId name, const std::vector<Totals> &all)
{
    const auto duration = [](TimeNs ns) { return toQString(formatDuration(ns)); };
    QString html = QStringLiteral("<p class=\"title\">%1</p>").arg(toQString(nameText(name)).toHtmlEscaped());
    for (const Totals &totals : all) {
        QString text = totals.calls == 1 ? tr("%1 event of this name, %2") : tr("%1 events of this name, %2 in sum");
        text = text.arg(toQString(formatCount(totals.calls)), duration(totals.sum));
        if (totals.calls == 0)
            text = tr("no event of this name");
        if (all.size() > 1)
            html += QStringLiteral("<p class=\"heading\">%1</p>").arg(totals.trace.toHtmlEscaped());
        html += QStringLiteral("<p class=\"sub\">%1</p>").arg(text.toHtmlEscaped());
        if (totals.calls > 1) {
            const TimeNs mean = totals.sum / static_cast<TimeNs>(totals.calls);
            html += QStringLiteral("<p class=\"sub\">%1</p>")
                        .arg(tr("mean %1 · shortest %2 · longest %3")
                                 .arg(duration(mean), duration(totals.shortest), duration(totals.longest)));
        }
    }
    setPage(html);
}

void DetailsPane::readArea()
{
    const Area area = *selectedArea(m_state.selection());
    m_job.run(
        areaWork(m_state.traces(), area),
        [this, area](const WorkSummary &work) {
            QString html = QStringLiteral("<p class=\"title\">%1</p><p class=\"sub\">%2</p>")
                               .arg(tr("%1 selected").arg(toQString(formatDuration(area.range.duration()))),
                                    area.lanes.empty() ? tr("on all lanes")
                                                       : (area.lanes.size() == 1 ? tr("on 1 lane") : tr("on %1 lanes").arg(area.lanes.size())));
            html += QStringLiteral("<p class=\"gap\">&nbsp;</p><p>%1</p><p>%2</p>")
                        .arg(work.events == 1 ? tr("1 event") : tr("%1 events").arg(toQString(formatCount(work.events))), workText(work));
            setPage(html);
        },
        [](const JobError &) {});
}

void DetailsPane::showNothing()
{
    m_job.cancel();
    const QString title = m_state.traces().isEmpty() ? tr("No trace is open") : tr("Nothing is selected");
    const QString help = m_state.traces().isEmpty()
                             ? tr("Open a trace, or drop one on the window.")
                             : tr("Click an event on the timeline to see what it is and why it ran: the python line, module and "
                                  "operator behind a kernel, how long it waited, its arguments.");
    setPage(QStringLiteral("<p class=\"title\">%1</p><p class=\"sub\">%2</p>").arg(title, help));
}

void DetailsPane::setPage(const QString &html)
{
    const int scroll = m_allFrames ? m_text->verticalScrollBar()->value() : 0;
    m_text->document()->setDefaultStyleSheet(detailsStyleSheet(palette()));
    m_text->setHtml(html);
    m_text->verticalScrollBar()->setValue(scroll);
}

void DetailsPane::hover(const QUrl &url)
{
    const EventRef *selected = selectedEvent(m_state.selection());
    const DetailsLink link = DetailsLink::fromUrl(url);
    if (!selected || link.event == kNoEvent)
        m_state.setHovered({});
    else if (link.kind == DetailsLink::Kind::Counterpart)
        m_state.setHovered(m_state.traces().ref(link.trace, link.event));
    else
        m_state.setHovered(m_state.traces().sibling(*selected, link.event));
}

void DetailsPane::follow(const QUrl &url)
{
    const EventRef *selected = selectedEvent(m_state.selection());
    if (!selected)
        return;
    const EventRef at = *selected; // following the link changes the selection
    const Trace *trace = m_state.traces().trace(at);
    const DetailsLink link = DetailsLink::fromUrl(url);
    switch (link.kind) {
    case DetailsLink::Kind::None: break;
    case DetailsLink::Kind::Event: m_state.reveal(m_state.traces().sibling(at, link.event)); break;
    case DetailsLink::Kind::Counterpart:
        if (link.trace < m_state.traces().size() && index(link.event) < m_state.traces().at(link.trace).eventCount())
            m_state.reveal(m_state.traces().ref(link.trace, link.event));
        break;
    case DetailsLink::Kind::Source:
        if (const auto source = sourceLineOf(trace->name(link.event)))
            emit sourceLineActivated(source->file, source->line);
        break;
    case DetailsLink::Kind::Copy:
        QApplication::clipboard()->setText(link.text);
        emit copied(link.text);
        break;
    case DetailsLink::Kind::Benchmark:
        emit benchmarkRequested(m_state.traces().sibling(at, link.event));
        break;
    case DetailsLink::Kind::AllFrames:
        m_allFrames = true;
        showDetails(at);
        break;
    case DetailsLink::Kind::Work: {
        const auto work = deviceWorkBelow(*trace, at.event);
        std::vector<EventRef> marked;
        std::transform(work.begin(), work.end(), std::back_inserter(marked),
                       [&](EventId event) { return m_state.traces().sibling(at, event); });
        if (!marked.empty())
            m_state.reveal(marked.front(), marked);
        break;
    }
    case DetailsLink::Kind::Reload: emit reloadRequested(at.trace); break;
    }
}

} // namespace ks
