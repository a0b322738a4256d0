// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/short_labels.h"

#include <algorithm>

namespace ks {
namespace {

// How many characters both begin with.
qsizetype commonStart(const QString &a, const QString &b)
{
    return std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
}

} // namespace

QStringList shortLabels(const QStringList &names, const QFontMetrics &metrics, int width)
{
    constexpr qsizetype kStart = 6;  // characters before the gap, at most
    constexpr qsizetype kBefore = 2; // … and before the difference
    QStringList withoutMiddle;
    for (const QString &name : names)
        withoutMiddle << metrics.elidedText(name, Qt::ElideMiddle, width);
    QStringList labels;
    for (qsizetype i = 0; i < names.size(); ++i) {
        const QString &name = names[i];
        const QString &label = withoutMiddle[i];
        qsizetype differs = 0; // from the one it shares most with, of those that look the same
        for (qsizetype other = 0; other < names.size(); ++other) {
            if (withoutMiddle[other] == label && names[other] != name)
                differs = std::max(differs, commonStart(name, names[other]));
        }
        if (differs == 0) {
            labels << label;
            continue;
        }
        const qsizetype from = std::max<qsizetype>(0, differs - kBefore);
        const qsizetype start =
            std::min({kStart, from - 1, static_cast<qsizetype>(width / 3 / metrics.averageCharWidth())});
        const QString rest = start > 0 ? name.left(start) + QStringLiteral("…") + name.mid(from) : name;
        labels << metrics.elidedText(rest, Qt::ElideRight, width);
    }
    return labels;
}

} // namespace ks
