// SPDX-License-Identifier: GPL-3.0-or-later
// A chart as a picture: the context menu of a widget that draws one, to copy it or to export it as PNG or SVG.
#pragma once

#include <QObject>
#include <QString>

#include <functional>

class QPoint;
class QWidget;

namespace ks {

// By the extension: .svg scalable, else PNG, twice as many pixels as on screen. False: `error` is a sentence that says why. Never half a
// file.
bool exportPicture(QWidget &chart, const QString &path, QString &error);

// Asks for a file first.
void askForPicture(QWidget &chart, const std::function<void(const QString &path)> &exported,
                   const std::function<void(const QString &why)> &failed);

class PictureMenu : public QObject
{
    Q_OBJECT
public:
    explicit PictureMenu(QWidget &chart); // owned by it

signals:
    void exported(const QString &path);
    void failed(const QString &why);

private:
    void show(QPoint place);
    void chooseExport();

    QWidget &m_chart;
};

} // namespace ks
