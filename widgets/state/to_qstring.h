// SPDX-License-Identifier: GPL-3.0-or-later
// The one bridge from the UTF-8 of core to the strings of the window.
#pragma once

#include <QString>

#include <string_view>

namespace ks {

inline QString toQString(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

} // namespace ks
