// SPDX-License-Identifier: GPL-3.0-or-later
// Packed bytes of every kind: what can be unpacked in order can be read at random, and is the same. The first byte chooses the magic, so that a
// mutation need not find it.
#include "core/base/byte_source.h"
#include "core/base/error.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

namespace {

constexpr std::size_t kMostText = std::size_t{1} << 20U; // enough; a bomb would only cost time

// A file without a name in memory.
class MemoryFile
{
public:
    explicit MemoryFile(const std::string &bytes)
        : m_descriptor(::memfd_create("fuzz", 0))
    {
        if (m_descriptor < 0 || ::write(m_descriptor, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
            std::abort();
    }
    ~MemoryFile() { ::close(m_descriptor); }
    MemoryFile(const MemoryFile &) = delete;
    MemoryFile &operator=(const MemoryFile &) = delete;
    std::string path() const { return "/proc/self/fd/" + std::to_string(m_descriptor); }

private:
    int m_descriptor;
};

std::string readInOrder(const ks::ByteSource &source, std::size_t step)
{
    const auto stream = source.open();
    std::string text;
    std::vector<char> buffer(step);
    while (text.size() < kMostText) {
        const std::size_t got = stream->read(buffer);
        if (got == 0)
            break;
        text.append(buffer.data(), got);
    }
    return text;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size)
{
    if (size == 0)
        return 0;
    std::string bytes(reinterpret_cast<const char *>(data) + 1, size - 1);
    switch (data[0] % 4) {
    case 0: bytes.insert(0, "\x1f\x8b\x08"); break;
    case 1: bytes.insert(0, "\x28\xb5\x2f\xfd"); break;
    case 2: bytes.insert(0, "PK\x03\x04"); break;
    default: break;
    }
    const MemoryFile file(bytes);
    try {
        const auto source = ks::openSource(file.path());
        const std::string text = readInOrder(*source, 4096);
        const std::string again = readInOrder(*source, 777);
        const std::size_t both = std::min(text.size(), again.size()); // a damaged stream may end a little earlier or later
        if (text.compare(0, both, again, 0, both) != 0)
            std::abort();
        for (const std::size_t offset : {both / 2, both / 3, std::size_t{0}, both}) {
            std::string part(300, '?');
            part.resize(source->readAt(offset, part));
            const std::size_t known = std::min(part.size(), both - offset);
            if (part.compare(0, known, text, offset, known) != 0) {
                std::fprintf(stderr, "reading at %zu of %zu gives something else\n", offset, both);
                std::abort();
            }
        }
    } catch (const ks::ImportError &) {
    } catch (const ks::SourceChanged &) {
    }
    return 0;
}
