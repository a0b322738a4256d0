// SPDX-License-Identifier: GPL-3.0-or-later
// What a pane says of an answer that is not of what the window shows now.
#include "tests/support/qt_text.h"
#include "tests/widgets/busy_pool.h"
#include "tests/widgets/pane_fixture.h"
#include "widgets/panes/events_pane.h"

using namespace ks;

namespace {

bool isVeiled(const Pane &pane)
{
    return pane.findChild<QWidget *>(QStringLiteral("veil.") + pane.id())->isVisible();
}

// The middle of the picture, a little of it.
QImage middleOf(QWidget &widget)
{
    return widget.grab(QRect(widget.width() / 4, widget.height() / 4, widget.width() / 2, widget.height() / 2))
        .toImage()
        .convertToFormat(QImage::Format_RGB32);
}

int contrast(const QImage &image)
{
    int least = 255;
    int most = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            least = std::min(least, qGray(image.pixel(x, y)));
            most = std::max(most, qGray(image.pixel(x, y)));
        }
    }
    return most - least;
}

void checkThatItTells(Pane &pane, QWidget &view, ViewState &state)
{
    const QString before = pane.words();
    QVERIFY2(before.startsWith(QStringLiteral("Counted: the whole trace")), qPrintable(before));
    const int plain = contrast(middleOf(pane));
    const TimeRange whole = state.traces().range();
    {
        const BusyPool busy;
        state.setVisibleRange({whole.begin, whole.begin + whole.duration() / 2});
        // At first nothing is said: most answers are fast.
        QCOMPARE(pane.words(), before);
        QVERIFY(!isVeiled(pane));
        QTRY_VERIFY(isVeiled(pane));
        QCOMPARE(pane.words(),
                 QString(before).replace(QStringLiteral("Counted:"), QStringLiteral("Counting… Still shown:")));
        const int veiled = contrast(middleOf(pane));
        QVERIFY2(veiled < plain * 2 / 3, qPrintable(QString::number(veiled)));
        // Another change does not make it flicker, nor does another size let anything out from below.
        state.setFilter(QStringLiteral("dur > 2us"));
        QVERIFY(isVeiled(pane));
        pane.resize(pane.size() + QSize(60, 40));
        QCoreApplication::processEvents();
        QVERIFY(pane.findChild<QWidget *>(QStringLiteral("veil.") + pane.id())
                    ->geometry()
                    .contains(QRect(view.mapTo(&pane, QPoint()), view.size())));
        QVERIFY(pane.words().startsWith(QStringLiteral("Counting…")));
    }
    QTRY_VERIFY(!isVeiled(pane));
    QVERIFY2(pane.words().startsWith(QStringLiteral("Counted: the visible")), qPrintable(pane.words()));
    QVERIFY(pane.words().contains(QStringLiteral("only dur > 2us")));
}

} // namespace

class TstOldAnswers : public QObject
{
    Q_OBJECT
private slots:
    void aTableSaysThatItIsOfAnotherRange()
    {
        PaneFixture fixture("kernels");
        QVERIFY(fixture.wait());
        checkThatItTells(fixture.pane, fixture.pane.view(), fixture.state);
    }

    void theEventsSaySoToo()
    {
        PaneFixture fixture("kernels");
        EventsPane pane(fixture.state);
        pane.resize(900, 400);
        pane.show();
        QTRY_VERIFY(pane.isUpToDate() && !pane.words().isEmpty());
        checkThatItTells(pane, pane.view(), fixture.state);
    }

    void theFirstAnswerIsAwaitedInWords()
    {
        const BusyPool busy;
        PaneFixture fixture("operators");
        QTRY_COMPARE(fixture.pane.words(), QStringLiteral("Counting…"));
        QVERIFY(!isVeiled(fixture.pane)); // nothing is shown
    }

    void whatFailsIsNotAwaited()
    {
        PaneFixture fixture("operators");
        QVERIFY(fixture.wait());
        {
            const BusyPool busy;
            fixture.state.setFilter(QStringLiteral("dur >"));
            QTRY_VERIFY(isVeiled(fixture.pane));
        }
        QTRY_VERIFY(!isVeiled(fixture.pane));
        QVERIFY(fixture.pane.words().startsWith(QStringLiteral("Counted:")));
    }

    void rowsSomebodyGoesThroughStayAndSaySo()
    {
        PaneFixture fixture("kernels");
        QVERIFY(fixture.wait());
        fixture.pane.activateWindow();
        fixture.pane.view().setFocus();
        QTRY_VERIFY(fixture.pane.view().hasFocus());
        const std::string before = shown(fixture.pane);
        const TimeRange whole = fixture.state.traces().range();
        fixture.state.setVisibleRange({whole.begin, whole.begin + whole.duration() / 2});
        QCOMPARE(fixture.pane.words(), QStringLiteral("Counted: the whole trace, before the view moved"));
        QVERIFY(!isVeiled(fixture.pane));
        QCOMPARE(q(shown(fixture.pane)), q(before));
        QVERIFY(fixture.after([&] { fixture.pane.view().clearFocus(); }));
        QVERIFY(fixture.pane.words().startsWith(QStringLiteral("Counted: the visible")));
    }

    // What is in view of one run says nothing of the other.
    void aComparisonDoesNotAskAnewForEachView()
    {
        PaneFixture fixture("compare", 2);
        QVERIFY(fixture.wait());
        const TimeRange whole = fixture.state.traces().range();
        const TimeRange half{whole.begin, whole.begin + whole.duration() / 2};
        fixture.state.setVisibleRange(half);
        QVERIFY(fixture.pane.isUpToDate());
        // A selected area does ask, and so does the end of it.
        QVERIFY(fixture.after([&] { fixture.state.select(Area{half, {}}); }));
        QVERIFY(fixture.pane.words().contains(QStringLiteral("selected")));
        QVERIFY(fixture.after([&] { fixture.state.select({}); }));
        QVERIFY(fixture.pane.words().contains(QStringLiteral("whole trace")));
        {
            const BusyPool busy;
            fixture.state.select(Area{half, {}});
            QTRY_VERIFY(isVeiled(fixture.pane));
            fixture.state.select({}); // before the answer came
        }
        QTRY_VERIFY(fixture.pane.isUpToDate());
        QVERIFY(fixture.pane.words().contains(QStringLiteral("whole trace")));
    }
};

QTEST_MAIN(TstOldAnswers)
#include "tst_old_answers.moc"
