// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/large_memory.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>

#include <sys/mman.h>

namespace ks {
namespace {

constexpr std::size_t kPage = 4096; // the system rounds to its own

std::atomic<std::size_t> inUse{0};

constexpr std::size_t roundedUp(std::size_t bytes, std::size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

// Whole huge pages, fresh from the system. Only those that `bytes` fill are asked for as huge ones: the last, begun one would take its full size.
char *mapFresh(std::size_t bytes)
{
    const std::size_t wanted = roundedUp(bytes, kHugePage);
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
    if (const std::size_t whole = bytes / kHugePage * kHugePage; whole != 0)
        ::madvise(first + before, whole, MADV_HUGEPAGE);
#endif
    return first + before;
}

#ifdef MREMAP_FIXED
void mapAt(char *first, std::size_t bytes)
{
    if (::mmap(first, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
        throw std::bad_alloc();
}
#endif

// What was freed while somebody wanted it kept: stretches of whole huge pages, neighbours joined.
class KeptMemory
{
    using Stretches = std::map<char *, std::size_t>; // bytes by their first

public:
    void enter()
    {
        const std::lock_guard lock(m_mutex);
        ++m_users;
    }
    void leave()
    {
        Stretches unused;
        {
            const std::lock_guard lock(m_mutex);
            if (--m_users == 0)
                unused.swap(m_stretches);
        }
        for (const auto &[first, bytes] : unused)
            ::munmap(first, bytes);
    }

    // The smallest stretch that is large enough, else what there is, moved together; null if there is nothing.
    char *take(std::size_t bytes)
    {
        const std::size_t wanted = roundedUp(bytes, kHugePage);
        const std::lock_guard lock(m_mutex);
        auto best = m_stretches.end();
        for (auto stretch = m_stretches.begin(); stretch != m_stretches.end(); ++stretch) {
            if (stretch->second >= wanted && (best == m_stretches.end() || stretch->second < best->second))
                best = stretch;
        }
        if (best == m_stretches.end())
            return gather(bytes);
        char *const first = best->first;
        shorten(best, wanted);
        return first;
    }

    // False: nobody wants it kept.
    bool keep(char *first, std::size_t bytes) noexcept
    try {
        const std::lock_guard lock(m_mutex);
        if (m_users == 0)
            return false;
        const auto [own, isNew] = m_stretches.emplace(first, roundedUp(bytes, kHugePage));
        if (const auto behind = std::next(own); behind != m_stretches.end() && first + own->second == behind->first) {
            own->second += behind->second;
            m_stretches.erase(behind);
        }
        if (own != m_stretches.begin()) {
            if (const auto before = std::prev(own); before->first + before->second == first) {
                before->second += own->second;
                m_stretches.erase(own);
            }
        }
        return true;
    } catch (const std::bad_alloc &) {
        return false;
    }

private:
    // Fresh addresses, under which the system moves the pages of kept stretches as far as they go: that copies nothing.
    char *gather([[maybe_unused]] std::size_t bytes)
    {
#ifdef MREMAP_FIXED
        if (m_stretches.empty())
            return nullptr;
        char *const memory = mapFresh(bytes);
        const std::size_t wanted = roundedUp(bytes, kHugePage);
        for (std::size_t filled = 0; filled != wanted && !m_stretches.empty();) {
            const auto stretch = m_stretches.begin();
            const std::size_t moved = std::min(stretch->second, wanted - filled);
            char *const to = memory + filled;
            if (::mremap(stretch->first, moved, moved, MREMAP_MAYMOVE | MREMAP_FIXED, to) == MAP_FAILED) {
                mapAt(to, moved); // the system may have made room there before it gave up
                break;
            }
            shorten(stretch, moved);
            filled += moved;
        }
        return memory;
#else
        return nullptr;
#endif
    }

    void shorten(Stretches::iterator stretch, std::size_t taken)
    {
        const auto [first, whole] = *stretch;
        m_stretches.erase(stretch);
        if (whole != taken)
            m_stretches.emplace(first + taken, whole - taken);
    }

    std::mutex m_mutex;
    unsigned m_users = 0;
    Stretches m_stretches;
};

// Never destroyed: columns may outlive everything else.
KeptMemory &keptMemory()
{
    static auto *const kept = new KeptMemory;
    return *kept;
}

} // namespace

void *allocateLarge(std::size_t bytes)
{
    if (bytes > static_cast<std::size_t>(-1) - 2 * kHugePage)
        throw std::bad_alloc();
    const std::size_t used = roundedUp(bytes, kPage);
    char *memory = keptMemory().take(bytes);
    if (!memory)
        memory = mapFresh(bytes);
    else if (used % kHugePage != 0)
        ::madvise(memory + used, kHugePage - used % kHugePage, MADV_DONTNEED);
    inUse += used;
    return memory;
}

void freeLarge(void *memory, std::size_t bytes) noexcept
{
    if (!memory)
        return;
    inUse -= roundedUp(bytes, kPage);
    if (!keptMemory().keep(static_cast<char *>(memory), bytes))
        ::munmap(memory, roundedUp(bytes, kHugePage));
}

std::size_t largeMemoryInUse()
{
    return inUse;
}

LargeMemoryReuse::LargeMemoryReuse()
{
    keptMemory().enter();
}

LargeMemoryReuse::~LargeMemoryReuse()
{
    keptMemory().leave();
}

} // namespace ks
