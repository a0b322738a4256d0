// SPDX-License-Identifier: GPL-3.0-or-later
// What people can set: one list of descriptors over QSettings, from which the dialog is made. A setting that was never set has its
// default; setting it back to the default forgets it.
#pragma once

#include <QList>
#include <QObject>
#include <QString>
#include <QVariant>

namespace ks {

struct SettingChoice
{
    QString value;
    QString text;
};

struct SettingRow
{
    QString key; // in QSettings
    QString title;
    QString help;
    QString fallback;
    QList<SettingChoice> choices; // empty = free text
    bool isMultiLine = false;
};

class Settings : public QObject
{
    Q_OBJECT
public:
    explicit Settings(QObject *parent = nullptr);

    const QList<SettingRow> &rows() const { return m_rows; }
    QString value(const QString &key) const;
    void setValue(const QString &key, const QString &value); // emits changed() if it is another

    // What the rows mean.
    enum class Theme : std::uint8_t { System, Light, Dark };
    enum class FrameLink : std::uint8_t { Copy, Open };
    Theme theme() const;
    FrameLink frameLink() const;
    // Program and arguments that open a line; %f and %l are filled in. Empty if none is set.
    QStringList editorCommand(const QString &file, int line) const;
    QString mappedPath(const QString &path) const; // the first prefix of the path map that fits is exchanged

    QString stepPattern() const; // as the analyses take it: "auto", a regular expression, "" = ProfilerStep#N
    bool perfettoKeys() const;   // keys as in Perfetto, where they differ

    static QString themeKey();
    static QString stepsKey();
    static QString stepPatternKey();
    static QString keysKey();
    static QString frameLinkKey();
    static QString editorKey();
    static QString pathMapKey();

signals:
    void changed(const QString &key);

private:
    QList<SettingRow> m_rows;
};

} // namespace ks
