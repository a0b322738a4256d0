// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that have another name in another run but do the same work: the library chose another variant, a compiler
// numbered it anew.
#pragma once

#include "core/analysis/scope.h"
#include "core/base/progress.h"

#include <map>
#include <span>
#include <string>

namespace ks {

// Of the kernels that only one run has: name in the candidate -> name in the baseline. Two are the same if most of their
// calls are launched by an operator of one name, on inputs of one shape, as its n-th kernel. Reads the arguments of
// operators only if there are any such kernels.
std::map<std::string, std::string> renamedKernels(std::span<const RankTrace> baseline,
                                                  std::span<const RankTrace> candidate, const Scope &scope,
                                                  const Progress &progress = {});

} // namespace ks
