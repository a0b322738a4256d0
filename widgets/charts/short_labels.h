// SPDX-License-Identifier: GPL-3.0-or-later
// Long names beside bars, shortened so that they can still be told apart.
#pragma once

#include <QFontMetrics>
#include <QStringList>

namespace ks {

// None wider than `width` pixels: without their middles, and those that would look the same from where they differ on.
QStringList shortLabels(const QStringList &names, const QFontMetrics &metrics, int width);

} // namespace ks
