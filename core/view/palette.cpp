// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/palette.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <numbers>

namespace ks {
namespace {

// Layout of the keys.
constexpr unsigned kOperators = 0;
constexpr unsigned kAnnotations = kOperators + kHues;
constexpr unsigned kPythons = kAnnotations + kHues;
constexpr unsigned kStrong = kPythons + kHues;
constexpr unsigned kFamilies = kStrong + kHues;
constexpr unsigned kKinds = kFamilies + kKernelFamilyCount;
constexpr unsigned kPhases = kKinds + 12;
constexpr unsigned kRamp = kPhases + 3;
constexpr unsigned kPlain = kRamp + kRampSteps;
static_assert(kPlain < kColourKeyCount);

ColourKey key(unsigned position)
{
    return static_cast<ColourKey>(position);
}

// What is remembered about a name: family in the low byte, hue in the high byte, kKnown once computed.
constexpr std::uint32_t kKnown = 1U << 16U;

std::uint32_t factsOf(std::string_view name)
{
    return kKnown | static_cast<std::uint32_t>(kernelFamilyOf(name)) | (hueOf(name) << 8U);
}

// A table over all names of the process that grows by blocks and never moves. Two threads may compute the same entry;
// they store the same value.
class NameFacts
{
public:
    ~NameFacts()
    {
        for (auto &block : m_blocks)
            delete block.load();
    }
    std::uint32_t of(NameId name)
    {
        const std::size_t position = index(name);
        if (position >= kBlocks * kBlockSize)
            return factsOf(nameText(name));
        std::atomic<std::uint32_t> &entry = block(position / kBlockSize)[position % kBlockSize];
        std::uint32_t facts = entry.load(std::memory_order_relaxed);
        if (facts == 0) {
            facts = factsOf(nameText(name));
            entry.store(facts, std::memory_order_relaxed);
        }
        return facts;
    }

private:
    static constexpr std::size_t kBlocks = 4096;
    static constexpr std::size_t kBlockSize = 4096;
    using Block = std::array<std::atomic<std::uint32_t>, kBlockSize>;

    Block &block(std::size_t position)
    {
        Block *found = m_blocks[position].load(std::memory_order_acquire);
        if (!found) {
            auto fresh = std::make_unique<Block>();
            if (m_blocks[position].compare_exchange_strong(found, fresh.get(), std::memory_order_acq_rel))
                found = fresh.release();
        }
        return *found;
    }

    std::array<std::atomic<Block *>, kBlocks> m_blocks{};
};

std::uint32_t factsOf(NameId name)
{
    static NameFacts facts;
    return facts.of(name);
}

double linear(std::uint8_t channel)
{
    const double value = channel / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

std::uint8_t encoded(double value)
{
    value = value <= 0.0031308 ? value * 12.92 : 1.055 * std::pow(value, 1 / 2.4) - 0.055;
    return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 1.0) * 255));
}

// OKLCH (perceived lightness, chroma, hue in turns) -> sRGB.
Rgb oklch(double lightness, double chroma, double turns)
{
    const double a = chroma * std::cos(turns * 2 * std::numbers::pi);
    const double b = chroma * std::sin(turns * 2 * std::numbers::pi);
    const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    return {encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
            encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
            encoded(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

void fillColours(Theme &theme)
{
    const bool dark = theme.dark;
    for (unsigned hue = 0; hue < kHues; ++hue) {
        const double turns = static_cast<double>(hue) / kHues;
        theme.colours[kOperators + hue] = oklch(dark ? 0.74 : 0.80, 0.062, turns);
        theme.colours[kAnnotations + hue] = oklch(dark ? 0.80 : 0.87, 0.045, turns);
        theme.colours[kPythons + hue] = oklch(dark ? 0.66 : 0.85, 0.020, turns);
        theme.colours[kStrong + hue] = oklch(dark ? 0.66 : 0.64, 0.115, turns);
    }
    // After Paul Tol's bright scheme; further ones are chosen so that colour-blind eyes tell each from all others, too (the test computes it).
    constexpr std::array<std::uint32_t, kKernelFamilyCount> kFamilyColours = {
        0x4477aa, 0xaa3377, 0x2f8fae, 0x0a7c3d, 0xccbb44, 0x66ccee, 0x6046b0, 0xc0475b, 0xee7733, 0x9aa0a6, 0x8a8580};
    for (unsigned family = 0; family < kKernelFamilyCount; ++family)
        theme.colours[kFamilies + family] = rgb(kFamilyColours[family]);
    const auto kind = [&theme](EventKind of, std::uint32_t light, std::uint32_t darker) {
        theme.colours[kKinds + static_cast<unsigned>(of)] = rgb(theme.dark ? darker : light);
    };
    kind(EventKind::Operator, 0x8fb7d9, 0x7fa8cc);
    kind(EventKind::Annotation, 0xc9d7f2, 0xb4c4e4);
    kind(EventKind::Python, 0xd9c08f, 0xbfa877);
    kind(EventKind::Launch, 0xb9bec7, 0x9aa0aa);
    kind(EventKind::Kernel, 0x4477aa, 0x4477aa);
    kind(EventKind::Memcpy, 0x9aa0a6, 0x9aa0a6);
    kind(EventKind::Memset, 0x7c828a, 0x7c828a);
    kind(EventKind::GpuAnnotation, 0xbcd9c4, 0xa3c4ad);
    kind(EventKind::Sync, 0xd8c6e2, 0xbba7c6);
    kind(EventKind::Overhead, 0xe0a8a0, 0xc48a82);
    kind(EventKind::Span, 0xd9dde3, 0x50545c);
    kind(EventKind::Other, 0xa9c8a5, 0x93b18f);
    constexpr std::array<std::uint32_t, 3> kPhaseColours = {0x4477aa, 0xee7733, 0xaa3377};
    for (unsigned phase = 0; phase < kPhaseColours.size(); ++phase)
        theme.colours[kPhases + phase] = rgb(kPhaseColours[phase]);
    // Cividis: made for colour-blind eyes. Much stands out from the ground, in light and in dark.
    constexpr std::array<std::uint32_t, kRampSteps> kCividis = {0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173,
                                                                0x8a8678, 0xa59c74, 0xc3b369, 0xe1cc55};
    for (unsigned step = 0; step < kRampSteps; ++step)
        theme.colours[kRamp + step] = rgb(kCividis[dark ? step : kRampSteps - 1 - step]);
    theme.colours[kPlain] = dark ? rgb(0x4a4d53) : rgb(0xdcdfe4);
}

} // namespace

ColourKey operatorTint(unsigned hue)
{
    return key(kOperators + hue % kHues);
}
ColourKey annotationTint(unsigned hue)
{
    return key(kAnnotations + hue % kHues);
}
ColourKey pythonTint(unsigned hue)
{
    return key(kPythons + hue % kHues);
}
ColourKey strongTint(unsigned hue)
{
    return key(kStrong + hue % kHues);
}
ColourKey familyKey(KernelFamily family)
{
    return key(kFamilies + static_cast<unsigned>(family));
}
ColourKey kindKey(EventKind kind)
{
    return key(kKinds + static_cast<unsigned>(kind));
}

ColourKey phaseKey(Phase phase)
{
    return key(kPhases + static_cast<unsigned>(phase));
}
ColourKey rampKey(unsigned step)
{
    return key(kRamp + std::min(step, kRampSteps - 1));
}
ColourKey plainKey()
{
    return key(kPlain);
}

unsigned hueOf(std::string_view name)
{
    while (!name.empty() && name.back() >= '0' && name.back() <= '9')
        name.remove_suffix(1);
    std::uint64_t hash = 0xcbf29ce484222325U; // FNV-1a, then mixed: its low bits alone are weak for short names
    for (const char c : name)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    hash ^= hash >> 32U;
    hash *= 0x9e3779b97f4a7c15U;
    return static_cast<unsigned>((hash >> 40U) % kHues);
}

unsigned hueOf(NameId name)
{
    return (factsOf(name) >> 8U) & 0xffU;
}

KernelFamily familyOf(NameId name)
{
    return static_cast<KernelFamily>(factsOf(name) & 0xffU);
}

ColourKey keyOf(const Trace &trace, EventId id, ColourMode mode)
{
    const EventKind kind = trace.kind(id);
    if (mode == ColourMode::Category)
        return kindKey(kind);
    const NameId name = trace.nameId(id);
    switch (kind) {
    case EventKind::Kernel: return mode == ColourMode::Family ? familyKey(familyOf(name)) : strongTint(hueOf(name));
    case EventKind::Memcpy:
    case EventKind::Memset: return mode == ColourMode::Family ? familyKey(KernelFamily::Copy) : strongTint(hueOf(name));
    case EventKind::Annotation:
    case EventKind::GpuAnnotation: return annotationTint(hueOf(name));
    case EventKind::Python: return pythonTint(hueOf(name));
    case EventKind::Launch: return mode == ColourMode::Family ? kindKey(kind) : operatorTint(hueOf(name));
    case EventKind::Operator:
    case EventKind::Other: return operatorTint(hueOf(name));
    case EventKind::Sync:
    case EventKind::Overhead:
    case EventKind::Span: break;
    }
    return kindKey(kind);
}

double relativeLuminance(Rgb colour)
{
    return 0.2126 * linear(colour.r) + 0.7152 * linear(colour.g) + 0.0722 * linear(colour.b);
}

double contrast(Rgb a, Rgb b)
{
    const double la = relativeLuminance(a);
    const double lb = relativeLuminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

Rgb mix(Rgb a, Rgb b, double partOfB)
{
    const int weight = static_cast<int>(partOfB * 65536 + 0.5);
    const auto channel = [weight](int from, int to) {
        return static_cast<std::uint8_t>((from * 65536 + (to - from) * weight + 32768) >> 16);
    };
    return {channel(a.r, b.r), channel(a.g, b.g), channel(a.b, b.b)};
}

Rgb Theme::ink(Rgb box) const
{
    // Dark ink as long as it reads well: light ink only on deep colours.
    return contrast(box, labelDark) >= 5.5 ? labelDark : labelLight;
}

const Theme &lightTheme()
{
    static const Theme theme = [] {
        Theme t;
        t.lanes = rgb(0xffffff);
        t.lanesAlternate = rgb(0xfafbfc);
        t.header = rgb(0xf6f7f9);
        t.border = rgb(0xd9dde3);
        t.text = rgb(0x1f2329);
        t.muted = rgb(0x6b7280);
        t.accent = rgb(0x1a73e8);
        t.selection = rgb(0xd97706);
        t.stepBand = rgb(0xe8eefc);
        t.stepBandAlternate = rgb(0xeef2f7);
        t.labelDark = rgb(0x101418);
        t.labelLight = rgb(0xffffff);
        t.peak = rgb(0xb45309);
        fillColours(t);
        return t;
    }();
    return theme;
}

const Theme &darkTheme()
{
    static const Theme theme = [] {
        Theme t;
        t.dark = true;
        t.lanes = rgb(0x26282c);
        t.lanesAlternate = rgb(0x232529);
        t.header = rgb(0x1e1f22);
        t.border = rgb(0x3a3d42);
        t.text = rgb(0xd7dadf);
        t.muted = rgb(0x8d939c);
        t.accent = rgb(0x4c9aff);
        t.selection = rgb(0xffd166);
        t.stepBand = rgb(0x2c3a52);
        t.stepBandAlternate = rgb(0x2b3038);
        t.labelDark = rgb(0x101418);
        t.labelLight = rgb(0xffffff);
        t.peak = rgb(0xe0913a);
        fillColours(t);
        return t;
    }();
    return theme;
}

} // namespace ks
