// SPDX-License-Identifier: GPL-3.0-or-later
// What is to be drawn: a plain list of boxes, strip cells, ticks and bands, decided by a pure function of trace,
// viewport and layout. x are logical pixels from the left edge of the lanes, y from the top of the lanes (scrolling is
// the painter's affair).
//
// A row is divided into columns of one device pixel. An event of at least a column's width is a Box. Narrower ones
// gather in the cell of the column in which they begin, so that every event is in exactly one box or cell of its row,
// however dense it is. Cost: O(columns * log n) per visible row, whatever the number of events; about 50-600 us for
// 1,920 columns.
#pragma once

#include "core/trace/trace.h"
#include "core/view/lane_layout.h"
#include "core/view/palette.h"
#include "core/view/viewport.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ks {

struct Box
{
    float x0 = 0, x1 = 0; // cut a little outside the view
    EventId event = kNoEvent;
    ColourKey colour{};
    bool dim = false;
};

struct Cell
{
    std::uint32_t column = 0;
    EventId first = kNoEvent, end = kNoEvent; // one event or a run of neighbours
    ColourKey colour{};                       // of what takes most time in it
    std::uint8_t busy = 0;                    // share of the column that is covered, of 255
    bool dim = false;
};

struct Tick
{
    float x = 0;
    int y = 0;
    std::uint32_t instant = 0; // position in Trace::instants()
};

struct DrawRow
{
    int y = 0;
    int height = 0; // of boxes and cells
    RowId row = kNoRow;
    std::uint32_t firstBox = 0, endBox = 0;
    std::uint32_t firstCell = 0, endCell = 0;
};

struct Band
{
    std::size_t block = 0;         // position in LaneLayout::blocks()
    std::uint32_t curve = 0;       // position in CurveLane::curves
    std::uint32_t firstColumn = 0; // column of bandColumns[first]
    std::uint32_t first = 0, end = 0;
};

struct OutOfMemoryMark
{
    float x = 0;
    std::size_t block = 0;
};

struct DrawList
{
    double columnWidth = 1; // logical pixels
    std::uint32_t columns = 0;
    std::vector<DrawRow> rows; // by y; rows never overlap
    std::vector<Box> boxes;    // row by row, by x
    std::vector<Cell> cells;
    std::vector<Tick> ticks;
    std::vector<Band> bands;
    std::vector<Extremes> bandColumns;
    std::vector<OutOfMemoryMark> outOfMemory;
};

// One bit per event, true = matches the filter. Empty: everything matches.
using EventBits = std::span<const std::uint64_t>;

struct DrawOptions
{
    ColourMode colourMode = ColourMode::Family;
    EventBits matching;
    double dpr = 1; // device pixels per logical pixel
};

// Everything that touches the y range [top, bottom).
DrawList buildDrawList(const Trace &trace, const Viewport &viewport, const LaneLayout &layout, int top, int bottom,
                       const DrawOptions &options = {});

} // namespace ks
