// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/record_reader.h"

namespace ks {

std::string_view RecordReader::textAt(std::uint64_t offset, std::size_t wanted)
{
    if (offset < m_begin || offset > m_begin + m_size) {
        m_begin = offset;
        m_size = 0;
    }
    const auto skipped = static_cast<std::size_t>(offset - m_begin);
    if (m_size - skipped >= wanted)
        return {m_text.get() + skipped, m_size - skipped};
    m_size -= skipped;
    m_begin = offset;
    const std::size_t more = std::max(wanted - m_size, m_ahead);
    if (m_size + more > m_capacity) {
        auto larger = std::make_unique_for_overwrite<char[]>(m_size + more + kPadding);
        std::copy_n(m_text.get() + skipped, m_size, larger.get());
        m_text = std::move(larger);
        m_capacity = m_size + more;
    } else if (skipped != 0) {
        std::copy_n(m_text.get() + skipped, m_size, m_text.get());
    }
    m_size += m_source.readAt(m_begin + m_size, std::span(m_text.get() + m_size, more));
    std::fill_n(m_text.get() + m_size, kPadding, '\0');
    return {m_text.get(), m_size};
}

} // namespace ks
