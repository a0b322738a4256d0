// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/name_pool.h"
#include "core/view/palette.h"
#include "tests/support/row_trace.h"
#include "tests/support/trace_maker.h"
#include "widgets/render/label_cache.h"
#include "widgets/render/render_timeline.h"
#include "widgets/render/ruler_painter.h"
#include "widgets/render/timeline_painter.h"

#include <QBuffer>
#include <QPainter>
#include <QSvgRenderer>
#include <QTest>

#include <random>
#include <set>

using namespace ks;

namespace {

std::shared_ptr<const Trace> training()
{
    return TraceMaker()
        .device(0, "NVIDIA H100")
        .step(1, 0, 1000)
        .op("aten::mm", 10, 300)
        .launch("cudaLaunchKernel", 20, 5, 1)
        .kernel("ampere_sgemm", 100, 400, 7, 1)
        .kernel("tiny \u2713 <name> & \"more\"", 600, 200, 7, 2)
        .memory(10, 100, 1, 100, 0, 1000)
        .memory(500, -100, 1, 0, 0, 1000)
        .build();
}

bool hasColour(const QImage &image, Rgb wanted)
{
    const QRgb colour = qRgb(wanted.r, wanted.g, wanted.b);
    for (int y = 0; y < image.height(); ++y) {
        const auto *line = reinterpret_cast<const QRgb *>(image.constScanLine(y));
        for (int x = 0; x < image.width(); ++x) {
            if ((line[x] | 0xff000000U) == colour)
                return true;
        }
    }
    return false;
}

// Forty lanes of random rows, so thin that nothing gets a label.
struct ThinRows
{
    explicit ThinRows(std::uint64_t seed, int pitch)
    {
        std::mt19937_64 random(seed);
        RandomRows options;
        options.lanes = 40;
        options.events = 60;
        options.longestGap = seed % 2 ? 2000 : 50;
        trace = randomRowTrace(random, options);
        LaneArrangement lanes;
        for (std::size_t lane = 0; lane < trace->lanes().size(); ++lane)
            lanes.pitch[static_cast<LaneId>(lane)] = pitch;
        layout = LaneLayout(*trace, std::make_shared<const ViewIndex>(*trace), lanes);
        view = Viewport(trace->range(), trace->range(), kWidth);
        view.zoomAt(300, static_cast<double>(1 + seed % 5));
        // What a filter lets pass.
        bits.resize(trace->eventCount() / 64 + 1);
        for (std::uint64_t &word : bits)
            word = random();
    }
    // The rows from `top` to `bottom`, and the pixels of them.
    DrawList list(int top, int bottom) const
    {
        DrawOptions options;
        options.matching = bits;
        return buildDrawList(*trace, view, layout, top, bottom, options);
    }
    LanesPicture picture(const DrawList &list, int top, int bottom) const
    {
        return {*trace, list, layout, lightTheme(), kWidth, bottom - top, top};
    }

    static constexpr int kWidth = 700;
    std::shared_ptr<const Trace> trace;
    LaneLayout layout;
    Viewport view;
    std::vector<std::uint64_t> bits;
};

int greatestDifference(QRgb a, QRgb b)
{
    return std::max({std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)), std::abs(qBlue(a) - qBlue(b))});
}

// Where two pictures of one size differ by more than `most`; empty if nowhere.
QString firstDifference(const QImage &is, const QImage &shouldBe, int most)
{
    for (int y = 0; y < is.height(); ++y) {
        for (int x = 0; x < is.width(); ++x) {
            if (greatestDifference(is.pixel(x, y), shouldBe.pixel(x, y)) > most)
                return QStringLiteral("%1, %2 is %3, not %4")
                    .arg(x)
                    .arg(y)
                    .arg(is.pixel(x, y), 0, 16)
                    .arg(shouldBe.pixel(x, y), 0, 16);
        }
    }
    return {};
}

} // namespace

class TstRenderTimeline : public QObject
{
    Q_OBJECT
private slots:
    void pictureHasExactlyTheSizeAskedFor();
    void pictureShowsKernelsInTheirColours_data();
    void pictureShowsKernelsInTheirColours();
    void choosesAHeightThatHoldsTheLanes();
    void showsTheRangeAskedFor();
    void refusesSizesThatMakeNoPicture();
    void drawsAnEmptyTrace();
    void svgIsWellFormedAndHoldsTheNames();
    void collectivesSayWhatTheyAre();
    void pixelsAreWhatAPainterDraws();
    void curvesInPixelsAreWhatAPainterDraws();
    void manyRowsAreDrawnAsFewAre();
    void ticksAreRoundNumbersFarEnoughApart();
    void ticksAtTheEdgeAreSaidWholeOrNotAtAll();
    void labelCacheKeepsItsBound();
};

void TstRenderTimeline::pictureHasExactlyTheSizeAskedFor()
{
    RenderOptions options;
    options.width = 801;
    options.height = 403;
    QCOMPARE(renderTimelineImage(*training(), options).size(), QSize(801, 403));
    options.dpr = 2;
    const QImage image = renderTimelineImage(*training(), options);
    QCOMPARE(image.size(), QSize(1602, 806));
    QCOMPARE(image.devicePixelRatio(), 2.0);
    options.dpr = 1.25;
    QCOMPARE(renderTimelineImage(*training(), options).size(), QSize(1001, 504));
    options.width = options.height = 1; // absurd, but no reason to fall over
    QVERIFY(!renderTimelineImage(*training(), options).isNull());
}

void TstRenderTimeline::pictureShowsKernelsInTheirColours_data()
{
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void TstRenderTimeline::pictureShowsKernelsInTheirColours()
{
    QFETCH(bool, dark);
    RenderOptions options;
    options.dark = dark;
    options.height = 400;
    const QImage image = renderTimelineImage(*training(), options);
    const Theme &theme = dark ? darkTheme() : lightTheme();
    QVERIFY(hasColour(image, theme.colour(familyKey(KernelFamily::Gemm))));
    QVERIFY(hasColour(image, theme.colour(operatorTint(hueOf("aten::mm")))));
    QVERIFY(hasColour(image, theme.lanes));
    QVERIFY(hasColour(image, theme.header));
    QVERIFY(!hasColour(image, theme.colour(familyKey(KernelFamily::Communication))));
}

void TstRenderTimeline::choosesAHeightThatHoldsTheLanes()
{
    RowTrace rows;
    rows.process("1");
    for (int i = 0; i < 300; ++i) {
        rows.lane(LaneKind::Cpu, LaneRole::MainThread, std::to_string(i)).row();
        rows.event("x", EventKind::Operator, 0, 10);
    }
    RenderOptions options;
    QCOMPARE(renderTimelineImage(*rows.build(), options).height(), 4000);
    const int few = renderTimelineImage(*training(), options).height();
    QVERIFY(few > 120 && few < 600);
}

void TstRenderTimeline::showsTheRangeAskedFor()
{
    RenderOptions options;
    options.height = 400;
    options.range = {850'000, 900'000}; // nothing on the device
    const QImage image = renderTimelineImage(*training(), options);
    QVERIFY(!hasColour(image, lightTheme().colour(familyKey(KernelFamily::Gemm))));
}

void TstRenderTimeline::refusesSizesThatMakeNoPicture()
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    for (const QSize size : {QSize(0, 100), QSize(-5, 100), QSize(100, -1), QSize(100'000, 100'000)}) {
        RenderOptions options;
        options.width = size.width();
        options.height = size.height();
        QVERIFY(renderTimelineImage(*training(), options).isNull());
        QVERIFY(!renderTimelineSvg(*training(), options, buffer));
    }
}

void TstRenderTimeline::drawsAnEmptyTrace()
{
    const auto trace = RowTrace().build();
    QVERIFY(!renderTimelineImage(*trace, {}).isNull());
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QVERIFY(renderTimelineSvg(*trace, {}, buffer));
}

void TstRenderTimeline::collectivesSayWhatTheyAre()
{
    TraceMaker maker;
    maker.thread(100, "main").op("c10d::allreduce_", 10, 100).launch("cudaLaunchKernel", 20, 5, 1);
    maker.kernel(
        "ncclDevKernel_AllReduce_Sum", 100, 400, 7, 1, 0,
        R"("Collective name":"allreduce","dtype":"BFloat16","In msg nelems":33554432,"Out msg nelems":33554432,"Group size":8)");
    maker.kernel("ncclDevKernel_Broadcast", 600, 400, 7, 2);
    QBuffer buffer;
    QVERIFY(buffer.open(QIODevice::WriteOnly));
    QVERIFY(renderTimelineSvg(*maker.build(), {}, buffer));
    const QString svg = QString::fromUtf8(buffer.data());
    QVERIFY(svg.contains(QStringLiteral("all_reduce · bf16 · 64.0 MiB · 8 ranks")));
    QVERIFY(!svg.contains(QStringLiteral("AllReduce_Sum")));
    QVERIFY(svg.contains(QStringLiteral("ncclDevKernel_Broadcast"))); // nothing tells
}

void TstRenderTimeline::pixelsAreWhatAPainterDraws()
{
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const ThinRows rows(seed, 2 + static_cast<int>(seed % 4) * 2);
        const int height = rows.layout.height();
        const DrawList list = rows.list(0, height);
        QVERIFY(list.rows.size() >= 150 && !list.boxes.empty() && !list.cells.empty());
        QImage pixels(ThinRows::kWidth, height, QImage::Format_RGB32);
        LabelCache labels;
        paintLanes(pixels, {}, 1, rows.picture(list, 0, height), labels);
        QImage painted(pixels.size(), QImage::Format_RGB32);
        QPainter painter(&painted);
        paintLanes(painter, rows.picture(list, 0, height));
        painter.end();
        // The busy share of a cell counts in 64 steps there.
        const QString difference = firstDifference(pixels, painted, 3);
        QVERIFY2(difference.isEmpty(), qPrintable(QStringLiteral("seed %1: ").arg(seed) + difference));
        std::set<QRgb> colours;
        for (int y = 0; y < height; ++y) {
            const auto *line = reinterpret_cast<const QRgb *>(pixels.constScanLine(y));
            colours.insert(line, line + pixels.width());
        }
        QVERIFY(colours.size() > 20); // or the pictures show nothing
    }
}

void TstRenderTimeline::curvesInPixelsAreWhatAPainterDraws()
{
    constexpr int kWidth = 700;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        std::mt19937_64 random(seed);
        TraceMaker maker;
        maker.op("aten::empty", 0, 1);
        std::int64_t bytes = 0;
        const double gap = seed % 2 != 0 ? 0.4 : 20; // many samples in a column, or many columns between two
        for (int i = 0; i < 900; ++i) {
            const auto change = static_cast<std::int64_t>(random() % 4000) - std::min<std::int64_t>(bytes, 2000);
            bytes += change;
            maker.memory(i * gap, change, 1, bytes, 0, 9000 + static_cast<std::int64_t>(random() % 2) * 500);
        }
        const auto trace = maker.build();
        const LaneLayout layout(*trace, std::make_shared<const ViewIndex>(*trace), {});
        Viewport view(trace->range(), trace->range(), kWidth);
        view.zoomAt(300, static_cast<double>(1 + seed / 2));
        const int height = layout.height();
        const DrawList list = buildDrawList(*trace, view, layout, 0, height, {});
        QVERIFY(list.bands.size() >= 2);
        const LanesPicture picture{*trace, list, layout, seed % 2 != 0 ? darkTheme() : lightTheme(), kWidth, height, 0};
        QImage pixels(kWidth, height, QImage::Format_RGB32);
        LabelCache labels(timelineFont());
        paintLanes(pixels, {}, 1, picture, labels);
        QImage painted(pixels.size(), QImage::Format_RGB32);
        QPainter painter(&painted);
        painter.setRenderHint(QPainter::Antialiasing); // of what is said about the curves
        paintLanes(painter, picture);
        painter.end();
        QVERIFY(hasColour(pixels, picture.theme.accent));
        QVERIFY(hasColour(pixels, picture.theme.muted));
        const QString difference = firstDifference(pixels, painted, 1);
        QVERIFY2(difference.isEmpty(), qPrintable(QStringLiteral("seed %1: ").arg(seed) + difference));
    }
}

void TstRenderTimeline::manyRowsAreDrawnAsFewAre()
{
    const ThinRows rows(3, 4);
    const int height = rows.layout.height();
    QImage together(ThinRows::kWidth, height, QImage::Format_RGB32);
    LabelCache labels;
    const DrawList all = rows.list(0, height);
    paintLanes(together, {}, 1, rows.picture(all, 0, height), labels);
    QImage apart(together.size(), QImage::Format_RGB32);
    for (int top = 0; top < height; top += 100) {
        const int bottom = std::min(top + 100, height);
        const DrawList few = rows.list(top, bottom);
        QVERIFY(few.rows.size() * 4 < all.rows.size());
        paintLanes(apart, QPoint(0, top), 1, rows.picture(few, top, bottom), labels);
    }
    QCOMPARE(together, apart);
}

void TstRenderTimeline::svgIsWellFormedAndHoldsTheNames()
{
    RenderOptions options;
    options.width = 1000;
    options.height = 400;
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QVERIFY(renderTimelineSvg(*training(), options, buffer));
    const QSvgRenderer renderer(buffer.data());
    QVERIFY(renderer.isValid());
    QCOMPARE(renderer.viewBox(), QRect(0, 0, 1000, 400)); // the size itself is in millimetres
    for (const char *text : {"ampere_sgemm", "aten::mm", "stream 7 compute", "NVIDIA H100", "ProfilerStep#1"})
        QVERIFY2(buffer.data().contains(text), text);
}

void TstRenderTimeline::ticksAreRoundNumbersFarEnoughApart()
{
    for (double nsPerPixel = 0.01; nsPerPixel < 1e12; nsPerPixel *= 1.37) {
        const TimeNs step = tickStep(nsPerPixel, 96);
        QVERIFY(static_cast<double>(step) >= nsPerPixel * 96 * 0.999 || step == 1);
        QVERIFY(static_cast<double>(step) <= std::max(nsPerPixel * 96 * 2.6, 1.0));
        TimeNs lead = step;
        while (lead >= 10 && lead % 10 == 0)
            lead /= 10;
        QVERIFY(lead == 1 || lead == 2 || lead == 5);
    }
}

void TstRenderTimeline::ticksAtTheEdgeAreSaidWholeOrNotAtAll()
{
    const auto rulerOf = [](TimeRange range) {
        RenderOptions options;
        options.width = 1000;
        options.height = 200;
        options.range = range;
        QBuffer buffer;
        buffer.open(QIODevice::WriteOnly);
        return renderTimelineSvg(*training(), options, buffer) ? QString::fromUtf8(buffer.data()) : QString();
    };
    QVERIFY(rulerOf({490'000, 990'000}).contains(QStringLiteral(">500 µs<")));
    QVERIFY(!rulerOf({510'000, 1'010'000}).contains(QStringLiteral(">500 µs<"))); // only its end would be seen
    QVERIFY(rulerOf({50'000, 550'000}).contains(QStringLiteral(">500 µs<")));
    QVERIFY(!rulerOf({2'000, 502'000}).contains(QStringLiteral(">500 µs<"))); // only its begin
}

void TstRenderTimeline::labelCacheKeepsItsBound()
{
    LabelCache cache;
    const QImage first = cache.label(internName("label"), qRgb(0, 0, 0), 1);
    QCOMPARE(cache.label(internName("label"), qRgb(0, 0, 0), 1), first);
    QCOMPARE(cache.label(internName("label"), qRgb(0, 0, 0), 1).constBits(),
             first.constBits()); // shared, not drawn again
    QVERIFY(cache.label(internName("label"), qRgb(0, 0, 0), 2).width() > first.width());
    QVERIFY(cache.label(internName("label"), qRgb(255, 0, 0), 1) != first);
    // Many long names: it forgets, and goes on.
    for (int i = 0; i < 600; ++i) {
        const NameId name = internName(std::string(200, 'x') + std::to_string(i));
        QVERIFY(!cache.label(name, qRgb(0, 0, 0), 2).isNull());
    }
    QCOMPARE(cache.label(internName("label"), qRgb(0, 0, 0), 1), first);
}

QTEST_MAIN(TstRenderTimeline)
#include "tst_render_timeline.moc"
