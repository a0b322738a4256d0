// SPDX-License-Identifier: GPL-3.0-or-later
// What a collective is, as its arguments tell (FORMAT: `record_param_comms` and the kernels it launches).
#pragma once

#include "core/trace/args.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ks {

struct Collective
{
    std::string name;                  // "all_reduce", "send" …: one spelling for those of all backends
    std::string dtype;                 // "bf16"; "" if not told
    std::optional<std::int64_t> bytes; // of the larger side; none if not told, unknown type, or overflowed in the file
    std::string group;                 // description of the process group ("dp"), else "N ranks", else ""
};

std::optional<Collective> collectiveOf(const Args &args);  // none without a collective name
std::string collectiveLabel(const Collective &collective); // "all_reduce · bf16 · 64.0 MiB · dp"

// Short names of element types: "c10::BFloat16", "BFloat16" -> "bf16"; "" for what is no element type ("Scalar", "").
std::string shortDtype(std::string_view dtype);
std::optional<std::int64_t> dtypeBytes(std::string_view dtype);

// Shapes and element type of an operator's tensor inputs: "[32768,4096] × [4096,13824] bf16". "" if not recorded.
std::string inputSummary(const Args &args);

} // namespace ks
