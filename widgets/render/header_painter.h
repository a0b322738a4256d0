// SPDX-License-Identifier: GPL-3.0-or-later
// The column left of the lanes: headings, names, fold marks, busy shares. Cost: O(blocks in view), about 5 us each once
// their text is laid out.
#pragma once

#include "core/view/lane_layout.h"
#include "core/view/palette.h"
#include "widgets/render/text_cache.h"

#include <QFont>
#include <QRectF>
#include <QString>

class QPainter;

namespace ks {

inline constexpr int kHeaderWidth = 220;

struct HeadersPicture
{
    const Trace &trace;
    const LaneLayout &layout;
    const Theme &theme;
    TimeRange visible; // of busy shares and values
    double width = kHeaderWidth;
    int height = 0;
    int scrollY = 0;
    std::size_t hovered = LaneLayout::kNone; // block under the mouse
    QString traceTitle = {};                 // said of pinned lanes; empty: their trace is plain to see
};

// The painter's (0, 0) is the top left corner of the column; what is there is the ground (Theme::header).
void paintHeaders(QPainter &painter, const HeadersPicture &picture, TextCache &texts);

// What a click on a header does.
enum class HeaderPart { None, Group, Lane, Python, HiddenRows, Causes };
HeaderPart headerPartAt(const LaneLayout &layout, int y); // y from the top of the lanes

} // namespace ks
