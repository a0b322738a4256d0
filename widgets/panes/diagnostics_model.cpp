// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/diagnostics_model.h"

#include "core/base/format.h"
#include "widgets/state/to_qstring.h"
#include "widgets/state/trace_names.h"

#include <QCoreApplication>

#include <algorithm>

namespace ks {
namespace {

class Text
{
    Q_DECLARE_TR_FUNCTIONS(ks::Diagnostics)
};

QString severityText(Severity severity)
{
    switch (severity) {
    case Severity::Error: return Text::tr("error");
    case Severity::Warning: return Text::tr("warning");
    case Severity::Note: return Text::tr("note");
    }
    return {};
}

} // namespace

QString diagnosticTitle(DiagnosticKind kind)
{
    switch (kind) {
    case DiagnosticKind::Truncated: return Text::tr("File ends early");
    case DiagnosticKind::DamagedEvent: return Text::tr("Damaged events");
    case DiagnosticKind::TrailingData: return Text::tr("Data after the end");
    case DiagnosticKind::NoEvents: return Text::tr("No events");
    case DiagnosticKind::RepairedJson: return Text::tr("Repaired JSON");
    case DiagnosticKind::InvalidUtf8: return Text::tr("Invalid UTF-8");
    case DiagnosticKind::NegativeDuration: return Text::tr("Negative durations");
    case DiagnosticKind::UnmatchedBegin: return Text::tr("Events without an end");
    case DiagnosticKind::UnmatchedEnd: return Text::tr("Ends without a begin");
    case DiagnosticKind::MergedRanks: return Text::tr("Several ranks in one file");
    case DiagnosticKind::ClockSkew: return Text::tr("Clocks disagree");
    case DiagnosticKind::OutlierTime: return Text::tr("Times far from the rest");
    case DiagnosticKind::SkippedRecord: return Text::tr("Records not shown");
    case DiagnosticKind::NoCpuEvents: return Text::tr("No CPU events");
    case DiagnosticKind::OrphanKernel: return Text::tr("Work without a launch");
    case DiagnosticKind::Overlap: return Text::tr("Overlapping events");
    }
    return {};
}

QString diagnosticMeaning(DiagnosticKind kind)
{
    switch (kind) {
    case DiagnosticKind::Truncated: return Text::tr("Events after this point are missing; totals are too small.");
    case DiagnosticKind::DamagedEvent: return Text::tr("These events are left out; everything else is complete.");
    case DiagnosticKind::TrailingData: return Text::tr("What follows the end of the trace was not read.");
    case DiagnosticKind::NoEvents: return Text::tr("There is nothing to show.");
    case DiagnosticKind::RepairedJson: return Text::tr("The events are complete; their text was mended while reading.");
    case DiagnosticKind::InvalidUtf8: return Text::tr("Some names contain replacement characters; times are not affected.");
    case DiagnosticKind::NegativeDuration: return Text::tr("They are shown with duration 0; totals of their names are too small.");
    case DiagnosticKind::UnmatchedBegin: return Text::tr("They are drawn to the end of the trace; their durations are unknown.");
    case DiagnosticKind::UnmatchedEnd: return Text::tr("They began before the recording and are left out.");
    case DiagnosticKind::MergedRanks: return Text::tr("Launches are matched with kernels rank by rank.");
    case DiagnosticKind::ClockSkew: return Text::tr("Some device work seems to start before its launch; launch delays are too small.");
    case DiagnosticKind::OutlierTime: return Text::tr("The window opens on the main part; “Fit everything” shows all.");
    case DiagnosticKind::SkippedRecord: return Text::tr("These kinds of record carry nothing the timeline shows.");
    case DiagnosticKind::NoCpuEvents: return Text::tr("Kernels cannot be traced back to operators.");
    case DiagnosticKind::OrphanKernel: return Text::tr("This work counts where it lies and belongs to no operator.");
    case DiagnosticKind::Overlap: return Text::tr("They are shown in extra rows; nothing is lost.");
    }
    return {};
}

DiagnosticsModel::DiagnosticsModel(const TraceSet &traces, QObject *parent)
    : QAbstractTableModel(parent)
    , m_traces(traces)
{
    connect(&traces, &TraceSet::changed, this, [this] {
        beginResetModel();
        read();
        endResetModel();
    });
    read();
}

void DiagnosticsModel::read()
{
    m_entries.clear();
    for (std::uint32_t i = 0; i < m_traces.size(); ++i) {
        const QString file = traceName(m_traces, i);
        for (const Diagnostic &diagnostic : m_traces.at(i).diagnostics())
            m_entries.push_back({diagnostic, file});
    }
}

std::size_t DiagnosticsModel::problems() const
{
    return static_cast<std::size_t>(std::count_if(m_entries.begin(), m_entries.end(), [](const Entry &entry) {
        return severityOf(entry.diagnostic.kind) != Severity::Note;
    }));
}

int DiagnosticsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

int DiagnosticsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant DiagnosticsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Entry &entry = m_entries[static_cast<std::size_t>(index.row())];
    const Diagnostic &diagnostic = entry.diagnostic;
    if (role == Qt::TextAlignmentRole && (index.column() == Count || index.column() == FirstByte))
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        return QStringLiteral("%1 (%2)\n%3\n%4")
            .arg(diagnosticTitle(diagnostic.kind), severityText(severityOf(diagnostic.kind)), toQString(diagnostic.message),
                 diagnosticMeaning(diagnostic.kind));
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case Kind: return diagnosticTitle(diagnostic.kind);
    case Count: return toQString(formatCount(diagnostic.count));
    case FirstByte: return diagnostic.firstByte ? toQString(formatCount(*diagnostic.firstByte)) : QStringLiteral("–");
    case Message: return toQString(diagnostic.message);
    case Meaning: return diagnosticMeaning(diagnostic.kind);
    case File: return entry.file;
    default: return {};
    }
}

QVariant DiagnosticsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Kind: return tr("What");
    case Count: return tr("Count");
    case FirstByte: return tr("First at byte");
    case Message: return tr("What was found");
    case Meaning: return tr("What it means");
    case File: return tr("File");
    default: return {};
    }
}

} // namespace ks
