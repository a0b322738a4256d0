// SPDX-License-Identifier: GPL-3.0-or-later
// Training runs that differ in one thing, for comparisons: each step launches layers of a product and an addition, and
// ends when the device has done them.
#pragma once

#include "tests/support/trace_maker.h"

#include <algorithm>
#include <cstdint>
#include <random>

namespace ks {

struct PlantedRun
{
    int steps = 6;
    int layers = 4;
    double productUs = 100; // on the device
    bool isFused = false;   // aten::addmm instead of aten::mm and aten::add
    int copies = 0;         // more copies in each step, 50 us each
    double hostUs = 0;      // more time of the host before the first launch of each step
    double loadingUs = 0;   // time of the data loader at the beginning of each step
    double noiseUs = 0;     // every kernel is so much longer or shorter
    unsigned seed = 1;      // of the noise
    const char *productKernel = "sgemm_128x64";
};

inline TraceMaker plantedRun(const PlantedRun &run = {})
{
    TraceMaker maker;
    std::mt19937_64 random(run.seed);
    std::uniform_real_distribution<double> noise(-run.noiseUs, run.noiseUs);
    std::uint64_t correlation = 0;
    double host = 10;
    for (int step = 0; step < run.steps; ++step) {
        const double begin = host;
        double device = begin;
        const auto launched = [&](std::string_view op, std::string_view kernel, double us) {
            ++correlation;
            maker.op(op, host, 20, R"("Input Dims":[[64,64],[64,64]])")
                .launch("cudaLaunchKernel", host + 5, 5, correlation);
            device = std::max(device, host + 15);
            const double length = us + (run.noiseUs > 0 ? noise(random) : 0);
            maker.kernel(kernel, device, length, 7, correlation);
            device += length;
            host += 25;
        };
        if (run.loadingUs > 0) {
            maker.annotation("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", host + 1, run.loadingUs);
            host += run.loadingUs + 2;
        }
        host += 5 + run.hostUs;
        for (int i = 0; i < run.copies; ++i) {
            ++correlation;
            maker.op("aten::copy_", host, 20).launch("cudaMemcpyAsync", host + 5, 5, correlation);
            device = std::max(device, host + 15);
            maker.memcpy("Memcpy HtoD (Pinned -> Device)", device, 50, 7, correlation);
            device += 50;
            host += 25;
        }
        for (int layer = 0; layer < run.layers; ++layer) {
            if (run.isFused) {
                launched("aten::addmm", "sgemm_128x64_bias", run.productUs + 2);
            } else {
                launched("aten::mm", run.productKernel, run.productUs);
                launched("aten::add", "vectorized_elementwise_kernel", 30);
            }
        }
        maker.launch("cudaDeviceSynchronize", host, std::max(5.0, device + 5 - host), ++correlation);
        host = std::max(host + 5, device + 5) + 5;
        maker.step(step, begin, host - begin - 1);
    }
    return maker;
}

} // namespace ks
