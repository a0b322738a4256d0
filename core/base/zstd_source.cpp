// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/packed_source.h"

#include <zstd.h>

#include <vector>

namespace ks {
namespace {

// A zstd stream can be entered at the start of a frame only.
class ZstdUnpacker final : public Unpacker
{
public:
    ZstdUnpacker(PackedInput input, std::uint64_t offset)
        : m_input(std::move(input))
        , m_context(ZSTD_createDCtx())
        , m_offset(offset)
    {
        // Frames may ask for any window; this bounds the memory (2^27 is also what the zstd tool allows).
        ZSTD_DCtx_setParameter(m_context.get(), ZSTD_d_windowLogMax, 27);
    }

    std::size_t read(std::span<char> into) override
    {
        ZSTD_outBuffer out{into.data(), into.size(), 0};
        while (out.pos < out.size && !m_ended) {
            if (m_in.pos == m_in.size && !m_inputEnded) {
                m_buffer.resize(ZSTD_DStreamInSize());
                const std::size_t got = m_input(m_offset, m_buffer);
                m_inputEnded = got == 0;
                m_offset += got;
                m_in = {m_buffer.data(), got, 0};
            }
            const std::size_t before = out.pos;
            const std::size_t wanted =
                m_in.pos == m_in.size && m_atFrameStart ? 0 : ZSTD_decompressStream(m_context.get(), &out, &m_in);
            if (ZSTD_isError(wanted) != 0) {
                m_ended = m_truncated = true;
            } else {
                m_atFrameStart = wanted == 0;
                if (m_inputEnded && m_in.pos == m_in.size && (m_atFrameStart || out.pos == before)) {
                    m_ended = true;
                    m_truncated = !m_atFrameStart;
                }
            }
        }
        return out.pos;
    }
    std::uint64_t packedBytesRead() const override { return m_offset - (m_in.size - m_in.pos); }
    bool isTruncated() const override { return m_truncated; }
    std::unique_ptr<Unpacker> clone() const override
    {
        return m_atFrameStart ? std::make_unique<ZstdUnpacker>(m_input, packedBytesRead()) : nullptr;
    }

private:
    struct Free
    {
        void operator()(ZSTD_DCtx *context) const { ZSTD_freeDCtx(context); }
    };

    PackedInput m_input;
    std::unique_ptr<ZSTD_DCtx, Free> m_context;
    std::vector<char> m_buffer;
    ZSTD_inBuffer m_in{nullptr, 0, 0};
    std::uint64_t m_offset;
    bool m_atFrameStart = true;
    bool m_inputEnded = false;
    bool m_ended = false;
    bool m_truncated = false;
};

} // namespace

std::shared_ptr<const ByteSource> openZstd(const std::shared_ptr<const File> &file)
{
    return std::make_shared<PackedSource>(file, Container::Zstd, [file] {
        return std::make_unique<ZstdUnpacker>(
            [file](std::uint64_t offset, std::span<char> into) { return file->readAt(offset, into); }, 0);
    });
}

} // namespace ks
