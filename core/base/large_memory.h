// SPDX-License-Identifier: GPL-3.0-or-later
// Memory for columns of millions of entries: straight from the system, on huge pages where there are some (a page fault for 2 MB instead of
// 512 for 4 KB each), given back to the system when it is freed - or to whoever needs memory next -, and not cleared twice.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace ks {

inline constexpr std::size_t kHugePage = std::size_t{2} << 20U;

// `bytes` of memory that begin at the border of a huge page, whatever they hold. Throws std::bad_alloc. Thread-safe.
void *allocateLarge(std::size_t bytes);
void freeLarge(void *memory, std::size_t bytes) noexcept;
std::size_t largeMemoryInUse(); // bytes that were allocated and not freed, in whole pages

// While there is one, large memory that is freed is kept for what is allocated next: the system would have to clear it again, which may take
// as long as the work that fills it. Where no piece is large enough, the system moves several together (Linux). Given back when the last one
// goes. For work that frees one set of columns before it fills another.
class LargeMemoryReuse
{
public:
    LargeMemoryReuse();
    ~LargeMemoryReuse();
    LargeMemoryReuse(const LargeMemoryReuse &) = delete;
    LargeMemoryReuse &operator=(const LargeMemoryReuse &) = delete;
};

// For std::vector: large memory from a size on where it pays. resize() leaves new elements of plain types as they are: whoever resizes
// such a vector writes every element.
template<typename T>
class LargeAllocator
{
public:
    using value_type = T;

    LargeAllocator() = default;
    template<typename U>
    LargeAllocator(const LargeAllocator<U> &)
    {}

    T *allocate(std::size_t count)
    {
        if (count > static_cast<std::size_t>(-1) / sizeof(T))
            throw std::bad_array_new_length();
        return static_cast<T *>(isLarge(count) ? allocateLarge(count * sizeof(T)) : ::operator new(count * sizeof(T)));
    }
    void deallocate(T *memory, std::size_t count) noexcept
    {
        if (isLarge(count))
            freeLarge(memory, count * sizeof(T));
        else
            ::operator delete(memory);
    }
    template<typename U, typename... Args>
    void construct(U *at, Args &&...args)
    {
        if constexpr (sizeof...(Args) == 0 && std::is_trivially_copyable_v<U> && std::is_trivially_destructible_v<U>)
            ::new (static_cast<void *>(at)) U;
        else
            ::new (static_cast<void *>(at)) U(std::forward<Args>(args)...);
    }
    friend bool operator==(const LargeAllocator &, const LargeAllocator &) { return true; }

private:
    static_assert(alignof(T) <= alignof(std::max_align_t));
    static bool isLarge(std::size_t count) { return count * sizeof(T) >= kHugePage / 2; }
};

template<typename T>
using LargeArray = std::vector<T, LargeAllocator<T>>;

} // namespace ks
