// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a fuzz target over files, without libFuzzer, so that every preset runs the seeds and every input that once failed:
// replay FILE-or-DIRECTORY...
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size);

namespace {

int runFile(const std::filesystem::path &path)
{
    std::ifstream file(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    std::printf("%s, %zu bytes\n", path.c_str(), bytes.size());
    std::fflush(stdout); // the last line names the file that ends it
    LLVMFuzzerTestOneInput(reinterpret_cast<const unsigned char *>(bytes.data()), bytes.size());
    // Cut short at some places: what a killed process leaves.
    for (const std::size_t part : {1, 3, 7})
        LLVMFuzzerTestOneInput(reinterpret_cast<const unsigned char *>(bytes.data()), bytes.size() * part / 8);
    return 1;
}

} // namespace

int main(int argc, char **argv)
{
    int files = 0;
    for (int i = 1; i < argc; ++i) {
        if (!std::filesystem::is_directory(argv[i])) {
            files += runFile(argv[i]);
            continue;
        }
        for (const auto &entry : std::filesystem::directory_iterator(argv[i])) {
            if (entry.is_regular_file())
                files += runFile(entry.path());
        }
    }
    std::printf("%d files\n", files);
    return files > 0 ? 0 : 1;
}
