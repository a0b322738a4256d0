// SPDX-License-Identifier: GPL-3.0-or-later
// A file open for reading that notices when it is no longer the file it was: the one place that talks to the operating system about files.
#pragma once

#include "core/base/progress.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

namespace ks {

class File
{
public:
    // Regular files are read in place. Standard input ("-"), pipes and the like are copied to a nameless temporary file first, in $TMPDIR or
    // else /var/tmp or /tmp; that reports its progress and can be stopped at once, also while the other end says nothing.
    // Throws ImportError with one clear sentence, Cancelled.
    static std::shared_ptr<const File> open(const std::filesystem::path &path, const Progress &progress = {});

    ~File();
    File(const File &) = delete;
    File &operator=(const File &) = delete;

    std::uint64_t size() const { return m_size; }
    // Fills as much of `into` as there is. Thread-safe. Throws SourceChanged on a read error or when the file has shrunk.
    std::size_t readAt(std::uint64_t offset, std::span<char> into) const;
    // Was it changed, replaced or removed since it was opened? A copy of a pipe never is.
    bool hasChanged() const;
    void throwIfChanged() const; // SourceChanged

private:
    struct Identity;

    File() = default;

    int m_descriptor = -1;
    std::uint64_t m_size = 0;
    std::filesystem::path m_path; // empty for a temporary copy
    std::unique_ptr<const Identity> m_identity;
};

} // namespace ks
