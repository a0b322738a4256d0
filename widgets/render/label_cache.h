// SPDX-License-Identifier: GPL-3.0-or-later
// Names as ready images, keyed by name, ink and device pixel ratio. A label is laid out once (about 10 us) and then
// only copied (0.2 us). Holds at most kMaxBytes of pixels: what was not used since the last sweep goes first.
#pragma once

#include "core/base/ids.h"

#include <QFont>
#include <QImage>
#include <QRgb>

#include <cstdint>
#include <unordered_map>

namespace ks {

class LabelCache
{
public:
    static constexpr qsizetype kMaxBytes = qsizetype{24} << 20;
    static constexpr int kMaxWidth = 1600; // logical pixels

    explicit LabelCache(const QFont &font = {});
    void setFont(const QFont &font);
    const QFont &font() const { return m_font; }

    // Premultiplied, transparent ground, one line high; device pixel ratio 1 (its size is in device pixels).
    const QImage &label(NameId name, QRgb ink, double dpr);

private:
    struct Key
    {
        NameId name;
        QRgb ink;
        int dprPercent;
        friend bool operator==(const Key &, const Key &) = default;
    };
    struct Hash
    {
        std::size_t operator()(const Key &key) const;
    };
    struct Entry
    {
        QImage image;
        std::uint64_t used = 0;
    };

    QImage draw(NameId name, QRgb ink, double dpr) const;
    void sweep();

    QFont m_font;
    std::unordered_map<Key, Entry, Hash> m_entries;
    qsizetype m_bytes = 0;
    std::uint64_t m_clock = 0;
};

} // namespace ks
