// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/memory_chart.h"

#include "core/base/format.h"
#include "core/view/curve_samples.h"
#include "widgets/state/to_qstring.h"

#include <QChart>
#include <QLegend>
#include <QLineSeries>
#include <QScatterSeries>
#include <QValueAxis>

#include <algorithm>
#include <array>
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
        if (!curves.peak || *most > curves.peak->bytes)
            curves.peak = {samples.times[static_cast<std::size_t>(most - samples.allocated.begin())], *most,
                           curves.devices.size()};
        const TimeRange own{samples.times.front(), samples.times.back() + 1};
        curves.range = curves.devices.empty() ? own : curves.range.united(own);
        curves.devices.push_back({Curve(name, std::move(samples.times), std::move(samples.allocated)),
                                  Curve(name, std::move(samples.reservedTimes), std::move(samples.reserved))});
    }
    return curves;
}

MemoryChart::MemoryChart(QWidget *parent)
    : ThemedChart(parent)
{
    setObjectName(QStringLiteral("memoryChart"));
    setAccessibleName(tr("Memory over time"));
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
    double largest = m_curves->peak->bytes;
    for (const MemoryCurves::Device &device : m_curves->devices) {
        if (!device.reserved.isEmpty())
            largest = std::max(largest, device.reserved.extremes().greatest);
    }
    const ByteUnit unit = unitFor(largest);
    const auto end = static_cast<double>(m_curves->range.end);
    const TimeUnit timeUnit = timeUnitFor(end);
    auto *times = new QValueAxis(chart());
    times->setRange(static_cast<double>(m_curves->range.begin) / timeUnit.ns, end / timeUnit.ns);
    times->setLabelFormat(QStringLiteral("%.4g ") + QString::fromUtf8(timeUnit.name));
    times->setTruncateLabels(false);
    times->setTickCount(std::clamp(width() / 110, 2, 9));
    auto *bytes = new QValueAxis(chart());
    bytes->setRange(0, largest / unit.bytes * 1.12); // room for what is written at the peak
    bytes->setLabelFormat(QStringLiteral("%.3g ") + QString::fromLatin1(unit.name));
    bytes->setTruncateLabels(false);
    chart()->addAxis(times, Qt::AlignBottom);
    chart()->addAxis(bytes, Qt::AlignLeft);
    const auto add = [&](QXYSeries *series) {
        chart()->addSeries(series);
        series->attachAxis(times);
        series->attachAxis(bytes);
    };
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
    for (std::size_t i = 0; i < m_curves->devices.size(); ++i) {
        const MemoryCurves::Device &device = m_curves->devices[i];
        const QColor colour = QColor::fromRgb(static_cast<QRgb>(kColours[i % kColours.size()]));
        const QString name = toQString(device.allocated.name());
        line(device.allocated, tr("%1 allocated").arg(name), QPen(colour, 1.5));
        if (!device.reserved.isEmpty())
            line(device.reserved, tr("%1 reserved").arg(name), QPen(colour, 1, Qt::DotLine));
    }
    auto *peak = new QScatterSeries(chart());
    peak->append(static_cast<double>(m_curves->peak->time) / timeUnit.ns, m_curves->peak->bytes / unit.bytes);
    peak->setMarkerSize(8);
    peak->setColor(QColor(0xd9, 0x77, 0x06));
    peak->setBorderColor(Qt::transparent);
    const TimeNs resolution = std::max<TimeNs>(1, m_curves->range.duration() / 1000);
    peak->setName(tr("peak %1 at %2")
                      .arg(toQString(formatBytes(static_cast<std::int64_t>(m_curves->peak->bytes))),
                           toQString(formatTimePoint(m_curves->peak->time, resolution))));
    peak->setPointLabelsFormat(toQString(formatBytes(static_cast<std::int64_t>(m_curves->peak->bytes))));
    peak->setPointLabelsVisible(true);
    peak->setPointLabelsClipping(false);
    peak->setPointLabelsColor(palette().color(QPalette::Text));
    add(peak);
    applyPalette();
}

} // namespace ks
