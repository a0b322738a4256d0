// SPDX-License-Identifier: GPL-3.0-or-later
// What a kernel computes, guessed from its name: what colours and groups. (Its class, which decides what adds up, is another matter.)
// The patterns stand in resources/kernel-families.txt, which says how they are written; users add their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ks {

enum class KernelFamily : std::uint8_t {
    Gemm,
    Attention,
    Convolution,
    Elementwise,
    Reduction,
    Normalization,
    Embedding,
    Optimizer,
    Communication,
    Copy,
    Other,
};
inline constexpr std::size_t kKernelFamilyCount = 11;

std::string_view kernelFamilyId(KernelFamily family); // "gemm", "attention" …: stable, for filters and the command line
std::optional<KernelFamily> kernelFamilyById(std::string_view id);

// A line of a file of patterns that does not do.
struct FamilyProblem
{
    std::size_t line = 0; // from 1
    std::string what;
};

// Patterns in their order.
class FamilyRules
{
public:
    FamilyRules();
    ~FamilyRules();
    FamilyRules(FamilyRules &&) noexcept;
    FamilyRules &operator=(FamilyRules &&) noexcept;

    // Adds the lines of a file, behind those there are. Lines that do not do are told and skipped.
    std::vector<FamilyProblem> add(std::string_view text);
    // None if no pattern fits. Cost: one search in the name per pattern, some microseconds.
    std::optional<KernelFamily> familyOf(std::string_view kernelName) const;

private:
    struct Rule;
    std::vector<Rule> m_rules;
};

// The rules of the program: its own, and before them those of the user. Cost: cache by NameId.
KernelFamily kernelFamilyOf(std::string_view kernelName);
// Reads the user's patterns. Call it before the first trace is opened: what is classified stays so. None of that path: no
// problem. `path` is usually userFamilyFile().
std::vector<FamilyProblem> useFamiliesOf(const std::string &path);
std::string userFamilyFile(); // kernel-families.txt in the configuration folder; "" if there is no such folder

} // namespace ks
