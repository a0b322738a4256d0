// SPDX-License-Identifier: GPL-3.0-or-later
// The box in the toolbar that lists the steps of the trace and shows the one in view. Choosing one zooms to it and selects it.
#pragma once

#include "widgets/state/view_state.h"

#include <QComboBox>

namespace ks {

class StepPicker : public QComboBox
{
    Q_OBJECT
public:
    explicit StepPicker(ViewState &state, QWidget *parent = nullptr);

    // The n-th step from 0, if there is one. Steps are those of the baseline trace.
    void goTo(std::size_t step);
    std::size_t stepCount() const;

private:
    void fill();
    void follow();

    ViewState &m_state;
};

} // namespace ks
