// SPDX-License-Identifier: MIT
#include "bench_blocks_cub.h"

#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_scan.cuh>

static __device__ __forceinline__ uint32_t draw(uint32_t a, uint32_t b, uint32_t round)
{
    return ((a ^ b * 0x9E3779B9u) * 0x85EBCA6Bu + round) >> 2;
}

template <int BITS>
static __global__ void __launch_bounds__(BENCH_BLOCK) sort_rounds(const __grid_constant__ cub_rounds args)
{
    using sort = cub::BlockRadixSort<uint32_t, BENCH_BLOCK, 1, uint32_t, BITS>;
    __shared__ typename sort::TempStorage shared;
    const uint32_t lane = blockIdx.x * BENCH_BLOCK + threadIdx.x;
    uint32_t key[1] = {args.in[lane]}, value[1] = {0u};
    for (uint32_t round = 0; round < args.rounds; ++round) {
        key[0] = draw(key[0], value[0], round) & args.mask;
        value[0] = threadIdx.x;
        sort(shared).Sort(key, value, 0, (int)args.key_bits);
        __syncthreads(); // the memory is free again
    }
    args.out[2 * lane] = key[0];
    args.out[2 * lane + 1] = value[0];
}

template <cub::BlockScanAlgorithm ALGORITHM, bool FLAGS>
static __global__ void __launch_bounds__(BENCH_BLOCK) scan_rounds(const __grid_constant__ cub_rounds args)
{
    using scan = cub::BlockScan<uint32_t, BENCH_BLOCK, ALGORITHM>;
    __shared__ typename scan::TempStorage shared;
    const uint32_t lane = blockIdx.x * BENCH_BLOCK + threadIdx.x;
    uint32_t drawn = args.in[lane], before = 0, total = 0;
    for (uint32_t round = 0; round < args.rounds; ++round) {
        drawn = draw(drawn ^ before, total, round);
        if (!FLAGS)
            drawn &= args.mask;
        scan(shared).ExclusiveSum(FLAGS ? (uint32_t)((drawn & args.mask) != 0) : drawn, before, total);
        __syncthreads();
    }
    args.out[2 * lane] = before;
    args.out[2 * lane + 1] = total;
}

using rounds_kernel = void (*)(cub_rounds);

// In the order of enum cub_operation.
static const rounds_kernel kernels[] = {
    sort_rounds<4>,
    sort_rounds<5>,
    sort_rounds<6>,
    scan_rounds<cub::BLOCK_SCAN_RAKING, false>,
    scan_rounds<cub::BLOCK_SCAN_RAKING_MEMOIZE, false>,
    scan_rounds<cub::BLOCK_SCAN_WARP_SCANS, false>,
    scan_rounds<cub::BLOCK_SCAN_RAKING, true>,
    scan_rounds<cub::BLOCK_SCAN_RAKING_MEMOIZE, true>,
    scan_rounds<cub::BLOCK_SCAN_WARP_SCANS, true>,
};

extern "C" int cub_launch(cub_operation operation, uint32_t blocks, const cub_rounds *rounds, void *stream)
{
    (void)cudaGetLastError(); // of calls before this one
    kernels[operation]<<<blocks, BENCH_BLOCK, 0, static_cast<cudaStream_t>(stream)>>>(*rounds);
    return cudaGetLastError();
}

extern "C" const char *cub_words(int result)
{
    return cudaGetErrorString(static_cast<cudaError_t>(result));
}
