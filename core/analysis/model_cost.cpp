// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/model_cost.h"

#include "core/analysis/operator_flops.h"
#include "core/base/parse_number.h"

#include <algorithm>
#include <limits>

namespace ks {
namespace {

using Dims = std::vector<std::int64_t>;

// A count that remembers that it did not fit into 63 bits.
class Count
{
public:
    Count() = default;
    Count(std::int64_t value) // NOLINT: numbers are counts
        : m_value(value)
        , m_isBad(value < 0)
    {}

    friend Count operator*(Count a, Count b)
    {
        Count product;
        product.m_isBad = a.m_isBad || b.m_isBad || __builtin_mul_overflow(a.m_value, b.m_value, &product.m_value);
        return product;
    }
    friend Count operator+(Count a, Count b)
    {
        Count sum;
        sum.m_isBad = a.m_isBad || b.m_isBad || __builtin_add_overflow(a.m_value, b.m_value, &sum.m_value);
        return sum;
    }
    std::optional<std::int64_t> value() const { return m_isBad ? std::nullopt : std::optional(m_value); }

private:
    std::int64_t m_value = 0;
    bool m_isBad = false;
};

Count product(const Dims &dims, std::size_t from = 0)
{
    Count result = 1;
    for (std::size_t i = from; i < dims.size(); ++i)
        result = result * dims[i];
    return result;
}

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

enum class Model : std::uint8_t {
    None,
    Product,
    ProductAndBias,
    Batches,
    BatchesAndBias,
    Scaled,
    Convolution,
    Attention
};

Model modelOf(std::string_view name)
{
    static constexpr std::pair<std::string_view, Model> kModels[] = {
        {"aten::mm", Model::Product},
        {"aten::addmm", Model::ProductAndBias},
        {"aten::bmm", Model::Batches},
        {"aten::baddbmm", Model::BatchesAndBias},
        {"aten::_scaled_mm", Model::Scaled},
        {"aten::convolution", Model::Convolution},
        {"aten::_scaled_dot_product_flash_attention", Model::Attention},
        {"aten::_scaled_dot_product_efficient_attention", Model::Attention},
        {"aten::_scaled_dot_product_cudnn_attention", Model::Attention},
    };
    for (const auto &[known, model] : kModels) {
        if (name == known)
            return model;
    }
    return Model::None;
}

struct Counts
{
    Count flops;
    Count elements; // of operands and result
};

struct Call
{
    std::string_view name;
    Shapes shapes;
    std::vector<std::string> types;
    std::vector<std::string> concrete;

    // The dimensions of an argument if it has so many of them; 0 = at least one.
    const Dims *dims(std::size_t at, std::size_t rank) const
    {
        if (at >= shapes.size() || !shapes[at])
            return nullptr;
        const Dims &found = *shapes[at];
        return (rank == 0 ? !found.empty() : found.size() == rank) ? &found : nullptr;
    }
    std::string_view value(std::size_t at) const { return at < concrete.size() ? concrete[at] : std::string_view(); }
};

std::optional<Counts> matrices(const Call &call, std::size_t first, std::size_t rank, bool hasBias, bool readsBias)
{
    const Dims *a = call.dims(first, rank);
    const Dims *b = call.dims(first + 1, rank);
    if (!a || !b || a->back() != (*b)[rank - 2] || (rank == 3 && a->front() != b->front()))
        return {};
    const Count batches = rank == 3 ? a->front() : 1;
    const Count m = (*a)[rank - 2];
    const Count n = b->back();
    const Count k = a->back();
    Counts counts;
    counts.flops = batches * (2 * m * n * k + (hasBias ? m * n : Count(0)));
    counts.elements = batches * (m * k + k * n + m * n) + (readsBias ? n : Count(0));
    return counts;
}

// One number for each direction of the image; a single one stands for all.
std::optional<Dims> perDirection(std::string_view text, std::size_t directions)
{
    const Shapes parsed = parseShapes("[" + std::string(text) + "]");
    if (parsed.size() != 1 || !parsed[0] || (parsed[0]->size() != directions && parsed[0]->size() != 1))
        return {};
    Dims dims = *parsed[0];
    dims.resize(directions, dims.front());
    const bool isSane = std::all_of(dims.begin(), dims.end(), [](std::int64_t value) {
        return value >= 0 && value <= std::numeric_limits<std::int32_t>::max();
    });
    return isSane ? std::optional(dims) : std::nullopt;
}

std::optional<Counts> convolution(const Call &call)
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
        constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
        if ((*stride)[i] == 0 || size < 0 || size > kMost || kernel < 1 || kernel > kMost)
            return {};
        const std::int64_t reach = (*dilation)[i] * (kernel - 1);
        out = out
              * (isTransposed ? (size - 1) * (*stride)[i] - 2 * (*padding)[i] + reach + (*outputPadding)[i] + 1
                              : (size + 2 * (*padding)[i] - reach - 1) / (*stride)[i] + 1);
    }
    const bool hasBias = call.dims(2, 1) != nullptr;
    Counts counts;
    counts.flops = 2 * product(*w, 1) * (isTransposed ? product(*x) : out) + (hasBias ? out : Count(0));
    counts.elements = product(*x) + product(*w) + out + (hasBias ? channels : Count(0));
    return counts;
}

// Queries [B, H, Nq, d], keys and values [B, Hkv, Nkv, d or dv].
std::optional<Counts> attention(const Call &call)
{
    const Dims *q = call.dims(0, 4);
    const Dims *k = call.dims(1, 4);
    const Dims *v = call.dims(2, 4);
    if (!q || !k || !v)
        return {};
    const Count heads = Count((*q)[0]) * (*q)[1];
    const Count flops = 2 * heads * (*q)[2] * (*k)[2] * (Count((*q)[3]) + (*v)[3]);
    const std::size_t causal = call.name == "aten::_scaled_dot_product_flash_attention" ? 4 : 6;
    Counts counts;
    counts.flops = flops;
    if (call.value(causal) == "True" && (*q)[2] == (*k)[2] && flops.value())
        counts.flops = *flops.value() / 2;
    counts.elements = product(*q) + product(*k) + product(*v) + heads * (*q)[2] * (*v)[3];
    return counts;
}

std::optional<Counts> countsOf(Model model, const Call &call)
{
    switch (model) {
    case Model::Product: return matrices(call, 0, 2, false, false);
    case Model::ProductAndBias: return matrices(call, 1, 2, true, true);
    case Model::Batches: return matrices(call, 0, 3, false, false);
    case Model::BatchesAndBias: return matrices(call, 1, 3, true, false);
    case Model::Scaled: return matrices(call, 0, 2, call.dims(2, 1) != nullptr, false);
    case Model::Convolution: return convolution(call);
    case Model::Attention: return attention(call);
    case Model::None: break;
    }
    return {};
}

} // namespace

bool hasModel(std::string_view operatorName)
{
    return modelOf(operatorName) != Model::None;
}

std::optional<ModelCost> modelCost(std::string_view operatorName, const Args &args)
{
    const Model model = modelOf(operatorName);
    if (model == Model::None)
        return {};
    const auto textOf = [&args](std::string_view key) { return findArg(args, key).value_or(std::string_view()); };
    const Call call{operatorName, parseShapes(textOf("Input Dims")), parseTexts(textOf("Input type")),
                    parseTexts(textOf("Concrete Inputs"))};
    const std::optional<Counts> counts = countsOf(model, call);
    if (!counts || !counts->flops.value())
        return {};
    ModelCost cost{*counts->flops.value(), {}};
    const std::size_t first = model == Model::ProductAndBias || model == Model::BatchesAndBias ? 1 : 0;
    const auto size = first < call.types.size() ? bytesOfType(call.types[first]) : std::nullopt;
    if (size && model != Model::Scaled) // the types of its factors and its result differ
        cost.bytes = (counts->elements * *size).value();
    return cost;
}

} // namespace ks
