// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/operator_flops.h"

#include "core/base/parse_number.h"
#include "core/trace/args.h"

#include <algorithm>
#include <array>
#include <limits>

namespace ks {
namespace {

using Dims = std::vector<std::int64_t>;

std::optional<Dims> numbersOf(std::string_view json)
{
    if (!json.starts_with('['))
        return {};
    Dims dims;
    for (std::string_view element : jsonElements(json)) {
        while (element.starts_with(' '))
            element.remove_prefix(1);
        const auto number = parseInteger(element);
        if (!number)
            return {};
        dims.push_back(*number);
    }
    return dims;
}

// A product that becomes 0 where it does not fit, or a factor is negative.
class Product
{
public:
    Product &times(std::int64_t factor)
    {
        if (factor < 0 || __builtin_mul_overflow(m_value, factor, &m_value))
            m_isBad = true;
        return *this;
    }
    Product &times(const Dims &factors)
    {
        for (const std::int64_t factor : factors)
            times(factor);
        return *this;
    }
    std::int64_t value() const { return m_isBad ? 0 : m_value; }

private:
    std::int64_t m_value = 1;
    bool m_isBad = false;
};

const Dims *dimsAt(const Shapes &shapes, std::size_t i, std::size_t rank)
{
    return i < shapes.size() && shapes[i] && shapes[i]->size() == rank ? &*shapes[i] : nullptr;
}

std::int64_t matrixFlops(const Dims *a, const Dims *b)
{
    if (!a || !b)
        return 0;
    const std::size_t rank = a->size();
    if (rank == 3 && (*a)[0] != (*b)[0])
        return 0;
    Product product;
    return product.times(2).times(*a).times(b->back()).value();
}

std::int64_t elementFlops(const Shapes &shapes, const OperatorInputs &inputs)
{
    if (shapes.empty() || !shapes[0])
        return 0;
    if (shapes[0]->empty()) { // a tensor without dimensions, or no tensor at all
        const auto types = parseTexts(inputs.types);
        if (types.empty() || types[0].empty() || types[0] == "Scalar")
            return 0;
    }
    Product product;
    return product.times(*shapes[0]).value();
}

// [1, 1] may be written as one number for both directions.
std::optional<std::array<std::int64_t, 2>> pairOf(std::string_view text)
{
    if (const auto number = parseInteger(text))
        return std::array{*number, *number};
    const auto numbers = numbersOf(text);
    if (!numbers || numbers->empty() || numbers->size() > 2)
        return {};
    return std::array{numbers->front(), numbers->back()};
}

std::int64_t convolutionFlops(const Shapes &shapes, const OperatorInputs &inputs)
{
    const Dims *input = dimsAt(shapes, 0, 4);
    const Dims *weight = dimsAt(shapes, 1, 4);
    const auto concrete = parseTexts(inputs.concrete);
    if (!input || !weight || concrete.size() < 7)
        return 0;
    const auto stride = pairOf(concrete[3]);
    const auto padding = pairOf(concrete[4]);
    const auto dilation = pairOf(concrete[5]);
    const auto groups = parseInteger(concrete[6]);
    if (!stride || !padding || !dilation || !groups || *groups <= 0)
        return 0;
    Product product;
    product.times(2).times((*input)[0]).times((*input)[1]).times((*weight)[0]).times((*weight)[2]).times((*weight)[3]);
    for (std::size_t i = 0; i < 2; ++i) {
        constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
        const std::int64_t size = (*input)[i + 2];
        const std::int64_t kernel = (*weight)[i + 2];
        for (const std::int64_t value : {size, kernel, (*stride)[i], (*padding)[i], (*dilation)[i]}) {
            if (value < 0 || value > kMost)
                return 0;
        }
        if ((*stride)[i] == 0)
            return 0;
        product.times((size + 2 * (*padding)[i] - (*dilation)[i] * (kernel - 1) - 1) / (*stride)[i] + 1);
    }
    return product.value() / *groups;
}

enum class Formula : std::uint8_t { None, Matrices, MatricesOfSum, Batches, BatchesOfSum, Elements, Convolution };

Formula formulaOf(std::string_view name)
{
    static constexpr std::pair<std::string_view, Formula> kFormulas[] = {
        {"aten::mm", Formula::Matrices},        {"aten::addmm", Formula::MatricesOfSum},
        {"aten::bmm", Formula::Batches},        {"aten::baddbmm", Formula::BatchesOfSum},
        {"aten::add", Formula::Elements},       {"aten::mul", Formula::Elements},
        {"aten::conv2d", Formula::Convolution},
    };
    for (const auto &[known, formula] : kFormulas) {
        if (name == known)
            return formula;
    }
    return Formula::None;
}

} // namespace

Shapes parseShapes(std::string_view json)
{
    Shapes shapes;
    for (const std::string_view element : jsonElements(json))
        shapes.push_back(numbersOf(element));
    return shapes;
}

std::vector<std::string> parseTexts(std::string_view json)
{
    std::vector<std::string> texts;
    for (const std::string_view element : jsonElements(json))
        texts.push_back(argText(element));
    return texts;
}

bool hasTorchFlops(std::string_view operatorName)
{
    return formulaOf(operatorName) != Formula::None;
}

std::int64_t torchFlops(std::string_view operatorName, const OperatorInputs &inputs)
{
    const Shapes shapes = parseShapes(inputs.dims);
    switch (formulaOf(operatorName)) {
    case Formula::Matrices: return matrixFlops(dimsAt(shapes, 0, 2), dimsAt(shapes, 1, 2));
    case Formula::MatricesOfSum: return matrixFlops(dimsAt(shapes, 1, 2), dimsAt(shapes, 2, 2));
    case Formula::Batches: return matrixFlops(dimsAt(shapes, 0, 3), dimsAt(shapes, 1, 3));
    case Formula::BatchesOfSum: return matrixFlops(dimsAt(shapes, 1, 3), dimsAt(shapes, 2, 3));
    case Formula::Elements: return elementFlops(shapes, inputs);
    case Formula::Convolution: return convolutionFlops(shapes, inputs);
    case Formula::None: break;
    }
    return 0;
}

} // namespace ks
