// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison as CI systems show it: a JUnit file with one test case a gate, a page of Markdown for a comment.
#pragma once

#include "core/analysis/compare.h"
#include "core/table/table.h"

#include <string>
#include <vector>

namespace ks::cli {

struct CompareReport
{
    std::string baseline; // names of the files
    std::string candidate;
    RunSummary before;
    RunSummary after;
    std::vector<Gate> gates;
    Table waterfall; // see waterfall.h
    Table rows;      // as compared
};

std::string junitText(const CompareReport &report);
std::string markdownText(const CompareReport &report);

} // namespace ks::cli
