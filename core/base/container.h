// SPDX-License-Identifier: GPL-3.0-or-later
// How a trace file is packed, recognised by content.
#pragma once

#include <cstdint>
#include <string_view>

namespace ks {

enum class Container : std::uint8_t { Plain, Gzip, Zstd, Zip };

constexpr std::string_view containerId(Container container)
{
    switch (container) {
    case Container::Plain: return "plain";
    case Container::Gzip: return "gzip";
    case Container::Zstd: return "zstd";
    case Container::Zip: return "zip";
    }
    return "";
}

} // namespace ks
