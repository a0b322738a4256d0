// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/benchmark.h"

#include "core/analysis/chain.h"
#include "core/analysis/operator_flops.h"
#include "core/base/format.h"
#include "core/trace/args.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace ks {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

constexpr std::array kTypes = {
    Pair{"float", "float32"},
    Pair{"double", "float64"},
    Pair{"c10::Half", "float16"},
    Pair{"c10::BFloat16", "bfloat16"},
    Pair{"c10::Float8_e4m3fn", "float8_e4m3fn"},
    Pair{"c10::Float8_e5m2", "float8_e5m2"},
    Pair{"c10::complex<float>", "complex64"},
    Pair{"c10::complex<double>", "complex128"},
    Pair{"long int", "int64"},
    Pair{"long", "int64"},
    Pair{"long long", "int64"},
    Pair{"int", "int32"},
    Pair{"short int", "int16"},
    Pair{"short", "int16"},
    Pair{"signed char", "int8"},
    Pair{"unsigned char", "uint8"},
    Pair{"bool", "bool"},
};

bool isIdentifier(std::string_view text)
{
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    return !text.empty() && isLetter(text.front())
           && std::all_of(text.begin(), text.end(), [&](char c) { return isLetter(c) || (c >= '0' && c <= '9'); });
}

// "aten::add.Tensor" -> "aten" "add"
std::optional<std::pair<std::string, std::string>> operatorName(std::string_view name)
{
    const std::size_t colons = name.find("::");
    if (colons == std::string_view::npos)
        return {};
    const std::string_view library = name.substr(0, colons);
    std::string_view op = name.substr(colons + 2);
    op = op.substr(0, op.find('.'));
    if (!isIdentifier(library) || !isIdentifier(op))
        return {};
    return std::pair(std::string(library), std::string(op));
}

// As a string of python. Bytes beyond ASCII stay, they are UTF-8.
std::string pythonString(std::string_view text)
{
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            result += '\\';
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            constexpr std::string_view kDigits = "0123456789abcdef";
            const auto byte = static_cast<unsigned char>(c);
            result += "\\x";
            result += kDigits[byte >> 4U];
            result += kDigits[byte & 15U];
        } else {
            result += c;
        }
    }
    return result + '"';
}

// For a comment: on one line.
std::string oneLine(std::string_view text)
{
    std::string result(text);
    std::replace_if(
        result.begin(), result.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    return result;
}

bool isNumber(std::string_view text)
{
    if (text.starts_with('-') || text.starts_with('+'))
        text.remove_prefix(1);
    const bool startsWell = !text.empty() && (text.front() == '.' || (text.front() >= '0' && text.front() <= '9'));
    std::size_t digits = 0;
    std::size_t points = 0;
    std::size_t exponents = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c >= '0' && c <= '9') {
            ++digits;
        } else if (c == '.' && exponents == 0 && points == 0) {
            ++points;
        } else if ((c == 'e' || c == 'E') && exponents == 0 && digits != 0 && i + 1 < text.size()) {
            ++exponents;
            if (text[i + 1] == '+' || text[i + 1] == '-')
                ++i;
            if (i + 1 >= text.size())
                return false;
        } else {
            return false;
        }
    }
    return startsWell && digits != 0;
}

// A number as python reads it: no octal look-alikes such as 007.
std::string numberText(std::string_view text)
{
    const bool isNegative = text.starts_with('-');
    if (isNegative || text.starts_with('+'))
        text.remove_prefix(1);
    while (text.size() > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9')
        text.remove_prefix(1);
    return (isNegative ? "-" : "") + std::string(text);
}

std::string_view trimmedText(std::string_view text)
{
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    return text;
}

std::string scalar(std::string_view text)
{
    text = trimmedText(text);
    if (text.empty() || text == "None")
        return "None";
    if (text == "True" || text == "False")
        return std::string(text);
    if (text == "true" || text == "false")
        return text == "true" ? "True" : "False";
    if (text == "inf" || text == "-inf" || text == "nan")
        return "float(" + pythonString(text) + ")";
    return isNumber(text) ? numberText(text) : pythonString(text);
}

// "[2, 2]"; none if it is no flat list of numbers, as one that was cut.
std::optional<std::string> scalarList(std::string_view text)
{
    text = trimmedText(text);
    if (text.size() < 2 || text.front() != '[' || text.back() != ']')
        return {};
    text = text.substr(1, text.size() - 2);
    std::string result = "[";
    while (!trimmedText(text).empty()) {
        const std::size_t end = std::min(text.find(','), text.size());
        const std::string item = scalar(text.substr(0, end));
        if (item.starts_with('"') || item == "None")
            return {};
        result += (result.size() > 1 ? ", " : "") + item;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result + "]";
}

// A tuple of whole numbers from a JSON list; none if it is anything else.
std::optional<std::string> shapeTuple(std::string_view json)
{
    const std::vector<std::string_view> items = jsonElements(json);
    if (items.empty() && json != "[]")
        return {};
    std::string tuple = "(";
    for (const std::string_view item : items) {
        if (!isNumber(item) || item.find_first_of(".eE") != std::string_view::npos)
            return {};
        tuple += numberText(item) + ", ";
    }
    if (items.size() > 1)
        tuple.resize(tuple.size() - 2);
    else if (items.size() == 1)
        tuple.resize(tuple.size() - 1);
    return tuple + ")";
}

// What was recorded of one call.
struct Recorded
{
    std::vector<std::string_view> dims;    // JSON
    std::vector<std::string_view> strides; // JSON; may be empty
    std::vector<std::string> types;
    std::vector<std::string> values; // may be empty
};

struct Argument
{
    std::string code;
    std::string remark; // "" if it is as recorded
};

std::optional<std::string> tensor(std::string_view type, std::string_view dims, std::string_view strides)
{
    const auto known =
        std::find_if(kTypes.begin(), kTypes.end(), [&](const Pair &entry) { return entry.first == type; });
    const std::optional<std::string> shape = shapeTuple(dims);
    if (known == kTypes.end() || !shape)
        return {};
    std::string code = "tensor(" + *shape + ", torch." + std::string(known->second);
    if (const std::optional<std::string> told = shapeTuple(strides);
        told && *told != "()" && !jsonElements(dims).empty())
        code += ", " + *told;
    return code + ")";
}

Argument argumentOf(const Recorded &recorded, std::size_t i)
{
    const std::string_view type = i < recorded.types.size() ? std::string_view(recorded.types[i]) : std::string_view();
    const std::string_view dims = i < recorded.dims.size() ? recorded.dims[i] : std::string_view("[]");
    const std::string_view strides = i < recorded.strides.size() ? recorded.strides[i] : std::string_view("[]");
    const std::string_view value =
        i < recorded.values.size() ? std::string_view(recorded.values[i]) : std::string_view();
    if (std::optional<std::string> code = tensor(type, dims, strides))
        return {std::move(*code), {}};
    if (type == "TensorList" || type.starts_with("GenericList[Tensor")) {
        const std::vector<std::string_view> shapes = jsonElements(dims);
        const std::vector<std::string_view> ways = jsonElements(strides);
        std::string code = "[";
        for (std::size_t k = 0; k < shapes.size(); ++k) {
            const auto one = tensor("float", shapes[k], k < ways.size() ? ways[k] : std::string_view("[]"));
            if (!one)
                return {"None", "a list of tensors that is not understood"};
            code += (k > 0 ? ", " : "") + *one;
        }
        return {code + "]", "types of tensors in lists are not recorded: taken as float32"};
    }
    if (type == "ScalarList") {
        if (std::optional<std::string> code = scalarList(value))
            return {std::move(*code), {}};
        return {"None", "a list whose values were not recorded"};
    }
    if (type.empty() || type == "Scalar" || type == "Device" || type == "String") {
        const std::string code = scalar(value);
        return {code, type == "Scalar" && code == "None" ? "a number that was not recorded" : ""};
    }
    return {"None", "recorded as " + oneLine(type) + ", which has no counterpart here"};
}

std::string fileName(std::string_view path)
{
    return oneLine(path.substr(path.find_last_of('/') + 1));
}

constexpr std::string_view kHelpers = R"(
device = "cuda" if torch.cuda.is_available() else "cpu"


def tensor(shape, dtype, strides=None):
    # Whole numbers are zeros: they may be indices.
    where = device if len(shape) > 0 else "cpu"
    if dtype.is_floating_point or dtype.is_complex:
        wide = dtype if torch.finfo(dtype).bits > 8 else torch.float32
        values = torch.randn(shape, dtype=wide, device=where).to(dtype)
    else:
        values = torch.zeros(shape, dtype=dtype, device=where)
    if strides is None or strides == values.stride():
        return values
    return torch.empty_strided(shape, strides, dtype=dtype, device=where).copy_(values)


def bind(packet, arguments):
    # The overload that takes them; the profiler records all arguments in the order of its schema.
    problem = "none has as many"
    for name in packet.overloads():
        overload = getattr(packet, name)
        wanted = overload._schema.arguments
        if len(wanted) != len(arguments):
            continue
        positional = [a for w, a in zip(wanted, arguments) if not w.kwarg_only]
        keywords = {w.name: a for w, a in zip(wanted, arguments) if w.kwarg_only}
        try:
            overload(*positional, **keywords)
        except (RuntimeError, TypeError, ValueError) as error:
            problem = error
            continue
        return lambda: overload(*positional, **keywords)
    raise SystemExit(f"no overload of {packet} takes these arguments: {problem}")

)";

} // namespace

std::optional<std::string> benchmarkScript(const Trace &trace, EventId op)
{
    const auto name = operatorName(trace.name(op));
    if (trace.kind(op) != EventKind::Operator || !name)
        return {};
    const Args args = trace.source() ? parseArgs(trace, op) : Args();
    const auto json = [&args](std::string_view key) { return findArg(args, key).value_or(std::string_view()); };
    Recorded recorded;
    recorded.dims = jsonElements(json("Input Dims"));
    recorded.strides = jsonElements(json("Input Strides"));
    recorded.types = parseTexts(json("Input type"));
    recorded.values = parseTexts(json("Concrete Inputs"));
    const std::size_t count = std::max({recorded.dims.size(), recorded.types.size(), recorded.values.size()});

    const std::string full = name->first + "::" + name->second;
    std::string script = "# " + full + ", recorded by the PyTorch profiler in " + fileName(trace.metadata().path)
                         + ", event " + std::to_string(trace.fileIndex(op)) + '\n';
    script += "# It took " + formatDuration(trace.duration(op)) + " on the host";
    TimeNs sum = 0;
    const std::vector<EventId> work = deviceWorkBelow(trace, op);
    for (const EventId event : work)
        sum = saturatingAdd(sum, trace.duration(event));
    if (!work.empty())
        script += " and " + formatDuration(sum) + " on the device (" + formatCount(work.size())
                  + (work.size() == 1 ? " piece of work)" : " pieces of work, in sum)");
    script += ".\n";
    if (count == 0)
        script += "# Its inputs were not recorded (record_shapes=True records them).\n";
    else if (recorded.values.empty())
        script += "# Values of numbers were not recorded (newer profilers record them): they are None here.\n";
    script += "import torch\nimport torch.utils.benchmark as benchmark\n";
    script += kHelpers;
    script += "\narguments = [\n";
    for (std::size_t i = 0; i < count; ++i) {
        const Argument argument = argumentOf(recorded, i);
        script += "    " + argument.code + ",";
        if (!argument.remark.empty())
            script += "  # " + argument.remark;
        script += '\n';
    }
    script += "]\n";
    script += "call = bind(torch.ops." + name->first + '.' + name->second + ", arguments)\n";
    script += "timer = benchmark.Timer(\"call()\", globals={\"call\": call}, label=" + pythonString(full) + ")\n";
    script += "print(timer.blocked_autorange())\n";
    return script;
}

} // namespace ks
