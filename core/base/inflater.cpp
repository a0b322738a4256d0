// SPDX-License-Identifier: GPL-3.0-or-later
// gzip and raw deflate through ISA-L, whose whole state is one flat struct: a checkpoint is a copy of it.
#include "core/base/error.h"
#include "core/base/packed_source.h"

#include <isa-l/igzip_lib.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace ks {
namespace {

class Inflater final : public Unpacker
{
public:
    Inflater(PackedInput input, DeflateWrapper wrapper)
        : m_input(std::move(input))
        , m_wrapper(wrapper)
        , m_state(std::make_unique<inflate_state>())
    {
        isal_inflate_init(m_state.get());
        m_state->crc_flag = wrapper == DeflateWrapper::Gzip ? ISAL_GZIP : ISAL_DEFLATE;
    }

    std::size_t read(std::span<char> into, const std::stop_token &stop) override
    {
        constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max() / 2;
        into = into.first(std::min(into.size(), kMost));
        m_state->next_out = reinterpret_cast<std::uint8_t *>(into.data());
        m_state->avail_out = static_cast<std::uint32_t>(into.size());
        while (m_state->avail_out != 0 && !m_ended) {
            if (m_state->avail_in == 0 && stop.stop_requested())
                throw Cancelled();
            if (m_state->block_state == ISAL_BLOCK_FINISH && !startNextMember())
                break;
            refill();
            const std::uint32_t room = m_state->avail_out;
            const std::uint32_t waiting = m_state->avail_in;
            const int result = isal_inflate(m_state.get());
            const bool stuck =
                m_state->avail_out == room && m_state->avail_in == waiting && m_state->block_state != ISAL_BLOCK_FINISH;
            if (result != ISAL_DECOMP_OK || (stuck && m_inputEnded)) {
                m_ended = true;
                m_truncated = true;
            }
        }
        return into.size() - m_state->avail_out;
    }
    std::uint64_t packedBytesRead() const override { return m_offset - m_state->avail_in; }
    bool isTruncated() const override { return m_truncated; }
    std::unique_ptr<Unpacker> clone() const override
    {
        auto copy = std::make_unique<Inflater>(m_input, m_wrapper);
        *copy->m_state = *m_state;
        copy->m_offset = packedBytesRead();
        copy->m_state->avail_in = 0;
        copy->m_ended = m_ended;
        copy->m_truncated = m_truncated;
        return copy;
    }
    std::size_t stateBytes() const override { return sizeof(inflate_state); }
    std::size_t heldBytes() const override { return sizeof(*this) + sizeof(inflate_state); }

private:
    static constexpr std::size_t kInputBytes = std::size_t{1} << 16U;

    void refill()
    {
        if (m_state->avail_in != 0 || m_inputEnded)
            return;
        m_buffer.resize(kInputBytes);
        const std::size_t got = m_input(m_offset, m_buffer);
        m_inputEnded = got == 0;
        m_offset += got;
        m_state->next_in = reinterpret_cast<std::uint8_t *>(m_buffer.data());
        m_state->avail_in = static_cast<std::uint32_t>(got);
    }

    // A further gzip member behind this one; anything else behind it is not ours.
    bool startNextMember()
    {
        refill();
        if (m_wrapper == DeflateWrapper::None || m_state->avail_in == 0 || *m_state->next_in != 0x1f) {
            m_ended = true;
            return false;
        }
        std::uint8_t *const nextIn = m_state->next_in;
        const std::uint32_t availIn = m_state->avail_in;
        isal_inflate_reset(m_state.get());
        m_state->crc_flag = ISAL_GZIP;
        m_state->next_in = nextIn;
        m_state->avail_in = availIn;
        return true;
    }

    PackedInput m_input;
    DeflateWrapper m_wrapper;
    std::unique_ptr<inflate_state> m_state;
    std::vector<char> m_buffer;
    std::uint64_t m_offset = 0; // of the input, behind the buffer
    bool m_inputEnded = false;
    bool m_ended = false;
    bool m_truncated = false;
};

} // namespace

std::unique_ptr<Unpacker> makeInflater(PackedInput input, DeflateWrapper wrapper)
{
    return std::make_unique<Inflater>(std::move(input), wrapper);
}

PackedSource::Start gzipStart(PackedInput input)
{
    return [input = std::move(input)] { return makeInflater(input, DeflateWrapper::Gzip); };
}

} // namespace ks
