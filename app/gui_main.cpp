#include "core/base/version.h"

#include <QApplication>
#include <QLabel>

int main(int argc, char **argv)
{
    QApplication app(argc, argv);
    QLabel label(QStringLiteral("Kinetoscope %1").arg(QLatin1String(ks::versionText())));
    label.show();
    return app.exec();
}
