// SPDX-License-Identifier: GPL-3.0-or-later
// A window over two small steps, for days at the timeline.
#pragma once

#include "tests/app/story.h"
#include "tests/support/trace_maker.h"

#include <QFile>
#include <QTemporaryDir>

namespace ks {

// Two steps of a main thread with two operators each, kernels on one stream, a copy on another.
inline std::string twoSteps()
{
    TraceMaker maker;
    maker.process(100, "python").thread(100, "python");
    std::uint64_t correlation = 1;
    for (int step = 0; step < 2; ++step) {
        const double t = step * 1000;
        maker.step(step, t, 900);
        for (int i = 0; i < 3; ++i) {
            const double at = t + 50 + i * 250;
            const char *dims = i == 1 ? R"("Input Dims":[[2,2]])" : R"("Input Dims":[[8,8]])";
            maker.op("aten::mm", at, 200, dims).launch("cudaLaunchKernel", at + 20, 20, correlation);
            maker.kernel("gemm_kernel", at + 60, 120, 7, correlation);
            ++correlation;
        }
        maker.launch("cudaMemcpyAsync", t + 820, 30, correlation);
        maker.memcpy("Memcpy DtoH", t + 860, 20, 20, correlation);
        ++correlation;
    }
    return maker.json();
}

class TimelineStory : public Story
{
public:
    TimelineStory()
    {
        timeline.setAnimationTime(0);
        QFile file(m_dir.filePath(QStringLiteral("trace.json")));
        if (file.open(QIODevice::WriteOnly))
            file.write(QByteArray::fromStdString(twoSteps()));
        file.close();
        isOpen = open(file.fileName());
        key(Qt::Key_Home);
    }
    EventId event(std::string_view name, int nth = 0) const
    {
        std::vector<EventId> found;
        for (std::size_t i = 0; i < trace().eventCount(); ++i) {
            if (trace().name(static_cast<EventId>(i)) == name)
                found.push_back(static_cast<EventId>(i));
        }
        std::sort(found.begin(), found.end(),
                  [this](EventId a, EventId b) { return trace().begin(a) < trace().begin(b); });
        return nth < static_cast<int>(found.size()) ? found[static_cast<std::size_t>(nth)] : kNoEvent;
    }
    void select(EventId id) { state.select(ref(id)); }
    // The middle of a lane's header, and a point at its lower edge; in the headers' coordinates.
    QWidget *headers() const
    {
        for (QWidget *child : timeline.findChildren<QWidget *>(Qt::FindDirectChildrenOnly)) {
            if (child->accessibleName() == QLatin1String("Lanes"))
                return child;
        }
        return nullptr;
    }
    QPoint headerOf(LaneId lane, bool edge = false) const
    {
        const Track &track = timeline.tracks().tracks().front();
        const Block &block = track.layout.blocks()[track.layout.blockOf(lane)];
        return {60, track.top + block.y + (edge ? block.height - 1 : 10)};
    }
    LaneId laneOf(EventId id) const { return trace().lane(id); }

    bool isOpen = false;

private:
    QTemporaryDir m_dir;
};

} // namespace ks
