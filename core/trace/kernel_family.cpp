// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/kernel_family.h"

#include "core/base/name_match.h"
#include "core/trace/built_in_families.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace ks {
namespace {

constexpr std::array<std::string_view, kKernelFamilyCount> kIds = {
    "gemm",      "attention", "convolution",   "elementwise", "reduction", "normalization",
    "embedding", "optimizer", "communication", "copy",        "other"};

constexpr std::size_t kMostBytes = std::size_t{1} << 20U; // of a file of patterns

bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

void skipBlanks(std::string_view &text)
{
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
}

std::string lowered(std::string_view text)
{
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return lower;
}

// Takes what stands up to `end`; none if there is no such character.
std::optional<std::string_view> takeUpTo(std::string_view &text, char end)
{
    const std::size_t at = text.find(end);
    if (at == std::string_view::npos)
        return {};
    const std::string_view taken = text.substr(0, at);
    text.remove_prefix(at + 1);
    return taken;
}

} // namespace

struct FamilyRules::Rule
{
    KernelFamily family = KernelFamily::Other;
    std::string word; // lower case
    bool isAtStart = false;
    std::optional<NameMatch> regex;

    bool fits(std::string_view name, const std::string &lower) const
    {
        if (regex)
            return (*regex)(name);
        return isAtStart ? lower.starts_with(word) : lower.find(word) != std::string::npos;
    }
};

FamilyRules::FamilyRules() = default;
FamilyRules::~FamilyRules() = default;
FamilyRules::FamilyRules(FamilyRules &&) noexcept = default;
FamilyRules &FamilyRules::operator=(FamilyRules &&) noexcept = default;

std::vector<FamilyProblem> FamilyRules::add(std::string_view text)
{
    std::vector<FamilyProblem> problems;
    for (std::size_t number = 1; !text.empty(); ++number) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const auto problem = [&](std::string what) { problems.push_back({number, std::move(what)}); };
        skipBlanks(line);
        if (line.empty() || line.front() == '#')
            continue;
        std::optional<std::string_view> id = takeUpTo(line, ':');
        while (id && !id->empty() && isBlank(id->back()))
            id->remove_suffix(1);
        const std::optional<KernelFamily> family = id ? kernelFamilyById(*id) : std::nullopt;
        if (!family) {
            problem(id ? "'" + std::string(*id) + "' is no family" : "a line is FAMILY: PATTERN ...");
            continue;
        }
        std::vector<Rule> rules;
        bool isGood = true;
        for (skipBlanks(line); isGood && !line.empty() && line.front() != '#'; skipBlanks(line)) {
            const char first = line.front();
            Rule rule;
            rule.family = *family;
            if (first == '"' || first == '/') {
                line.remove_prefix(1);
                // A slash within an expression ends no pattern unless a blank or the end follows.
                std::size_t end = line.find(first);
                while (end != std::string_view::npos && end + 1 < line.size() && !isBlank(line[end + 1]))
                    end = line.find(first, end + 1);
                if (end == std::string_view::npos) {
                    problem(std::string("a pattern begins with ") + first + " and does not end");
                    isGood = false;
                    continue;
                }
                const std::string_view pattern = line.substr(0, end);
                line.remove_prefix(end + 1);
                if (first == '"') {
                    rule.word = lowered(pattern);
                } else if (const auto error = rule.regex.emplace().requirePattern(pattern)) {
                    problem("/" + std::string(pattern) + "/: " + *error);
                    isGood = false;
                    continue;
                }
            } else {
                const auto end = std::find_if(line.begin(), line.end(), isBlank);
                rule.word = lowered(line.substr(0, static_cast<std::size_t>(end - line.begin())));
                line.remove_prefix(rule.word.size());
                rule.isAtStart = first == '^';
                rule.word.erase(0, rule.isAtStart ? 1 : 0);
            }
            if (rule.regex || !rule.word.empty())
                rules.push_back(std::move(rule));
        }
        if (isGood && rules.empty())
            problem("no pattern");
        if (isGood)
            std::move(rules.begin(), rules.end(), std::back_inserter(m_rules));
    }
    return problems;
}

std::optional<KernelFamily> FamilyRules::familyOf(std::string_view kernelName) const
{
    const std::string name = lowered(kernelName);
    for (const Rule &rule : m_rules) {
        if (rule.fits(kernelName, name))
            return rule.family;
    }
    return {};
}

namespace {

struct ProgramRules
{
    FamilyRules user;
    FamilyRules builtIn;

    ProgramRules() { builtIn.add(kBuiltInFamilies); }
};

ProgramRules &programRules()
{
    static ProgramRules rules;
    return rules;
}

} // namespace

KernelFamily kernelFamilyOf(std::string_view kernelName)
{
    const ProgramRules &rules = programRules();
    if (const auto family = rules.user.familyOf(kernelName))
        return *family;
    return rules.builtIn.familyOf(kernelName).value_or(KernelFamily::Other);
}

std::vector<FamilyProblem> useFamiliesOf(const std::string &path)
{
    FamilyRules rules;
    std::vector<FamilyProblem> problems;
    if (std::ifstream file(path, std::ios::binary); !path.empty() && file) {
        std::string text(kMostBytes, '\0');
        file.read(text.data(), static_cast<std::streamsize>(text.size()));
        text.resize(static_cast<std::size_t>(file.gcount()));
        problems = rules.add(text);
    }
    programRules().user = std::move(rules);
    return problems;
}

std::string userFamilyFile()
{
    const auto valueOf = [](const char *name) {
        const char *value = std::getenv(name);
        return std::string(value ? value : "");
    };
    std::string folder = valueOf("XDG_CONFIG_HOME");
    if (folder.empty() && !valueOf("HOME").empty())
        folder = valueOf("HOME") + "/.config";
    return folder.empty() ? std::string() : folder + "/kinetoscope/kernel-families.txt";
}

std::string_view kernelFamilyId(KernelFamily family)
{
    return kIds[static_cast<std::size_t>(family)];
}

std::optional<KernelFamily> kernelFamilyById(std::string_view id)
{
    const auto found = std::find(kIds.begin(), kIds.end(), id);
    if (found == kIds.end())
        return {};
    return static_cast<KernelFamily>(found - kIds.begin());
}

} // namespace ks
