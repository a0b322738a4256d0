// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/kernel_family.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>

namespace ks {
namespace {

struct Rule
{
    KernelFamily family;
    std::initializer_list<std::string_view> words; // lower case
};

// In order of precedence: the first rule with a word in the name decides.
const std::array kRules = {
    Rule{KernelFamily::Communication,
         {"nccl", "rccl", "hccl", "oneccl", "cross_device_reduce", "allreduce", "all_reduce", "allgather", "all_gather",
          "reduce_scatter", "reducescatter", "alltoall", "all_to_all", "nvshmem", "deepep"}},
    Rule{KernelFamily::Copy,
         {"memcpy", "memset", "catarraybatchedcopy", "direct_copy_kernel", "copy_device_to_device", "batched_transpose",
          "nchwtonhwc", "nhwctonchw"}},
    // ATen's own generic kernels carry the names of their functors as template arguments, so the outer name goes first.
    Rule{KernelFamily::Elementwise, {"elementwise_kernel"}},
    Rule{KernelFamily::Reduction, {"at::native::reduce_kernel"}},
    Rule{KernelFamily::Attention, {"flash", "fmha", "attention", "attn", "sdpa", "mha_", "_mha", "paged_kv", "mla_"}},
    Rule{KernelFamily::Convolution,
         {"conv2d",       "conv1d",     "conv3d", "convolve",   "convolution", "conv_depthwise", "wgrad",
          "dgrad",        "fprop",      "im2col", "col2im",     "winograd",    "implicit_gemm",  "implicit_convolve",
          "miopensp3asm", "cudnn::cnn", "scudnn", "cask_cudnn", "depthwise",   "bwd_weight",     "bwd_data"}},
    Rule{KernelFamily::Normalization,
         {"layer_norm", "layernorm", "rms_norm", "rmsnorm", "batch_norm", "batchnorm", "bn_fw", "bn_bw", "group_norm",
          "groupnorm", "instance_norm", "rowwisemoments", "gammabeta", "computeinternalgradients", "_norm_kernel",
          "cudnn::bn_", "norm_fwd", "norm_bwd"}},
    Rule{KernelFamily::Gemm,
         {"gemm", "nvjet", "cijk_", "cutlass", "splitk", "gemv", "wgmma", "matmul", "_mm_", "xmma", "hmma", "s884",
          "s1688", "s16816", "dot_kernel", "addmm", "tritonblas", "marlin", "cublas"}},
    Rule{KernelFamily::Reduction,
         {"softmax", "reduce", "reduction", "sum_kernel", "argmax", "argmin", "cumsum", "scan", "topk", "sort",
          "nll_loss", "cross_entropy", "triton_red", "triton_per", "_per_fused", "_red_fused", "lpnorm",
          "multi_tensor_l2norm"}},
    Rule{KernelFamily::Elementwise,
         {"elementwise",
          "pointwise",
          "triton_poi",
          "_poi_fused",
          "multi_tensor_apply",
          "multitensor",
          "fused_dropout",
          "dropout",
          "fillfunctor",
          "gelu",
          "silu",
          "relu",
          "adam",
          "sgd",
          "index_",
          "gather",
          "scatter",
          "embedding",
          "rotary",
          "rope",
          "tensor_kernel_scan_innermost",
          "binaryfunctor",
          "unary",
          "distribution_",
          "upsample",
          "cast"}},
};

} // namespace

KernelFamily kernelFamilyOf(std::string_view kernelName)
{
    std::string name(kernelName);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    for (const Rule &rule : kRules) {
        for (const std::string_view word : rule.words) {
            if (name.find(word) != std::string::npos)
                return rule.family;
        }
    }
    return KernelFamily::Other;
}

std::string_view kernelFamilyId(KernelFamily family)
{
    switch (family) {
    case KernelFamily::Gemm: return "gemm";
    case KernelFamily::Attention: return "attention";
    case KernelFamily::Convolution: return "convolution";
    case KernelFamily::Elementwise: return "elementwise";
    case KernelFamily::Reduction: return "reduction";
    case KernelFamily::Normalization: return "normalization";
    case KernelFamily::Communication: return "communication";
    case KernelFamily::Copy: return "copy";
    case KernelFamily::Other: return "other";
    }
    return "";
}

} // namespace ks
