// SPDX-License-Identifier: GPL-3.0-or-later
// Panes on screen over random runs.
#pragma once

#include "tests/support/random_run.h"
#include "tests/support/table_text.h"
#include "widgets/panes/analysis_pane.h"

#include <QSignalSpy>
#include <QTest>

#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ks {

inline std::string shown(AnalysisPane &pane)
{
    return csvOf(pane.answer());
}

// Several traces are runs, or the ranks of one.
enum class Several { Runs, Ranks };

// A pane on screen over random runs, with its own state.
template<typename PaneType>
struct ShownPane
{
    template<typename... Arguments>
    ShownPane(int traces, Several several, Arguments &&...arguments)
        : pane(std::forward<Arguments>(arguments)..., state)
    {
        std::mt19937_64 random(7);
        for (int i = 0; i < traces; ++i) {
            TraceMaker run = randomRun(random);
            if (traces > 1 && several == Several::Ranks)
                run.rank(i, traces);
            state.traces().add(run.build());
        }
        state.setVisibleRange(state.traces().range());
        pane.resize(900, 400);
        pane.show();
    }
    bool wait()
    {
        return QTest::qWaitFor([this] { return pane.isUpToDate() && !pane.words().isEmpty(); }, 20'000);
    }
    // Waits for the next answer.
    template<typename Change>
    bool after(Change change)
    {
        QSignalSpy computed(&pane, &Pane::computed);
        change();
        return computed.count() > 0 || computed.wait(20'000);
    }
    const Trace &trace() const { return state.traces().at(0); }

    ViewState state;
    PaneType pane;
};

struct PaneFixture : ShownPane<AnalysisPane>
{
    explicit PaneFixture(std::string_view analysis, int traces = 1, Several several = Several::Runs)
        : ShownPane(traces, several, *findAnalysis(analysis))
    {}
    std::string expected(Scope scope = {}, std::string_view option = {}, std::string_view value = {}) const
    {
        const std::vector<RankTrace> ranks = {{state.traces().share(0), {}}};
        AnalysisOptions options(pane.analysis());
        if (!option.empty())
            options.set(option, std::string(value));
        return csvOf(pane.analysis().run({ranks, scope, options}));
    }
};

} // namespace ks
