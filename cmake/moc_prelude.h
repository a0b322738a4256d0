// SPDX-License-Identifier: GPL-3.0-or-later
// Read by moc before every file, by no compiler: moc of Qt 6.4 stumbles over <compare> and <concepts> unless another
// standard header came first.
#include <cstddef>
