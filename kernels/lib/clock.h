// SPDX-License-Identifier: MIT
// Stamps of the multiprocessors' clocks. NVRTC alone compiles the kernels; the structs are the host's too, which includes stdint.h
// before.
#pragma once

#ifdef __CUDACC__
#include "lib/timer.h"
#endif

// One multiprocessor's two clocks, read together.
struct clock_stamp {
    uint64_t cycles;      // of the multiprocessor
    uint64_t nanoseconds; // of the timer that all share
};

struct clock_slot {
    struct clock_stamp stamp;
    uint64_t serial, unused; // of the span that it belongs to
};

struct clock_args {
    struct clock_slot *slots; // by the number of the multiprocessor
    uint64_t serial;
    uint32_t count; // slots
};

struct clock_step_args {
    uint64_t *step; // nanoseconds between two values of the shared timer
};

#ifdef __CUDACC__

// Several blocks may run on one multiprocessor: each stamp is stored by one instruction, so that its halves belong
// together, and the last one stays.
KERNEL(clock_take, struct clock_args)
{
    const uint32_t multiprocessor = multiprocessor_number();
    if (thread_index() != 0 || multiprocessor >= args->count)
        return;
    const uint64_t nanoseconds = shared_nanoseconds();
    const uint64_t cycles = (uint64_t)clock64();
    struct clock_slot *slot = &args->slots[multiprocessor];
    *(ulonglong2 *)&slot->stamp = make_ulonglong2(cycles, nanoseconds);
    slot->serial = args->serial;
}

// One lane watches the shared timer: the least step of several.
KERNEL(clock_step, struct clock_step_args)
{
    uint64_t least = ~(uint64_t)0, last = shared_nanoseconds();
    for (uint32_t seen = 0; seen < 8u;) {
        const uint64_t now = shared_nanoseconds();
        if (now == last)
            continue;
        if (now - last < least)
            least = now - last;
        last = now;
        ++seen;
    }
    *args->step = least;
}

#endif
