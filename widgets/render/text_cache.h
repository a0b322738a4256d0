// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of text that are drawn again and again, cut to a width and laid out once: some 15 us, then 2 us each. Kept until there are many.
#pragma once

#include <QFont>
#include <QHash>
#include <QStaticText>
#include <QString>

namespace ks {

class TextCache
{
public:
    // One line, cut with an ellipsis where it is wider than `width` logical pixels.
    const QStaticText &line(const QString &text, const QFont &font, double width);

private:
    struct Key
    {
        QString text;
        QFont font;
        int width;
        friend bool operator==(const Key &, const Key &) = default;
        friend std::size_t qHash(const Key &key, std::size_t seed)
        {
            return qHashMulti(seed, key.text, key.font, key.width);
        }
    };

    QHash<Key, QStaticText> m_lines;
};

} // namespace ks
