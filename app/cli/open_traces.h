// SPDX-License-Identifier: GPL-3.0-or-later
// Opens the traces of a command.
#pragma once

#include "app/cli/command.h"

#include <stdexcept>

namespace ks::cli {

// Exit code 3. what() is one line per trace that could not be opened, each "FILE: byte OFFSET: what is wrong".
class OpenFailed : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

// All of them, or OpenFailed. Warnings about a trace go to standard error, unless the command tells them or --quiet is given; so does
// progress, where standard error is a terminal.
std::vector<OpenTrace> openTraces(const Command &command, const Options &options);

} // namespace ks::cli
