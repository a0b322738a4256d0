// SPDX-License-Identifier: GPL-3.0-or-later
// A table as a file: CSV, or JSON where the name of the file says so; the same text as the command line's.
#pragma once

#include "core/table/table.h"

#include <QString>

class QFileDialog;
class QWidget;

namespace ks {

// False: `error` is a sentence that says why. Never half a file.
bool exportTable(const Table &table, const QString &path, QString &error);

// Asks for a file to export a table to: connect fileSelected and open() it. It deletes itself.
QFileDialog *newExportDialog(QWidget *parent);

} // namespace ks
