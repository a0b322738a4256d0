// SPDX-License-Identifier: GPL-3.0-or-later
// An operator as a program: a PyTorch script that calls it again with inputs of the recorded shapes, types and values,
// and measures it. Says in comments what was recorded and what could not be.
#pragma once

#include "core/trace/trace.h"

#include <optional>
#include <string>

namespace ks {

// None if the event is no operator with a name of torch ("aten::mm"). Everything from the file is checked or quoted:
// the script does what the operator does and nothing else. Cost: some argument reads. Throws SourceChanged.
std::optional<std::string> benchmarkScript(const Trace &trace, EventId op);

} // namespace ks
