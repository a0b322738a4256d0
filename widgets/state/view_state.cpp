// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/state/view_state.h"

#include "widgets/state/shared_matches.h"

#include <QElapsedTimer>

#include <algorithm>

namespace ks {
namespace {

constexpr qint64 kCoalesceMs = 500;
constexpr std::size_t kMaxSteps = 200;

ViewState::Clock steadyClock()
{
    QElapsedTimer timer;
    timer.start();
    return [timer] { return timer.elapsed(); };
}

} // namespace

ViewState::ViewState(QObject *parent, Clock clock)
    : QObject(parent)
    , m_matches(std::make_shared<SharedMatches>())
    , m_clock(clock ? std::move(clock) : steadyClock())
    , m_lastChange(m_clock() - kCoalesceMs)
{
    connect(&m_traces, &TraceSet::changed, this, [this] {
        dropStale();
        emit tracesChanged();
        emit areaChanged();
    });
}

ViewState::~ViewState() = default;

const std::vector<EventRef> &ViewState::marked() const
{
    static const std::vector<EventRef> kNone;
    return m_now.marked ? *m_now.marked : kNone;
}

void ViewState::setVisibleRange(TimeRange range)
{
    if (range.isEmpty() || range == m_now.visibleRange)
        return;
    m_now.visibleRange = range;
    remember();
    emit visibleRangeChanged();
    if (m_followsView && !selectedArea(m_now.selection))
        emit areaChanged();
}

void ViewState::setFilter(const QString &filter)
{
    if (filter == m_now.filter)
        return;
    m_now.filter = filter;
    remember();
    emit filterChanged();
}

void ViewState::setHovered(std::optional<EventRef> event)
{
    if (event == m_hovered)
        return;
    m_hovered = event;
    emit hoveredChanged();
}

void ViewState::setCursor(std::optional<TimeNs> time)
{
    if (time == m_cursor)
        return;
    m_cursor = time;
    emit cursorChanged();
}

void ViewState::setMarkers(Markers markers)
{
    if (markers == m_markers)
        return;
    m_markers = markers;
    emit markersChanged();
}

void ViewState::setNotes(std::vector<Note> notes)
{
    if (notes == m_notes)
        return;
    m_notes = std::move(notes);
    emit notesChanged();
}

std::span<const Step> ViewState::steps(std::uint32_t trace) const
{
    const auto own = m_steps.find(m_traces.generation(trace));
    return own != m_steps.end() ? std::span<const Step>(own->second) : m_traces.at(trace).steps();
}

void ViewState::setSteps(std::uint32_t trace, std::vector<Step> steps)
{
    m_steps[m_traces.generation(trace)] = std::move(steps);
    emit stepsChanged();
}

void ViewState::setStepPattern(std::string pattern)
{
    if (pattern == m_stepPattern)
        return;
    m_stepPattern = std::move(pattern);
    emit stepPatternChanged();
}

void ViewState::setFollowsView(bool follows)
{
    if (follows == m_followsView)
        return;
    m_followsView = follows;
    emit areaChanged();
}

void ViewState::select(Selection selection, std::vector<EventRef> marked)
{
    if (isStale(selection)) {
        selection = {};
        marked.clear();
    }
    if (selection == m_now.selection && marked == this->marked())
        return;
    const bool areaWas = selectedArea(m_now.selection) || selectedArea(selection);
    m_now.selection = std::move(selection);
    m_now.marked = marked.empty() ? nullptr : std::make_shared<const std::vector<EventRef>>(std::move(marked));
    remember();
    emit selectionChanged();
    if (areaWas)
        emit areaChanged();
}

void ViewState::reveal(EventRef event, std::vector<EventRef> marked)
{
    if (!m_traces.isValid(event))
        return;
    m_lastChange = m_clock() - kCoalesceMs; // a jump is a step of its own, so that going back returns exactly here
    select(event, std::move(marked));
    emit revealRequested(event);
}

void ViewState::remember()
{
    const qint64 now = m_clock();
    if (now - m_lastChange >= kCoalesceMs) {
        m_history.resize(m_at + 1);
        if (m_history.size() == kMaxSteps)
            m_history.erase(m_history.begin());
        m_history.push_back(m_now);
        m_at = m_history.size() - 1;
    } else {
        m_history.resize(m_at + 1);
        m_history[m_at] = m_now;
    }
    m_lastChange = now;
    emit historyChanged();
}

void ViewState::back()
{
    if (canGoBack())
        restore(m_at - 1);
}

void ViewState::forward()
{
    if (canGoForward())
        restore(m_at + 1);
}

void ViewState::restore(std::size_t position)
{
    const Moment before = m_now;
    m_at = position;
    m_now = m_history[m_at];
    m_lastChange = m_clock() - kCoalesceMs; // the next change is a new step
    if (m_now.visibleRange != before.visibleRange)
        emit visibleRangeChanged();
    if (m_now.filter != before.filter)
        emit filterChanged();
    if (m_now.selection != before.selection || m_now.marked != before.marked)
        emit selectionChanged();
    emit areaChanged();
    emit historyChanged();
}

void ViewState::clearHistory()
{
    m_history.assign(1, m_now);
    m_at = 0;
    m_lastChange = m_clock() - kCoalesceMs;
    emit historyChanged();
}

Area ViewState::area() const
{
    if (const Area *selected = selectedArea(m_now.selection))
        return *selected;
    if (m_followsView && !m_now.visibleRange.isEmpty())
        return {m_now.visibleRange, {}};
    return {m_traces.range(), {}};
}

bool ViewState::isStale(const Selection &selection) const
{
    if (const EventRef *event = selectedEvent(selection))
        return !m_traces.isValid(*event);
    if (const Area *area = selectedArea(selection))
        return std::any_of(area->lanes.begin(), area->lanes.end(),
                           [this](LaneRef lane) { return !m_traces.isValid(lane); });
    return false;
}

void ViewState::dropStale(Moment &step) const
{
    if (step.marked
        && !std::all_of(step.marked->begin(), step.marked->end(), [this](EventRef e) { return m_traces.isValid(e); }))
        step.marked.reset();
    if (isStale(step.selection))
        step.selection = {};
}

// Traces have come or gone: what named an event of a trace that is closed names nothing now.
void ViewState::dropStale()
{
    const Moment before = m_now;
    for (Moment &step : m_history)
        dropStale(step);
    dropStale(m_now);
    if (m_hovered && !m_traces.isValid(*m_hovered))
        setHovered({});
    std::vector<Note> notes = m_notes;
    std::erase_if(notes, [this](const Note &note) { return note.event && !m_traces.isValid(*note.event); });
    if (m_traces.isEmpty())
        notes.clear();
    setNotes(std::move(notes));
    std::erase_if(m_steps, [this](const auto &entry) {
        for (std::uint32_t i = 0; i < m_traces.size(); ++i) {
            if (m_traces.generation(i) == entry.first)
                return false;
        }
        return true;
    });
    if (m_now.selection != before.selection || m_now.marked != before.marked)
        emit selectionChanged();
}

} // namespace ks
