// SPDX-License-Identifier: MIT
// Loads and bytes on NVIDIA GPUs, by the instructions that platform_cuda.h has from intrinsics. Included behind the structs of
// several words.
#pragma once

// Of global memory, which is what the places are in: 16 bytes at once, which this compiler would load by the word.
#define NV_LOAD(load, type)                                                                                            \
    DEVICE __attribute__((overloadable)) type load(const type *place)                                                  \
    {                                                                                                                  \
        return *(__global const type *)(uintptr_t)place;                                                               \
    }
#define NV_LOAD_2(load, how)                                                                                           \
    DEVICE __attribute__((overloadable)) struct uint2 load(const struct uint2 *place)                                  \
    {                                                                                                                  \
        struct uint2 got;                                                                                              \
        __asm__("ld.global." how ".v2.u32 {%0, %1}, [%2];"                                                             \
                : "=r"(got.x), "=r"(got.y)                                                                             \
                : "l"((uint64_t)(uintptr_t)place));                                                                    \
        return got;                                                                                                    \
    }
#define NV_LOAD_4(load, how, type, word, in)                                                                           \
    DEVICE __attribute__((overloadable)) type load(const type *place)                                                  \
    {                                                                                                                  \
        type got;                                                                                                      \
        __asm__("ld.global." how ".v4." word " {%0, %1, %2, %3}, [%4];"                                                \
                : "=" in(got.x), "=" in(got.y), "=" in(got.z), "=" in(got.w)                                           \
                : "l"((uint64_t)(uintptr_t)place));                                                                    \
        return got;                                                                                                    \
    }
#define NV_LOADS(load, how)                                                                                            \
    NV_LOAD(load, uint8_t)                                                                                             \
    NV_LOAD(load, uint16_t)                                                                                            \
    NV_LOAD(load, uint32_t)                                                                                            \
    NV_LOAD(load, int32_t)                                                                                             \
    NV_LOAD(load, float)                                                                                               \
    NV_LOAD_2(load, how)                                                                                               \
    NV_LOAD_4(load, how, struct uint4, "u32", "r")                                                                     \
    NV_LOAD_4(load, how, struct float4, "f32", "f")
NV_LOADS(load_read_only, "nc")
NV_LOADS(load_once, "cs")

DEVICE void store_once(struct uint2 *place, struct uint2 value)
{
    __asm__ volatile("st.global.cs.v2.u32 [%0], {%1, %2};"
                     :
                     : "l"((uint64_t)(uintptr_t)place), "r"(value.x), "r"(value.y)
                     : "memory");
}

// ---- bytes

DEVICE uint32_t nv_permute(uint32_t low, uint32_t high, uint32_t which)
{
    uint32_t bytes;
    __asm__("prmt.b32 %0, %1, %2, %3;" : "=r"(bytes) : "r"(low), "r"(high), "r"(which));
    return bytes;
}

#define nv_permute_signs nv_permute

#include "lib/nv_bytes.h"

// Volatile, so that what is read there is not read before.
DEVICE uint32_t place_behind(uint32_t place, float a, float b)
{
    __asm__ volatile("" : "+r"(place) : "f"(a), "f"(b));
    return place;
}
