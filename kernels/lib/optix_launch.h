// SPDX-License-Identifier: MIT
// What a launch through OptiX hands to its program: the shape that the kernel sees, and its arguments.
#pragma once

enum { OPTIX_ARGUMENTS = 4096 }; // bytes, as many as a kernel can have

struct __attribute__((aligned(16))) optix_launch {
    uint32_t grid, block; // blocks, lanes per block
    uint32_t unused[2];
    unsigned char arguments[OPTIX_ARGUMENTS];
};
