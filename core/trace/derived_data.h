// SPDX-License-Identifier: GPL-3.0-or-later
// What is computed from a trace on first use and kept as long as the trace: one value of each type. Thread-safe; who asks
// for a value that is being made waits for it. If making it throws (it was cancelled), the next one makes it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <typeindex>

namespace ks {

class DerivedData
{
public:
    // make() returns a T; it may ask for values of other types.
    template<typename T, typename Make>
    const T &get(Make make) const
    {
        Slot &slot = slotOf(typeid(T));
        const std::lock_guard lock(slot.making);
        if (!slot.value)
            slot.value = std::make_shared<const T>(make());
        return *static_cast<const T *>(slot.value.get());
    }

private:
    struct Slot
    {
        std::mutex making;
        std::shared_ptr<const void> value;
    };

    Slot &slotOf(std::type_index type) const
    {
        const std::lock_guard lock(m_mutex);
        return m_slots[type];
    }

    mutable std::mutex m_mutex; // of m_slots; the slots themselves stay where they are
    mutable std::map<std::type_index, Slot> m_slots;
};

} // namespace ks
