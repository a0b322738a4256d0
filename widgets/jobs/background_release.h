// SPDX-License-Identifier: GPL-3.0-or-later
// Freeing a big trace takes a noticeable part of a second; this makes a worker do it, whoever lets go last.
#pragma once

#include <memory>

namespace ks {

// Gives up a value on a worker thread (here and now if the program has no event loop any more).
void releaseInBackground(std::shared_ptr<const void> value);

// The same value, whose last holder hands it to releaseInBackground().
template<typename T>
std::shared_ptr<const T> releasedInBackground(std::shared_ptr<const T> value)
{
    const T *raw = value.get();
    return {raw, [value = std::move(value)](const T *) mutable { releaseInBackground(std::move(value)); }};
}

} // namespace ks
