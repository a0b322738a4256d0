// SPDX-License-Identifier: GPL-3.0-or-later
// What stands beside the table of an analysis: a chart of its rows, or of what is behind the current one.
#pragma once

#include "core/analysis/analysis.h"
#include "widgets/state/question.h"

#include <QString>
#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QMenu;

namespace ks {

// A table with what it answers.
struct ShownTable
{
    std::shared_ptr<const Table> table; // as the analysis made it, without what rows are opened to; never null
    Question question;
    AnalysisOptions options;
};

class Companion : public QWidget
{
    Q_OBJECT
public:
    using QWidget::QWidget;

    virtual double share() const = 0;                    // of the width of the pane, when it first comes up
    virtual std::vector<QWidget *> pictures() const = 0; // what can be copied and exported
    // False: it has nothing to tell of this table. Called while hidden, too; long work is for a worker.
    virtual bool showTable(const ShownTable &shown) = 0;
    virtual void showRow(std::optional<std::uint32_t> row); // of that table; none: no row is current
    virtual void forget() = 0;                              // the traces are others
    virtual void addRowActions(QMenu &menu);                // for the current row

signals:
    void rowChosen(std::uint32_t row);    // is to become the current one
    void rowActivated(std::uint32_t row); // … and to be brought on screen
    void benchmarkRequested(ks::EventRef op);
};

// With a line of words above its charts.
class HeadedCompanion : public Companion
{
    Q_OBJECT
public:
    explicit HeadedCompanion(QWidget *parent);

    QString words() const;

signals:
    void shown(); // what was asked for last

protected:
    void setWords(const QString &words);

private:
    QLabel *m_words;
};

// Those of an analysis, hidden; none for most.
std::vector<Companion *> companionsOf(const Analysis &analysis, ViewState &state, QWidget *parent);

} // namespace ks
