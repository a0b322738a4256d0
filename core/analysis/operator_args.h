// SPDX-License-Identifier: GPL-3.0-or-later
// What the operator table needs from the arguments of calls: shapes and stacks that tell rows apart, and FLOPs.
#pragma once

#include "core/analysis/model_cost.h"
#include "core/analysis/torch_nesting.h"
#include "core/base/progress.h"

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ks {

// Texts as small numbers, for keys; number 0 is the text given first.
class TextNumbers
{
public:
    explicit TextNumbers(std::string_view first) { numberOf(first); }

    std::uint32_t numberOf(std::string_view text);
    const std::string &text(std::uint32_t number) const { return m_texts[number]; }

private:
    std::deque<std::string> m_texts;
    std::unordered_map<std::string_view, std::uint32_t> m_numbers;
};

struct OperatorArgs
{
    std::vector<std::uint32_t> shapes; // by call: number of the JSON text of `Input Dims`, "[]" if it has none
    std::vector<std::uint32_t> stacks; // by call: number of the JSON list of its innermost frames
    std::vector<std::int64_t> flops;   // by call
    std::vector<std::pair<std::uint32_t, ModelCost>> models; // of the calls that have one
};

struct WantedArgs
{
    bool shapes = false;
    std::size_t frames = 0; // of the stack; 0 = no stacks
    bool flops = false;     // and models
};

// Empty columns for what is not wanted. Backward calls have the stack of their forward call: the first one with their
// sequence number on the thread that they name. Cost: a few microseconds for each call whose arguments are read: all of
// them for shapes or stacks, those of some names for FLOPs. Throws SourceChanged, Cancelled.
OperatorArgs operatorArgs(const Trace &trace, const TorchNesting &nesting, WantedArgs wanted, TextNumbers &texts,
                          const Progress &progress = {});

} // namespace ks
