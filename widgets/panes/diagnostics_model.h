// SPDX-License-Identifier: GPL-3.0-or-later
// What was odd about the open traces, one row per trace and kind.
#pragma once

#include "core/trace/diagnostics.h"
#include "widgets/state/trace_set.h"

#include <QAbstractTableModel>

#include <vector>

namespace ks {

class DiagnosticsModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { Kind, Count, FirstByte, Message, Meaning, File, ColumnCount };

    explicit DiagnosticsModel(const TraceSet &traces, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    // All kinds together: errors and warnings, without notes.
    std::size_t problems() const;

private:
    struct Entry
    {
        Diagnostic diagnostic;
        QString file;
    };

    void read();

    const TraceSet &m_traces;
    std::vector<Entry> m_entries;
};

QString diagnosticTitle(DiagnosticKind kind);   // "file ends early"
QString diagnosticMeaning(DiagnosticKind kind); // what it means for the numbers

} // namespace ks
