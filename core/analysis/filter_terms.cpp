// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/filter_terms.h"

#include <algorithm>
#include <vector>

namespace ks {
namespace {

// "[32, *, 56]" -> "32" "*" "56"
std::vector<std::string_view> dimensionsOf(std::string_view list)
{
    std::vector<std::string_view> dimensions;
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(','), list.size());
        std::string_view dimension = list.substr(0, end);
        list.remove_prefix(std::min(end + 1, list.size()));
        while (dimension.starts_with(' '))
            dimension.remove_prefix(1);
        while (dimension.ends_with(' '))
            dimension.remove_suffix(1);
        dimensions.push_back(dimension);
    }
    return dimensions;
}

// Has one tensor of the shapes (JSON) these dimensions? Lists of tensors are looked into.
bool hasShape(std::string_view shapes, const std::vector<std::string_view> &wanted)
{
    for (std::size_t open = shapes.find('['); open != std::string_view::npos; open = shapes.find('[', open + 1)) {
        const std::size_t next = shapes.find_first_of("[]", open + 1);
        if (next == std::string_view::npos || shapes[next] == '[')
            continue;
        const std::vector<std::string_view> dimensions = dimensionsOf(shapes.substr(open + 1, next - open - 1));
        if (std::equal(dimensions.begin(), dimensions.end(), wanted.begin(), wanted.end(),
                       [](std::string_view a, std::string_view b) { return b == "*" || a == b; }))
            return true;
    }
    return false;
}

} // namespace

bool textHolds(const FilterNode &term, std::string_view text)
{
    if (term.isAny)
        return !text.empty();
    switch (term.compare) {
    case FilterCompare::Has: return term.value.isPartOf(text);
    case FilterCompare::Equal: return term.value.isWhole(text);
    case FilterCompare::NotEqual: return !term.value.isWhole(text);
    default: return false;
    }
}

bool argumentsHold(const FilterNode &term, const Args &args)
{
    const auto found = findArg(args, term.field == FilterField::Shape   ? "Input Dims"
                                     : term.field == FilterField::Dtype ? "Input type"
                                                                        : std::string_view(term.key));
    if (!found)
        return false;
    const std::string &value = term.value.text;
    if (term.field == FilterField::Shape && value.size() >= 2 && value.front() == '[' && value.back() == ']'
        && !value.starts_with("[[")) {
        const bool has = hasShape(*found, dimensionsOf(std::string_view(value).substr(1, value.size() - 2)));
        return has == (term.compare != FilterCompare::NotEqual);
    }
    const std::string text = argText(*found);
    if (term.field == FilterField::Argument && !term.isAny) {
        const std::optional<double> number = term.real ? parseReal(text) : std::nullopt;
        if (number)
            return compareHolds(term.compare, *number, *term.real);
    }
    return textHolds(term, text);
}

} // namespace ks
