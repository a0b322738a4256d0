// SPDX-License-Identifier: GPL-3.0-or-later
// What the tables cost after loading: bench_analysis TRACE...
//
// Prints CPU milliseconds of one thread, the least of five, and nanoseconds per event of the trace.
#include "core/analysis/filter.h"
#include "core/analysis/memory.h"
#include "core/analysis/modules.h"
#include "core/analysis/operators.h"
#include "core/import/import.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>

using namespace ks;

namespace {

double cpuMilliseconds()
{
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

void measure(const char *what, std::size_t events, const std::function<std::size_t()> &work)
{
    double best = 1e12;
    std::size_t result = 0;
    for (int i = 0; i < 5; ++i) {
        const double start = cpuMilliseconds();
        result = work();
        best = std::min(best, cpuMilliseconds() - start);
    }
    std::printf("  %-28s %9.2f ms %8.1f ns/event %10zu results\n", what, best,
                best * 1e6 / static_cast<double>(std::max<std::size_t>(events, 1)), result);
}

} // namespace

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; ++i) {
        const std::vector<RankTrace> traces{{importTrace(argv[i]), 0}};
        const std::size_t events = traces.front().trace->eventCount();
        std::printf("%s: %zu events, %zu memory records\n", argv[i], events, traces.front().trace->memory().size());
        OperatorOptions withoutArguments;
        withoutArguments.withFlops = false;
        measure("operators", events, [&] { return operatorTable(traces, {}, withoutArguments).rowCount(); });
        measure("operators with flops", events, [&] { return operatorTable(traces, {}, {}).rowCount(); });
        OperatorOptions byShape;
        byShape.byShape = true;
        measure("operators by shape", events, [&] { return operatorTable(traces, {}, byShape).rowCount(); });
        measure("memory", events, [&] { return memoryTable(traces, {}).rowCount(); });
        measure("memory by operator", events, [&] { return memoryByOperator(traces, {}).rowCount(); });
        measure("modules", events, [&] { return moduleTable(traces, {}).rowCount(); });
        for (const char *text : {"gemm", "dur > 100us and kind == kernel", "op:addmm"}) {
            const Filter filter = Filter::parse(text);
            measure(text, events, [&] {
                const std::vector<bool> matches = filter.matches(*traces.front().trace);
                return static_cast<std::size_t>(std::count(matches.begin(), matches.end(), true));
            });
        }
    }
    return 0;
}
