// SPDX-License-Identifier: GPL-3.0-or-later
// The calls of one trace in a tree of paths: what call_tree.h counts.
#pragma once

#include "core/analysis/path_tree.h"
#include "core/analysis/scope.h"
#include "core/base/progress.h"

namespace ks {

// True: the scope selects device work only, rows without any stay out. PathTree::finish() is to follow. Throws Cancelled.
bool addTracePaths(const Trace &trace, const Scope &scope, PathTree &tree, const Progress &progress = {});

} // namespace ks
