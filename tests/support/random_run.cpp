// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/random_run.h"

#include <array>
#include <string>

namespace ks {
namespace {

constexpr std::array kOperators = {
    "aten::mm",    "aten::addmm", "aten::linear",     "aten::add",
    "aten::copy_", "aten::empty", "c10d::allreduce_", "autograd::engine::evaluate_function: MmBackward0"};
constexpr std::array kKernels = {"ampere_sgemm_128x64_tn", "void at::native::vectorized_elementwise_kernel<4>",
                                 "ncclDevKernel_AllReduce_Sum_f32_RING_LL", "a \"quoted\" kernel*"};

class Writer
{
public:
    Writer(std::mt19937_64 &random, const RandomRun &options)
        : m_random(random)
        , m_options(options)
    {
        if (options.rank >= 0)
            m_maker.rank(options.rank, options.rank + 1);
        for (int device = 0; device < options.devices; ++device)
            m_maker.device(device, "NVIDIA H100");
    }

    TraceMaker run()
    {
        double begin = 10;
        for (int step = 0; step < m_options.steps; ++step) {
            double end = begin;
            for (int thread = 0; thread < m_options.threads; ++thread) {
                m_maker.thread(100 + thread, thread == 0 ? "python" : "pt_autograd_0");
                end = std::max(end, writeThread(begin + 1, thread == 0));
            }
            m_maker.thread(100);
            m_maker.step(step + 5, begin, end - begin + 1);
            begin = end + 1 + upTo(30);
        }
        for (int device = 0; device < m_options.devices; ++device)
            m_maker.kernel("from_before_the_recording", upTo(40), upTo(9), 7, 0, device);
        return std::move(m_maker);
    }

private:
    double upTo(int limit) // a whole number of nanoseconds
    {
        return static_cast<double>(m_random() % static_cast<unsigned>(limit * 1000 + 1)) / 1000;
    }
    bool chance(int percent) { return static_cast<int>(m_random() % 100) < percent; }
    template<typename Names>
    const char *oneOf(const Names &names)
    {
        return names[m_random() % names.size()];
    }

    double writeThread(double begin, bool isMain)
    {
        const double start = begin;
        const std::int64_t module = m_python++;
        double at = begin + 0.5;
        for (int i = 0; i < m_options.operatorsPerStep; ++i)
            at = writeOperator(at + upTo(2), 0);
        if (m_options.hasPython && isMain) {
            m_maker.python("nn.Module: Model_0", start, at - start + 0.2, module, -1);
            m_maker.python("nn.Module: Linear_1", start + 0.1, (at - start) / 2, m_python++, module);
        }
        return at + 0.5;
    }

    double writeOperator(double begin, int depth)
    {
        double at = begin + 0.1 + upTo(1);
        if (depth < 3 && chance(40)) {
            at = writeOperator(at, depth + 1);
            if (chance(50))
                at = writeOperator(at + upTo(1), depth + 1);
        }
        if (m_options.hasMemory && chance(30))
            writeMemory(at);
        if (m_options.devices > 0 && chance(60))
            at = writeLaunch(at);
        at += upTo(3);
        const std::string shapes =
            m_options.hasShapes ? R"("Input Dims":[[32,64],[64,16]],"Input type":["float","float"])" : std::string();
        m_maker.op(oneOf(kOperators), begin, at - begin, shapes);
        return at;
    }

    double writeLaunch(double begin)
    {
        const std::uint64_t correlation = ++m_correlation;
        const double duration = 0.5 + upTo(2);
        m_maker.launch(chance(80) ? "cudaLaunchKernel" : "cudaMemcpyAsync", begin, duration, correlation);
        if (chance(5))
            return begin + duration; // its work was not recorded
        const auto device = static_cast<std::int64_t>(m_random() % static_cast<unsigned>(m_options.devices));
        const auto stream = 7 + static_cast<std::int64_t>(m_random() % static_cast<unsigned>(m_options.streams));
        const double workBegin = begin + upTo(25);
        const int kind = static_cast<int>(m_random() % 8);
        if (kind == 0)
            m_maker.memcpy("Memcpy HtoD (Pinned -> Device)", workBegin, upTo(12), stream, correlation, device);
        else if (kind == 1)
            m_maker.memset("Memset (Device)", workBegin, upTo(3), stream, correlation, device);
        else
            m_maker.kernel(oneOf(kKernels), workBegin, upTo(12), stream, correlation, device,
                           R"("blocks per SM":1.5,"est. achieved occupancy %":40,"grid":[8,1,1],"block":[128,1,1])");
        return begin + duration;
    }

    void writeMemory(double at)
    {
        const std::int64_t device = m_options.devices > 0 && chance(50) ? 0 : -1;
        std::int64_t &total = device < 0 ? m_host : m_device;
        if (total > 0 && chance(40)) {
            m_maker.memory(at, -512, m_address, total -= 512, device);
            return;
        }
        m_maker.memory(at, 512, ++m_address, total += 512, device);
    }

    std::mt19937_64 &m_random;
    const RandomRun &m_options;
    TraceMaker m_maker;
    std::uint64_t m_correlation = 0;
    std::uint64_t m_address = 4096;
    std::int64_t m_host = 0;
    std::int64_t m_device = 0;
    std::int64_t m_python = 1;
};

} // namespace

TraceMaker randomRun(std::mt19937_64 &random, const RandomRun &options)
{
    return Writer(random, options).run();
}

} // namespace ks
