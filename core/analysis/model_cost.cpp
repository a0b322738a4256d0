// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/model_cost.h"

#include "core/analysis/model_call.h"

namespace ks {
namespace {

std::optional<std::int64_t> bytesOfType(std::string_view type)
{
    static constexpr std::pair<std::string_view, std::int64_t> kSizes[] = {
        {"double", 8},        {"long int", 8},      {"long", 8},  {"float", 4}, {"int", 4},
        {"c10::Half", 2},     {"c10::BFloat16", 2}, {"short", 2}, {"half", 2},  {"bfloat16", 2},
        {"unsigned char", 1}, {"signed char", 1},   {"bool", 1},  {"byte", 1},
    };
    for (const auto &[name, size] : kSizes) {
        if (type == name)
            return size;
    }
    if (type.starts_with("c10::Float8"))
        return 1;
    return {};
}

} // namespace

Count product(const Dims &dims, std::size_t from)
{
    Count result = 1;
    for (std::size_t i = from; i < dims.size(); ++i)
        result = result * dims[i];
    return result;
}

const Dims *ModelCall::dims(std::size_t at, std::size_t rank) const
{
    if (at >= shapes.size() || !shapes[at])
        return nullptr;
    const Dims &found = *shapes[at];
    return (rank == 0 ? !found.empty() : found.size() == rank) ? &found : nullptr;
}

const Dims *ModelCall::tensor(std::size_t at) const
{
    if (at >= shapes.size() || !shapes[at])
        return nullptr;
    const Dims &found = *shapes[at];
    return !found.empty() || elementBytes(at) ? &found : nullptr; // numbers are told as [] too, of type Scalar
}

std::optional<std::int64_t> ModelCall::elementBytes(std::size_t at) const
{
    return at < types.size() ? bytesOfType(types[at]) : std::nullopt;
}

namespace {

Model modelOf(std::string_view name)
{
    if (!name.starts_with("aten::") && !name.starts_with("flash_attn::"))
        return {};
    for (const auto of : {productModel, convolutionModel, attentionModel, pointwiseModel}) {
        if (const Model model = of(name))
            return model;
    }
    return {};
}

} // namespace

bool hasModel(std::string_view operatorName)
{
    return modelOf(operatorName) != nullptr;
}

std::optional<ModelCost> modelCost(std::string_view operatorName, const OperatorInputs &inputs)
{
    const Model model = modelOf(operatorName);
    if (!model)
        return {};
    const std::optional<ModelCounts> counts =
        model({operatorName, parseShapes(inputs.dims), parseTexts(inputs.types), parseTexts(inputs.concrete)});
    const std::optional<std::int64_t> flops = counts ? counts->flops.value() : std::nullopt;
    if (!flops)
        return {};
    return ModelCost{*flops, counts->bytes ? counts->bytes->value() : std::nullopt};
}

} // namespace ks
