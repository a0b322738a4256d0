// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of the lanes without anything that follows the mouse or the selection: drawn when its key changes, copied
// otherwise. A new one is drawn where it is shown; only one that is shown again, while the mouse moves over it, is kept.
#pragma once

#include "core/view/hit_test.h"
#include "widgets/render/label_cache.h"
#include "widgets/timeline/collective_labels.h"
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
        std::uint64_t labels = 0;  // CollectiveLabels::version()
        friend bool operator==(const Key &, const Key &) = default;
    };
    ContentLayer();

    using ShadingList = std::vector<std::shared_ptr<const Shading>>; // by track

    // Decides what is to be drawn, if `key` is new.
    void update(const Key &key, const TrackList &tracks, const ShadingList &shadings);
    // Before the picture was shown anywhere, drawing it elsewhere is cheaper than image().
    bool isNew() const { return m_isNew; }
    void drawInto(QImage &target, QPoint origin, const TrackList &tracks,
                  const CollectiveLabels &labels); // origin: device pixels
    const QImage &image(const TrackList &tracks, const CollectiveLabels &labels);
    // The draw list of a track as last drawn; empty before.
    const DrawList &list(std::size_t track) const;
    int drawn() const { return m_drawn; } // how often the key was new, for tests

private:
    void decide(const TrackList &tracks, const ShadingList &shadings);
    void paintBand(QImage &target, QPoint origin, const TrackList &tracks, const CollectiveLabels &labels,
                   Scroll::Band band);
    QSize pixels() const;

    Key m_key;
    QImage m_image;
    bool m_hasKey = false;
    bool m_isNew = false;     // nobody has seen it
    bool m_imageIsOld = true; // m_image is of an earlier key
    std::vector<DrawList> m_lists;
    LabelCache m_labels;
    int m_drawn = 0;
};

} // namespace ks
