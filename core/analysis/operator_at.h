// SPDX-License-Identifier: GPL-3.0-or-later
// Which operator runs on a thread at a moment.
#pragma once

#include "core/analysis/torch_nesting.h"

#include <cstdint>
#include <vector>

namespace ks {

class OperatorAt
{
public:
    // Both must stay. Cost: nothing; a question is a short search from where the last one on that lane ended.
    OperatorAt(const Trace &trace, const TorchNesting &nesting);

    // Innermost operator, both ends inclusive, as a position in nesting.calls(); kNone if none runs. Ask by ascending
    // time.
    std::uint32_t at(LaneId lane, TimeNs time);
    // The operator around an operator, annotations and launches passed over.
    std::uint32_t above(std::uint32_t call) const { return operatorFrom(m_nesting.calls()[call].parent); }

private:
    std::uint32_t operatorFrom(std::uint32_t call) const;

    const Trace &m_trace;
    const TorchNesting &m_nesting;
    std::vector<std::uint32_t> m_next; // by lane: first call that begins after the time asked for last
};

} // namespace ks
