// SPDX-License-Identifier: GPL-3.0-or-later
// The language of the filter box, of Find and of `search --where`.
//
//   gemm                      part of the name, in any case; "with blanks" in quotes
//   /^aten::.*mm$/            regular expression (ECMAScript) found in the name
//   kind:kernel dur > 100us   field:value and field OP value with == != < <= > >=; terms side by side must all hold
//   a and (b or not c)        words in any case; not binds closest, then and, then or
//
// Fields of text: name cat lane op module shape dtype arg.KEY (arg."External id").
//   `:` is part of the text in any case, == the whole text as it is; * stands for anything, the whole text must then
//   fit. shape:[32,*,56] is one tensor of these dimensions. op and module: the innermost operator and nn.Module around
//   the event, or around the launch of device work.
// Fields of numbers: thread stream device rank step, and with units dur self delay start (500ns 1.5ms; without a unit
//   ns; start as printed, with a unit since the start of the trace). thread also takes part of a thread's name. step is
//   the one the event, or its launch, starts in; delay goes from the end of the launch to the start of the work, not
//   negative. arg.KEY compares numbers where both are numbers (64MiB, 100us).
// kind is one of the kinds of `dump`. field:* asks whether there is a value; without one no comparison holds, not even
// !=.
#pragma once

#include "core/analysis/scope.h"
#include "core/base/bits.h"
#include "core/base/progress.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ks {

// what() is a sentence that names the column; column counts characters from 1.
class FilterError : public std::runtime_error
{
public:
    FilterError(const std::string &what, std::size_t column)
        : std::runtime_error("column " + std::to_string(column) + ": " + what)
        , m_column(column)
    {}

    std::size_t column() const { return m_column; }

private:
    std::size_t m_column;
};

struct FilterNode;

// What the fields rank and step go by.
struct FilterContext
{
    std::optional<std::int64_t> rank;
    std::string stepPattern; // see Scope
};

// Which arguments are read, and in which order; what needs none is not concerned.
struct ArgumentReading
{
    // Only of events that touch this range, of what launched device work in it and what encloses that, and of what such events
    // launched: nothing else can count there. The others do not match.
    std::optional<TimeRange> only;
    std::optional<TimeRange> first; // of events in that range before all others
    // What matches so far: once those are done, and at growing intervals from then on. On the thread of the caller.
    std::function<void(const Bits &matches)> found;
};

class Filter
{
public:
    // Blank text lets everything pass. Throws FilterError.
    static Filter parse(std::string_view text);

    bool letsAllPass() const { return !m_root; }
    bool readsArguments() const; // does it ask for any?
    // By EventId: does it match? Names, categories and lanes are looked at once each; arguments are read only of events
    // that nothing else decides, in the order of the file. Cost: about 1 ns an event for names, categories, kinds and
    // durations, some 10 ns for what lies around an event, about a microsecond for each event whose arguments are read.
    // Throws SourceChanged, Cancelled.
    Bits matches(const Trace &trace, const FilterContext &context = {}, const Progress &progress = {},
                 const ArgumentReading &reading = {}) const;

private:
    std::shared_ptr<const FilterNode> m_root;
};

// `text` as one text of the language, whatever it holds: in quotes.
std::string quotedForFilter(std::string_view text);

// For Scope::events; null if the filter lets everything pass. Of other traces nothing matches. stepPattern: see Scope. With the `parts`
// of the scope no more arguments are read than the analyses of one run need for these.
std::shared_ptr<const EventSet> matchingEvents(const Filter &filter, std::span<const RankTrace> traces,
                                               const std::string &stepPattern = {}, const Progress &progress = {},
                                               std::span<const Scope::Part> parts = {});

} // namespace ks
