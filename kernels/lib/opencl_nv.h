// SPDX-License-Identifier: MIT
// A warp of 32 lanes on NVIDIA GPUs of compute capability 8.0 and newer, whose OpenCL has no sub-groups: by PTX, as platform_cuda.h
// says it by intrinsics. Unqualified pointers are generic there, as in CUDA.
#pragma once

#define warp_width() 32u
#define lane_index() (thread_index() & 31u)
#define warp_staying(predicate) ((void)(predicate), 0xFFFFFFFFu)
#define warp_any(mask, predicate) (warp_ballot((mask), (predicate)) != 0u)
#define warp_broadcast_u32(mask, value, lane) warp_shuffle_u32((mask), (value), (lane))

DEVICE lanemask warp_mask(void)
{
    const uint32_t rest = block_size() - (thread_index() & ~31u);
    return rest >= 32u ? 0xFFFFFFFFu : (1u << rest) - 1u;
}

DEVICE lanemask nv_ballot(lanemask mask, uint32_t predicate)
{
    lanemask answers;
    __asm__ volatile("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %1, 0;\n\tvote.sync.ballot.b32 %0, p, %2;\n\t}"
                     : "=r"(answers)
                     : "r"(predicate), "r"(mask));
    return answers;
}
#define warp_ballot(mask, predicate) nv_ballot((mask), (uint32_t)((predicate) != 0))

DEVICE uint32_t warp_shuffle_u32(lanemask mask, uint32_t value, uint32_t lane)
{
    uint32_t there;
    __asm__ volatile("shfl.sync.idx.b32 %0, %1, %2, 31, %3;" : "=r"(there) : "r"(value), "r"(lane), "r"(mask));
    return there;
}

DEVICE uint32_t warp_shuffle_up_u32(lanemask mask, uint32_t value, uint32_t distance)
{
    uint32_t there;
    __asm__ volatile("shfl.sync.up.b32 %0, %1, %2, 0, %3;" : "=r"(there) : "r"(value), "r"(distance), "r"(mask));
    return there;
}

DEVICE uint32_t warp_sum_u32(lanemask mask, uint32_t value)
{
    uint32_t sum;
    __asm__ volatile("redux.sync.add.u32 %0, %1, %2;" : "=r"(sum) : "r"(value), "r"(mask));
    return sum;
}

DEVICE uint32_t warp_max_u32(lanemask mask, uint32_t value)
{
    uint32_t most;
    __asm__ volatile("redux.sync.max.u32 %0, %1, %2;" : "=r"(most) : "r"(value), "r"(mask));
    return most;
}

DEVICE void *opencl_generic(__local void *place)
{
    uint64_t address;
    __asm__("cvta.shared.u64 %0, %1;" : "=l"(address) : "l"((uint64_t)(uintptr_t)place));
    return (void *)(uintptr_t)address;
}

// ---- atomics, on global and shared memory alike; `in` is the register's class in PTX

#define NV_ATOMIC(name, type, operation, in)                                                                           \
    DEVICE type name(type *place, type value)                                                                          \
    {                                                                                                                  \
        type before;                                                                                                   \
        __asm__ volatile("atom." operation " %0, [%1], %2;"                                                            \
                         : "=" in(before)                                                                              \
                         : "l"((uint64_t)(uintptr_t)place), in(value)                                                  \
                         : "memory");                                                                                  \
        return before;                                                                                                 \
    }
NV_ATOMIC(atomic_add_u32, uint32_t, "add.u32", "r")
NV_ATOMIC(atomic_add_u64, uint64_t, "add.u64", "l")
NV_ATOMIC(atomic_max_u32, uint32_t, "max.u32", "r")
NV_ATOMIC(atomic_max_u64, uint64_t, "max.u64", "l")
NV_ATOMIC(atomic_exchange_u32, uint32_t, "exch.b32", "r")
#undef NV_ATOMIC

DEVICE uint32_t atomic_load_u32(const uint32_t *place)
{
    return *(const volatile uint32_t *)place;
}

DEVICE void atomic_store_u32(uint32_t *place, uint32_t value)
{
    *(volatile uint32_t *)place = value;
}

DEVICE void memory_fence(void)
{
    __asm__ volatile("membar.gl;" ::: "memory");
}

// ---- floats

#define NV_FMA(name, rounding)                                                                                         \
    DEVICE float name(float a, float b, float c)                                                                       \
    {                                                                                                                  \
        float d;                                                                                                       \
        __asm__("fma." rounding ".f32 %0, %1, %2, %3;" : "=f"(d) : "f"(a), "f"(b), "f"(c));                            \
        return d;                                                                                                      \
    }
NV_FMA(fmaf_down, "rm")
NV_FMA(fmaf_up, "rp")
#undef NV_FMA

DEVICE float minimum_f32(float a, float b)
{
    float least;
    __asm__("min.f32 %0, %1, %2;" : "=f"(least) : "f"(a), "f"(b));
    return least;
}

DEVICE float maximum_f32(float a, float b)
{
    float most;
    __asm__("max.f32 %0, %1, %2;" : "=f"(most) : "f"(a), "f"(b));
    return most;
}
