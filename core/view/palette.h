// SPDX-License-Identifier: GPL-3.0-or-later
// What colour an event has. A ColourKey is one byte that names an entry of a palette, so that draw lists (and later
// level-of-detail pyramids) do not depend on light or dark. The same name has the same key in every session and trace.
// Cost of keyOf: some array reads; the first time a name is seen about 1 us.
#pragma once

#include "core/trace/kernel_family.h"
#include "core/trace/trace.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace ks {

enum class ColourKey : std::uint8_t {};
inline constexpr std::size_t kColourKeyCount = 160;
inline constexpr unsigned kHues = 24; // tints of names: equal lightness, spread over the circle
inline constexpr unsigned kRampSteps = 9;

enum class ColourMode : std::uint8_t {
    Family,    // device work by kernel family, host events by soft tints of their names: the default
    Name,      // everything by name
    Category,  // by kind of event
    Module,    // by the innermost nn.Module
    Phase,     // forward, backward, optimizer
    Step,      // neighbouring steps differ
    Delay,     // from the end of the launch to the begin of the work: a ramp from short to long
    Occupancy, // of kernels, estimated: a ramp from empty to full
};
inline constexpr std::size_t kColourModes = 8;

enum class Phase : std::uint8_t { Forward, Backward, Optimizer };

ColourKey operatorTint(unsigned hue);
ColourKey annotationTint(unsigned hue); // lighter
ColourKey pythonTint(unsigned hue);     // nearly grey
ColourKey strongTint(unsigned hue);     // device work coloured by name
ColourKey familyKey(KernelFamily family);
ColourKey kindKey(EventKind kind);
ColourKey phaseKey(Phase phase);
ColourKey rampKey(unsigned step); // 0 … kRampSteps - 1, from little to much; told apart by lightness alone, too
ColourKey plainKey();             // of what a mode has nothing to say about

// Hue of a name, [0, kHues). Numbers at its end do not count: ProfilerStep#7 and ProfilerStep#8 look alike.
unsigned hueOf(std::string_view name);
unsigned hueOf(NameId name); // the same, remembered

// Of the modes that look at one event alone: Family, Name, Category. The others need a column, see event_colours.h.
ColourKey keyOf(const Trace &trace, EventId id, ColourMode mode);

// The colours of the events of one trace in one mode.
class EventColours
{
public:
    explicit EventColours(ColourMode mode = ColourMode::Family, std::vector<ColourKey> column = {})
        : m_mode(mode)
        , m_column(std::move(column))
    {}
    ColourMode mode() const { return m_mode; }
    ColourKey of(const Trace &trace, EventId id) const
    {
        return m_column.empty() ? keyOf(trace, id, m_mode) : m_column[index(id)];
    }

private:
    ColourMode m_mode;
    std::vector<ColourKey> m_column; // by event; empty: keyOf() tells
};
KernelFamily familyOf(NameId name); // kernelFamilyOf(nameText(name)), remembered

struct Rgb
{
    std::uint8_t r = 0, g = 0, b = 0;
    friend constexpr bool operator==(Rgb, Rgb) = default;
};
constexpr Rgb rgb(std::uint32_t hex)
{
    return {static_cast<std::uint8_t>(hex >> 16U), static_cast<std::uint8_t>(hex >> 8U),
            static_cast<std::uint8_t>(hex)};
}
double relativeLuminance(Rgb colour); // WCAG 2: 0 black … 1 white
double contrast(Rgb a, Rgb b);        // WCAG 2: 1 … 21
Rgb mix(Rgb a, Rgb b, double partOfB);

// The surfaces and inks of the timeline.
struct Theme
{
    bool dark = false;
    Rgb lanes, lanesAlternate, header, border, text, muted, accent, selection;
    Rgb stepBand, stepBandAlternate;
    Rgb labelDark, labelLight; // ink on boxes
    Rgb peak;
    std::array<Rgb, kColourKeyCount> colours{};

    Rgb colour(ColourKey key) const { return colours[static_cast<std::size_t>(key)]; }
    Rgb ink(Rgb box) const; // the label ink that is easier to read on `box`
};
inline constexpr double kDimmed = 0.28; // opacity of what a filter does not match

const Theme &lightTheme();
const Theme &darkTheme();

} // namespace ks
