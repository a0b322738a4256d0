// SPDX-License-Identifier: GPL-3.0-or-later
// A tree of paths seen from below: names, and below each its callers.
#pragma once

#include "core/analysis/path_tree.h"
#include "core/base/progress.h"

namespace ks {

// Of a finished tree. All numbers are those of the outermost name when called on that way. A caller that costs less than
// 1/2000 of the whole is not selected; costs are of the device, or else of the host. Throws Cancelled.
PathTree callersTree(const PathTree &tree, bool byDevice, const Progress &progress = {});

} // namespace ks
