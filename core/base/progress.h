// SPDX-License-Identifier: GPL-3.0-or-later
// Progress of long work, and the way to stop it. Workers call throwIfStopped() at least every 64 k events or once a block.
// Thread-safe: several workers may report at once; the receiver is called on the reporting thread.
#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <functional>
#include <stop_token>

namespace ks {

struct ProgressReport
{
    std::uint64_t bytesDone = 0;
    std::uint64_t bytesTotal = 0; // of the file as stored; 0 if unknown (standard input)
    std::uint64_t records = 0;
    double share = 0; // of an analysis: 0 to 1, never going back
};

class Progress
{
public:
    Progress() = default;
    Progress(std::stop_token stop, std::function<void(const ProgressReport &)> receiver)
        : m_stop(std::move(stop))
        , m_receiver(std::move(receiver))
    {}

    const std::stop_token &stopToken() const { return m_stop; } // for what waits and must be woken
    bool isStopped() const { return m_stop.stop_requested(); }
    void throwIfStopped() const
    {
        if (isStopped())
            throw Cancelled();
    }
    void report(const ProgressReport &report) const
    {
        if (m_receiver)
            m_receiver(report);
    }

    // Of an analysis: how much of it is done, 0 to 1.
    void reportShare(double share) const
    {
        if (m_receiver)
            m_receiver({0, 0, 0, m_from + share * (m_to - m_from)});
    }
    // For a part of the work: its shares count from `from` to `to` of the whole.
    Progress part(double from, double to) const
    {
        Progress inner = *this;
        inner.m_from = m_from + from * (m_to - m_from);
        inner.m_to = m_from + to * (m_to - m_from);
        return inner;
    }

private:
    std::stop_token m_stop;
    std::function<void(const ProgressReport &)> m_receiver;
    double m_from = 0;
    double m_to = 1;
};

} // namespace ks
