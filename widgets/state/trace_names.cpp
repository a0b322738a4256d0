// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/state/trace_names.h"

#include "widgets/state/to_qstring.h"

#include <QDir>
#include <QFileInfo>

namespace ks {

QString traceName(const TraceSet &traces, std::uint32_t position)
{
    const auto partsOf = [&](std::uint32_t i) {
        const QString path = QFileInfo(toQString(traces.at(i).metadata().path)).absoluteFilePath();
        return QDir::cleanPath(path).split(QLatin1Char('/'), Qt::SkipEmptyParts);
    };
    const QStringList own = partsOf(position);
    qsizetype shown = 1; // parts from the end
    for (std::uint32_t i = 0; i < traces.size(); ++i) {
        const QStringList other = partsOf(i);
        if (other == own)
            continue; // itself, or the same file once more
        qsizetype same = 0;
        while (same < own.size() && same < other.size() && own[own.size() - 1 - same] == other[other.size() - 1 - same])
            ++same;
        shown = std::max(shown, same + 1);
    }
    return own.mid(std::max<qsizetype>(0, own.size() - shown)).join(QLatin1Char('/'));
}

} // namespace ks
