// SPDX-License-Identifier: GPL-3.0-or-later
// The boxes and cells of one row: from its pyramid where it has one that is fine enough, else event by event. See draw_list.h for what they
// mean.
#pragma once

#include "core/view/draw_list.h"
#include "core/view/duration_blocks.h"
#include "core/view/pixel_columns.h"
#include "core/view/pyramid_cells.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace ks {

class RowFiller
{
public:
    // Keeps references to all of them; boxes and cells go to `list`.
    RowFiller(const Trace &trace, const Viewport &viewport, const DurationBlocks &durations,
              const PixelColumns &columns, const DrawOptions &options, DrawList &list);

    // Appends what is in view of row.row.
    void fill(DrawRow &row);
    ColourKey colourOf(EventId id);
    Box boxOf(TimeRange range, EventId event);
    bool isDim(std::size_t first, std::size_t end) const // does the filter let none of them pass?
    {
        return !m_options.matching.empty() && !anyBit(m_options.matching, first, end);
    }

private:
    std::size_t firstReaching(std::size_t first, std::size_t end, TimeNs t) const;
    void addFromPyramid(const DrawRow &row, const RowPyramid &pyramid, const RowPyramid::Level &level,
                        const RowPyramid *matched);
    void scan(std::size_t first, std::size_t end);
    bool isBox(std::size_t i) const;
    // Both return what comes after what they took.
    std::size_t addBox(std::size_t i);
    std::size_t addCell(std::size_t first, std::size_t rowEnd);
    void markUnlaunched(Box &box) const;
    void shadeBySamples(Cell &cell, std::size_t end);
    std::uint8_t shareOf(double covered) const;

    const Trace &m_trace;
    const Viewport &m_viewport;
    const DurationBlocks &m_durations;
    const PixelColumns &m_columns;
    const DrawOptions &m_options;
    DrawList &m_list;
    PyramidCells m_pyramidCells;
    const std::optional<EventColours> m_ownColours; // if the options have none
    const EventColours &m_colours;
    struct Remembered
    {
        std::uint32_t name = 0xffffffffU;
        std::uint32_t category = 0;
        ColourKey colour{};
    };
    std::array<Remembered, 512> m_remembered;
    std::uint32_t m_boxNs; // shortest box
    double m_sharePerNs;   // of 255
    double m_boxEdge;      // how far a box may reach to the right
};

} // namespace ks
