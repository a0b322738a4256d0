// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes either open or throw ImportError; what opens keeps the invariants of a Trace, and neither the size of the
// blocks nor the number of workers changes it.
#include "core/import/import.h"
#include "core/trace/args.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

void require(bool condition, const char *what)
{
    if (condition)
        return;
    std::fprintf(stderr, "fuzz_import: %s\n", what);
    std::abort();
}

std::shared_ptr<const ks::Trace> open(const std::string &text, std::size_t blockBytes, unsigned workers)
{
    try {
        return ks::importText(text, {}, ks::ImportOptions{blockBytes, workers});
    } catch (const ks::ImportError &) {
        return nullptr;
    }
}

void checkInvariants(const ks::Trace &trace)
{
    for (std::size_t i = 0; i < trace.eventCount(); ++i) {
        const auto id = static_cast<ks::EventId>(i);
        require(trace.duration(id) >= 0, "a duration is negative");
        require(trace.eventAtFileIndex(trace.fileIndex(id)) == id, "the file order is no permutation");
        if (const ks::EventId parent = trace.parent(id); parent != ks::kNoEvent) {
            require(trace.lane(parent) == trace.lane(id), "a parent is on another lane");
            require(trace.begin(parent) <= trace.begin(id), "a parent begins after its child");
        }
    }
    for (const ks::Row &row : trace.rows()) {
        for (std::size_t i = index(row.firstEvent) + 1; i < index(row.endEvent); ++i) {
            const auto id = static_cast<ks::EventId>(i);
            const auto before = static_cast<ks::EventId>(i - 1);
            require(trace.begin(before) <= trace.begin(id), "a row is not sorted");
            require(trace.end(before) <= trace.begin(id), "events of a row overlap");
        }
    }
}

void checkEqual(const ks::Trace &a, const ks::Trace &b)
{
    require(a.eventCount() == b.eventCount(), "the number of events depends on the blocks");
    require(a.lanes().size() == b.lanes().size(), "the number of lanes depends on the blocks");
    require(a.range().begin == b.range().begin && a.range().end == b.range().end, "the range depends on the blocks");
    for (std::size_t i = 0; i < a.eventCount(); ++i) {
        const auto id = static_cast<ks::EventId>(i);
        require(a.begin(id) == b.begin(id) && a.duration(id) == b.duration(id) && a.name(id) == b.name(id)
                    && a.parent(id) == b.parent(id) && a.recordOffset(id) == b.recordOffset(id),
                "an event depends on the blocks");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char *>(data), size);
    const auto whole = open(text, std::size_t{1} << 20U, 1);
    const auto pieces = open(text, 64, 2);
    require(!whole == !pieces, "whether it opens depends on the blocks");
    if (!whole)
        return 0;
    checkInvariants(*whole);
    checkEqual(*whole, *pieces);
    for (std::size_t i = 0; i < whole->eventCount() && i < 64; ++i)
        (void)ks::parseArgs(*whole, static_cast<ks::EventId>(i));
    return 0;
}
