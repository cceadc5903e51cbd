// SPDX-License-Identifier: MIT
// The closed list of primitives that are implemented once per side, in C, CUDA and OpenCL C (contract 1). Everything else in
// kernels/ is written once, in the common subset of C17 and CUDA C++: plain structs, constructor functions instead of
// compound literals, explicit casts.
//
// A third side, OpenCL C, is C17's without recursion and function pointers; `half` and `constant` are no names there.
//
// Each side provides
//   DEVICE                      qualifier of a device function (inlined)
//   KERNEL(name, args_type)     defines the entry point `name`; its body sees `const args_type *args`
//   TRACE_KERNEL(name, args_type)  the same of a kernel that traces rays and in which no lane waits for another. Where OptiX
//                               traverses, it is a program of OptiX, whose warps are single lanes (lib/platform_optix.h)
//   COUNTING                    1 in an instrumented build, else 0 (a macro, usable in #if and in plain if)
//   CONFIG(frame, field)        a field of struct config: a compile-time constant on CUDA, a load on the emulator
//   LANE_LOCAL_ARRAY            qualifier of a per-lane array
//   UNROLLED                    before a loop with bounds that are constant on CUDA: it is fully unrolled there, so that
//                               arrays indexed by its counter stay in registers
//   ROLLED                      before a loop that CUDA must not unroll, to save registers
//   thread_index() block_index() block_size() grid_size()            uint32_t, all one-dimensional
//   warp_width()                uint32_t
//   lane_index()                uint32_t, index of this lane in its warp
//   lanemask                    unsigned integer type with a bit per lane
//   warp_mask()                 the lanes that exist in this warp (the last warp of a block may be short)
//   warp_ballot(mask, p)        bit i = lane i of `mask` passed p != 0; called by all lanes in `mask` and no others
//   warp_any(mask, p)           warp_ballot(mask, p) != 0
//   warp_staying(p)             warp_ballot(warp_mask(), p), where lanes without p exit immediately afterwards. On CUDA
//                               the mask is a constant, because exited lanes are ignored; this saves time and registers
//   warp_shuffle_u32(mask, v, lane)    the `v` of lane `lane`, which must be in `mask`; called like warp_ballot. Lanes
//                               may pass different values of `lane`
//   warp_broadcast_u32(mask, v, lane)  the same if all lanes pass the same `lane`
//   warp_shuffle_up_u32(mask, v, d)    the `v` of the lane with index lower by d, or the caller's own if there is none;
//                               called by lanes 0 to n
//   warp_sum_u32(mask, v)       sum over the lanes in `mask`, returned to each of them; called like warp_ballot
//   warp_max_u32(mask, v)       the same for the maximum
//   lanemask_count(m)           number of set bits
//   lanemask_lowest(m)          index of the lowest set bit; m is not 0
//   lanemask_below(lane)        mask of the lanes below `lane`
//   block_sync()                barrier for all lanes of the block: all must reach the same one, and none may have returned
//   block_join()                behind a branch with a block_sync() in it, which all lanes of the block take or none does, unless
//                               its condition is a CONFIG: a barrier for a compiler that needs one there, else nothing
//   grid_sync()                 block_sync() for all lanes of the grid, in cooperative launches only. Writes before it are
//                               visible to all lanes after it
//   grid_yield()                called once per trip of a persistent loop by every lane in it. On the emulator, where the
//                               blocks of a cooperative launch take turns, it lets the other lanes of the grid make
//                               their trip. It never waits, and does nothing on CUDA
//   lane_number_again()         block_index() * block_size() + thread_index(), read anew, so that no register need hold it meanwhile
//   launch_dependents()         once all blocks of a launch have called this or have ended, a dependent launch behind it may begin;
//                               nothing that they write is visible to it yet
//   launch_wait()               in a dependent launch: waits until the launch before it has ended; what that wrote is then visible.
//                               Each block must call it before it ends, or launches behind it may begin too early. Elsewhere it does
//                               nothing
//   block_shared()              base of the block's dynamic shared memory, 16-byte aligned, contents undefined. Called in the
//                               body of a KERNEL alone, which hands it to functions
//   atomic_add_u32/u64(p, v)    relaxed, returns the old value
//   atomic_max_u32/u64(p, v)    the same for the maximum
//   atomic_exchange_u32(p, v)   the same, storing v
//   atomic_load_u32(p)          relaxed load of a word that other lanes write concurrently
//   atomic_store_u32(p, v)      relaxed store to a word that other lanes read concurrently
//   memory_fence()              lanes that see this lane's later writes also see its earlier writes
//   minimum_f32/maximum_f32     neither operand may be NaN; -0 and +0 compare equal, and either may be returned
//   f32_bits(x) f32_from_bits(u)
//   struct float4, uint4, uint2 four floats, four words, two words: fields x, y, z, w; make_float4 and so on. On CUDA each
//                               is loaded and stored by one instruction and must be aligned to its size
//   VECTOR_BODIES               1 if a few functions have a second implementation with AVX2 and FMA
//                               (trees/two_box_avx.h, trees/wide4_avx.h), else 0 (a macro, as COUNTING)
//   READ_IN_PLACE               1 if it is best to read fields individually from memory, 0 if it is best to load them
//                               into registers first, 16 bytes at a time (a macro, as COUNTING)
//   load_read_only(place)       `*place`, which is not written during the launch: on CUDA through the read-only path
//   load_once(place)            `*place`, which is read only once: on CUDA it is not kept in the caches
//   store_once(place, value)    the same for a store
//   load_texel(to, texture, at) to[0] = word `at` of the array behind `texture`; may overwrite to[1 .. 3]. On the C side
//                               the texture is the array's address
//   prefetch(place)             hint that `place` will be read soon, for processors that run few lanes at a time
//   half_f32(word, half)        the float with the bits 0x3F000000 | h << 8, where h is one 16-bit half of `word`
//   half_make(upper)            `half` for the upper or the lower half
//   half_other(half)            `half` for the other half
//   with_byte(word, bytes, i)   `word` with its lowest byte replaced by byte i of `bytes`
//   signs_over_byte(word, bytes, i)  byte i of `bytes`, and above it 24 copies of the highest bit of `word`
//   lockstep_*                  record the lane's traversal for the lockstep model; nothing on CUDA
//   lockstep_node(place)        an inner step of this round; `place` is the memory range of the node (tree_place)
//   lockstep_answers(answers)   after it, the decisions of the step (STEP_...); in all steps of a tree, or in none
//   lockstep_test(place)        a triangle test of this round; `place` is the memory range of the triangle that it reads
//   lockstep_end()              ends the traversal that lockstep_begin started; only ended traversals are replayed
//   fmaf_down/fmaf_up(a, b, c)  a * b + c rounded towards minus or plus infinity
//   keep_branch()               keeps the compiler from replacing the surrounding branch by selects, where it is faster
//   place_behind(place, a, b)   `place`, with a dependency on the floats a and b for CUDA's compiler
//   extension_mark()            a distinctive instruction at the entry of an extension; nothing on the emulator
// `fmaf`, `sqrtf`, `fabsf`, `rintf` and `floorf` are exact on both sides and used under their own names.
// No other function of a maths library may be called: maths.h has the elementary functions.
#pragma once

// The decisions of a step over a node, one answer per question: whether the node is a leaf; and of an inner node, which
// child the ray meets first, and which of the two children it visits.
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

#define PLACE_SECTORS 8u // maximum number of 32-byte sectors that one node or triangle occupies (tree_place)

#ifndef COUNTING
#error "define COUNTING to 0 or 1"
#endif

// OpenCL's first: what pastes its files (harness/device/opencl/sources.c) puts what two sides share where it is first included.
#if defined __OPENCL_C_VERSION__
#include "lib/platform_opencl.h"
#elif defined __CUDACC__
#include "lib/platform_cuda.h"
#else
#include "lib/platform_c.h"
#endif

#ifndef TRACE_KERNEL
#define TRACE_KERNEL(name, args_type) KERNEL(name, args_type)
#endif
