// SPDX-License-Identifier: MIT
// What the host schedules of the volumetric tracers share: their paths are numbered through all samples.
#pragma once

#include "frame/variant.h"
#include "volume/store.h"

#include <stdio.h>

// SCHEDULE parameters that every kernel calling extend() uses. To be followed by the variant's own and NULL.
#define VOLUME_PARAMETERS .block = true, .registers = true, .shared_pad = true, .carveout = true, .grid_loads = true

static inline uint32_t volume_paths(const struct frame *frame)
{
    return frame->pixels * frame->args.samples;
}

// Numbers have 32 bits; a lane asks for one more than there are.
static inline bool volume_supports(const struct parameters *parameters, const struct device_properties *device,
                                   char *reason, size_t size)
{
    (void)device;
    const double paths = (double)parameters->width * (double)parameters->height * (double)parameters->spp;
    if (paths < 4.0e9)
        return true;
    snprintf(reason, size, "%.3g paths: numbers of paths have 32 bits", paths);
    return false;
}

static inline size_t volume_store_bytes(uint32_t slots)
{
    return (size_t)slots * STORE_WORDS * sizeof(uint32_t);
}

// Device memory for so many paths; no slot holds one.
static inline bool volume_store_alloc(struct frame *frame, uint32_t slots, struct path_store *store,
                                      struct error *error)
{
    const size_t bytes = volume_store_bytes(slots);
    *store = (struct path_store){.words = frame_memory(frame, bytes, error), .slots = slots};
    if (!store->words)
        return error_remedy(error, "%u slots take %zu bytes: choose fewer", slots, bytes);
    return frame_fill(frame, store->words, 0xFF, bytes, error); // STORE_DEAD, all of it
}
