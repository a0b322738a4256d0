// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers that only some events have, as their arguments tell them: for each event which it has, and the values of each one after another.
// They stay where the workers that scanned the file put them, in the workers' own numbers.
#pragma once

#include "core/base/appended.h"
#include "core/index/file_numbers.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace ks {

enum class RawFieldKey : std::uint8_t {
    Correlation,
    ExternalId,
    PythonId,
    PythonParent,
    SequenceNumber,
    ForwardThread,
    Device,
    Stream,
};
inline constexpr std::size_t kRawFieldKeys = 8;

// Those of one batch.
struct RawFieldColumns
{
    // Of each event, a bit for each field it has.
    Appended<std::uint8_t> keys;
    // In the order of the events; ids as LocalIds numbers them.
    std::array<Appended<std::uint32_t>, kRawFieldKeys> values;

    // visit(position of the event in its batch, value)
    template<typename Visit>
    void forEach(RawFieldKey key, Visit visit) const
    {
        const auto bit = static_cast<unsigned>(key);
        const std::uint32_t *value = values[bit].begin();
        if (value == values[bit].end())
            return;
        std::uint32_t position = 0;
        const std::uint8_t *at = keys.begin();
        if constexpr (std::endian::native == std::endian::little) {
            for (; keys.end() - at >= 8; at += 8, position += 8) {
                std::uint64_t eight = 0;
                std::memcpy(&eight, at, 8);
                for (eight &= std::uint64_t{0x0101010101010101} << bit; eight != 0; eight &= eight - 1)
                    visit(position + static_cast<std::uint32_t>(std::countr_zero(eight)) / 8, *value++);
            }
        }
        for (; at != keys.end(); ++at, ++position) {
            if ((*at >> bit & 1U) != 0)
                visit(position, *value++);
        }
    }
};

// Those of a file.
class RawFields
{
public:
    std::size_t size(RawFieldKey key) const { return m_sizes[static_cast<std::size_t>(key)]; }
    // visit(position of the event in the file, value in the numbers of the file), in file order
    template<typename Visit>
    void forEach(RawFieldKey key, Visit visit) const
    {
        for (const Part &part : m_parts) {
            part.columns.forEach(key, [&](std::uint32_t position, std::uint32_t value) {
                visit(position + part.firstEvent, part.numbers->id(value));
            });
        }
    }
    void add(RawFieldColumns columns, std::uint32_t firstEvent, const FileNumbers &numbers) // which must outlive this
    {
        for (std::size_t key = 0; key < kRawFieldKeys; ++key)
            m_sizes[key] += columns.values[key].size();
        m_parts.push_back({firstEvent, &numbers, std::move(columns)});
    }

private:
    struct Part
    {
        std::uint32_t firstEvent = 0;
        const FileNumbers *numbers = nullptr;
        RawFieldColumns columns;
    };

    std::vector<Part> m_parts;
    std::array<std::size_t, kRawFieldKeys> m_sizes{};
};

// One of them.
class RawField
{
public:
    RawField(const RawFields &fields, RawFieldKey key) // which must outlive this
        : m_fields(fields)
        , m_key(key)
    {}

    std::size_t size() const { return m_fields.size(m_key); }
    template<typename Visit>
    void forEach(Visit visit) const
    {
        m_fields.forEach(m_key, visit);
    }

private:
    const RawFields &m_fields;
    RawFieldKey m_key;
};

} // namespace ks
