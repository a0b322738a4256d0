// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/run_commands.h"

#include "app/main_window.h"
#include "app/menu_commands.h"
#include "app/message_bar.h"
#include "app/pane_docks.h"
#include "widgets/panes/analysis_pane.h"
#include "widgets/state/alignment.h"
#include "widgets/state/question.h"
#include "widgets/state/trace_names.h"
#include "widgets/tables/option_bar.h"

#include <QCoreApplication>

namespace ks {
namespace {

class Text
{
    Q_DECLARE_TR_FUNCTIONS(ks::RunCommands)
};

QString wordsOf(AlignBy by)
{
    switch (by) {
    case AlignBy::Recording: return Text::tr("aligned on the begin of the recordings");
    case AlignBy::Step: return Text::tr("aligned on the begin of a step");
    case AlignBy::FirstKernel: return Text::tr("aligned on the first kernel");
    case AlignBy::WallClock: return Text::tr("aligned by the clock");
    }
    return {};
}

void alignBy(MainWindow &window, AlignBy by)
{
    if (align(window.state(), by)) {
        window.say(Text::tr("The runs are %1").arg(wordsOf(by)));
        return;
    }
    window.say(by == AlignBy::Step          ? Text::tr("Not every run has steps")
               : by == AlignBy::FirstKernel ? Text::tr("Not every run has device work")
                                            : Text::tr("Not every file tells the time of day"));
}

// The others stay where their own clocks put them, as ranks of one run do.
void countAsRanks(MainWindow &window)
{
    TraceSet &traces = window.state().traces();
    traces.setRelation(TraceSet::Relation::Ranks);
    if (!align(window.state(), AlignBy::WallClock))
        align(window.state(), AlignBy::Recording);
    window.say(Text::tr("The tables count all open traces as ranks of one run"));
}

QString compareAsRuns(MainWindow &window)
{
    window.state().traces().setRelation(TraceSet::Relation::RunsCompared);
    const AlignBy by = alignOnWhatThereIs(window.state());
    window.panes().pane(u"compare")->options().choose("show", "waterfall");
    window.panes().show(u"compare");
    return wordsOf(by);
}

void swapRuns(MainWindow &window)
{
    TraceSet &traces = window.state().traces();
    traces.setBaseline(traces.baseline() == 0 ? 1 : 0);
    window.say(Text::tr("The baseline is %1").arg(traceName(traces, traces.baseline())));
}

void keepOnly(MainWindow &window, std::uint32_t position)
{
    TraceSet &traces = window.state().traces();
    if (position < traces.size())
        traces.replaceAll(traces.share(position), traces.viewIndex(position));
}

} // namespace

void tellFurtherTrace(MainWindow &window, std::uint32_t position)
{
    const TraceSet &traces = window.state().traces();
    const QString name = traceName(traces, position);
    const std::uint32_t generation = traces.generation(position);
    // The trace may have been closed or reloaded before the button is pressed.
    const MessageBar::Way replace{Text::tr("Show it alone"), [&window, position, generation] {
                                      const TraceSet &now = window.state().traces();
                                      if (position < now.size() && now.generation(position) == generation)
                                          keepOnly(window, position);
                                  }};
    if (isOneRun(traces)) {
        window.messages().tell(
            MessageBar::Kind::Note,
            Text::tr("%1 is open as another rank of this run: the tables count them together.").arg(name),
            {{Text::tr("Compare instead"), [&window] { window.say(compareAsRuns(window)); }}, replace});
        return;
    }
    const QString aligned = compareAsRuns(window);
    window.messages().tell(MessageBar::Kind::Note,
                           Text::tr("%1 is open as trace %2 and compared with %3, %4.")
                               .arg(name)
                               .arg(position + 1)
                               .arg(traceName(traces, traces.baseline()), aligned),
                           {{Text::tr("Swap"), [&window] { swapRuns(window); }},
                            {Text::tr("Count as a rank instead"), [&window] { countAsRanks(window); }},
                            replace});
}

void addRunCommands(MainWindow &window)
{
    MenuCommands runs(window, ActionMenu::Runs);
    const auto whenSeveral = [&window] { return window.state().traces().size() > 1; };
    runs.add("runs.compare", Text::tr("&Compare two runs"),
             Text::tr("Take the open traces for different runs, and compare the second with the first"), {},
             whenSeveral, [&window] { window.say(compareAsRuns(window)); });
    runs.add("runs.ranks", Text::tr("Count as &ranks of one run"),
             Text::tr("Take the open traces for ranks of one run, and count them together"), {}, whenSeveral,
             [&window] { countAsRanks(window); });
    runs.add("runs.swap", Text::tr("&Swap baseline and candidate"), Text::tr("Compare the other way round"), {},
             whenSeveral, [&window] { swapRuns(window); });
    runs.separate();
    runs.add("runs.alignStep", Text::tr("Align on a s&tep"),
             Text::tr("Lay the step in view over the one with its number, else one of median duration over the other"),
             {}, whenSeveral, [&window] { alignBy(window, AlignBy::Step); });
    runs.add("runs.alignKernel", Text::tr("Align on the first &kernel"),
             Text::tr("Lay the first work of the devices over each other"), {}, whenSeveral,
             [&window] { alignBy(window, AlignBy::FirstKernel); });
    runs.add("runs.alignClock", Text::tr("Align by the cl&ock"),
             Text::tr("Lay the traces as the clocks of their machines were"), {}, whenSeveral,
             [&window] { alignBy(window, AlignBy::WallClock); });
    runs.add("runs.alignRecording", Text::tr("Align on the &begin"),
             Text::tr("Lay the recordings over each other as they begin"), {}, whenSeveral,
             [&window] { alignBy(window, AlignBy::Recording); });
}

} // namespace ks
