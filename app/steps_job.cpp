// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/steps_job.h"

#include "core/analysis/step_table.h"

#include <memory>
#include <utility>
#include <vector>

namespace ks {

StepsJob::StepsJob(ViewState &state, const Settings &settings, QObject *parent)
    : QObject(parent)
    , m_state(state)
    , m_settings(settings)
{
    connect(&state, &ViewState::tracesChanged, this, &StepsJob::run);
    connect(&settings, &Settings::changed, this, [this](const QString &key) {
        if (key == Settings::stepsKey() || key == Settings::stepPatternKey())
            run();
    });
    run();
}

void StepsJob::run()
{
    m_job.cancel();
    const std::string pattern = m_settings.stepPattern().toStdString();
    m_state.setStepPattern(pattern);
    struct Wanted
    {
        std::uint32_t position;
        std::uint32_t generation;
        std::shared_ptr<const Trace> trace;
    };
    std::vector<Wanted> wanted;
    const TraceSet &traces = m_state.traces();
    for (std::uint32_t i = 0; i < traces.size(); ++i) {
        const auto own = traces.at(i).steps();
        // What the importer found is what "" means, and what "auto" prefers.
        if (pattern.empty() || (pattern == "auto" && own.size() > 1))
            m_state.setSteps(i, {own.begin(), own.end()});
        else
            wanted.push_back({i, traces.generation(i), traces.share(i)});
    }
    if (wanted.empty())
        return;
    m_job.run(
        [wanted, pattern](const Progress &progress) {
            std::vector<std::vector<Step>> steps;
            for (const Wanted &one : wanted) {
                progress.throwIfStopped();
                steps.push_back(stepsOf(*one.trace, pattern));
            }
            return steps;
        },
        [this, wanted](std::vector<std::vector<Step>> steps) {
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                const std::uint32_t position = wanted[i].position;
                if (position < m_state.traces().size() && m_state.traces().generation(position) == wanted[i].generation)
                    m_state.setSteps(position, std::move(steps[i]));
            }
        },
        [](const JobError &) {});
}

} // namespace ks
