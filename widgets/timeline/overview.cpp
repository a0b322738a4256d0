// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/overview.h"

#include "core/base/format.h"
#include "core/base/gallop.h"
#include "widgets/render/colours.h"
#include "widgets/render/timeline_painter.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ks {
namespace {

constexpr double kEdge = 5;        // logical pixels around an edge of the handle that take it
constexpr double kLeastHandle = 8; // drawn width of a handle that is too narrow to be seen
constexpr int kBarWidth = 3;       // device pixels
constexpr int kBarGap = 1;

// Share of [range) in which the first row of any host lane has an event: by probing, so its cost does not grow with the
// trace.
double hostShare(const Trace &trace, TimeRange range)
{
    const auto &begins = trace.events().begin;
    TimeNs most = 0;
    for (const Lane &lane : trace.lanes()) {
        if (lane.kind != LaneKind::Cpu || lane.firstRow == lane.endRow || lane.role == LaneRole::Scaffolding)
            continue;
        const Row &row = trace.row(lane.firstRow);
        const auto first = begins.begin() + static_cast<std::ptrdiff_t>(row.firstEvent);
        const auto end = begins.begin() + static_cast<std::ptrdiff_t>(row.endEvent);
        auto at = std::lower_bound(first, end, range.begin);
        if (at != first)
            --at;
        TimeNs busy = 0;
        constexpr int kProbes = 24;
        const auto stop = std::lower_bound(at, end, range.end);
        const auto count = stop - at;
        const auto probes = std::min<std::ptrdiff_t>(count, kProbes);
        for (std::ptrdiff_t i = 0; i < probes; ++i) {
            const auto id = static_cast<EventId>(at - begins.begin() + i * count / probes);
            busy += trace.range(id).clampedTo(range).duration();
        }
        if (probes > 0)
            most = std::max(most, busy * (count / probes));
    }
    return std::min(1.0, static_cast<double>(most) / static_cast<double>(std::max<TimeNs>(range.duration(), 1)));
}

} // namespace

Overview::Overview(ViewState &state, const TrackList &tracks, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
    , m_tracks(tracks)
{
    setMouseTracking(true);
    setAccessibleName(tr("Overview"));
    setAccessibleDescription(tr("The whole recording. Drag the handle to move the view, its edges to zoom."));
    connect(&state, &ViewState::visibleRangeChanged, this, qOverload<>(&QWidget::update));
    connect(&state, &ViewState::stepsChanged, this, qOverload<>(&QWidget::update));
}

void Overview::setWholeRange(TimeRange range)
{
    if (range.isEmpty())
        range.end = saturatingAdd(range.begin, 1);
    m_whole = range;
    update();
}

QRectF Overview::strip() const
{
    return QRectF(m_left, 3, std::max(width() - m_left - 4, 1), height() - 6);
}

double Overview::xOf(TimeNs t) const
{
    const double part =
        static_cast<double>(saturatingSubtract(t, m_whole.begin)) / static_cast<double>(m_whole.duration());
    return strip().left() + std::clamp(part, 0.0, 1.0) * strip().width();
}

TimeNs Overview::timeAt(double x) const
{
    const double part = (x - strip().left()) / strip().width();
    return saturatingAdd(m_whole.begin, static_cast<TimeNs>(part * static_cast<double>(m_whole.duration())));
}

QRectF Overview::handleRect() const
{
    const TimeRange range = m_state.visibleRange();
    double x0 = xOf(range.begin);
    double x1 = xOf(range.end);
    if (x1 - x0 < kLeastHandle) {
        const double middle = (x0 + x1) / 2;
        x0 = middle - kLeastHandle / 2;
        x1 = middle + kLeastHandle / 2;
    }
    return {x0, strip().top(), x1 - x0, strip().height()};
}

void Overview::drawBars()
{
    const double dpr = devicePixelRatioF();
    const QSize pixels(static_cast<int>(strip().width() * dpr), static_cast<int>(strip().height() * dpr));
    if (m_bars.size() == pixels && m_barsOf == m_tracks.version() && m_barsRange == m_whole)
        return;
    m_barsOf = m_tracks.version();
    m_barsRange = m_whole;
    m_bars = QImage(pixels, QImage::Format_ARGB32_Premultiplied);
    m_bars.fill(Qt::transparent);
    m_busyShare = -1;
    if (m_tracks.tracks().empty() || pixels.isEmpty())
        return;

    // Devices of all traces; without any, the busiest host thread.
    std::vector<std::pair<const Track *, const BusyTime *>> devices;
    for (const Track &track : m_tracks.tracks()) {
        for (const LaneGroup &group : track.index->groups()) {
            if (!group.busy.isEmpty())
                devices.emplace_back(&track, &group.busy);
        }
    }
    const auto shareOf = [&](TimeRange range) {
        if (devices.empty())
            return hostShare(*m_tracks.tracks().front().trace, range);
        double sum = 0;
        for (const auto &[track, busy] : devices) {
            const TimeRange own{saturatingSubtract(range.begin, track->offset),
                                saturatingSubtract(range.end, track->offset)};
            sum += static_cast<double>(busy->within(own)) / static_cast<double>(std::max<TimeNs>(own.duration(), 1));
        }
        return sum / static_cast<double>(devices.size());
    };
    if (!devices.empty())
        m_busyShare = shareOf(m_whole);
    const double step = static_cast<double>(m_whole.duration()) / pixels.width();
    QPainter painter(&m_bars);
    const Theme &theme = themeFor(palette().window().color().lightness() < 128);
    const QColor colour = toColour(mix(theme.lanes, theme.accent, theme.dark ? 0.45 : 0.38));
    for (int x = 0; x < pixels.width(); x += kBarWidth + kBarGap) {
        const TimeNs begin = saturatingAdd(m_whole.begin, static_cast<TimeNs>(x * step));
        const TimeNs end =
            std::max(saturatingAdd(begin, static_cast<TimeNs>((kBarWidth + kBarGap) * step)), saturatingAdd(begin, 1));
        const double bar = shareOf({begin, end}) * (pixels.height() - 2);
        if (bar > 0)
            painter.fillRect(QRectF(x, pixels.height() - std::max(bar, 1.0), kBarWidth, std::max(bar, 1.0)), colour);
    }
    painter.scale(dpr, dpr);
    painter.translate(-strip().topLeft());
    paintMemory(painter);
    painter.end();
    m_bars.setDevicePixelRatio(dpr);
}

void Overview::paintEvent(QPaintEvent *)
{
    drawBars();
    QPainter painter(this);
    const Theme &theme = themeFor(palette().window().color().lightness() < 128);
    painter.fillRect(rect(), toColour(theme.header));
    painter.fillRect(strip(), toColour(theme.lanes));
    paintSteps(painter);
    painter.drawImage(strip().topLeft(), m_bars);
    paintFound(painter);
    painter.setPen(toColour(theme.border));
    painter.drawRect(strip().adjusted(0.5, 0.5, -0.5, -0.5));
    if (m_tracks.tracks().empty())
        return;
    const QRectF handle = handleRect();
    painter.fillRect(handle, toColour(theme.accent, 0.20));
    painter.fillRect(QRectF(handle.left() - 1, handle.top(), 2, handle.height()), toColour(theme.accent));
    painter.fillRect(QRectF(handle.right() - 1, handle.top(), 2, handle.height()), toColour(theme.accent));
    if (m_busyShare >= 0) {
        painter.setFont(timelineFont());
        painter.setPen(toColour(theme.muted));
        painter.drawText(QRectF(12, 0, m_left - 16, height()), Qt::AlignVCenter | Qt::AlignLeft,
                         tr("GPU busy %1").arg(toText(formatPercent(m_busyShare))));
    }
}

void Overview::setFound(const Found &found)
{
    m_found = &found;
    update();
}

// Every other step is shaded.
void Overview::paintSteps(QPainter &painter) const
{
    if (m_tracks.tracks().empty())
        return;
    const std::uint32_t baseline = std::min(m_state.traces().baseline(), m_state.traces().size() - 1);
    const TimeNs offset = m_state.traces().offset(baseline);
    const Theme &theme = themeFor(palette().window().color().lightness() < 128);
    double last = -1;
    bool odd = false;
    for (const Step &step : m_state.steps(baseline)) {
        const double x0 = xOf(saturatingAdd(step.range.begin, offset));
        const double x1 = xOf(saturatingAdd(step.range.end, offset));
        odd = !odd;
        if (x1 - last < 1) // thousands of steps are no pattern
            continue;
        painter.fillRect(QRectF(x0, strip().top(), std::max(x1 - x0, 1.0), strip().height()),
                         toColour(odd ? theme.stepBand : theme.stepBandAlternate));
        last = x1;
    }
}

void Overview::paintMemory(QPainter &painter) const
{
    if (m_tracks.tracks().empty())
        return;
    const Track &track = m_tracks.tracks().front();
    const auto &lanes = track.index->curveLanes();
    // The device that holds most; the host has some bytes of its own.
    const CurveLane *memory = nullptr;
    for (const CurveLane &lane : lanes) {
        const bool hasMemory = lane.unit == CurveUnit::Bytes && !lane.curves.empty() && !lane.curves.front().isEmpty()
                               && lane.extremes.greatest > 0;
        if (hasMemory && (!memory || lane.extremes.greatest > memory->extremes.greatest))
            memory = &lane;
    }
    if (!memory)
        return;
    const Curve &curve = memory->curves.front();
    const QRectF box = strip().adjusted(0, 2, 0, -1);
    QPolygonF line;
    constexpr double kStep = 2; // pixels
    for (double x = 0; x < box.width(); x += kStep) {
        const TimeNs from = saturatingSubtract(timeAt(box.left() + x), track.offset);
        const TimeNs to = saturatingSubtract(timeAt(box.left() + x + kStep), track.offset);
        std::size_t first = curve.firstAtOrAfter(from);
        const std::size_t end = curve.firstAtOrAfter(to);
        if (first > 0)
            --first;
        if (first >= end && first >= curve.size())
            break;
        if (curve.times()[first] > to)
            continue;
        const double value = curve.extremes(first, std::max(end, first + 1)).greatest;
        line.append(QPointF(box.left() + x, box.bottom() - value / memory->extremes.greatest * box.height()));
    }
    const Theme &theme = themeFor(palette().window().color().lightness() < 128);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(toColour(theme.peak, 0.8), 1));
    painter.drawPolyline(line);
    painter.restore();
}

void Overview::paintFound(QPainter &painter) const
{
    if (!m_found)
        return;
    const Theme &theme = themeFor(palette().window().color().lightness() < 128);
    for (std::size_t t = 0; t < m_found->traces.size() && t < m_tracks.tracks().size(); ++t) {
        const Track &track = m_tracks.tracks()[t];
        const auto &hits = m_found->traces[t].byTime;
        std::size_t i = 0;
        while (i < hits.size()) {
            const double x = std::floor(xOf(saturatingAdd(track.trace->begin(hits[i]), track.offset)));
            painter.fillRect(QRectF(x, strip().bottom() - 5, 1, 5), toColour(theme.peak));
            const TimeNs beyond = saturatingSubtract(timeAt(x + 1), track.offset);
            i = gallop(i + 1, hits.size(), [&](std::size_t j) { return track.trace->begin(hits[j]) >= beyond; });
        }
    }
}

Overview::Part Overview::partAt(QPointF position) const
{
    if (!strip().contains(position) || m_tracks.tracks().empty())
        return Part::None;
    const QRectF handle = handleRect();
    const double left = std::abs(position.x() - handle.left());
    const double right = std::abs(position.x() - handle.right());
    // A narrow handle is taken by its middle.
    if (handle.width() > 3 * kEdge || !handle.contains(position)) {
        if (left <= kEdge && left <= right)
            return Part::Left;
        if (right <= kEdge)
            return Part::Right;
    }
    return handle.contains(position) ? Part::Middle : Part::Outside;
}

void Overview::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_part = partAt(event->position());
    m_grabbed = event->position().x();
    m_rangeThen = m_state.visibleRange();
    if (m_part == Part::Outside) { // jump there, then drag on
        const TimeNs half = m_rangeThen.duration() / 2;
        const TimeNs middle = timeAt(m_grabbed);
        m_rangeThen = {saturatingSubtract(middle, half), saturatingAdd(middle, half)};
        emit rangeRequested(m_rangeThen);
        m_part = Part::Middle;
    }
}

void Overview::mouseMoveEvent(QMouseEvent *event)
{
    if (m_part == Part::None || !(event->buttons() & Qt::LeftButton)) {
        const Part part = partAt(event->position());
        setCursor(part == Part::Left || part == Part::Right ? Qt::SizeHorCursor
                  : part == Part::Middle                    ? Qt::OpenHandCursor
                                                            : Qt::ArrowCursor);
        return;
    }
    const double moved =
        (event->position().x() - m_grabbed) / strip().width() * static_cast<double>(m_whole.duration());
    const auto by = static_cast<TimeNs>(moved);
    TimeRange range = m_rangeThen;
    if (m_part != Part::Right)
        range.begin = saturatingAdd(range.begin, by);
    if (m_part != Part::Left)
        range.end = saturatingAdd(range.end, by);
    if (m_part == Part::Left)
        range.begin = std::min(range.begin, range.end - 20);
    else if (m_part == Part::Right)
        range.end = std::max(range.end, range.begin + 20);
    emit rangeRequested(range);
}

void Overview::mouseReleaseEvent(QMouseEvent *)
{
    m_part = Part::None;
}

void Overview::wheelEvent(QWheelEvent *event)
{
    event->ignore(); // the timeline zooms
}

void Overview::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        m_bars = {};
    QWidget::changeEvent(event);
}

} // namespace ks
