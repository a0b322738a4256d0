// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/fuzzy.h"

#include <algorithm>
#include <vector>

namespace ks {

int fuzzyScore(const QString &pattern, const QString &text)
{
    QString letters = pattern;
    letters.remove(QLatin1Char(' '));
    if (letters.isEmpty())
        return 1;
    constexpr int kLetter = 1;
    constexpr int kWordStart = 8;
    constexpr int kRun = 5;
    const auto n = static_cast<std::size_t>(text.size());
    // best[i]: highest score with the last letter at text[i]; 0 = impossible.
    std::vector<int> best(n, 0);
    for (qsizetype p = 0; p < letters.size(); ++p) {
        std::vector<int> now(n, 0);
        int before = 0; // highest score of the letters so far, ending before i - 1
        for (std::size_t i = 0; i < n; ++i) {
            if (i >= 2)
                before = std::max(before, best[i - 2]);
            const QChar c = text[static_cast<qsizetype>(i)];
            if (c.toLower() != letters[p].toLower())
                continue;
            const bool startsWord = i == 0 || !text[static_cast<qsizetype>(i) - 1].isLetterOrNumber();
            const int own = kLetter + (startsWord ? kWordStart : 0);
            if (p == 0) {
                now[i] = own + 1;
                continue;
            }
            int from = before;
            if (i >= 1 && best[i - 1] > 0)
                from = std::max(from, best[i - 1] + kRun);
            if (from > 0)
                now[i] = from + own;
        }
        best = std::move(now);
    }
    return best.empty() ? 0 : *std::max_element(best.begin(), best.end());
}

} // namespace ks
