// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline: lanes of all open traces with headers, ruler and overview. Reads and writes the ViewState and nothing
// else. Drawing costs O(pixels) per frame; nothing runs while nothing moves. What happens where: timeline_view.cpp what
// is shown, timeline_navigation.cpp where it goes, timeline_lanes.cpp how lanes are arranged, timeline_input.cpp mouse
// and keys, timeline_painting.cpp, content_layer and timeline_overlay the painting.
#pragma once

#include "widgets/state/view_state.h"
#include "widgets/timeline/content_layer.h"
#include "widgets/timeline/filter_job.h"
#include "widgets/timeline/finder.h"
#include "widgets/timeline/key_motion.h"
#include "widgets/timeline/range_animation.h"
#include "widgets/timeline/shadings.h"
#include "widgets/timeline/timeline_overlay.h"
#include "widgets/timeline/track_list.h"

#include <QAbstractScrollArea>
#include <QTimer>

#include <optional>
#include <set>

class QLineEdit;

namespace ks {

class LaneHeaders;
class Overview;
class TimeRuler;
enum class HeaderPart;

// Which arrows are drawn.
enum class FlowMode : std::uint8_t {
    OfSelection, // those of the selected and of the hovered event
    InView,      // and all between events in view, as many as can be told apart
    Off,
};

class TimelineView : public QAbstractScrollArea
{
    Q_OBJECT
public:
    explicit TimelineView(ViewState &state, QWidget *parent = nullptr);
    ~TimelineView() override;

    const TrackList &tracks() const { return m_tracks; }
    const Viewport &view() const { return m_view; }
    const ContentLayer &content() const { return m_content; }
    // In coordinates of viewport(); may lie outside it. Null if the event is not shown (its lane is scaffolding, or
    // stale).
    QRectF rectOf(EventRef event) const;

    struct Target // what is under a point of viewport()
    {
        const Track *track = nullptr;
        Hit hit;
    };
    Target targetAt(QPointF position) const;
    TimeNs
    snappedTimeAt(QPointF position) const; // view time; the edge of an event nearby, else the time under the point

    void setColourMode(ColourMode mode);
    ColourMode colourMode() const { return m_shadings.mode(); }
    const Shadings &shadings() const { return m_shadings; }
    const CollectiveLabels &labels() const { return m_labels; }
    void setFlowMode(FlowMode mode);
    FlowMode flowMode() const { return m_flowMode; }
    std::size_t flowsDrawn() const; // of those in view, as last painted
    std::size_t flowsApart() const { return m_flowsApart; }
    Finder &finder() { return m_finder; }
    const FilterJob &filterJob() const { return m_filter; }
    // One bit per event of that trace; what does not match is dimmed. Null: everything matches.
    void setMatching(std::uint32_t trace, Matching matching);
    void setAnimationTime(int milliseconds) { m_animationMs = milliseconds; } // 0: jump

    // How lanes are arranged
    void setArrangement(std::size_t track, LaneArrangement lanes);
    std::optional<LaneRef> currentLane() const; // of the selected event, else the first of the selected area
    bool isPinned(LaneRef lane) const;
    void togglePin(LaneRef lane);
    void hideLane(LaneRef lane);
    void showAllLanes(); // hidden ones, and those the two below leave out
    bool hasHiddenLanes() const;
    void moveLane(LaneRef lane, int by);     // among its neighbours
    void resizeLane(LaneRef lane, int by);   // rows higher by so many pixels
    void setRowPitch(int pitch);             // of all lanes
    void setLaneFilter(const QString &text); // only lanes whose name holds it; "" = all
    void setOnlyWithEvents(bool only);       // only lanes with events in the visible range
    bool onlyWithEvents() const { return m_onlyWithEvents; }
    void reveal(EventRef event); // brings into view: unfolds, scrolls, pans, zooms as little as needed

public slots:
    void fitAll(); // the main range; once more: everything, outliers too
    void fitSelection();
    void zoomTo(ks::TimeRange range); // with some air
    void zoomIn();
    void zoomOut();
    void selectPreviousInRow();
    void selectNextInRow();
    void selectParent();
    void selectChild();
    void clearSelection();
    void foldAll(bool folded);       // every lane to a strip, or open
    void setMarkerAtCursor();        // A, then B, then A again; snaps to edges under the mouse
    void goAlongFlow(int direction); // +1: to what the selected event leads to, -1: to what led to it
    void pan(int direction);         // a tenth of the view
    void focusLaneFilter();

signals:
    void contextMenuWanted(QPoint globalPosition); // what was under the mouse is selected by then
    void laneMenuWanted(ks::LaneRef lane, QPoint globalPosition);
    void arrangementChanged();
    void flowsChanged(); // flowsDrawn() or flowsApart()

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;
    void changeEvent(QEvent *event) override;
    bool viewportEvent(QEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void keyReleaseEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    // What is shown
    bool isDark() const;
    int scrollY() const;
    Scroll scroll() const { return {scrollY(), m_tracks.stays()}; }
    void syncTraces();
    void showFirstView();
    void applyView(); // m_view changed: tell the state and the parts
    void animateTo(TimeRange range);
    void takeRangeOfState();
    void takeSelectionOfState();
    void updateScrollBar();
    void layoutChanged();
    void fold(std::size_t track, std::size_t block, HeaderPart part);
    void makeShown(EventRef event); // unfolds what hides it
    void scrollTo(EventRef event);
    void selectAndFollow(EventRef event); // by keyboard: selects and keeps it in view
    std::set<LaneId> lanesThatFit(const Track &track, const QString &wanted) const;
    void applyLaneFilter();
    void resizeBlock(std::size_t track, std::size_t block, int height);
    void moveBlock(std::size_t track, std::size_t block, std::optional<std::size_t> before);
    void findFlowsInView();
    void labelCollectives();
    void announceSelection();
    std::optional<LaneRef> laneOfBlock(std::size_t track, std::size_t block) const;
    std::vector<FlowCurve> curvesOf(const Track &track, const std::vector<FlowLink> &links) const;
    TrackFlows flowsOf(std::optional<EventRef> event, const std::vector<FlowLink> &links) const;
    ContentLayer::Key contentKey() const;
    void paintContent(const QRegion &exposed);
    std::vector<RowId> rowsOnScreen(const Track &track) const;

    // Mouse and keys
    enum class Drag { None, Pressed, Area, Pan };
    void clickAt(QPointF position);
    std::optional<Area> gapAt(const Target &target, QPointF position) const;
    void hoverAt(QPointF position);
    void dragArea(QPointF to, bool finished);
    void showToolTip(QPoint position, QPoint globalPosition);
    bool handleGesture(QEvent *event);

    ViewState &m_state;
    TrackList m_tracks;
    ContentLayer m_content;
    Viewport m_view;
    LaneHeaders *m_headers;
    TimeRuler *m_ruler;
    Overview *m_overview;
    RangeAnimation m_animation;
    KeyMotion m_motion;
    int m_animationMs;
    bool m_firstScrollPending = false;
    bool m_applying = false; // the state is being told; its answer is not news

    Shadings m_shadings;
    CollectiveLabels m_labels;
    FilterJob m_filter;
    Finder m_finder;
    FlowMode m_flowMode = FlowMode::OfSelection;
    std::vector<FlowLink> m_selectedLinks;
    std::vector<FlowLink> m_hoveredLinks;
    std::vector<std::vector<FlowLink>> m_linksInView; // by track
    std::size_t m_flowsApart = 0;
    QTimer m_rest; // the view has come to rest: what need not follow every frame
    QLineEdit *m_laneFilter;
    bool m_onlyWithEvents = false;

    Drag m_drag = Drag::None;
    QPointF m_pressedAt;
    int m_pressedContentY = 0; // y of the press from the top of all lanes
    TimeNs m_pressedTime = 0;  // snapped
    QPointF m_draggedTo;
    std::optional<Area> m_draggedArea;
    std::optional<double> m_cursorX;
    std::optional<QPointF> m_cursor; // in viewport()
    bool m_spaceHeld = false;
    double m_wheelRest = 0;
};

} // namespace ks
