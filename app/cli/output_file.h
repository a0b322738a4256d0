// SPDX-License-Identifier: GPL-3.0-or-later
// Where the result goes: standard output, or a file that appears complete or not at all.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace ks::cli {

// what() names the file and the reason.
class OutputError : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

class OutputFile
{
public:
    OutputFile(); // standard output
    // Writes beside `path` under another name until commit(); devices and pipes are written directly. Throws OutputError.
    explicit OutputFile(std::string path);
    ~OutputFile(); // without commit(): `path` is as it was
    OutputFile(const OutputFile &) = delete;
    OutputFile &operator=(const OutputFile &) = delete;

    void write(std::string_view text); // throws OutputError
    void commit();                     // throws OutputError

private:
    [[noreturn]] void fail() const; // with errno

    std::string m_path;      // as given; empty: standard output
    std::string m_target;    // where it goes in the end, links followed
    std::string m_temporary; // empty if written directly
    int m_descriptor = -1;
};

} // namespace ks::cli
