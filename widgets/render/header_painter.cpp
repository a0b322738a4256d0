// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/render/header_painter.h"

#include "core/base/format.h"
#include "core/view/lane_groups.h"
#include "widgets/render/colours.h"
#include "widgets/render/timeline_painter.h"

#include <QCoreApplication>
#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace ks {
namespace {

constexpr double kGroupIndent = 10;
constexpr double kLaneIndent = 24;
constexpr double kPythonIndent = 38;
constexpr double kRightMargin = 8;
constexpr double kMark = 7; // width of a fold mark
constexpr double kMarkGap = 5;
constexpr int kLineHeight = 16;

QString tr(const char *text, const char *comment = nullptr, int n = -1)
{
    return QCoreApplication::translate("ks::Timeline", text, comment, n);
}

class Column
{
public:
    Column(QPainter &painter, const HeadersPicture &picture, TextCache &texts)
        : m_painter(painter)
        , m_picture(picture)
        , m_texts(texts)
        , m_font(timelineFont())
        , m_bold(m_font)
    {
        m_bold.setBold(true);
    }

    void paint()
    {
        const auto blocks = m_picture.layout.blocks();
        for (std::size_t i = m_picture.layout.blockAt(m_picture.scrollY); i < blocks.size(); ++i) {
            if (blocks[i].y >= m_picture.scrollY + m_picture.height)
                break;
            paintBlock(blocks[i], i);
        }
        m_painter.setPen(toColour(m_picture.theme.border));
        m_painter.drawLine(QPointF(m_picture.width - 0.5, 0), QPointF(m_picture.width - 0.5, m_picture.height));
    }

private:
    void paintBlock(const Block &block, std::size_t position)
    {
        const Theme &theme = m_picture.theme;
        const double y = block.y - m_picture.scrollY;
        if (position == m_picture.hovered)
            m_painter.fillRect(QRectF(0, y, m_picture.width, block.height), toColour(theme.accent, 0.07));
        m_painter.setPen(toColour(theme.border));
        m_painter.drawLine(QPointF(0, y + block.height - 0.5), QPointF(m_picture.width, y + block.height - 0.5));
        switch (block.kind) {
        case BlockKind::Heading: paintHeading(block, y); break;
        case BlockKind::Lane: paintLane(block, y); break;
        case BlockKind::Curves: paintCurveLane(block, y); break;
        case BlockKind::Causes: paintCauses(block, y); break;
        }
    }

    void paintCauses(const Block &block, double y)
    {
        const auto &causes = m_picture.layout.viewIndex().groups()[block.group].causes;
        if (block.folded) {
            line(kLaneIndent, y + (block.height - kLineHeight) / 2.0, Mark::Folded, tr("works for"), QString(), m_font,
                 m_picture.theme.muted);
            return;
        }
        for (std::uint32_t level = 0; level < causes.size(); ++level) {
            QString name;
            switch (causes[level].level) {
            case ProjectionLevel::Step: name = tr("step"); break;
            case ProjectionLevel::Annotation: name = tr("annotation"); break;
            case ProjectionLevel::Module: name = tr("module"); break;
            case ProjectionLevel::Operator: name = tr("operator"); break;
            }
            const double top = m_picture.layout.placeOfCauses(block, level).y - m_picture.scrollY;
            line(kLaneIndent, top, level == 0 ? Mark::Open : Mark::None, tr("works for: %1").arg(name), QString(),
                 m_font, m_picture.theme.muted);
        }
    }

    void paintHeading(const Block &block, double y)
    {
        const LaneGroup &group = m_picture.layout.viewIndex().groups()[block.group];
        QString right;
        if (!group.busy.isEmpty())
            right = tr("busy %1").arg(share(group.busy));
        line(kGroupIndent, y + 2, foldMark(block.folded), toText(group.title), right, m_bold, m_picture.theme.text);
    }

    void paintLane(const Block &block, double y)
    {
        const Lane &lane = m_picture.trace.lane(block.lane);
        const BusyTime *busy = m_picture.layout.viewIndex().busy(block.lane);
        const bool foldable = block.workRows() + block.pythonRows() > 0;
        // A short block has its name in the middle.
        double top =
            block.height <= kRowPitch + 2 * kLanePadding ? y + (block.height - kLineHeight) / 2.0 : y + kLanePadding;
        // The name of a tall lane stays in sight while its rows scroll by.
        const double lowest =
            (block.pythonRows() > 0 && block.workRows() > 0 && !block.folded ? block.pythonY() - m_picture.scrollY
                                                                             : y + block.height)
            - kLineHeight;
        top = std::max(top, std::min(2.0, lowest));
        const bool onlyPython = block.workRows() == 0;
        if (block.pinned) { // a pin's head left of the name
            m_painter.setRenderHint(QPainter::Antialiasing);
            m_painter.setPen(Qt::NoPen);
            m_painter.setBrush(toColour(m_picture.theme.accent));
            m_painter.drawEllipse(QPointF(kGroupIndent + 3, top + kLineHeight / 2.0), 3, 3);
            m_painter.setBrush(Qt::NoBrush);
        }
        line(kLaneIndent, top,
             foldable ? foldMark(onlyPython ? block.folded || block.pythonFolded : block.folded) : Mark::None,
             block.pinned ? pinnedTitle(block) : toText(laneTitle(m_picture.trace, lane)),
             busy && !busy->isEmpty() ? share(*busy) : QString(), m_font, m_picture.theme.text);
        if (block.folded)
            return;
        if (block.pythonRows() > 0) {
            const double pythonTop = block.pythonY() - m_picture.scrollY;
            if (block.shownWork > 0)
                line(kPythonIndent, pythonTop, foldMark(block.pythonFolded), tr("python"), QString(), m_font,
                     m_picture.theme.muted);
        }
        if (block.hiddenRows() > 0) {
            line(kPythonIndent, y + block.height - kLanePadding - kLineHeight, Mark::None,
                 tr("+ %1 deeper rows").arg(toText(formatCount(block.hiddenRows()))), QString(), m_font,
                 m_picture.theme.accent);
        }
    }

    // Away from its group a lane has to tell which it is of.
    QString pinnedTitle(const Block &block) const
    {
        QStringList parts{toText(laneTitle(m_picture.trace, m_picture.trace.lane(block.lane)))};
        if (!m_picture.traceTitle.isEmpty())
            parts += m_picture.traceTitle;
        const auto &groups = m_picture.layout.viewIndex().groups();
        if (groups.size() >= 2)
            parts += toText(groups[block.group].title).section(QStringLiteral(" · "), 0, 0);
        return parts.join(QStringLiteral(" · "));
    }

    void paintCurveLane(const Block &block, double y)
    {
        const CurveLane &lane = m_picture.layout.viewIndex().curveLanes()[block.curveLane];
        QString right;
        QStringList names;
        double peak = 0;
        bool hasPeak = false;
        for (const Curve &curve : lane.curves) {
            if (!curve.name().empty())
                names.append(lane.unit == CurveUnit::Bytes ? tr(curve.name().c_str()) : toText(curve.name()));
        }
        if (!lane.curves.empty() && !lane.curves.front().isEmpty()) {
            const Curve &first = lane.curves.front();
            if (const double *now = first.valueAt(m_picture.visible.end))
                right = amount(lane, *now);
            std::size_t from = first.firstAtOrAfter(m_picture.visible.begin);
            from = from > 0 ? from - 1 : 0;
            const std::size_t to = std::max(first.firstAtOrAfter(m_picture.visible.end), from + 1);
            peak = first.extremes(from, std::min(to, first.size())).greatest;
            hasPeak = true;
        }
        line(kLaneIndent, y + kLanePadding, Mark::None, toText(lane.name), right, m_font, m_picture.theme.text);
        QString second = names.join(QStringLiteral(" · "));
        if (hasPeak)
            second += (second.isEmpty() ? QString() : QStringLiteral(" · ")) + tr("peak %1").arg(amount(lane, peak));
        QFont small = m_font;
        small.setPixelSize(10);
        line(kLaneIndent, y + kLanePadding + kLineHeight, Mark::None, second, QString(), small, m_picture.theme.muted);
    }

    enum class Mark { None, Folded, Open };
    static Mark foldMark(bool folded) { return folded ? Mark::Folded : Mark::Open; }

    void line(double indent, double top, Mark mark, const QString &text, const QString &right, const QFont &font,
              Rgb ink)
    {
        const double middle = top + kLineHeight / 2.0;
        if (mark != Mark::None) {
            m_painter.setRenderHint(QPainter::Antialiasing);
            m_painter.setPen(Qt::NoPen);
            m_painter.setBrush(toColour(m_picture.theme.muted));
            const double half = kMark / 2;
            if (mark == Mark::Open) {
                const QPointF corners[] = {{indent, middle - half / 2},
                                           {indent + kMark, middle - half / 2},
                                           {indent + half, middle + half / 2 + 1}};
                m_painter.drawPolygon(corners, 3);
            } else {
                const QPointF corners[] = {
                    {indent + 1, middle - half}, {indent + 1 + half + 1, middle}, {indent + 1, middle + half}};
                m_painter.drawPolygon(corners, 3);
            }
            m_painter.setBrush(Qt::NoBrush);
        }
        const double left = indent + kMark + kMarkGap;
        double end = m_picture.width - kRightMargin;
        if (!right.isEmpty()) {
            const QStaticText &said = m_texts.line(right, m_font, m_picture.width);
            end -= said.size().width();
            draw(said, end, top, m_font, m_picture.theme.muted);
            end -= 6;
        }
        draw(m_texts.line(text, font, end - left), left, top, font, ink);
    }

    void draw(const QStaticText &text, double left, double top, const QFont &font, Rgb ink)
    {
        m_painter.setFont(font);
        m_painter.setPen(toColour(ink));
        m_painter.drawStaticText(QPointF(left, top + (kLineHeight - text.size().height()) / 2), text);
    }

    QString share(const BusyTime &busy) const
    {
        const TimeNs span = m_picture.visible.duration();
        if (span <= 0)
            return {};
        // Whole percents: the column is narrow, and neighbours are to be compared at a glance.
        const double ratio = static_cast<double>(busy.within(m_picture.visible)) / static_cast<double>(span);
        return ratio >= 0.01 || ratio == 0 ? QString::number(std::lround(ratio * 100)) + QStringLiteral(" %")
                                           : toText(formatPercent(ratio));
    }

    static QString amount(const CurveLane &lane, double value)
    {
        if (lane.unit == CurveUnit::Bytes)
            return toText(formatBytes(static_cast<std::int64_t>(value)));
        if (value >= 0 && value < 1e15 && std::floor(value) == value)
            return toText(formatCount(static_cast<std::uint64_t>(value)));
        return QString::number(value, 'g', 4);
    }

    QPainter &m_painter;
    const HeadersPicture &m_picture;
    TextCache &m_texts;
    QFont m_font;
    QFont m_bold;
};

} // namespace

void paintHeaders(QPainter &painter, const HeadersPicture &picture, TextCache &texts)
{
    painter.save();
    painter.setClipRect(QRectF(0, 0, picture.width, picture.height), Qt::IntersectClip);
    Column(painter, picture, texts).paint();
    painter.restore();
}

HeaderPart headerPartAt(const LaneLayout &layout, int y)
{
    const std::size_t position = layout.blockAt(y);
    if (position == LaneLayout::kNone)
        return HeaderPart::None;
    const Block &block = layout.blocks()[position];
    if (block.kind == BlockKind::Heading)
        return HeaderPart::Group;
    if (block.kind == BlockKind::Causes)
        return HeaderPart::Causes;
    if (block.kind != BlockKind::Lane)
        return HeaderPart::None;
    if (block.folded)
        return HeaderPart::Lane;
    if (block.hiddenRows() > 0 && y >= block.y + block.height - kLanePadding - block.pitch)
        return HeaderPart::HiddenRows;
    if (block.pythonRows() > 0 && block.workRows() == 0)
        return HeaderPart::Python;
    if (block.pythonRows() > 0 && y >= block.pythonY() && (block.pythonFolded || y < block.pythonY() + kRowPitch))
        return HeaderPart::Python;
    return HeaderPart::Lane;
}

} // namespace ks
