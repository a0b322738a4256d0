// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/details_page.h"

#include "core/base/format.h"
#include "widgets/panes/event_text.h"
#include "widgets/state/to_qstring.h"

#include <QCoreApplication>

#include <algorithm>

namespace ks {
namespace {

constexpr int kTitleLength = 160;

class Page
{
    Q_DECLARE_TR_FUNCTIONS(ks::DetailsPage)
public:
    Page(const Trace &trace, EventId event, const EventDetails *details, bool allFrames)
        : m_trace(trace)
        , m_event(event)
        , m_details(details)
        , m_allFrames(allFrames)
    {}

    QString html();

private:
    void title();
    void breadcrumb();
    void sentences();
    void histogram();
    void facts();
    void links();
    void arguments();

    QString link(const DetailsLink &target, const QString &text) const;
    QString eventLink(EventId event, int maxLength = 60) const;
    QString frameLink(EventId frame) const;
    void heading(const QString &text);
    void fact(const QString &name, const QString &valueHtml);
    void numberArg(const QString &name, std::string_view key);
    void bytesArg(const QString &name, std::string_view key);
    QString note(const ChainLink &part) const;
    QString counterpartText(const Counterpart &same) const;
    std::vector<ChainLink> shownChain(std::size_t &hidden) const;

    const Trace &m_trace;
    EventId m_event;
    const EventDetails *m_details;
    bool m_allFrames;
    QString m_html;
};

QString escaped(const QString &text)
{
    return text.toHtmlEscaped();
}

QString Page::link(const DetailsLink &target, const QString &text) const
{
    return QStringLiteral("<a href=\"%1\">%2</a>")
        .arg(escaped(QString::fromLatin1(target.toUrl().toEncoded())), escaped(text));
}

QString Page::eventLink(EventId event, int maxLength) const
{
    return link({DetailsLink::Kind::Event, event, {}}, shortName(m_trace, event, maxLength));
}

// A frame with a line leads to the source; "show" beside it leads to the timeline.
QString Page::frameLink(EventId frame) const
{
    if (!sourceLineOf(m_trace.name(frame)))
        return eventLink(frame);
    return link({DetailsLink::Kind::Source, frame, {}}, shortName(m_trace, frame)) + QStringLiteral(" ")
           + QStringLiteral("<span class=\"small\">") + link({DetailsLink::Kind::Event, frame, {}}, tr("show"))
           + QStringLiteral("</span>");
}

void Page::heading(const QString &text)
{
    m_html += QStringLiteral("<p class=\"heading\">%1</p>").arg(escaped(text.toUpper()));
}

void Page::fact(const QString &name, const QString &valueHtml)
{
    m_html += QStringLiteral("<tr><td class=\"name\">%1</td><td>%2</td></tr>").arg(escaped(name), valueHtml);
}

void Page::title()
{
    const QString name = shortName(m_trace, m_event, kTitleLength);
    m_html += QStringLiteral("<p class=\"title\">%1</p>").arg(escaped(name));
    QStringList parts{kindText(m_trace.kind(m_event))};
    const QString family = familyText(m_trace, m_event);
    if (!family.isEmpty() && family != parts.first())
        parts << family;
    parts << laneText(m_trace, m_trace.lane(m_event));
    m_html += QStringLiteral("<p class=\"sub\">%1</p>").arg(escaped(parts.join(QStringLiteral(" · "))));
    if (m_details && !m_details->why.collective.empty())
        m_html += QStringLiteral("<p class=\"sub\">%1</p>").arg(escaped(toQString(m_details->why.collective)));
}

// The chain without what a first look does not need: of the python frames the innermost of the user's own, of modules and
// operators the innermost few.
std::vector<ChainLink> Page::shownChain(std::size_t &hidden) const
{
    const auto &chain = m_details->why.chain;
    hidden = 0;
    if (m_allFrames)
        return chain;
    EventId ownFrame = kNoEvent;
    for (const ChainLink &part : chain) {
        if (part.role == ChainRole::Python && isOwnFrame(m_trace.name(part.event)))
            ownFrame = part.event;
    }
    std::vector<ChainLink> shown;
    std::size_t modules = 0;
    std::size_t operators = 0;
    for (auto part = chain.rbegin(); part != chain.rend(); ++part) {
        bool show = true;
        if (part->event == m_event)
            show = true;
        else if (part->role == ChainRole::Python)
            show = part->event == ownFrame;
        else if (part->role == ChainRole::Module)
            show = modules++ < 2;
        else if (part->role == ChainRole::Operator)
            show = operators++ < 5;
        if (show)
            shown.push_back(*part);
        else
            ++hidden;
    }
    std::reverse(shown.begin(), shown.end());
    return shown;
}

QString Page::note(const ChainLink &part) const
{
    if (part.event == m_details->why.op)
        return toQString(m_details->why.inputs);
    if (part.role == ChainRole::Launch) {
        if (const auto *correlation = m_trace.links().correlation.find(m_event))
            return tr("correlation %1").arg(*correlation);
    }
    return {};
}

void Page::breadcrumb()
{
    const Why &why = m_details->why;
    const bool isWork = isDeviceWork(m_trace.kind(m_event));
    if (!isWork && why.chain.size() < 2)
        return;
    heading(isWork ? tr("Why it ran") : tr("Where it stands"));
    std::size_t hidden = 0;
    const auto chain = shownChain(hidden);
    m_html += QStringLiteral("<table width=\"100%\" cellspacing=\"0\" cellpadding=\"0\">");
    int depth = 0;
    const auto line = [&](const QString &html, const QString &noteText) {
        const QString corner = depth == 0 ? QString() : QStringLiteral("<span class=\"corner\">└ </span>");
        constexpr qsizetype kLongNote = 18; // has a line of its own
        const bool isLong = noteText.size() > kLongNote;
        // What does not fit beside the name comes below it in one piece.
        QString beside = isLong ? QString() : escaped(noteText);
        beside.replace(QLatin1Char(' '), QChar::Nbsp);
        m_html +=
            QStringLiteral("<tr><td style=\"padding-left:%1px\">%2%3%4</td></tr>")
                .arg(depth * 10)
                .arg(corner, html,
                     beside.isEmpty() ? QString() : QStringLiteral(" <span class=\"note\">%1</span>").arg(beside));
        if (isLong) {
            m_html += QStringLiteral("<tr><td class=\"note\" style=\"padding-left:%1px\">%2</td></tr>")
                          .arg(depth * 10 + 16)
                          .arg(escaped(noteText));
        }
        depth = std::min(depth + 1, 12);
    };
    if (hidden > 0)
        line(link({DetailsLink::Kind::AllFrames, kNoEvent, {}}, tr("… %1 more").arg(hidden)), {});
    for (std::size_t i = 0; i < chain.size(); ++i) {
        const ChainLink &part = chain[i];
        if (part.event == m_event) {
            line(isWork ? tr("this %1").arg(escaped(kindText(m_trace.kind(m_event))))
                        : escaped(shortName(m_trace, m_event)),
                 part.event == why.op && !isWork ? toQString(why.inputs) : QString());
        } else if (part.role == ChainRole::Annotation) {
            // Annotations around each other share a line: ProfilerStep#7 › forward
            QString html = eventLink(part.event);
            while (i + 1 < chain.size() && chain[i + 1].role == ChainRole::Annotation && chain[i + 1].event != m_event)
                html += QStringLiteral(" › ") + eventLink(chain[++i].event);
            line(html, {});
        } else if (part.role == ChainRole::Python) {
            line(frameLink(part.event), {});
        } else {
            line(eventLink(part.event), note(part));
        }
    }
    m_html += QStringLiteral("</table>");
    for (const QString &missing : {missingLaunchText(why.missingLaunch), missingOperatorText(why.missingOperator)}) {
        if (!missing.isEmpty())
            m_html += QStringLiteral("<p class=\"missing\">%1</p>").arg(escaped(missing));
    }
}

void Page::sentences()
{
    const Why &why = m_details->why;
    if (why.forwardOp != kNoEvent) {
        QString html = tr("backward of %1").arg(eventLink(why.forwardOp));
        if (why.forwardModule != kNoEvent)
            html += QStringLiteral(" · ") + eventLink(why.forwardModule);
        if (why.forwardPython != kNoEvent)
            html += QStringLiteral(" · ") + frameLink(why.forwardPython);
        m_html += QStringLiteral("<p class=\"gap\">&nbsp;</p><p>%1</p>").arg(html);
    }
    const QStringList sentences = whySentences(m_trace, m_event, why, m_details->rank);
    m_html += QStringLiteral("<p class=\"gap\">&nbsp;</p>");
    for (const QString &sentence : sentences)
        m_html += QStringLiteral("<p>%1</p>").arg(escaped(sentence));
}

void Page::histogram()
{
    const DurationRank &rank = m_details->rank;
    if (rank.bins.empty() || rank.calls < 8)
        return;
    m_html +=
        QStringLiteral("<p class=\"chart\"><img src=\"histogram\"></p>"
                       "<table width=\"100%\"><tr><td class=\"note\">%1</td><td class=\"note\" align=\"center\">%2</td>"
                       "<td class=\"note\" align=\"right\">%3</td></tr></table>")
            .arg(escaped(toQString(formatDuration(rank.minimum))),
                 escaped(tr("median %1").arg(toQString(formatDuration(rank.median)))),
                 escaped(toQString(formatDuration(rank.maximum))));
}

void Page::numberArg(const QString &name, std::string_view key)
{
    if (!m_details)
        return;
    if (const auto json = findArg(m_details->args, key))
        fact(name, escaped(toQString(argText(*json))));
}

void Page::bytesArg(const QString &name, std::string_view key)
{
    const auto json = m_details ? findArg(m_details->args, key) : std::nullopt;
    if (!json)
        return;
    bool isNumber = false;
    const QString text = toQString(argText(*json));
    const qint64 bytes = text.toLongLong(&isNumber);
    fact(name, escaped(isNumber ? toQString(formatBytes(bytes)) : text));
}

void Page::facts()
{
    heading(tr("Facts"));
    m_html += QStringLiteral("<table class=\"facts\" cellspacing=\"0\" cellpadding=\"1\">");
    fact(tr("Start"), escaped(toQString(formatTimePoint(m_trace.begin(m_event), 1))));
    const TimeNs duration = m_trace.duration(m_event);
    if (m_trace.isUnfinished(m_event))
        fact(tr("Duration"), escaped(tr("did not end in the recording")));
    else
        fact(tr("Duration"), escaped(QStringLiteral("%1 (%2)").arg(toQString(formatDuration(duration)),
                                                                   toQString(formatExactNs(duration)))));
    if (m_details && m_trace.selfTime(m_event) != duration)
        fact(tr("Self time"),
             escaped(tr("%1, without the events inside it").arg(toQString(formatDuration(m_trace.selfTime(m_event))))));
    const Lane &lane = m_trace.lane(m_trace.lane(m_event));
    fact(lane.kind == LaneKind::Gpu ? tr("Stream") : tr("Thread"), escaped(laneText(m_trace, m_trace.lane(m_event))));
    const Process &process = m_trace.processOf(lane);
    if (!process.name.empty() && lane.kind == LaneKind::Cpu)
        fact(tr("Process"),
             escaped(QStringLiteral("%1 · %2").arg(toQString(process.name), toQString(process.pid.text()))));
    const auto &steps = m_trace.steps();
    const auto step = std::find_if(steps.begin(), steps.end(),
                                   [&](const Step &s) { return s.range.contains(m_trace.begin(m_event)); });
    if (step != steps.end() && step->event != m_event)
        fact(tr("During"), eventLink(step->event));
    numberArg(tr("Grid"), "grid");
    numberArg(tr("Block"), "block");
    numberArg(tr("Registers"), "registers per thread");
    bytesArg(tr("Shared memory"), "shared memory");
    numberArg(tr("Occupancy, est. %"), "est. achieved occupancy %");
    bytesArg(tr("Bytes"), "bytes");
    if (const auto bandwidth = m_details ? findArg(m_details->args, "memory bandwidth (GB/s)") : std::nullopt) {
        bool isNumber = false;
        const QString text = toQString(argText(*bandwidth));
        const double gigabytes = text.toDouble(&isNumber);
        fact(tr("Bandwidth"), escaped(isNumber ? toQString(formatRate(gigabytes * 1e9)) : text));
    }
    if (m_details && !m_details->why.kernelFile.empty()) {
        const QString file = toQString(m_details->why.kernelFile);
        fact(tr("Kernel file"), link({DetailsLink::Kind::Copy, kNoEvent, file}, file));
    }
    fact(tr("Category"), escaped(toQString(m_trace.category(m_event))));
    if (shortName(m_trace, m_event, kTitleLength) != toQString(m_trace.name(m_event)))
        fact(tr("Full name"), escaped(toQString(m_trace.name(m_event))));
    m_html += QStringLiteral("</table>");
}

void Page::links()
{
    const Why &why = m_details->why;
    QList<std::pair<QString, QString>> rows;
    if (why.launch != kNoEvent)
        rows.append({tr("Launch"), eventLink(why.launch)});
    if (why.op != kNoEvent && why.op != m_event)
        rows.append({tr("Operator"), eventLink(why.op)});
    if (m_details->work.work > 0 && !isDeviceWork(m_trace.kind(m_event)))
        rows.append({tr("Kernels"), link({DetailsLink::Kind::Work, kNoEvent, {}}, workText(m_details->work))});
    const auto backward = m_trace.backwardOf(m_event);
    for (std::size_t i = 0; i < std::min<std::size_t>(backward.size(), 4); ++i)
        rows.append({tr("Backward"), eventLink(backward[i])});
    if (const EventId op = m_trace.kind(m_event) == EventKind::Operator ? m_event : why.op; op != kNoEvent)
        rows.append({tr("Benchmark"), link({DetailsLink::Kind::Benchmark, op, {}},
                                           tr("copy %1 as a PyTorch script").arg(shortName(m_trace, op, 40)))});
    if (m_trace.parent(m_event) != kNoEvent)
        rows.append({tr("Parent"), eventLink(m_trace.parent(m_event))});
    for (const Counterpart &same : m_details->counterparts)
        rows.append({tr("In %1").arg(same.trace), counterpartText(same)});
    if (rows.isEmpty())
        return;
    heading(tr("Links"));
    m_html += QStringLiteral("<table class=\"facts\" cellspacing=\"0\" cellpadding=\"1\">");
    for (const auto &[name, html] : rows)
        fact(name, html);
    m_html += QStringLiteral("</table>");
}

QString Page::counterpartText(const Counterpart &same) const
{
    if (same.event == kNoEvent)
        return QStringLiteral("<span class=\"note\">%1</span>").arg(escaped(tr("no such event at its place")));
    const TimeNs own = m_trace.duration(m_event);
    QString text = tr("the same event, %1").arg(toQString(formatDuration(same.duration)));
    if (own > 0)
        text += QStringLiteral(" (%1)").arg(
            toQString(formatChange(static_cast<double>(same.duration) / static_cast<double>(own))));
    DetailsLink target{DetailsLink::Kind::Counterpart, same.event, {}};
    target.trace = same.position;
    return link(target, text);
}

void Page::arguments()
{
    if (m_details->sourceChanged || m_details->why.sourceChanged) {
        heading(tr("Arguments"));
        m_html +=
            QStringLiteral("<p class=\"missing\">%1 %2</p>")
                .arg(escaped(tr("The file changed on disk since it was opened, so its arguments cannot be read.")),
                     link({DetailsLink::Kind::Reload, kNoEvent, {}}, tr("Reload")));
        return;
    }
    if (m_details->args.empty())
        return;
    heading(tr("Arguments"));
    m_html += QStringLiteral("<table class=\"facts\" cellspacing=\"0\" cellpadding=\"1\">");
    constexpr qsizetype kLongest = 4000;
    for (const Arg &arg : m_details->args) {
        QString value = toQString(argText(arg.json));
        if (value.size() > kLongest)
            value = value.left(kLongest) + QStringLiteral("…");
        fact(arg.key.empty() ? tr("(no key)") : toQString(arg.key), escaped(value));
    }
    m_html += QStringLiteral("</table>");
}

QString Page::html()
{
    title();
    if (m_details) {
        breadcrumb();
        sentences();
        histogram();
    }
    facts();
    if (m_details) {
        links();
        arguments();
    }
    return m_html;
}

} // namespace

QString eventPage(const Trace &trace, EventId event, const EventDetails *details, bool allFrames)
{
    return Page(trace, event, details, allFrames).html();
}

} // namespace ks
