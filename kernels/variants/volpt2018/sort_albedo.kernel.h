// SPDX-License-Identifier: MIT
// V-SORT-SK: as V-STREAM-SK-SORT, but where a path has collided the albedo is read after the sort, by the lane to whose slot
// the path has come.
#pragma once

#include "variants/volpt2018/sorting.h"

// An extension as far as it needs no albedo. Returns whether the path goes on to the sort; `collides`: it is not at its end
// before its albedo is read. All lanes of the warp call this.
DEVICE bool sort_advance(const struct frame_args *frame, struct path *path, bool had, bool *collides)
{
    const lanemask group = warp_ballot(warp_mask(), had);
    struct passed passed = {DEATH_CAUSES, false};
    if (had) {
        count_live(frame, group, 2u * (uint32_t)STORE_WORDS);
        passed = extend_begin(frame, path, group);
    }
    *collides = passed.collided;
    const bool rest = had && !passed.collided;
    const lanemask others = warp_ballot(warp_mask(), rest);
    if (!rest)
        return passed.collided;
    const bool lives = extend_end(frame, path, passed, others);
    if (!lives)
        path_end(frame, path);
    return lives;
}

// Applies the albedo to the path that is now in this lane's slot, where it is flagged. All lanes of the warp call this.
DEVICE void sort_collide(const struct persistent_args *args, bool flagged)
{
    enum { READ_AND_WRITTEN = STORE_WORDS + 4 };
    const uint32_t slot = block_index() * block_size() + thread_index();
    const lanemask group = warp_ballot(warp_mask(), flagged);
    const struct passed passed = {DEATH_CAUSES, true};
    if (!flagged)
        return;
    struct path path = store_load(&args->store, slot);
    count_total(&args->frame, moved_bytes, READ_AND_WRITTEN * 4);
    if (extend_end(&args->frame, &path, passed, group)) {
        store_set_vec3(&args->store, slot, STORE_WEIGHT, path.weight);
        *store_at(&args->store, slot, STORE_BOUNCE) = path.bounce | path.place << 30;
        return;
    }
    path_end(&args->frame, &path);
    store_kill(&args->store, slot);
}

KERNEL(sort_albedo, struct persistent_args)
{
    uint32_t *const words = (uint32_t *)block_shared(), *const shared = words + BLOCK_ANY_WORDS;
    const uint32_t slot = block_index() * block_size() + thread_index();
    struct queue_view view = {0, 0};
    bool going = true;
    sort_open(args, words);
    for (uint32_t trip = 0; going; ++trip) {
        struct path path;
        bool more, collides;
        const bool had = stream_take_up(args, &view, store_lives(&args->store, slot), &path, &more, shared);
        if (CONFIG(&args->frame, tickets) == TICKETS_ORDERED && !more)
            return;
        const bool lives = sort_advance(&args->frame, &path, had, &collides);
        sort_collide(args, sort_paths(args, &path, lives, collides, shared));
        going = sort_goes_on(args, had, trip, words);
    }
}
