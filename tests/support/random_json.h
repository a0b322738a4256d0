// SPDX-License-Identifier: GPL-3.0-or-later
// Random traces as JSON text: every phase, keys in any order, white space and escapes anywhere JSON allows them, nested arguments, and on
// wish the damage real files have.
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <string_view>

namespace ks {

struct RandomJson
{
    std::size_t records = 200;
    int threads = 3;
    bool isPlain = false;         // one layout, no escapes: as an exporter writes
    bool hasForeignElements = true; // elements of the array that are no objects, objects without "ph"
    bool hasNestedRecords = false;  // arguments that hold arrays of things that look like records
    int damageEvery = 0;          // about every n-th record is broken; 0 = valid JSON
    std::size_t hugeBytes = 0;    // one record has an argument this long
    bool isArray = false;         // a bare array instead of an object
    bool hasKeysAround = true;
};

// JSON written with ' for ", which reads better in C++ (and moc stumbles over raw strings with single quotes or brackets in them).
std::string json(std::string_view text);

// One record, valid JSON.
std::string randomRecord(std::mt19937_64 &random, const RandomJson &options);
std::string randomTraceJson(std::mt19937_64 &random, const RandomJson &options);

} // namespace ks
