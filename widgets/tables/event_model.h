// SPDX-License-Identifier: GPL-3.0-or-later
// A list of events for Qt's views. Cells are made when they are looked at, so a list of millions costs nothing but the list, and what
// the views keep of each row.
#pragma once

#include "core/analysis/event_list.h"
#include "widgets/tables/growing_model.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace ks {

class EventModel : public GrowingModel
{
    Q_OBJECT
public:
    using Order = std::vector<std::uint32_t>;
    // What a lane is called.
    using LaneName = std::function<QString(const Trace &trace, LaneId lane)>;

    explicit EventModel(LaneName laneName, QObject *parent = nullptr);

    const EventList &events() const { return *m_events; }
    const Order &order() const { return *m_order; } // empty: as the list stands
    std::shared_ptr<const EventList> share() const { return m_events; }
    // Rows are the positions of the list in that order; an empty one leaves them as they stand.
    void setEvents(std::shared_ptr<const EventList> events, std::shared_ptr<const Order> order);

    void setMarked(std::optional<std::size_t> position); // stands out from the others; the view has to be painted again
    std::size_t position(int row) const;                 // in the list
    int rowOf(std::size_t position) const;               // looks through the order

    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    static bool isNumeric(EventColumn column);

private:
    QString text(std::size_t position, EventColumn column) const;

    LaneName m_laneName;
    std::shared_ptr<const EventList> m_events;
    std::shared_ptr<const Order> m_order;
    std::optional<std::size_t> m_marked;
};

} // namespace ks
