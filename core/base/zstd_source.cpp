// SPDX-License-Identifier: GPL-3.0-or-later
// zstd can be entered at the start of a frame only, and most files are one frame. But a decoder in memory of our own keeps its whole state there:
// the state is that memory, and a copy of it that is put back at the same address goes on where it was taken. So all unpackers of a source share
// one arena, in which they take turns; who waits keeps its state packed.
#include "core/base/error.h"
#include "core/base/packed_source.h"

#define ZSTD_STATIC_LINKING_ONLY // for ZSTD_initStaticDStream
#include <zstd.h>

#include <mutex>
#include <new>
#include <string>
#include <vector>

#include <sys/mman.h>

namespace ks {
namespace {

// Frames may ask for any window; this bounds the memory, and is also what the zstd tool allows.
constexpr int kMostWindowLog = 27;

class ZstdUnpacker;

// Address space for the largest window; only what a frame uses of it becomes memory.
struct Arena
{
    Arena()
        : bytes(ZSTD_estimateDStreamSize(std::size_t{1} << kMostWindowLog))
        , memory(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))
    {
        if (memory == MAP_FAILED)
            throw std::bad_alloc();
        context = ZSTD_initStaticDStream(memory, bytes);
        if (!context) {
            ::munmap(memory, bytes);
            throw std::bad_alloc();
        }
        ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, kMostWindowLog);
    }
    ~Arena() { ::munmap(memory, bytes); }
    Arena(const Arena &) = delete;
    Arena &operator=(const Arena &) = delete;

    const std::size_t bytes;
    void *const memory;
    ZSTD_DStream *context = nullptr;
    std::mutex mutex;
    ZstdUnpacker *user = nullptr; // whose state is in the memory
};

// The part of an arena that is in use, packed.
struct SavedState
{
    std::string packed;
    std::size_t bytes = 0;
};

std::shared_ptr<const SavedState> saveState(const Arena &arena)
{
    auto state = std::make_shared<SavedState>();
    state->bytes = ZSTD_sizeof_DStream(arena.context);
    std::vector<char> packed(ZSTD_compressBound(state->bytes));
    const std::size_t size = ZSTD_compress(packed.data(), packed.size(), arena.memory, state->bytes, 1);
    if (ZSTD_isError(size) != 0)
        throw std::bad_alloc();
    state->packed.assign(packed.data(), size);
    return state;
}

void restoreState(const Arena &arena, const SavedState &state)
{
    if (ZSTD_decompress(arena.memory, arena.bytes, state.packed.data(), state.packed.size()) != state.bytes)
        throw std::bad_alloc();
}

class ZstdUnpacker final : public Unpacker
{
public:
    // At the start of a frame.
    ZstdUnpacker(std::shared_ptr<Arena> arena, PackedInput input, std::uint64_t offset)
        : m_arena(std::move(arena))
        , m_input(std::move(input))
        , m_offset(offset)
    {}
    ~ZstdUnpacker() override
    {
        const std::lock_guard lock(m_arena->mutex);
        if (m_arena->user == this)
            m_arena->user = nullptr;
    }
    ZstdUnpacker(const ZstdUnpacker &) = delete;
    ZstdUnpacker &operator=(const ZstdUnpacker &) = delete;

    std::size_t read(std::span<char> into, const std::stop_token &stop) override
    {
        if (m_ended)
            return 0;
        const std::lock_guard lock(m_arena->mutex);
        enter();
        ZSTD_outBuffer out{into.data(), into.size(), 0};
        while (out.pos < out.size && !m_ended) {
            if (m_in.pos == m_in.size && !m_inputEnded) {
                if (stop.stop_requested())
                    throw Cancelled();
                m_buffer.resize(ZSTD_DStreamInSize());
                const std::size_t got = m_input(m_offset, m_buffer);
                m_inputEnded = got == 0;
                m_offset += got;
                m_in = {m_buffer.data(), got, 0};
            }
            const std::size_t before = out.pos;
            const std::size_t wanted =
                m_in.pos == m_in.size && m_atFrameStart ? 0 : ZSTD_decompressStream(m_arena->context, &out, &m_in);
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
        const std::lock_guard lock(m_arena->mutex);
        auto copy = std::make_unique<ZstdUnpacker>(m_arena, m_input, packedBytesRead());
        copy->m_atFrameStart = m_atFrameStart;
        copy->m_ended = m_ended;
        copy->m_truncated = m_truncated;
        if (!m_atFrameStart && !m_ended)
            copy->m_saved = m_arena->user == this ? saveState(*m_arena) : m_saved;
        return copy;
    }
    std::size_t stateBytes() const override
    {
        const std::lock_guard lock(m_arena->mutex);
        if (m_atFrameStart || m_ended)
            return 0;
        return m_arena->user == this ? ZSTD_sizeof_DStream(m_arena->context) : m_saved->bytes;
    }
    std::size_t heldBytes() const override { return sizeof(*this) + (m_saved ? m_saved->packed.size() : 0); }

private:
    // Makes the arena hold this one's state.
    void enter()
    {
        ZstdUnpacker *const other = m_arena->user;
        if (other == this)
            return;
        if (other && !other->m_atFrameStart && !other->m_ended)
            other->m_saved = saveState(*m_arena);
        m_arena->user = nullptr;
        if (m_saved)
            restoreState(*m_arena, *m_saved);
        else
            ZSTD_DCtx_reset(m_arena->context, ZSTD_reset_session_only);
        m_saved.reset();
        m_arena->user = this;
    }

    std::shared_ptr<Arena> m_arena;
    PackedInput m_input;
    std::shared_ptr<const SavedState> m_saved; // of one that waits inside a frame
    std::vector<char> m_buffer;
    ZSTD_inBuffer m_in{nullptr, 0, 0};
    std::uint64_t m_offset; // of the input, behind the buffer
    bool m_atFrameStart = true;
    bool m_inputEnded = false;
    bool m_ended = false;
    bool m_truncated = false;
};

} // namespace

PackedSource::Start zstdStart(PackedInput input)
{
    return [input = std::move(input), arena = std::make_shared<Arena>()] {
        return std::make_unique<ZstdUnpacker>(arena, input, 0);
    };
}

} // namespace ks
