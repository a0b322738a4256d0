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
        return std::string_view(m_text).substr(skipped, m_size - skipped);
    m_text.erase(0, skipped);
    m_size -= skipped;
    m_begin = offset;
    const std::size_t more = std::max(wanted - m_size, m_ahead);
    m_text.resize(m_size + more + kPadding);
    m_size += m_source.readAt(m_begin + m_size, std::span(m_text).subspan(m_size, more));
    std::fill_n(m_text.begin() + static_cast<std::ptrdiff_t>(m_size), kPadding, '\0');
    return std::string_view(m_text).substr(0, m_size);
}

} // namespace ks
