// SPDX-License-Identifier: GPL-3.0-or-later
// Packed files as sources of their text. Reading at random unpacks again from the nearest checkpoint at or before the place; checkpoints
// are left behind while the text streams past (one per 16 MiB of text, about 90 KB each).
#pragma once

#include "core/base/byte_source.h"
#include "core/base/file.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

namespace ks {

// Packed bytes at an offset: a file, or one member of an archive. Thread-safe.
using PackedInput = std::function<std::size_t(std::uint64_t offset, std::span<char> into)>;

// Unpacks from some place onwards.
class Unpacker
{
public:
    virtual ~Unpacker() = default;
    virtual std::size_t read(std::span<char> into) = 0; // 0 = end
    virtual std::uint64_t packedBytesRead() const = 0;
    virtual bool isTruncated() const = 0; // ended early, or damaged
    // A copy that goes on from here on its own; null where the format cannot be entered.
    virtual std::unique_ptr<Unpacker> clone() const = 0;
};

class PackedSource final : public ByteSource
{
public:
    using Start = std::function<std::unique_ptr<Unpacker>()>;

    PackedSource(std::shared_ptr<const File> file, Container container, Start start);

    Container container() const override { return m_container; }
    std::uint64_t storedBytes() const override { return m_file->size(); }
    std::unique_ptr<ByteStream> open() const override;
    std::size_t readAt(std::uint64_t offset, std::span<char> into) const override;
    bool hasChanged() const override { return m_file->hasChanged(); }

private:
    friend class PackedStream;

    void leaveCheckpoint(std::uint64_t offset, std::unique_ptr<Unpacker> unpacker) const;

    std::shared_ptr<const File> m_file;
    Container m_container;
    Start m_start;
    mutable std::mutex m_mutex;
    mutable std::map<std::uint64_t, std::unique_ptr<Unpacker>> m_checkpoints; // by offset in the text
    mutable std::unique_ptr<Unpacker> m_cursor;                               // where the last random read ended
    mutable std::uint64_t m_cursorOffset = 0;
};

// Any number of members, one behind the other; a cut or damaged stream delivers what can be unpacked.
std::shared_ptr<const ByteSource> openGzip(const std::shared_ptr<const File> &file);
std::shared_ptr<const ByteSource> openZstd(const std::shared_ptr<const File> &file);
// The largest member that is not a side file of macOS.
std::shared_ptr<const ByteSource> openZip(const std::shared_ptr<const File> &file);

enum class DeflateWrapper : std::uint8_t { Gzip, None };
std::unique_ptr<Unpacker> makeInflater(PackedInput input, DeflateWrapper wrapper);

} // namespace ks
