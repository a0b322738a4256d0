// SPDX-License-Identifier: GPL-3.0-or-later
// The scanner of records against simdjson: whatever is valid JSON, both must read alike; whatever is not, the scanner must survive, alone and in
// two pieces.
#include "core/import/event_scanner.h"
#include "core/import/padded_buffer.h"
#include "tests/support/scan_oracle.h"

#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size)
{
    const std::string array = "[" + std::string(reinterpret_cast<const char *>(data), size);
    if (const auto expected = ks::dumpBySimdjson(array)) {
        const std::string found = ks::dumpByScanner(array);
        if (found != *expected) {
            std::fprintf(stderr, "simdjson:\n%s\nscanner:\n%s\n", expected->c_str(), found.c_str());
            std::abort();
        }
        return 0;
    }
    ks::PaddedBuffer text;
    text.assign(std::string_view(array).substr(1));
    for (const bool isLast : {false, true}) {
        ks::LocalTables tables;
        ks::EventBatch batch;
        ks::EventScanner scanner(tables, batch);
        scanner.setPatience(isLast ? ks::EventScanner::kNoPatience : size * 4);
        const ks::ScanStop stop = scanner.scan(text.text(), 0, size, isLast);
        if (stop.at > size) {
            std::fprintf(stderr, "the scanner went beyond the end\n");
            std::abort();
        }
        for (const ks::RawEvent &event : batch.events) {
            if (event.offset >= size || array[event.offset + 1] != '{')
                std::abort();
        }
    }
    return 0;
}
