// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/byte_source.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/packed_source.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>

namespace ks {
namespace {

class PlainStream final : public ByteStream
{
public:
    explicit PlainStream(const ByteSource &source)
        : m_source(source)
    {}
    std::size_t read(std::span<char> into) override
    {
        const std::size_t got = m_source.readAt(m_offset, into);
        m_offset += got;
        return got;
    }
    std::uint64_t storedBytesRead() const override { return m_offset; }

private:
    const ByteSource &m_source;
    std::uint64_t m_offset = 0;
};

class PlainSource final : public ByteSource
{
public:
    explicit PlainSource(std::shared_ptr<const File> file)
        : m_file(std::move(file))
    {}
    Container container() const override { return Container::Plain; }
    std::uint64_t storedBytes() const override { return m_file->size(); }
    std::size_t readAt(std::uint64_t offset, std::span<char> into) const override
    {
        return m_file->readAt(offset, into);
    }
    bool hasChanged() const override { return m_file->hasChanged(); }

private:
    std::shared_ptr<const File> m_file;
};

class MemorySource final : public ByteSource
{
public:
    explicit MemorySource(std::string text)
        : m_text(std::move(text))
    {}
    Container container() const override { return Container::Plain; }
    std::uint64_t storedBytes() const override { return m_text.size(); }
    std::size_t readAt(std::uint64_t offset, std::span<char> into) const override
    {
        if (offset >= m_text.size())
            return 0;
        const std::size_t count = std::min<std::size_t>(into.size(), m_text.size() - offset);
        std::memcpy(into.data(), m_text.data() + offset, count);
        return count;
    }
    bool hasChanged() const override { return false; }

private:
    std::string m_text;
};

// How the bytes that begin like this are packed, if it takes nothing but an unpacker.
std::optional<Container> streamContainer(std::string_view magic)
{
    if (magic.starts_with("\x1f\x8b"))
        return Container::Gzip;
    if (magic == "\x28\xb5\x2f\xfd")
        return Container::Zstd;
    // A frame to be skipped: pzstd begins with one.
    if (magic.size() == 4 && (static_cast<unsigned char>(magic[0]) & 0xf0U) == 0x50
        && magic.substr(1) == "\x2a\x4d\x18")
        return Container::Zstd;
    return {};
}

PackedSource::Start startOf(Container container, PackedInput input)
{
    return container == Container::Gzip ? gzipStart(std::move(input)) : zstdStart(std::move(input));
}

class Magic
{
public:
    explicit Magic(const auto &bytes)
        : m_size(bytes.readAt(0, m_bytes))
    {}
    std::string_view text() const { return {m_bytes.data(), m_size}; }

private:
    std::array<char, 4> m_bytes{};
    std::size_t m_size;
};

} // namespace

std::unique_ptr<ByteStream> ByteSource::open(std::stop_token) const
{
    return std::make_unique<PlainStream>(*this);
}

std::shared_ptr<const ByteSource> openSource(const std::filesystem::path &path, const Progress &progress)
{
    const std::shared_ptr<const File> file = File::open(path, progress);
    if (file->size() == 0)
        throw ImportError("the file is empty", 0);
    const Magic magic(*file);
    std::shared_ptr<const ByteSource> source;
    if (const auto container = streamContainer(magic.text())) {
        const PackedInput input = [file](std::uint64_t offset, std::span<char> into) {
            return file->readAt(offset, into);
        };
        source = std::make_shared<PackedSource>(file, *container, startOf(*container, input));
    } else if (magic.text() == "PK\x03\x04") {
        source = openZip(file);
    } else {
        return std::make_shared<PlainSource>(file);
    }
    // A packed file in an archive is what issue trackers make of it.
    const auto inner = streamContainer(Magic(*source).text());
    if (!inner)
        return source;
    const PackedInput input = [source](std::uint64_t offset, std::span<char> into) {
        return source->readAt(offset, into);
    };
    return std::make_shared<PackedSource>(file, source->container(), startOf(*inner, input));
}

std::shared_ptr<const ByteSource> openMemory(std::string text)
{
    return std::make_shared<MemorySource>(std::move(text));
}

} // namespace ks
