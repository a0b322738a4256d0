// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/event_kind.h"

#include <array>
#include <utility>

namespace ks {
namespace {

// Spellings of Kineto from 2021 on; the capitalised ones are those of torch 1.8 to 1.12.
constexpr std::array kKinds = {
    std::pair{std::string_view("cpu_op"), EventKind::Operator},
    std::pair{std::string_view("Operator"), EventKind::Operator},
    std::pair{std::string_view("user_annotation"), EventKind::Annotation},
    std::pair{std::string_view("python_function"), EventKind::Python},
    std::pair{std::string_view("Runtime"), EventKind::Launch},
    std::pair{std::string_view("kernel"), EventKind::Kernel},
    std::pair{std::string_view("Kernel"), EventKind::Kernel},
    std::pair{std::string_view("concurrent_kernel"), EventKind::Kernel},
    std::pair{std::string_view("mtia_ccp_events"), EventKind::Kernel},
    std::pair{std::string_view("gpu_memcpy"), EventKind::Memcpy},
    std::pair{std::string_view("Memcpy"), EventKind::Memcpy},
    std::pair{std::string_view("gpu_memset"), EventKind::Memset},
    std::pair{std::string_view("Memset"), EventKind::Memset},
    std::pair{std::string_view("gpu_user_annotation"), EventKind::GpuAnnotation},
    std::pair{std::string_view("gpu_user_annotation "), EventKind::GpuAnnotation},
    std::pair{std::string_view("User"), EventKind::GpuAnnotation},
    std::pair{std::string_view("cuda_sync"), EventKind::Sync},
    std::pair{std::string_view("xpu_sync"), EventKind::Sync},
    std::pair{std::string_view("overhead"), EventKind::Overhead},
    std::pair{std::string_view("Trace"), EventKind::Span},
};

} // namespace

EventKind eventKindOf(std::string_view category)
{
    for (const auto &[text, kind] : kKinds) {
        if (text == category)
            return kind;
    }
    if (category.ends_with("_runtime") || category.ends_with("_driver"))
        return EventKind::Launch;
    return EventKind::Other;
}

LaneKind laneKindOf(EventKind kind)
{
    switch (kind) {
    case EventKind::Kernel:
    case EventKind::Memcpy:
    case EventKind::Memset:
    case EventKind::GpuAnnotation:
    case EventKind::Sync: return LaneKind::Gpu;
    case EventKind::Overhead:
    case EventKind::Span: return LaneKind::Other;
    case EventKind::Operator:
    case EventKind::Annotation:
    case EventKind::Python:
    case EventKind::Launch:
    case EventKind::Other: break;
    }
    return LaneKind::Cpu;
}

std::string_view eventKindId(EventKind kind)
{
    switch (kind) {
    case EventKind::Operator: return "operator";
    case EventKind::Annotation: return "annotation";
    case EventKind::Python: return "python";
    case EventKind::Launch: return "launch";
    case EventKind::Kernel: return "kernel";
    case EventKind::Memcpy: return "memcpy";
    case EventKind::Memset: return "memset";
    case EventKind::GpuAnnotation: return "gpu_annotation";
    case EventKind::Sync: return "sync";
    case EventKind::Overhead: return "overhead";
    case EventKind::Span: return "span";
    case EventKind::Other: return "other";
    }
    return "";
}

std::string_view laneKindId(LaneKind kind)
{
    switch (kind) {
    case LaneKind::Cpu: return "cpu";
    case LaneKind::Gpu: return "gpu";
    case LaneKind::Async: return "async";
    case LaneKind::Other: return "other";
    }
    return "";
}

} // namespace ks
