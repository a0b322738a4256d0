// SPDX-License-Identifier: GPL-3.0-or-later
// The page of the details pane, as rich text with links. What the links mean is in DetailsLink.
#pragma once

#include "core/analysis/why.h"
#include "core/analysis/work_summary.h"
#include "core/trace/args.h"
#include "core/trace/trace.h"

#include <QColor>
#include <QImage>
#include <QPalette>
#include <QString>
#include <QUrl>

#include <memory>
#include <optional>

namespace ks {

// Everything the page shows about an event beyond the columns of the trace. Read on a worker.
struct EventDetails
{
    Args args;
    Why why;
    DurationRank rank;
    WorkSummary work;           // device work launched below a host event
    bool sourceChanged = false; // the arguments could not be read: the file is not what it was
};
EventDetails readDetails(const Trace &trace, EventId event, const Progress &progress);

// Links of the page: event:17, file:…, copy:…, show:frames, show:work, go:reload.
struct DetailsLink
{
    enum class Kind : std::uint8_t { None, Event, Source, Copy, AllFrames, Work, Reload };
    Kind kind = Kind::None;
    EventId event = kNoEvent; // Event, Source
    QString text;             // Copy

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

struct DetailsStyle
{
    QPalette palette;
    bool allFrames = false; // show every python frame, module and operator of the chain
};

// The style sheet of the document and its body. The histogram is the image "histogram" of the document.
QString detailsStyleSheet(const QPalette &palette);
QString eventPage(const Trace &trace, EventId event, const EventDetails *details, const DetailsStyle &style); // none: still reading
QImage histogramImage(const DurationRank &rank, const QPalette &palette, QSize size, double dpr);

} // namespace ks
