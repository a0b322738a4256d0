// SPDX-License-Identifier: GPL-3.0-or-later
// The keys around the records: found or refused, and every beginning of a text asks for more, says the same or refuses.
#include "core/base/error.h"
#include "core/import/padded_buffer.h"
#include "core/import/trace_header.h"

#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size)
{
    const std::string_view bytes(reinterpret_cast<const char *>(data), size);
    ks::PaddedBuffer text;
    text.assign(bytes);
    ks::TopLevelKeys tail;
    const std::size_t behind = ks::parseTail(text.text(), 0, tail);
    if (behind != std::string_view::npos && behind > size)
        std::abort();
    ks::Metadata metadata;
    ks::applyKeys(tail, metadata);
    try {
        ks::TraceHead head;
        if (ks::parseHead(text.text(), true, head) != ks::HeadResult::Records || head.recordsBegin > size)
            std::abort();
        ks::applyKeys(head.keys, metadata);
        // A part that is enough to find the records finds them at the same place.
        text.assign(bytes.substr(0, head.recordsBegin));
        ks::TraceHead part;
        if (ks::parseHead(text.text(), false, part) == ks::HeadResult::Records && part.recordsBegin > head.recordsBegin)
            std::abort();
    } catch (const ks::ImportError &error) {
        if (*error.what() == '\0')
            std::abort();
    }
    return 0;
}
