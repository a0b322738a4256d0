// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/memory_chart.h"

#include "core/base/format.h"
#include "core/view/curve_samples.h"
#include "widgets/state/to_qstring.h"

#include <QChart>
#include <QLegend>
#include <QLegendMarker>
#include <QLineSeries>
#include <QMouseEvent>
#include <QScatterSeries>
#include <QValueAxis>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace ks {
namespace {

struct ByteUnit
{
    double bytes;
    const char *name;
};

ByteUnit unitFor(double largest)
{
    constexpr std::array kUnits = {ByteUnit{1024.0 * 1024 * 1024, "GiB"}, ByteUnit{1024.0 * 1024, "MiB"},
                                   ByteUnit{1024, "KiB"}, ByteUnit{1, "B"}};
    for (const ByteUnit &unit : kUnits) {
        if (largest >= unit.bytes)
            return unit;
    }
    return kUnits.back();
}

constexpr std::array kColours = {0x4477aa, 0xaa3377, 0x228833, 0xccbb44, 0x66ccee, 0xee7733};

// At round numbers, at most so many, with as many digits as tell them apart.
void setRoundTicks(QValueAxis &axis, int most, const char *unit)
{
    const double span = (axis.max() - axis.min()) / most;
    const double power = std::pow(10, std::floor(std::log10(span)));
    double step = 10 * power;
    for (const double part : {5, 2, 1}) {
        if (part * power >= span)
            step = part * power;
    }
    const double largest = std::max(std::abs(axis.min()), std::abs(axis.max()));
    const int digits = std::clamp(static_cast<int>(std::ceil(std::log10(largest / step))) + 1, 3, 15);
    axis.setTickType(QValueAxis::TicksDynamic);
    axis.setTickAnchor(0);
    axis.setTickInterval(step);
    axis.setLabelFormat(QStringLiteral("%.%1g %2").arg(digits).arg(QString::fromUtf8(unit)));
    axis.setTruncateLabels(false);
}

} // namespace

MemoryCurves memoryCurvesOf(const Table &table, std::int64_t origin)
{
    MemoryCurves curves;
    const Column *ranks = table.findColumn("rank");
    const Column *devices = table.findColumn("device");
    const Column *times = table.findColumn("ts_ns");
    const Column *allocated = table.findColumn("allocated_bytes");
    const Column *reserved = table.findColumn("reserved_bytes");
    if (!devices || !times || !allocated || !reserved || table.rowCount() == 0)
        return curves;
    struct Samples
    {
        std::vector<TimeNs> times, reservedTimes;
        std::vector<double> allocated, reserved;
    };
    std::map<std::string, Samples> all;
    for (std::size_t row = 0; row < table.rowCount(); ++row) {
        std::string name(devices->text(row));
        if (ranks && !ranks->isNull(row))
            name = "rank " + std::to_string(ranks->integer(row)) + " · " + name;
        Samples &samples = all[name];
        const TimeNs time = saturatingSubtract(times->integer(row), origin);
        if (const auto bytes = allocated->number(row)) {
            samples.times.push_back(time);
            samples.allocated.push_back(*bytes);
        }
        if (const auto bytes = reserved->number(row); bytes && *bytes > 0) {
            samples.reservedTimes.push_back(time);
            samples.reserved.push_back(*bytes);
        }
    }
    for (auto &[name, samples] : all) {
        if (samples.times.empty())
            continue;
        const auto most = std::max_element(samples.allocated.begin(), samples.allocated.end());
        const MemoryCurves::Peak peak{samples.times[static_cast<std::size_t>(most - samples.allocated.begin())], *most,
                                      curves.devices.size()};
        if (curves.peaks.empty())
            curves.peaks.push_back(peak);
        else if (peak.bytes > curves.peaks.front().bytes)
            curves.peaks.front() = peak;
        const TimeRange own{samples.times.front(), samples.times.back() + 1};
        curves.range = curves.devices.empty() ? own : curves.range.united(own);
        curves.devices.push_back({Curve(name, std::move(samples.times), std::move(samples.allocated)),
                                  Curve(name, std::move(samples.reservedTimes), std::move(samples.reserved)), false,
                                  curves.devices.size()});
    }
    return curves;
}

MemoryCurves overlaid(MemoryCurves before, MemoryCurves after)
{
    if (!before.devices.empty())
        after.range = after.devices.empty() ? before.range : after.range.united(before.range);
    std::size_t colours = after.devices.size();
    const std::size_t own = after.devices.size();
    for (MemoryCurves::Peak peak : before.peaks) {
        peak.device += own;
        after.peaks.push_back(peak);
    }
    for (MemoryCurves::Device &device : before.devices) {
        const auto same = std::find_if(
            after.devices.begin(), after.devices.begin() + static_cast<std::ptrdiff_t>(own),
            [&](const MemoryCurves::Device &other) { return other.allocated.name() == device.allocated.name(); });
        device.isBefore = true;
        device.colour = same != after.devices.begin() + static_cast<std::ptrdiff_t>(own) ? same->colour : colours++;
        after.devices.push_back(std::move(device));
    }
    return after;
}

MemoryChart::MemoryChart(QWidget *parent)
    : ThemedChart(parent)
{
    setObjectName(QStringLiteral("memoryChart"));
    setAccessibleName(tr("Memory over time"));
    chart()->legend()->setMarkerShape(QLegend::MarkerShapeFromSeries); // what is dotted is dotted there, too
}

void MemoryChart::show(std::shared_ptr<const MemoryCurves> curves)
{
    m_curves = std::move(curves);
    build();
}

void MemoryChart::resizeEvent(QResizeEvent *event)
{
    ThemedChart::resizeEvent(event);
    if (m_curves && width() > m_builtFor)
        build();
}

void MemoryChart::build()
{
    clear();
    m_builtFor = width();
    if (!m_curves || m_curves->devices.empty())
        return;
    const auto pixels = static_cast<std::size_t>(std::clamp(width(), 200, 4000));
    double largest = 0;
    for (const MemoryCurves::Device &device : m_curves->devices) {
        largest = std::max(largest, device.allocated.extremes().greatest);
        if (!device.reserved.isEmpty())
            largest = std::max(largest, device.reserved.extremes().greatest);
    }
    const ByteUnit unit = unitFor(largest);
    const auto end = static_cast<double>(m_curves->range.end);
    const TimeUnit timeUnit = timeUnitFor(end);
    m_nsPerUnit = timeUnit.ns;
    m_bytesPerUnit = unit.bytes;
    auto *times = new QValueAxis(chart());
    times->setRange(static_cast<double>(m_curves->range.begin) / timeUnit.ns, end / timeUnit.ns);
    setRoundTicks(*times, std::clamp(width() / 110, 2, 9), timeUnit.name);
    auto *bytes = new QValueAxis(chart());
    bytes->setRange(0, largest / unit.bytes * 1.12); // room for what is written at the peak
    setRoundTicks(*bytes, 5, unit.name);
    chart()->addAxis(times, Qt::AlignBottom);
    chart()->addAxis(bytes, Qt::AlignLeft);
    const auto line = [&](const Curve &curve, const QString &name, const QPen &pen) {
        auto *series = new QLineSeries(chart());
        QList<QPointF> points;
        double before = 0;
        for (const CurvePoint &point : curveSamples(curve, m_curves->range, pixels)) {
            const double x = static_cast<double>(point.time) / timeUnit.ns;
            if (!points.isEmpty()) // it holds until it changes
                points << QPointF(x, before);
            before = point.value / unit.bytes;
            points << QPointF(x, before);
        }
        series->replace(points);
        series->setName(name);
        series->setPen(pen);
        add(series);
    };
    for (const MemoryCurves::Device &device : m_curves->devices) {
        QColor colour = QColor::fromRgb(static_cast<QRgb>(kColours[device.colour % kColours.size()]));
        const QString name = toQString(device.allocated.name());
        line(device.allocated, device.isBefore ? tr("%1 allocated before").arg(name) : tr("%1 allocated").arg(name),
             QPen(colour, 1.5, device.isBefore ? Qt::DashLine : Qt::SolidLine));
        if (!device.reserved.isEmpty())
            line(device.reserved, device.isBefore ? tr("%1 reserved before").arg(name) : tr("%1 reserved").arg(name),
                 QPen(colour, 1, device.isBefore ? Qt::DashDotDotLine : Qt::DotLine));
    }
    for (const MemoryCurves::Peak &peak : m_curves->peaks) {
        if (peak.time >= m_curves->range.begin && peak.time < m_curves->range.end)
            addPeak(peak);
    }
    shortenLegend();
    applyPalette();
}

// Of two runs there is room for the devices: peaks tell what they are beside their points, and what is dotted is in the colour of its device.
void MemoryChart::shortenLegend()
{
    const auto isBefore = [](const MemoryCurves::Device &device) { return device.isBefore; };
    if (std::none_of(m_curves->devices.begin(), m_curves->devices.end(), isBefore))
        return;
    const auto markers = chart()->legend()->markers();
    for (QLegendMarker *marker : markers)
        marker->setVisible(false);
    for (const MemoryCurves::Device &device : m_curves->devices) {
        const QString name = toQString(device.allocated.name());
        const QString full = device.isBefore ? tr("%1 allocated before").arg(name) : tr("%1 allocated").arg(name);
        for (QLegendMarker *marker : markers) {
            if (marker->series()->name() != full)
                continue;
            marker->setLabel(device.isBefore ? tr("%1 before (dashed)").arg(name) : name);
            marker->setVisible(true);
        }
    }
}

void MemoryChart::addPeak(const MemoryCurves::Peak &peak)
{
    auto *series = new QScatterSeries(chart());
    series->append(static_cast<double>(peak.time) / m_nsPerUnit, peak.bytes / m_bytesPerUnit);
    series->setMarkerSize(8);
    series->setColor(QColor(0xd9, 0x77, 0x06));
    series->setBorderColor(Qt::transparent);
    const TimeNs resolution = std::max<TimeNs>(1, m_curves->range.duration() / 1000);
    const QString bytes = toQString(formatBytes(static_cast<std::int64_t>(peak.bytes)));
    const QString time = toQString(formatTimePoint(peak.time, resolution));
    series->setName(m_curves->devices[peak.device].isBefore ? tr("peak before %1 at %2").arg(bytes, time)
                                                            : tr("peak %1 at %2").arg(bytes, time));
    series->setPointLabelsFormat(bytes);
    series->setPointLabelsVisible(true);
    series->setPointLabelsClipping(false);
    series->setPointLabelsColor(palette().color(QPalette::Text));
    add(series);
}

void MemoryChart::add(QXYSeries *series)
{
    chart()->addSeries(series);
    for (QAbstractAxis *axis : chart()->axes())
        series->attachAxis(axis);
}

void MemoryChart::mouseReleaseEvent(QMouseEvent *event)
{
    ThemedChart::mouseReleaseEvent(event);
    const QPointF place = chart()->mapFromScene(mapToScene(event->position().toPoint()));
    if (event->button() != Qt::LeftButton || chart()->series().isEmpty() || !chart()->plotArea().contains(place))
        return;
    emit timeClicked(static_cast<TimeNs>(std::llround(chart()->mapToValue(place).x() * m_nsPerUnit)));
}

} // namespace ks
