// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/byte_source.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/packed_source.h"

#include <algorithm>
#include <array>
#include <cstring>
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
    std::unique_ptr<ByteStream> open() const override { return std::make_unique<PlainStream>(*this); }
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
    std::unique_ptr<ByteStream> open() const override { return std::make_unique<PlainStream>(*this); }
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

} // namespace

std::shared_ptr<const ByteSource> openSource(const std::filesystem::path &path)
{
    const std::shared_ptr<const File> file = File::open(path);
    if (file->size() == 0)
        throw ImportError("the file is empty", 0);
    std::array<char, 4> head{};
    const std::string_view magic(head.data(), file->readAt(0, head));
    if (magic.starts_with("\x1f\x8b"))
        return openGzip(file);
    if (magic == "\x28\xb5\x2f\xfd")
        return openZstd(file);
    if (magic == "PK\x03\x04")
        return openZip(file);
    return std::make_shared<PlainSource>(file);
}

std::shared_ptr<const ByteSource> openMemory(std::string text)
{
    return std::make_shared<MemorySource>(std::move(text));
}

} // namespace ks
