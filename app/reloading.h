// SPDX-License-Identifier: GPL-3.0-or-later
// A trace that was recorded again: its file is read anew, what was selected and in view stays where the file still has it. When somebody
// comes back to the window, a file that changed on disk is noticed and reloading it offered.
#pragma once

#include "app/message_bar.h"
#include "app/trace_loader.h"
#include "widgets/state/view_state.h"

#include <QObject>

#include <cstdint>
#include <optional>
#include <vector>

namespace ks {

class Reloading : public QObject
{
    Q_OBJECT
public:
    Reloading(ViewState &state, TraceLoader &loader, MessageBar &messages, QObject *parent = nullptr);

    bool isPossible() const; // not while loading, and not what came through a pipe
    void reload();           // the trace of the selected event, else the baseline
    void offer();            // if a file changed on disk; once for each time it was opened

signals:
    void done();

private:
    void remember(std::uint32_t position);
    void restore(std::uint32_t position);

    // The selection of a trace that is being reloaded, as the file names it.
    struct Kept
    {
        std::uint32_t fileIndex = 0;
        NameId name = kNoName;
        TimeRange visibleRange;
    };

    ViewState &m_state;
    TraceLoader &m_loader;
    MessageBar &m_messages;
    std::optional<Kept> m_kept;
    std::vector<std::uint32_t> m_offered; // generations whose change was told
};

} // namespace ks
