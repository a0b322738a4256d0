// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kept_views.h"

#include "app/kept_arrangement.h"
#include "widgets/state/to_qstring.h"
#include "widgets/state/view_state.h"
#include "widgets/timeline/timeline_view.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSaveFile>
#include <QStandardPaths>

#include <algorithm>

namespace ks {
namespace {

constexpr int kFormat = 1;
constexpr int kDelayMs = 400;
constexpr qint64 kMostBytes = 4 << 20; // larger is not ours

const QString kVersion = QStringLiteral("version");
const QString kArrangement = QStringLiteral("arrangement");
const QString kNotes = QStringLiteral("notes");
const QString kEvent = QStringLiteral("event");
const QString kName = QStringLiteral("name");
const QString kBegin = QStringLiteral("begin");
const QString kEnd = QStringLiteral("end");
const QString kText = QStringLiteral("text");

// JSON numbers are doubles: times would lose their last digits.
QString numberText(TimeNs t)
{
    return QString::number(t);
}

QJsonObject readKept(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly) || file.size() > kMostBytes)
        return {};
    const QJsonObject kept = QJsonDocument::fromJson(file.readAll()).object();
    return kept.value(kVersion).toInt() == kFormat ? kept : QJsonObject();
}

} // namespace

KeptViews::KeptViews(ViewState &state, TimelineView &timeline, QObject *parent)
    : QObject(parent)
    , m_state(state)
    , m_timeline(timeline)
{
    m_delay.setSingleShot(true);
    m_delay.setInterval(kDelayMs);
    connect(&m_delay, &QTimer::timeout, this, &KeptViews::write);
    connect(&state, &ViewState::tracesChanged, this, &KeptViews::restore);
    connect(&state, &ViewState::notesChanged, this, &KeptViews::note);
    connect(&timeline, &TimelineView::arrangementChanged, this, &KeptViews::note);
}

KeptViews::~KeptViews()
{
    write();
}

QString KeptViews::folder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/views");
}

QString KeptViews::fileOf(const Trace &trace)
{
    QCryptographicHash hash(QCryptographicHash::Sha1);
    const auto add = [&hash](std::int64_t number) {
        hash.addData(QByteArray::number(static_cast<qlonglong>(number)) + ' ');
    };
    add(static_cast<std::int64_t>(trace.eventCount()));
    add(static_cast<std::int64_t>(trace.lanes().size()));
    add(static_cast<std::int64_t>(trace.fileTime(trace.range().begin)));
    add(static_cast<std::int64_t>(trace.fileTime(trace.range().end)));
    // Some events on the way, so that runs of one program that begin at 0 are told apart.
    constexpr std::size_t kSamples = 64;
    for (std::size_t i = 0; i < std::min(kSamples, trace.eventCount()); ++i) {
        const auto event = static_cast<EventId>(i * trace.eventCount() / std::min(kSamples, trace.eventCount()));
        const std::string_view name = trace.name(event);
        hash.addData(QByteArrayView(name.data(), static_cast<qsizetype>(name.size())));
        add(trace.begin(event));
        add(trace.duration(event));
    }
    return folder() + QLatin1Char('/') + QString::fromLatin1(hash.result().toHex()) + QStringLiteral(".json");
}

void KeptViews::restore()
{
    write();                                          // a trace may come back at once
    const auto tracks = m_timeline.tracks().tracks(); // bringing back changes them
    std::set<std::uint32_t> known;
    for (const Track &track : tracks) {
        known.insert(track.generation);
        if (m_known.contains(track.generation))
            continue;
        const QJsonObject kept = readKept(fileOf(*track.trace));
        if (kept.contains(kArrangement))
            m_timeline.setArrangement(
                track.position, arrangementFromJson(*track.trace, *track.index, kept.value(kArrangement).toObject()));
        restoreNotes(track, kept);
    }
    m_known = std::move(known);
}

void KeptViews::restoreNotes(const Track &track, const QJsonObject &kept)
{
    std::vector<Note> notes = m_state.notes();
    const QString path = toQString(track.trace->metadata().path);
    if (track.position == 0 && path != m_firstPath) // ranges noted on another trace mean nothing here
        std::erase_if(notes, [](const Note &note) { return !note.event; });
    if (track.position == 0)
        m_firstPath = path;
    const QJsonArray array = kept.value(kNotes).toArray();
    for (const QJsonValue &value : array) {
        const QJsonObject object = value.toObject();
        Note note;
        note.text = object.value(kText).toString();
        if (object.contains(kEvent)) {
            const EventId event =
                track.trace->eventAtFileIndex(static_cast<std::uint32_t>(object.value(kEvent).toDouble()));
            if (event == kNoEvent || toQString(track.trace->name(event)) != object.value(kName).toString())
                continue;
            note.event = track.ref(event);
            note.range = m_state.traces().range(*note.event);
        } else {
            note.range = {saturatingAdd(object.value(kBegin).toString().toLongLong(), track.offset),
                          saturatingAdd(object.value(kEnd).toString().toLongLong(), track.offset)};
        }
        if (!note.text.isEmpty() && std::find(notes.begin(), notes.end(), note) == notes.end())
            notes.push_back(std::move(note));
    }
    m_state.setNotes(std::move(notes));
}

QJsonObject KeptViews::viewOf(const Track &track) const
{
    QJsonObject view;
    LaneArrangement lanes = track.lanes;
    lanes.only.reset();
    if (lanes != defaultArrangement(*track.trace, *track.index))
        view.insert(kArrangement, arrangementToJson(*track.trace, *track.index, lanes));
    QJsonArray notes;
    for (const Note &note : m_state.notes()) {
        QJsonObject object{{kText, note.text}};
        if (note.event) {
            if (m_timeline.tracks().trackOf(*note.event) != &track)
                continue;
            object.insert(kEvent, static_cast<qint64>(track.trace->fileIndex(note.event->event)));
            object.insert(kName, toQString(track.trace->name(note.event->event)));
        } else {
            if (track.position != 0)
                continue;
            object.insert(kBegin, numberText(saturatingSubtract(note.range.begin, track.offset)));
            object.insert(kEnd, numberText(saturatingSubtract(note.range.end, track.offset)));
        }
        notes.append(object);
    }
    if (!notes.isEmpty())
        view.insert(kNotes, notes);
    return view;
}

void KeptViews::note()
{
    for (const Track &track : m_timeline.tracks().tracks()) {
        // A trace that goes takes its notes along: that is no change of a person's.
        const bool isOpen =
            track.position < m_state.traces().size() && m_state.traces().generation(track.position) == track.generation;
        if (!isOpen || !m_known.contains(track.generation))
            continue;
        QJsonObject view = viewOf(track);
        QByteArray bytes;
        if (!view.isEmpty()) {
            view.insert(kVersion, kFormat);
            bytes = QJsonDocument(view).toJson(QJsonDocument::Indented);
        }
        m_unwritten[fileOf(*track.trace)] = bytes;
    }
    m_delay.start();
}

void KeptViews::write()
{
    m_delay.stop();
    if (m_unwritten.empty() || !QDir().mkpath(folder()))
        return;
    for (const auto &[path, bytes] : m_unwritten) {
        if (bytes.isEmpty()) {
            QFile::remove(path);
            continue;
        }
        QSaveFile file(path);
        if (file.open(QIODevice::WriteOnly)) {
            file.write(bytes);
            file.commit(); // a full disk loses an arrangement, no more
        }
    }
    m_unwritten.clear();
    const QStringList files = QDir(folder()).entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Time);
    for (qsizetype i = kMostKept; i < files.size(); ++i)
        QFile::remove(folder() + QLatin1Char('/') + files[i]);
}

} // namespace ks
