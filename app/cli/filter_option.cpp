// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/filter_option.h"

namespace ks::cli {

Filter filterFrom(const Options &options)
{
    try {
        return Filter::parse(options.value(kWhereOption.name).value_or(std::string_view()));
    } catch (const FilterError &error) {
        throw UsageError(std::string(kWhereOption.name) + ": " + error.what());
    }
}

} // namespace ks::cli
