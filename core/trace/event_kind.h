// SPDX-License-Identifier: GPL-3.0-or-later
// What an event is, decided from the Chrome trace category `cat` alone (old spellings included), never from pid or tid numbers.
#pragma once

#include <cstdint>
#include <string_view>

namespace ks {

enum class EventKind : std::uint8_t {
    Operator,   // cpu_op; also no category on host lanes (files written without Kineto)
    Annotation, // user_annotation: record_function ranges, ProfilerStep#N
    Python,     // python_function
    Launch,     // runtime and driver calls: *_runtime, *_driver
    Kernel,
    Memcpy,
    Memset,
    GpuAnnotation, // gpu_user_annotation: a projection, never device work
    Sync,          // cuda_sync, xpu_sync: host times on a device lane, never device work
    Overhead,
    Span, // category Trace: the whole recording
    Other,
};

enum class LaneKind : std::uint8_t { Cpu, Gpu, Async, Other };

// Only these are ever counted as time of the device.
constexpr bool isDeviceWork(EventKind kind)
{
    return kind == EventKind::Kernel || kind == EventKind::Memcpy || kind == EventKind::Memset;
}

EventKind eventKindOf(std::string_view category);
LaneKind laneKindOf(EventKind kind);     // Overhead and Span: Other; everything else Cpu or Gpu
std::string_view eventKindId(EventKind); // "operator", "gpu_annotation" …: stable, for the command line and filters
std::string_view laneKindId(LaneKind);   // "cpu", "gpu", "async", "other"

} // namespace ks
