// SPDX-License-Identifier: GPL-3.0-or-later
// What an area consists of, against counting every nanosecond.
#include "core/analysis/area_summary.h"
#include "core/analysis/idle.h"
#include "tests/support/trace_maker.h"

#include <QTest>

#include <random>

using namespace ks;

class TstAreaSummary : public QObject
{
    Q_OBJECT
private slots:
    void sharesAddUpToTheWall();
    void tellsWhoTheDeviceWaitedFor();
    void anAreaWithoutDevicesHasNoShares();
};

void TstAreaSummary::sharesAddUpToTheWall()
{
    for (unsigned seed = 0; seed < 60; ++seed) {
        std::mt19937_64 random(seed);
        const auto upTo = [&random](int most) { return static_cast<double>(random() % static_cast<unsigned>(most)); };
        TraceMaker maker;
        constexpr int kUs = 400;
        for (int device = 0; device < 2; ++device) {
            for (int stream = 1; stream <= 2; ++stream) {
                double t = upTo(20);
                while (t < kUs) {
                    const double duration = 1 + upTo(30);
                    const char *name = random() % 3 == 0 ? "ncclKernel_AllReduce" : "gemm";
                    if (random() % 4 == 0)
                        maker.memcpy("Memcpy DtoH", t, duration, stream, 0, device);
                    else
                        maker.kernel(name, t, duration, stream, 0, device);
                    t += duration + upTo(25);
                }
            }
        }
        const auto trace = maker.build();
        const TimeNs begin = 1000 * static_cast<TimeNs>(random() % 150);
        const TimeRange range{begin, begin + 1000 * (10 + static_cast<TimeNs>(random() % 200))};
        // Microsecond by microsecond: everything begins and ends on one.
        TimeNs busy = 0, compute = 0, communication = 0, copies = 0;
        for (std::int64_t device = 0; device < 2; ++device) {
            for (TimeNs t = range.begin; t < range.end; t += 1000) {
                bool any[3] = {};
                for (std::size_t i = 0; i < trace->eventCount(); ++i) {
                    const auto id = static_cast<EventId>(i);
                    if (!isDeviceWork(trace->kind(id)) || !trace->range(id).contains(t)
                        || trace->lane(trace->lane(id)).device != device)
                        continue;
                    any[trace->kind(id) != EventKind::Kernel ? 2 : trace->name(id) == "gemm" ? 0 : 1] = true;
                }
                busy += any[0] || any[1] || any[2] ? 1000 : 0;
                compute += any[0] ? 1000 : 0;
                communication += any[1] && !any[0] ? 1000 : 0;
                copies += any[2] && !any[0] && !any[1] ? 1000 : 0;
            }
        }
        const AreaSummary summary = areaSummary(*trace, range, {});
        QCOMPARE(summary.devices, std::size_t{2});
        QCOMPARE(summary.wall, 2 * range.duration());
        QCOMPARE(summary.busy, busy);
        QCOMPARE(summary.compute, compute);
        QCOMPARE(summary.exposedCommunication, communication);
        QCOMPARE(summary.exposedCopies, copies);
        QCOMPARE(summary.idle, summary.wall - busy);
        QCOMPARE(summary.compute + summary.exposedCommunication + summary.exposedCopies + summary.idle, summary.wall);
        QCOMPARE(summary.idleOfClass[0] + summary.idleOfClass[1] + summary.idleOfClass[2], summary.idle);
    }
}

void TstAreaSummary::tellsWhoTheDeviceWaitedFor()
{
    const auto trace = TraceMaker()
                           .op("aten::item", 0, 300)
                           .launch("cudaLaunchKernel", 5, 5, 1)
                           .launch("cudaLaunchKernel", 250, 5, 2)
                           .kernel("gemm", 20, 80, 7, 1)
                           .kernel("gemm", 260, 40, 7, 2)
                           .build();
    const AreaSummary summary = areaSummary(*trace, {20'000, 300'000}, {});
    QCOMPARE(summary.idle, TimeNs{160'000});
    QCOMPARE(summary.idleOfClass[static_cast<std::size_t>(GapClass::HostWait)], TimeNs{160'000});
    QVERIFY(summary.waitingCall != kNoName);
    QCOMPARE(nameText(summary.waitingCall), std::string_view("aten::item"));
}

void TstAreaSummary::anAreaWithoutDevicesHasNoShares()
{
    const auto trace = TraceMaker().op("aten::add", 0, 10).op("aten::mul", 20, 10).build();
    const AreaSummary summary = areaSummary(*trace, {0, 25'000}, {});
    QCOMPARE(summary.devices, std::size_t{0});
    QCOMPARE(summary.wall, TimeNs{0});
    QCOMPARE(summary.work.events, std::size_t{2});
}

QTEST_APPLESS_MAIN(TstAreaSummary)
#include "tst_area_summary.moc"
