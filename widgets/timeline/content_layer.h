// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of the lanes without anything that follows the mouse or the selection: drawn when its key changes, copied
// otherwise.
#pragma once

#include "core/view/hit_test.h"
#include "widgets/render/label_cache.h"
#include "widgets/timeline/shadings.h"
#include "widgets/timeline/track_list.h"

#include <QImage>
#include <QSize>

#include <memory>
#include <vector>

namespace ks {

class ContentLayer
{
public:
    struct Key
    {
        std::uint64_t tracks = 0; // TrackList::version()
        Viewport viewport;
        QSize size; // logical pixels
        double dpr = 1;
        Scroll scroll;
        bool dark = false;
        std::uint64_t shading = 0; // Shadings::version()
        friend bool operator==(const Key &, const Key &) = default;
    };
    ContentLayer();

    using ShadingList = std::vector<std::shared_ptr<const Shading>>; // by track

    // Draws if `key` is new.
    const QImage &image(const Key &key, const TrackList &tracks, const ShadingList &shadings);
    // The draw list of a track as last drawn; empty before.
    const DrawList &list(std::size_t track) const;
    int drawn() const { return m_drawn; } // how often it was drawn, for tests

private:
    void draw(const TrackList &tracks, const ShadingList &shadings);
    void decide(const TrackList &tracks, const ShadingList &shadings);
    void paintBand(const TrackList &tracks, int from, int to, int scroll); // screen y, logical

    Key m_key;
    QImage m_image;
    std::vector<DrawList> m_lists;
    LabelCache m_labels;
    int m_drawn = 0;
};

} // namespace ks
