// SPDX-License-Identifier: GPL-3.0-or-later
// The threads long work runs on. Not those of QThreadPool::globalInstance(): Qt's painter spreads large fills over these and waits for
// them, so that the window would stand still until some piece of work is done.
#pragma once

class QThreadPool;

namespace ks {

// At least four threads: work that is being cancelled must not make the next wait. The end of the application waits for it.
QThreadPool &jobPool();

} // namespace ks
