// SPDX-License-Identifier: GPL-3.0-or-later
// Forward operators and their backward operators. The fwdbwd arrows of the file first; where they are missing, the numbers: a forward
// operator carries the sequence number of the autograd node it makes (nested operators share it: the innermost, the one that starts
// last, counts), its backward operator the same number and the small internal id of the forward thread.
#pragma once

#include "core/index/raw_fields.h"
#include "core/trace/trace.h"

#include <span>

namespace ks {

struct MateInput
{
    std::span<const EventId> idOfFileIndex;
    RawField sequenceNumbers;
    RawField forwardThreads; // only on backward operators; 0 is left out
};

// `trace` has its arrows.
Mates findMates(const Trace &trace, const MateInput &input);

} // namespace ks
