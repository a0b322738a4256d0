// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/render/label_cache.h"

#include "core/base/name_pool.h"
#include "widgets/render/colours.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <vector>

namespace ks {

LabelCache::LabelCache(const QFont &font)
    : m_font(font)
{}

void LabelCache::setFont(const QFont &font)
{
    if (font == m_font)
        return;
    m_font = font;
    m_entries.clear();
    m_bytes = 0;
}

std::size_t LabelCache::Hash::operator()(const Key &key) const
{
    std::uint64_t h = (std::uint64_t{key.ink} << 32U) ^ static_cast<std::uint64_t>(index(key.name));
    h = (h ^ static_cast<std::uint64_t>(key.dprPercent) * 0x100000001b3U) * 0x9e3779b97f4a7c15U;
    return static_cast<std::size_t>(h ^ (h >> 32U));
}

const QImage &LabelCache::label(NameId name, QRgb ink, double dpr)
{
    Entry &entry = m_entries[{name, ink, static_cast<int>(std::lround(dpr * 100))}];
    entry.used = ++m_clock;
    if (entry.image.isNull()) {
        entry.image = draw(name, ink, dpr);
        m_bytes += entry.image.sizeInBytes();
        if (m_bytes > kMaxBytes)
            sweep();
    }
    return entry.image;
}

QImage LabelCache::draw(NameId name, QRgb ink, double dpr) const
{
    std::string_view text = nameText(name);
    if (text.starts_with("void ")) // the return type of a kernel tells nothing
        text.remove_prefix(5);
    constexpr std::size_t kMaxBytesOfText = 400;
    const QString string = toText(text.substr(0, kMaxBytesOfText));
    const QFontMetricsF metrics(m_font);
    const double width = std::clamp(std::ceil(metrics.horizontalAdvance(string)) + 1, 1.0, double{kMaxWidth});
    const double height = std::ceil(metrics.height());
    QImage image(static_cast<int>(std::ceil(width * dpr)), static_cast<int>(std::ceil(height * dpr)),
                 QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.scale(dpr, dpr);
    painter.setFont(m_font);
    painter.setPen(QColor(ink));
    painter.drawText(QPointF(0, metrics.ascent()), string);
    return image;
}

void LabelCache::sweep()
{
    // Keep the half that was used last; the entry just made is among them.
    std::vector<std::uint64_t> used;
    used.reserve(m_entries.size());
    for (const auto &[key, entry] : m_entries)
        used.push_back(entry.used);
    const auto middle = used.begin() + static_cast<std::ptrdiff_t>(used.size() / 2);
    std::nth_element(used.begin(), middle, used.end());
    const std::uint64_t oldest = *middle;
    std::erase_if(m_entries, [this, oldest](const auto &item) {
        if (item.second.used >= oldest)
            return false;
        m_bytes -= item.second.image.sizeInBytes();
        return true;
    });
}

} // namespace ks
