// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tables/table_export.h"

#include "core/base/json_writer.h"
#include "core/base/text_sink.h"
#include "core/table/table_output.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QSaveFile>

#include <string>

namespace ks {

bool exportTable(const Table &table, const QString &path, QString &error)
{
    std::string text;
    TextSink sink(text);
    if (path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive)) {
        JsonWriter writer(sink);
        writer.beginObject();
        writeTableJson(writer, table);
        writer.endObject();
    } else {
        writeTableCsv(sink, table);
    }
    sink.flush();
    QSaveFile file(path);
    const auto size = static_cast<qint64>(text.size());
    if (file.open(QIODevice::WriteOnly) && file.write(text.data(), size) == size && file.commit())
        return true;
    error = QCoreApplication::translate("ks::exportTable", "%1 could not be written: %2").arg(path, file.errorString());
    return false;
}

QFileDialog *newExportDialog(QWidget *parent)
{
    const auto tr = [](const char *text) { return QCoreApplication::translate("ks::exportTable", text); };
    auto *dialog = new QFileDialog(parent, tr("Export the table"));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("CSV (*.csv)"), tr("JSON (*.json)")});
    dialog->setDefaultSuffix(QStringLiteral("csv"));
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString &filter) {
        dialog->setDefaultSuffix(filter.contains(QLatin1String("json")) ? QStringLiteral("json")
                                                                        : QStringLiteral("csv"));
    });
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    return dialog;
}

} // namespace ks
