// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/import.h"

#include "core/base/parallel.h"
#include "core/import/finish_trace.h"
#include "core/import/scan_file.h"

#include <new>
#include <system_error>

namespace ks {
namespace {

std::shared_ptr<const Trace> import(std::shared_ptr<const ByteSource> source, const std::string &name,
                                    const Progress &progress, const ImportOptions &options)
{
    const unsigned workers = workerCount(options.workers);
    ScannedFile file = scanFile(*source, options.blockBytes, workers, progress, options.memoryBytes);
    Metadata metadata;
    metadata.path = name;
    metadata.container = source->container();
    metadata.fileBytes = source->storedBytes();
    metadata.jsonBytes = file.textBytes;
    applyKeys(file.keys, metadata);
    return finishTrace(std::move(file), std::move(source), std::move(metadata), workers, progress);
}

// Whatever ends an import is told as an ImportError.
template<typename Work>
std::shared_ptr<const Trace> guarded(Work work)
{
    try {
        return work();
    } catch (const SourceChanged &error) {
        throw ImportError(error.what(), 0);
    } catch (const std::bad_alloc &) {
        throw ImportError("there is not enough memory to open the trace", 0);
    } catch (const std::system_error &error) {
        throw ImportError(std::string("the system does not allow it: ") + error.what(), 0);
    }
}

} // namespace

std::shared_ptr<const Trace> importTrace(const std::filesystem::path &path, const Progress &progress,
                                         const ImportOptions &options)
{
    return guarded([&] { return import(openSource(path, progress), path.string(), progress, options); });
}

std::shared_ptr<const Trace> importSource(std::shared_ptr<const ByteSource> source, const std::string &name,
                                          const Progress &progress, const ImportOptions &options)
{
    return guarded([&] { return import(std::move(source), name, progress, options); });
}

std::shared_ptr<const Trace> importText(std::string text, const Progress &progress, const ImportOptions &options)
{
    if (text.empty())
        throw ImportError("the file is empty", 0);
    return guarded([&] { return import(openMemory(std::move(text)), "(memory)", progress, options); });
}

} // namespace ks
