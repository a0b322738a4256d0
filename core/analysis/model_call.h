// SPDX-License-Identifier: GPL-3.0-or-later
// What the models of operators compute with: one call as recorded, and counts that notice when they do not fit. Used by
// model_*.cpp alone.
#pragma once

#include "core/analysis/operator_flops.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ks {

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
    Count &operator+=(Count other) { return *this = *this + other; }
    Count half() const
    {
        Count result = *this;
        result.m_value /= 2;
        return result;
    }
    std::optional<std::int64_t> value() const { return m_isBad ? std::nullopt : std::optional(m_value); }

private:
    std::int64_t m_value = 0;
    bool m_isBad = false;
};

Count product(const Dims &dims, std::size_t from = 0);

struct ModelCall
{
    std::string_view name;
    Shapes shapes;
    std::vector<std::string> types;
    std::vector<std::string> concrete;

    // The dimensions of an argument if it has so many of them; 0 = at least one.
    const Dims *dims(std::size_t at, std::size_t rank) const;
    // Of a tensor argument, which may have no dimensions; null if it is none, or its type is not told.
    const Dims *tensor(std::size_t at) const;
    std::optional<std::int64_t> elementBytes(std::size_t at) const; // by its type; none if that is not told
    std::string_view value(std::size_t at) const { return at < concrete.size() ? concrete[at] : std::string_view(); }
};

struct ModelCounts
{
    Count flops;
    std::optional<Count> bytes;
};

// None if shapes are missing or do not fit.
using Model = std::function<std::optional<ModelCounts>(const ModelCall &)>;

// Each: no function if the name is not one of those.
Model productModel(std::string_view name);     // matrix products and their backward forms
Model convolutionModel(std::string_view name); // and backward
Model attentionModel(std::string_view name);   // and backward
Model pointwiseModel(std::string_view name);   // elementwise, reductions, softmax, norms

} // namespace ks
