// SPDX-License-Identifier: GPL-3.0-or-later
// kinetoscope [trace…]
#include "app/main_window.h"
#include "app/settings.h"
#include "app/theme.h"
#include "core/base/version.h"
#include "core/trace/kernel_family.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

#include <cstdio>
#include <string>

int main(int argc, char **argv)
{
    QApplication app(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("kinetoscope"));
    QApplication::setApplicationName(QStringLiteral("kinetoscope"));
    QApplication::setApplicationDisplayName(QString());
    QApplication::setApplicationVersion(QLatin1String(ks::versionText()));
    QApplication::setDesktopFileName(QStringLiteral("org.kinetoscope.Kinetoscope"));
    QApplication::setWindowIcon(QIcon::fromTheme(QStringLiteral("org.kinetoscope.Kinetoscope")));

    QTranslator qtTexts;
    if (qtTexts.load(QLocale(), QStringLiteral("qtbase"), QStringLiteral("_"), QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QApplication::installTranslator(&qtTexts);
    QTranslator texts;
    if (texts.load(QLocale(), QStringLiteral("kinetoscope"), QStringLiteral("_"), QStringLiteral(":/i18n")))
        QApplication::installTranslator(&texts);

    QCommandLineParser parser;
    parser.setApplicationDescription(QApplication::translate("main", "Viewer for PyTorch profiler traces"));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("trace"), QApplication::translate("main", "Trace files to open; the first is the one looked at."),
                                 QStringLiteral("[trace…]"));
    parser.process(app);

    const std::string families = ks::userFamilyFile();
    for (const ks::FamilyProblem &problem : ks::useFamiliesOf(families))
        std::fprintf(stderr, "kinetoscope: %s:%zu: %s\n", families.c_str(), problem.line, problem.what.c_str());

    ks::Settings settings;
    ks::applyTheme(settings.theme());
    ks::MainWindow window(settings);
    window.show();
    window.open(parser.positionalArguments());
    return QApplication::exec();
}
