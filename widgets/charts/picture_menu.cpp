// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/picture_menu.h"

#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QFileDialog>
#include <QMenu>
#include <QPainter>
#include <QPixmap>
#include <QSaveFile>
#include <QSvgGenerator>
#include <QWidget>

namespace ks {
namespace {

QImage imageOf(QWidget &chart)
{
    constexpr int kScale = 2;
    QImage image(chart.size() * kScale, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(kScale);
    image.fill(chart.palette().color(QPalette::Base));
    chart.render(&image);
    return image;
}

QByteArray svgOf(QWidget &chart)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(chart.size());
    generator.setViewBox(chart.rect());
    generator.setTitle(chart.accessibleName());
    QPainter painter(&generator);
    painter.fillRect(chart.rect(), chart.palette().color(QPalette::Base));
    chart.render(&painter);
    painter.end();
    return bytes;
}

} // namespace

bool exportPicture(QWidget &chart, const QString &path, QString &error)
{
    QByteArray bytes;
    if (path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)) {
        bytes = svgOf(chart);
    } else {
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        imageOf(chart).save(&buffer, "PNG");
    }
    QSaveFile file(path);
    if (!bytes.isEmpty() && file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit())
        return true;
    error = PictureMenu::tr("%1 could not be written: %2").arg(path, file.errorString());
    return false;
}

PictureMenu::PictureMenu(QWidget &chart)
    : QObject(&chart)
    , m_chart(chart)
{
    chart.setContextMenuPolicy(Qt::CustomContextMenu);
    connect(&chart, &QWidget::customContextMenuRequested, this, &PictureMenu::show);
}

void PictureMenu::show(QPoint place)
{
    QMenu menu(&m_chart);
    menu.setObjectName(QStringLiteral("pictureMenu"));
    menu.addAction(tr("Copy picture"), this, [this] { QApplication::clipboard()->setImage(imageOf(m_chart)); });
    menu.addAction(tr("Export picture…"), this, &PictureMenu::chooseExport);
    menu.exec(m_chart.mapToGlobal(place));
}

void PictureMenu::chooseExport()
{
    askForPicture(
        m_chart, [this](const QString &path) { emit exported(path); },
        [this](const QString &why) { emit failed(why); });
}

void askForPicture(QWidget &chart, const std::function<void(const QString &)> &exported,
                   const std::function<void(const QString &)> &failed)
{
    auto *dialog = new QFileDialog(&chart, PictureMenu::tr("Export the picture"));
    dialog->setObjectName(QStringLiteral("exportPicture"));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({PictureMenu::tr("PNG (*.png)"), PictureMenu::tr("SVG (*.svg)")});
    dialog->setDefaultSuffix(QStringLiteral("png"));
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString &filter) {
        dialog->setDefaultSuffix(filter.contains(QLatin1String("svg")) ? QStringLiteral("svg") : QStringLiteral("png"));
    });
    QObject::connect(dialog, &QFileDialog::fileSelected, &chart, [&chart, exported, failed](const QString &path) {
        QString error;
        if (exportPicture(chart, path, error))
            exported(path);
        else
            failed(error);
    });
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

} // namespace ks
