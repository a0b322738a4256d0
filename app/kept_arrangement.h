// SPDX-License-Identifier: GPL-3.0-or-later
// How the lanes of a trace were arranged, as JSON. Lanes, groups and curves go by what the file calls them, not by their
// positions, so that it still fits when a later version orders them differently; what is not there any more is left out.
#pragma once

#include "core/view/lane_layout.h"

#include <QJsonObject>

namespace ks {

// Without LaneArrangement::only, which is for now.
QJsonObject arrangementToJson(const Trace &trace, const ViewIndex &index, const LaneArrangement &lanes);
LaneArrangement arrangementFromJson(const Trace &trace, const ViewIndex &index, const QJsonObject &json);

} // namespace ks
