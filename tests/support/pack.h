// SPDX-License-Identifier: GPL-3.0-or-later
// Packs text the ways traces come packed, and writes it to files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ks {

std::string gzipped(std::string_view text, int level = 6);
std::string zstdPacked(std::string_view text, int windowLog = 0); // one frame; 0: the usual window
struct ZipMember
{
    std::string name;
    std::string text;
    bool isStored = false;
};
std::string zipped(const std::vector<ZipMember> &members);

void writeFile(const std::string &path, std::string_view bytes);
std::string readFile(const std::string &path);

} // namespace ks
