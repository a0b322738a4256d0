// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/model_call.h"
#include "core/base/parse_number.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ks {
namespace {

enum class Bias : std::uint8_t { None, Row, Matrix };

// Where the factors stand among the arguments, and what is added.
struct Form
{
    std::string_view name;
    std::size_t first;
    std::size_t rank; // of both factors
    Bias bias;
};

constexpr std::array kForms = {
    Form{"aten::mm", 0, 2, Bias::None},
    Form{"aten::_int_mm", 0, 2, Bias::None},
    Form{"aten::addmm", 1, 2, Bias::Row},
    Form{"aten::addmm_", 1, 2, Bias::Matrix},
    Form{"aten::_addmm_activation", 1, 2, Bias::Row},
    Form{"aten::bmm", 0, 3, Bias::None},
    Form{"aten::baddbmm", 1, 3, Bias::Matrix},
};

struct Sizes
{
    Count batches = 1;
    Count m, n, k;
    Count flops() const { return batches * (2 * m * n * k); }
};

std::optional<Sizes> sizesOf(const ModelCall &call, std::size_t first, std::size_t rank)
{
    const Dims *a = call.dims(first, rank);
    const Dims *b = call.dims(first + 1, rank);
    if (!a || !b || a->back() != (*b)[rank - 2] || (rank == 3 && a->front() != b->front()))
        return {};
    return Sizes{rank == 3 ? a->front() : 1, (*a)[rank - 2], b->back(), a->back()};
}

ModelCounts counted(Count flops, Count elements, const std::optional<std::int64_t> &size)
{
    return {flops, size ? std::optional(elements * *size) : std::nullopt};
}

// A scalar type by its number, as an argument tells it.
std::optional<std::int64_t> bytesOfTypeNumber(std::string_view text)
{
    const auto number = parseInteger(text);
    if (!number)
        return {};
    switch (*number) {
    case 0:
    case 1:
    case 11:
    case 23:
    case 24:
    case 25:
    case 26: return 1; // byte, char, bool, the eight-bit floats
    case 2:
    case 5:
    case 15: return 2;
    case 3:
    case 6: return 4;
    case 4:
    case 7: return 8;
    default: return {};
    }
}

// Factors of eight bits, the result of another type: _scaled_mm(a, b, scale a, scale b, bias, scale, type of the result),
// before 2.5 _scaled_mm(a, b, bias, type of the result, …).
std::optional<ModelCounts> scaledProduct(const ModelCall &call)
{
    const std::optional<Sizes> sizes = sizesOf(call, 0, 2);
    if (!sizes)
        return {};
    const auto [batches, m, n, k] = *sizes;
    const auto isBias = [&](std::size_t at) {
        const Dims *bias = call.dims(at, 1);
        return bias && Count(bias->front()).value() == n.value();
    };
    const bool hasBias = isBias(2) || isBias(4);
    ModelCounts counts;
    counts.flops = sizes->flops() + (hasBias ? m * n : Count(0));
    const auto a = call.elementBytes(0);
    const auto b = call.elementBytes(1);
    auto result = bytesOfTypeNumber(call.value(6));
    if (!result)
        result = bytesOfTypeNumber(call.value(3));
    if (a && b && result)
        counts.bytes = m * k * *a + k * n * *b + m * n * *result;
    return counts;
}

// linear_backward(input, gradient, weight, which of dX, dW, dB)
std::optional<ModelCounts> linearBackward(const ModelCall &call)
{
    const Dims *x = call.dims(0, 0);
    const Dims *dy = call.dims(1, 0);
    const Dims *w = call.dims(2, 2);
    if (!x || !dy || !w || x->size() != dy->size() || x->back() != w->back() || dy->back() != w->front()
        || !std::equal(x->begin(), x->end() - 1, dy->begin()))
        return {};
    const std::string_view wanted = call.value(3); // "[True, True, False]"
    const Count product2 = 2 * product(*dy) * w->back();
    const Count xs = product(*x);
    const Count ys = product(*dy);
    const Count ws = product(*w);
    Count flops;
    Count elements = xs + ys + ws;
    std::size_t at = 0;
    for (const auto &[operations, results] :
         {std::pair(product2, xs), std::pair(product2, ws), std::pair(ys, Count(w->front()))}) {
        at = wanted.find_first_of("TF", at);
        if (at == std::string_view::npos)
            return {};
        if (wanted[at++] == 'F')
            continue;
        flops += operations;
        elements += results;
    }
    return counted(flops, elements, call.elementBytes(0));
}

// A matrix and a vector, or two vectors.
std::optional<ModelCounts> vectors(const ModelCall &call, std::size_t first, std::size_t rank)
{
    const Dims *a = call.dims(first, rank);
    const Dims *b = call.dims(first + 1, 1);
    if (!a || !b || a->back() != b->front())
        return {};
    const Count rows = rank == 2 ? a->front() : 1;
    const Count added = first != 0 ? rows : Count(0);
    return counted(2 * product(*a) + added, product(*a) + b->front() + rows + added, call.elementBytes(first));
}

std::optional<ModelCounts> matrices(const ModelCall &call, const Form &form)
{
    const std::optional<Sizes> sizes = sizesOf(call, form.first, form.rank);
    if (!sizes)
        return {};
    const auto [batches, m, n, k] = *sizes;
    const Count elements = batches * (m * k + k * n + m * n) + (form.bias == Bias::Row ? n : Count(0));
    return counted(sizes->flops() + (form.bias != Bias::None ? batches * m * n : Count(0)), elements,
                   call.elementBytes(form.first));
}

} // namespace

Model productModel(std::string_view name)
{
    if (name == "aten::_scaled_mm")
        return scaledProduct;
    if (name == "aten::linear_backward")
        return linearBackward;
    if (name == "aten::mv")
        return [](const ModelCall &call) { return vectors(call, 0, 2); };
    if (name == "aten::addmv" || name == "aten::addmv_")
        return [](const ModelCall &call) { return vectors(call, 1, 2); };
    if (name == "aten::dot")
        return [](const ModelCall &call) { return vectors(call, 0, 1); };
    const auto form = std::find_if(kForms.begin(), kForms.end(), [&](const Form &known) { return known.name == name; });
    if (form == kForms.end())
        return {};
    return [form](const ModelCall &call) { return matrices(call, *form); };
}

} // namespace ks
