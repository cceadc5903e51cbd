// SPDX-License-Identifier: MIT
// Warps that are sub-groups, of OPENCL_WARPS lanes: by cl_khr_subgroup_ballot and cl_khr_subgroup_shuffle, which lanes of a sub-group
// may call in a branch. Votes take all lanes that are there; a mask then keeps its own, so that two sets of lanes may vote at
// once. Pointers without a qualifier are generic. Lanes of a warp are consecutive work-items, which the device is asked for
// (harness/device/opencl/warps.kernel.h).
#pragma once

#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable

#define warp_width() ((uint32_t)OPENCL_WARPS)
#define lane_index() ((uint32_t)get_sub_group_local_id())
#define warp_staying(predicate) warp_ballot(warp_mask(), (predicate))
#define warp_any(mask, predicate) (warp_ballot((mask), (predicate)) != 0u)
#define warp_ballot(mask, predicate) subgroup_ballot((mask), (predicate) != 0)
#define warp_shuffle_u32(mask, value, lane) ((void)(mask), sub_group_shuffle((uint)(value), (uint)(lane)))
#define warp_broadcast_u32(mask, value, lane) warp_shuffle_u32((mask), (value), (lane))
#define opencl_generic(place) ((void *)(place))

DEVICE lanemask warp_mask(void)
{
    const uint32_t rest = block_size() - thread_index() / warp_width() * warp_width();
    return rest >= warp_width() ? ~(lanemask)0 >> (sizeof(lanemask) * 8u - warp_width()) : ((lanemask)1 << rest) - 1u;
}

DEVICE lanemask subgroup_ballot(lanemask mask, int predicate)
{
    const uint4 votes = sub_group_ballot(predicate);
#if OPENCL_WARPS > 32
    return mask & ((lanemask)votes.y << 32 | votes.x);
#else
    return mask & votes.x;
#endif
}

DEVICE uint32_t warp_shuffle_up_u32(lanemask mask, uint32_t value, uint32_t distance)
{
    const uint32_t lane = lane_index();
    return warp_shuffle_u32(mask, value, lane >= distance ? lane - distance : lane);
}

// A lane at a time: sub_group_reduce_add() wants all lanes, and few devices have one for some of them.
DEVICE uint32_t warp_sum_u32(lanemask mask, uint32_t value)
{
    uint32_t sum = 0u;
    for (lanemask left = mask; left != 0u; left &= left - 1u)
        sum += warp_shuffle_u32(mask, value, lanemask_lowest(left));
    return sum;
}

DEVICE uint32_t warp_max_u32(lanemask mask, uint32_t value)
{
    uint32_t most = 0u;
    for (lanemask left = mask; left != 0u; left &= left - 1u)
        most = max(most, warp_shuffle_u32(mask, value, lanemask_lowest(left)));
    return most;
}

// ---- atomics, on global and shared memory alike

#define SUBGROUP_ATOMIC(name, type, object, operation)                                                                 \
    DEVICE type name(type *place, type value)                                                                          \
    {                                                                                                                  \
        return operation((volatile object *)place, value, memory_order_relaxed, memory_scope_device);                  \
    }
SUBGROUP_ATOMIC(atomic_add_u32, uint32_t, atomic_uint, atomic_fetch_add_explicit)
SUBGROUP_ATOMIC(atomic_add_u64, uint64_t, atomic_ulong, atomic_fetch_add_explicit)
SUBGROUP_ATOMIC(atomic_max_u32, uint32_t, atomic_uint, atomic_fetch_max_explicit)
SUBGROUP_ATOMIC(atomic_max_u64, uint64_t, atomic_ulong, atomic_fetch_max_explicit)
SUBGROUP_ATOMIC(atomic_exchange_u32, uint32_t, atomic_uint, atomic_exchange_explicit)
#undef SUBGROUP_ATOMIC

DEVICE uint32_t atomic_load_u32(const uint32_t *place)
{
    return atomic_load_explicit((volatile atomic_uint *)(uint32_t *)place, memory_order_relaxed, memory_scope_device);
}

DEVICE void atomic_store_u32(uint32_t *place, uint32_t value)
{
    atomic_store_explicit((volatile atomic_uint *)place, value, memory_order_relaxed, memory_scope_device);
}

DEVICE void memory_fence(void)
{
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
}
