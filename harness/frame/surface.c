// SPDX-License-Identifier: MIT
#include "frame/surface.h"

#include <stdio.h>
#include <stdlib.h>

#include "surface/path.h"
#include "lib/place.h"

bool surface_supports_places(const struct parameters *parameters, const struct device_properties *device, char *reason,
                             size_t size)
{
    (void)device;
    if (parameters->lane_map == LANE_MAP_8X8 && parameters->block % 8 != 0) {
        snprintf(reason, size, "lane_map 8x8 needs a block that is a multiple of 8 lanes, not %lld",
                 (long long)parameters->block);
        return false;
    }
    return true;
}

uint32_t surface_grid(const struct frame *frame, uint32_t count)
{
    const uint32_t block = (uint32_t)frame->parameters->block;
    if (frame->parameters->lane_map == LANE_MAP_LINEAR)
        return (count + block - 1) / block;
    const uint32_t width = frame->args.width, rows = (count + width - 1) / width, high = block / 8;
    return (width + 7) / 8 * ((rows + high - 1) / high);
}

uint32_t surface_resident_grid(const struct frame *frame, uint32_t shares)
{
    if (frame->parameters->resident_blocks == PARAMETER_AUTO)
        return shares;
    const uint64_t most = (uint64_t)frame->parameters->resident_blocks * frame_multiprocessors(frame);
    return most < shares ? (uint32_t)most : shares;
}

uint32_t surface_path_bytes(const struct parameters *parameters)
{
    char text[16];
    parameter_format(parameter_find("path_bytes"), parameters->path_bytes, text, sizeof text);
    return (uint32_t)strtoul(text, NULL, 10);
}

bool surface_alloc_paths(struct frame *frame, uint64_t slots, bool state, struct path_memory *memory,
                         struct error *error)
{
    *memory = (struct path_memory){.slots = (uint32_t)slots};
    const size_t radiance = slots * sizeof(struct path_radiance), bytes = slots * surface_path_bytes(frame->parameters);
    memory->radiance = frame_memory(frame, radiance, error);
    if (!memory->radiance || !frame_fill(frame, memory->radiance, 0, radiance, error))
        return false;
    if (!state)
        return true;
    memory->state = frame_memory(frame, bytes, error);
    return memory->state && frame_fill(frame, memory->state, 0, bytes, error);
}
