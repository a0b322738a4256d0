// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/call_stacks.h"

#include "core/base/parse_number.h"
#include "core/table/table.h"
#include "core/trace/args.h"

#include <algorithm>
#include <map>
#include <optional>

namespace ks {
namespace {

constexpr std::size_t kBatch = 8192; // arguments of so many calls are held at once

// Frames of autograd and of the profiler's own tests are not shown: those that contain both words.
bool isShown(std::string_view frame)
{
    static constexpr std::pair<std::string_view, std::string_view> kHidden[] = {
        {"autograd/__init__", "_make_grads"},
        {"autograd/__init__", "backward"},
        {"torch/tensor", "backward"},
        {"_internal/common_utils", "prof_callable"},
        {"_internal/common_utils", "prof_func_call"},
        {"_internal/common_utils", "prof_meth_call"},
    };
    return std::none_of(std::begin(kHidden), std::end(kHidden), [frame](const auto &words) {
        return frame.find(words.first) != std::string_view::npos && frame.find(words.second) != std::string_view::npos;
    });
}

// The innermost frames as a JSON list.
std::string stackList(std::string_view frames, std::size_t most)
{
    std::vector<std::string_view> list;
    while (!frames.empty() && list.size() < most) {
        const std::size_t end = std::min(frames.find(';'), frames.size());
        const std::string_view frame = frames.substr(0, end);
        frames.remove_prefix(std::min(end + 1, frames.size()));
        if (!frame.empty() && isShown(frame))
            list.push_back(frame);
    }
    return jsonList(list);
}

std::optional<std::int64_t> integerOf(const Args &args, std::string_view key)
{
    const auto json = findArg(args, key);
    return json ? parseInteger(argText(*json)) : std::nullopt;
}

// Autograd's numbers of one call.
struct Autograd
{
    std::int64_t sequence = -1;
    std::int64_t forwardThread = 0; // small internal number of the thread, 0 = none
};

class StackReader
{
public:
    StackReader(const Trace &trace, const TorchNesting &nesting, std::size_t frames, TextNumbers &texts)
        : m_trace(trace)
        , m_nesting(nesting)
        , m_frames(frames)
        , m_texts(texts)
    {
        const std::size_t count = nesting.calls().size();
        m_stacks.assign(count, texts.numberOf("[]"));
        m_autograd.resize(count);
    }

    std::vector<std::uint32_t> read(const Progress &progress) &&
    {
        const std::vector<std::uint32_t> calls = callsToRead();
        std::vector<EventId> batch;
        for (std::size_t first = 0; first < calls.size(); first += kBatch) {
            progress.throwIfStopped();
            progress.reportShare(static_cast<double>(first) / static_cast<double>(calls.size()));
            const auto part = std::span(calls).subspan(first, std::min(kBatch, calls.size() - first));
            batch.clear();
            for (const std::uint32_t call : part)
                batch.push_back(m_nesting.calls()[call].event);
            const std::vector<Args> args = parseArgs(m_trace, batch);
            for (std::size_t i = 0; i < part.size(); ++i)
                take(part[i], args[i]);
        }
        giveForwardStacks();
        return std::move(m_stacks);
    }

private:
    // In order of the file.
    std::vector<std::uint32_t> callsToRead() const
    {
        std::vector<std::uint32_t> calls;
        for (std::uint32_t i = 0; i < m_nesting.calls().size(); ++i) {
            if (m_trace.kind(m_nesting.calls()[i].event) != EventKind::Launch)
                calls.push_back(i);
        }
        std::sort(calls.begin(), calls.end(), [this](std::uint32_t a, std::uint32_t b) {
            return m_trace.recordOffset(m_nesting.calls()[a].event) < m_trace.recordOffset(m_nesting.calls()[b].event);
        });
        return calls;
    }

    void take(std::uint32_t call, const Args &args)
    {
        if (const auto stack = findArg(args, "Call stack"))
            m_stacks[call] = m_texts.numberOf(stackList(argText(*stack), m_frames));
        m_autograd[call] = {integerOf(args, "Sequence number").value_or(-1),
                            integerOf(args, "Fwd thread id").value_or(0)};
    }

    bool isBackward(std::uint32_t call) const
    {
        const std::string_view name = m_trace.name(m_nesting.calls()[call].event);
        if (name == "torch::autograd::AccumulateGrad" || name == "struct torch::autograd::AccumulateGrad")
            return true;
        return m_autograd[call].forwardThread != 0 && !name.starts_with("autograd::engine::evaluate_function: ");
    }

    void giveForwardStacks()
    {
        const auto calls = m_nesting.calls();
        std::vector<std::uint32_t> backward(calls.size(),
                                            TorchNesting::kNone); // outermost first, so a nearer one replaces it
        for (std::uint32_t i = 0; i < calls.size(); ++i) {
            if (isBackward(i))
                backward[i] = i;
            else if (calls[i].parent != TorchNesting::kNone)
                backward[i] = backward[calls[i].parent];
        }
        std::map<std::pair<std::int64_t, LaneId>, std::uint32_t>
            forward; // sequence number and thread -> stack of the first call
        std::map<LaneId, std::uint64_t> numbered;
        for (std::size_t l = 0; l < m_trace.lanes().size(); ++l) {
            const auto lane = static_cast<LaneId>(l);
            for (std::uint32_t i = m_nesting.firstOfLane(lane); i < m_nesting.endOfLane(lane); ++i) {
                if (backward[i] != TorchNesting::kNone)
                    continue;
                forward.try_emplace({m_autograd[i].sequence, lane}, m_stacks[i]);
                if (m_autograd[i].sequence >= 0 && m_autograd[i].forwardThread == 0)
                    ++numbered[lane];
            }
        }
        const std::map<std::int64_t, LaneId> threads = lanesOfThreads(backward, numbered);
        const std::uint32_t none = m_texts.numberOf("[]");
        for (std::uint32_t i = 0; i < calls.size(); ++i) {
            if (backward[i] == TorchNesting::kNone)
                continue;
            const Autograd numbers = m_autograd[backward[i]];
            const auto thread = threads.find(numbers.forwardThread);
            const auto found =
                thread != threads.end() ? forward.find({numbers.sequence, thread->second}) : forward.end();
            m_stacks[i] = found != forward.end() ? found->second : none;
        }
    }

    // Which lane an internal thread number means: the one on which most of the forward mates of its backward calls
    // stand; without mates the lane with the most numbered forward calls.
    std::map<std::int64_t, LaneId> lanesOfThreads(const std::vector<std::uint32_t> &backward,
                                                  const std::map<LaneId, std::uint64_t> &numbered) const
    {
        std::map<std::int64_t, std::map<LaneId, std::uint64_t>> votes;
        for (std::uint32_t i = 0; i < backward.size(); ++i) {
            if (backward[i] != i || m_autograd[i].forwardThread == 0)
                continue;
            auto &ofThread = votes[m_autograd[i].forwardThread];
            const EventId mate = m_trace.forwardOf(m_nesting.calls()[i].event);
            if (mate != kNoEvent)
                ++ofThread[m_trace.lane(mate)];
        }
        const auto byVotes = [](const auto &a, const auto &b) { return a.second < b.second; };
        std::map<std::int64_t, LaneId> lanes;
        for (const auto &[thread, ofThread] : votes) {
            const auto &candidates = ofThread.empty() ? numbered : ofThread;
            const auto most = std::max_element(candidates.begin(), candidates.end(), byVotes);
            if (most != candidates.end())
                lanes[thread] = most->first;
        }
        return lanes;
    }

    const Trace &m_trace;
    const TorchNesting &m_nesting;
    std::size_t m_frames;
    TextNumbers &m_texts;
    std::vector<std::uint32_t> m_stacks; // by call
    std::vector<Autograd> m_autograd;    // by call
};

} // namespace

std::uint32_t TextNumbers::numberOf(std::string_view text)
{
    const auto known = m_numbers.find(text);
    if (known != m_numbers.end())
        return known->second;
    const auto number = static_cast<std::uint32_t>(m_texts.size());
    m_texts.emplace_back(text);
    m_numbers.emplace(m_texts.back(), number);
    return number;
}

std::vector<std::uint32_t> callStacks(const Trace &trace, const TorchNesting &nesting, std::size_t frames,
                                      TextNumbers &texts, const Progress &progress)
{
    return StackReader(trace, nesting, frames, texts).read(progress);
}

} // namespace ks
