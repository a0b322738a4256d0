// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/trace_loader.h"

#include "core/import/import.h"
#include "widgets/jobs/background_release.h"
#include "widgets/state/to_qstring.h"

#include <QFile>

namespace ks {

TraceLoader::TraceLoader(TraceSet &traces, QObject *parent)
    : QObject(parent)
    , m_traces(traces)
{
    connect(&m_job, &JobSlot::progressChanged, this, &TraceLoader::progressChanged);
}

void TraceLoader::open(const QStringList &paths)
{
    if (paths.isEmpty())
        return;
    m_waiting.clear();
    for (const QString &path : paths)
        m_waiting.push_back({path, m_waiting.empty() ? Mode::Replace : Mode::Add, 0, 0});
    next();
}

void TraceLoader::add(const QStringList &paths)
{
    for (const QString &path : paths)
        m_waiting.push_back({path, m_traces.isEmpty() && m_waiting.empty() && !isLoading() ? Mode::Replace : Mode::Add, 0, 0});
    if (!isLoading())
        next();
}

void TraceLoader::reload(std::uint32_t position)
{
    if (position >= m_traces.size())
        return;
    m_waiting.push_back({toQString(m_traces.at(position).metadata().path), Mode::Reload, position, m_traces.generation(position)});
    if (!isLoading())
        next();
}

void TraceLoader::cancel()
{
    m_waiting.clear();
    if (!isLoading())
        return;
    m_job.cancel();
    m_current = {};
    emit loadingChanged();
}

void TraceLoader::next()
{
    if (m_waiting.empty()) {
        m_current = {};
        emit loadingChanged();
        return;
    }
    m_current = m_waiting.front();
    m_waiting.pop_front();
    const std::filesystem::path path(QFile::encodeName(m_current.path).toStdString());
    m_job.run(
        [path](const Progress &progress) {
            Opened opened;
            opened.trace = releasedInBackground<Trace>(importTrace(path, progress));
            progress.throwIfStopped();
            opened.index = releasedInBackground(std::make_shared<const ViewIndex>(*opened.trace));
            return opened;
        },
        [this, request = m_current](Opened opened) {
            deliver(request, std::move(opened));
            next();
        },
        [this, request = m_current](const JobError &error) {
            // The others would have been added to this one: the first of them takes its place.
            if (request.mode == Mode::Replace && !m_waiting.empty())
                m_waiting.front().mode = Mode::Replace;
            emit failed(request.path, error);
            next();
        });
    emit loadingChanged();
}

void TraceLoader::deliver(const Request &request, Opened opened)
{
    switch (request.mode) {
    case Mode::Replace:
        m_traces.replaceAll(std::move(opened.trace), std::move(opened.index));
        emit loaded(request.path, 0, true);
        break;
    case Mode::Add: {
        const std::uint32_t position = m_traces.add(std::move(opened.trace), std::move(opened.index));
        emit loaded(request.path, position, false);
        break;
    }
    case Mode::Reload:
        // Closed or replaced meanwhile: nobody wants it any more.
        if (request.position < m_traces.size() && m_traces.generation(request.position) == request.generation) {
            m_traces.replace(request.position, std::move(opened.trace), std::move(opened.index));
            emit reloaded(request.position);
        }
        break;
    }
}

} // namespace ks
