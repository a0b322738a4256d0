// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/render/ruler_painter.h"

#include "core/base/format.h"
#include "widgets/render/colours.h"
#include "widgets/render/timeline_painter.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ks {
namespace {

constexpr qsizetype kLongestName = 80;
constexpr double kLeastTickDistance = 96; // room for a label
constexpr double kLeastStepWidth = 3;
constexpr int kMinorTicks = 5;

void paintSteps(QPainter &painter, const RulerPicture &picture)
{
    const Viewport &viewport = picture.viewport;
    const QFontMetricsF metrics(painter.font());
    const double narrowest = metrics.horizontalAdvance(u'i'); // no text is measured that cannot fit
    double painted = -1; // steps too narrow to be told apart are not drawn one by one
    for (std::size_t i = 0; i < picture.steps.size(); ++i) {
        const Step &step = picture.steps[i];
        const double x0 = std::max(viewport.xOf(saturatingAdd(step.range.begin, picture.offset)), -2.0);
        const double x1 = std::min(viewport.xOf(saturatingAdd(step.range.end, picture.offset)), viewport.width() + 2);
        if (x0 >= viewport.width())
            break;
        if (x1 <= 0 || x1 - painted < kLeastStepWidth)
            continue;
        painted = x1;
        const QRectF band(x0, 1, std::max(x1 - x0 - 1, 1.0), kStepBandHeight - 2);
        painter.fillRect(band, toColour(i % 2 ? picture.theme.stepBandAlternate : picture.theme.stepBand));
        const double left = std::max(x0, 0.0) + 6;
        const double room = std::min(x1, viewport.width()) - left - 3;
        const QString name = picture.trace ? toText(picture.trace->name(step.event)).left(kLongestName)
                                           : QStringLiteral("ProfilerStep#") + QString::number(step.number);
        const QString full = name + QStringLiteral("   ") + toText(formatDuration(step.range.duration()));
        const QString number = QStringLiteral("#") + QString::number(step.number);
        painter.setPen(toColour(picture.theme.text));
        for (const QString &text : {full, name, number}) {
            if (static_cast<double>(text.size()) * narrowest <= room && metrics.horizontalAdvance(text) <= room) {
                painter.drawText(QRectF(left, 0, room, kStepBandHeight), Qt::AlignLeft | Qt::AlignVCenter, text);
                break;
            }
        }
    }
}

void paintTicks(QPainter &painter, const RulerPicture &picture)
{
    const Viewport &viewport = picture.viewport;
    const QFontMetricsF metrics(painter.font());
    const TimeNs step = tickStep(viewport.nsPerPixel(), kLeastTickDistance);
    const TimeNs minor = std::max<TimeNs>(step / kMinorTicks, 1);
    const TimeRange range = viewport.range();
    const TimeNs remainder = range.begin % step;
    const TimeNs first = saturatingSubtract(range.begin, remainder < 0 ? remainder + step : remainder);
    for (TimeNs t = first; t <= range.end && viewport.xOf(t) <= viewport.width(); t = saturatingAdd(t, step)) {
        const double x = viewport.xOf(t);
        painter.setPen(toColour(picture.theme.muted));
        painter.drawLine(QPointF(x, kRulerHeight - 9), QPointF(x, kRulerHeight));
        // Whole or not at all: "460 ms" that begins left of the view would say "0 ms".
        const QString text = toText(formatTimePoint(t, step));
        const QRectF label(x + 4, kStepBandHeight, metrics.horizontalAdvance(text) + 1, kTicksHeight);
        if (label.left() >= 0 && label.right() <= viewport.width() + 1)
            painter.drawText(label, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, text);
        if (minor < step) {
            painter.setPen(toColour(picture.theme.border));
            for (TimeNs m = t + minor; m < t + step; m += minor)
                painter.drawLine(QPointF(viewport.xOf(m), kRulerHeight - 4), QPointF(viewport.xOf(m), kRulerHeight));
        }
        if (t > kMaxTime - step)
            break;
    }
}

} // namespace

TimeNs tickStep(double nsPerPixel, double leastPixels)
{
    const double least = std::clamp(nsPerPixel * leastPixels, 1.0, 4e18);
    double power = std::pow(10, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
        if (factor * power >= least * (1 - 1e-9))
            return static_cast<TimeNs>(std::llround(factor * power));
    }
    return static_cast<TimeNs>(std::llround(10 * power));
}

void paintRuler(QPainter &painter, const RulerPicture &picture)
{
    painter.save();
    painter.setClipRect(QRectF(0, 0, picture.viewport.width(), kRulerHeight), Qt::IntersectClip);
    painter.fillRect(QRectF(0, 0, picture.viewport.width(), kRulerHeight), toColour(picture.theme.lanes));
    QFont font = timelineFont();
    font.setPixelSize(10);
    painter.setFont(font);
    paintSteps(painter, picture);
    paintTicks(painter, picture);
    painter.setPen(toColour(picture.theme.border));
    painter.drawLine(QPointF(0, kRulerHeight - 0.5), QPointF(picture.viewport.width(), kRulerHeight - 0.5));
    painter.restore();
}

} // namespace ks
