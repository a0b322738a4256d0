// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/version.h"

namespace ks {

const char *versionText()
{
    return KS_VERSION;
}

} // namespace ks
