// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/viewport.h"

#include <algorithm>
#include <cmath>

namespace ks {
namespace {

// Beyond this a double does not convert to int64.
constexpr double kFarthest = 9.2e18;

TimeNs toNs(double ns)
{
    return static_cast<TimeNs>(std::clamp(ns, -kFarthest, kFarthest));
}

} // namespace

Viewport::Viewport(TimeRange bounds, TimeRange range, double width)
    : m_bounds(bounds)
    , m_width(std::max(width, 1.0))
{
    setRange(range);
}

TimeRange Viewport::range() const
{
    const TimeNs end = saturatingAdd(m_begin, toNs(std::ceil(m_fraction + m_span - 1e-6)));
    return {m_begin, end};
}

TimeNs Viewport::timeAt(double x) const
{
    return saturatingAdd(m_begin, toNs(std::floor(x / m_width * m_span + m_fraction + 0.5)));
}

void Viewport::setBounds(TimeRange bounds)
{
    m_bounds = bounds;
    clamp();
}

void Viewport::setWidth(double width)
{
    width = std::max(width, 1.0);
    m_span *= width / m_width;
    m_width = width;
    clamp();
}

void Viewport::setRange(TimeRange range)
{
    setEdges(range.begin, 0, static_cast<double>(std::max<TimeNs>(range.duration(), 0)));
    clamp();
}

void Viewport::panBy(double pixels)
{
    setEdges(m_begin, m_fraction + pixels * nsPerPixel(), m_span);
    clamp();
}

void Viewport::zoomAt(double x, double factor)
{
    if (!(factor > 0) || !std::isfinite(factor))
        return;
    const double widest = std::max(static_cast<double>(m_bounds.duration()) / (1 - 2 * kMargin), kMinSpan);
    const double span = std::clamp(m_span / factor, kMinSpan, widest);
    const double part = x / m_width;
    setEdges(m_begin, m_fraction + part * (m_span - span), span);
    clamp();
}

Viewport Viewport::shiftedBy(TimeNs by) const
{
    Viewport shifted = *this;
    shifted.m_begin = saturatingAdd(m_begin, by);
    shifted.m_bounds = {saturatingAdd(m_bounds.begin, by), saturatingAdd(m_bounds.end, by)};
    return shifted;
}

void Viewport::setEdges(TimeNs origin, double left, double span)
{
    const double whole = std::floor(left);
    m_begin = saturatingAdd(origin, toNs(whole));
    m_fraction = std::clamp(left - whole, 0.0, std::nextafter(1.0, 0.0));
    m_span = span;
}

void Viewport::clamp()
{
    const double bounds = static_cast<double>(std::max<TimeNs>(m_bounds.duration(), 0));
    const double widest = std::max(bounds / (1 - 2 * kMargin), kMinSpan);
    if (m_span < kMinSpan) { // around its middle
        setEdges(m_begin, m_fraction + (m_span - kMinSpan) / 2, kMinSpan);
    } else if (m_span > widest) {
        setEdges(m_begin, m_fraction, widest);
    }
    const double margin = kMargin * m_span;
    const double left = static_cast<double>(saturatingSubtract(m_begin, m_bounds.begin)) + m_fraction;
    const double first = std::min(-margin, (bounds - m_span) / 2);
    const double last = std::max(bounds + margin - m_span, first);
    if (left < first)
        setEdges(m_bounds.begin, first, m_span);
    else if (left > last)
        setEdges(m_bounds.begin, last, m_span);
}

} // namespace ks
