// SPDX-License-Identifier: MIT
// CUB's sort and scan within blocks of BENCH_BLOCK lanes, in the loops of block_kernels.h: for bench_blocks alone.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BENCH_BLOCK = 256, BENCH_KEY_BITS = 30 };

enum cub_operation {
    CUB_SORT_4_BITS, // BlockRadixSort by so many bits a pass; 4 is its default
    CUB_SORT_5_BITS,
    CUB_SORT_6_BITS,
    CUB_SCAN_RAKING, // BlockScan, its default
    CUB_SCAN_RAKING_MEMOIZE,
    CUB_SCAN_WARP_SCANS,
    CUB_RANK_RAKING, // BlockScan of flags
    CUB_RANK_RAKING_MEMOIZE,
    CUB_RANK_WARP_SCANS,
};

// What the kernels of block_kernels.h read of struct block_test_args.
struct cub_rounds {
    const uint32_t *in; // device memory: a word for each lane of the grid
    uint32_t *out;      // two words for each
    uint32_t key_bits, rounds, mask;
};

// Asynchronous on `stream`, a cudaStream_t. Returns a cudaError_t, 0 for success.
int cub_launch(enum cub_operation operation, uint32_t blocks, const struct cub_rounds *rounds, void *stream);
const char *cub_words(int result);

#ifdef __cplusplus
}
#endif
