// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/step_picker.h"

#include "core/base/format.h"
#include "widgets/state/to_qstring.h"

#include <algorithm>

namespace ks {

StepPicker::StepPicker(ViewState &state, QWidget *parent)
    : QComboBox(parent)
    , m_state(state)
{
    setObjectName(QStringLiteral("stepPicker"));
    setAccessibleName(tr("Step"));
    setToolTip(tr("Zoom to a step of the training loop"));
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(18);
    setMaxVisibleItems(24);
    connect(this, &QComboBox::activated, this, [this](int item) {
        if (item > 0)
            goTo(static_cast<std::size_t>(item - 1));
        else
            m_state.setVisibleRange(m_state.traces().mainRange());
    });
    connect(&m_state, &ViewState::tracesChanged, this, &StepPicker::fill);
    connect(&m_state, &ViewState::stepsChanged, this, &StepPicker::fill);
    connect(&m_state, &ViewState::visibleRangeChanged, this, &StepPicker::follow);
    fill();
}

std::size_t StepPicker::stepCount() const
{
    const TraceSet &traces = m_state.traces();
    return traces.isEmpty() ? 0 : m_state.steps(traces.baseline()).size();
}

void StepPicker::goTo(std::size_t step)
{
    if (step >= stepCount())
        return;
    const TraceSet &traces = m_state.traces();
    const Step &chosen = m_state.steps(traces.baseline())[step];
    m_state.select(traces.ref(traces.baseline(), chosen.event));
    m_state.setVisibleRange(traces.toViewTime(traces.baseline(), chosen.range));
}

void StepPicker::fill()
{
    clear();
    const TraceSet &traces = m_state.traces();
    if (stepCount() == 0) {
        addItem(tr("No steps"));
        setEnabled(false);
        return;
    }
    setEnabled(true);
    addItem(tr("All steps"));
    const Trace &trace = traces.at(traces.baseline());
    for (const Step &step : m_state.steps(traces.baseline()))
        addItem(QStringLiteral("%1   %2").arg(toQString(trace.name(step.event)),
                                              toQString(formatDuration(step.range.duration()))));
    follow();
}

// Shows the step that fills more than half of the view, else "all".
void StepPicker::follow()
{
    if (stepCount() == 0)
        return;
    const TraceSet &traces = m_state.traces();
    const TimeRange view = traces.toTraceTime(traces.baseline(), m_state.visibleRange());
    const auto steps = m_state.steps(traces.baseline());
    int item = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const TimeRange inside = steps[i].range.clampedTo(view);
        if (steps[i].range.intersects(view) && inside.duration() > view.duration() / 2) {
            item = static_cast<int>(i) + 1;
            break;
        }
    }
    setCurrentIndex(item);
}

} // namespace ks
