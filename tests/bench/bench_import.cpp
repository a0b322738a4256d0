// SPDX-License-Identifier: GPL-3.0-or-later
// How fast is loading, beside what this machine can do at all? Prints ratios against a bound measured in the same run:
// pread of the page-cached file into a reused buffer and simdjson's stage 1 over slices cut between records.
//   bench_import FILE [runs]
// Of a packed file, also beside unpacking alone.
//   bench_import --memory FILE     one load, the peak of memory as the kernel counts it and what stays
//   bench_import --cancel FILE     how long it takes to stop, from forty places of the load
//   bench_import --damage FILE     two damaged spots per megabyte: what is lost, what it costs
#include "core/base/byte_source.h"
#include "core/import/block_reader.h"
#include "core/import/event_scanner.h"
#include "core/import/import.h"
#include "core/import/scan_file.h"
#include "core/view/level_of_detail.h"
#include "tests/support/damage.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <malloc.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

namespace {

double secondsOf(clockid_t clock)
{
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double cpuSeconds()
{
    return secondsOf(CLOCK_PROCESS_CPUTIME_ID);
}

double wallSeconds()
{
    return secondsOf(CLOCK_MONOTONIC);
}

// What the kernel does for this process, mostly giving it memory: what varies most between runs.
double kernelSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_stime.tv_sec) + static_cast<double>(usage.ru_stime.tv_usec) * 1e-6;
}

struct Cost
{
    double cpu = 0;
    double wall = 0;
    double kernel = 0;
};

// Of each work the least by CPU time: it is the same every time, what comes on top is the machine's (it may be ten times slower to hand out memory
// it has not at hand). In turn, so that all meet the machine in the same state: its speed changes within seconds.
template<std::size_t Count>
std::array<Cost, Count> measureInTurn(int runs, const std::array<std::function<void()>, Count> &works)
{
    std::array<Cost, Count> least;
    for (int i = 0; i < runs; ++i) {
        for (std::size_t w = 0; w < Count; ++w) {
            const double cpu = cpuSeconds();
            const double wall = wallSeconds();
            const double kernel = kernelSeconds();
            works[w]();
            const Cost cost = {cpuSeconds() - cpu, wallSeconds() - wall, kernelSeconds() - kernel};
            if (i == 0 || cost.cpu < least[w].cpu)
                least[w] = cost;
        }
    }
    return least;
}

// How much of the CPU time of `work` passes while only this thread can run, so that no further worker makes it shorter. Watched once in half a
// millisecond: a thread counts as working when it runs or waits for a core.
double serialSeconds(const std::function<void()> &work)
{
    const pid_t worker = gettid();
    clockid_t workerClock{};
    pthread_getcpuclockid(pthread_self(), &workerClock);
    double alone = 0;
    {
        const std::jthread watcher([&](const std::stop_token &stop) {
            const pid_t self = gettid();
            double before = secondsOf(workerClock);
            while (!stop.stop_requested()) {
                std::this_thread::sleep_for(std::chrono::microseconds(500));
                bool isShared = false;
                std::error_code error;
                for (const auto &task : std::filesystem::directory_iterator("/proc/self/task", error)) {
                    const pid_t id = std::atoi(task.path().filename().c_str());
                    std::string line;
                    std::getline(std::ifstream(task.path() / "stat"), line);
                    const std::size_t name = line.rfind(") ");
                    isShared |= id != worker && id != self && name != std::string::npos && line[name + 2] == 'R';
                }
                const double now = secondsOf(workerClock);
                alone += isShared ? 0 : now - before;
                before = now;
            }
        });
        work();
    }
    return alone;
}

double peakMegabytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

// What is in memory now, after the runtime gave back what it can.
double residentMegabytes()
{
    malloc_trim(0);
    unsigned long long whole = 0;
    unsigned long long resident = 0;
    std::ifstream("/proc/self/statm") >> whole >> resident;
    return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1048576;
}

std::vector<ks::LevelOfDetail::Entry> allPyramids(const ks::Trace &trace)
{
    std::vector<ks::RowId> rows;
    for (std::size_t row = 0; row < trace.rows().size(); ++row)
        rows.push_back(static_cast<ks::RowId>(row));
    return ks::buildPyramids(trace, rows, ks::EventColours(), {}, {});
}

void readAndIndex(const ks::ByteSource &source)
{
    std::unique_ptr<simdjson::internal::dom_parser_implementation> parser;
    const std::size_t capacity = std::size_t{4} << 20U;
    if (simdjson::get_active_implementation()->create_dom_parser_implementation(capacity, 1024, parser)
        != simdjson::SUCCESS)
        return;
    const auto stream = source.open();
    ks::BlockReader reader(*stream, std::size_t{1} << 20U, {}, 0);
    ks::FileBlock block;
    while (reader.next(block)) {
        const auto *text = reinterpret_cast<const std::uint8_t *>(block.text.text().data());
        if (parser->stage1(text, block.limit, simdjson::stage1_mode::regular) == simdjson::CAPACITY)
            std::puts("  (a block was too large)");
    }
}

void onDemandPass(const std::string &path)
{
    simdjson::ondemand::parser parser;
    const auto json = simdjson::padded_string::load(path);
    if (json.error() != simdjson::SUCCESS)
        return;
    simdjson::ondemand::document document;
    if (parser.iterate(json.value_unsafe()).get(document) != simdjson::SUCCESS)
        return;
    std::size_t bytes = 0;
    simdjson::ondemand::array events;
    if (document["traceEvents"].get(events) != simdjson::SUCCESS)
        return;
    for (auto element : events) {
        simdjson::ondemand::object object;
        if (element.get(object) != simdjson::SUCCESS)
            continue;
        for (auto field : object) {
            std::string_view key;
            simdjson::ondemand::value value;
            if (field.unescaped_key().get(key) == simdjson::SUCCESS && field.value().get(value) == simdjson::SUCCESS)
                bytes += key.size() + value.raw_json_token().size();
        }
    }
    if (bytes == 0)
        std::puts("  (nothing read)");
}

void unpack(const ks::ByteSource &source)
{
    std::vector<char> buffer(std::size_t{1} << 20U);
    const auto stream = source.open();
    while (stream->read(buffer) != 0) {}
}

int showMemory(const std::string &path)
{
    const double megabytesBefore = residentMegabytes();
    const double before = wallSeconds();
    const auto trace = ks::importTrace(path);
    const double records = static_cast<double>(std::max<std::uint64_t>(trace->metadata().records, 1));
    std::printf("%.3f GB of JSON, %.0f records, %zu events: %.2f s of wall\n",
                static_cast<double>(trace->metadata().jsonBytes) * 1e-9, records, trace->eventCount(),
                wallSeconds() - before);
    std::printf("peak of memory %.0f MiB = %.1f B per record beyond 30 MB\n", peakMegabytes(),
                std::max(0.0, (peakMegabytes() * 1048576 - 30e6) / records));
    const auto line = [&](const char *what) {
        const double megabytes = residentMegabytes() - megabytesBefore;
        std::printf("%s %.0f MiB = %.1f B per record\n", what, megabytes, megabytes * 1048576 / records);
    };
    line("after loading");
    const auto pyramids = allPyramids(*trace);
    line("with pyramids of all long rows");
    return 0;
}

int showCancel(const std::string &path)
{
    const double begin = wallSeconds();
    ks::importTrace(path);
    const double whole = wallSeconds() - begin;
    constexpr int kPlaces = 40;
    struct Stop
    {
        double wall;
        double cpu; // of all threads: what a busy machine does not change
        double at;
    };
    std::vector<Stop> stops;
    for (int place = 0; place < kPlaces; ++place) {
        std::stop_source stop;
        std::atomic<bool> isCancelled{false};
        std::jthread worker([&] {
            try {
                ks::importTrace(path, ks::Progress(stop.get_token(), {}));
            } catch (const ks::Cancelled &) {
                isCancelled = true;
            }
        });
        const double at = whole * place / kPlaces;
        std::this_thread::sleep_for(std::chrono::duration<double>(at));
        const double wall = wallSeconds();
        const double cpu = cpuSeconds();
        stop.request_stop();
        worker.join();
        if (isCancelled)
            stops.push_back({wallSeconds() - wall, cpuSeconds() - cpu, at});
    }
    if (stops.empty()) {
        std::puts("it was never stopped in time");
        return 1;
    }
    std::sort(stops.begin(), stops.end(), [](const Stop &a, const Stop &b) { return a.cpu < b.cpu; });
    const Stop &median = stops[stops.size() / 2];
    const Stop &last = stops.back();
    std::printf("load %.2f s, stopped %zu times: median %.1f ms of cpu (%.1f ms of wall), most %.1f ms (%.1f ms of "
                "wall), %.2f s after the start\n",
                whole, stops.size(), 1e3 * median.cpu, 1e3 * median.wall, 1e3 * last.cpu, 1e3 * last.wall, last.at);
    return 0;
}

int showDamage(const std::string &path)
{
    std::string text;
    const auto source = ks::openSource(path);
    const auto stream = source->open();
    for (std::size_t size = 0;; text.resize(size)) {
        text.resize(size + (std::size_t{1} << 24U));
        const std::size_t got = stream->read(std::span(text).subspan(size));
        size += got;
        if (got == 0) {
            text.resize(size);
            break;
        }
    }
    std::uint64_t records = 0;
    const auto cost = [&](const std::string &of) {
        std::string copy;
        double least = 1e9;
        for (int i = 0; i < 3; ++i) {
            copy = of;
            const double before = cpuSeconds();
            records = ks::importText(std::move(copy), {}, {.workers = 1})->metadata().records;
            least = std::min(least, cpuSeconds() - before);
        }
        return least;
    };
    const double whole = cost(text);
    const std::uint64_t before = records;
    std::mt19937_64 random(1);
    const std::size_t spots = ks::damageText(text, random, text.size() / 500'000).size();
    const double damaged = cost(text);
    const double lost = static_cast<double>(before) - static_cast<double>(records);
    // Each spot may cost the record it lies in; what is lost beyond that was intact.
    std::printf("%zu spots, %llu records: %.0f lost, %.4f %% of the intact survive; cpu %.3f s -> %.3f s (%+.1f %%)\n",
                spots, static_cast<unsigned long long>(before), lost,
                100 - 100 * std::max(0.0, lost - static_cast<double>(spots)) / static_cast<double>(before), whole,
                damaged, 100 * (damaged / whole - 1));
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    const std::string option = argc > 1 ? argv[1] : "";
    if (argc < 2 || (option.starts_with("--") && argc < 3)) {
        std::puts("usage: bench_import FILE [runs] | --memory FILE | --cancel FILE | --damage FILE");
        return 2;
    }
    if (option == "--memory")
        return showMemory(argv[2]);
    if (option == "--cancel")
        return showCancel(argv[2]);
    if (option == "--damage")
        return showDamage(argv[2]);
    const std::string path = argv[1];
    const int runs = argc > 2 ? std::max(1, std::atoi(argv[2])) : 5;
    const auto source = ks::openSource(path);
    double gigabytes = 0;
    std::uint64_t records = 0;
    double peak = 0;
    {
        const auto trace = ks::importTrace(path, {}, {.workers = 1}); // also brings the file into the page cache
        gigabytes = static_cast<double>(trace->metadata().jsonBytes) * 1e-9;
        records = trace->metadata().records;
        peak = peakMegabytes();
    }
    std::printf("%s: %.3f GB of JSON, %llu records\n", path.c_str(), gigabytes,
                static_cast<unsigned long long>(records));
    std::printf("peak memory of one load: %.0f MB = %.1f B per record beyond 30 MB\n", peak,
                std::max(0.0, (peak - 30) * 1048576 / static_cast<double>(std::max<std::uint64_t>(records, 1))));

    const ks::Progress quiet;
    const auto [bound, scan, one, two] = measureInTurn<4>(
        runs, {[&] { readAndIndex(*source); }, [&] { ks::scanFile(*source, std::size_t{1} << 20U, 1, quiet); },
               [&] { ks::importTrace(path, {}, {.workers = 1}); }, [&] { ks::importTrace(path, {}, {.workers = 2}); }});
    const double boundCpu = bound.cpu;
    const auto line = [&](const char *what, const Cost &cost) {
        std::printf("%-46s cpu %6.3f s (kernel %5.3f)  wall %6.3f s  %5.2f GB/s of cpu  %5.1f %% of the bound\n", what,
                    cost.cpu, cost.kernel, cost.wall, gigabytes / cost.cpu, 100 * boundCpu / cost.cpu);
    };
    line("bound: read + simdjson stage 1", bound);
    line("scan into columns, one worker", scan);
    line("ready to paint, one worker", one);
    line("ready to paint, two workers", two);
    std::printf("wall of two workers / one: %.2f\n", two.wall / one.wall);
    double serial = one.cpu;
    for (int i = 0; i < runs; ++i)
        serial = std::min(serial, serialSeconds([&] { ks::importTrace(path, {}, {.workers = 2}); }));
    std::printf("of the cpu of one worker, what two cannot share: %.3f s = %.1f %%\n", serial, 100 * serial / one.cpu);
    if (source->container() != ks::Container::Plain) {
        const auto [alone] = measureInTurn<1>(runs, {[&] { unpack(*ks::openSource(path)); }});
        line("unpacking alone", alone);
        std::printf("speed of loading / of unpacking alone: %.0f %% with two workers, %.0f %% with one (wall)\n",
                    100 * alone.wall / two.wall, 100 * alone.wall / one.wall);
    } else {
        const auto [whole] = measureInTurn<1>(1, {[&] { onDemandPass(path); }});
        line("simdjson on demand, whole document, no columns", whole);
        std::printf("cpu of loading / on-demand pass: %.2f\n", one.cpu / whole.cpu);
    }
    return 0;
}
