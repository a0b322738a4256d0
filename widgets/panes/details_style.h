// SPDX-License-Identifier: GPL-3.0-or-later
// How the page of the details pane looks.
#pragma once

#include "core/analysis/why.h"

#include <QImage>
#include <QPalette>
#include <QString>

namespace ks {

// The style sheet of the document.
QString detailsStyleSheet(const QPalette &palette);
// The image "histogram" of the document.
QImage histogramImage(const DurationRank &rank, const QPalette &palette, QSize size, double dpr);

} // namespace ks
