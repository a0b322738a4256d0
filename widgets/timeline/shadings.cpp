// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/shadings.h"

#include "core/view/event_colours.h"
#include "widgets/jobs/background_release.h"

#include <algorithm>

namespace ks {
namespace {

std::shared_ptr<const LevelOfDetail> withRows(const Trace &trace, const std::shared_ptr<const LevelOfDetail> &before,
                                              std::span<const RowId> rows, const EventColours &colours,
                                              EventBits matching, const Progress &progress)
{
    std::vector<RowId> missing;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(missing),
                 [&before](RowId row) { return !before || !before->row(row); });
    if (before && missing.empty())
        return before;
    return std::make_shared<const LevelOfDetail>(before ? *before : LevelOfDetail(),
                                                 buildPyramids(trace, missing, colours, matching, progress));
}

} // namespace

Shadings::Shadings(const TrackList &tracks, RowsOnScreen rowsOnScreen, QObject *parent)
    : QObject(parent)
    , m_tracks(tracks)
    , m_rowsOnScreen(std::move(rowsOnScreen))
{}

void Shadings::sync()
{
    const auto &tracks = m_tracks.tracks();
    std::vector<std::shared_ptr<const Trace>> traces;
    std::vector<Matching> matching;
    Made shown;
    for (const Track &track : tracks) {
        const auto same = std::find(m_traces.begin(), m_traces.end(), track.trace);
        const auto at = static_cast<std::size_t>(same - m_traces.begin());
        traces.push_back(track.trace);
        matching.push_back(same == m_traces.end() ? nullptr : m_matching[at]);
        if (same != m_traces.end()) {
            shown.push_back(m_shown[at]);
        } else {
            Shading plain;
            plain.colours = std::make_shared<const EventColours>(needsColumn(m_mode) ? ColourMode::Family : m_mode);
            plain.levels = std::make_shared<const LevelOfDetail>();
            shown.push_back(std::make_shared<const Shading>(std::move(plain)));
        }
    }
    m_traces = std::move(traces);
    m_matching = std::move(matching);
    show(std::move(shown));
    restart();
}

void Shadings::setMode(ColourMode mode)
{
    if (mode == m_mode)
        return;
    m_mode = mode;
    restart();
}

void Shadings::setMatching(std::size_t track, Matching matching)
{
    if (track >= m_matching.size() || m_matching[track] == matching)
        return;
    m_matching[track] = std::move(matching);
    restart();
}

std::vector<Shadings::Source> Shadings::sources() const
{
    std::vector<Source> sources;
    for (std::size_t i = 0; i < m_traces.size(); ++i) {
        Source source;
        source.trace = m_traces[i];
        source.before = m_shown[i];
        source.matching = m_matching[i];
        const auto rows = source.trace->rows();
        std::vector<bool> taken(rows.size(), false);
        const auto take = [&](RowId row) {
            if (!taken[index(row)] && LevelOfDetail::isWorthIt(rows[index(row)]))
                source.rows.push_back(row);
            taken[index(row)] = true;
        };
        for (const RowId row : m_rowsOnScreen(m_tracks.tracks()[i]))
            take(row);
        source.onScreen = source.rows.size();
        for (std::size_t row = 0; row < rows.size(); ++row)
            take(static_cast<RowId>(row));
        sources.push_back(std::move(source));
    }
    return sources;
}

void Shadings::restart()
{
    m_job.cancel();
    std::vector<Source> all = sources();
    const bool isQuick = !needsColumn(m_mode) && std::all_of(all.begin(), all.end(), [](const Source &source) {
        return source.rows.empty();
    });
    if (!isQuick) {
        build(std::move(all), false);
        return;
    }
    Made made;
    for (Source &source : all) {
        Shading shading;
        shading.colours = std::make_shared<const EventColours>(m_mode);
        shading.levels = std::make_shared<const LevelOfDetail>();
        shading.matching = std::move(source.matching);
        made.push_back(std::make_shared<const Shading>(std::move(shading)));
    }
    show(std::move(made));
}

void Shadings::build(std::vector<Source> sources, bool everything)
{
    const bool isLast = everything || std::all_of(sources.begin(), sources.end(), [](const Source &source) {
                            return source.onScreen == source.rows.size();
                        });
    m_job.run(
        [sources, everything, mode = m_mode](const Progress &progress) {
            Made made;
            for (const Source &source : sources) {
                const std::span rows(source.rows.data(), everything ? source.rows.size() : source.onScreen);
                const bool sameColours = source.before->colours->mode() == mode;
                Shading shading;
                shading.colours =
                    sameColours ? source.before->colours
                                : std::make_shared<const EventColours>(eventColours(*source.trace, mode, progress));
                shading.levels = withRows(*source.trace, sameColours ? source.before->levels : nullptr, rows,
                                          *shading.colours, {}, progress);
                shading.matching = source.matching;
                if (source.matching)
                    shading.matchedLevels = withRows(*source.trace,
                                                     sameColours && source.before->matching == source.matching
                                                         ? source.before->matchedLevels
                                                         : nullptr,
                                                     rows, *shading.colours, *source.matching, progress);
                made.push_back(releasedInBackground(std::make_shared<const Shading>(std::move(shading))));
            }
            return made;
        },
        [this, sources, isLast](Made made) mutable {
            for (std::size_t i = 0; i < sources.size(); ++i)
                sources[i].before = made[i];
            show(std::move(made));
            if (!isLast)
                build(std::move(sources), true);
        },
        // A file that is gone gives no arguments to colour by: the picture stays.
        [](const JobError &) {});
}

void Shadings::show(Made made)
{
    m_shown = std::move(made);
    ++m_version;
    emit changed();
}

} // namespace ks
