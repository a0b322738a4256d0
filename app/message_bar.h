// SPDX-License-Identifier: GPL-3.0-or-later
// One line above the timeline for what went wrong or needs saying, with ways on as buttons. Never modal; a new message replaces the
// old one; Esc or the cross closes it.
#pragma once

#include <QFrame>
#include <QString>

#include <functional>
#include <vector>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace ks {

class MessageBar : public QFrame
{
    Q_OBJECT
public:
    enum class Kind : std::uint8_t { Note, Error };
    struct Way
    {
        QString text;
        std::function<void()> go; // the message closes first
    };

    explicit MessageBar(QWidget *parent = nullptr);

    void tell(Kind kind, const QString &text, std::vector<Way> ways = {});
    void dismiss();
    QString text() const; // "" while closed
    static Way copy(const QString &text); // a button that copies

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void paintKind();

    QLabel *m_icon;
    QLabel *m_text;
    QHBoxLayout *m_ways;
    Kind m_kind = Kind::Note;
};

} // namespace ks
