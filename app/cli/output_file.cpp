// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output_file.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ks::cli {

OutputFile::OutputFile()
    : m_descriptor(STDOUT_FILENO)
{}

OutputFile::OutputFile(std::string path)
    : m_path(std::move(path))
    , m_target(m_path)
{
    struct stat status = {};
    const bool exists = ::stat(m_path.c_str(), &status) == 0;
    if (exists && !S_ISREG(status.st_mode)) {
        m_descriptor = ::open(m_path.c_str(), O_WRONLY | O_CLOEXEC);
        if (m_descriptor < 0)
            fail();
        return;
    }
    if (exists) {
        const std::unique_ptr<char, decltype(&std::free)> resolved(::realpath(m_path.c_str(), nullptr), &std::free);
        if (resolved)
            m_target = resolved.get();
    }
    m_temporary = m_target + ".XXXXXX";
    m_descriptor = ::mkostemp(m_temporary.data(), O_CLOEXEC);
    if (m_descriptor < 0) {
        m_temporary.clear();
        fail();
    }
    // mkostemp makes private files; the result gets the rights of any new file, or keeps those it had.
    const mode_t mask = ::umask(0);
    ::umask(mask);
    const mode_t mode = exists ? (status.st_mode & 07777U) : (0666U & ~mask);
    if (::fchmod(m_descriptor, mode) != 0 && errno != EPERM)
        fail();
}

OutputFile::~OutputFile()
{
    if (!m_path.empty() && m_descriptor >= 0)
        ::close(m_descriptor);
    if (!m_temporary.empty())
        ::unlink(m_temporary.c_str());
}

void OutputFile::write(std::string_view text)
{
    while (!text.empty()) {
        const ssize_t written = ::write(m_descriptor, text.data(), text.size());
        if (written < 0) {
            if (errno == EINTR)
                continue;
            fail();
        }
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

void OutputFile::commit()
{
    if (m_path.empty())
        return;
    if (::close(std::exchange(m_descriptor, -1)) != 0)
        fail();
    if (m_temporary.empty())
        return;
    if (std::rename(m_temporary.c_str(), m_target.c_str()) != 0)
        fail();
    m_temporary.clear();
}

void OutputFile::fail() const
{
    const int error = errno;
    const std::string where = m_path.empty() ? std::string("standard output") : m_path;
    throw OutputError("cannot write " + where + ": " + std::strerror(error));
}

} // namespace ks::cli
