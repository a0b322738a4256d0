// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/byte_source.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "tests/support/pack.h"
#include "tests/support/qt_text.h"
#include "tests/support/source_text.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace ks;

namespace {

std::size_t openDescriptors()
{
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator()));
}

} // namespace

class TstByteSource : public QObject
{
    Q_OBJECT

    std::string file(const char *name, std::string_view bytes = {})
    {
        const std::string path = m_directory.filePath(QLatin1String(name)).toStdString();
        writeFile(path, bytes);
        return path;
    }

    QTemporaryDir m_directory;

private slots:
    void whatIsNoFileIsRefusedInWords()
    {
        QVERIFY(errorOf(m_directory.filePath(QStringLiteral("missing")).toStdString()).contains(QStringLiteral("cannot be opened")));
        QVERIFY(errorOf(m_directory.path().toStdString()).contains(QStringLiteral("folder")));
        QCOMPARE(errorOf(file("empty")), QStringLiteral("the file is empty"));
        QCOMPARE(errorOf("/dev/zero"), QStringLiteral("this is a device, not a trace file")); // a copy of it would fill the disk
        QVERIFY(errorOf("").contains(QStringLiteral("cannot be opened")));
        const std::string locked = file("locked", "[]");
        std::filesystem::permissions(locked, std::filesystem::perms::none);
        if (::geteuid() != 0)
            QVERIFY(errorOf(locked).contains(QStringLiteral("cannot be opened")));
    }

    void aPipeIsCopied()
    {
        const std::string path = m_directory.filePath(QStringLiteral("pipe")).toStdString();
        QCOMPARE(::mkfifo(path.c_str(), 0600), 0);
        QCOMPARE(errorOf(path), QStringLiteral("the file is empty")); // nobody writes: no waiting
        const std::string text = longText(1'000'000);
        const int keepOpen = ::open(path.c_str(), O_RDWR); // so that the writer is there before the reader
        std::jthread writer([&] {
            const int descriptor = ::open(path.c_str(), O_WRONLY);
            for (std::size_t done = 0; done < text.size();) {
                const ssize_t written = ::write(descriptor, text.data() + done, std::min<std::size_t>(text.size() - done, 50'000));
                done += written > 0 ? static_cast<std::size_t>(written) : 0;
                if (done < 200'000)
                    std::this_thread::sleep_for(std::chrono::milliseconds(5));
            }
            ::close(keepOpen);
            ::close(descriptor);
        });
        const auto source = openSource(path);
        QVERIFY(readAll(*source, 4096) == text);
        QVERIFY(!source->hasChanged());
        QVERIFY(at(*source, 5000, 100) == text.substr(5000, 100));
    }

    void aPipeThatSaysNothingCanBeStopped_data()
    {
        QTest::addColumn<bool>("isStandardInput");
        QTest::addColumn<int>("saidBefore");
        QTest::newRow("pipe") << false << 0;
        QTest::newRow("pipe, after some text") << false << 5000;
        QTest::newRow("standard input") << true << 0;
        QTest::newRow("standard input, after some text") << true << 5000;
    }
    void aPipeThatSaysNothingCanBeStopped()
    {
        QFETCH(const bool, isStandardInput);
        QFETCH(const int, saidBefore);
        const std::string path = m_directory.filePath(QStringLiteral("silent")).toStdString();
        ::unlink(path.c_str());
        QCOMPARE(::mkfifo(path.c_str(), 0600), 0);
        const int writer = ::open(path.c_str(), O_RDWR | O_CLOEXEC); // a writer that stays
        const int standardInput = ::dup(STDIN_FILENO);
        if (isStandardInput)
            ::dup2(writer, STDIN_FILENO);
        const std::string said(static_cast<std::size_t>(saidBefore), ' ');
        QCOMPARE(::write(writer, said.data(), said.size()), static_cast<ssize_t>(saidBefore));
        const std::size_t descriptors = openDescriptors();

        std::stop_source stop;
        std::atomic<std::uint64_t> bytesDone{0};
        std::atomic<bool> isCancelled{false};
        std::atomic<bool> isDone{false};
        std::jthread reader([&] {
            try {
                openSource(isStandardInput ? "-" : path, Progress(stop.get_token(), [&](const ProgressReport &report) { bytesDone = report.bytesDone; }));
            } catch (const Cancelled &) {
                isCancelled = true;
            }
            isDone = true;
        });
        QTRY_COMPARE(bytesDone.load(), static_cast<std::uint64_t>(saidBefore));
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        QVERIFY(!isDone); // it waits
        stop.request_stop();
        reader.join(); // or hangs for ever
        QVERIFY(isCancelled);
        QCOMPARE(openDescriptors(), descriptors);
        ::dup2(standardInput, STDIN_FILENO);
        ::close(standardInput);
        ::close(writer);
    }

    void standardInputIsCopied()
    {
        const std::string text = longText(300'000);
        std::array<int, 2> ends{};
        QCOMPARE(::pipe2(ends.data(), O_CLOEXEC), 0);
        const int standardInput = ::dup(STDIN_FILENO);
        ::dup2(ends[0], STDIN_FILENO);
        std::jthread writer([&] {
            for (std::size_t done = 0; done < text.size();) {
                const ssize_t written = ::write(ends[1], text.data() + done, text.size() - done);
                done += written > 0 ? static_cast<std::size_t>(written) : 0;
            }
            ::close(ends[1]);
        });
        const auto source = openSource("-");
        ::dup2(standardInput, STDIN_FILENO);
        ::close(standardInput);
        ::close(ends[0]);
        QVERIFY(readAll(*source, 4096) == text);
        QVERIFY(at(*source, 250'000, 100) == text.substr(250'000, 100));
    }

    void noRoomForACopyIsSaidInWords()
    {
        const std::string path = m_directory.filePath(QStringLiteral("full")).toStdString();
        QCOMPARE(::mkfifo(path.c_str(), 0600), 0);
        const int writer = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
        const std::string text = longText(60'000);
        QCOMPARE(::write(writer, text.data(), text.size()), static_cast<ssize_t>(text.size()));
        const std::size_t descriptors = openDescriptors();

        const QByteArray before = qgetenv("TMPDIR");
        qputenv("TMPDIR", "/nowhere/at/all");
        const QString noFolder = errorOf(path);
        qputenv("TMPDIR", before);
        if (before.isEmpty())
            qunsetenv("TMPDIR");
        QVERIFY2(noFolder.contains(QStringLiteral("no temporary file")), qPrintable(noFolder));

        // A disk that is full, as far as this process can tell.
        rlimit unlimited{};
        ::getrlimit(RLIMIT_FSIZE, &unlimited);
        const rlimit small{20'000, unlimited.rlim_max};
        const auto onSignal = ::signal(SIGXFSZ, SIG_IGN);
        ::setrlimit(RLIMIT_FSIZE, &small);
        const QString noRoom = errorOf(path);
        ::setrlimit(RLIMIT_FSIZE, &unlimited);
        ::signal(SIGXFSZ, onSignal);
        ::close(writer);
        QVERIFY2(noRoom.contains(QStringLiteral("no room for a temporary copy")), qPrintable(noRoom));
        QCOMPARE(openDescriptors(), descriptors - 1);
    }

    void beyondFourGigabytes()
    {
        // A file with a hole: it takes no room.
        const std::string path = file("holes", "begin");
        const std::uint64_t far = (std::uint64_t{5} << 30U) + 12'345;
        std::filesystem::resize_file(path, far);
        const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
        QCOMPARE(::pwrite(descriptor, "the end", 7, static_cast<off_t>(far - 7)), ssize_t{7});
        ::close(descriptor);
        const auto source = openSource(path);
        QCOMPARE(source->storedBytes(), far);
        QCOMPARE(q(at(*source, far - 7, 100)), QStringLiteral("the end"));
        QVERIFY(at(*source, std::uint64_t{1} << 32U, 4) == std::string(4, '\0'));
        QVERIFY(at(*source, far, 4).empty());
    }

    void aFileThatChangesIsNoticed()
    {
        const std::string text = longText(100'000);
        const auto open = [&] { return openSource(file("changing", text)); };
        const std::string path = m_directory.filePath(QStringLiteral("changing")).toStdString();
        {
            const auto source = open();
            QVERIFY(!source->hasChanged());
            readAll(*source, 4096);
            QVERIFY(!source->hasChanged());
        }
        {
            const auto source = open();
            std::filesystem::resize_file(path, 50'000); // shrunk: with a mapping, reading behind the end would be fatal
            QVERIFY(source->hasChanged());
            QVERIFY(at(*source, 60'000, 100).empty());
            QCOMPARE(at(*source, 49'950, 100).size(), std::size_t{50});
            QVERIFY(readAll(*source, 4096) == text.substr(0, 50'000));
        }
        {
            const auto source = open();
            writeFile(path + ".new", text);
            std::filesystem::rename(path + ".new", path); // replaced: the old bytes are still there, but not what the path names
            QVERIFY(source->hasChanged());
            QVERIFY(at(*source, 60'000, 100) == text.substr(60'000, 100));
        }
        {
            const auto source = open();
            std::filesystem::remove(path);
            QVERIFY(source->hasChanged());
        }
        {
            const auto source = open();
            std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) + std::chrono::seconds(2));
            QVERIFY(source->hasChanged());
        }
        const auto file = File::open(open() ? path : path);
        file->throwIfChanged();
        std::filesystem::resize_file(path, 1);
        QVERIFY_THROWS_EXCEPTION(SourceChanged, file->throwIfChanged());
    }

    void textInMemoryIsASourceToo()
    {
        const auto source = openMemory("0123456789");
        QCOMPARE(q(at(*source, 8, 5)), QStringLiteral("89"));
        QVERIFY(at(*source, 10, 5).empty());
        QCOMPARE(q(readAll(*source, 3)), QStringLiteral("0123456789"));
        QVERIFY(!source->hasChanged());
    }
};

QTEST_APPLESS_MAIN(TstByteSource)
#include "tst_byte_source.moc"
