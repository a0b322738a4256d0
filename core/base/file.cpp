// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"

#include "core/base/error.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
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

// Closes what it holds.
class Descriptor
{
public:
    explicit Descriptor(int number)
        : m_number(number)
    {}
    ~Descriptor()
    {
        if (m_number >= 0)
            ::close(m_number);
    }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    operator int() const { return m_number; }
    int release() { return std::exchange(m_number, -1); }

private:
    int m_number;
};

// Waits for input that may never come, and wakes up when the work is cancelled.
class Waiter
{
public:
    explicit Waiter(const Progress &progress)
        : m_progress(progress)
        , m_wakeUp(::eventfd(0, EFD_CLOEXEC))
        , m_onStop(progress.stopToken(), Ring{m_wakeUp})
    {
        if (m_wakeUp < 0)
            fail("the input cannot be waited for");
    }

    // Returns when there is something to read, or the end. Throws Cancelled.
    void waitReadable(int descriptor)
    {
        for (;;) {
            m_progress.throwIfStopped();
            std::array<pollfd, 2> requests{{{descriptor, POLLIN, 0}, {m_wakeUp, POLLIN, 0}}};
            if (::poll(requests.data(), requests.size(), -1) < 0 && errno != EINTR)
                fail("the input cannot be waited for");
            if (requests[0].revents != 0 && !m_progress.isStopped())
                return;
        }
    }

private:
    struct Ring
    {
        int wakeUp;
        void operator()() const noexcept { ::eventfd_write(wakeUp, 1); }
    };

    const Progress &m_progress;
    Descriptor m_wakeUp;
    std::stop_callback<Ring> m_onStop;
};

// A temporary file without a name. Large ones belong in /var/tmp: /tmp is memory on many systems.
int makeNamelessFile()
{
    const char *home = std::getenv("TMPDIR");
    std::vector<std::string> folders = {"/var/tmp", "/tmp"};
    if (home && *home)
        folders = {home};
    for (const std::string &folder : folders) {
        std::string name = folder + "/kinetoscope-XXXXXX";
        const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
        if (descriptor < 0)
            continue;
        ::unlink(name.c_str());
        return descriptor;
    }
    fail("no temporary file for the input");
}

// Copies everything `from` yields to a temporary file.
int spool(int from, const Progress &progress)
{
    Descriptor copy(makeNamelessFile());
    Waiter waiter(progress);
    std::vector<char> buffer(std::size_t{1} << 18U);
    ProgressReport report;
    // A pipe that nobody has opened for writing yet is empty when read without waiting, and never ready when waited for.
    bool mustWait = (::fcntl(from, F_GETFL) & O_NONBLOCK) == 0;
    for (;;) {
        progress.throwIfStopped();
        if (mustWait)
            waiter.waitReadable(from);
        const ssize_t got = ::read(from, buffer.data(), buffer.size());
        if (got == 0)
            return copy.release();
        if (got < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) {
            mustWait = true;
            continue;
        }
        if (got < 0)
            fail("the input cannot be read");
        for (ssize_t done = 0; done < got;) {
            progress.throwIfStopped();
            const ssize_t written = ::write(copy, buffer.data() + done, static_cast<std::size_t>(got - done));
            if (written < 0 && errno != EINTR)
                fail("no room for a temporary copy of the input");
            done += written > 0 ? written : 0;
        }
        report.bytesDone += static_cast<std::uint64_t>(got);
        progress.report(report);
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

std::shared_ptr<const File> File::open(const std::filesystem::path &path, const Progress &progress)
{
    const bool isStandardInput = path == "-";
    // Not blocking, so that a pipe nobody writes to reads as empty instead of hanging.
    const int descriptor = isStandardInput ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                           : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
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
        const Descriptor original(std::exchange(file->m_descriptor, -1));
        file->m_descriptor = spool(original, progress);
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
