// SPDX-License-Identifier: MIT
// The closed list of primitives that have one body per side (contract 1). Everything else in kernels/ is written once,
// in the common subset of C17 and CUDA C++: plain structs, constructor functions instead of compound literals, explicit
// casts.
//
// Each side provides
//   DEVICE                      qualifier of a device function (inlined)
//   KERNEL(name, args_type)     defines the entry point `name`; its body sees `const args_type *args`
//   COUNTING                    1 in an instrumented build, else 0 (a macro, usable in #if and in plain if)
//   CONFIG(frame, field)        a field of struct config: a compile-time constant on CUDA, a load on the emulator
//   LANE_LOCAL_ARRAY            qualifier of a per-lane array
//   UNROLLED                    before a loop whose bounds are constants on CUDA, which unrolls it whole, so that arrays
//                               indexed by its counter stay in registers
//   ROLLED                      before a loop that CUDA must not unroll, to save registers
//   thread_index() block_index() block_size() grid_size()            uint32_t, all one-dimensional
//   warp_width()                uint32_t
//   lane_index()                uint32_t, index of this lane in its warp
//   lanemask                    unsigned integer type with a bit per lane
//   warp_mask()                 the lanes that exist in this warp (the last warp of a block may be short)
//   warp_ballot(mask, p)        bit i = lane i of `mask` passed p != 0; every lane in `mask` must call it, none other
//   warp_any(mask, p)           warp_ballot(mask, p) != 0
//   warp_staying(p)             warp_ballot(warp_mask(), p), where the lanes without p end at once. A constant on CUDA,
//                               which leaves out lanes that have ended: votes then take less time and fewer registers
//   warp_shuffle_u32(mask, v, lane)    the `v` of lane `lane`, which must be in `mask`; called as warp_ballot is. Lanes
//                               may name different ones
//   warp_broadcast_u32(mask, v, lane)  the same where all lanes name one
//   warp_shuffle_up_u32(mask, v, d)    the `v` of the lane `d` before, its own where there is none; lanes 0 to n call it
//   warp_sum_u32(mask, v)       of all lanes in `mask`, to each of them; called as warp_ballot is
//   warp_max_u32(mask, v)       the same, the largest
//   lanemask_count(m)           number of set bits
//   lanemask_lowest(m)          index of the lowest bit set; m is not 0
//   lanemask_below(lane)        mask of the lanes before `lane`
//   block_sync()                barrier: every lane of the block must reach the same one; none may have returned
//   grid_sync()                 the same for all lanes of the grid; in cooperative launches only. What lanes wrote before
//                               it is seen by all after it
//   grid_yield()                in each trip of a persistent loop, by every lane that takes it: on the emulator, where
//                               the blocks of a cooperative launch take turns, the other lanes of the grid make their
//                               trip before this one goes on; nothing on CUDA. Waits for nobody
//   block_shared()              base of the block's dynamic shared memory, 16-byte aligned, contents undefined
//   atomic_add_u32/u64(p, v)    relaxed, returns the old value
//   atomic_max_u32/u64(p, v)    the same, for the larger of the two
//   atomic_exchange_u32(p, v)   the same, for v itself
//   atomic_load_u32(p)          reads a word that other lanes write meanwhile; relaxed
//   atomic_store_u32(p, v)      writes a word that other lanes read meanwhile; relaxed
//   memory_fence()              what this lane wrote before is seen by all lanes that see what it writes after
//   minimum_f32/maximum_f32     for ordered operands; -0 and +0 may come out either way; no operand is ever NaN
//   f32_bits(x) f32_from_bits(u)
//   struct float4, uint4, uint2 four floats, four words, two words: fields x, y, z, w; make_float4 and so on. On CUDA each is
//                               moved by one instruction and must be aligned to its size
//   VECTOR_BODIES               1 where a few functions have a second body with AVX2 and FMA (trees/two_box_avx.h,
//                               trees/wide4_avx.h), else 0 (a macro, as COUNTING)
//   READ_IN_PLACE               1 where several fields are best read one by one where they stand, 0 where they are best loaded at
//                               once, by 16 bytes, into registers (a macro, as COUNTING)
//   load_read_only(place)       `*place`, which nobody writes during the launch: on CUDA by the read-only path
//   load_once(place)            `*place`, which is read once: on CUDA it does not stay in the caches
//   store_once(place, value)    the same of a store
//   load_texel(to, texture, at) to[0] = word `at` of the array that `texture` was made of; writes to[1 .. 3] too. The C side's
//                               texture is the array's address
//   prefetch(place)             says that `place` is soon read: a hint to processors that run few lanes at a time
//   half_f32(word, half)        the float whose bits are 0x3F000000 | h << 8, h the half of `word` that half_make(upper) chose;
//   half_make(upper)            the other half is that of half_other(half)
//   with_byte(word, bytes, i)   `word` with byte i of `bytes` as its lowest
//   lockstep_*                  record the lane's traversal for the lockstep model; nothing on CUDA
//   lockstep_node(place)        for an inner step of the round: the bytes that its node is in (tree_place)
//   lockstep_answers(answers)   behind it, in trees whose steps ask where to go on: STEP_...; all steps of a tree or none
//   fmaf_down/fmaf_up(a, b, c)  a * b + c rounded towards minus or plus infinity
//   lockstep_test(place)        for a triangle test of the round: the bytes that it reads of the triangle
//   lockstep_end()              closes the traversal that lockstep_begin opened: it is replayed only once it is closed
//   keep_branch()               forbids turning the branch it stands in into selects, where a branch is faster
//   place_behind(place, a, b)   `place`, but known to CUDA's compiler only once the floats a and b are
//   extension_mark()            an instruction of its own at the entry of an extension; nothing on the emulator
// `fmaf`, `sqrtf`, `fabsf`, `rintf` and `floorf` are exact on both sides and used under their own names.
// Nothing else from any maths library may be called: see maths.h for the elementary functions.
#pragma once

// What a step over a node finds, an answer to each question that it asks: what the node is; of an inner one, which child
// the ray meets first, and which of the two it visits.
enum {
    STEP_AT_LEAF = 1,
    STEP_AT_INNER = 2,
    STEP_LEFT_FIRST = 4,
    STEP_RIGHT_FIRST = 8,
    STEP_NEARER = 16,
    STEP_FARTHER = 32,
    STEP_BOTH = 64,
    STEP_QUESTIONS = 3
};

#define PLACE_SECTORS 8u // of 32 bytes: most that one node or triangle stands in (tree_place)

#ifndef COUNTING
#error "define COUNTING to 0 or 1"
#endif

#ifdef __CUDACC__
#include "lib/platform_cuda.h"
#else
#include "lib/platform_c.h"
#endif
