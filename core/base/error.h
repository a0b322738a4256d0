// SPDX-License-Identifier: GPL-3.0-or-later
// What ends an import. Anything less than "cannot be opened" is a Diagnostic inside the Trace.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace ks {

// The file cannot be opened as a trace. what() is one sentence without the file name; byteOffset counts in the JSON text after
// unpacking, 0 if there is none.
class ImportError : public std::runtime_error
{
public:
    ImportError(const std::string &what, std::uint64_t byteOffset)
        : std::runtime_error(what)
        , m_byteOffset(byteOffset)
    {}

    std::uint64_t byteOffset() const { return m_byteOffset; }

private:
    std::uint64_t m_byteOffset;
};

// The bytes behind an open trace are no longer those it was read from (changed, shrunk, replaced or gone).
class SourceChanged : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

// The work was cancelled by its owner.
class Cancelled : public std::exception
{
public:
    const char *what() const noexcept override { return "cancelled"; }
};

} // namespace ks
