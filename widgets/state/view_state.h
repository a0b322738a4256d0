// SPDX-License-Identifier: GPL-3.0-or-later
// The one object all panes share: what is open, in view, selected, filtered, under the mouse. Panes read and write it and never
// know each other. A setter does nothing if the value is equal, so feedback loops cannot arise. Signals carry no value: ask the state.
// GUI thread only. All times are view time (see trace_set.h).
#pragma once

#include "widgets/state/selection.h"
#include "widgets/state/trace_set.h"

#include <QObject>
#include <QString>

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace ks {

class SharedMatches;

struct Markers
{
    std::optional<TimeNs> a;
    std::optional<TimeNs> b;
    friend bool operator==(const Markers &, const Markers &) = default;
};

// What a person wrote beside an event or a stretch of time.
struct Note
{
    std::optional<EventRef> event; // none: the range itself
    TimeRange range;               // view time
    QString text;
    friend bool operator==(const Note &, const Note &) = default;
};

class ViewState : public QObject
{
    Q_OBJECT
public:
    using Clock = std::function<qint64()>; // milliseconds, never going back

    explicit ViewState(QObject *parent = nullptr, Clock clock = {});
    ~ViewState() override;

    TraceSet &traces() { return m_traces; }
    const TraceSet &traces() const { return m_traces; }
    TimeRange visibleRange() const { return m_now.visibleRange; }
    const Selection &selection() const { return m_now.selection; }
    // Events that light up together with the selection, such as all kernels of an operator. May hold the selected one.
    const std::vector<EventRef> &marked() const;
    const std::shared_ptr<SharedMatches> &matches() const { return m_matches; } // of filters, for workers
    const QString &filter() const { return m_now.filter; } // text in the grammar of filters, "" = none
    std::optional<EventRef> hovered() const { return m_hovered; }
    std::optional<TimeNs> cursor() const { return m_cursor; } // under the mouse
    Markers markers() const { return m_markers; }
    const std::vector<Note> &notes() const { return m_notes; }
    // What counts as a step of that trace: what the setting says, else Trace::steps(). Trace time, by begin.
    std::span<const Step> steps(std::uint32_t trace) const;
    const std::string &stepPattern() const { return m_stepPattern; } // the same for analyses, see stepsOf()
    bool followsView() const { return m_followsView; }               // do analyses look at the visible range?

    void setVisibleRange(TimeRange range); // an empty range is ignored
    void setFilter(const QString &filter);
    void setHovered(std::optional<EventRef> event);
    void setCursor(std::optional<TimeNs> time);
    void setMarkers(Markers markers);
    void setNotes(std::vector<Note> notes);
    void setSteps(std::uint32_t trace, std::vector<Step> steps); // until that trace is closed or reloaded
    void setStepPattern(std::string pattern);
    void setFollowsView(bool follows);

    // Highlights everywhere; the view stays. Stale references select nothing.
    void select(Selection selection, std::vector<EventRef> marked = {});
    // Selects, starts a new step of the history, and asks the timeline to bring the event into view (revealRequested).
    void reveal(EventRef event, std::vector<EventRef> marked = {});

    // The history of {visible range, selection, filter}. Changes less than 500 ms apart are one step. Going back or forward sets the
    // three and emits their signals; whoever animates the visible range stops when it changes under him.
    bool canGoBack() const { return m_at > 0; }
    bool canGoForward() const { return m_at + 1 < m_history.size(); }
    void back();
    void forward();
    void clearHistory(); // what is now becomes the first step

    // What analyses get: the selected area, else what is visible (if followsView), else everything.
    Area area() const;

signals:
    void tracesChanged();
    void visibleRangeChanged();
    void selectionChanged(); // or marked()
    void filterChanged();
    void hoveredChanged();
    void cursorChanged();
    void markersChanged();
    void notesChanged();
    void stepsChanged();
    void stepPatternChanged();
    void areaChanged(); // area() may have changed
    void historyChanged();
    void revealRequested(ks::EventRef event);

private:
    struct Moment // of the history
    {
        TimeRange visibleRange;
        Selection selection;
        std::shared_ptr<const std::vector<EventRef>>
            marked; // never changed once set: a step of a million kernels is kept once
        QString filter;
    };

    void remember();
    void restore(std::size_t position);
    void dropStale();
    bool isStale(const Selection &selection) const;
    void dropStale(Moment &step) const;

    TraceSet m_traces;
    std::shared_ptr<SharedMatches> m_matches;
    Moment m_now;
    std::optional<EventRef> m_hovered;
    std::optional<TimeNs> m_cursor;
    Markers m_markers;
    std::vector<Note> m_notes;
    std::map<std::uint32_t, std::vector<Step>> m_steps; // by generation of the trace
    std::string m_stepPattern;
    bool m_followsView = true;

    Clock m_clock;
    std::vector<Moment> m_history{1}; // m_history[m_at] == m_now
    std::size_t m_at = 0;
    qint64 m_lastChange = 0;
};

} // namespace ks
