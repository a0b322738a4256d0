#include "core/base/version.h"

#include <cstdio>
#include <string_view>

int main(int argc, char **argv)
{
    if (argc == 2 && std::string_view(argv[1]) == "--version") {
        std::printf("kinetoscope-cli %s\n", ks::versionText());
        return 0;
    }
    std::fprintf(stderr, "kinetoscope-cli: no commands yet\n");
    return 2;
}
