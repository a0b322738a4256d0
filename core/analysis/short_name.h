// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel's name without its template arguments and parameters.
#pragma once

#include <string>
#include <string_view>

namespace ks {

// "void at::native::reduce_kernel<512, 1>(float*, int)" -> "at::native::reduce_kernel".
std::string shortName(std::string_view name);

} // namespace ks
