// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"

#include "core/base/error.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ks {

struct File::Identity
{
    explicit Identity(const struct stat &status)
        : device(status.st_dev)
        , node(status.st_ino)
        , size(status.st_size)
        , seconds(status.st_mtim.tv_sec)
        , nanoseconds(status.st_mtim.tv_nsec)
    {}
    friend bool operator==(const Identity &, const Identity &) = default;

    dev_t device;
    ino_t node;
    off_t size;
    time_t seconds;
    long nanoseconds;
};

namespace {

[[noreturn]] void fail(const std::string &what)
{
    throw ImportError(what + ": " + std::strerror(errno), 0);
}

// Waits for a pipe to have something to say.
void waitReadable(int descriptor)
{
    pollfd request{descriptor, POLLIN, 0};
    ::poll(&request, 1, -1);
}

// Copies everything `descriptor` yields to a temporary file without a name.
int spool(int descriptor)
{
    const char *home = std::getenv("TMPDIR");
    std::string name = std::string(home && *home ? home : "/tmp") + "/kinetoscope-XXXXXX";
    const int copy = ::mkstemp(name.data());
    if (copy < 0)
        fail("no temporary file for the input");
    ::unlink(name.c_str());
    std::vector<char> buffer(std::size_t{1} << 18U);
    for (;;) {
        const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
        if (got == 0)
            return copy;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            waitReadable(descriptor);
            continue;
        }
        if (got < 0) {
            ::close(copy);
            fail("the input cannot be read");
        }
        for (ssize_t done = 0; done < got;) {
            const ssize_t written = ::write(copy, buffer.data() + done, static_cast<std::size_t>(got - done));
            if (written < 0 && errno != EINTR) {
                ::close(copy);
                fail("no room for a temporary copy of the input");
            }
            done += written > 0 ? written : 0;
        }
    }
}

struct stat statusOf(int descriptor)
{
    struct stat status
    {};
    if (::fstat(descriptor, &status) != 0)
        fail("the file cannot be examined");
    return status;
}

} // namespace

std::shared_ptr<const File> File::open(const std::filesystem::path &path)
{
    const bool isStandardInput = path == "-";
    // Not blocking, so that a pipe nobody writes to reads as empty instead of hanging.
    const int descriptor =
        isStandardInput ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        fail("the file cannot be opened");
    std::shared_ptr<File> file(new File);
    file->m_descriptor = descriptor;
    struct stat status = statusOf(descriptor);
    if (S_ISDIR(status.st_mode))
        throw ImportError("this is a folder, not a trace file", 0);
    // Some never end: a copy of /dev/zero would fill the disk.
    if (!isStandardInput && (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode)) && ::isatty(descriptor) == 0)
        throw ImportError("this is a device, not a trace file", 0);
    if (S_ISREG(status.st_mode)) {
        if (!isStandardInput)
            file->m_path = path;
        file->m_identity = std::make_unique<const Identity>(status);
    } else {
        file->m_descriptor = spool(descriptor);
        ::close(descriptor);
        status = statusOf(file->m_descriptor);
    }
    file->m_size = static_cast<std::uint64_t>(status.st_size);
    return file;
}

File::~File()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

std::size_t File::readAt(std::uint64_t offset, std::span<char> into) const
{
    std::size_t done = 0;
    while (done < into.size()) {
        const ssize_t got =
            ::pread(m_descriptor, into.data() + done, into.size() - done, static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            throw SourceChanged(std::string("the file cannot be read any more: ") + std::strerror(errno));
        if (got == 0)
            break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

bool File::hasChanged() const
{
    if (!m_identity)
        return false;
    struct stat status
    {};
    if (::fstat(m_descriptor, &status) != 0 || Identity(status) != *m_identity)
        return true;
    if (m_path.empty())
        return false;
    return ::stat(m_path.c_str(), &status) != 0 || Identity(status) != *m_identity;
}

void File::throwIfChanged() const
{
    if (hasChanged())
        throw SourceChanged("the file has changed since it was opened");
}

} // namespace ks
