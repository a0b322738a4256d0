// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes of a trace file: the JSON text after unpacking, read in order while loading and at random for the arguments of one event.
// One descriptor and pread, never mmap: a file that shrinks while open gives SourceChanged, not SIGBUS.
#pragma once

#include "core/base/container.h"
#include "core/base/progress.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace ks {

// Reads the text once, from the first byte to the last. Not thread-safe.
class ByteStream
{
public:
    virtual ~ByteStream() = default;
    // Fills as much of `into` as there is; 0 = end. Throws ImportError if nothing can be read at all, Cancelled.
    virtual std::size_t read(std::span<char> into) = 0;
    virtual std::uint64_t storedBytesRead() const = 0; // progress in the file as stored
    // The compressed stream ended early or is damaged: what came before was delivered.
    virtual bool isTruncated() const { return false; }
};

class ByteSource
{
public:
    virtual ~ByteSource() = default;
    virtual Container container() const = 0;
    virtual std::uint64_t storedBytes() const = 0;
    // A fresh stream from the start, which keeps a reference to the source. `stop` ends its reads early: some megabytes of a packed file may
    // hold nothing to deliver. Where nothing has to be unpacked, by readAt().
    virtual std::unique_ptr<ByteStream> open(std::stop_token stop = {}) const;
    // Up to into.size() bytes from `offset` of the text; fewer only at its end. Thread-safe. Packed sources unpack again from the nearest
    // checkpoint. Throws SourceChanged if the bytes are gone; whether they are still the same, hasChanged() tells.
    virtual std::size_t readAt(std::uint64_t offset, std::span<char> into) const = 0;
    // Has the file changed, shrunk, been replaced or removed since it was opened? One fstat and one stat.
    virtual bool hasChanged() const = 0;
};

// Opens by content, never by name, also what is packed twice (a .json.gz in an archive); "-" is standard input. `progress` matters for what has to be copied first (File::open).
// Throws ImportError, Cancelled.
std::shared_ptr<const ByteSource> openSource(const std::filesystem::path &path, const Progress &progress = {});
// Text in memory, for tests and the fuzzers.
std::shared_ptr<const ByteSource> openMemory(std::string text);

} // namespace ks
