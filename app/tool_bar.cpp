// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/tool_bar.h"

#include "app/filter_line.h"
#include "app/find_line.h"
#include "app/step_picker.h"
#include "core/base/format.h"
#include "widgets/state/to_qstring.h"
#include "widgets/timeline/timeline_view.h"

#include <QComboBox>

namespace ks {
namespace {

constexpr int kNarrowest = 84; // logical pixels
constexpr int kContents = 15;  // characters of a box; its list is as wide as it needs

} // namespace

ToolBar::ToolBar(ViewState &state, TimelineView &timeline, QWidget *parent)
    : QToolBar(tr("Toolbar"), parent)
    , m_timeline(timeline)
    , m_steps(new StepPicker(state, this))
    , m_colours(new QComboBox(this))
    , m_flows(new QComboBox(this))
    , m_find(new FindLine(timeline.finder(), this))
    , m_filter(new FilterLine(state, timeline.filterJob(), this))
{
    setObjectName(QStringLiteral("toolBar"));
    setMovable(false);
    setToolButtonStyle(Qt::ToolButtonTextOnly);
    addColours();
    addFlows();
    // In a narrow window all of them stay in sight.
    for (QComboBox *box : std::initializer_list<QComboBox *>{m_steps, m_colours, m_flows})
        box->setMinimumWidth(kNarrowest);
    const auto backToTimeline = [this] { m_timeline.setFocus(); };
    connect(m_find, &FindLine::left, this, backToTimeline);
    connect(m_filter, &FilterLine::left, this, backToTimeline);
}

void ToolBar::addCommands(const Actions &actions)
{
    const auto add = [&](const QString &id, const QString &label) {
        QAction *action = actions.action(id);
        QString name = action->text();
        action->setIconText(label);
        addAction(action);
        widgetForAction(action)->setAccessibleName(name.remove(QLatin1Char('&')));
    };
    add(QStringLiteral("file.open"), tr("Open"));
    add(QStringLiteral("go.back"), QStringLiteral("◀"));
    add(QStringLiteral("go.forward"), QStringLiteral("▶"));
    addSeparator();
    addWidget(m_steps);
    addWidget(m_colours);
    addWidget(m_flows);
    addWidget(m_find);
    addWidget(m_filter);
}

void ToolBar::addColours()
{
    m_colours->setObjectName(QStringLiteral("colours"));
    m_colours->setAccessibleName(tr("Colour by"));
    m_colours->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_colours->setMinimumContentsLength(kContents);
    m_colours->setToolTip(tr("What the colours of the timeline mean (C)"));
    const auto add = [this](ColourMode mode, const QString &text, const QString &tip) {
        m_colours->addItem(text, static_cast<int>(mode));
        m_colours->setItemData(m_colours->count() - 1, tip, Qt::ToolTipRole);
    };
    add(ColourMode::Family, tr("Colour by family"), tr("Device work by kernel family, host events by name"));
    add(ColourMode::Name, tr("Colour by name"), tr("The same name has the same colour in every trace"));
    add(ColourMode::Category, tr("Colour by category"), tr("By kind of event"));
    add(ColourMode::Module, tr("Colour by module"),
        tr("By the innermost nn.Module, device work by that of its launch"));
    add(ColourMode::Phase, tr("Colour by phase"), tr("Forward blue, backward orange, optimizer purple"));
    add(ColourMode::Step, tr("Colour by step"),
        tr("Neighbouring steps differ; device work is in the step of its launch"));
    add(ColourMode::Delay, tr("Colour by launch delay"),
        tr("From the end of the launch to the begin of the work: below 2 µs to above 20 ms, the longer the stronger"));
    add(ColourMode::Occupancy, tr("Colour by occupancy"),
        tr("Estimated occupancy of kernels, the fuller the stronger"));
    connect(m_colours, &QComboBox::currentIndexChanged, this,
            [this] { m_timeline.setColourMode(static_cast<ColourMode>(m_colours->currentData().toInt())); });
}

void ToolBar::addFlows()
{
    m_flows->setObjectName(QStringLiteral("flows"));
    m_flows->setAccessibleName(tr("Arrows"));
    m_flows->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_flows->setMinimumContentsLength(kContents);
    m_flows->addItem(tr("Arrows: selection"), static_cast<int>(FlowMode::OfSelection));
    m_flows->addItem(tr("Arrows: all in view"), static_cast<int>(FlowMode::InView));
    m_flows->addItem(tr("Arrows: off"), static_cast<int>(FlowMode::Off));
    connect(m_flows, &QComboBox::currentIndexChanged, this,
            [this] { m_timeline.setFlowMode(static_cast<FlowMode>(m_flows->currentData().toInt())); });
    connect(&m_timeline, &TimelineView::flowsChanged, this, &ToolBar::showFlows);
    showFlows();
}

// How many there are stands where they are chosen.
void ToolBar::showFlows()
{
    const std::size_t drawn = m_timeline.flowsDrawn();
    const std::size_t apart = m_timeline.flowsApart();
    QString text = tr("Arrows: all in view");
    if (m_timeline.flowMode() == FlowMode::InView)
        text = drawn < apart ? tr("Arrows: %1 of %2").arg(drawn).arg(toQString(formatCount(apart)))
                             : tr("Arrows: %1 in view").arg(drawn);
    m_flows->setItemText(m_flows->findData(static_cast<int>(FlowMode::InView)), text);
    m_flows->setToolTip(tr("Which arrows are drawn between events that belong together (Ctrl+Shift+F)"));
}

void ToolBar::nextColouring()
{
    m_colours->setCurrentIndex((m_colours->currentIndex() + 1) % m_colours->count());
}

void ToolBar::nextFlowMode()
{
    m_flows->setCurrentIndex((m_flows->currentIndex() + 1) % m_flows->count());
}

} // namespace ks
