// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/byte_source.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/packed_source.h"
#include "tests/support/pack.h"
#include "tests/support/qt_text.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace ks;

namespace {

// Text that packs about like a trace, and in which no two places look alike.
std::string longText(std::size_t bytes)
{
    std::mt19937_64 random(11);
    std::string text;
    text.reserve(bytes + 64);
    while (text.size() < bytes)
        text += "{\"ph\":\"X\",\"ts\":" + std::to_string(text.size()) + ",\"name\":\"aten::" + std::to_string(random() % 100) + "\"},\n";
    text.resize(bytes);
    return text;
}

std::string readAll(const ByteSource &source, std::size_t step, bool *isTruncated = nullptr)
{
    const auto stream = source.open();
    std::string text;
    std::vector<char> buffer(step);
    for (;;) {
        const std::size_t got = stream->read(buffer);
        if (got == 0)
            break;
        text.append(buffer.data(), got);
    }
    if (stream->read(buffer) != 0)
        text += " there is more behind the end";
    if (isTruncated)
        *isTruncated = stream->isTruncated();
    return text;
}

std::string at(const ByteSource &source, std::uint64_t offset, std::size_t count)
{
    std::string text(count, '?');
    text.resize(source.readAt(offset, text));
    return text;
}

QString errorOf(const std::string &path)
{
    try {
        openSource(path);
        return QStringLiteral("opened");
    } catch (const ImportError &error) {
        return q(error.what());
    }
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

    // Reading at random is reading in order.
    void checkRandomReads(const ByteSource &source, const std::string &text, int count)
    {
        std::mt19937_64 random(12);
        for (int i = 0; i < count; ++i) {
            const std::uint64_t offset = random() % (text.size() + 10);
            const std::size_t length = random() % 5000;
            const std::string expected = offset < text.size() ? text.substr(offset, length) : std::string();
            QVERIFY2(at(source, offset, length) == expected, std::to_string(offset).c_str());
        }
        QVERIFY(at(source, 0, 100) == text.substr(0, 100));
        QVERIFY(at(source, text.size(), 1).empty());
        QVERIFY(at(source, text.size() + 1'000'000, 1).empty());
    }

    QTemporaryDir m_directory;

private slots:
    void everyContainerHoldsTheSameText_data()
    {
        QTest::addColumn<QByteArray>("packed");
        QTest::addColumn<int>("container");
        QTest::addColumn<QByteArray>("text");
        const auto row = [](const char *name, const std::string &packed, Container container, const std::string &text) {
            QTest::newRow(name) << QByteArray::fromStdString(packed) << static_cast<int>(container) << QByteArray::fromStdString(text);
        };
        const std::string text = longText(300'000);
        row("plain", text, Container::Plain, text);
        row("gzip", gzipped(text), Container::Gzip, text);
        row("gzip, not packed at all", gzipped(text, 0), Container::Gzip, text);
        row("gzip of nothing", gzipped(""), Container::Gzip, "");
        row("gzip, several members", gzipped(text.substr(0, 70'000)) + gzipped("") + gzipped(text.substr(70'000)), Container::Gzip, text);
        row("gzip, many members", [&] {
            std::string packed;
            for (std::size_t i = 0; i < text.size(); i += 1000)
                packed += gzipped(text.substr(i, 1000));
            return packed;
        }(), Container::Gzip, text);
        row("gzip, zeros behind it", gzipped(text) + std::string(1000, '\0'), Container::Gzip, text);
        row("gzip, words behind it", gzipped(text) + "not gzip", Container::Gzip, text);
        row("zstd", zstdPacked(text), Container::Zstd, text);
        row("zstd, several frames", zstdPacked(text.substr(0, 70'000)) + zstdPacked(text.substr(70'000, 1)) + zstdPacked(text.substr(70'001)), Container::Zstd, text);
        row("zip", zipped({{"trace.json", text}}), Container::Zip, text);
        row("zip, stored", zipped({{"trace.json", text, true}}), Container::Zip, text);
        row("zip of macOS", zipped({{"__MACOSX/._trace.json", text + text}, {"folder/", ""}, {"folder/._x", text + text}, {".DS_Store", text + text}, {"folder/trace.json", text}}),
            Container::Zip, text);
        row("zip, the largest member", zipped({{"a.txt", "small"}, {"b.json", text}, {"c.txt", "small"}}), Container::Zip, text);
    }
    void everyContainerHoldsTheSameText()
    {
        QFETCH(const QByteArray, packed);
        QFETCH(const int, container);
        QFETCH(const QByteArray, text);
        const auto source = openSource(file("packed", packed.toStdString()));
        QCOMPARE(static_cast<int>(source->container()), container);
        QCOMPARE(source->storedBytes(), static_cast<std::uint64_t>(packed.size()));
        for (const std::size_t step : {std::size_t{1} << 20U, std::size_t{4096}, std::size_t{777}}) {
            bool isTruncated = true;
            QVERIFY(readAll(*source, step, &isTruncated) == text.toStdString());
            QVERIFY(!isTruncated);
        }
        checkRandomReads(*source, text.toStdString(), 200);
        const auto untouched = openSource(file("packed", packed.toStdString())); // never read in order: no checkpoints
        checkRandomReads(*untouched, text.toStdString(), 50);
    }

    void readingAtRandomAcrossCheckpoints()
    {
        const std::string text = longText(std::size_t{40} << 20U);
        const std::vector<std::pair<const char *, std::string>> packings = {
            {"gzip", gzipped(text, 1)},
            {"gzip of members", gzipped(std::string_view(text).substr(0, 20'000'000), 1) + gzipped(std::string_view(text).substr(20'000'000), 1)},
            {"zstd", zstdPacked(std::string_view(text).substr(0, 15'000'000)) + zstdPacked(std::string_view(text).substr(15'000'000))},
            {"zip", zipped({{"a.json", text}})},
        };
        for (const auto &[name, packed] : packings) {
            const auto source = openSource(file("long", packed));
            QVERIFY2(readAll(*source, std::size_t{1} << 20U) == text, name);
            std::mt19937_64 random(13);
            for (int i = 0; i < 25; ++i) {
                const std::uint64_t offset = random() % text.size();
                QVERIFY2(at(*source, offset, 3000) == text.substr(offset, 3000), name);
            }
            const std::uint64_t border = std::uint64_t{16} << 20U;
            for (const std::uint64_t offset : {border - 1, border, border + 1, 2 * border, text.size() - 1})
                QVERIFY2(at(*source, offset, 10) == text.substr(offset, 10), name);
        }
    }

    void threadsReadAtOnce()
    {
        const std::string text = longText(2'000'000);
        for (const std::string &packed : {text, gzipped(text), zipped({{"a", text}})}) {
            const auto source = openSource(file("shared", packed));
            std::atomic<int> wrong{0};
            {
                std::vector<std::jthread> threads;
                for (unsigned seed = 0; seed < 4; ++seed) {
                    threads.emplace_back([&, seed] {
                        std::mt19937_64 random(seed);
                        for (int i = 0; i < 40; ++i) {
                            const std::uint64_t offset = random() % text.size();
                            if (at(*source, offset, 500) != text.substr(offset, 500))
                                ++wrong;
                        }
                    });
                }
                if (readAll(*source, 65536) != text)
                    ++wrong;
            }
            QCOMPARE(wrong.load(), 0);
        }
    }

    void whatIsCutOrDamagedIsToldAndTheBeginningIsKept_data()
    {
        QTest::addColumn<QByteArray>("packed");
        QTest::addColumn<int>("least");
        const std::string text = longText(500'000);
        const auto row = [&](const char *name, const std::string &packed, int least) { QTest::newRow(name) << QByteArray::fromStdString(packed) << least; };
        const auto damaged = [](std::string packed) {
            for (std::size_t i = 0; i < 40; ++i)
                packed[packed.size() / 2 + i] = static_cast<char>(packed[packed.size() / 2 + i] ^ 0x55);
            return packed;
        };
        const auto cut = [](const std::string &packed, std::size_t by) { return packed.substr(0, packed.size() - by); };
        row("gzip, half", cut(gzipped(text), gzipped(text).size() / 2), 100'000);
        row("gzip, without its checksum", cut(gzipped(text), 8), 499'000);
        row("gzip, without a part of its checksum", cut(gzipped(text), 3), 499'000);
        row("gzip, damaged", damaged(gzipped(text)), 100'000);
        row("gzip, second member cut", gzipped(text) + cut(gzipped(text), 3000), 500'000);
        row("gzip, only a header", gzipped(text).substr(0, 10), 0);
        row("gzip, only its magic", gzipped(text).substr(0, 2), 0);
        row("zstd, half", cut(zstdPacked(text), zstdPacked(text).size() / 2), 100'000);
        row("zstd, one byte short", cut(zstdPacked(text), 1), 100'000);
        row("zstd, second frame cut", zstdPacked(text) + cut(zstdPacked(text), 100), 500'000);
        row("zstd, only its magic", zstdPacked(text).substr(0, 4), 0);
        row("zstd, words behind it", zstdPacked(text) + "not zstd", 500'000);
    }
    void whatIsCutOrDamagedIsToldAndTheBeginningIsKept()
    {
        QFETCH(const QByteArray, packed);
        QFETCH(const int, least);
        const std::string text = longText(500'000);
        const auto source = openSource(file("cut", packed.toStdString()));
        bool isTruncated = false;
        const std::string got = readAll(*source, 4096, &isTruncated);
        QVERIFY(isTruncated);
        QVERIFY2(static_cast<int>(got.size()) >= least, std::to_string(got.size()).c_str());
        const std::size_t same = std::min({got.size(), text.size(), static_cast<std::size_t>(least)});
        QVERIFY(got.compare(0, same, text, 0, same) == 0);
        QVERIFY(at(*source, got.size() / 2, 100) == got.substr(got.size() / 2, 100));
        QVERIFY(at(*source, got.size(), 100).empty());
    }

    void brokenArchivesAreRefusedOrReadAsFarAsTheyGo()
    {
        const std::string zip = zipped({{"trace.json", longText(200'000)}});
        QVERIFY(errorOf(file("zip", zip.substr(0, zip.size() / 2))).contains(QStringLiteral("zip")));
        QVERIFY(errorOf(file("zip", zip.substr(0, 4))).contains(QStringLiteral("zip")));
        QVERIFY(errorOf(file("zip", zipped({{"folder/", ""}}))).contains(QStringLiteral("no file")));
        QVERIFY(errorOf(file("zip", zipped({{"._only", "side file"}}))).contains(QStringLiteral("no file")));
        std::mt19937_64 random(14);
        for (int i = 0; i < 300; ++i) {
            std::string broken = zip;
            for (int k = 0; k < 4; ++k)
                broken[4 + random() % (broken.size() - 4)] = static_cast<char>(random());
            if (i % 2 == 0) // the directory at the end is what decides
                broken[broken.size() - 1 - random() % 80] = static_cast<char>(random());
            try {
                const auto source = openSource(file("zip", broken));
                readAll(*source, 4096);
                at(*source, 1000, 1000);
            } catch (const ImportError &) {
            }
        }
    }

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

    void aPackedFileThatShrinksWhileItIsReadEndsEarly()
    {
        const std::string packed = gzipped(longText(5'000'000), 1);
        const std::string path = file("shrinking", packed);
        const auto source = openSource(path);
        const auto stream = source->open();
        std::vector<char> buffer(100'000);
        QCOMPARE(stream->read(buffer), buffer.size());
        std::filesystem::resize_file(path, packed.size() / 2);
        while (stream->read(buffer) != 0) {
        }
        QVERIFY(stream->isTruncated());
        QVERIFY(source->hasChanged());
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
