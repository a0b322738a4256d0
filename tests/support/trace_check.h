// SPDX-License-Identifier: GPL-3.0-or-later
// The invariants of a Trace, written down once: what core/trace/trace.h and its headers promise.
#pragma once

#include <string>

namespace ks {

class Trace;

// What is wrong, in words; "" if nothing is. Cost: n log n.
std::string traceFault(const Trace &trace);

} // namespace ks
