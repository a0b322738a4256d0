// SPDX-License-Identifier: GPL-3.0-or-later
// The reason to use this program: click a kernel, read why it ran, press O, be at its operator, go back.
#include "app/pane_docks.h"
#include "app/status_line.h"
#include "core/analysis/why.h"
#include "core/base/format.h"
#include "tests/app/story.h"
#include "tests/support/qt_text.h"
#include "widgets/panes/analysis_pane.h"
#include "widgets/tables/table_model.h"
#include "widgets/tables/table_view.h"

#include <QFileInfo>

using namespace ks;

namespace {

const char *const kNvidia = "AMD-AGI__TraceLens/tests/traces/h100/Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz";
const char *const kAmdGraph = "AMD-AGI__TraceLens/tests/traces/inference/sglang_decode/sglang_Qwen3-8B_decode.json.gz";

QString corpusPath(const char *name)
{
    return QStringLiteral(KS_SHARED_DIR "/corpus/%1").arg(QLatin1String(name));
}

// A kernel in view that satisfies `wanted`; the longest, as a person would click.
template<typename Wanted>
EventId kernelInView(const Story &story, Wanted wanted)
{
    const Trace &trace = story.trace();
    EventId best = kNoEvent;
    for (std::uint32_t i = 0; i < trace.eventCount(); ++i) {
        const EventId event{i};
        if (trace.kind(event) != EventKind::Kernel || !trace.range(event).intersects(story.state.visibleRange())
            || !wanted(event))
            continue;
        if (best == kNoEvent || trace.duration(event) > trace.duration(best))
            best = event;
    }
    return best;
}

QString shortened(const Trace &trace, EventId event)
{
    QString name = QString::fromStdString(std::string(trace.name(event)));
    if (name.startsWith(QLatin1String("void ")))
        name.remove(0, 5);
    return name.left(30);
}

} // namespace

class TstStoryKernelToOperator : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { useOwnSettings(QStringLiteral("tst_story_kernel")); }

    void clickReadJumpReturn_data()
    {
        QTest::addColumn<QString>("path");
        QTest::newRow("synthetic sample") << samplePath("synthetic_gpu_training.json.gz");
        QTest::newRow("NVIDIA") << corpusPath(kNvidia);
        QTest::newRow("AMD") << corpusPath(kAmdGraph);
    }
    void clickReadJumpReturn()
    {
        QFETCH(QString, path);
        if (!QFileInfo::exists(path))
            QSKIP(qPrintable(path + QStringLiteral(" is not here")));
        Story story;
        QVERIFY(story.open(path));
        const Trace &trace = story.trace();
        EventId kernel = kernelInView(story, [&](EventId e) { return trace.launchLink(e).op != kNoEvent; });
        if (kernel == kNoEvent) { // not in the first view: look at everything
            story.key(Qt::Key_Home);
            QTRY_VERIFY((kernel = kernelInView(story, [&](EventId e) { return trace.launchLink(e).op != kNoEvent; }))
                        != kNoEvent);
        }

        // Click
        const QPoint place = story.reach(story.ref(kernel));
        QVERIFY(!place.isNull());
        story.click(place);
        QCOMPARE(story.selected(), kernel);
        const TimeRange view = story.state.visibleRange();

        // Read
        const Why why = whyOf(trace, kernel);
        QTRY_VERIFY(story.window.details().plainText().contains(QLatin1String("WHY IT RAN")));
        const QString text = story.window.details().plainText();
        QVERIFY(text.startsWith(shortened(trace, kernel)));
        const qsizetype opAt = text.indexOf(shortened(trace, why.op), text.indexOf(QLatin1String("WHY IT RAN")));
        const qsizetype launchAt = text.indexOf(shortened(trace, why.launch), opAt);
        QVERIFY(opAt > 0);
        QVERIFY(launchAt > opAt);
        QVERIFY(text.indexOf(QLatin1String("this kernel"), launchAt) > launchAt);
        QVERIFY(text.contains(QLatin1String("launched ")));
        QVERIFY(text.contains(QLatin1String("ran ")));

        // Jump
        story.key(Qt::Key_O);
        QCOMPARE(story.selected(), why.op);
        QTRY_VERIFY(story.isInView(story.ref(why.op)));

        // Return
        story.key(Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(story.selected(), kernel);
        QTRY_COMPARE(story.state.visibleRange(), view);
        story.key(Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(story.selected(), why.op);
    }

    void theOtherJumpsOfTheSample()
    {
        Story story;
        QVERIFY(story.open(samplePath("synthetic_gpu_training.json.gz")));
        const Trace &trace = story.trace();
        const EventId kernel = kernelInView(story, [&](EventId e) { return trace.launchLink(e).op != kNoEvent; });
        QVERIFY(kernel != kNoEvent);
        const QPoint place = story.reach(story.ref(kernel));
        QVERIFY(!place.isNull());
        story.click(place);
        story.key(Qt::Key_L);
        const LaunchLink link = trace.launchLink(kernel);
        QCOMPARE(story.selected(), link.launch);
        QTRY_VERIFY(story.isInView(story.ref(link.launch)));
        story.key(Qt::Key_P);
        QCOMPARE(story.selected(), trace.parent(link.launch));
        story.state.reveal(story.ref(link.op));
        story.key(Qt::Key_K);
        const auto work = deviceWorkBelow(trace, link.op);
        QCOMPARE(story.selected(), work.front());
        QCOMPARE(story.state.marked().size(), work.size());
        QVERIFY(story.window.status().sentence().contains(QLatin1String("device work")));
        // Of calls of the host their own time is told.
        TimeNs sum = 0;
        std::vector<EventRef> calls;
        for (std::uint32_t i = 0; i < trace.eventCount(); ++i) {
            if (trace.nameId(EventId{i}) != trace.nameId(link.op))
                continue;
            calls.push_back(story.ref(EventId{i}));
            sum += trace.duration(EventId{i});
        }
        QVERIFY(calls.size() > 1);
        story.state.select(trace.nameId(link.op), calls);
        QCOMPARE(story.window.status().sentence(),
                 QStringLiteral("Marked: %1 events, %2 in sum").arg(calls.size()).arg(q(formatDuration(sum))));
        story.state.reveal(story.ref(work.front()));

        // Same name, there and back.
        const EventId first = story.selected();
        story.key(Qt::Key_N);
        const EventId next = story.selected();
        if (next != first) {
            QCOMPARE(trace.nameId(next), trace.nameId(first));
            QVERIFY(trace.begin(next) >= trace.begin(first));
            story.key(Qt::Key_N, Qt::ShiftModifier);
            QCOMPARE(story.selected(), first);
        }
    }

    void theTableThatCountsTheKernelShowsItsRow()
    {
        Story story;
        QVERIFY(story.open(samplePath("synthetic_gpu_training.json.gz")));
        const EventId kernel = story.trace().links().ofWork.ids().front();
        story.state.reveal(story.ref(kernel));
        story.timeline.setFocus();
        story.key(Qt::Key_T);
        AnalysisPane *const kernels = story.window.panes().pane(u"kernels");
        QVERIFY(kernels->isVisible());
        const auto rowName = [&] { return kernels->view().currentIndex().siblingAtColumn(0).data().toString(); };
        QTRY_COMPARE(rowName(), q(story.trace().name(kernel)));
        const EventId op = story.trace().launchLink(kernel).op;
        QVERIFY(op != kNoEvent);
        story.state.reveal(story.ref(op));
        story.key(Qt::Key_T);
        AnalysisPane *const operators = story.window.panes().pane(u"operators");
        QTRY_VERIFY(!operators->visibleRegion().isEmpty() && kernels->visibleRegion().isEmpty());
        QTRY_COMPARE(operators->view().currentIndex().siblingAtColumn(0).data().toString(), q(story.trace().name(op)));
    }

    void aTableBehindAnotherCostsNothing()
    {
        Story story;
        QVERIFY(story.open(samplePath("synthetic_gpu_training.json.gz")));
        AnalysisPane *const operators = story.window.panes().pane(u"operators");
        QTRY_VERIFY(operators->model().rowCount() > 0);
        QTest::qWait(300);
        for (const char *id : {"kernels", "steps", "idle", "memory", "modules", "calltree"})
            QCOMPARE(story.window.panes().pane(QString::fromUtf8(id))->model().rowCount(), 0);
        story.window.panes().show(u"idle");
        QTRY_VERIFY(story.window.panes().pane(u"idle")->model().rowCount() > 0);
        QCOMPARE(story.window.panes().pane(u"kernels")->model().rowCount(), 0);
    }

    void theLettersWorkBesideTheBreadcrumbToo()
    {
        Story story;
        QVERIFY(story.open(samplePath("synthetic_gpu_training.json.gz")));
        const Trace &trace = story.trace();
        const EventId kernel = kernelInView(story, [&](EventId e) { return trace.launchLink(e).op != kNoEvent; });
        story.state.reveal(story.ref(kernel));
        auto *text = story.window.findChild<QWidget *>(QStringLiteral("details.text"));
        text->setFocus();
        QTest::keyClick(text, Qt::Key_O);
        QCOMPARE(story.selected(), trace.launchLink(kernel).op);
        QTest::keyClick(text, Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(story.selected(), kernel);
    }

    void forwardAndBackwardAreMates()
    {
        Story story;
        QVERIFY(story.open(samplePath("synthetic_gpu_training.json.gz")));
        const Trace &trace = story.trace();
        EventId forward = kNoEvent;
        for (std::uint32_t i = 0; i < trace.eventCount() && forward == kNoEvent; ++i) {
            if (!trace.backwardOf(EventId{i}).empty())
                forward = EventId{i};
        }
        QVERIFY(forward != kNoEvent);
        const EventId backward = trace.backwardOf(forward).front();
        story.state.reveal(story.ref(forward));
        story.timeline.setFocus();
        story.key(Qt::Key_B);
        QCOMPARE(story.selected(), backward);
        QTRY_VERIFY(story.window.details().plainText().contains(QLatin1String("backward of ")));
        story.key(Qt::Key_B);
        QCOMPARE(story.selected(), forward);
    }

    void aKernelOfAGraphSaysWhichNode()
    {
        const QString path = corpusPath(kAmdGraph);
        if (!QFileInfo::exists(path))
            QSKIP(qPrintable(path + QStringLiteral(" is not here")));
        Story story;
        QVERIFY(story.open(path));
        const Trace &trace = story.trace();
        const auto ofGraph = [&](EventId e) { return trace.workOfLaunch(trace.launchLink(e).launch).size() > 100; };
        EventId kernel = kNoEvent;
        story.key(Qt::Key_Home);
        QTRY_VERIFY((kernel = kernelInView(story, ofGraph)) != kNoEvent);
        const QPoint place = story.reach(story.ref(kernel));
        QVERIFY(!place.isNull());
        story.click(place);
        QCOMPARE(story.selected(), kernel);
        QTRY_VERIFY2(story.window.details().plainText().contains(
                         QLatin1String(" of 544 of the graph launched by hipGraphLaunch")),
                     qPrintable(story.window.details().plainText()));
    }

    void aKernelLaunchedBeforeTheRecordingSaysSo()
    {
        const QString path = corpusPath(kNvidia);
        if (!QFileInfo::exists(path))
            QSKIP(qPrintable(path + QStringLiteral(" is not here")));
        Story story;
        QVERIFY(story.open(path));
        const Trace &trace = story.trace();
        EventId kernel = kNoEvent;
        story.key(Qt::Key_Home);
        QTRY_VERIFY((kernel = kernelInView(story, [&](EventId e) { return trace.launchLink(e).launch == kNoEvent; }))
                    != kNoEvent);
        const QPoint place = story.reach(story.ref(kernel));
        QVERIFY(!place.isNull());
        story.click(place);
        QTRY_VERIFY(
            story.window.details().plainText().contains(QLatin1String("It was launched before the recording began.")));
        story.key(Qt::Key_O);
        QCOMPARE(story.selected(), kernel);
        QCOMPARE(story.window.status().sentence(), QStringLiteral("It was launched before the recording began."));
    }
};

QTEST_MAIN(TstStoryKernelToOperator)
#include "tst_story_kernel_to_operator.moc"
