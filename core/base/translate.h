// SPDX-License-Identifier: GPL-3.0-or-later
// Marks text of core that people read: lupdate finds it (-tr-function-alias QT_TRANSLATE_NOOP=KS_TR), widgets translate it
// with QCoreApplication::translate(context, text), the command line prints it as it is.
#pragma once

#define KS_TR(context, text) text
