// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/scroll.h"

#include <algorithm>

namespace ks {

int Scroll::pinned() const
{
    int height = 0;
    for (const Stretch &stay : stays)
        height += stay.to - stay.from;
    return height;
}

int Scroll::toContent(int screenY) const
{
    int top = 0; // of what stays, on the screen
    for (const Stretch &stay : stays) {
        if (screenY < top + stay.to - stay.from)
            return stay.from + screenY - top;
        top += stay.to - stay.from;
    }
    int content = screenY - top + y;
    for (const Stretch &stay : stays) {
        if (content >= stay.from)
            content += stay.to - stay.from;
    }
    return content;
}

double Scroll::toScreen(double contentY) const
{
    double top = 0;
    double before = 0; // of what stays, above it in the content
    for (const Stretch &stay : stays) {
        if (contentY >= stay.from && contentY < stay.to)
            return top + contentY - stay.from;
        top += stay.to - stay.from;
        if (contentY >= stay.to)
            before += stay.to - stay.from;
    }
    return contentY - before + top - y;
}

bool Scroll::hides(double contentY) const
{
    const bool isPinned = std::any_of(stays.begin(), stays.end(), [contentY](const Stretch &stay) {
        return contentY >= stay.from && contentY < stay.to;
    });
    return !isPinned && toScreen(contentY) < pinned();
}

std::vector<Scroll::Band> Scroll::bands(int height) const
{
    std::vector<Band> bands;
    int at = 0;
    const auto add = [&](int content, int length) {
        const int to = std::min(at + length, height);
        if (to > at)
            bands.push_back({at, to, content - at});
        at = std::max(at, to);
    };
    for (const Stretch &stay : stays)
        add(stay.from, stay.to - stay.from);
    int content = toContent(at);
    for (const Stretch &stay : stays) {
        if (stay.from < content)
            continue;
        add(content, stay.from - content);
        content = stay.to;
    }
    add(content, height - at);
    return bands;
}

} // namespace ks
