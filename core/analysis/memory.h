// SPDX-License-Identifier: GPL-3.0-or-later
// What the allocators told: per device how much was allocated and when that peaked, what was alive at a moment, and who
// allocated.
//
// The level of a device is the total its records tell; where they tell none, the sum goes on. Blocks are paired by
// address, the last allocation of an address first. Records of all threads belong to one curve. Times are those of the
// file. Of a selection, devices, lanes, steps and ranges of time count; levels before it are kept. With several traces
// the first column is `rank`.
#pragma once

#include "core/analysis/scope.h"
#include "core/base/progress.h"
#include "core/table/table.h"

#include <optional>
#include <span>
#include <string>

namespace ks {

// "CPU", "GPU 0", "XPU 1"; a type without a known name is "TYPE 42 0".
std::string memoryDeviceName(std::int16_t deviceType, std::int16_t deviceId);

// One row per device, the CPU first: device start_bytes (before the first record) peak_bytes (of the levels told,
// without the start) peak_at_ns end_bytes reserved_peak_bytes allocations frees freed_inside freed_without_alloc
// still_alive out_of_memory. What needs addresses is null where none was told. Cost: about 100 ns a record.
Table memoryTable(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress = {});

// device ts_ns allocated_bytes reserved_bytes, a row for each record, by device, then time.
Table memoryCurve(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress = {});

// Blocks alive at a moment, or at the first peak of each device: device address bytes allocated_at_ns operator, largest
// first. operator: number (in file order) of the innermost operator on the allocating thread.
Table memoryLive(std::span<const RankTrace> traces, const Scope &scope, std::optional<Scope::TimeBound> at,
                 const Progress &progress = {});

// Who allocated, by innermost operator on the same thread: operator (null: none) device calls, bytes allocated minus
// freed size_bytes size_self_bytes, how often allocations allocations_self, and bytes without the frees allocated_bytes
// allocated_self_bytes; self is what the operator did itself. By size_self_bytes, descending. calls are all calls of
// the operator, as in the operator table.
Table memoryByOperator(std::span<const RankTrace> traces, const Scope &scope, const Progress &progress = {});

} // namespace ks
