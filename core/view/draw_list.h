// SPDX-License-Identifier: GPL-3.0-or-later
// What is to be drawn: a plain list of boxes, strip cells, ticks and bands, decided by a pure function of trace,
// viewport and layout. x are logical pixels from the left edge of the lanes, y from the top of the lanes (scrolling is
// the painter's affair).
//
// A row is divided into columns of one device pixel. An event of at least a column's width is a Box. Narrower ones
// gather in the cell of the column in which they begin, so that every event is in exactly one box or cell of its row,
// however dense it is. Cost: O(columns * log n) per visible row, whatever the number of events; about 50-600 us for
// 1,920 columns.
//
// Where a row has a pyramid (level_of_detail.h) with buckets of at most a column, its cells come from there, for about
// 10 us: each bucket counts for the column its middle lies in, so a cell may be off by half a bucket, but what is
// covered is neither lost nor counted twice. Only events of at least kPyramidBox columns are boxes then; columns that a
// box touches belong to it.
#pragma once

#include "core/trace/trace.h"
#include "core/view/lane_layout.h"
#include "core/view/level_of_detail.h"
#include "core/view/palette.h"
#include "core/view/viewport.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ks {

struct Box
{
    float x0 = 0, x1 = 0; // cut a little outside the view
    EventId event = kNoEvent;
    ColourKey colour{};
    bool dim = false;
    bool unlaunched = false; // device work without a launch in the file (only told of boxes that are wide enough)
};

// Eight bytes: a picture of many thin rows has half a million of them.
struct Cell
{
    EventId first = kNoEvent; // of one event or a run of neighbours; of a pyramid none, see eventsOf()
    std::uint16_t column : 15 = 0;
    std::uint16_t dim : 1 = 0;
    ColourKey colour{};    // of what takes most time in it (of what matches, if anything does)
    std::uint8_t busy = 0; // share of the column that is covered, of 255
};
inline constexpr std::uint32_t kMostColumns = 0x7fff; // what QPainter can address, too

struct Tick
{
    float x = 0;
    int y = 0;
    std::uint32_t instant = 0; // position in Trace::instants()
};

struct DrawRow
{
    int y = 0;
    int height = 0;        // of boxes and cells
    int pitch = kRowPitch; // y of the row below, if there is one
    RowId row = kNoRow;    // none: a row of causes, whose boxes name the host events the device works for
    TimeNs bucket = 0;     // ns, of the pyramid its cells are from; 0 = looked at event by event
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
    double nsPerColumn = 1;
    std::uint32_t columns = 0;
    std::vector<TimeNs> borders; // the first time of each column, and of the one after the last
    std::vector<DrawRow> rows;   // by y; rows never overlap
    std::vector<Box> boxes;      // row by row, by x
    std::vector<Cell> cells;
    std::vector<Tick> ticks;
    std::vector<Band> bands;
    std::vector<Extremes> bandColumns;
    std::vector<OutOfMemoryMark> outOfMemory;
};

inline constexpr double kPyramidBox = 4; // columns

struct DrawOptions
{
    const EventColours *colours = nullptr; // null: by family
    EventBits matching;
    const LevelOfDetail *levels = nullptr;        // null: look at events. With the colours of `colours`
    const LevelOfDetail *matchedLevels = nullptr; // the same of what matches, if there is a filter
    double dpr = 1;                               // device pixels per logical pixel
    int pinned = 0;                               // what lies above this y is drawn, too
    unsigned workers = 2;                         // at most so many threads decide; only where there are many rows
};

// Everything that touches the y range [top, bottom). `recycled`: a list that is not needed any more, for its memory.
DrawList buildDrawList(const Trace &trace, const Viewport &viewport, const LaneLayout &layout, int top, int bottom,
                       const DrawOptions &options = {}, DrawList recycled = {});

// The events [first, second) a cell of `row` stands for: those that begin in its column, as far as they are no boxes; of
// a pyramid those that touch it. O(log n).
std::pair<EventId, EventId> eventsOf(const Trace &trace, const DrawList &list, const DrawRow &row, const Cell &cell);

} // namespace ks
