// SPDX-License-Identifier: GPL-3.0-or-later
// The page of the details pane, as rich text with links (details_link.h).
#pragma once

#include "core/analysis/why.h"
#include "core/analysis/work_summary.h"
#include "core/trace/args.h"
#include "core/trace/trace.h"
#include "widgets/panes/details_link.h"

#include <QColor>
#include <QImage>
#include <QPalette>
#include <QString>

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
