// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/details_link.h"

#include "widgets/state/to_qstring.h"

#include <QRegularExpression>
#include <QUrlQuery>

namespace ks {

DetailsLink DetailsLink::fromUrl(const QUrl &url)
{
    const QString scheme = url.scheme();
    const auto event = static_cast<EventId>(url.path().toUInt());
    if (scheme == QLatin1String("event"))
        return {Kind::Event, event, {}};
    if (scheme == QLatin1String("same")) {
        const QStringList parts = url.path().split(QLatin1Char('/'));
        if (parts.size() == 2)
            return {Kind::Counterpart, EventId{parts.last().toUInt()}, {}, parts.first().toUInt()};
    }
    if (scheme == QLatin1String("source"))
        return {Kind::Source, event, {}};
    if (scheme == QLatin1String("benchmark"))
        return {Kind::Benchmark, event, {}};
    if (scheme == QLatin1String("copy"))
        return {Kind::Copy, kNoEvent, QUrlQuery(url).queryItemValue(QStringLiteral("text"), QUrl::FullyDecoded)};
    if (scheme == QLatin1String("show"))
        return {url.path() == QLatin1String("work") ? Kind::Work : Kind::AllFrames, kNoEvent, {}};
    if (scheme == QLatin1String("go"))
        return {Kind::Reload, kNoEvent, {}};
    return {};
}

QUrl DetailsLink::toUrl() const
{
    switch (kind) {
    case Kind::None: break;
    case Kind::Event: return QUrl(QStringLiteral("event:%1").arg(index(event)));
    case Kind::Counterpart: return QUrl(QStringLiteral("same:%1/%2").arg(trace).arg(index(event)));
    case Kind::Source: return QUrl(QStringLiteral("source:%1").arg(index(event)));
    case Kind::Copy: {
        QUrl url(QStringLiteral("copy:"));
        QUrlQuery query;
        query.addQueryItem(QStringLiteral("text"), QString::fromLatin1(QUrl::toPercentEncoding(text)));
        url.setQuery(query);
        return url;
    }
    case Kind::Benchmark: return QUrl(QStringLiteral("benchmark:%1").arg(index(event)));
    case Kind::AllFrames: return QUrl(QStringLiteral("show:frames"));
    case Kind::Work: return QUrl(QStringLiteral("show:work"));
    case Kind::Reload: return QUrl(QStringLiteral("go:reload"));
    }
    return {};
}

std::optional<SourceLine> sourceLineOf(std::string_view pythonName)
{
    static const QRegularExpression pattern(QStringLiteral(R"(^(.+\.py)\((\d+)\): )"));
    const auto match = pattern.match(toQString(pythonName));
    if (!match.hasMatch())
        return {};
    return SourceLine{match.captured(1), match.captured(2).toInt()};
}

} // namespace ks
