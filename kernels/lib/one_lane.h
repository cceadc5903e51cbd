// SPDX-License-Identifier: MIT
// A warp that is one lane, in place of what a side of platform.h says of warps.
#pragma once

#undef warp_width
#undef lane_index
#undef warp_mask
#undef warp_ballot
#undef warp_staying
#undef warp_any
#undef warp_shuffle_u32
#undef warp_broadcast_u32
#undef warp_shuffle_up_u32
#undef warp_sum_u32
#undef warp_max_u32
#define warp_width() 1u
#define lane_index() 0u
#define warp_mask() ((lanemask)1)
#define warp_ballot(mask, predicate) ((void)(mask), (lanemask)((predicate) != 0))
#define warp_staying(predicate) warp_ballot(warp_mask(), (predicate))
#define warp_any(mask, predicate) ((void)(mask), (predicate) != 0)
#define warp_shuffle_u32(mask, value, lane) ((void)(mask), (void)(lane), (uint32_t)(value))
#define warp_broadcast_u32(mask, value, lane) ((void)(mask), (void)(lane), (uint32_t)(value))
#define warp_shuffle_up_u32(mask, value, distance) ((void)(mask), (void)(distance), (uint32_t)(value))
#define warp_sum_u32(mask, value) ((void)(mask), (uint32_t)(value))
#define warp_max_u32(mask, value) ((void)(mask), (uint32_t)(value))
