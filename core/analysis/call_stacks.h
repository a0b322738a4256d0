// SPDX-License-Identifier: GPL-3.0-or-later
// The recorded python stacks of calls, which tell rows of the operator table apart.
#pragma once

#include "core/analysis/torch_nesting.h"
#include "core/base/progress.h"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
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

// By call: number of the JSON list of its innermost frames. Backward calls have the stack of their forward call: the first
// one with their sequence number on the thread that they name. Cost: a few microseconds a call. Throws SourceChanged,
// Cancelled; reports shares.
std::vector<std::uint32_t> callStacks(const Trace &trace, const TorchNesting &nesting, std::size_t frames,
                                      TextNumbers &texts, const Progress &progress = {});

} // namespace ks
