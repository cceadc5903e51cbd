// SPDX-License-Identifier: MIT
// V-NAIVE-MK: a kernel that begins the paths of a pass, then one launch for each extension of all that live. Paths stay in
// their slots; lanes find them there, or through a list of the slots that live.
#pragma once

#include "variants/volpt2018/advance.h"

enum { STEPS_SWITCHES = 3 }; // counters that take turns within one launch

struct volume_steps_args {
    struct frame_args frame;
    struct path_store store;
    uint32_t first;       // number of the pass's first path, that of slot 0
    uint32_t count;       // lanes that have a slot
    const uint32_t *list; // slots of these lanes; NULL: the slots 0 .. count-1
    uint8_t *lives;       // for each of these lanes: whether its path goes on; NULL where no list is made
    uint32_t *ended;      // paths that have ended, zero at first; in one launch STEPS_SWITCHES counters
    uint32_t nothing;     // 0, which the compiler does not know
};

// An extension of the path in `slot`. All lanes of the warp call this; `inside`: the lane has a slot.
DEVICE bool steps_extend(const struct volume_steps_args *args, uint32_t slot, bool inside, bool begins, uint32_t *ended)
{
    const struct frame_args *frame = &args->frame;
    const bool had = inside && (begins || store_lives(&args->store, slot));
    struct path path = path_none();
    if (had)
        path = begins ? path_begin_numbered(frame, args->first + slot) : store_load(&args->store, slot);
    const bool lives = advance(frame, &path, had, (begins ? 1u : 2u) * (uint32_t)STORE_WORDS);
    if (had && begins)
        count_total(frame, begun, 1);
    if (lives)
        store_save(&args->store, slot, &path);
    else if (had)
        store_kill(&args->store, slot);
    if (ended)
        add_lanes(frame, ended, had && !lives);
    return lives;
}

DEVICE void steps_launch(const struct volume_steps_args *args, bool begins)
{
    const uint32_t lane = block_index() * block_size() + thread_index();
    const bool inside = lane < args->count;
    const uint32_t slot = inside && args->list ? args->list[lane] : lane;
    const bool lives = steps_extend(args, slot, inside, begins, args->ended);
    if (inside && args->lives)
        args->lives[lane] = lives;
}

KERNEL(volume_steps_begin, struct volume_steps_args)
{
    steps_launch(args, true);
}

KERNEL(volume_steps_extend, struct volume_steps_args)
{
    steps_launch(args, false);
}

// All of a pass in one cooperative launch: a barrier of the grid in place of each launch. Of the three counters one is
// added to, one is read by lanes that are late, and one is zeroed.
KERNEL(volume_steps_whole, struct volume_steps_args)
{
    const uint32_t lanes = grid_size() * block_size();
    uint32_t done = 0;
    for (uint32_t step = 0; done < args->count; ++step) {
        uint32_t *const ended = args->ended + step % (uint32_t)STEPS_SWITCHES;
        for (uint32_t first = block_index() * block_size(); first < args->count; first += lanes) {
            const uint32_t slot = first + thread_index();
            (void)steps_extend(args, slot, slot < args->count, step == 0, ended);
        }
        grid_sync();
        done += atomic_load_u32(ended);
        if (block_index() == 0 && thread_index() == 0)
            atomic_store_u32(args->ended + (step + 2u) % (uint32_t)STEPS_SWITCHES, 0);
    }
}

// What launches alone take: as many lanes as an extension has.
KERNEL(volume_steps_empty, struct volume_steps_args)
{
    (void)args;
}

// What loading and storing paths alone takes: of each that lives, every word.
KERNEL(volume_steps_state, struct volume_steps_args)
{
    const uint32_t lane = block_index() * block_size() + thread_index();
    if (lane >= args->count)
        return;
    const uint32_t slot = args->list ? args->list[lane] : lane;
    LANE_LOCAL_ARRAY uint32_t words[STORE_WORDS];
    if (!store_lives(&args->store, slot))
        return;
    UNROLLED for (uint32_t i = 0; i < (uint32_t)STORE_WORDS; ++i)
    {
        words[i] = *store_at(&args->store, slot, i);
    }
    UNROLLED for (uint32_t i = 0; i < (uint32_t)STORE_WORDS; ++i)
    {
        *store_at(&args->store, slot, i) = words[i] ^ args->nothing;
    }
}
