// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/byte_source.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/packed_source.h"
#include "tests/support/pack.h"
#include "tests/support/qt_text.h"
#include "tests/support/source_text.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace ks;

class TstPackedSource : public QObject
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

    void whatIsPackedTwiceIsUnpackedTwice_data()
    {
        QTest::addColumn<QByteArray>("packed");
        QTest::addColumn<int>("container");
        const std::string text = longText(700'000);
        const auto row = [](const char *name, const std::string &packed, Container container) { QTest::newRow(name) << QByteArray::fromStdString(packed) << static_cast<int>(container); };
        row("gzip in zip", zipped({{"trace.json.gz", gzipped(text)}}), Container::Zip);
        row("gzip stored in zip", zipped({{"trace.json.gz", gzipped(text), true}}), Container::Zip);
        row("zstd in zip", zipped({{"trace.json.zst", zstdPacked(text)}, {"__MACOSX/._trace.json.zst", "side file"}}), Container::Zip);
        row("gzip in gzip", gzipped(gzipped(text)), Container::Gzip);
        row("gzip in zstd", zstdPacked(gzipped(text)), Container::Zstd);
    }
    void whatIsPackedTwiceIsUnpackedTwice()
    {
        QFETCH(const QByteArray, packed);
        QFETCH(const int, container);
        const std::string text = longText(700'000);
        const auto source = openSource(file("twice", packed.toStdString()));
        QCOMPARE(static_cast<int>(source->container()), container);
        QCOMPARE(source->storedBytes(), static_cast<std::uint64_t>(packed.size()));
        bool isTruncated = true;
        QVERIFY(readAll(*source, 5000, &isTruncated) == text);
        QVERIFY(!isTruncated);
        checkRandomReads(*source, text, 50);
        const auto cut = openSource(file("cut", packed.toStdString().substr(0, container == static_cast<int>(Container::Zip) ? std::string::npos : static_cast<std::size_t>(packed.size()) / 2)));
        if (container != static_cast<int>(Container::Zip)) {
            const std::string got = readAll(*cut, 5000, &isTruncated);
            QVERIFY(isTruncated && !got.empty() && text.starts_with(got));
        }
    }

    void aFrameToBeSkippedMayComeFirst()
    {
        const std::string text = longText(50'000);
        const std::string skipped("\x50\x2a\x4d\x18\x04\0\0\0abcd", 12);
        const auto source = openSource(file("pzstd", skipped + zstdPacked(text) + skipped));
        QVERIFY(source->container() == Container::Zstd);
        QVERIFY(readAll(*source, 4096) == text);
    }

    // One frame of any length: no read unpacks more than from the last checkpoint on.
    void readingAtRandomUnpacksLittle_data()
    {
        QTest::addColumn<bool>("isZstd");
        QTest::newRow("gzip") << false;
        QTest::newRow("zstd, one frame") << true;
    }
    void readingAtRandomUnpacksLittle()
    {
        QFETCH(const bool, isZstd);
        const std::string text = longText(std::size_t{100} << 20U);
        const std::string packed = isZstd ? zstdPacked(text, 18) : gzipped(text, 1);
        std::atomic<std::size_t> packedBytesRead{0};
        const PackedInput input = [&](std::uint64_t offset, std::span<char> into) {
            const std::size_t count = offset >= packed.size() ? 0 : std::min<std::size_t>(into.size(), packed.size() - offset);
            std::copy_n(packed.data() + offset, count, into.data());
            packedBytesRead += count;
            return count;
        };
        const PackedSource source(File::open(file("any", "bytes")), isZstd ? Container::Zstd : Container::Gzip, isZstd ? zstdStart(input) : gzipStart(input));
        QVERIFY(readAll(source, std::size_t{1} << 20U) == text);
        QVERIFY2(source.checkpointCount() >= 4, std::to_string(source.checkpointCount()).c_str());
        std::mt19937_64 random(17);
        for (int i = 0; i < 40; ++i) {
            const std::uint64_t offset = random() % text.size();
            packedBytesRead = 0;
            QVERIFY(at(source, offset, 700) == text.substr(offset, 700));
            // About a sixth of the text lies between two checkpoints.
            QVERIFY2(packedBytesRead < packed.size() / 3, std::to_string(packedBytesRead).c_str());
        }
    }

    void streamsOfOneZstdFrameDoNotDisturbEachOther()
    {
        const std::string text = longText(std::size_t{5} << 20U);
        const auto source = openSource(file("frame", zstdPacked(text, 17)));
        const auto slow = source->open();
        const auto fast = source->open();
        std::string slowText;
        std::string fastText;
        std::vector<char> buffer(300'000);
        std::mt19937_64 random(18);
        while (fastText.size() < text.size()) {
            slowText.append(buffer.data(), slow->read(std::span(buffer).first(50'000)));
            fastText.append(buffer.data(), fast->read(buffer));
            const std::uint64_t offset = random() % text.size();
            QVERIFY(at(*source, offset, 100) == text.substr(offset, 100));
        }
        QVERIFY(fastText == text);
        QVERIFY(slowText.size() > 500'000 && text.starts_with(slowText));
    }

    void checkpointsHoldABoundedAmountOfMemory()
    {
        class Zeros final : public Unpacker
        {
        public:
            std::size_t read(std::span<char> into, const std::stop_token &) override
            {
                const std::size_t count = std::min<std::size_t>(into.size(), (std::size_t{1} << 30U) - m_offset);
                m_offset += count;
                return count;
            }
            std::uint64_t packedBytesRead() const override { return m_offset; }
            bool isTruncated() const override { return false; }
            std::unique_ptr<Unpacker> clone() const override { return std::make_unique<Zeros>(*this); }
            std::size_t stateBytes() const override { return 0; }
            std::size_t heldBytes() const override { return std::size_t{5} << 20U; }

        private:
            std::size_t m_offset = 0;
        };
        const PackedSource source(File::open(file("any", "bytes")), Container::Gzip, [] { return std::make_unique<Zeros>(); });
        const auto stream = source.open();
        std::vector<char> buffer(std::size_t{1} << 20U);
        while (stream->read(buffer) != 0) {
        }
        QVERIFY2(source.checkpointCount() >= 6 && source.checkpointCount() <= 12, std::to_string(source.checkpointCount()).c_str());
    }

    void whatHoldsNoTextCanBeStopped()
    {
        std::string members;
        std::string frames;
        while (members.size() < 300'000) {
            members += gzipped("");
            frames += zstdPacked("");
        }
        for (const std::string &packed : {members, frames}) {
            const auto source = openSource(file("nothing", packed));
            std::vector<char> buffer(1000);
            QCOMPARE(source->open()->read(buffer), std::size_t{0});
            std::stop_source stop;
            stop.request_stop();
            QVERIFY_THROWS_EXCEPTION(Cancelled, source->open(stop.get_token())->read(buffer));
        }
    }

    void threadsReadAtOnce()
    {
        const std::string text = longText(2'000'000);
        for (const std::string &packed : {text, gzipped(text), zstdPacked(text, 17), zipped({{"a", text}}), zipped({{"a", gzipped(text)}})}) {
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
};

QTEST_APPLESS_MAIN(TstPackedSource)
#include "tst_packed_source.moc"
