// SPDX-License-Identifier: GPL-3.0-or-later
// The selected event as text, for the clipboard and for the filter. "" without a selected event.
#pragma once

#include "widgets/state/view_state.h"

#include <QString>

#include <optional>

namespace ks {

QString argumentsText(const ViewState &state); // as a JSON object
// The operator as a PyTorch script that measures it; "" if it is none. Throws SourceChanged.
QString benchmarkText(const ViewState &state, EventRef op);
// The operator that is selected, or that launched what is; none without one.
std::optional<EventRef> selectedOperator(const ViewState &state);
QString rowText(const ViewState &state);  // name, kind, lane, begin and duration in ns, tab-separated
QString nameTerm(const ViewState &state); // the filter that matches its name and nothing else

} // namespace ks
