// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/model_call.h"
#include "core/base/parse_number.h"

#include <algorithm>
#include <array>

namespace ks {
namespace {

template<std::size_t Size>
bool isOneOf(std::string_view name, const std::array<std::string_view, Size> &names)
{
    constexpr std::string_view kPrefix = "aten::";
    if (!name.starts_with(kPrefix))
        return false;
    name.remove_prefix(kPrefix.size());
    return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::array<std::string_view, 38> kUnary = {
    "relu",       "relu_", "gelu",     "silu",  "silu_",      "sigmoid",    "sigmoid_",  "tanh",
    "tanh_",      "exp",   "exp_",     "log",   "log2",       "sqrt",       "sqrt_",     "rsqrt",
    "neg",        "neg_",  "abs",      "sin",   "cos",        "erf",        "floor",     "ceil",
    "round",      "sign",  "square",   "clamp", "clamp_",     "clamp_min",  "hardswish", "hardtanh",
    "leaky_relu", "elu",   "softplus", "mish",  "reciprocal", "reciprocal_"};
constexpr std::array<std::string_view, 24> kBinary = {"add",
                                                      "add_",
                                                      "sub",
                                                      "sub_",
                                                      "mul",
                                                      "mul_",
                                                      "div",
                                                      "div_",
                                                      "pow",
                                                      "maximum",
                                                      "minimum",
                                                      "remainder",
                                                      "atan2",
                                                      "fmod",
                                                      "rsub",
                                                      "threshold_backward",
                                                      "gelu_backward",
                                                      "silu_backward",
                                                      "sigmoid_backward",
                                                      "tanh_backward",
                                                      "hardtanh_backward",
                                                      "leaky_relu_backward",
                                                      "elu_backward",
                                                      "hardswish_backward"};
constexpr std::array<std::string_view, 11> kReductions = {"sum", "mean", "amax", "amin", "prod",     "max",
                                                          "min", "norm", "std",  "var",  "logsumexp"};
constexpr std::array<std::string_view, 2> kSoftmax = {"_softmax", "_log_softmax"};
constexpr std::array<std::string_view, 2> kSoftmaxBackward = {"_softmax_backward_data", "_log_softmax_backward_data"};

std::optional<Count> bytesOf(const ModelCall &call, std::size_t at)
{
    const auto size = call.elementBytes(at);
    return size ? std::optional(product(*call.tensor(at)) * *size) : std::nullopt;
}

std::optional<ModelCounts> unary(const ModelCall &call)
{
    const Dims *x = call.tensor(0);
    if (!x)
        return {};
    const std::optional<Count> bytes = bytesOf(call, 0);
    return ModelCounts{product(*x), bytes ? std::optional(*bytes + *bytes) : std::nullopt};
}

std::optional<Dims> broadcast(const Dims &a, const Dims &b)
{
    Dims out(std::max(a.size(), b.size()));
    for (std::size_t i = 1; i <= out.size(); ++i) { // from the last dimension on
        const std::int64_t x = i <= a.size() ? a[a.size() - i] : 1;
        const std::int64_t y = i <= b.size() ? b[b.size() - i] : 1;
        if (x != y && x != 1 && y != 1)
            return {};
        out[out.size() - i] = x == 1 ? y : x;
    }
    return out;
}

std::optional<ModelCounts> binary(const ModelCall &call)
{
    const Dims *a = call.tensor(0);
    const Dims *b = call.tensor(1);
    if (a && !b)
        return unary(call); // with a number
    const std::optional<Dims> out = a && b ? broadcast(*a, *b) : std::nullopt;
    if (!out)
        return {};
    ModelCounts counts{product(*out), {}};
    const auto sizeA = call.elementBytes(0);
    const auto sizeB = call.elementBytes(1);
    if (sizeA && sizeB)
        counts.bytes = product(*a) * *sizeA + product(*b) * *sizeB + counts.flops * std::max(*sizeA, *sizeB);
    return counts;
}

// How many results a reduction has; none if the values of its arguments were not recorded.
std::optional<Count> resultsOf(const ModelCall &call, const Dims &x)
{
    if (call.concrete.empty())
        return {};
    const std::size_t at = call.name == "aten::norm" ? 2 : 1;
    const std::string_view over = call.value(at); // "[0, 1]", "1"; nothing, "True" …: over all
    const Shapes parsed = parseShapes("[" + std::string(over) + "]");
    Dims directions;
    if (parsed.size() == 1 && parsed[0])
        directions = *parsed[0];
    else if (const auto one = parseInteger(over))
        directions = {*one};
    if (directions.empty())
        return Count(1);
    Count results = 1;
    const auto rank = static_cast<std::int64_t>(x.size());
    for (std::int64_t i = 0; i < rank; ++i) {
        const bool isReduced = std::any_of(directions.begin(), directions.end(), [&](std::int64_t direction) {
            return direction == i || direction == i - rank;
        });
        results = results * (isReduced ? 1 : x[static_cast<std::size_t>(i)]);
    }
    return results;
}

std::optional<ModelCounts> reduction(const ModelCall &call)
{
    const Dims *x = call.tensor(0);
    if (!x || ((call.name == "aten::max" || call.name == "aten::min") && call.tensor(1)))
        return {}; // of two tensors: no reduction
    ModelCounts counts{product(*x), {}};
    const std::optional<Count> results = resultsOf(call, *x);
    const auto size = call.elementBytes(0);
    if (results && size)
        counts.bytes = (product(*x) + *results) * *size;
    return counts;
}

// `perElement` operations and `passes` reads or writes for each element.
std::optional<ModelCounts> passes(const ModelCall &call, std::size_t at, std::int64_t perElement, std::int64_t times)
{
    const Dims *x = call.dims(at, 0);
    if (!x)
        return {};
    const auto size = call.elementBytes(at);
    return ModelCounts{product(*x) * perElement, size ? std::optional(product(*x) * times * *size) : std::nullopt};
}

// Mean, variance (two) and normalization (two): five for each element, one more for each of weight and bias.
std::optional<ModelCounts> norm(const ModelCall &call, std::size_t weight, std::size_t bias)
{
    const Dims *w = call.dims(weight, 0);
    const Dims *b = call.dims(bias, 0);
    std::optional<ModelCounts> counts = passes(call, 0, 5 + (w ? 1 : 0) + (b ? 1 : 0), 2);
    const auto size = call.elementBytes(0);
    for (const Dims *factor : {w, b}) {
        if (counts && counts->bytes && factor && size)
            *counts->bytes += product(*factor) * *size;
    }
    return counts;
}

} // namespace

Model pointwiseModel(std::string_view name)
{
    if (isOneOf(name, kUnary))
        return unary;
    if (isOneOf(name, kBinary))
        return binary;
    if (isOneOf(name, kReductions))
        return reduction;
    if (isOneOf(name, kSoftmax))
        return [](const ModelCall &call) { return passes(call, 0, 3, 2); };
    if (isOneOf(name, kSoftmaxBackward))
        return [](const ModelCall &call) { return passes(call, 0, 4, 3); };
    if (name == "aten::native_layer_norm")
        return [](const ModelCall &call) { return norm(call, 2, 3); };
    if (name == "aten::native_batch_norm" || name == "aten::cudnn_batch_norm" || name == "aten::native_group_norm")
        return [](const ModelCall &call) { return norm(call, 1, 2); };
    if (name == "aten::native_layer_norm_backward" || name == "aten::native_batch_norm_backward"
        || name == "aten::native_group_norm_backward" || name == "aten::cudnn_batch_norm_backward")
        return [](const ModelCall &call) { return passes(call, 0, 11, 3); };
    return {};
}

} // namespace ks
