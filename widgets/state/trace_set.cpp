// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/state/trace_set.h"

namespace ks {

TraceSet::TraceSet(QObject *parent)
    : QObject(parent)
{}

TraceSet::~TraceSet() = default;

TraceSet::Entry TraceSet::entry(std::shared_ptr<const Trace> trace, std::shared_ptr<const ViewIndex> index)
{
    if (!index)
        index = std::make_shared<const ViewIndex>(*trace);
    return {std::move(trace), std::move(index), m_nextGeneration++, 0};
}

std::uint32_t TraceSet::add(std::shared_ptr<const Trace> trace, std::shared_ptr<const ViewIndex> index)
{
    m_entries.push_back(entry(std::move(trace), std::move(index)));
    emit changed();
    return size() - 1;
}

void TraceSet::replace(std::uint32_t position, std::shared_ptr<const Trace> trace,
                       std::shared_ptr<const ViewIndex> index)
{
    const TimeNs kept = offset(position);
    m_entries[position] = entry(std::move(trace), std::move(index));
    m_entries[position].offset = kept;
    emit changed();
}

void TraceSet::replaceAll(std::shared_ptr<const Trace> trace, std::shared_ptr<const ViewIndex> index)
{
    m_entries.clear();
    m_entries.push_back(entry(std::move(trace), std::move(index)));
    m_baseline = 0;
    m_relation = Relation::Guessed;
    emit changed();
}

void TraceSet::remove(std::uint32_t position)
{
    m_entries.erase(m_entries.begin() + static_cast<std::ptrdiff_t>(position));
    // The traces behind it move up: references to them by their old position must become stale too.
    for (std::uint32_t i = position; i < size(); ++i)
        m_entries[i].generation = m_nextGeneration++;
    if (m_baseline == position)
        m_baseline = 0;
    else if (m_baseline > position)
        --m_baseline;
    if (size() < 2)
        m_relation = Relation::Guessed;
    emit changed();
}

void TraceSet::clear()
{
    if (m_entries.empty())
        return;
    m_entries.clear();
    m_baseline = 0;
    m_relation = Relation::Guessed;
    emit changed();
}

void TraceSet::setOffset(std::uint32_t position, TimeNs offset)
{
    if (m_entries[position].offset == offset)
        return;
    m_entries[position].offset = offset;
    emit changed();
}

void TraceSet::setOffsets(const std::vector<TimeNs> &offsets)
{
    bool isNew = false;
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        isNew = isNew || m_entries[i].offset != offsets[i];
        m_entries[i].offset = offsets[i];
    }
    if (isNew)
        emit changed();
}

void TraceSet::setRelation(Relation relation)
{
    if (m_relation == relation)
        return;
    m_relation = relation;
    emit changed();
}

void TraceSet::setBaseline(std::uint32_t position)
{
    if (m_baseline == position)
        return;
    m_baseline = position;
    emit changed();
}

bool TraceSet::isValid(EventRef ref) const
{
    return ref.trace < size() && generation(ref.trace) == ref.generation
           && index(ref.event) < at(ref.trace).eventCount();
}

bool TraceSet::isValid(LaneRef ref) const
{
    return ref.trace < size() && generation(ref.trace) == ref.generation
           && index(ref.lane) < at(ref.trace).lanes().size();
}

TimeRange TraceSet::toViewTime(std::uint32_t position, TimeRange range) const
{
    const TimeNs by = offset(position);
    return {saturatingAdd(range.begin, by), saturatingAdd(range.end, by)};
}

TimeRange TraceSet::toTraceTime(std::uint32_t position, TimeRange range) const
{
    const TimeNs by = offset(position);
    return {saturatingSubtract(range.begin, by), saturatingSubtract(range.end, by)};
}

TimeRange TraceSet::range(EventRef ref) const
{
    return toViewTime(ref.trace, at(ref.trace).range(ref.event));
}

TimeRange TraceSet::range() const
{
    if (m_entries.empty())
        return {};
    TimeRange all = toViewTime(0, at(0).range());
    for (std::uint32_t i = 1; i < size(); ++i)
        all = all.united(toViewTime(i, at(i).range()));
    return all;
}

TimeRange TraceSet::mainRange() const
{
    if (m_entries.empty())
        return {};
    TimeRange all = toViewTime(0, at(0).mainRange());
    for (std::uint32_t i = 1; i < size(); ++i)
        all = all.united(toViewTime(i, at(i).mainRange()));
    return all;
}

} // namespace ks
