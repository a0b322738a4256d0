// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes either open or throw ImportError; what opens keeps the invariants of a Trace, and neither the size of the
// blocks nor the number of workers changes it.
#include "core/import/import.h"
#include "core/trace/args.h"
#include "tests/support/trace_check.h"
#include "tests/support/trace_dump.h"

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

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char *>(data), size);
    const auto whole = open(text, std::size_t{1} << 20U, 1);
    const auto pieces = open(text, 64, 2);
    require(!whole == !pieces, "whether it opens depends on the blocks");
    if (!whole)
        return 0;
    const std::string fault = ks::traceFault(*whole);
    require(fault.empty(), fault.c_str());
    const std::string difference = ks::firstDifference(ks::dumpTrace(*whole), ks::dumpTrace(*pieces));
    require(difference.empty(), difference.c_str());
    for (std::size_t i = 0; i < whole->eventCount() && i < 64; ++i)
        (void)ks::parseArgs(*whole, static_cast<ks::EventId>(i));
    return 0;
}
