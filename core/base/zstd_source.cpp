// SPDX-License-Identifier: GPL-3.0-or-later
// zstd can be entered at the start of a frame only, and most files are one frame. But a decoder in memory of our own keeps its whole state there:
// the state is that memory, and a copy of it that is put back at the same address goes on where it was taken. So all unpackers of a source share
// one arena, in which they take turns; who waits keeps its state packed.
#include "core/base/error.h"
#include "core/base/packed_source.h"

#define ZSTD_STATIC_LINKING_ONLY // for ZSTD_initStaticDStream and ZSTD_initStaticCCtx
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

// Address space that becomes memory where it is used. Not of the heap: large blocks that come and go there change how it deals with all others.
class Pages
{
public:
    explicit Pages(std::size_t bytes)
        : m_bytes(bytes)
        , m_first(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))
    {
        if (m_first == MAP_FAILED)
            throw std::bad_alloc();
    }
    ~Pages() { ::munmap(m_first, m_bytes); }
    Pages(const Pages &) = delete;
    Pages &operator=(const Pages &) = delete;

    void *data() const { return m_first; }
    std::size_t size() const { return m_bytes; }
    void giveBack() const { ::madvise(m_first, m_bytes, MADV_DONTNEED); }

private:
    std::size_t m_bytes;
    void *m_first;
};

struct Arena
{
    Arena()
        : decoder(ZSTD_estimateDStreamSize(std::size_t{1} << kMostWindowLog)) // for the largest window
        , packer(ZSTD_estimateCCtxSize(kPackLevel))
        , packed(ZSTD_compressBound(decoder.size()))
        , context(ZSTD_initStaticDStream(decoder.data(), decoder.size()))
    {
        if (!context)
            throw std::bad_alloc();
        ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, kMostWindowLog);
    }

    static constexpr int kPackLevel = 1;

    const Pages decoder;
    const Pages packer; // these two only while a state is saved
    const Pages packed;
    ZSTD_DStream *const context;
    std::mutex mutex;
    ZstdUnpacker *user = nullptr; // whose state is in the decoder
};

// The part of the decoder's memory that is in use, packed.
struct SavedState
{
    std::string packed;
    std::size_t bytes = 0;
};

std::shared_ptr<const SavedState> saveState(const Arena &arena)
{
    auto state = std::make_shared<SavedState>();
    state->bytes = ZSTD_sizeof_DStream(arena.context);
    ZSTD_CCtx *const packer = ZSTD_initStaticCCtx(arena.packer.data(), arena.packer.size());
    if (!packer)
        throw std::bad_alloc();
    const std::size_t size = ZSTD_compressCCtx(packer, arena.packed.data(), arena.packed.size(), arena.decoder.data(),
                                               state->bytes, Arena::kPackLevel);
    if (ZSTD_isError(size) != 0)
        throw std::bad_alloc();
    state->packed.assign(static_cast<const char *>(arena.packed.data()), size);
    arena.packer.giveBack();
    arena.packed.giveBack();
    return state;
}

void restoreState(const Arena &arena, const SavedState &state)
{
    if (ZSTD_decompress(arena.decoder.data(), arena.decoder.size(), state.packed.data(), state.packed.size())
        != state.bytes)
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
