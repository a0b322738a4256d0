// SPDX-License-Identifier: GPL-3.0-or-later
// The arguments of a record, whatever stands there: each value that is told is valid JSON.
#include "core/base/error.h"
#include "core/import/import.h"
#include "core/trace/args.h"

#include <simdjson.h>

#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size)
{
    const std::string text = "[{\"ph\":\"X\",\"ts\":1,\"args\":" + std::string(reinterpret_cast<const char *>(data), size) + "},{}]";
    try {
        const auto trace = ks::importText(text, {}, ks::ImportOptions{std::size_t{1} << 20U, 1});
        simdjson::dom::parser parser;
        for (std::size_t i = 0; i < trace->eventCount(); ++i) {
            for (const ks::Arg &arg : ks::parseArgs(*trace, static_cast<ks::EventId>(i))) {
                const std::string json = "[" + arg.json + "]";
                const simdjson::error_code error = parser.parse(json).error();
                // Numbers out of the range of a double are still told digit by digit.
                if (error != simdjson::SUCCESS && error != simdjson::NUMBER_ERROR) {
                    std::fprintf(stderr, "%s: %s\n", json.c_str(), simdjson::error_message(error));
                    std::abort();
                }
                (void)ks::argText(arg.json);
            }
        }
    } catch (const ks::ImportError &) {
    }
    return 0;
}
