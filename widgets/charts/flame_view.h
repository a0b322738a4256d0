// SPDX-License-Identifier: GPL-3.0-or-later
// A flame chart with what goes with it: a field to search in it, what was found, and the way back out.
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace ks {

class FlameChart;

class FlameView : public QWidget
{
    Q_OBJECT
public:
    explicit FlameView(QWidget *parent = nullptr);

    FlameChart &chart() { return *m_chart; }
    QString found() const; // in words

private:
    FlameChart *m_chart;
    QLineEdit *m_search;
    QLabel *m_found;
    QToolButton *m_out;
};

} // namespace ks
