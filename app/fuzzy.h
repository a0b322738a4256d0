// SPDX-License-Identifier: GPL-3.0-or-later
// How well a few typed letters fit a text: all of them must occur in order. Starts of words and runs score higher.
#pragma once

#include <QString>

namespace ks {

// 0 = does not fit; an empty pattern fits everything alike. Case does not matter. O(pattern × text).
int fuzzyScore(const QString &pattern, const QString &text);

} // namespace ks
