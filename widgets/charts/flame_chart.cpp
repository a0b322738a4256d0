// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/flame_chart.h"

#include "core/base/format.h"
#include "core/trace/event_kind.h"
#include "widgets/charts/flame_walk.h"
#include "widgets/state/to_qstring.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace ks {
namespace {

constexpr double kNarrowest = 0.6; // pixels; what is narrower is not drawn, nor what is below it
constexpr double kNarrowestText = 26;
constexpr double kDim = 0.28;

QColor toColour(Rgb c)
{
    return QColor(c.r, c.g, c.b);
}

ColourKey keyOfRow(NameId name, std::string_view kind)
{
    if (kind == eventKindId(EventKind::Kernel))
        return familyKey(familyOf(name));
    if (kind == eventKindId(EventKind::Memcpy) || kind == eventKindId(EventKind::Memset))
        return familyKey(KernelFamily::Copy);
    if (kind == eventKindId(EventKind::Python))
        return nameText(name).starts_with("nn.Module: ") ? annotationTint(hueOf(name)) : pythonTint(hueOf(name));
    if (kind == eventKindId(EventKind::Annotation))
        return annotationTint(hueOf(name));
    if (kind == eventKindId(EventKind::Launch))
        return kindKey(EventKind::Launch);
    return operatorTint(hueOf(name));
}

} // namespace

FlameChart::FlameChart(QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_table(std::make_shared<const Table>())
{
    setObjectName(QStringLiteral("flame"));
    setAccessibleName(tr("Flame chart of the calls"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    viewport()->setBackgroundRole(QPalette::Base);
    viewport()->setAutoFillBackground(true);
}

int FlameChart::rowHeight() const
{
    return fontMetrics().height() + 2;
}

void FlameChart::setTable(std::shared_ptr<const Table> table, std::string_view cost)
{
    const std::vector<std::string> path = m_zoomed ? pathOf(*m_table, *m_zoomed) : std::vector<std::string>();
    m_table = std::move(table);
    m_cost = cost;
    m_layout = flameLayout(*m_table, m_cost);
    m_current.reset();
    m_hovered.reset();
    m_zoomed = path.empty() ? std::nullopt : rowOfPath(*m_table, m_layout, path);
    findMatches();
    updateScroll();
    emit zoomChanged();
}

void FlameChart::updateScroll()
{
    const int height = static_cast<int>(std::min<std::int64_t>(std::int64_t{m_layout.depth} * rowHeight(), 1 << 30));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(rowHeight());
    verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
    viewport()->update();
}

void FlameChart::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateScroll();
}

void FlameChart::changeEvent(QEvent *event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        updateScroll();
}

QRectF FlameChart::rectOf(std::uint32_t row) const
{
    if (row >= m_layout.boxes.size())
        return {};
    const FlameBox &box = m_layout.boxes[row];
    const double from = m_zoomed ? m_layout.boxes[*m_zoomed].begin : 0;
    const double to = m_zoomed ? m_layout.boxes[*m_zoomed].end : 1;
    const double scale = to > from ? viewport()->width() / (to - from) : 0;
    // What the zoomed row stands in fills the width.
    const double left = std::max(0.0, (box.begin - from) * scale);
    const double right = std::min<double>(viewport()->width(), (box.end - from) * scale);
    const double top = static_cast<double>(box.depth) * rowHeight() - verticalScrollBar()->value();
    return {left, top, right - left, static_cast<double>(rowHeight())};
}

std::optional<std::uint32_t> FlameChart::rowAt(QPointF place) const
{
    if (place.x() < 0 || place.x() >= viewport()->width() || m_layout.boxes.empty())
        return {};
    const double from = m_zoomed ? m_layout.boxes[*m_zoomed].begin : 0;
    const double to = m_zoomed ? m_layout.boxes[*m_zoomed].end : 1;
    const double depth = std::floor((place.y() + verticalScrollBar()->value()) / rowHeight());
    if (depth < 0 || depth >= m_layout.depth)
        return {};
    return boxAt(m_layout, from + place.x() / viewport()->width() * (to - from), static_cast<std::uint32_t>(depth));
}

void FlameChart::search(const QString &text)
{
    if (text == m_search)
        return;
    m_search = text;
    findMatches();
    viewport()->update();
}

bool FlameChart::isMatch(std::uint32_t row)
{
    if (m_search.isEmpty())
        return true;
    const NameId name = m_table->findColumn("name")->nameId(row);
    const auto [found, isNew] = m_found.try_emplace(name, false);
    if (isNew)
        found->second = toQString(nameText(name)).contains(m_search, Qt::CaseInsensitive);
    return found->second;
}

void FlameChart::findMatches()
{
    m_found.clear();
    m_matches = 0;
    m_share = 0;
    if (!m_search.isEmpty()) {
        std::uint32_t counted = 0; // rows below one that was counted end here
        for (std::uint32_t row = 0; row < m_layout.boxes.size(); ++row) {
            if (!isMatch(row))
                continue;
            ++m_matches;
            if (row < counted)
                continue;
            m_share += m_layout.boxes[row].end - m_layout.boxes[row].begin;
            counted = m_layout.boxes[row].endRow;
        }
    }
    emit searched();
}

void FlameChart::zoomTo(std::optional<std::uint32_t> row)
{
    if (row == m_zoomed)
        return;
    m_zoomed = row;
    m_hovered.reset();
    viewport()->update();
    emit zoomChanged();
}

void FlameChart::setCurrent(std::optional<std::uint32_t> row)
{
    if (row && *row >= m_layout.boxes.size())
        row.reset();
    m_current = row;
    if (row) {
        // In sight: out of what is zoomed to if it is not below it.
        if (m_zoomed && (*row < *m_zoomed || *row >= m_layout.boxes[*m_zoomed].endRow))
            zoomTo({});
        const int top = static_cast<int>(m_layout.boxes[*row].depth) * rowHeight();
        QScrollBar *bar = verticalScrollBar();
        if (top < bar->value())
            bar->setValue(top);
        else if (top + rowHeight() > bar->value() + viewport()->height())
            bar->setValue(top + rowHeight() - viewport()->height());
    }
    viewport()->update();
}

void FlameChart::paintBox(QPainter &painter, std::uint32_t row, const QRectF &rect)
{
    const bool isDark = palette().color(QPalette::Base).lightness() < 128;
    const Theme &theme = isDark ? darkTheme() : lightTheme();
    const NameId name = m_table->findColumn("name")->nameId(row);
    const Column *kinds = m_table->findColumn("kind");
    const Rgb fill =
        theme.colours[static_cast<std::size_t>(keyOfRow(name, kinds ? kinds->text(row) : std::string_view()))];
    const bool isAbove = m_zoomed && row < *m_zoomed;
    painter.setOpacity(isMatch(row) ? (isAbove ? 0.6 : 1) : kDim);
    const QRectF box = rect.adjusted(0, 0, rect.width() > 3 ? -1 : 0, -1);
    painter.fillRect(box, toColour(fill));
    if (rect.width() >= kNarrowestText) {
        const Rgb ink =
            contrast(fill, theme.labelDark) >= contrast(fill, theme.labelLight) ? theme.labelDark : theme.labelLight;
        painter.setPen(toColour(ink));
        const QRectF text = box.adjusted(3, 0, -2, 0);
        painter.drawText(
            text, Qt::AlignLeft | Qt::AlignVCenter,
            fontMetrics().elidedText(toQString(nameText(name)), Qt::ElideMiddle, static_cast<int>(text.width())));
    }
    painter.setOpacity(1);
    painter.setBrush(Qt::NoBrush);
    if (m_current == row) {
        painter.setPen(QPen(toColour(theme.selection), 2));
        painter.drawRect(box.adjusted(1, 1, -1, -1));
    } else if (m_hovered == row) {
        painter.setPen(palette().color(QPalette::Text));
        painter.drawRect(box.adjusted(0, 0, -1, -1));
    }
}

void FlameChart::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    const double bottom = viewport()->height();
    for (std::uint32_t row = 0; row < m_layout.boxes.size();) {
        const QRectF rect = rectOf(row);
        if (rect.width() < kNarrowest || rect.top() >= bottom) {
            row = m_layout.boxes[row].endRow;
            continue;
        }
        if (rect.bottom() > 0)
            paintBox(painter, row, rect);
        ++row;
    }
}

QString FlameChart::tipOf(std::uint32_t row) const
{
    const auto text = [&](std::string_view column) {
        const Column *cells = m_table->findColumn(column);
        return cells && !cells->isNull(row) ? toQString(formatDuration(cells->integer(row))) : QString();
    };
    const FlameBox &box = m_layout.boxes[row];
    QStringList lines = {toQString(m_table->findColumn("name")->text(row))};
    if (const Column *kinds = m_table->findColumn("kind"))
        lines.first() += QStringLiteral("  (%1)").arg(toQString(kinds->text(row)));
    lines << tr("host %1, self %2").arg(text("cpu_total_ns"), text("cpu_self_ns"));
    lines << tr("device %1, self %2").arg(text("device_total_ns"), text("device_self_ns"));
    if (const Column *calls = m_table->findColumn("calls"))
        lines << (calls->integer(row) == 1
                      ? tr("1 call")
                      : tr("%1 calls").arg(toQString(formatCount(static_cast<std::uint64_t>(calls->integer(row))))));
    QString share = tr("%1 of all").arg(toQString(formatPercent(box.end - box.begin)));
    if (const std::optional<std::uint32_t> parent = parentOf(*m_table, row)) {
        const FlameBox &above = m_layout.boxes[*parent];
        if (above.end > above.begin)
            share += tr(", %1 of the box above")
                         .arg(toQString(formatPercent((box.end - box.begin) / (above.end - above.begin))));
    }
    lines << share;
    return lines.join(QLatin1Char('\n'));
}

bool FlameChart::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        if (const auto row = rowAt(help->pos()))
            QToolTip::showText(help->globalPos(), tipOf(*row), viewport());
        else
            QToolTip::hideText();
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void FlameChart::mouseMoveEvent(QMouseEvent *event)
{
    const auto row = rowAt(event->position());
    if (row == m_hovered)
        return;
    m_hovered = row;
    viewport()->update();
}

void FlameChart::leaveEvent(QEvent *event)
{
    QAbstractScrollArea::leaveEvent(event);
    m_hovered.reset();
    viewport()->update();
}

void FlameChart::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton)
        go(rowAt(event->position()));
    else
        QAbstractScrollArea::mousePressEvent(event);
}

void FlameChart::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton)
        zoomTo(rowAt(event->position()));
}

void FlameChart::go(std::optional<std::uint32_t> row)
{
    if (!row)
        return;
    setCurrent(row);
    emit rowClicked(*row);
}

void FlameChart::keyPressEvent(QKeyEvent *event)
{
    if (m_layout.boxes.empty())
        return QAbstractScrollArea::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Up: return go(m_current ? parentOf(*m_table, *m_current) : std::optional<std::uint32_t>(0));
    case Qt::Key_Down: return go(m_current ? widestBelow(m_layout, *m_current) : std::optional<std::uint32_t>(0));
    case Qt::Key_Left:
        return go(m_current ? besideOf(*m_table, m_layout, *m_current, -1) : std::optional<std::uint32_t>(0));
    case Qt::Key_Right:
        return go(m_current ? besideOf(*m_table, m_layout, *m_current, +1) : std::optional<std::uint32_t>(0));
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_current)
            zoomTo(m_current);
        return;
    case Qt::Key_Escape:
    case Qt::Key_Backspace:
        if (m_zoomed)
            return zoomTo(parentOf(*m_table, *m_zoomed));
        break;
    default: break;
    }
    QAbstractScrollArea::keyPressEvent(event);
}

} // namespace ks
