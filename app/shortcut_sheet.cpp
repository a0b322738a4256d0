// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shortcut_sheet.h"

#include <QDialogButtonBox>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <array>
#include <utility>

namespace ks {

ShortcutSheet::ShortcutSheet(const Actions &actions, QWidget *parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Keys and mouse"));
    const std::array menus = {
        std::pair{ActionMenu::Go, tr("Go")},       std::pair{ActionMenu::View, tr("View")},
        std::pair{ActionMenu::Lanes, tr("Lanes")}, std::pair{ActionMenu::Tables, tr("Tables")}, std::pair{ActionMenu::Runs, tr("Runs")},
        std::pair{ActionMenu::File, tr("File")},   std::pair{ActionMenu::Edit, tr("Edit")},
        std::pair{ActionMenu::Help, tr("Help")},
    };
    const auto row = [](const QString &keys, const QString &text) {
        return QStringLiteral("<tr><td style=\"padding-right:24px\"><b>%1</b></td><td>%2</td></tr>")
            .arg(keys.toHtmlEscaped(), text.toHtmlEscaped());
    };
    QString html;
    for (const auto &[menu, title] : menus) {
        QString rows;
        for (const Actions::Entry &entry : actions.all()) {
            const QString keys = Actions::keysText(*entry.action);
            if (entry.row.menu == menu && !keys.isEmpty())
                rows += row(keys, entry.row.tip);
        }
        if (!rows.isEmpty())
            html += QStringLiteral("<h4>%1</h4><table cellpadding=\"2\">%2</table>").arg(title.toHtmlEscaped(), rows);
    }
    html += QStringLiteral("<h4>%1</h4><table cellpadding=\"2\">").arg(tr("Timeline and mouse").toHtmlEscaped());
    html += row(tr("W S, A D"), tr("Zoom in and out, pan; faster while held"));
    html += row(tr("← →, ↑ ↓"), tr("Previous and next event in the row, parent and child"));
    html += row(tr("Wheel, Shift+Wheel, Ctrl+Wheel"), tr("Scroll the lanes, pan, zoom around the cursor"));
    html += row(tr("Click, double-click"), tr("Select an event, zoom to it"));
    html += row(tr("Drag on the lanes, on the ruler"), tr("Select a time range over some lanes, over all"));
    html += row(tr("Click between the work of a stream"), tr("Select the idle gap"));
    html += row(tr("Middle drag, Space and drag"), tr("Pan"));
    html += row(tr("Drag a lane's name, its lower edge"), tr("Move the lane, resize it"));
    html += row(tr("Esc"), tr("Select nothing"));
    html += QStringLiteral("</table>");

    auto *text = new QTextBrowser(this);
    text->setAccessibleName(tr("Keys and mouse"));
    text->setHtml(html);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(text);
    layout->addWidget(buttons);
    resize(640, 620);
}

} // namespace ks
