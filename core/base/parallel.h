// SPDX-License-Identifier: GPL-3.0-or-later
// Runs fn(i) for i in [0, count) on up to `workers` threads, this one included. The first exception is rethrown here; the rest of the
// work is then left undone.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace ks {

inline unsigned workerCount(unsigned wanted)
{
    return wanted != 0 ? wanted : std::max(1U, std::thread::hardware_concurrency());
}

template<typename Function>
void parallelFor(std::size_t count, unsigned workers, Function fn)
{
    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};
    std::exception_ptr failure;
    std::mutex mutex;
    const auto run = [&] {
        try {
            for (std::size_t i = next++; i < count && !failed; i = next++)
                fn(i);
        } catch (...) {
            failed = true;
            const std::lock_guard lock(mutex);
            if (!failure)
                failure = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> threads;
        const std::size_t helpers = std::min<std::size_t>(workerCount(workers), count);
        for (std::size_t i = 1; i < helpers; ++i)
            threads.emplace_back(run);
        run();
    }
    if (failure)
        std::rethrow_exception(failure);
}

} // namespace ks
