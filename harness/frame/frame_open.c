// SPDX-License-Identifier: MIT
// What the harness does around a frame.
#include <math.h>
#include <stdlib.h>

#include "frame/frame_parts.h"

bool frame_open(struct frame *frame, struct error *error)
{
    struct frame_internal *internal = frame->internal;
    struct device *device = internal->device;
    internal->stream = internal->streams[0] = device->ops->create_stream(device, error);
    return internal->stream && (internal->collection != COLLECTION_COUNTS || frame_counts_open(frame, error));
}

void frame_close(struct frame *frame)
{
    struct frame_internal *internal = frame->internal;
    struct device *device = internal->device;
    for (uint32_t i = 0; i < FRAME_STREAMS; ++i)
        if (internal->streams[i]) // commands that failed half-way may still run in the memory that is freed next
            device->ops->synchronize(device, internal->streams[i], NULL);
    frame_events_close(frame);
    for (struct frame_block *block = internal->blocks, *next; block; block = next) {
        next = block->next;
        if (block->place == FRAME_DEVICE)
            device->ops->release(device, block->memory);
        else if (block->place == FRAME_HOST_LOCKED)
            device->ops->release_host(device, block->memory);
        else
            free(block->memory);
        free(block);
    }
    frame_streams_close(frame);
    free(internal->rows.launches);
    free(internal->rows.counts);
    free(internal->rows.lockstep);
    free(internal->bins);
    *internal = (struct frame_internal){0};
}

void frame_begin(struct frame *frame, const struct frame_hooks *hooks, bool keep_launches, uint32_t repetition)
{
    struct frame_internal *internal = frame->internal;
    internal->hooks = hooks;
    internal->keep_launches = keep_launches;
    internal->repetition = repetition;
    internal->launch_index = 0;
    internal->event_count = 0;
    internal->bin_count = 0;
    internal->noted = (struct bounce_counts){.scene_triangles = frame->args.scene.triangle_count};
    internal->totals = (struct measured_repetition){.sm_mhz = NAN};
    internal->over = false;
}
