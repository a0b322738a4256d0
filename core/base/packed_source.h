// SPDX-License-Identifier: GPL-3.0-or-later
// Packed files as sources of their text. Reading at random unpacks again from where the last such read ended or from the nearest checkpoint at
// or before the place. Checkpoints are left behind while the text streams past: one per 16 MiB of text or per 16 times the state that has to be
// copied, whichever is more. gzip: 90 KB each. zstd: its window, packed again: some 0.4 MB per 38 MiB of text for a file of the usual levels.
// All of one source hold 64 MiB at most; then every other one is dropped and the distance doubles.
#pragma once

#include "core/base/byte_source.h"
#include "core/base/file.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>

namespace ks {

// Packed bytes at an offset: a file, or one member of an archive. Thread-safe.
using PackedInput = std::function<std::size_t(std::uint64_t offset, std::span<char> into)>;

// Unpacks from some place onwards.
class Unpacker
{
public:
    virtual ~Unpacker() = default;
    // 0 = end. Throws Cancelled when stopped before anything was delivered.
    virtual std::size_t read(std::span<char> into, const std::stop_token &stop) = 0;
    virtual std::uint64_t packedBytesRead() const = 0;
    virtual bool isTruncated() const = 0; // ended early, or damaged
    // A copy that goes on from here on its own.
    virtual std::unique_ptr<Unpacker> clone() const = 0;
    virtual std::size_t stateBytes() const = 0; // that clone() has to copy
    virtual std::size_t heldBytes() const = 0;  // of memory while it is not used
};

class PackedSource final : public ByteSource
{
public:
    using Start = std::function<std::unique_ptr<Unpacker>()>;

    PackedSource(std::shared_ptr<const File> file, Container container, Start start);

    Container container() const override { return m_container; }
    std::uint64_t storedBytes() const override { return m_file->size(); }
    std::unique_ptr<ByteStream> open(std::stop_token stop = {}) const override;
    std::size_t readAt(std::uint64_t offset, std::span<char> into) const override;
    bool hasChanged() const override { return m_file->hasChanged(); }
    std::size_t checkpointCount() const; // so far

private:
    friend class PackedStream;

    // `unpacker` has come to `offset`: leaves a checkpoint if the last one is far enough. With m_mutex locked.
    void pass(std::uint64_t offset, const Unpacker &unpacker) const;

    std::shared_ptr<const File> m_file;
    Container m_container;
    Start m_start;
    mutable std::mutex m_mutex;
    mutable std::map<std::uint64_t, std::unique_ptr<Unpacker>> m_checkpoints; // by offset in the text
    mutable std::uint64_t m_distance;                                         // least one of two checkpoints
    mutable std::size_t m_heldBytes = 0;                                      // by the checkpoints
    mutable std::unique_ptr<Unpacker> m_cursor;                               // where the last random read ended
    mutable std::uint64_t m_cursorOffset = 0;
};

// Any number of members, one behind the other; a cut or damaged stream delivers what can be unpacked.
PackedSource::Start gzipStart(PackedInput input);
PackedSource::Start zstdStart(PackedInput input);

// The largest member that is not a side file of macOS.
std::shared_ptr<const ByteSource> openZip(const std::shared_ptr<const File> &file);

enum class DeflateWrapper : std::uint8_t { Gzip, None };
std::unique_ptr<Unpacker> makeInflater(PackedInput input, DeflateWrapper wrapper);

} // namespace ks
