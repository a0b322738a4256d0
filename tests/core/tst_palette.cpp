// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/palette.h"
#include "tests/support/row_trace.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

using namespace ks;

class TstPalette : public QObject
{
    Q_OBJECT
private slots:
    void familiesByName_data();
    void familiesByName();
    void familyIdsAreDistinct();
    void huesAreStable();
    void numberedNamesLookAlike();
    void huesAreSpread();
    void tintsAreEquallyLight();
    void labelsAreReadable();
    void kernelsByFamilyHostByName();
    void modesDiffer();
    void colourBlindEyesTellFamiliesApart_data();
    void colourBlindEyesTellFamiliesApart();
};

namespace {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

Vector times(const Matrix &matrix, const Vector &vector)
{
    Vector result{};
    for (std::size_t i = 0; i < 3; ++i)
        result[i] = matrix[i][0] * vector[0] + matrix[i][1] * vector[1] + matrix[i][2] * vector[2];
    return result;
}

double linear(std::uint8_t channel)
{
    const double value = channel / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

// OKLab, where distances are about what eyes see.
Vector seen(Rgb colour, const Matrix &eye)
{
    Vector light = times(eye, {linear(colour.r), linear(colour.g), linear(colour.b)});
    for (double &value : light)
        value = std::clamp(value, 0.0, 1.0);
    Vector cones = times({{{0.4122214708, 0.5363325363, 0.0514459929},
                           {0.2119034982, 0.6806995451, 0.1073969566},
                           {0.0883024619, 0.2817188376, 0.6299787005}}},
                         light);
    for (double &value : cones)
        value = std::cbrt(value);
    return times({{{0.2104542553, 0.7936177850, -0.0040720468},
                   {1.9779984951, -2.4285922050, 0.4505937099},
                   {0.0259040371, 0.7827717662, -0.8086757660}}},
                 cones);
}

} // namespace

void TstPalette::familiesByName_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("family");
    const auto row = [](const char *name, KernelFamily family) {
        QTest::newRow(name) << QString::fromUtf8(name) << static_cast<int>(family);
    };
    row("ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_64x3_nn", KernelFamily::Gemm);
    row("nvjet_tst_128x256_64x4_2x1_v_bz_coopA_NNT", KernelFamily::Gemm);
    row("Cijk_Ailk_Bljk_HHS_BH_MT128x128x32_MI32x32x8x1", KernelFamily::Gemm);
    row("void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_64x64_16x6_nt_align4>(Params)", KernelFamily::Gemm);
    row("volta_sgemm_32x32_sliced1x4_tn", KernelFamily::Gemm);
    row("void splitKreduce_kernel<float, float, float, float, true, false, false>(cublasSplitKParams<float>)",
        KernelFamily::Gemm);
    row("void flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128, 128, 4>>(Flash_fwd_params)", KernelFamily::Attention);
    row("fmha_cutlassF_f16_aligned_64x64_rf_sm80(PyTorchMemEffAttention::AttentionKernel)", KernelFamily::Attention);
    row("sm80_xmma_fprop_implicit_gemm_bf16bf16_bf16f32_f32_nhwckrsc_nhwc", KernelFamily::Convolution);
    row("cudnn_infer_volta_scudnn_128x64_relu_medium_nn_v1", KernelFamily::Convolution);
    row("void cudnn::winograd_nonfused::winogradForwardData4x4<float, float>(Params)", KernelFamily::Convolution);
    row("void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, "
        "at::detail::Array<char*, 3>>",
        KernelFamily::Elementwise);
    row("void at::native::vectorized_elementwise_kernel<4, at::native::softmax_like_reduce_functor>",
        KernelFamily::Elementwise);
    row("triton_poi_fused_add_mul_3", KernelFamily::Elementwise);
    row("void multi_tensor_apply_kernel<TensorListMetadata<4>, AdamFunctor<float>, float>", KernelFamily::Optimizer);
    row("void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::MeanOps<float, float>>>",
        KernelFamily::Reduction);
    row("void (anonymous namespace)::softmax_warp_forward<float, float, float, 10, true, false>",
        KernelFamily::Reduction);
    row("triton_red_fused_native_layer_norm_0", KernelFamily::Normalization);
    row("triton_per_fused_sum_2", KernelFamily::Reduction);
    row("void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float, float>",
        KernelFamily::Normalization);
    row("void cudnn::bn_fw_tr_1C11_singleread<float, 512, true, 1, 2, 0>", KernelFamily::Normalization);
    row("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", KernelFamily::Communication);
    row("void vllm::cross_device_reduce_1stage<__half, 2>", KernelFamily::Communication);
    row("Memcpy HtoD (Pageable -> Device)", KernelFamily::Copy);
    row("void at::native::elementwise_kernel<128, 2, "
        "at::native::gpu_kernel_impl<at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)>>",
        KernelFamily::Copy);
    row("batched_transpose_16x32_half", KernelFamily::Copy);
    row("some_kernel_nobody_knows", KernelFamily::Other);
    row("", KernelFamily::Other);
}

void TstPalette::familiesByName()
{
    QFETCH(QString, name);
    QFETCH(int, family);
    const KernelFamily found = kernelFamilyOf(name.toStdString());
    QVERIFY2(static_cast<int>(found) == family, kernelFamilyId(found).data());
}

void TstPalette::familyIdsAreDistinct()
{
    std::set<std::string_view> ids;
    for (std::size_t i = 0; i < kKernelFamilyCount; ++i)
        ids.insert(kernelFamilyId(static_cast<KernelFamily>(i)));
    QCOMPARE(ids.size(), kKernelFamilyCount);
    QVERIFY(!ids.contains(""));
}

void TstPalette::huesAreStable()
{
    // Fixed once and for all: the same name has the same colour in every session and every version.
    QCOMPARE(hueOf("aten::mm"), hueOf(std::string("aten::") + "mm"));
    QCOMPARE(hueOf(""), hueOf("0123456789"));
    QCOMPARE(hueOf("aten::mm"), 12U);
    QCOMPARE(hueOf("aten::linear"), 7U);
}

void TstPalette::numberedNamesLookAlike()
{
    QCOMPARE(hueOf("ProfilerStep#7"), hueOf("ProfilerStep#1234"));
    QVERIFY(hueOf("forward") < kHues);
}

void TstPalette::huesAreSpread()
{
    std::set<unsigned> seen;
    for (int i = 0; i < 400; ++i)
        seen.insert(hueOf("aten::op_" + std::string(1, static_cast<char>('a' + i % 26))
                          + std::string(1, static_cast<char>('a' + i / 26))));
    QVERIFY(seen.size() >= kHues - 2);
}

void TstPalette::tintsAreEquallyLight()
{
    for (const Theme *theme : {&lightTheme(), &darkTheme()}) {
        double least = 1;
        double greatest = 0;
        for (unsigned hue = 0; hue < kHues; ++hue) {
            const double luminance = relativeLuminance(theme->colour(operatorTint(hue)));
            least = std::min(least, luminance);
            greatest = std::max(greatest, luminance);
        }
        QVERIFY(greatest / least < 1.15);
    }
}

void TstPalette::labelsAreReadable()
{
    for (const Theme *theme : {&lightTheme(), &darkTheme()}) {
        for (unsigned hue = 0; hue < kHues; ++hue) {
            for (const ColourKey key : {operatorTint(hue), annotationTint(hue), pythonTint(hue), strongTint(hue)}) {
                const Rgb box = theme->colour(key);
                QVERIFY(contrast(box, theme->ink(box)) >= 3.0);
            }
        }
        for (std::size_t i = 0; i < kKernelFamilyCount; ++i) {
            const Rgb box = theme->colour(familyKey(static_cast<KernelFamily>(i)));
            QVERIFY(contrast(box, theme->ink(box)) >= 3.0);
            QVERIFY(contrast(box, theme->lanes) >= 1.4); // seen on its ground
        }
        QVERIFY(contrast(theme->text, theme->header) >= 7);
        QVERIFY(contrast(theme->muted, theme->header) >= 4.2);
        QVERIFY(contrast(theme->accent, theme->lanes) >= 3);
    }
}

void TstPalette::kernelsByFamilyHostByName()
{
    RowTrace rows;
    rows.process("0").lane(LaneKind::Gpu, LaneRole::ComputeStream, "7").row();
    const EventId gemm = rows.event("ampere_sgemm", EventKind::Kernel, 0, 10);
    const EventId copy = rows.event("Memcpy HtoD", EventKind::Memcpy, 10, 10);
    const EventId op = rows.event("ampere_sgemm", EventKind::Operator, 20, 10);
    const EventId launch = rows.event("cudaLaunchKernel", EventKind::Launch, 30, 10);
    const auto trace = rows.build();
    QCOMPARE(keyOf(*trace, gemm, ColourMode::Family), familyKey(KernelFamily::Gemm));
    QCOMPARE(keyOf(*trace, copy, ColourMode::Family), familyKey(KernelFamily::Copy));
    QCOMPARE(keyOf(*trace, op, ColourMode::Family), operatorTint(hueOf("ampere_sgemm")));
    QCOMPARE(keyOf(*trace, launch, ColourMode::Family), kindKey(EventKind::Launch));
}

void TstPalette::modesDiffer()
{
    RowTrace rows;
    rows.process("0").lane(LaneKind::Gpu, LaneRole::ComputeStream, "7").row();
    const EventId gemm = rows.event("ampere_sgemm", EventKind::Kernel, 0, 10);
    const auto trace = rows.build();
    QCOMPARE(keyOf(*trace, gemm, ColourMode::Name), strongTint(hueOf("ampere_sgemm")));
    QCOMPARE(keyOf(*trace, gemm, ColourMode::Category), kindKey(EventKind::Kernel));
}

void TstPalette::colourBlindEyesTellFamiliesApart_data()
{
    QTest::addColumn<Matrix>("eye");
    QTest::addColumn<double>("least");
    // Machado, Oliveira, Fernandes: A physiologically-based model for simulation of color vision deficiency, 2009; severity 1.
    QTest::newRow("all cones") << Matrix{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}} << 0.065;
    QTest::newRow("no red") << Matrix{{{0.152286, 1.052583, -0.204868},
                                       {0.114503, 0.786281, 0.099216},
                                       {-0.003882, -0.048116, 1.051998}}}
                            << 0.055;
    QTest::newRow("no green") << Matrix{{{0.367322, 0.860646, -0.227968},
                                         {0.280085, 0.672501, 0.047413},
                                         {-0.011820, 0.042940, 0.968881}}}
                              << 0.055;
    QTest::newRow("no blue") << Matrix{{{1.255528, -0.076749, -0.178779},
                                        {-0.078411, 0.930809, 0.147602},
                                        {0.004733, 0.691367, 0.303900}}}
                             << 0.04; // one in ten thousand
}

void TstPalette::colourBlindEyesTellFamiliesApart()
{
    QFETCH(const Matrix, eye);
    QFETCH(const double, least);
    for (const Theme *theme : {&lightTheme(), &darkTheme()}) {
        for (unsigned a = 0; a < kKernelFamilyCount; ++a) {
            for (unsigned b = 0; b < a; ++b) {
                const Vector x = seen(theme->colour(familyKey(static_cast<KernelFamily>(a))), eye);
                const Vector y = seen(theme->colour(familyKey(static_cast<KernelFamily>(b))), eye);
                const double distance = std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
                QVERIFY2(distance > least, qPrintable(QStringLiteral("%1 and %2: %3").arg(a).arg(b).arg(distance)));
            }
        }
    }
}

QTEST_APPLESS_MAIN(TstPalette)
#include "tst_palette.moc"
