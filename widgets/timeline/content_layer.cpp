// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/content_layer.h"

#include "widgets/render/colours.h"
#include "widgets/render/timeline_painter.h"

#include <QElapsedTimer>
#include <QLoggingCategory>

#include <algorithm>
#include <cmath>

namespace ks {
namespace {

// QT_LOGGING_RULES="kinetoscope.frames.debug=true" prints what a frame costs.
Q_LOGGING_CATEGORY(frames, "kinetoscope.frames", QtInfoMsg)

} // namespace

ContentLayer::ContentLayer()
    : m_labels(timelineFont())
{}

void ContentLayer::update(const Key &key, const TrackList &tracks, const ShadingList &shadings)
{
    if (m_hasKey && key == m_key)
        return;
    QElapsedTimer timer;
    timer.start();
    m_key = key;
    m_hasKey = m_isNew = m_imageIsOld = true;
    decide(tracks, shadings);
    ++m_drawn;
    qCDebug(frames, "decided in %.2f ms", static_cast<double>(timer.nsecsElapsed()) / 1e6);
}

const QImage &ContentLayer::image(const TrackList &tracks, const CollectiveLabels &labels)
{
    if (m_imageIsOld) {
        if (m_image.size() != pixels())
            m_image = QImage(pixels(), QImage::Format_RGB32);
        m_image.setDevicePixelRatio(1);
        drawInto(m_image, QPoint(), tracks, labels);
        m_image.setDevicePixelRatio(m_key.dpr);
        m_imageIsOld = false;
    }
    return m_image;
}

void ContentLayer::drawInto(QImage &target, QPoint origin, const TrackList &tracks, const CollectiveLabels &labels)
{
    QElapsedTimer timer;
    timer.start();
    for (const Scroll::Band &band : m_key.scroll.bands(m_key.size.height()))
        paintBand(target, origin, tracks, labels, band);
    m_isNew = false;
    qCDebug(frames, "drawn in %.2f ms", static_cast<double>(timer.nsecsElapsed()) / 1e6);
}

QSize ContentLayer::pixels() const
{
    const auto toDevice = [this](int logical) {
        return std::max(static_cast<int>(std::lround(logical * m_key.dpr)), 1);
    };
    return {toDevice(m_key.size.width()), toDevice(m_key.size.height())};
}

const DrawList &ContentLayer::list(std::size_t track) const
{
    static const DrawList nothing;
    return track < m_lists.size() ? m_lists[track] : nothing;
}

void ContentLayer::decide(const TrackList &tracks, const ShadingList &shadings)
{
    std::vector<DrawList> before = std::move(m_lists); // their memory is used again
    before.resize(tracks.tracks().size());
    m_lists.clear();
    for (std::size_t i = 0; i < tracks.tracks().size(); ++i) {
        const Track &track = tracks.tracks()[i];
        DrawOptions options;
        options.dpr = m_key.dpr;
        if (i < shadings.size()) {
            const Shading &shading = *shadings[i];
            options.colours = shading.colours.get();
            options.levels = shading.levels.get();
            options.matchedLevels = shading.matchedLevels.get();
            if (shading.matching)
                options.matching = *shading.matching;
        }
        options.pinned = track.layout.pinnedHeight();
        const Scroll &scroll = m_key.scroll;
        const int top = std::max(scroll.toContent(scroll.pinned()) - track.top, 0);
        const int bottom = std::min(track.layout.height(), scroll.toContent(m_key.size.height()) - track.top);
        if (bottom <= top && options.pinned == 0)
            m_lists.emplace_back();
        else
            m_lists.push_back(buildDrawList(*track.trace, track.viewportOf(m_key.viewport), track.layout, top,
                                            std::max(bottom, top), options, std::move(before[i])));
    }
}

void ContentLayer::paintBand(QImage &target, QPoint origin, const TrackList &tracks, const CollectiveLabels &labels,
                             Scroll::Band band)
{
    const auto [from, to, shift] = band;
    const Theme &theme = themeFor(m_key.dark);
    const QSize size = pixels();
    const auto toDevice = [this](double logical) { return static_cast<int>(std::lround(logical * m_key.dpr)); };
    const auto fill = [&](int top, int bottom, Rgb colour) {
        for (int y = toDevice(top); y < std::min(toDevice(bottom), size.height()); ++y)
            std::fill_n(reinterpret_cast<QRgb *>(target.scanLine(origin.y() + y)) + origin.x(), size.width(),
                        toQRgb(colour));
    };
    int end = from; // down to which it is drawn
    for (std::size_t i = 0; i < tracks.tracks().size() && end < to; ++i) {
        const Track &track = tracks.tracks()[i];
        const int screenTop = std::max(track.top - shift, from);
        if (screenTop > end) { // its title
            fill(end, std::min(screenTop, to), theme.header);
            end = std::min(screenTop, to);
        }
        const int top = std::max(from + shift - track.top, 0); // of the track
        const int bottom = std::min(track.layout.height(), to + shift - track.top);
        if (bottom <= top)
            continue;
        paintLanes(target, origin + QPoint(0, toDevice(screenTop)), m_key.dpr,
                   {*track.trace, m_lists[i], track.layout, theme, static_cast<double>(m_key.size.width()),
                    bottom - top, top, &labels.of(track)},
                   m_labels);
        end = screenTop + bottom - top;
    }
    fill(end, to, theme.lanes);
}

} // namespace ks
