// SPDX-License-Identifier: MIT
#include "trial/rounds.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "surface/pool.h"
#include "tools/trace_ray.h"
#include "frame/frame_internal.h"

enum { RAY_WORDS = 6 };

struct visit {
    const struct rounds_watch *watch;
    uint32_t rounds;
};

static uint32_t *rounds_download(struct frame *frame, const struct pool *pool, uint32_t word, struct error *error)
{
    struct frame_internal *internal = frame->internal;
    const size_t bytes = (size_t)pool->slots * sizeof(uint32_t);
    uint32_t *words = memory_try(bytes, 1, error, "for the pool's words");
    if (words &&
        internal->device->ops->download(internal->device, internal->stream, words,
                                        pool->words + (size_t)word * pool->slots, bytes, error) &&
        internal->device->ops->synchronize(internal->device, internal->stream, error))
        return words;
    free(words);
    return NULL;
}

static bool take_word(struct frame *frame, const struct pool *pool, const uint32_t *flags, uint32_t word,
                      struct ray_input *rays, struct error *error)
{
    uint32_t *words = rounds_download(frame, pool, POOL_RAY + word, error), n = 0;
    for (uint32_t slot = 0; words && slot < pool->slots; ++slot)
        if (flags[slot] != POOL_DEAD)
            memcpy(word < 3 ? &rays[n++].origin[word] : &rays[n++].direction[word - 3], &words[slot], sizeof *words);
    free(words);
    return words != NULL;
}

static bool take_rays(struct frame *frame, const struct visit *visit, const struct pool *pool, const uint32_t *flags,
                      uint32_t round, uint32_t live, struct error *error)
{
    struct ray_input *rays = memory_try((size_t)live + 1, sizeof *rays, error, "for %u rays", live);
    bool *from_camera = memory_new((size_t)live + 1, sizeof *from_camera), done = rays != NULL;
    for (uint32_t slot = 0, n = 0; slot < pool->slots; ++slot)
        if (flags[slot] != POOL_DEAD)
            from_camera[n++] = (flags[slot] & 0xFFFFu) >> 1 == 0;
    for (uint32_t i = 0; done && i < live; ++i)
        rays[i].t_max = RAY_FOREVER;
    for (uint32_t word = 0; done && word < RAY_WORDS; ++word)
        done = take_word(frame, pool, flags, word, rays, error);
    done = done && visit->watch->rays(visit->watch->context, round, rays, from_camera, live, error);
    free(from_camera);
    free(rays);
    return done;
}

// Arguments of a pipeline's kernels begin with the frame's and the pool.
static bool before(struct frame *frame, const struct frame_launch *launch, uint32_t index, struct error *error)
{
    struct visit *visit = frame->internal->hook_context;
    struct pool pool;
    uint32_t live = 0;
    (void)index;
    if (!launch->stage || strcmp(launch->stage, "trace"))
        return true;
    memcpy(&pool, (const char *)launch->args + sizeof(struct frame_args), sizeof pool);
    uint32_t *flags = rounds_download(frame, &pool, POOL_FLAGS, error);
    if (!flags)
        return false;
    for (uint32_t slot = 0; slot < pool.slots; ++slot)
        live += flags[slot] != POOL_DEAD;
    visit->rounds += 1;
    const uint32_t round = (uint32_t)launch->iteration;
    const uint64_t lanes = (uint64_t)launch->grid * launch->block; // over a list there may be fewer than live
    const uint32_t traced = lanes < live ? (uint32_t)lanes : live;
    const bool done = !visit->watch->round(visit->watch->context, round, pool.slots, traced) ||
                      take_rays(frame, visit, &pool, flags, round, live, error);
    free(flags);
    return done;
}

bool rounds_visit(struct executor *executor, const struct trial_spec *spec, const struct rounds_watch *watch,
                  struct error *error)
{
    static const struct frame_hooks hooks = {.before = before};
    struct visit visit = {.watch = watch};
    if (!execute_watched(executor, spec, &hooks, &visit, error))
        return false;
    if (visit.rounds)
        return true;
    error_set(error, ERROR_USE, "%s is no pipeline: it has no stage 'trace'", spec->variant);
    return error_remedy(error, "choose one with stages, such as pool_refill or two_stage");
}
