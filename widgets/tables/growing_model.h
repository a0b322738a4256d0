// SPDX-License-Identifier: GPL-3.0-or-later
// Rows for Qt's views, which keep something of each: they get to know many bit by bit, ten million within a tenth of a second.
#pragma once

#include <QAbstractTableModel>
#include <QTimer>

#include <cstddef>

namespace ks {

class GrowingModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    explicit GrowingModel(QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const final; // grows until it is wholeCount()
    int wholeCount() const { return m_whole; }
    void growTo(int row); // so that it is there, now

protected:
    void setWhole(std::size_t rows); // while the model is reset
    // The views know of the row before them. The caller changes its rows in between.
    void beginInsert(int row, int count);
    void endInsert();
    void beginRemove(int row, int count);
    void endRemove();

private:
    void goOn();

    int m_rows = 0; // that the views know of
    int m_whole = 0;
    int m_change = 0;
    QTimer m_growing;
};

} // namespace ks
