// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/open_rows.h"
#include "tests/support/trace_maker.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace ks;

namespace {

TimeNs endOf(const Trace &trace, EventId id)
{
    const EventId parent = trace.parent(id);
    return parent == kNoEvent ? trace.end(id)
                              : std::max(trace.begin(id), std::min(trace.end(id), endOf(trace, parent)));
}

bool opensBefore(const Trace &trace, EventId a, EventId b)
{
    const auto key = [&](EventId id) { return std::tuple(trace.begin(id), -trace.end(id), trace.fileIndex(id)); };
    return key(a) < key(b);
}

// What the command line's contract says, word by word.
OpenRows byDefinition(const Trace &trace)
{
    OpenRows rows;
    rows.rowOfEvent.resize(trace.eventCount());
    for (const Lane &lane : trace.lanes()) {
        std::vector<EventId> ids;
        for (EventId id = lane.firstEvent; id != lane.endEvent; id = advance(id, 1))
            ids.push_back(id);
        std::sort(ids.begin(), ids.end(), [&](EventId a, EventId b) { return opensBefore(trace, a, b); });
        std::size_t most = 1;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const TimeNs begin = trace.begin(ids[i]);
            std::vector<std::uint32_t> taken;
            std::size_t open = 0;
            for (std::size_t j = 0; j < ids.size(); ++j) {
                if (trace.begin(ids[j]) > begin || endOf(trace, ids[j]) <= begin)
                    continue;
                ++open;
                if (j < i)
                    taken.push_back(rows.rowOfEvent[index(ids[j])]);
            }
            most = std::max(most, open);
            const EventId parent = trace.parent(ids[i]);
            std::uint32_t row = parent == kNoEvent ? 0 : rows.rowOfEvent[index(parent)] + 1;
            while (std::find(taken.begin(), taken.end(), row) != taken.end())
                ++row;
            rows.rowOfEvent[index(ids[i])] = row;
        }
        rows.rowsOfLane.push_back(static_cast<std::uint32_t>(most));
    }
    return rows;
}

} // namespace

class TstOpenRows : public QObject
{
    Q_OBJECT
private slots:
    void nestingGivesOneRowPerDepth()
    {
        const auto trace = TraceMaker().op("a", 0, 30).op("b", 5, 10).op("c", 6, 5).op("d", 15, 15).build();
        const OpenRows rows = openRows(*trace);
        const auto row = [&](std::uint32_t i) { return rows.rowOfEvent[index(trace->eventAtFileIndex(i))]; };
        QCOMPARE(row(0), 0U);
        QCOMPARE(row(1), 1U);
        QCOMPARE(row(2), 2U);
        QCOMPARE(row(3), 1U); // touches b
        QCOMPARE(rows.rowsOfLane, std::vector<std::uint32_t>{3});
    }

    void aChildOneNanosecondTooLongEndsWithItsParent()
    {
        const auto trace = TraceMaker().op("a", 0, 10).op("b", 5, 5.001).op("c", 10, 5).build();
        const OpenRows rows = openRows(*trace);
        QCOMPARE(rows.rowsOfLane, std::vector<std::uint32_t>{2});
        QCOMPARE(rows.rowOfEvent[index(trace->eventAtFileIndex(2))], 0U);
    }

    void crossingEventsAreOpenTogether()
    {
        const auto trace =
            TraceMaker().kernel("a", 0, 10, 7, 0).kernel("b", 5, 10, 7, 0).kernel("c", 12, 1, 7, 0).build();
        const OpenRows rows = openRows(*trace);
        QCOMPARE(rows.rowsOfLane, std::vector<std::uint32_t>{2});
        QCOMPARE(rows.rowOfEvent[index(trace->eventAtFileIndex(1))], 1U);
        QCOMPARE(rows.rowOfEvent[index(trace->eventAtFileIndex(2))], 2U); // below its parent, though row 0 is free
    }

    void emptyEventsAreNeverOpen()
    {
        const auto trace = TraceMaker().kernel("a", 5, 0, 7, 0).kernel("b", 5, 0, 7, 0).build();
        QCOMPARE(openRows(*trace).rowsOfLane, std::vector<std::uint32_t>{1});
    }

    void agreesWithTheDefinitionOnRandomLanes()
    {
        std::mt19937 random(20240611); // NOLINT: the same lanes every time
        const auto upTo = [&random](int most) {
            return static_cast<double>(random() % static_cast<unsigned>(most + 1));
        };
        for (int round = 0; round < 200; ++round) {
            TraceMaker maker;
            const int span = 2 + static_cast<int>(random() % 40);
            for (int i = 0; i < 60; ++i) {
                maker.thread(100 + static_cast<int>(random() % 2));
                // In steps of 1 ns, so that the grace matters.
                maker.op("e", upTo(span) / 1000, upTo(span / 2) / 1000);
            }
            const auto trace = maker.build();
            const OpenRows rows = openRows(*trace);
            const OpenRows wanted = byDefinition(*trace);
            QCOMPARE(rows.rowsOfLane, wanted.rowsOfLane);
            QCOMPARE(rows.rowOfEvent, wanted.rowOfEvent);
        }
    }

    void thousandsOfOverlappingEventsAreQuick()
    {
        TraceMaker maker;
        constexpr int kCount = 20'000;
        for (int i = 0; i < kCount; ++i)
            maker.kernel("k", i, kCount, 7, 0);
        const auto trace = maker.build();
        QCOMPARE(openRows(*trace).rowsOfLane, std::vector<std::uint32_t>{kCount});
    }
};

QTEST_APPLESS_MAIN(TstOpenRows)
#include "tst_open_rows.moc"
