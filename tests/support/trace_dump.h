// SPDX-License-Identifier: GPL-3.0-or-later
// Everything a Trace says, as text: two traces are equal if their dumps are. Slow and plain on purpose. Left out is only what belongs to the
// file and not to its text: path, container and size as stored.
#pragma once

#include <string>

namespace ks {

class Trace;

std::string dumpTrace(const Trace &trace);

// The first line in which two dumps differ, with its neighbours; "" if none does.
std::string firstDifference(const std::string &a, const std::string &b);

} // namespace ks
