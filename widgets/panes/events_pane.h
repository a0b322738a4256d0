// SPDX-License-Identifier: GPL-3.0-or-later
// Every event of what is selected, visible or filtered, one a row: a row is the event on the timeline and the other way round.
#pragma once

#include "widgets/panes/pane.h"
#include "widgets/tables/event_model.h"
#include "widgets/tables/rows_view.h"

namespace ks {

class EventsPane : public Pane
{
    Q_OBJECT
public:
    explicit EventsPane(ViewState &state, QWidget *parent = nullptr);
    ~EventsPane() override;

    EventModel &model() { return *m_model; }
    RowsView &view() { return *m_view; }
    bool isSorting() const { return m_sortJob.isRunning(); }

    QByteArray columns() const; // which are shown, how wide, in which order
    void setColumns(const QByteArray &columns);

signals:
    void columnsChanged();
    void sorted();

protected:
    void compute() override;
    void forget() override;
    bool hasRows() const override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    struct Sorting
    {
        EventColumn column = EventColumn::Start;
        bool ascending = true;
        friend bool operator==(const Sorting &, const Sorting &) = default;
    };
    struct Answer
    {
        std::shared_ptr<const EventList> events;
        std::shared_ptr<const EventModel::Order> order;
        TimeNs sum = 0;
    };
    static std::shared_ptr<const EventModel::Order> orderOf(const EventList &events, Sorting sorting,
                                                            const Progress &progress);

    void sortBy(int column);
    void showRows(Answer answer);
    void follow(const QModelIndex &index);
    void findSelection();
    void markHovered();
    std::optional<std::size_t> positionOf(std::optional<EventRef> event) const; // in the list
    EventRef refOf(int row) const;
    void showMenu(QPoint position);
    void showColumnMenu(QPoint position);
    void chooseExport();

    EventModel *m_model;
    RowsView *m_view;
    Question m_asked; // that the list answers
    Sorting m_sorting;
    JobSlot m_sortJob;
};

} // namespace ks
