// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reloading.h"

#include "widgets/state/trace_names.h"

#include <algorithm>

namespace ks {

Reloading::Reloading(ViewState &state, TraceLoader &loader, MessageBar &messages, QObject *parent)
    : QObject(parent)
    , m_state(state)
    , m_loader(loader)
    , m_messages(messages)
{
    connect(&m_loader, &TraceLoader::reloaded, this, &Reloading::restore);
}

bool Reloading::isPossible() const
{
    const TraceSet &traces = m_state.traces();
    return !traces.isEmpty() && !m_loader.isLoading() && traces.at(traces.baseline()).metadata().path != "-";
}

void Reloading::reload()
{
    if (!isPossible())
        return;
    const EventRef *event = selectedEvent(m_state.selection());
    const std::uint32_t position = event ? event->trace : m_state.traces().baseline();
    remember(position);
    m_loader.reload(position);
}

void Reloading::remember(std::uint32_t position)
{
    m_kept = Kept{0, kNoName, m_state.visibleRange()};
    const EventRef *event = selectedEvent(m_state.selection());
    if (!event || event->trace != position)
        return;
    const Trace &trace = m_state.traces().at(position);
    m_kept->fileIndex = trace.fileIndex(event->event);
    m_kept->name = trace.nameId(event->event);
}

void Reloading::restore(std::uint32_t position)
{
    m_messages.dismiss();
    if (m_kept) {
        const TraceSet &traces = m_state.traces();
        const Trace &trace = traces.at(position);
        const EventId event = m_kept->name == kNoName ? kNoEvent : trace.eventAtFileIndex(m_kept->fileIndex);
        if (event != kNoEvent && trace.nameId(event) == m_kept->name)
            m_state.select(traces.ref(position, event));
        if (m_kept->visibleRange.intersects(traces.range()))
            m_state.setVisibleRange(m_kept->visibleRange);
        m_kept.reset();
    }
    m_state.clearHistory();
    emit done();
}

void Reloading::offer()
{
    const TraceSet &traces = m_state.traces();
    for (std::uint32_t i = 0; i < traces.size(); ++i) {
        const ByteSource *source = traces.at(i).source();
        const std::uint32_t generation = traces.generation(i);
        if (!source || std::find(m_offered.begin(), m_offered.end(), generation) != m_offered.end()
            || !source->hasChanged())
            continue;
        m_offered.push_back(generation);
        const auto reloadIt = [this, i, generation] { // what is open may be another trace by then
            if (i < m_state.traces().size() && m_state.traces().generation(i) == generation)
                m_loader.reload(i);
        };
        m_messages.tell(MessageBar::Kind::Note, tr("%1 changed on disk.").arg(traceName(traces, i)),
                        {{tr("Reload"), reloadIt}});
        return;
    }
}

} // namespace ks
