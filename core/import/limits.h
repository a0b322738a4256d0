// SPDX-License-Identifier: GPL-3.0-or-later
// What an import may cost. A packed file of some megabytes can hold text of any size, and ten bytes of text make an event of a hundred: better
// one sentence early than a computer that has to be switched off.
#pragma once

#include "core/base/byte_source.h"
#include "core/import/event_batch.h"

#include <atomic>
#include <cstdint>

namespace ks {

class ImportLimits
{
public:
    // Packed text beyond this size that is also this many times the file is no trace: traces pack 10 to 50 times.
    static constexpr std::uint64_t kMaxBombBytes = std::uint64_t{2} << 30U;
    static constexpr std::uint64_t kMaxRatio = 300;

    // `memoryBytes` 0: three quarters of what the machine (or the group of processes this one belongs to) has.
    ImportLimits(const ByteSource &source, std::uint64_t memoryBytes);

    // Both throw ImportError. Thread-safe.
    void checkText(std::uint64_t textBytes) const;
    void addMemory(std::uint64_t bytes);

private:
    const bool m_isPacked;
    const std::uint64_t m_storedBytes;
    const std::uint64_t m_memoryBytes;
    std::atomic<std::uint64_t> m_used{0};
};

// What the records of a batch will take when the trace is put together, about; more than what they take now.
std::uint64_t memoryOf(const EventBatch &batch);
inline constexpr std::uint64_t kMemoryOfName = 160; // of a distinct name, besides its text

} // namespace ks
