// SPDX-License-Identifier: GPL-3.0-or-later
// Zip archives: libzip reads the directory and hands out the packed bytes of one member; unpacking is ours, so that it can be entered
// at checkpoints like every packed text.
#include "core/base/error.h"
#include "core/base/packed_source.h"

#include <zip.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace ks {
namespace {

// libzip reading from a File, so that both see the same bytes even when the path is replaced.
struct ArchiveReader
{
    std::shared_ptr<const File> file;
    std::uint64_t offset = 0;
    zip_error_t error{};

    static zip_int64_t call(void *self, void *data, zip_uint64_t length, zip_source_cmd_t command)
    {
        auto &reader = *static_cast<ArchiveReader *>(self);
        switch (command) {
        case ZIP_SOURCE_OPEN: reader.offset = 0; return 0;
        case ZIP_SOURCE_READ: {
            std::size_t got = 0;
            try {
                got = reader.file->readAt(reader.offset, {static_cast<char *>(data), static_cast<std::size_t>(length)});
            } catch (const SourceChanged &) {
                zip_error_set(&reader.error, ZIP_ER_READ, 0);
                return -1;
            }
            reader.offset += got;
            return static_cast<zip_int64_t>(got);
        }
        case ZIP_SOURCE_CLOSE: return 0;
        case ZIP_SOURCE_STAT: {
            auto *status = static_cast<zip_stat_t *>(data);
            zip_stat_init(status);
            status->size = reader.file->size();
            status->valid |= ZIP_STAT_SIZE;
            return sizeof(zip_stat_t);
        }
        case ZIP_SOURCE_ERROR: return zip_error_to_data(&reader.error, data, length);
        case ZIP_SOURCE_SEEK: {
            const zip_int64_t target =
                zip_source_seek_compute_offset(reader.offset, reader.file->size(), data, length, &reader.error);
            if (target < 0)
                return -1;
            reader.offset = static_cast<std::uint64_t>(target);
            return 0;
        }
        case ZIP_SOURCE_TELL: return static_cast<zip_int64_t>(reader.offset);
        case ZIP_SOURCE_SUPPORTS: return ZIP_SOURCE_SUPPORTS_SEEKABLE;
        case ZIP_SOURCE_FREE: delete &reader; return 0;
        default: zip_error_set(&reader.error, ZIP_ER_OPNOTSUPP, 0); return -1;
        }
    }
};

// One member of an archive as packed bytes.
class Member
{
public:
    explicit Member(const std::shared_ptr<const File> &file)
    {
        zip_error_t error;
        zip_error_init(&error);
        auto reader = std::make_unique<ArchiveReader>();
        reader->file = file;
        zip_error_init(&reader->error);
        zip_source_t *source = zip_source_function_create(&ArchiveReader::call, reader.get(), &error);
        if (source) {
            reader.release(); // freed with the source
            m_archive = zip_open_from_source(source, ZIP_RDONLY, &error);
            if (!m_archive)
                zip_source_free(source);
        }
        if (!m_archive) {
            const std::string why = zip_error_strerror(&error);
            zip_error_fini(&error);
            throw ImportError("the zip archive cannot be read: " + why, 0);
        }
        zip_error_fini(&error);
        choose();
        m_member = zip_fopen_index(m_archive, m_status.index, ZIP_FL_COMPRESSED);
        if (!m_member) {
            const std::string why = zip_strerror(m_archive);
            zip_discard(m_archive);
            throw ImportError("the trace in the zip archive cannot be read: " + why, 0);
        }
    }
    ~Member()
    {
        zip_fclose(m_member);
        zip_discard(m_archive);
    }
    Member(const Member &) = delete;
    Member &operator=(const Member &) = delete;

    bool isStored() const { return m_status.comp_method == ZIP_CM_STORE; }

    std::size_t readAt(std::uint64_t offset, std::span<char> into)
    {
        const std::lock_guard lock(m_mutex);
        if (offset != m_offset && zip_fseek(m_member, static_cast<zip_int64_t>(offset), SEEK_SET) != 0)
            return 0;
        m_offset = offset;
        const zip_int64_t got = zip_fread(m_member, into.data(), into.size());
        if (got <= 0)
            return 0;
        m_offset += static_cast<std::uint64_t>(got);
        return static_cast<std::size_t>(got);
    }

private:
    void choose()
    {
        const zip_int64_t count = zip_get_num_entries(m_archive, 0);
        bool found = false;
        for (zip_int64_t i = 0; i < count; ++i) {
            zip_stat_t status;
            if (zip_stat_index(m_archive, static_cast<zip_uint64_t>(i), 0, &status) != 0)
                continue;
            const std::string_view name = status.name;
            const std::string_view base = name.substr(name.rfind('/') + 1);
            if (base.empty() || base.starts_with("._") || name.starts_with("__MACOSX/") || base == ".DS_Store")
                continue;
            if (!found || status.size > m_status.size)
                m_status = status;
            found = true;
        }
        const bool readable = found && (m_status.comp_method == ZIP_CM_STORE || m_status.comp_method == ZIP_CM_DEFLATE)
                              && m_status.encryption_method == ZIP_EM_NONE;
        if (!readable) {
            zip_discard(m_archive);
            throw ImportError(found ? "the file in the zip archive is packed in a way that is not supported (only "
                                      "deflate without a password is)"
                                    : "the zip archive holds no file",
                              0);
        }
    }

    zip_t *m_archive = nullptr;
    zip_file_t *m_member = nullptr;
    zip_stat_t m_status{};
    std::mutex m_mutex;
    std::uint64_t m_offset = 0;
};

class StoredUnpacker final : public Unpacker
{
public:
    StoredUnpacker(PackedInput input, std::uint64_t offset)
        : m_input(std::move(input))
        , m_offset(offset)
    {}
    std::size_t read(std::span<char> into, const std::stop_token &) override
    {
        const std::size_t got = m_input(m_offset, into);
        m_offset += got;
        return got;
    }
    std::uint64_t packedBytesRead() const override { return m_offset; }
    bool isTruncated() const override { return false; }
    std::unique_ptr<Unpacker> clone() const override { return std::make_unique<StoredUnpacker>(m_input, m_offset); }
    std::size_t stateBytes() const override { return 0; }
    std::size_t heldBytes() const override { return sizeof(*this); }

private:
    PackedInput m_input;
    std::uint64_t m_offset;
};

} // namespace

std::shared_ptr<const ByteSource> openZip(const std::shared_ptr<const File> &file)
{
    const auto member = std::make_shared<Member>(file);
    const PackedInput input = [member](std::uint64_t offset, std::span<char> into) {
        return member->readAt(offset, into);
    };
    return std::make_shared<PackedSource>(file, Container::Zip, [member, input]() -> std::unique_ptr<Unpacker> {
        if (member->isStored())
            return std::make_unique<StoredUnpacker>(input, 0);
        return makeInflater(input, DeflateWrapper::None);
    });
}

} // namespace ks
