// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/model_call.h"
#include "core/base/parse_number.h"

#include <algorithm>
#include <limits>

namespace ks {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();

// One number for each direction of the image; a single one stands for all.
std::optional<Dims> perDirection(std::string_view text, std::size_t directions)
{
    const Shapes parsed = parseShapes("[" + std::string(text) + "]");
    if (parsed.size() != 1 || !parsed[0] || (parsed[0]->size() != directions && parsed[0]->size() != 1))
        return {};
    Dims dims = *parsed[0];
    dims.resize(directions, dims.front());
    const bool isSane =
        std::all_of(dims.begin(), dims.end(), [](std::int64_t value) { return value >= 0 && value <= kMost; });
    return isSane ? std::optional(dims) : std::nullopt;
}

ModelCounts counted(Count flops, Count elements, const std::optional<std::int64_t> &size)
{
    return {flops, size ? std::optional(elements * *size) : std::nullopt};
}

// convolution(x, w, bias, stride, padding, dilation, transposed, output padding, groups)
std::optional<ModelCounts> forward(const ModelCall &call)
{
    const Dims *x = call.dims(0, 0);
    const Dims *w = x ? call.dims(1, x->size()) : nullptr;
    if (!w || x->size() < 3)
        return {};
    const std::size_t directions = x->size() - 2;
    const auto stride = perDirection(call.value(3), directions);
    const auto padding = perDirection(call.value(4), directions);
    const auto dilation = perDirection(call.value(5), directions);
    const bool isTransposed = call.value(6) == "True";
    const auto outputPadding = perDirection(call.value(7), directions);
    const auto groups = parseInteger(call.value(8));
    if (!stride || !padding || !dilation || !outputPadding || !groups || *groups <= 0)
        return {};
    const Count channels = isTransposed ? Count((*w)[1]) * *groups : Count((*w)[0]);
    Count out = Count(x->front()) * channels;
    for (std::size_t i = 0; i < directions; ++i) {
        const std::int64_t size = (*x)[i + 2];
        const std::int64_t kernel = (*w)[i + 2];
        if ((*stride)[i] == 0 || size < 0 || size > kMost || kernel < 1 || kernel > kMost)
            return {};
        const std::int64_t reach = (*dilation)[i] * (kernel - 1);
        out = out
              * (isTransposed ? (size - 1) * (*stride)[i] - 2 * (*padding)[i] + reach + (*outputPadding)[i] + 1
                              : (size + 2 * (*padding)[i] - reach - 1) / (*stride)[i] + 1);
    }
    const bool hasBias = call.dims(2, 1) != nullptr;
    return counted(2 * product(*w, 1) * (isTransposed ? product(*x) : out) + (hasBias ? out : Count(0)),
                   product(*x) + product(*w) + out + (hasBias ? channels : Count(0)), call.elementBytes(0));
}

// convolution_backward(gradient, x, w, sizes of the bias, stride, padding, dilation, transposed, output padding, groups,
// which of dx, dw, dbias). Both gradients cost what the convolution costs.
std::optional<ModelCounts> backward(const ModelCall &call)
{
    const Dims *out = call.dims(0, 0);
    const Dims *x = out ? call.dims(1, out->size()) : nullptr;
    const Dims *w = x ? call.dims(2, out->size()) : nullptr;
    const std::string_view wanted = call.value(10); // "[True, True, False]"
    if (!w || x->size() < 3)
        return {};
    const bool isTransposed = call.value(7) == "True";
    const Count once = 2 * product(*w, 1) * product(isTransposed ? *x : *out);
    const Count all = product(*out) + product(*x) + product(*w);
    Count flops;
    Count elements;
    std::size_t at = 0;
    for (int part = 0; part < 3; ++part) {
        at = wanted.find_first_of("TF", at);
        if (at == std::string_view::npos)
            return {};
        if (wanted[at++] == 'F')
            continue;
        flops += part < 2 ? once : product(*out);
        elements += part < 2 ? all : product(*out) + (*out)[1];
    }
    return counted(flops, elements, call.elementBytes(0));
}

} // namespace

Model convolutionModel(std::string_view name)
{
    if (name == "aten::convolution")
        return forward;
    if (name == "aten::convolution_backward")
        return backward;
    return {};
}

} // namespace ks
