// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/import.h"
#include "tests/support/trace_maker.h"
#include "widgets/panes/details_pane.h"

#include <QClipboard>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QTextBlock>

using namespace ks;

namespace {

EventId named(const Trace &trace, std::string_view name, std::size_t nth = 0)
{
    for (std::uint32_t i = 0; i < trace.eventCount(); ++i) {
        const EventId id = trace.eventAtFileIndex(i);
        if (trace.name(id) == name && nth-- == 0)
            return id;
    }
    return kNoEvent;
}

TraceMaker training()
{
    TraceMaker maker;
    maker.python("train.py(42): step", 0, 190, 1, -1).python("nn.Module: Linear_0", 5, 100, 2, 1);
    maker.step(7, 1, 180);
    maker.op("aten::linear", 10, 60).op("aten::addmm", 12, 50, R"("Input Dims":[[32,64],[64,64]],"Input type":["float","float"])");
    maker.launch("cudaLaunchKernel", 30, 5, 71);
    maker.kernel("gemm_kernel", 100, 20, 7, 71, 0, R"("grid":[128,16,1],"block":[256,1,1])");
    maker.kernel("early", 1, 2, 7, 12);
    return maker;
}

// The middle of a link's text in the browser's viewport; a null point if there is no such link.
QPoint placeOf(const QTextBrowser &browser, const QString &linkText)
{
    QTextCursor found = browser.document()->find(linkText);
    while (!found.isNull() && found.charFormat().anchorHref().isEmpty())
        found = browser.document()->find(linkText, found);
    if (found.isNull())
        return {};
    QTextCursor at(browser.document());
    at.setPosition(found.selectionStart() + 1);
    return browser.cursorRect(at).center();
}

} // namespace

class TstDetailsPane : public QObject
{
    Q_OBJECT

    struct Fixture
    {
        ViewState state;
        DetailsPane pane{state};
        std::shared_ptr<const Trace> trace;
        QTextBrowser &browser;

        explicit Fixture(std::shared_ptr<const Trace> opened)
            : trace(std::move(opened))
            , browser(*pane.findChild<QTextBrowser *>(QStringLiteral("details.text")))
        {
            state.traces().add(trace);
            pane.resize(420, 800);
            pane.show();
        }
        EventRef ref(std::string_view name) const { return state.traces().ref(0, named(*trace, name)); }
        void click(const QString &link)
        {
            const QPoint place = placeOf(browser, link);
            QVERIFY2(!place.isNull(), qPrintable(link));
            QTest::mouseClick(browser.viewport(), Qt::LeftButton, {}, place);
        }
    };

private slots:
    // Beside a number, in a pane in which not both fit.
    void namesBreakOnlyWhereTheyFitOnNoLine()
    {
        TraceMaker maker;
        maker.op("aten::linear", 10, 60).op("aten::addmm", 12, 50).launch("cudaLaunchKernelExC", 30, 5, 171717);
        maker.kernel("gemm_kernel", 100, 20, 7, 171717);
        Fixture fixture(maker.build());
        for (const int width : {420, 300, 270, 240}) {
            fixture.pane.resize(width, 800);
            fixture.state.select(fixture.ref("gemm_kernel"));
            QTRY_VERIFY(fixture.pane.plainText().contains(QStringLiteral("correlation 171717")));
            QCoreApplication::processEvents();
            QTextDocument &document = *fixture.browser.document();
            for (const QString &text : {QStringLiteral("cudaLaunchKernelExC"), QStringLiteral("correlation 171717")}) {
                QTextCursor found = document.find(text);
                QVERIFY(!found.isNull());
                QTextCursor start(&document);
                start.setPosition(found.selectionStart());
                QTextCursor end(&document);
                end.setPosition(found.selectionEnd());
                QVERIFY2(std::abs(fixture.browser.cursorRect(start).bottom() - fixture.browser.cursorRect(end).bottom()) < 6,
                         qPrintable(QStringLiteral("%1 at %2").arg(text).arg(width)));
            }
        }
    }

    // Two runs do not add up.
    void aNameIsToldOfEachTraceForItself()
    {
        ViewState state;
        DetailsPane pane(state);
        pane.show();
        state.traces().add(TraceMaker().op("aten::mm", 0, 10).op("aten::mm", 20, 30).build());
        const NameId name = state.traces().at(0).nameId(EventId{0});
        state.select(name);
        QTRY_COMPARE(pane.plainText(), QStringLiteral("aten::mm\n2 events of this name, 40.0 µs in sum\n"
                                                      "mean 20.0 µs · shortest 10.00 µs · longest 30.0 µs"));
        state.traces().add(TraceMaker().op("aten::mm", 0, 5).op("aten::add", 20, 30).build());
        state.select(name);
        QTRY_VERIFY2(pane.plainText().contains(QStringLiteral("1 event of this name, 5.00 µs")),
                     qPrintable(pane.plainText()));
        QVERIFY(pane.plainText().contains(QStringLiteral("2 events of this name, 40.0 µs in sum")));
        QVERIFY(!pane.plainText().contains(QStringLiteral("45")));
        state.select(state.traces().at(1).nameId(EventId{1}));
        QTRY_VERIFY2(pane.plainText().contains(QStringLiteral("no event of this name")), qPrintable(pane.plainText()));
    }

    void emptyItSaysWhatWouldFillIt()
    {
        ViewState state;
        DetailsPane pane(state);
        pane.show();
        QVERIFY(pane.plainText().contains(QLatin1String("Open a trace")));
        state.traces().add(training().build());
        QVERIFY(pane.plainText().contains(QLatin1String("Click an event")));
    }

    void aKernelShowsWhyItRan()
    {
        Fixture f(training().build());
        f.state.select(f.ref("gemm_kernel"));
        QTRY_VERIFY(f.pane.plainText().contains(QLatin1String("WHY IT RAN")));
        const QString text = f.pane.plainText();
        qsizetype last = -1;
        for (const char *part : {"gemm_kernel", "kernel", "GPU 0 · stream 7", "train.py(42): step", "ProfilerStep#7", "nn.Module: Linear_0",
                                 "aten::linear", "aten::addmm", "[32,64] × [64,64] fp32", "cudaLaunchKernel", "correlation 71", "this kernel",
                                 "launched 18.00 µs after aten::addmm began", "waited 65.0 µs in stream 7, nothing queued before it",
                                 "ran 20.0 µs", "Start", "Duration", "20,000 ns", "Grid", "[128,16,1]", "LINKS", "Launch", "Operator", "ARGUMENTS"}) {
            const qsizetype at = text.indexOf(QString::fromUtf8(part), last + 1);
            QVERIFY2(at > last, qPrintable(QStringLiteral("%1 in order in:\n%2").arg(QString::fromUtf8(part), text)));
            last = at;
        }
    }

    void aLinkOfTheBreadcrumbGoesThere()
    {
        Fixture f(training().build());
        f.state.select(f.ref("gemm_kernel"));
        QTRY_VERIFY(!placeOf(f.browser, QStringLiteral("aten::addmm")).isNull());
        QSignalSpy reveal(&f.state, &ViewState::revealRequested);
        f.click(QStringLiteral("aten::addmm"));
        QCOMPARE(*selectedEvent(f.state.selection()), f.ref("aten::addmm"));
        QCOMPARE(reveal.count(), 1);
        QTRY_VERIFY(f.pane.plainText().startsWith(QLatin1String("aten::addmm")));
        f.state.back();
        QCOMPARE(*selectedEvent(f.state.selection()), f.ref("gemm_kernel"));
    }

    void theSameEventOfTheOtherTraceIsOneClickAway()
    {
        Fixture f(training().build());
        f.state.select(f.ref("gemm_kernel"));
        QTRY_VERIFY(f.pane.plainText().contains(QLatin1String("LINKS")));
        QVERIFY(!f.pane.plainText().contains(QLatin1String("the same event")));
        TraceMaker slower = training();
        slower.kernel("only here", 150, 5, 7, 72);
        const auto other = slower.build();
        f.state.traces().add(other);
        f.state.select(f.ref("gemm_kernel"));
        const QString link = QStringLiteral("the same event, 20.0 µs (0 %)");
        QTRY_VERIFY(!placeOf(f.browser, link).isNull());
        f.click(link);
        QCOMPARE(*selectedEvent(f.state.selection()), f.state.traces().ref(1, named(*other, "gemm_kernel")));
        // And back; what is not in the other trace says so.
        QTRY_VERIFY(f.pane.plainText().contains(QLatin1String("the same event")));
        f.state.select(f.state.traces().ref(1, named(*other, "only here")));
        QTRY_VERIFY(f.pane.plainText().contains(QLatin1String("no such event at its place")));
    }

    void linksAreReachedByKeyboard()
    {
        Fixture f(training().build());
        f.state.select(f.ref("gemm_kernel"));
        QTRY_VERIFY(f.pane.plainText().contains(QLatin1String("WHY IT RAN")));
        f.browser.setFocus();
        QSignalSpy source(&f.pane, &DetailsPane::sourceLineActivated);
        // The python frames and calls above the user's own one are behind "… more"; the first link of all leads on.
        QTest::keyClick(&f.browser, Qt::Key_Tab);
        QTest::keyClick(&f.browser, Qt::Key_Return);
        QCOMPARE(source.count(), 1);
        QCOMPARE(source.first().at(0).toString(), QStringLiteral("train.py"));
        QCOMPARE(source.first().at(1).toInt(), 42);
    }

    void anOperatorLightsUpItsKernels()
    {
        Fixture f(training().build());
        f.state.select(f.ref("aten::linear"));
        QTRY_VERIFY(f.pane.plainText().contains(QStringLiteral("1 piece of device work, 20.0 µs")));
        f.click(QStringLiteral("1 piece of device work"));
        QCOMPARE(*selectedEvent(f.state.selection()), f.ref("gemm_kernel"));
        QCOMPARE(f.state.marked().size(), std::size_t{1});
    }

    void aMissingLinkIsExplained()
    {
        Fixture f(training().build());
        f.state.select(f.ref("early"));
        QTRY_VERIFY(f.pane.plainText().contains(QLatin1String("It was launched before the recording began.")));
    }

    void aFileThatChangedOffersToReload()
    {
        QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("trace.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(training().json()));
        file.close();
        Fixture f(importTrace(path.toStdString()));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write("[]");
        file.close();
        f.state.select(f.ref("gemm_kernel"));
        QTRY_VERIFY(f.pane.plainText().contains(QLatin1String("The file changed on disk")));
        QVERIFY(f.pane.plainText().contains(QLatin1String("aten::addmm"))); // what is in memory is still told
        QSignalSpy reload(&f.pane, &DetailsPane::reloadRequested);
        f.click(QStringLiteral("Reload"));
        QCOMPARE(reload.count(), 1);
    }

    void hoveringALinkMarksItsEvent()
    {
        Fixture f(training().build());
        f.state.select(f.ref("gemm_kernel"));
        QTRY_VERIFY(!placeOf(f.browser, QStringLiteral("aten::linear")).isNull());
        QTest::mouseMove(f.browser.viewport(), placeOf(f.browser, QStringLiteral("aten::linear")));
        QTRY_COMPARE(f.state.hovered(), std::optional(f.ref("aten::linear")));
    }

    void anAreaAndANameAreDescribedToo()
    {
        Fixture f(training().build());
        f.state.select(Area{{0, 50'000}, {}});
        QTRY_VERIFY(f.pane.plainText().contains(QStringLiteral("50.0 µs selected")));
        f.state.select(f.trace->nameId(named(*f.trace, "gemm_kernel")));
        QTRY_VERIFY(f.pane.plainText().contains(QLatin1String("1 event of this name")));
    }

    void everyEventOfATraceHasAPage()
    {
        Fixture f(training().build());
        for (std::uint32_t i = 0; i < f.trace->eventCount(); ++i) {
            f.state.select(f.state.traces().ref(0, EventId{i}));
            const QString name = QString::fromStdString(std::string(f.trace->name(EventId{i})));
            QTRY_VERIFY2(f.pane.plainText().startsWith(name) && f.pane.plainText().contains(QLatin1String("FACTS")), qPrintable(name));
        }
    }

    void namesAreNeverTakenForMarkup()
    {
        TraceMaker maker;
        maker.op("aten::add<b>&amp;</b>", 0, 10);
        Fixture f(maker.build());
        f.state.select(f.ref("aten::add<b>&amp;</b>"));
        QTRY_VERIFY(f.pane.plainText().startsWith(QLatin1String("aten::add<b>&amp;</b>")));
    }

    void sourceLines_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("line");
        QTest::newRow("plain") << QByteArray("train.py(42): step") << QStringLiteral("train.py") << 42;
        QTest::newRow("path") << QByteArray("/a b/(x)/train.py(7): <module>") << QStringLiteral("/a b/(x)/train.py") << 7;
        QTest::newRow("builtin") << QByteArray("<built-in method zeros>") << QString() << 0;
        QTest::newRow("module") << QByteArray("nn.Module: Linear_0") << QString() << 0;
    }
    void sourceLines()
    {
        QFETCH(QByteArray, name);
        QFETCH(QString, file);
        QFETCH(int, line);
        const auto source = sourceLineOf({name.constData(), static_cast<std::size_t>(name.size())});
        QCOMPARE(source.has_value(), !file.isEmpty());
        if (source) {
            QCOMPARE(source->file, file);
            QCOMPARE(source->line, line);
        }
    }

    void linksSurviveTheirUrl()
    {
        for (const QString &text : {QStringLiteral("/tmp/a b.py"), QStringLiteral("C:\\x&y=#?%20+")}) {
            const DetailsLink back = DetailsLink::fromUrl(DetailsLink{DetailsLink::Kind::Copy, kNoEvent, text}.toUrl());
            QCOMPARE(back.text, text);
        }
        DetailsLink same{DetailsLink::Kind::Counterpart, EventId{17}, {}};
        same.trace = 3;
        const DetailsLink other = DetailsLink::fromUrl(same.toUrl());
        QVERIFY(other.kind == same.kind && other.event == same.event && other.trace == 3);
        const DetailsLink event = DetailsLink::fromUrl(DetailsLink{DetailsLink::Kind::Event, EventId{4'000'000'000U}, {}}.toUrl());
        QCOMPARE(event.event, EventId{4'000'000'000U});
    }
};

QTEST_MAIN(TstDetailsPane)
#include "tst_details_pane.moc"
