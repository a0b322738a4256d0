// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/copy_text.h"

#include "core/analysis/filter.h"
#include "core/export/benchmark.h"
#include "core/trace/args.h"
#include "core/view/lane_groups.h"
#include "widgets/state/to_qstring.h"

#include <QStringList>

#include <exception>

namespace ks {
namespace {

struct Chosen
{
    const Trace *trace = nullptr;
    EventId event = kNoEvent;
};

Chosen chosen(const ViewState &state)
{
    const EventRef *event = selectedEvent(state.selection());
    const Trace *trace = event ? state.traces().trace(*event) : nullptr;
    return trace ? Chosen{trace, event->event} : Chosen{};
}

// Tabs and line ends inside a cell would make it two.
QString cell(std::string_view text)
{
    QString result = toQString(text);
    for (QChar &c : result) {
        if (c == u'\t' || c == u'\n' || c == u'\r')
            c = u' ';
    }
    return result;
}

} // namespace

QString argumentsText(const ViewState &state)
{
    const Chosen c = chosen(state);
    if (!c.trace || !c.trace->source())
        return {};
    try {
        QStringList members;
        for (const Arg &arg : parseArgs(*c.trace, c.event)) {
            QString key = toQString(arg.key);
            key.replace(QLatin1Char('\\'), QLatin1String("\\\\")).replace(QLatin1Char('"'), QLatin1String("\\\""));
            members << QStringLiteral("  \"%1\": %2").arg(key, toQString(arg.json));
        }
        return members.isEmpty() ? QString() : QStringLiteral("{\n%1\n}").arg(members.join(QStringLiteral(",\n")));
    } catch (const std::exception &) {
        return {}; // the file has changed
    }
}

QString benchmarkText(const ViewState &state, EventRef op)
{
    const Trace *trace = state.traces().trace(op);
    return trace ? toQString(benchmarkScript(*trace, op.event).value_or(std::string())) : QString();
}

std::optional<EventRef> selectedOperator(const ViewState &state)
{
    const Chosen c = chosen(state);
    if (!c.trace)
        return {};
    const EventId op = c.trace->kind(c.event) == EventKind::Operator ? c.event : c.trace->launchLink(c.event).op;
    if (op == kNoEvent)
        return {};
    return state.traces().sibling(*selectedEvent(state.selection()), op);
}

QString rowText(const ViewState &state)
{
    const Chosen c = chosen(state);
    if (!c.trace)
        return {};
    const Trace &trace = *c.trace;
    return QStringList{cell(trace.name(c.event)), cell(eventKindId(trace.kind(c.event))),
                       cell(laneTitle(trace, trace.lane(trace.lane(c.event)))), QString::number(trace.begin(c.event)),
                       QString::number(trace.duration(c.event))}
        .join(QLatin1Char('\t'));
}

QString nameTerm(const ViewState &state)
{
    const Chosen c = chosen(state);
    if (!c.trace)
        return {};
    return QStringLiteral("name == ") + toQString(quotedForFilter(c.trace->name(c.event)));
}

} // namespace ks
