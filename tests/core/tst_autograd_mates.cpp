// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/trace.h"
#include "tests/support/qt_text.h"
#include "tests/support/trace_check.h"
#include "tests/support/trace_maker.h"

#include <QTest>

#include <string>

using namespace ks;

namespace {

std::string numbered(int sequence, int thread)
{
    return "\"Sequence number\":" + std::to_string(sequence) + ",\"Fwd thread id\":" + std::to_string(thread);
}

std::string matesOf(const Trace &trace)
{
    std::string text;
    for (std::uint32_t i = 0; i < trace.eventCount(); ++i) {
        const EventId id = trace.eventAtFileIndex(i);
        if (const EventId forward = trace.forwardOf(id); forward != kNoEvent)
            text += std::string(trace.name(id)) + "<" + std::string(trace.name(forward)) + " ";
    }
    return text;
}

} // namespace

class TstAutogradMates : public QObject
{
    Q_OBJECT
private slots:
    void theInnermostForwardOperatorWithTheNumberIsTheMate()
    {
        const auto trace = TraceMaker().op("conv2d", 0, 50, numbered(7, 0)).op("convolution", 5, 40, numbered(7, 0)).op("relu", 60, 10, numbered(8, 0))
                               .op("ReluBackward", 100, 10, numbered(8, 1)).op("ConvBackward", 120, 30, numbered(7, 1)).build();
        QCOMPARE(q(matesOf(*trace)), QStringLiteral("ReluBackward<relu ConvBackward<convolution "));
        QVERIFY(traceFault(*trace).empty());
    }

    void wrapperAndNodeShareTheirMate()
    {
        const auto trace = TraceMaker().op("mm", 0, 50, numbered(7, 0)).op("evaluate_function", 100, 30, numbered(7, 1)).op("MmBackward", 105, 20, numbered(7, 1)).build();
        QCOMPARE(q(matesOf(*trace)), QStringLiteral("evaluate_function<mm MmBackward<mm "));
        QCOMPARE(trace->backwardOf(trace->eventAtFileIndex(0)).size(), std::size_t{2});
    }

    void arrowsSayWhichThreadIsMeant()
    {
        // Two forward threads use the same numbers; the internal ids 1 and 2 say nothing about them until one arrow does.
        TraceMaker maker;
        maker.thread(10).op("a10", 0, 10, numbered(5, 0)).op("b10", 20, 10, numbered(6, 0));
        maker.thread(20).op("a20", 0, 10, numbered(5, 0)).op("b20", 20, 10, numbered(6, 0));
        maker.thread(30).op("A", 100, 5, numbered(5, 2)).op("B", 110, 5, numbered(6, 2));
        QCOMPARE(q(matesOf(*maker.build())), QString());
        maker.flow("fwdbwd", 1, 0, 10, 100, 30);
        QCOMPARE(q(matesOf(*maker.build())), QStringLiteral("A<a10 B<b10 "));
    }

    void arrowsOfOlderFilesCountToo()
    {
        const auto trace = TraceMaker().op("mm", 0, 10).thread(2).op("MmBackward", 100, 10).flow("forward_backward", 1, 0, 100, 100, 2).build();
        QCOMPARE(q(matesOf(*trace)), QStringLiteral("MmBackward<mm "));
    }

    void aForwardLaterThanItsBackwardIsNone()
    {
        const auto trace = TraceMaker().op("Backward", 0, 10, numbered(7, 1)).op("mm", 50, 10, numbered(7, 0)).build();
        QCOMPARE(q(matesOf(*trace)), QString());
    }

    void noNumberNoMate()
    {
        const auto trace = TraceMaker().op("mm", 0, 10, numbered(-1, 0)).op("Backward", 50, 10, numbered(-1, 1)).op("x", 70, 10, numbered(9, 1)).build();
        QCOMPARE(q(matesOf(*trace)), QString());
    }
};

QTEST_APPLESS_MAIN(TstAutogradMates)
#include "tst_autograd_mates.moc"
