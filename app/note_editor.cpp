// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/note_editor.h"

#include <QCoreApplication>
#include <QInputDialog>

#include <algorithm>
#include <optional>

namespace ks {
namespace {

class Text
{
    Q_DECLARE_TR_FUNCTIONS(ks::NoteEditor)
};

std::optional<Note> noteOnSelection(const ViewState &state)
{
    if (const EventRef *event = selectedEvent(state.selection()))
        return Note{*event, state.traces().range(*event), {}};
    if (const Area *area = selectedArea(state.selection()))
        return Note{std::nullopt, area->range, {}};
    return {};
}

bool isOnSame(const Note &a, const Note &b)
{
    return a.event == b.event && a.range == b.range;
}

} // namespace

void editNote(ViewState &state, QWidget *parent)
{
    std::optional<Note> note = noteOnSelection(state);
    if (!note)
        return;
    const auto &notes = state.notes();
    const auto old = std::find_if(notes.begin(), notes.end(), [&](const Note &n) { return isOnSame(n, *note); });
    auto *dialog = new QInputDialog(parent);
    dialog->setObjectName(QStringLiteral("noteEditor"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(Text::tr("Note"));
    dialog->setLabelText(note->event ? Text::tr("On the selected event:") : Text::tr("On the selected range:"));
    if (old != notes.end())
        dialog->setTextValue(old->text);
    QObject::connect(dialog, &QInputDialog::textValueSelected, parent, [&state, note = *note](const QString &text) {
        std::vector<Note> changed = state.notes();
        std::erase_if(changed, [&](const Note &n) { return isOnSame(n, note); });
        if (!text.trimmed().isEmpty())
            changed.push_back({note.event, note.range, text.trimmed()});
        state.setNotes(std::move(changed));
    });
    dialog->open();
}

} // namespace ks
