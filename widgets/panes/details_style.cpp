// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/details_style.h"

#include <QPainter>

#include <algorithm>

namespace ks {
namespace {

QColor between(const QColor &a, const QColor &b, double part)
{
    const auto mix = [part](int from, int to) { return static_cast<int>(from + (to - from) * part); };
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

} // namespace

QString detailsStyleSheet(const QPalette &palette)
{
    const QColor text = palette.color(QPalette::Text);
    const QColor base = palette.color(QPalette::Base);
    const QString muted = between(text, base, 0.42).name();
    return QStringLiteral(
               "a { color: %1; text-decoration: none; }"
               "p { margin: 0; }"
               ".title { font-weight: 600; font-size: large; }"
               ".sub { color: %2; margin-top: 3px; }"
               ".heading { color: %2; font-size: small; font-weight: 600; margin-top: 14px; margin-bottom: 3px; }"
               ".corner, .note, .name, .small { color: %2; }"
               ".small, .note { font-size: small; }"
               ".name { padding-right: 14px; }"
               ".gap { font-size: 5px; }"
               ".chart { margin-top: 8px; }"
               ".missing { color: %3; margin-top: 6px; }")
        .arg(palette.color(QPalette::Link).name(), muted,
             base.lightness() < 128 ? QStringLiteral("#ffd166") : QStringLiteral("#a14f00"));
}

QImage histogramImage(const DurationRank &rank, const QPalette &palette, QSize size, double dpr)
{
    QImage image(size * dpr, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(dpr);
    image.fill(Qt::transparent);
    if (rank.bins.empty())
        return image;
    QPainter painter(&image);
    const QColor own = palette.color(QPalette::Link);
    QColor others = own;
    others.setAlphaF(0.45F);
    const auto highest = static_cast<double>(*std::max_element(rank.bins.begin(), rank.bins.end()));
    const double step = size.width() / static_cast<double>(rank.bins.size());
    for (std::size_t i = 0; i < rank.bins.size(); ++i) {
        if (rank.bins[i] == 0)
            continue;
        // At least a pixel, so that one call among thousands is seen.
        const double height = std::max(1.5, (size.height() - 1) * static_cast<double>(rank.bins[i]) / highest);
        painter.fillRect(QRectF(static_cast<double>(i) * step + 0.5, size.height() - 1 - height, step - 1, height),
                         i == rank.ownBin ? own : others);
    }
    painter.fillRect(QRectF(0, size.height() - 1, size.width(), 1), others);
    return image;
}

} // namespace ks
