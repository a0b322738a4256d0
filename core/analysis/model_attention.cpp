// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/model_call.h"
#include "core/base/parse_number.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ks {
namespace {

enum class Order : std::uint8_t {
    HeadsFirst,  // [B, H, N, d]
    TokensFirst, // [B, N, H, d]
    Packed,      // [tokens of all sequences, H, d]
};

struct Form
{
    std::string_view name;
    Order order;
    bool isBackward;
    bool recomputes;   // backward: the product of queries and keys is made again
    std::size_t first; // argument of the queries, then keys and values
    std::size_t causal;
};

constexpr std::array kForms = {
    Form{"aten::_scaled_dot_product_flash_attention", Order::HeadsFirst, false, false, 0, 4},
    Form{"aten::_scaled_dot_product_efficient_attention", Order::HeadsFirst, false, false, 0, 6},
    Form{"aten::_scaled_dot_product_cudnn_attention", Order::HeadsFirst, false, false, 0, 6},
    Form{"aten::_scaled_dot_product_flash_attention_backward", Order::HeadsFirst, true, true, 1, 11},
    Form{"aten::_scaled_dot_product_efficient_attention_backward", Order::HeadsFirst, true, true, 1, 11},
    Form{"aten::_scaled_dot_product_cudnn_attention_backward", Order::HeadsFirst, true, true, 1, 14},
    Form{"flash_attn::_flash_attn_forward", Order::TokensFirst, false, false, 0, 5},
    Form{"flash_attn::_flash_attn_backward", Order::TokensFirst, true, true, 1, 11},
    Form{"flash_attn::_flash_attn_varlen_forward", Order::Packed, false, false, 0, 9},
};

struct Sizes
{
    Count pairs;           // of a query and a key, over all sequences, of one head
    Count heads, keyHeads; // H, Hkv
    Count batchOfKeys;     // B · Nkv
    Count d, dv;
    bool isSquare = false;  // as many queries as keys
    std::int64_t share = 0; // H / Hkv
};

// Of sequences of unknown lengths one has the greatest, the others share what is left.
Count packedPairs(const ModelCall &call, const Dims &q, const Dims &k)
{
    const Dims *starts = call.dims(3, 1);
    const auto longestQ = parseInteger(call.value(5));
    const auto longestK = parseInteger(call.value(6));
    if (!starts || !longestQ || !longestK || starts->front() < 2 || *longestQ < 0 || *longestK < 0 || *longestQ > q[0]
        || *longestK > k[0])
        return -1;
    const auto others = static_cast<double>(starts->front() - 2);
    double pairs = static_cast<double>(*longestQ) * static_cast<double>(*longestK);
    if (others > 0)
        pairs += static_cast<double>(q[0] - *longestQ) * static_cast<double>(k[0] - *longestK) / others;
    return pairs < 9e18 ? Count(std::llround(pairs)) : Count(-1);
}

std::optional<Sizes> sizesOf(const ModelCall &call, const Form &form)
{
    const std::size_t rank = form.order == Order::Packed ? 3 : 4;
    const Dims *q = call.dims(form.first, rank);
    const Dims *k = call.dims(form.first + 1, rank);
    const Dims *v = call.dims(form.first + 2, rank);
    if (!q || !k || !v)
        return {};
    const std::size_t heads = form.order == Order::HeadsFirst ? 1 : rank - 2;
    const std::size_t tokens = form.order == Order::HeadsFirst ? 2 : rank - 3;
    Sizes sizes;
    sizes.heads = (*q)[heads];
    sizes.keyHeads = (*k)[heads];
    sizes.d = q->back();
    sizes.dv = v->back();
    sizes.isSquare = (*q)[tokens] == (*k)[tokens];
    sizes.share = (*k)[heads] > 0 ? (*q)[heads] / (*k)[heads] : 0;
    if (form.order == Order::Packed) {
        sizes.pairs = packedPairs(call, *q, *k);
        sizes.batchOfKeys = (*k)[0];
    } else {
        sizes.pairs = Count((*q)[0]) * (*q)[tokens] * (*k)[tokens];
        sizes.batchOfKeys = Count((*k)[0]) * (*k)[tokens];
    }
    return sizes;
}

Count flopsOf(const Form &form, const Sizes &s)
{
    const Count perElement = 2 * s.heads * s.pairs;
    if (!form.isBackward)
        return perElement * (s.d + s.dv);
    // dV and dP, dQ and dK, the scores again, and the sums of gradients over queries that share their keys.
    Count flops = perElement * (s.dv + s.dv + s.d + s.d + (form.recomputes ? s.d : Count(0)));
    if (s.share > 1)
        flops += s.batchOfKeys * (s.d + s.dv) * (s.share - 1);
    return flops;
}

std::optional<ModelCounts> attention(const ModelCall &call, const Form &form)
{
    const std::optional<Sizes> sizes = sizesOf(call, form);
    if (!sizes)
        return {};
    ModelCounts counts;
    counts.flops = flopsOf(form, *sizes);
    if (call.value(form.causal) == "True" && sizes->isSquare)
        counts.flops = counts.flops.half();
    const Dims &q = *call.dims(form.first, 0);
    const Dims &k = *call.dims(form.first + 1, 0);
    const Dims &v = *call.dims(form.first + 2, 0);
    Dims out = q;
    out.back() = v.back();
    const Count inputs = product(q) + product(k) + product(v);
    const Count elements = form.isBackward ? inputs + product(out) + inputs : inputs + product(out);
    if (const auto size = call.elementBytes(form.first))
        counts.bytes = elements * *size;
    return counts;
}

} // namespace

Model attentionModel(std::string_view name)
{
    const auto form = std::find_if(kForms.begin(), kForms.end(), [&](const Form &known) { return known.name == name; });
    if (form == kForms.end())
        return {};
    return [form](const ModelCall &call) { return attention(call, *form); };
}

} // namespace ks
