// SPDX-License-Identifier: GPL-3.0-or-later
// Arrange lanes, write a note, close; open the trace another day: all is as it was left.
#include "app/kept_views.h"
#include "tests/app/story.h"
#include "tests/support/trace_maker.h"

#include <QInputDialog>
#include <QTemporaryDir>

using namespace ks;

namespace {

std::string twoThreads(double operatorUs)
{
    TraceMaker maker;
    maker.process(100, "python").thread(100, "main");
    maker.step(1, 0, 1000).op("aten::mm", 10, operatorUs).launch("cudaLaunchKernel", 20, 5, 1);
    maker.thread(101, "worker").op("aten::copy_", 100, 50);
    maker.kernel("gemm_kernel", 200, 300, 7, 1).kernel("relu_kernel", 600, 50, 9, 0);
    return maker.json();
}

QString written(const QTemporaryDir &dir, const QString &name, const std::string &text)
{
    QFile file(dir.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), static_cast<qint64>(text.size())) < 0)
        return {};
    return file.fileName();
}

EventId eventNamed(const Trace &trace, std::string_view name)
{
    for (std::size_t i = 0; i < trace.eventCount(); ++i) {
        if (trace.name(static_cast<EventId>(i)) == name)
            return static_cast<EventId>(i);
    }
    return kNoEvent;
}

LaneId laneOf(const Trace &trace, std::string_view event)
{
    return trace.lane(eventNamed(trace, event));
}

const LaneArrangement &lanesOf(const Story &story)
{
    return story.timeline.tracks().tracks().front().lanes;
}

void clickHeader(Story &story, LaneId lane)
{
    const Track &track = story.timeline.tracks().tracks().front();
    const Block &block = track.layout.blocks()[track.layout.blockOf(lane)];
    for (QWidget *child : story.timeline.findChildren<QWidget *>(Qt::FindDirectChildrenOnly)) {
        if (child->accessibleName() == QLatin1String("Lanes"))
            QTest::mouseClick(child, Qt::LeftButton, {}, {60, track.top + block.y + 8});
    }
}

void writeNote(Story &story, Selection on, const QString &text)
{
    story.state.select(std::move(on));
    story.key(Qt::Key_M, Qt::ShiftModifier);
    auto *dialog = story.window.findChild<QInputDialog *>(QStringLiteral("noteEditor"));
    QVERIFY(dialog);
    dialog->setTextValue(text);
    dialog->accept();
    QCoreApplication::sendPostedEvents(dialog, QEvent::DeferredDelete);
}

void writeNote(Story &story, std::string_view event, const QString &text)
{
    writeNote(story, story.ref(eventNamed(story.trace(), event)), text);
}

QStringList keptFiles()
{
    return QDir(KeptViews::folder()).entryList({QStringLiteral("*.json")}, QDir::Files);
}

} // namespace

class TstStoryKept : public QObject
{
    Q_OBJECT
private slots:
    void init()
    {
        useOwnSettings(QStringLiteral("tst_story_kept"));
        QDir(KeptViews::folder()).removeRecursively();
    }

    void lanesAndNotesComeBackWithTheTrace()
    {
        QTemporaryDir dir;
        const QString path = written(dir, QStringLiteral("a.json"), twoThreads(100));
        {
            Story story(Story::Before::Kept);
            QVERIFY(story.open(path));
            clickHeader(story, laneOf(story.trace(), "aten::copy_")); // folds
            story.timeline.togglePin(story.state.traces().ref(0, laneOf(story.trace(), "relu_kernel")));
            story.timeline.resizeLane(story.state.traces().ref(0, laneOf(story.trace(), "aten::mm")), 12);
            story.timeline.moveLane(story.state.traces().ref(0, laneOf(story.trace(), "aten::copy_")), -1);
            writeNote(story, "gemm_kernel", QStringLiteral("why so long?"));
            writeNote(story, Area{{100'000, 200'000}, {}}, QStringLiteral("copying"));
        }
        // Elsewhere by now, under another name.
        const QString moved = dir.filePath(QStringLiteral("b.json"));
        QVERIFY(QFile::rename(path, moved));
        Story story(Story::Before::Kept);
        QVERIFY(story.open(moved));
        const LaneId copy = laneOf(story.trace(), "aten::copy_");
        const LaneId main = laneOf(story.trace(), "aten::mm");
        QVERIFY(lanesOf(story).lanes.contains(copy));
        QCOMPARE(lanesOf(story).pinned, std::vector<LaneId>{laneOf(story.trace(), "relu_kernel")});
        QCOMPARE(lanesOf(story).pitch.at(main), kRowPitch + 12);
        QCOMPARE(lanesOf(story).order.size(), std::size_t{1});
        QCOMPARE(lanesOf(story).order.begin()->second, (std::vector<LaneId>{copy, main}));
        QCOMPARE(story.state.notes().size(), std::size_t{2});
        QCOMPARE(story.state.notes()[0].text, QStringLiteral("why so long?"));
        QCOMPARE(*story.state.notes()[0].event, story.ref(eventNamed(story.trace(), "gemm_kernel")));
        QCOMPARE(story.state.notes()[1].range, (TimeRange{100'000, 200'000}));
        // Nothing lies beside the trace.
        QCOMPARE(QDir(dir.path()).entryList(QDir::Files), QStringList{QStringLiteral("b.json")});
    }

    void reloadingKeepsThem()
    {
        QTemporaryDir dir;
        Story story;
        QVERIFY(story.open(written(dir, QStringLiteral("a.json"), twoThreads(100))));
        writeNote(story, "gemm_kernel", QStringLiteral("seen"));
        const std::uint32_t before = story.state.traces().generation(0);
        QTest::keyClick(&story.window, Qt::Key_R, Qt::ControlModifier);
        QTRY_VERIFY(story.state.traces().generation(0) != before && !story.window.loader().isLoading());
        QCOMPARE(story.state.notes().size(), std::size_t{1});
        QCOMPARE(*story.state.notes().front().event, story.ref(eventNamed(story.trace(), "gemm_kernel")));
    }

    void anotherTraceHasItsOwn()
    {
        QTemporaryDir dir;
        Story story(Story::Before::Kept);
        QVERIFY(story.open(written(dir, QStringLiteral("a.json"), twoThreads(100))));
        clickHeader(story, laneOf(story.trace(), "aten::copy_"));
        writeNote(story, "aten::mm", QStringLiteral("of the first"));
        writeNote(story, Area{{100'000, 200'000}, {}}, QStringLiteral("of the first, too"));
        QVERIFY(story.open(written(dir, QStringLiteral("other.json"), twoThreads(101))));
        QVERIFY(lanesOf(story).lanes.empty());
        QVERIFY(story.state.notes().empty());
    }

    void withoutAnythingOfOnesOwnNothingIsWritten()
    {
        QTemporaryDir dir;
        const QString path = written(dir, QStringLiteral("a.json"), twoThreads(100));
        {
            Story story(Story::Before::Kept);
            QVERIFY(story.open(path));
            clickHeader(story, laneOf(story.trace(), "aten::copy_"));
        }
        QCOMPARE(keptFiles().size(), 1);
        {
            Story story(Story::Before::Kept);
            QVERIFY(story.open(path));
            clickHeader(story, laneOf(story.trace(), "aten::copy_")); // as it was
        }
        QCOMPARE(keptFiles(), QStringList());
    }

    void whatIsDamagedIsLeftOut()
    {
        QTemporaryDir dir;
        const QString path = written(dir, QStringLiteral("a.json"), twoThreads(100));
        QString kept;
        {
            Story story(Story::Before::Kept);
            QVERIFY(story.open(path));
            kept = KeptViews::fileOf(story.trace());
        }
        QVERIFY(QDir().mkpath(KeptViews::folder()));
        const QByteArrayList damaged = {
            "not json", R"({"version":7,"notes":[{"text":"x","begin":"0","end":"5"}]})",
            R"({"version":1,"arrangement":{"lanes":[],"pinned":["nobody/1/0/x"],"groups":7},"notes":[{"event":4000000000,"name":"x","text":"x"}]})"};
        for (const QByteArray &bytes : damaged) {
            QFile file(kept);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(bytes);
            file.close();
            Story story(Story::Before::Kept);
            QVERIFY(story.open(path));
            QVERIFY(lanesOf(story).pinned.empty());
            QVERIFY(story.state.notes().empty());
        }
    }
};

QTEST_MAIN(TstStoryKept)
#include "tst_story_kept.moc"
