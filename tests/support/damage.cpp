// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/damage.h"

#include <algorithm>
#include <string_view>

namespace ks {

std::vector<DamagedSpot> damageText(std::string &text, std::mt19937_64 &random, std::size_t spots)
{
    std::vector<std::size_t> places(text.empty() ? 0 : spots);
    for (std::size_t &place : places)
        place = random() % text.size();
    std::sort(places.begin(), places.end());
    std::vector<DamagedSpot> damage;
    std::string out;
    out.reserve(text.size() + spots * 256);
    std::size_t done = 0; // of the text
    for (const std::size_t place : places) {
        if (place <= done)
            continue;
        out.append(text, done, place - done);
        const auto length = [&](std::size_t most) {
            return std::min<std::size_t>(1 + random() % most, text.size() - place);
        };
        done = place;
        switch (random() % 6) {
        case 0: // overwritten
            done += length(40);
            for (std::size_t i = place; i < done; ++i)
                out += static_cast<char>(random());
            break;
        case 1: // a hole
            done += length(4096);
            out.append(done - place, '\0');
            break;
        case 2: // cut out
            done += length(400);
            break;
        case 3: // written twice
            out.append(text, place, length(400));
            break;
        case 4: out += '"'; break;
        default: out += std::string_view("{}[]")[random() % 4]; break;
        }
        damage.push_back({place, done});
    }
    out.append(text, done);
    text = std::move(out);
    return damage;
}

} // namespace ks
