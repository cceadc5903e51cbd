// SPDX-License-Identifier: MIT
// Predicted occupancy against figures of the papers, and against NVIDIA's own calculator where the toolkit is.
#include "device/occupancy.h"

#include <math.h>

#include "check.h"

#ifdef WARPSTUDY_HAVE_CUDA_OCCUPANCY
#include <cuda_occupancy.h>
#endif

TEST(papers_figures)
{
    static const struct {
        uint32_t version, block, registers, shared, warps, max_warps;
        enum occupancy_limit limit;
    } rows[] = {
        // Wald 2011, section 4.1: 33, 8 and 4 percent with no, 24 KB and 48 KB of shared memory on a GTX 480.
        {20, 64, 64, 0, 16, 48, OCCUPANCY_BLOCKS},
        {20, 64, 64, 24 << 10, 4, 48, OCCUPANCY_SHARED},
        {20, 64, 64, 48 << 10, 2, 48, OCCUPANCY_SHARED},
        {30, 64, 64, 0, 32, 64, OCCUPANCY_BLOCKS},
        {30, 128, 64, 0, 32, 64, OCCUPANCY_REGISTERS},
        {30, 128, 32, 0, 64, 64, OCCUPANCY_WARPS},
        {30, 128, 33, 0, 48, 64, OCCUPANCY_REGISTERS}, // every lane over 32 registers costs
        {90, 64, 48, 0, 40, 64, OCCUPANCY_REGISTERS},  // 42 warps' worth, in four partitions
        {90, 64, 64, 0, 32, 64, OCCUPANCY_REGISTERS},
        {90, 64, 32, 227 << 10, 2, 64, OCCUPANCY_SHARED},
        {90, 64, 32, (227 << 10) + 1, 0, 64, OCCUPANCY_SHARED},
        {90, 1024, 255, 0, 0, 64, OCCUPANCY_REGISTERS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const struct capability *capability = capability_find(rows[i].version);
        const struct occupancy got = occupancy_predict(capability, rows[i].block, rows[i].registers, rows[i].shared);
        if (got.warps != rows[i].warps || capability->max_warps != rows[i].max_warps || got.limit != rows[i].limit)
            fail_msg("row %zu: %u of %u warps by %s", i, (unsigned)got.warps, (unsigned)capability->max_warps,
                     occupancy_limit_names[got.limit]);
        assert_true(fabs(got.share - (double)rows[i].warps / rows[i].max_warps) < 1e-12);
        assert_int_equal(got.warps, got.blocks * ((rows[i].block + 31) / 32));
    }
}

TEST(nothing_and_too_much)
{
    const struct capability *capability = capability_find(80);
    assert_int_equal(occupancy_predict(capability, 0, 32, 0).blocks, 0);
    assert_int_equal(occupancy_predict(capability, 1025, 32, 0).blocks, 0);
    assert_int_equal(occupancy_predict(capability, 32, 256, 0).blocks, 0);
    assert_int_equal(occupancy_predict(capability, 32, 32, UINT64_MAX).blocks, 0);
    assert_int_equal(occupancy_predict(capability, 1, 0, 0).blocks, 32);
}

TEST(rows_are_found)
{
    size_t count = 0;
    for (const struct capability *row = capability_table; row->version; ++row, ++count) {
        assert_ptr_equal(capability_find(row->version), row);
        assert_true(count == 0 || row[-1].version < row->version);
        assert_true(row->shared_block + row->shared_reserved <= row->shared_multiprocessor);
    }
    assert_int_equal(count, capability_count);
    assert_int_equal(capability_find(87)->version, 86); // the nearest lower one of the same major number
    assert_int_equal(capability_find(103)->version, 100);
    assert_null(capability_find(40));
    assert_null(capability_find(13));
    assert_null(capability_find(0));
}

#ifdef WARPSTUDY_HAVE_CUDA_OCCUPANCY

static struct cudaOccDeviceProp properties_of(const struct capability *capability)
{
    struct cudaOccDeviceProp properties = {
        .computeMajor = (int)capability->version / 10,
        .computeMinor = (int)capability->version % 10,
        .maxThreadsPerBlock = 1024,
        .maxThreadsPerMultiprocessor = 32 * (int)capability->max_warps,
        .regsPerBlock = (int)capability->registers,
        .regsPerMultiprocessor = (int)capability->registers,
        .warpSize = 32,
        .sharedMemPerBlock = 48 << 10,
        .sharedMemPerMultiprocessor = capability->shared_multiprocessor,
        .numSms = 1,
        .sharedMemPerBlockOptin = capability->shared_block,
        .reservedSharedMemPerBlock = capability->shared_reserved,
    };
    return properties;
}

static int vendors_blocks(const struct capability *capability, uint32_t block, uint32_t registers, uint32_t shared)
{
    const struct cudaOccDeviceProp properties = properties_of(capability);
    const struct cudaOccFuncAttributes attributes = {
        .maxThreadsPerBlock = 1024,
        .numRegs = (int)registers,
        .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
        .maxDynamicSharedSizeBytes = shared,
        .numBlockBarriers = 1,
    };
    const struct cudaOccDeviceState standard = {.carveoutConfig = SHAREDMEM_CARVEOUT_DEFAULT};
    struct cudaOccResult result = {0};
    if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &attributes, &standard, (int)block, shared) !=
        CUDA_OCC_SUCCESS)
        return -1;
    return result.activeBlocksPerMultiprocessor;
}

TEST(vendors_calculator)
{
    size_t compared = 0;
    for (const struct capability *row = capability_table; row->version; ++row) {
        if (row->version < 35) // older than the calculator
            continue;
        for (uint32_t block = 1; block <= 1056; block += block < 96 ? 5 : 31)
            for (uint32_t registers = 0; registers <= 255; registers += 1 + registers % 7)
                for (uint32_t shared = 0; shared <= row->shared_block + 2048; shared += 1 + shared / 3 + block % 13) {
                    const struct occupancy got = occupancy_predict(row, block, registers, shared);
                    const int want = vendors_blocks(row, block, registers, shared);
                    ++compared;
                    if ((int)got.blocks != want)
                        fail_msg("%u: block %u, %u registers, %u bytes: %u blocks, NVIDIA's calculator says %d",
                                 (unsigned)row->version, (unsigned)block, (unsigned)registers, (unsigned)shared,
                                 (unsigned)got.blocks, want);
                }
    }
    print_message("%zu predictions equal those of cuda_occupancy.h\n", compared);
    assert_true(compared > 100000);
}

#else

TEST(vendors_calculator)
{
    print_message("skipped: NVIDIA's calculator (cuda_occupancy.h) is not here\n");
    skip();
}

#endif
