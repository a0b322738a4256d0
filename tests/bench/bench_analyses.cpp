// SPDX-License-Identifier: GPL-3.0-or-later
// What the analyses cost after loading: bench_analyses [--events N] [--only TEXT] [TRACE...]
//
// Without traces of a random training run of N events (default 1 M) with device work, modules, shapes and memory.
// Prints CPU milliseconds of one thread and the ratio to one pass over the columns of events: of the first time, which
// reads arguments and builds what is kept with the trace, and of the next ones (the least of five). Then the time for
// ranges: the worst of some. --only: those lines whose name starts with the text, and no ranges.
#include "core/analysis/analysis.h"
#include "core/analysis/event_list.h"
#include "core/analysis/filter.h"
#include "core/import/import.h"
#include "core/trace/busy_intervals.h"
#include "tests/support/random_run.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <random>
#include <string>

using namespace ks;

namespace {

double cpuMilliseconds()
{
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

double timeOf(const std::function<std::size_t()> &work, std::size_t &result)
{
    const double start = cpuMilliseconds();
    result = work();
    return cpuMilliseconds() - start;
}

class Bench
{
public:
    Bench(std::vector<RankTrace> traces, std::string_view only)
        : m_traces(std::move(traces))
        , m_trace(*m_traces.front().trace)
        , m_only(only)
    {
        std::size_t sum = 0;
        m_pass = 1e12;
        for (int i = 0; i < 5; ++i)
            m_pass = std::min(m_pass, timeOf([this] { return passOverColumns(); }, sum));
        std::printf("%zu events, %zu pieces of device work, %zu memory records; one pass over the columns: %.2f ms\n",
                    m_trace.eventCount(), m_trace.links().ofWork.size(), m_trace.memory().size(), m_pass);
    }

    void measure(const std::string &what, const std::function<std::size_t()> &work) const
    {
        if (!what.starts_with(m_only))
            return;
        std::size_t result = 0;
        const double first = timeOf(work, result);
        double again = 1e12;
        for (int i = 0; i < 5; ++i)
            again = std::min(again, timeOf(work, result));
        std::printf("  %-36s first %9.2f ms %7.1fx   then %9.2f ms %7.1fx %10zu rows\n", what.c_str(), first,
                    first / m_pass, again, again / m_pass, result);
    }

    void measureAll() const
    {
        for (const Analysis &analysis : analyses()) {
            measureWith(analysis, AnalysisOptions(analysis), std::string(analysis.id));
            for (const AnalysisOption &option : analysis.options) {
                const auto with = [&](std::string_view value) {
                    AnalysisOptions options(analysis);
                    options.set(option.id, std::string(value));
                    measureWith(analysis, options,
                                std::string(analysis.id) + ' ' + std::string(option.id) + '=' + std::string(value));
                };
                if (option.kind == AnalysisOption::Kind::Flag)
                    with("true");
                for (std::size_t i = 1; i < option.choices.size(); ++i)
                    with(option.choices[i].id);
            }
        }
        for (const char *text :
             {"gemm", "dur > 100us and kind == kernel", "op:addmm", "op:addmm kind:kernel", "not lane:stream"}) {
            const Filter filter = Filter::parse(text);
            measure(std::string("filter ") + text, [&] { return filter.matches(m_trace).count(); });
        }
    }

    // The list of all events: made, then sorted by each column.
    void measureEventList() const
    {
        const std::vector<std::vector<Step>> steps = {{m_trace.steps().begin(), m_trace.steps().end()}};
        measure("event list", [&] { return listEvents(m_traces, {}, steps).size(); });
        const EventList list = listEvents(m_traces, {}, steps);
        constexpr std::array kNames = {"name", "category", "lane",     "start", "duration",
                                       "self", "step",     "operator", "module"};
        static_assert(kNames.size() == kEventColumns);
        for (std::size_t column = 0; column < kEventColumns; ++column)
            measure(std::string("event list by ") + kNames[column],
                    [&] { return sortedPositions(list, static_cast<EventColumn>(column), false).size(); });
    }

    // Random ranges of that share of the trace.
    void measureRanges(std::string_view id, double share, int count) const
    {
        const Analysis &analysis = *findAnalysis(id);
        std::mt19937_64 random(1);
        const TimeRange all = m_trace.range();
        const auto length = static_cast<TimeNs>(static_cast<double>(all.duration()) * share);
        double worst = 0;
        double sum = 0;
        std::size_t rows = 0;
        for (int i = 0; i < count; ++i) {
            const auto room = static_cast<std::uint64_t>(all.duration() - length + 1);
            const TimeNs begin = all.begin + static_cast<TimeNs>(random() % room);
            Scope scope;
            scope.parts.push_back({&m_trace, TimeRange{begin, begin + length}, {}});
            const AnalysisOptions options(analysis);
            const double time = timeOf([&] { return analysis.run({m_traces, scope, options}).rowCount(); }, rows);
            worst = std::max(worst, time);
            sum += time;
        }
        std::printf("  %-12s of %5.1f %% of the time, %4d ranges: mean %9.3f ms, worst %9.3f ms %7.2fx\n",
                    std::string(id).c_str(), share * 100, count, sum / count, worst, worst / m_pass);
    }

private:
    std::size_t passOverColumns() const
    {
        const EventTable &events = m_trace.events();
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < events.size(); ++i)
            sum += static_cast<std::uint64_t>(events.begin[i]) + events.duration[i] + index(events.name[i])
                   + index(events.category[i]);
        return sum;
    }

    void measureWith(const Analysis &analysis, const AnalysisOptions &options, const std::string &what) const
    {
        measure(what, [&] {
            const std::span<const RankTrace> baseline = analysis.isComparison ? m_traces : std::span<const RankTrace>();
            return analysis.run({m_traces, {}, options, baseline}).rowCount();
        });
    }

    std::vector<RankTrace> m_traces;
    const Trace &m_trace;
    std::string_view m_only;
    double m_pass = 0;
};

std::shared_ptr<const Trace> randomTrace(std::size_t events)
{
    constexpr std::size_t kEventsPerOperator = 4; // about
    constexpr int kSteps = 50;
    std::mt19937_64 random(7);
    RandomRun run;
    run.steps = kSteps;
    run.operatorsPerStep =
        static_cast<int>(events / kEventsPerOperator / kSteps / static_cast<std::size_t>(run.threads));
    return importText(randomRun(random, run).json());
}

void runAll(std::shared_ptr<const Trace> trace, std::string_view only)
{
    const Bench bench({{std::move(trace), 0}}, only);
    bench.measureAll();
    bench.measureEventList();
    if (!only.empty())
        return;
    for (const double share : {1.0, 0.5, 0.1, 0.001}) {
        bench.measureRanges("operators", share, 8);
        bench.measureRanges("kernels", share, 8);
        bench.measureRanges("breakdown", share, 1000);
    }
}

} // namespace

int main(int argc, char **argv)
{
    std::size_t events = 1'000'000;
    std::string_view only;
    bool hasTraces = false;
    for (int i = 1; i < argc; ++i) {
        if (std::string_view(argv[i]) == "--events" && i + 1 < argc) {
            events = std::strtoull(argv[++i], nullptr, 10);
            continue;
        }
        if (std::string_view(argv[i]) == "--only" && i + 1 < argc) {
            only = argv[++i];
            continue;
        }
        hasTraces = true;
        std::printf("%s: ", argv[i]);
        runAll(importTrace(argv[i]), only);
    }
    if (!hasTraces)
        runAll(randomTrace(events), only);
    return 0;
}
