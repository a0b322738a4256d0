// SPDX-License-Identifier: GPL-3.0-or-later
// The facts behind "why did this run?", as data; the window and the command line make the sentences.
// Nothing is guessed: a link that does not exist has its reason.
#pragma once

#include "core/analysis/chain.h"
#include "core/base/progress.h"
#include "core/trace/args.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ks {

// Why device work has no launch.
enum class MissingLaunch : std::uint8_t {
    None,            // there is one (or it is no device work)
    NoCpuEvents,     // the file has no launches at all
    NoCorrelation,   // the record tells no correlation id, or 0
    BeforeRecording, // its id is smaller than that of every launch in the file
    Graph,           // it is a node of a graph whose launch is not in the file
    NotRecorded,     // an id nobody has
};

// Why device work or a launch has no operator.
enum class MissingOperator : std::uint8_t {
    None,
    NoLaunch,      // not even its launch is known
    NoOperators,   // the file has no operators at all
    NothingAround, // no operator encloses the launch
};

// Its place among the work of one launch, where that is more than one piece.
struct LaunchGroup
{
    bool isGraph = false; // a graph replay, else one call that was split
    std::size_t node = 1; // by begin, from 1
    std::size_t nodes = 1;
    std::size_t replay = 1; // of the calls of this name that have as many nodes, by begin, from 1
    std::size_t replays = 1;
};

struct Why
{
    std::vector<ChainLink> chain; // outermost first, ending with the event
    EventId launch = kNoEvent;    // of device work
    EventId op = kNoEvent;        // that launched it; of a host event the operator around it
    LinkVia via = LinkVia::None;
    MissingLaunch missingLaunch = MissingLaunch::None;
    MissingOperator missingOperator = MissingOperator::None;

    std::optional<TimeNs> sinceOperator; // from the begin of the operator to the begin of the launch
    std::optional<TimeNs> waited; // from the end of the launch call to the begin of the work; 0 if it began earlier
    std::size_t queuedBefore =
        0; // kernels and copies of the stream not finished when the launch call ended, that ran first
    std::size_t queuedCopies = 0; // copies and memsets among them
    std::optional<LaunchGroup> group;

    // Of backward work.
    EventId forwardOp = kNoEvent;
    EventId forwardModule = kNoEvent;
    EventId forwardPython = kNoEvent; // the innermost frame of the user's own code, else the innermost of all

    std::string kernelFile;     // of a Triton kernel, as the file tells it
    std::string collective;     // "all_reduce · bf16 · 64.0 MiB · dp"
    std::string inputs;         // of `op`: "[32,64] × [64,64] bf16"
    bool sourceChanged = false; // the last three could not be read
};

// `args`: those of the event, if the caller has them already. Cost: depth of the nesting, the queue, up to three argument reads;
// one pass over the device work only if its launch is missing.
Why whyOf(const Trace &trace, EventId event, const Args *args = nullptr);

// Does this python frame belong to the user's own code, as far as its path tells: no builtin, nothing below torch/, site-packages/
// or python's own library?
bool isOwnFrame(std::string_view pythonName);

// Is this a launch of a whole graph (cudaGraphLaunch, hipGraphLaunch …)?
bool isGraphLaunch(std::string_view name);

// How the duration of an event compares with all events of its name and kind.
struct DurationRank
{
    std::size_t calls = 0;
    std::size_t shorter = 0;
    std::size_t equal = 0; // itself included
    TimeNs minimum = 0;
    TimeNs median = 0;
    TimeNs maximum = 0;
    TimeNs total = 0;
    std::vector<std::uint32_t> bins; // calls per 1/bins.size() of [minimum, maximum]; empty if all are equal
    std::size_t ownBin = 0;

    // 0 … 100: share of the calls that are shorter, those of equal duration counting half.
    int percentile() const;
};

// Cost: one pass over the names (about 10 ms per 10 M events). Throws Cancelled.
DurationRank rankDuration(const Trace &trace, EventId event, const Progress &progress = {});

} // namespace ks
