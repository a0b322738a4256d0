// SPDX-License-Identifier: GPL-3.0-or-later
// Text of core as QString, so that QCOMPARE shows it when it differs.
#pragma once

#include <QString>

#include <string_view>

namespace ks {

inline QString q(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace ks
