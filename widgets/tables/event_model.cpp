// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tables/event_model.h"

#include "core/analysis/modules.h"
#include "core/base/format.h"
#include "widgets/state/to_qstring.h"
#include "widgets/tables/hovered_colour.h"

#include <algorithm>

namespace ks {

EventModel::EventModel(LaneName laneName, QObject *parent)
    : GrowingModel(parent)
    , m_laneName(std::move(laneName))
    , m_events(std::make_shared<const EventList>())
    , m_order(std::make_shared<const Order>())
{}

void EventModel::setEvents(std::shared_ptr<const EventList> events, std::shared_ptr<const Order> order)
{
    beginResetModel();
    m_events = std::move(events);
    m_order = std::move(order);
    m_marked.reset();
    setWhole(m_events->size());
    endResetModel();
}

void EventModel::setMarked(std::optional<std::size_t> position)
{
    m_marked = position;
}

std::size_t EventModel::position(int row) const
{
    const auto at = static_cast<std::size_t>(row);
    return m_order->empty() ? at : (*m_order)[at];
}

int EventModel::rowOf(std::size_t position) const
{
    if (m_order->empty())
        return static_cast<int>(position);
    return static_cast<int>(std::find(m_order->begin(), m_order->end(), position) - m_order->begin());
}

int EventModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(kEventColumns);
}

bool EventModel::isNumeric(EventColumn column)
{
    return column == EventColumn::Start || column == EventColumn::Duration || column == EventColumn::Self
           || column == EventColumn::Step;
}

QString EventModel::text(std::size_t position, EventColumn column) const
{
    const std::size_t at = m_events->traceOf(position);
    const Trace &trace = *m_events->traces[at].trace;
    const EventId event = m_events->events[position];
    switch (column) {
    case EventColumn::Name: return toQString(trace.name(event));
    case EventColumn::Category: return toQString(trace.category(event));
    case EventColumn::Lane: {
        const QString lane = m_laneName(trace, trace.lane(event));
        const auto &rank = m_events->traces[at].rank;
        return m_events->traces.size() > 1 && rank ? tr("rank %1 · %2").arg(*rank).arg(lane) : lane;
    }
    case EventColumn::Start: return toQString(formatTimePoint(trace.begin(event), 1));
    case EventColumn::Duration: return toQString(formatDuration(trace.duration(event)));
    case EventColumn::Self: return toQString(formatDuration(trace.selfTime(event)));
    case EventColumn::Step: {
        const Step *step = stepOf(trace, m_events->steps[at], event);
        return step ? QString::number(step->number) : QString();
    }
    case EventColumn::Operator: {
        const EventId around = operatorAround(trace, event);
        return around != kNoEvent ? toQString(trace.name(around)) : QString();
    }
    case EventColumn::Module: {
        const EventId around = moduleAround(trace, event);
        return around != kNoEvent ? toQString(trace.name(around).substr(kModulePrefix.size())) : QString();
    }
    }
    return {};
}

QVariant EventModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const auto column = static_cast<EventColumn>(index.column());
    const std::size_t at = position(index.row());
    switch (role) {
    case Qt::DisplayRole: return text(at, column);
    case Qt::BackgroundRole: return m_marked == at ? QVariant(hoveredColour()) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant(isNumeric(column) ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::ToolTipRole: {
        const Trace &trace = m_events->trace(at);
        const EventId event = m_events->events[at];
        switch (column) {
        case EventColumn::Start: return toQString(formatExactNs(trace.begin(event)));
        case EventColumn::Duration: return toQString(formatExactNs(trace.duration(event)));
        case EventColumn::Self: return toQString(formatExactNs(trace.selfTime(event)));
        default: return text(at, column);
        }
    }
    default: return {};
    }
}

QVariant EventModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const auto column = static_cast<EventColumn>(section);
    if (role == Qt::TextAlignmentRole)
        return QVariant(isNumeric(column) ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    const bool isTip = role == Qt::ToolTipRole;
    if (role != Qt::DisplayRole && !isTip)
        return {};
    switch (column) {
    case EventColumn::Name: return isTip ? tr("What the event is called") : tr("Name");
    case EventColumn::Category: return isTip ? tr("Its category, as in the file") : tr("Category");
    case EventColumn::Lane: return isTip ? tr("The thread or stream it ran on") : tr("Lane");
    case EventColumn::Start: return isTip ? tr("When it began, since the start of the trace") : tr("Start");
    case EventColumn::Duration: return isTip ? tr("How long it took") : tr("Duration");
    case EventColumn::Self: return isTip ? tr("Without what it encloses on its lane") : tr("Self");
    case EventColumn::Step: return isTip ? tr("The step in which it, or its launch, began") : tr("Step");
    case EventColumn::Operator: return isTip ? tr("The operator around it, or that launched it") : tr("Operator");
    case EventColumn::Module: return isTip ? tr("The nn.Module around it, or around its launch") : tr("Module");
    }
    return {};
}

} // namespace ks
