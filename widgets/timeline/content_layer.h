// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of the lanes without anything that follows the mouse or the selection: drawn when its key changes, copied
// otherwise.
#pragma once

#include "core/view/hit_test.h"
#include "widgets/render/label_cache.h"
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
        int scrollY = 0;
        bool dark = false;
        ColourMode colourMode = ColourMode::Family;
        std::uint64_t filter = 0; // grows with every change of the matching events
        friend bool operator==(const Key &, const Key &) = default;
    };
    using Matching = std::shared_ptr<const std::vector<std::uint64_t>>; // a bit per event; null: everything matches

    ContentLayer();

    // Draws if `key` is new. `matching` by track.
    const QImage &image(const Key &key, const TrackList &tracks, const std::vector<Matching> &matching);
    // The draw list of a track as last drawn; empty before.
    const DrawList &list(std::size_t track) const;
    int drawn() const { return m_drawn; } // how often it was drawn, for tests

private:
    void draw(const TrackList &tracks, const std::vector<Matching> &matching);

    Key m_key;
    QImage m_image;
    std::vector<DrawList> m_lists;
    LabelCache m_labels;
    int m_drawn = 0;
};

} // namespace ks
