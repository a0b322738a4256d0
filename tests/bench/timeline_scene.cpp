// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/timeline_scene.h"

#include "core/base/name_pool.h"
#include "tests/support/row_trace.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace ks {
namespace {

constexpr int kLanes = 40;
constexpr int kDeepest = 30;
constexpr double kShortest = 1e3; // ns
constexpr double kLongest = 1e6;
constexpr int kNames = 300; // of each kind of lane

// Some lanes deep, most shallow, `rows` in all.
std::array<int, kLanes> depths(int rows)
{
    std::array<int, kLanes> result{};
    result.fill(1);
    int left = std::clamp(rows, kLanes, kLanes * kDeepest) - kLanes;
    for (int share = 2; left > 0; --share) {
        for (int lane = 0; lane < kLanes && left > 0; ++lane) {
            int &depth = result[static_cast<std::size_t>(lane)];
            const int more = std::min({lane * 11 % kLanes / std::max(share, 1) + 1, kDeepest - depth, left});
            depth += more;
            left -= more;
        }
    }
    return result;
}

std::vector<NameId> names(bool device)
{
    constexpr std::array kFamilies = {"ampere_bf16_s16816gemm_", "vectorized_elementwise_kernel_",
                                      "reduce_kernel_",          "ncclDevKernel_AllReduce_",
                                      "flash_fwd_kernel_",       "Memcpy DtoH "};
    std::vector<NameId> result;
    for (int i = 0; i < kNames; ++i) {
        const std::string number = std::to_string(i);
        result.push_back(internName(device ? kFamilies[static_cast<std::size_t>(i) % kFamilies.size()] + number
                                           : "aten::operator_" + number));
    }
    return result;
}

} // namespace

std::shared_ptr<const Trace> timelineScene(int events, int rows)
{
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> orders(std::log(kShortest), std::log(kLongest));
    std::uniform_int_distribution<std::size_t> which(0, kNames - 1);
    const std::array pools = {names(false), names(true)};
    const int ofRow = events / std::clamp(rows, kLanes, kLanes * kDeepest);
    RowTrace trace;
    trace.process("7", "python");
    int lane = 0;
    for (const int depth : depths(rows)) {
        const bool device = lane % 2 == 1;
        trace.lane(device ? LaneKind::Gpu : LaneKind::Cpu, device ? LaneRole::ComputeStream : LaneRole::Thread,
                   std::to_string(lane));
        ++lane;
        for (int row = 0; row < depth; ++row) {
            trace.row();
            TimeNs t = 0;
            for (int i = 0; i < ofRow; ++i) {
                const auto duration = static_cast<TimeNs>(std::exp(orders(random)));
                trace.event(pools[device ? 1 : 0][which(random)], device ? EventKind::Kernel : EventKind::Operator, t,
                            duration);
                t += duration + static_cast<TimeNs>(std::exp(orders(random)));
            }
        }
    }
    return trace.build();
}

} // namespace ks
