// SPDX-License-Identifier: GPL-3.0-or-later
// A real recording, two steps of a small model on the CPU: what the timeline shows of it must be exactly what was recorded.
#include "core/import/import.h"
#include "tests/support/qt_text.h"

#include <QFileInfo>
#include <QTest>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using namespace ks;

namespace {

std::vector<EventId> named(const Trace &trace, std::string_view name)
{
    std::vector<EventId> found;
    for (std::size_t i = 0; i < trace.eventCount(); ++i) {
        if (trace.name(static_cast<EventId>(i)) == name)
            found.push_back(static_cast<EventId>(i));
    }
    std::sort(found.begin(), found.end(), [&](EventId a, EventId b) { return trace.begin(a) < trace.begin(b); });
    return found;
}

// "aten::addmm < aten::linear < forward": the event and all that encloses it.
std::string chainOf(const Trace &trace, EventId id)
{
    std::string text(trace.name(id));
    for (EventId parent = trace.parent(id); parent != kNoEvent; parent = trace.parent(parent))
        text += " < " + std::string(trace.name(parent));
    return text;
}

} // namespace

class TstSeedRecording : public QObject
{
    Q_OBJECT
private slots:
    void itShowsWhatWasRecorded_data()
    {
        QTest::addColumn<QString>("path");
        QTest::newRow("sample") << QStringLiteral(KS_SOURCE_DIR "/resources/samples/cpu_training.json");
        QTest::newRow("recording") << QStringLiteral(KS_SHARED_DIR "/traces/seed_kineto_ns/cpu-step-4.json");
    }
    void itShowsWhatWasRecorded()
    {
        QFETCH(const QString, path);
        if (!QFileInfo::exists(path))
            QSKIP(qPrintable(path + QStringLiteral(" is not there")));
        const auto trace = importTrace(path.toStdString());
        QVERIFY(trace->diagnostics().empty());

        std::map<std::string, int> calls;
        for (std::size_t i = 0; i < trace->eventCount(); ++i) {
            const auto id = static_cast<EventId>(i);
            if (trace->kind(id) == EventKind::Operator || trace->kind(id) == EventKind::Annotation)
                ++calls[std::string(trace->name(id))];
        }
        QCOMPARE(calls["batch_2"], 1);
        QCOMPARE(calls["batch_3"], 1);
        QVERIFY(!calls.contains("batch_1") && !calls.contains("batch_4"));
        QCOMPARE(calls["forward"], 2);
        QCOMPARE(calls["aten::addmm"], 4);
        QCOMPARE(calls["aten::linear"], 4);
        QCOMPARE(calls["aten::zeros"], 6);
        QCOMPARE(calls["aten::empty"], 12);
        QCOMPARE(calls["aten::t"], 4);
        QCOMPARE(calls["aten::transpose"], 4);
        QCOMPARE(calls["aten::copy_"], 4);
        QCOMPARE(calls["aten::clamp_min"], 2);

        const std::vector<EventId> addmm = named(*trace, "aten::addmm");
        const std::vector<EventId> forward = named(*trace, "forward");
        const std::vector<EventId> batches = {named(*trace, "batch_2").at(0), named(*trace, "batch_3").at(0)};
        QVERIFY(trace->end(batches[0]) <= trace->begin(batches[1]));
        for (std::size_t i = 0; i < 4; ++i) {
            const std::string chain = chainOf(*trace, addmm[i]);
            const std::string expected = "aten::addmm < aten::linear < forward < batch_" + std::to_string(2 + i / 2) + " < ProfilerStep#";
            QVERIFY2(chain.starts_with(expected), chain.c_str());
        }
        TimeNs total = 0;
        for (std::size_t i = 0; i < 2; ++i) {
            QVERIFY(trace->parent(forward[i]) == batches[i]);
            total += trace->duration(forward[i]);
        }
        QCOMPARE(total, TimeNs{36'039'404}); // as torch's own table says
        QCOMPARE(trace->steps().size(), std::size_t{2});
        TimeNs steps = 0;
        for (const Step &step : trace->steps())
            steps += step.range.duration();
        QCOMPARE(steps, TimeNs{36'114'006});
        TimeNs addmmSelf = 0;
        for (const EventId id : addmm)
            addmmSelf += trace->selfTime(id);
        QCOMPARE(addmmSelf, TimeNs{35'422'708});
    }
};

QTEST_APPLESS_MAIN(TstSeedRecording)
#include "tst_seed_recording.moc"
