// SPDX-License-Identifier: GPL-3.0-or-later
// How the lanes are coloured and what a filter dims: one value per trace, which drawing takes as it is. What takes
// longer than a frame (colours that need links or arguments, pyramids of dense rows) is made on a worker, the rows on
// screen first; until then the old picture stays.
#pragma once

#include "core/view/level_of_detail.h"
#include "widgets/jobs/job_slot.h"
#include "widgets/timeline/track_list.h"

#include <QObject>

#include <functional>
#include <memory>
#include <vector>

namespace ks {

using Matching = std::shared_ptr<const std::vector<std::uint64_t>>; // a bit per event; null: everything matches

struct Shading
{
    std::shared_ptr<const EventColours> colours;
    std::shared_ptr<const LevelOfDetail> levels;
    Matching matching;
    std::shared_ptr<const LevelOfDetail> matchedLevels; // with `matching`
};

class Shadings : public QObject
{
    Q_OBJECT
public:
    using RowsOnScreen = std::function<std::vector<RowId>(const Track &)>;
    Shadings(const TrackList &tracks, RowsOnScreen rowsOnScreen, QObject *parent = nullptr);

    // By track, as many as there were at the last sync().
    const std::vector<std::shared_ptr<const Shading>> &shown() const { return m_shown; }
    std::uint64_t version() const { return m_version; } // grows with every change of shown()

    void sync(); // traces came or went
    void setMode(ColourMode mode);
    ColourMode mode() const { return m_mode; } // wanted; shown() follows
    void setMatching(std::size_t track, Matching matching);
    bool isWorking() const { return m_job.isRunning(); }

signals:
    void changed(); // shown() is another

private:
    struct Source // what a worker needs of a track
    {
        std::shared_ptr<const Trace> trace;
        std::vector<RowId> rows;  // in the order in which they are wanted
        std::size_t onScreen = 0; // so many of them come first
        std::shared_ptr<const Shading> before;
        Matching matching;
    };
    using Made = std::vector<std::shared_ptr<const Shading>>;

    std::vector<Source> sources() const;
    void restart();
    void build(std::vector<Source> sources, bool everything);
    void show(Made made);

    const TrackList &m_tracks;
    RowsOnScreen m_rowsOnScreen;
    std::vector<std::shared_ptr<const Trace>> m_traces; // by track
    std::vector<Matching> m_matching;                   // wanted, by track
    ColourMode m_mode = ColourMode::Family;
    Made m_shown;
    std::uint64_t m_version = 0;
    JobSlot m_job;
};

} // namespace ks
