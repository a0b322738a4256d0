// SPDX-License-Identifier: GPL-3.0-or-later
// What cannot be compared of two runs, and what is compared instead.
#pragma once

#include "core/analysis/compare.h"

#include <vector>

namespace ks {

// Sentences, translatable, context "CompareNote"; none if nothing stands in the way. Cost: some nanoseconds an event the
// first time.
std::vector<const char *> compareNotes(Baseline baseline, Candidate candidate, const Scope &scope,
                                       const Progress &progress = {});

} // namespace ks
