// SPDX-License-Identifier: GPL-3.0-or-later
// The options of an analysis as controls in a row: a box to tick, a list to choose from, a number, a line of text.
#pragma once

#include "core/analysis/analysis.h"

#include <QWidget>

#include <string_view>

class QHBoxLayout;

namespace ks {

class OptionBar : public QWidget
{
    Q_OBJECT
public:
    explicit OptionBar(const Analysis &analysis, QWidget *parent = nullptr);

    const AnalysisOptions &options() const { return m_options; }
    bool isEmpty() const;
    void choose(std::string_view option, std::string_view choice); // as a person would, in its list

signals:
    void changed();
    void refused(const QString &why); // a value that does not do; the options stay as they were

private:
    void add(const AnalysisOption &option, QHBoxLayout &layout);
    void set(const AnalysisOption &option, const QString &value);
    void showWhatMatters();

    const Analysis &m_analysis;
    AnalysisOptions m_options;
};

} // namespace ks
