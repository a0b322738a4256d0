// SPDX-License-Identifier: GPL-3.0-or-later
// From y on the screen to y from the top of all lanes and back: what stays (pinned lanes) stands on top, one under the
// other; everything else scrolls below. O(what stays), which are a few stretches: one a trace.
#pragma once

#include <vector>

namespace ks {

struct Scroll
{
    struct Stretch // of content y
    {
        int from = 0, to = 0;
        friend bool operator==(const Stretch &, const Stretch &) = default;
    };
    int y = 0;
    std::vector<Stretch> stays; // ascending, apart

    int pinned() const; // height of what stays
    int toContent(int screenY) const;
    double toScreen(double contentY) const;
    bool hides(double contentY) const; // behind what stays
    // The screen down to `height`, cut where neighbours on the screen are none in the content: [from, to) shows content
    // y from + shift and on.
    struct Band
    {
        int from = 0, to = 0;
        int shift = 0;
    };
    std::vector<Band> bands(int height) const;

    friend bool operator==(const Scroll &, const Scroll &) = default;
};

} // namespace ks
