// SPDX-License-Identifier: MIT
// Sorting the paths of a block along a Morton curve.
#pragma once

#include "variants/volpt2018/streaming.h"
#include "lib/morton.h"

enum { SORT_CODE_BITS = 30 };
#define SORT_LAST 0x3FFFFFFFu // the greatest code

DEVICE uint32_t sorting_words(uint32_t block, uint32_t warp)
{
    return (uint32_t)BLOCK_ANY_WORDS + block_sort_words(block, warp);
}

// Cell of x in [low, low + 1 / scale) among `cells`.
DEVICE uint32_t sort_cell(float x, float low, float scale, float cells)
{
    const float cell = minimum_f32(maximum_f32((x - low) * scale * cells, 0.0f), cells - 1.0f);
    return (uint32_t)cell;
}

DEVICE uint32_t sort_code_position(const struct volume_view *volume, struct vec3 p, float cells)
{
    return morton_code(sort_cell(p.x, volume->low.x, 1.0f / (volume->high.x - volume->low.x), cells),
                       sort_cell(p.y, volume->low.y, 1.0f / (volume->high.y - volume->low.y), cells),
                       sort_cell(p.z, volume->low.z, 1.0f / (volume->high.z - volume->low.z), cells));
}

DEVICE uint32_t sort_code_direction(struct vec3 d, float cells)
{
    return morton_code(sort_cell(d.x, -1.0f, 0.5f, cells), sort_cell(d.y, -1.0f, 0.5f, cells),
                       sort_cell(d.z, -1.0f, 0.5f, cells));
}

// The Morton code of a path, SORT_CODE_BITS wide.
DEVICE uint32_t sort_code(const struct persistent_args *args, const struct path *path)
{
    const struct volume_view *volume = &args->frame.scene.volume;
    if (args->sort_key == SORT_KEY_POSITION)
        return sort_code_position(volume, path->ray.origin, 1024.0f);
    if (args->sort_key == SORT_KEY_DIRECTION)
        return sort_code_direction(path->ray.direction, 1024.0f);
    return sort_code_position(volume, path->ray.origin, 32.0f) << 15 | sort_code_direction(path->ray.direction, 32.0f);
}

// How far along each axis two voxels of one line of albedo are apart at most, where lines are blocks of 4 x 4 x 2 voxels.
enum { LINE_REACH = 3 };

DEVICE bool far_apart(uint32_t a, uint32_t b)
{
    return a > b ? a - b > (uint32_t)LINE_REACH : b - a > (uint32_t)LINE_REACH;
}

// After a sort in which `from` has come to this lane's place: living paths whose next one in the order lives too, and is
// far from them. All lanes of the block call this; `shared`: two words a lane.
DEVICE void count_neighbours(const struct persistent_args *args, const struct path *path, bool lives, uint32_t from,
                             uint32_t *shared)
{
#if COUNTING
    const struct volume_view *volume = &args->frame.scene.volume;
    const struct vec3 p = path->ray.origin;
    uint32_t *const plane = shared, *const height = shared + block_size();
    plane[thread_index()] = voxel_along(p.x - volume->low.x, volume->voxels_per_unit.x, volume->size[0]) |
                            voxel_along(p.y - volume->low.y, volume->voxels_per_unit.y, volume->size[1]) << 16;
    height[thread_index()] =
        voxel_along(p.z - volume->low.z, volume->voxels_per_unit.z, volume->size[2]) | (uint32_t)lives << 31;
    block_sync();
    const uint32_t here = plane[from], z = height[from];
    block_sync();
    plane[thread_index()] = here;
    height[thread_index()] = z;
    block_sync();
    const uint32_t next = thread_index() + 1u < block_size() ? thread_index() + 1u : thread_index();
    const uint32_t there = plane[next], other = height[next];
    block_sync();
    if (next == thread_index() || (z & other) >> 31 == 0u)
        return;
    count_total(&args->frame, sorted_pairs, 1);
    if (far_apart(here & 0xFFFFu, there & 0xFFFFu) || far_apart(here >> 16, there >> 16) ||
        far_apart(z & 0x7FFFFFFFu, other & 0x7FFFFFFFu))
        count_total(&args->frame, sorted_apart, 1);
#else
    (void)args;
    (void)path;
    (void)lives;
    (void)from;
    (void)shared;
#endif
}

// Sorts the block's paths, those that have ended last or, where they share the key of the last cell, among the last; each
// goes to the slot of its place. Returns whether the path that is now in this lane's slot is flagged. All lanes of the
// block call this; `shared` as block_sort_pairs.
DEVICE bool sort_paths(const struct persistent_args *args, const struct path *path, bool lives, bool flag,
                       uint32_t *shared)
{
    const uint32_t first = block_index() * block_size(),
                   dead = args->dead_key == DEAD_KEY_LAST ? SORT_LAST : 1u << SORT_CODE_BITS;
    const uint32_t bits = (uint32_t)SORT_CODE_BITS + (args->dead_key == DEAD_KEY_LAST ? 0u : 1u);
    uint32_t key = lives ? sort_code(args, path) : dead, value = thread_index() | (uint32_t)flag << 31;
    if (lives && key == dead)
        count_total(&args->frame, key_ties, 1);
    block_sort_pairs(&key, &value, bits, shared);
    count_neighbours(args, path, lives, value & 0x7FFFFFFFu, shared);
    shared[value & 0x7FFFFFFFu] = thread_index();
    block_sync();
    const uint32_t slot = first + shared[thread_index()];
    if (lives)
        store_save(&args->store, slot, path);
    else
        store_kill(&args->store, slot);
    block_sync();
    count_barriers(&args->frame, block_sort_barriers(bits) + 2u);
    return value >> 31 != 0u;
}

// Zeroes what block_any needs, and says that no slot of the block holds a path.
DEVICE void sort_open(const struct persistent_args *args, uint32_t *words)
{
    store_kill(&args->store, block_index() * block_size() + thread_index());
    for (uint32_t i = thread_index(); i < (uint32_t)BLOCK_ANY_WORDS; i += block_size())
        words[i] = 0u;
    block_sync();
}

// Whether the block is to go on after a trip: with atomic tickets, once none of its lanes had a path none will.
DEVICE bool sort_goes_on(const struct persistent_args *args, bool had, uint32_t trip, uint32_t *words)
{
    if (CONFIG(&args->frame, tickets) == TICKETS_ORDERED)
        return true;
    count_barriers(&args->frame, 1u);
    return block_any(had, trip, words);
}
