// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/large_memory.h"

#include <cstdint>

#include <sys/mman.h>

namespace ks {
namespace {

std::size_t roundedUp(std::size_t bytes)
{
    constexpr std::size_t kPage = 4096; // mmap and munmap round up to the machine's own
    return (bytes + kPage - 1) / kPage * kPage;
}

} // namespace

void *allocateLarge(std::size_t bytes)
{
    if (bytes > static_cast<std::size_t>(-1) - 2 * kHugePage)
        throw std::bad_alloc();
    const std::size_t wanted = roundedUp(bytes);
    // Room to begin at the border of a huge page; what stands before and behind goes back at once.
    const std::size_t taken = wanted + kHugePage;
    void *const memory = ::mmap(nullptr, taken, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        throw std::bad_alloc();
    auto *const first = static_cast<char *>(memory);
    const std::size_t before = (kHugePage - reinterpret_cast<std::uintptr_t>(first) % kHugePage) % kHugePage;
    if (before != 0)
        ::munmap(first, before);
    ::munmap(first + before + wanted, taken - before - wanted);
#ifdef MADV_HUGEPAGE
    // Only whole huge pages: the last, begun one would take its full size.
    if (const std::size_t whole = wanted / kHugePage * kHugePage; whole != 0)
        ::madvise(first + before, whole, MADV_HUGEPAGE);
#endif
    return first + before;
}

void freeLarge(void *memory, std::size_t bytes) noexcept
{
    if (memory)
        ::munmap(memory, roundedUp(bytes));
}

} // namespace ks
