// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings.h"

#include <QProcess>
#include <QSettings>

#include <algorithm>

namespace ks {

QString Settings::themeKey()
{
    return QStringLiteral("appearance/theme");
}
QString Settings::stepsKey()
{
    return QStringLiteral("steps/are");
}
QString Settings::stepPatternKey()
{
    return QStringLiteral("steps/pattern");
}
QString Settings::keysKey()
{
    return QStringLiteral("keys/preset");
}
QString Settings::frameLinkKey()
{
    return QStringLiteral("source/frameLink");
}
QString Settings::editorKey()
{
    return QStringLiteral("source/editor");
}
QString Settings::pathMapKey()
{
    return QStringLiteral("source/pathMap");
}

Settings::Settings(QObject *parent)
    : QObject(parent)
{
    m_rows = {
        {themeKey(),
         tr("Theme"),
         tr("Light or dark, or as the desktop has it."),
         QStringLiteral("system"),
         {{QStringLiteral("system"), tr("System")},
          {QStringLiteral("light"), tr("Light")},
          {QStringLiteral("dark"), tr("Dark")}},
         false},
        {stepsKey(),
         tr("Steps are"),
         tr("What the step picker and the bands of the ruler show. Traces of serving engines have no ProfilerStep."),
         QStringLiteral("auto"),
         {{QStringLiteral("auto"), tr("what repeats (automatic)")},
          {QStringLiteral("default"), tr("ProfilerStep#N")},
          {QStringLiteral("execute_.*context.*generation.*"), tr("execute … context … generation (vLLM)")},
          {QStringLiteral("^step\\["), tr("step[…] (SGLang)")}},
         false},
        {stepPatternKey(),
         tr("Steps are, own pattern"),
         tr("A regular expression for names of operators and annotations; empty: as chosen above."),
         QString(),
         {},
         false},
        {keysKey(),
         tr("Keys"),
         tr("Perfetto: . and , step through a row, M selects the time of the selection, Q shows or hides Details."),
         QStringLiteral("kinetoscope"),
         {{QStringLiteral("kinetoscope"), tr("Kinetoscope")}, {QStringLiteral("perfetto"), tr("Perfetto")}},
         false},
        {frameLinkKey(),
         tr("A link to a python line"),
         tr("What a click on a python frame in Details does."),
         QStringLiteral("copy"),
         {{QStringLiteral("copy"), tr("copies file:line")}, {QStringLiteral("open"), tr("opens it in the editor")}},
         false},
        {editorKey(),
         tr("Editor command"),
         tr("Opens a line of a file: %f is the file, %l the line."),
         QStringLiteral("code --goto %f:%l"),
         {},
         false},
        {pathMapKey(),
         tr("Path map"),
         tr("One line each, recorded path = local path: /workspace = /home/me/project"),
         QString(),
         {},
         true},
    };
}

QString Settings::value(const QString &key) const
{
    const auto row = std::find_if(m_rows.begin(), m_rows.end(), [&](const SettingRow &r) { return r.key == key; });
    const QString fallback = row == m_rows.end() ? QString() : row->fallback;
    const QString stored = QSettings().value(key, fallback).toString();
    if (row == m_rows.end() || row->choices.isEmpty())
        return stored;
    const bool isKnown = std::any_of(row->choices.begin(), row->choices.end(),
                                     [&](const SettingChoice &c) { return c.value == stored; });
    return isKnown ? stored : fallback;
}

void Settings::setValue(const QString &key, const QString &newValue)
{
    if (value(key) == newValue)
        return;
    const auto row = std::find_if(m_rows.begin(), m_rows.end(), [&](const SettingRow &r) { return r.key == key; });
    if (row != m_rows.end() && row->fallback == newValue)
        QSettings().remove(key);
    else
        QSettings().setValue(key, newValue);
    emit changed(key);
}

Settings::Theme Settings::theme() const
{
    const QString text = value(themeKey());
    if (text == QLatin1String("light"))
        return Theme::Light;
    return text == QLatin1String("dark") ? Theme::Dark : Theme::System;
}

Settings::FrameLink Settings::frameLink() const
{
    return value(frameLinkKey()) == QLatin1String("open") ? FrameLink::Open : FrameLink::Copy;
}

QString Settings::stepPattern() const
{
    const QString own = value(stepPatternKey()).trimmed();
    if (!own.isEmpty())
        return own;
    const QString chosen = value(stepsKey());
    return chosen == QLatin1String("default") ? QString() : chosen;
}

bool Settings::perfettoKeys() const
{
    return value(keysKey()) == QLatin1String("perfetto");
}

QStringList Settings::editorCommand(const QString &file, int line) const
{
    QStringList parts = QProcess::splitCommand(value(editorKey()));
    for (QString &part : parts) {
        // Line first: a file name may contain %l.
        part.replace(QLatin1String("%l"), QString::number(line));
        part.replace(QLatin1String("%f"), file);
    }
    return parts;
}

QString Settings::mappedPath(const QString &path) const
{
    const QStringList lines = value(pathMapKey()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    for (const QString &line : lines) {
        const QString from = line.section(QLatin1Char('='), 0, 0).trimmed();
        const QString to = line.section(QLatin1Char('='), 1).trimmed();
        if (!from.isEmpty() && !to.isEmpty() && path.startsWith(from))
            return to + path.mid(from.size());
    }
    return path;
}

} // namespace ks
