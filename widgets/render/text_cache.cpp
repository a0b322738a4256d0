// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/render/text_cache.h"

#include <QFontMetricsF>

namespace ks {

const QStaticText &TextCache::line(const QString &text, const QFont &font, double width)
{
    constexpr qsizetype kMostLines = 2000;
    Key key{text, font, static_cast<int>(width)};
    const auto known = m_lines.constFind(key);
    if (known != m_lines.constEnd())
        return *known;
    if (m_lines.size() >= kMostLines)
        m_lines.clear();
    QString oneLine = text;
    oneLine.replace(u'\n', u' ');
    QStaticText line(QFontMetricsF(font).elidedText(oneLine, Qt::ElideRight, key.width));
    line.setTextFormat(Qt::PlainText);
    line.prepare({}, font);
    return *m_lines.insert(std::move(key), std::move(line));
}

} // namespace ks
