// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/short_name.h"

namespace ks {

std::string shortName(std::string_view name)
{
    if (name.starts_with("void "))
        name.remove_prefix(5);
    constexpr std::string_view kAnonymous = "(anonymous namespace)";
    std::string result;
    int angles = 0;
    for (std::size_t at = 0; at < name.size(); ++at) {
        if (angles == 0 && name.substr(at).starts_with(kAnonymous)) {
            result += kAnonymous;
            at += kAnonymous.size() - 1;
        } else if (name[at] == '<') {
            ++angles;
        } else if (name[at] == '>' && angles > 0) {
            --angles;
        } else if (name[at] == '(' && angles == 0) {
            break;
        } else if (angles == 0) {
            result += name[at];
        }
    }
    return result;
}

} // namespace ks
