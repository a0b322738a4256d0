// SPDX-License-Identifier: GPL-3.0-or-later
// Every trace of the collection beside the checkout: opens or is refused, as its list tells, with the number of records the list
// tells. Skipped where there is no collection.
#include "core/import/import.h"
#include "core/trace/trace.h"

#include <QFile>
#include <QTest>

using namespace ks;

namespace {

const QString kCorpus = QStringLiteral(KS_SHARED_DIR "/corpus/");

struct Entry
{
    QString path;
    QString container;
    QString opens;
    QString records;
};

std::vector<Entry> readManifest()
{
    QFile file(kCorpus + QStringLiteral("MANIFEST.tsv"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const auto fieldsOf = [](const QByteArray &line) { return QString::fromUtf8(line).split(QLatin1Char('\t')); };
    const QStringList header = fieldsOf(file.readLine().trimmed());
    const auto column = [&header](const char *name) { return header.indexOf(QLatin1String(name)); };
    std::vector<Entry> entries;
    while (!file.atEnd()) {
        const QStringList fields = fieldsOf(file.readLine());
        const auto field = [&](const char *name) { return fields.value(column(name)); };
        if (!field("path").isEmpty())
            entries.push_back({field("path"), field("container"), field("opens"), field("records")});
    }
    return entries;
}

} // namespace

class TstCorpus : public QObject
{
    Q_OBJECT
private slots:
    void opensOrIsRefused_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("container");
        QTest::addColumn<QString>("opens");
        QTest::addColumn<QString>("records");
        const std::vector<Entry> entries = readManifest();
        if (entries.empty())
            QSKIP("there is no collection of traces beside the checkout");
        for (const Entry &entry : entries)
            QTest::newRow(qPrintable(entry.path)) << entry.path << entry.container << entry.opens << entry.records;
    }
    void opensOrIsRefused()
    {
        QFETCH(const QString, path);
        QFETCH(const QString, container);
        QFETCH(const QString, opens);
        QFETCH(const QString, records);
        if (!QFile::exists(kCorpus + path))
            QSKIP("not here");
        try {
            const auto trace = importTrace((kCorpus + path).toStdString());
            QVERIFY2(opens.startsWith(QLatin1String("yes")), qPrintable(opens));
            QCOMPARE(QString::number(trace->metadata().records), records);
            const auto id = containerId(trace->metadata().container);
            QCOMPARE(QString::fromLatin1(id.data(), static_cast<qsizetype>(id.size())),
                     container.section(QLatin1Char('('), 0, 0));
        } catch (const ImportError &error) {
            QVERIFY2(
                opens.startsWith(QLatin1String("no")),
                qPrintable(QStringLiteral("byte %1: %2").arg(error.byteOffset()).arg(QString::fromUtf8(error.what()))));
        }
    }
};

QTEST_APPLESS_MAIN(TstCorpus)
#include "tst_corpus.moc"
