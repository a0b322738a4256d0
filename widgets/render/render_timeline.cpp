// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/render/render_timeline.h"

#include "core/view/draw_list.h"
#include "core/view/event_colours.h"
#include "core/view/first_view.h"
#include "widgets/render/box_labels.h"
#include "widgets/render/colours.h"
#include "widgets/render/header_painter.h"
#include "widgets/render/ruler_painter.h"
#include "widgets/render/timeline_painter.h"

#include <QCoreApplication>
#include <QIODevice>
#include <QPainter>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>

namespace ks {
namespace {

constexpr int kMostHeight = 4000; // of a picture that chooses its own height
constexpr int kLeastHeight = 120;
constexpr double kMostPixels = 1e8;
constexpr int kLeastLanesWidth = 40; // narrower pictures go without headers

// Everything a picture is made of.
struct Scene
{
    Scene(const Trace &trace, const RenderOptions &options)
        : theme(themeFor(options.dark))
        , colours(eventColours(trace, options.colours))
        , matching(options.matching)
        , index(std::make_shared<const ViewIndex>(trace))
        , layout(trace, index, defaultArrangement(trace, *index))
        , width(options.width)
        , height(options.height > 0 ? options.height
                                    : std::clamp(layout.height() + kRulerHeight, kLeastHeight, kMostHeight))
        , headerWidth(options.width - kHeaderWidth >= kLeastLanesWidth ? kHeaderWidth : 0)
    {
        const TimeRange range = options.range.isEmpty() ? firstRange(trace, *index) : options.range;
        viewport = Viewport(range.united(trace.range()), range, width - headerWidth);
        scrollY = firstScroll(trace, layout, lanesHeight());
        // As the window does, so that both draw one picture.
        const std::vector<RowId> rows = layout.rowsOfLanesIn(scrollY, scrollY + lanesHeight());
        levels = LevelOfDetail({}, buildPyramids(trace, rows, colours, {}, {}));
        if (!matching.empty())
            matchedLevels = LevelOfDetail({}, buildPyramids(trace, rows, colours, matching, {}));
    }

    int lanesHeight() const { return std::max(height - kRulerHeight, 0); }
    DrawList drawList(const Trace &trace, double dpr) const
    {
        DrawOptions options;
        options.dpr = dpr;
        options.colours = &colours;
        options.levels = &levels;
        options.matchedLevels = matching.empty() ? nullptr : &matchedLevels;
        options.matching = matching;
        return buildDrawList(trace, viewport, layout, scrollY, scrollY + lanesHeight(), options);
    }
    LanesPicture lanes(const Trace &trace, const DrawList &list)
    {
        labels = collectiveNames(trace, collectivesWithLabels(trace, list));
        return {trace, list, layout, theme, static_cast<double>(width - headerWidth), lanesHeight(), scrollY, &labels};
    }

    // Everything but the lanes themselves.
    void paintFrame(QPainter &painter, const Trace &trace) const
    {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.save();
        painter.translate(headerWidth, 0);
        paintRuler(painter, {viewport, theme, trace.steps()});
        painter.restore();
        // Over whatever reaches out of the lanes to the left: SVG output knows no clipping.
        if (headerWidth > 0) {
            painter.fillRect(QRectF(0, 0, headerWidth, kRulerHeight + lanesHeight()), toColour(theme.header));
            painter.save();
            painter.translate(0, kRulerHeight);
            TextCache texts;
            paintHeaders(
                painter,
                {trace, layout, theme, viewport.range(), static_cast<double>(headerWidth), lanesHeight(), scrollY},
                texts);
            painter.restore();
        }
        if (layout.blocks().empty()) {
            painter.setPen(toColour(theme.muted));
            painter.setFont(timelineFont());
            painter.drawText(QRectF(headerWidth, kRulerHeight, width - headerWidth, lanesHeight()), Qt::AlignCenter,
                             QCoreApplication::translate("ks::Timeline", "no events"));
        }
    }

    const Theme &theme;
    EventColours colours;
    EventBits matching;
    LevelOfDetail levels, matchedLevels;
    EventLabels labels;
    std::shared_ptr<const ViewIndex> index;
    LaneLayout layout;
    int width;
    int height;
    int headerWidth;
    Viewport viewport;
    int scrollY = 0;
};

bool isPicture(const RenderOptions &options)
{
    return options.width > 0 && options.height >= 0 && options.dpr > 0
           && options.width * options.dpr * std::max(options.height, 1) * options.dpr <= kMostPixels;
}

} // namespace

QImage renderTimelineImage(const Trace &trace, const RenderOptions &options)
{
    if (!isPicture(options))
        return {};
    Scene scene(trace, options);
    const QSize pixels(static_cast<int>(std::lround(scene.width * options.dpr)),
                       static_cast<int>(std::lround(scene.height * options.dpr)));
    QImage image(pixels, QImage::Format_RGB32);
    if (image.isNull())
        return {};
    image.fill(toQRgb(scene.theme.lanes));
    const DrawList list = scene.drawList(trace, options.dpr);
    LabelCache labels(timelineFont());
    const QPoint origin(static_cast<int>(std::lround(scene.headerWidth * options.dpr)),
                        static_cast<int>(std::lround(kRulerHeight * options.dpr)));
    if (scene.lanesHeight() > 0)
        paintLanes(image, origin, options.dpr, scene.lanes(trace, list), labels);
    QPainter painter(&image);
    painter.scale(options.dpr, options.dpr);
    scene.paintFrame(painter, trace);
    painter.end();
    image.setDevicePixelRatio(options.dpr);
    return image;
}

bool renderTimelineSvg(const Trace &trace, const RenderOptions &options, QIODevice &device)
{
    if (!isPicture(options))
        return false;
    Scene scene(trace, options);
    QSvgGenerator generator;
    generator.setOutputDevice(&device);
    generator.setSize(QSize(scene.width, scene.height));
    generator.setViewBox(QRect(0, 0, scene.width, scene.height));
    generator.setResolution(96);
    generator.setTitle(QCoreApplication::translate("ks::Timeline", "Timeline"));
    QPainter painter;
    if (!painter.begin(&generator))
        return false;
    const DrawList list = scene.drawList(trace, 1);
    painter.translate(scene.headerWidth, kRulerHeight);
    paintLanes(painter, scene.lanes(trace, list));
    painter.translate(-scene.headerWidth, -kRulerHeight);
    scene.paintFrame(painter, trace);
    return painter.end();
}

} // namespace ks
