// SPDX-License-Identifier: GPL-3.0-or-later
// Builds small traces in code, as the JSON text Kineto would write, so that a test shows its input beside what it
// expects:
//
//   const auto trace = TraceMaker().step(3, 0, 100).op("aten::mm", 10, 30).launch("cudaLaunchKernel", 15, 5, 7)
//                          .kernel("gemm", 40, 20, 7, 7).build();
//
// Times are microseconds with up to three decimals (whole nanoseconds). Records are written in the order of the calls,
// so the n-th slice is the event of file index n. Host records go to the current thread (pid 100, tid 100 until
// thread() is called), device records to (device, stream). `args` are further members as JSON text: R"("Sequence
// number":3)".
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ks {

class Trace;

class TraceMaker {
public:
    TraceMaker();

    // Where host records go from here on. A name writes a thread_name row, a process name a process_name row.
    TraceMaker &thread(std::int64_t tid, std::string_view name = {});
    TraceMaker &process(std::int64_t pid, std::string_view name = {}, std::string_view labels = {});

    // Host slices
    TraceMaker &op(std::string_view name, double beginUs, double durationUs, std::string_view args = {});
    TraceMaker &annotation(std::string_view name, double beginUs, double durationUs, std::string_view args = {});
    TraceMaker &step(std::int64_t number, double beginUs, double durationUs); // annotation ProfilerStep#number
    TraceMaker &python(std::string_view name, double beginUs, double durationUs, std::int64_t id = -1,
                       std::int64_t parent = -1);
    TraceMaker &launch(std::string_view name, double beginUs, double durationUs, std::uint64_t correlation,
                       std::string_view args = {});

    // Device slices; correlation 0 writes none
    TraceMaker &kernel(std::string_view name, double beginUs, double durationUs, std::int64_t stream,
                       std::uint64_t correlation, std::int64_t device = 0, std::string_view args = {});
    TraceMaker &memcpy(std::string_view name, double beginUs, double durationUs, std::int64_t stream,
                       std::uint64_t correlation, std::int64_t device = 0, std::string_view args = {});
    TraceMaker &memset(std::string_view name, double beginUs, double durationUs, std::int64_t stream,
                       std::uint64_t correlation, std::int64_t device = 0, std::string_view args = {});
    TraceMaker &gpuAnnotation(std::string_view name, double beginUs, double durationUs, std::int64_t stream,
                              std::int64_t device = 0);

    // Any slice, on any lane
    TraceMaker &slice(std::string_view category, std::string_view name, double beginUs, double durationUs,
                      std::int64_t pid, std::int64_t tid, std::string_view args = {});

    // `[memory]`: + allocates, - frees; device -1 is the CPU. total: `Total Allocated` after it, negative = not told
    TraceMaker &memory(double atUs, std::int64_t bytes, std::uint64_t address, std::int64_t total = -1,
                       std::int64_t device = -1, std::int64_t reserved = -1);
    TraceMaker &outOfMemory(double atUs, std::int64_t bytes, std::int64_t device = 0);

    // A flow of two records on host or device lanes of the current process
    TraceMaker &flow(std::string_view category, std::uint64_t id, double fromUs, std::int64_t fromTid, double toUs,
                     std::int64_t toTid);
    TraceMaker &flowRecord(char phase, std::string_view category, std::uint64_t id, double atUs, std::int64_t pid,
                           std::int64_t tid); // 's', 't' or 'f'

    TraceMaker &counter(std::string_view name, double atUs, std::string_view args); // args: R"("AIC":3)"
    TraceMaker &instant(std::string_view name, double atUs, std::string_view scope = "t");
    TraceMaker &raw(std::string_view record); // a record as JSON text

    // A key beside traceEvents; `value` is JSON text.
    TraceMaker &metadata(std::string_view key, std::string_view value);
    TraceMaker &rank(std::int64_t rank, std::int64_t worldSize);
    TraceMaker &device(std::int64_t id, std::string_view name, std::int64_t multiprocessors = 108);

    std::string json() const;
    std::shared_ptr<const Trace> build() const; // importText(json())

private:
    std::string m_top;
    std::string m_devices;
    std::vector<std::string> m_records;
    std::int64_t m_pid = 100;
    std::int64_t m_tid = 100;
};

} // namespace ks
