// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kept_arrangement.h"

#include "widgets/state/to_qstring.h"

#include <QJsonArray>

#include <algorithm>

namespace ks {
namespace {

const QString kFolded = QStringLiteral("folded");
const QString kPython = QStringLiteral("python");
const QString kFullDepth = QStringLiteral("fullDepth");
const QString kHidden = QStringLiteral("hidden");
const QString kPitch = QStringLiteral("rowHeight");
const QString kHeight = QStringLiteral("height");
const QString kCauses = QStringLiteral("causesFolded");
const QString kOrder = QStringLiteral("order");
const QString kPinned = QStringLiteral("pinned");
const QString kLanes = QStringLiteral("lanes");
const QString kGroups = QStringLiteral("groups");
const QString kCurves = QStringLiteral("curves");

QString nameOf(const Trace &trace, LaneId id)
{
    const Lane &lane = trace.lane(id);
    return toQString(trace.processOf(lane).pid.text()) + QLatin1Char('/') + toQString(lane.tid.text())
           + QLatin1Char('/') + QString::number(static_cast<int>(lane.kind)) + QLatin1Char('/') + toQString(lane.name);
}

QString nameOf(const LaneGroup &group)
{
    return toQString(group.title);
}

QString nameOf(const LaneGroup &group, const CurveLane &curve)
{
    return nameOf(group) + QLatin1Char('/') + toQString(curve.name);
}

// Sets `key` of the object called `name`.
void set(QJsonObject &objects, const QString &name, const QString &key, const QJsonValue &value)
{
    QJsonObject object = objects.value(name).toObject();
    object.insert(key, value);
    objects.insert(name, object);
}

QJsonArray namesOf(const Trace &trace, const std::vector<LaneId> &lanes)
{
    QJsonArray names;
    for (const LaneId id : lanes)
        names.append(nameOf(trace, id));
    return names;
}

class Reader
{
public:
    Reader(const Trace &trace, const ViewIndex &index, const QJsonObject &json)
        : m_trace(trace)
        , m_index(index)
        , m_json(json)
    {}

    LaneArrangement read() const
    {
        LaneArrangement lanes;
        const QJsonObject ofLanes = m_json.value(kLanes).toObject();
        for (std::size_t i = 0; i < m_trace.lanes().size(); ++i) {
            const auto id = static_cast<LaneId>(i);
            const QJsonObject lane = ofLanes.value(nameOf(m_trace, id)).toObject();
            insertIf(lane.value(kFolded).toBool(), lanes.lanes, id);
            insertIf(lane.value(kPython).toBool(), lanes.python, id);
            insertIf(lane.value(kFullDepth).toBool(), lanes.fullDepth, id);
            insertIf(lane.value(kHidden).toBool(), lanes.hidden, id);
            if (lane.contains(kPitch))
                lanes.pitch[id] = std::clamp(lane.value(kPitch).toInt(), kLeastPitch, kGreatestPitch);
        }
        lanes.pinned = lanesNamed(m_json.value(kPinned).toArray());
        const QJsonObject ofGroups = m_json.value(kGroups).toObject();
        const QJsonObject ofCurves = m_json.value(kCurves).toObject();
        for (std::uint32_t g = 0; g < m_index.groups().size(); ++g) {
            const LaneGroup &group = m_index.groups()[g];
            const QJsonObject kept = ofGroups.value(nameOf(group)).toObject();
            insertIf(kept.value(kFolded).toBool(), lanes.groups, g);
            insertIf(kept.value(kCauses).toBool(), lanes.causes, g);
            if (kept.contains(kOrder))
                lanes.order[g] = lanesNamed(kept.value(kOrder).toArray()); // lanesInOrder() checks it
            for (const std::uint32_t c : group.curveLanes) {
                const QJsonObject curve = ofCurves.value(nameOf(group, m_index.curveLanes()[c])).toObject();
                insertIf(curve.value(kHidden).toBool(), lanes.hiddenCurves, c);
                if (curve.contains(kHeight))
                    lanes.curveHeight[c] =
                        std::clamp(curve.value(kHeight).toInt(), kLeastCurveHeight, kGreatestCurveHeight);
            }
        }
        return lanes;
    }

private:
    template<typename Id>
    static void insertIf(bool wanted, std::set<Id> &ids, Id id)
    {
        if (wanted)
            ids.insert(id);
    }

    std::vector<LaneId> lanesNamed(const QJsonArray &names) const
    {
        std::vector<LaneId> lanes;
        for (const QJsonValue &name : names) {
            for (std::size_t i = 0; i < m_trace.lanes().size(); ++i) {
                const auto id = static_cast<LaneId>(i);
                if (nameOf(m_trace, id) == name.toString() && std::find(lanes.begin(), lanes.end(), id) == lanes.end())
                    lanes.push_back(id);
            }
        }
        return lanes;
    }

    const Trace &m_trace;
    const ViewIndex &m_index;
    const QJsonObject &m_json;
};

} // namespace

QJsonObject arrangementToJson(const Trace &trace, const ViewIndex &index, const LaneArrangement &lanes)
{
    QJsonObject ofLanes, ofGroups, ofCurves;
    const auto setAll = [&](const std::set<LaneId> &ids, const QString &key) {
        for (const LaneId id : ids)
            set(ofLanes, nameOf(trace, id), key, true);
    };
    setAll(lanes.lanes, kFolded);
    setAll(lanes.python, kPython);
    setAll(lanes.fullDepth, kFullDepth);
    setAll(lanes.hidden, kHidden);
    for (const auto &[id, pitch] : lanes.pitch)
        set(ofLanes, nameOf(trace, id), kPitch, pitch);
    for (std::uint32_t g = 0; g < index.groups().size(); ++g) {
        const LaneGroup &group = index.groups()[g];
        if (lanes.groups.contains(g))
            set(ofGroups, nameOf(group), kFolded, true);
        if (lanes.causes.contains(g))
            set(ofGroups, nameOf(group), kCauses, true);
        if (const auto order = lanes.order.find(g); order != lanes.order.end())
            set(ofGroups, nameOf(group), kOrder, namesOf(trace, order->second));
        for (const std::uint32_t c : group.curveLanes) {
            const QString name = nameOf(group, index.curveLanes()[c]);
            if (lanes.hiddenCurves.contains(c))
                set(ofCurves, name, kHidden, true);
            if (const auto height = lanes.curveHeight.find(c); height != lanes.curveHeight.end())
                set(ofCurves, name, kHeight, height->second);
        }
    }
    return {{kLanes, ofLanes}, {kPinned, namesOf(trace, lanes.pinned)}, {kGroups, ofGroups}, {kCurves, ofCurves}};
}

LaneArrangement arrangementFromJson(const Trace &trace, const ViewIndex &index, const QJsonObject &json)
{
    return Reader(trace, index, json).read();
}

} // namespace ks
