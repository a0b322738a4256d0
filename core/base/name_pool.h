// SPDX-License-Identifier: GPL-3.0-or-later
// One pool of names for the whole process, so that a NameId means the same in every open trace and comparing two traces compares ids.
// Append-only: text and ids stay valid until the process ends. intern() locks; text() does not.
#pragma once

#include "core/base/ids.h"

#include <span>
#include <string_view>

namespace ks {

// Valid UTF-8 without control characters (the importer repairs before it interns).
NameId internName(std::string_view text);
// Interns many under one lock; ids[i] belongs to texts[i].
void internNames(std::span<const std::string_view> texts, std::span<NameId> ids);
std::string_view nameText(NameId id);   // "" for kNoName
NameId findName(std::string_view text); // kNoName if it was never interned

} // namespace ks
