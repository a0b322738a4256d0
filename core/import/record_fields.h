// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of one trace record that the importer takes out while it passes; everything else stays a byte range of the file.
#pragma once

#include "core/base/json_cursor.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ks {

// Keys of the record itself.
enum class RecordKey : std::uint8_t {
    Phase,
    Category,
    Name,
    Pid,
    Tid,
    Time,
    Duration,
    Id,
    Id2Local,
    Id2Global,
    Scope,
    BindPoint,
    BindId,
    FlowIn,
    FlowOut,
    Id2,
    Args, // objects
    Unknown,
};

// Keys of its args.
enum class ArgKey : std::uint8_t {
    Correlation,
    ExternalId,
    PythonId,
    PythonParent,
    SequenceNumber,
    ForwardThread,
    Device,
    Stream,
    Finished, // of slices
    Bytes,
    Address,
    DeviceType,
    DeviceId,
    TotalAllocated,
    TotalReserved,
    EventIndex, // of memory records
    Name,
    Labels,
    SortIndex, // of metadata
    InputDims, // only that it is there
    Unknown,
};

struct RecordFields
{
    // One place for every key, the record's before those of its args; what belongs to no known key is put down and never read.
    static constexpr std::size_t kArgSlots = static_cast<std::size_t>(RecordKey::Unknown) + 1;
    static constexpr std::size_t kSlots = kArgSlots + static_cast<std::size_t>(ArgKey::Unknown) + 1;
    static constexpr std::size_t slotOf(RecordKey key) { return static_cast<std::size_t>(key); }
    static constexpr std::size_t slotOf(ArgKey key) { return kArgSlots + static_cast<std::size_t>(key); }

    std::array<Token, kSlots> tokens;
    std::uint64_t mask = 0;
    const char *argsBegin = nullptr; // of the args object, null if there is none
    const char *argsEnd = nullptr;

    void clear()
    {
        mask = 0;
        argsBegin = nullptr;
    }
    template<typename Key>
    bool has(Key key) const
    {
        return ((mask >> slotOf(key)) & 1U) != 0;
    }
    template<typename Key>
    const Token &operator[](Key key) const
    {
        return tokens[slotOf(key)];
    }
    Token get(RecordKey key) const { return has(key) ? (*this)[key] : Token{}; }
    // The place to write a token to.
    Token &place(std::size_t slot)
    {
        mask |= std::uint64_t{1} << slot;
        return tokens[slot];
    }
    void set(RecordKey key, const Token &token) { place(slotOf(key)) = token; }
    // Of equal keys the first counts: free-form arguments may repeat a reserved name later.
    void set(ArgKey key, const Token &token)
    {
        if (!has(key))
            place(slotOf(key)) = token;
    }
};
static_assert(RecordFields::kSlots <= 64);

// Does the string say this word? Escapes are rare in strings that are compared with words.
inline bool says(const Token &token, std::string_view word)
{
    return token.text() == word || ((token.flags & kHasEscapes) != 0 && cleanText(token.text()).text == word);
}

inline RecordKey recordKeyOf(std::string_view key)
{
    const char *k = key.data();
    const auto is = [&](std::string_view wanted) { return std::memcmp(k, wanted.data(), wanted.size()) == 0; };
    switch (key.size()) {
    case 1: return *k == 's' ? RecordKey::Scope : RecordKey::Unknown;
    case 2:
        if (is("ph"))
            return RecordKey::Phase;
        if (is("ts"))
            return RecordKey::Time;
        if (is("id"))
            return RecordKey::Id;
        return is("bp") ? RecordKey::BindPoint : RecordKey::Unknown;
    case 3:
        if (is("cat"))
            return RecordKey::Category;
        if (is("pid"))
            return RecordKey::Pid;
        if (is("tid"))
            return RecordKey::Tid;
        if (is("dur"))
            return RecordKey::Duration;
        return is("id2") ? RecordKey::Id2 : RecordKey::Unknown;
    case 4:
        if (is("name"))
            return RecordKey::Name;
        return is("args") ? RecordKey::Args : RecordKey::Unknown;
    case 7:
        if (is("bind_id"))
            return RecordKey::BindId;
        return is("flow_in") ? RecordKey::FlowIn : RecordKey::Unknown;
    case 8: return is("flow_out") ? RecordKey::FlowOut : RecordKey::Unknown;
    default: return RecordKey::Unknown;
    }
}

inline ArgKey argKeyOf(std::string_view key)
{
    const char *k = key.data();
    const auto is = [&](std::string_view wanted) { return std::memcmp(k, wanted.data(), wanted.size()) == 0; };
    switch (key.size()) {
    case 4:
        if (is("name"))
            return ArgKey::Name;
        return is("Addr") ? ArgKey::Address : ArgKey::Unknown;
    case 5: return is("Bytes") ? ArgKey::Bytes : ArgKey::Unknown;
    case 6:
        if (is("stream"))
            return ArgKey::Stream;
        if (is("device"))
            return ArgKey::Device;
        if (is("Ev Idx"))
            return ArgKey::EventIndex;
        return is("labels") ? ArgKey::Labels : ArgKey::Unknown;
    case 8: return is("finished") ? ArgKey::Finished : ArgKey::Unknown;
    case 9:
        if (is("Python id"))
            return ArgKey::PythonId;
        return is("Device Id") ? ArgKey::DeviceId : ArgKey::Unknown;
    case 10:
        if (is("Input Dims"))
            return ArgKey::InputDims;
        return is("sort_index") ? ArgKey::SortIndex : ArgKey::Unknown;
    case 11:
        if (is("External id") || is("external id"))
            return ArgKey::ExternalId;
        if (is("correlation"))
            return ArgKey::Correlation;
        return is("Device Type") ? ArgKey::DeviceType : ArgKey::Unknown;
    case 13: return is("Fwd thread id") ? ArgKey::ForwardThread : ArgKey::Unknown;
    case 14: return is("Total Reserved") ? ArgKey::TotalReserved : ArgKey::Unknown;
    case 15:
        if (is("Sequence number"))
            return ArgKey::SequenceNumber;
        return is("Total Allocated") ? ArgKey::TotalAllocated : ArgKey::Unknown;
    case 16: return is("Python parent id") ? ArgKey::PythonParent : ArgKey::Unknown;
    case 20: return is("Profiler Event Index") ? ArgKey::EventIndex : ArgKey::Unknown;
    default: return ArgKey::Unknown;
    }
}

} // namespace ks
