// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps per trace how its lanes were arranged and what was noted on it, and brings it back when the trace is opened again,
// wherever it lies by then: a trace is known by its events, not by its path. Small files of JSON in the user's data folder,
// the kMostKept used last; nothing is written beside a trace. Without an arrangement or a note of one's own there is none.
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QTimer>

#include <map>
#include <set>

namespace ks {

class TimelineView;
class Trace;
class ViewState;
struct Track;

class KeptViews : public QObject
{
public:
    static constexpr int kMostKept = 500;

    KeptViews(ViewState &state, TimelineView &timeline, QObject *parent); // keeps references
    ~KeptViews() override;

    static QString folder();
    static QString fileOf(const Trace &trace); // whether it is there or not

private:
    void restore();
    void restoreNotes(const Track &track, const QJsonObject &kept);
    void note(); // what there is to keep now
    void write();
    QJsonObject viewOf(const Track &track) const;

    ViewState &m_state;
    TimelineView &m_timeline;
    std::set<std::uint32_t> m_known;           // generations that were brought back, whose changes are the user's
    QString m_firstPath;                       // of the trace whose ranges the notes are on
    std::map<QString, QByteArray> m_unwritten; // by file; empty: to be removed
    QTimer m_delay;
};

} // namespace ks
