// SPDX-License-Identifier: GPL-3.0-or-later
// What the links of the details page mean, and how they are written into it.
#pragma once

#include "core/base/ids.h"

#include <QString>
#include <QUrl>

#include <optional>
#include <string_view>

namespace ks {

// Links of the page: event:17, same:1/17, source:17, copy:…, benchmark:17, show:frames, show:work, go:reload.
struct DetailsLink
{
    enum class Kind : std::uint8_t { None, Event, Counterpart, Source, Copy, Benchmark, AllFrames, Work, Reload };
    Kind kind = Kind::None;
    EventId event = kNoEvent; // Event, Counterpart, Source, Benchmark
    QString text;             // Copy
    std::uint32_t trace = 0;  // Counterpart: its position

    static DetailsLink fromUrl(const QUrl &url);
    QUrl toUrl() const;
};

// "train.py(42): step" -> file and line; none for what names no file.
struct SourceLine
{
    QString file;
    int line = 0;
};
std::optional<SourceLine> sourceLineOf(std::string_view pythonName);

} // namespace ks
