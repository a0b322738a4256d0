// SPDX-License-Identifier: GPL-3.0-or-later
// Which kernels move data between devices; decided by name, as the command line's contract says.
#pragma once

#include <string_view>

namespace ks {

// The name contains nccl, rccl, hccl, oneccl or cross_device_reduce in any case.
bool isCommunicationKernel(std::string_view name);

} // namespace ks
