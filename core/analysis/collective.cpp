// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collective.h"

#include "core/base/format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

namespace ks {
namespace {

struct Dtype
{
    std::string_view spelling; // lower case, without c10::
    std::string_view shortName;
    std::int64_t bytes;
};

// c10 names, and the C++ ones of `Input type`.
constexpr std::array kDtypes = {
    Dtype{"float", "fp32", 4},
    Dtype{"bfloat16", "bf16", 2},
    Dtype{"half", "fp16", 2},
    Dtype{"double", "fp64", 8},
    Dtype{"byte", "u8", 1},
    Dtype{"unsigned char", "u8", 1},
    Dtype{"char", "i8", 1},
    Dtype{"signed char", "i8", 1},
    Dtype{"short", "i16", 2},
    Dtype{"short int", "i16", 2},
    Dtype{"int", "i32", 4},
    Dtype{"long", "i64", 8},
    Dtype{"long int", "i64", 8},
    Dtype{"bool", "bool", 1},
    Dtype{"float8_e4m3fn", "fp8", 1},
    Dtype{"float8_e5m2", "fp8", 1},
    Dtype{"float8_e4m3fnuz", "fp8", 1},
    Dtype{"float8_e5m2fnuz", "fp8", 1},
    Dtype{"complexfloat", "c64", 8},
    Dtype{"complexdouble", "c128", 16},
};

std::string lower(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return result;
}

const Dtype *findDtype(std::string_view dtype)
{
    if (dtype.starts_with("c10::"))
        dtype.remove_prefix(5);
    const std::string wanted = lower(dtype);
    const auto *const found =
        std::find_if(kDtypes.begin(), kDtypes.end(), [&](const Dtype &d) { return d.spelling == wanted; });
    return found == kDtypes.end() ? nullptr : found;
}

// "allreduce", "_allgather_base", "ALLTOALL_V" -> one spelling.
std::string collectiveName(std::string_view raw)
{
    std::string name = lower(raw);
    std::string letters;
    std::copy_if(name.begin(), name.end(), std::back_inserter(letters), [](char c) { return c >= 'a' && c <= 'z'; });
    constexpr std::array kNames = {
        std::pair{std::string_view("reducescatter"), std::string_view("reduce_scatter")},
        std::pair{std::string_view("allreduce"), std::string_view("all_reduce")},
        std::pair{std::string_view("allgather"), std::string_view("all_gather")},
        std::pair{std::string_view("alltoall"), std::string_view("all_to_all")},
    };
    for (const auto &[part, known] : kNames) {
        if (letters.find(part) != std::string::npos)
            return std::string(known);
    }
    return name;
}

std::string textArg(const Args &args, std::string_view key)
{
    const auto json = findArg(args, key);
    return json ? argText(*json) : std::string();
}

std::optional<std::int64_t> numberArg(const Args &args, std::string_view key)
{
    const std::string text = textArg(args, key);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
        return {};
    return value;
}

std::string withoutBlanks(std::string_view json)
{
    std::string result;
    std::copy_if(json.begin(), json.end(), std::back_inserter(result),
                 [](char c) { return static_cast<unsigned char>(c) > ' '; });
    return result;
}

} // namespace

std::string shortDtype(std::string_view dtype)
{
    const Dtype *known = findDtype(dtype);
    return known ? std::string(known->shortName) : std::string();
}

std::optional<std::int64_t> dtypeBytes(std::string_view dtype)
{
    const Dtype *known = findDtype(dtype);
    return known ? std::optional(known->bytes) : std::nullopt;
}

std::optional<Collective> collectiveOf(const Args &args)
{
    const std::string raw = textArg(args, "Collective name");
    if (raw.empty())
        return {};
    Collective result;
    result.name = collectiveName(raw);
    const std::string dtype = textArg(args, "dtype");
    result.dtype = shortDtype(dtype);
    if (result.dtype.empty())
        result.dtype = lower(dtype);

    const auto in = numberArg(args, "In msg nelems");
    const auto out = numberArg(args, "Out msg nelems");
    const auto size = dtypeBytes(dtype);
    std::int64_t bytes = 0;
    // Older versions wrote the count as int32: a negative one has overflowed.
    const bool overflowed = in.value_or(0) < 0 || out.value_or(0) < 0;
    if (size && (in || out) && !overflowed
        && !__builtin_mul_overflow(std::max(in.value_or(0), out.value_or(0)), *size, &bytes))
        result.bytes = bytes;

    const std::string description = textArg(args, "Process Group Description");
    if (!description.empty() && description != "undefined" && description != "default_pg")
        result.group = description;
    else if (const auto ranks = numberArg(args, "Group size"); ranks && *ranks > 0)
        result.group = std::to_string(*ranks) + (*ranks == 1 ? " rank" : " ranks");
    return result;
}

std::string collectiveLabel(const Collective &collective)
{
    std::string label = collective.name;
    const auto add = [&label](const std::string &part) {
        if (!part.empty())
            label += " · " + part;
    };
    add(collective.dtype);
    if (collective.bytes)
        add(formatBytes(*collective.bytes));
    add(collective.group);
    return label;
}

std::string inputSummary(const Args &args)
{
    const auto dims = findArg(args, "Input Dims");
    if (!dims)
        return {};
    const auto types = findArg(args, "Input type");
    const auto shapes = jsonElements(*dims);
    const auto names = types ? jsonElements(*types) : std::vector<std::string_view>();
    constexpr std::size_t kMaxShown = 3;
    std::string text;
    std::string dtype;
    std::size_t shown = 0;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const std::string shape = withoutBlanks(shapes[i]);
        if (shape == "[]" || shape == "\"\"")
            continue;
        if (shown == kMaxShown) {
            text += " …";
            break;
        }
        text += (shown == 0 ? "" : " × ") + shape;
        ++shown;
        if (dtype.empty() && i < names.size())
            dtype = shortDtype(argText(names[i]));
    }
    if (!text.empty() && !dtype.empty())
        text += ' ' + dtype;
    return text;
}

} // namespace ks
