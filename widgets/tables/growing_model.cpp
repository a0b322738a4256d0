// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tables/growing_model.h"

#include <algorithm>
#include <limits>

namespace ks {
namespace {

constexpr int kAtOnce = 250'000; // rows: a header takes some 7 ns for each

} // namespace

GrowingModel::GrowingModel(QObject *parent)
    : QAbstractTableModel(parent)
{
    connect(&m_growing, &QTimer::timeout, this, [this] { growTo(m_rows + kAtOnce - 1); });
}

int GrowingModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : m_rows;
}

void GrowingModel::setWhole(std::size_t rows)
{
    constexpr std::size_t kMost = std::numeric_limits<int>::max();
    m_whole = static_cast<int>(std::min(rows, kMost));
    m_rows = std::min(m_whole, std::max(m_rows, kAtOnce)); // as many as before cost nothing
    goOn();
}

void GrowingModel::goOn()
{
    if (m_rows == m_whole)
        m_growing.stop();
    else if (!m_growing.isActive())
        m_growing.start(0);
}

void GrowingModel::growTo(int row)
{
    const int last = std::min(row, m_whole - 1);
    if (last >= m_rows) {
        beginInsertRows({}, m_rows, last);
        m_rows = last + 1;
        endInsertRows();
    }
    goOn();
}

void GrowingModel::beginInsert(int row, int count)
{
    beginInsertRows({}, row, row + count - 1);
    m_change = count;
}

void GrowingModel::endInsert()
{
    m_rows += m_change;
    m_whole += m_change;
    endInsertRows();
}

void GrowingModel::beginRemove(int row, int count)
{
    beginRemoveRows({}, row, row + count - 1);
    m_change = count;
}

void GrowingModel::endRemove()
{
    m_rows -= m_change;
    m_whole -= m_change;
    endRemoveRows();
}

} // namespace ks
