// SPDX-License-Identifier: GPL-3.0-or-later
// What fills a stretch of time, each nanosecond counted once: seen from a device, or from the thread that runs the step
// where nothing was recorded of a device.
//
// Of a device: while any kernel computes, the one that began first; else communication; else copies and memory work;
// else idle. Idle time goes by what the next piece of work waited for: until its launch begins a call that waits for
// the device, the loader of data, or what else the host did; then the launch itself. Of a thread: self times of calls.
#pragma once

#include "core/analysis/scope.h"
#include "core/base/hash.h"
#include "core/base/progress.h"
#include "core/trace/trace.h"

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>

namespace ks {

enum class StepPart : std::uint8_t { Kernels, Communication, Copies, Idle, Host };
std::string_view stepPartId(StepPart part); // "kernels", "communication" …

struct PartKey
{
    StepPart part = StepPart::Kernels;
    std::string name; // family of kernels; kernel; cause of idle time; name of the call
    std::string op;   // of kernels: the operator that launched it, "" if none did
    friend auto operator<=>(const PartKey &, const PartKey &) = default;
};

struct PartTime
{
    TimeNs sum = 0;
    TimeRange longest;        // the longest piece of it
    EventId event = kNoEvent; // what runs in it; of idle time what ends it

    void add(TimeRange piece, EventId of);
    void show(TimeRange piece, EventId of); // if it is longer than what was shown so far
};

using PartTimes = std::map<PartKey, PartTime>; // adds up to the length of the stretch, or a multiple of it

// Adds up the parts of any number of stretches, of any number of traces, which must stay.
class StepParts
{
public:
    StepParts();
    StepParts(StepParts &&) noexcept;
    ~StepParts();

    // The parts of the stretch on each device of the trace; returns how many devices there are. The first stretch of a
    // trace looks at all its device work, the next ones at what lies in them.
    std::size_t addDevices(const Trace &trace, TimeRange stretch, const Progress &progress = {});
    // On one thread: self times of its calls, and "outside operators".
    void addHost(const Trace &trace, LaneId lane, TimeRange stretch);

    const PartTimes &times() const { return m_times; }

private:
    struct Devices; // of one trace
    class Sweep;
    struct NamedKey
    {
        StepPart part;
        NameId name;
        NameId op;
        friend bool operator==(const NamedKey &, const NamedKey &) = default;
    };
    struct NamedKeyHash
    {
        std::size_t operator()(const NamedKey &key) const
        {
            return foldMultiply((std::uint64_t{index(key.name)} << 32U) | index(key.op),
                                0x9e3779b97f4a7c15ULL + static_cast<std::uint64_t>(key.part));
        }
    };

    Devices &devicesOf(const Trace &trace, const Progress &progress);
    PartTime &part(StepPart part, NameId name, NameId op = kNoName);
    NameId familyOf(NameId kernel);

    PartTimes m_times;
    // Texts are put together and looked up once for each combination of names.
    std::unordered_map<NamedKey, PartTime *, NamedKeyHash> m_known; // entries of m_times stay where they are
    std::unordered_map<NameId, NameId> m_families;
    std::map<const Trace *, std::unique_ptr<Devices>> m_devices;
};

} // namespace ks
