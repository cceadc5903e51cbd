// SPDX-License-Identifier: MIT
// Timing: a pair of events around each launch.
#include "frame/frame_parts.h"

#include <stdlib.h>

// Events are made as frames ask for them and used again in every repetition.
static bool next_event(struct frame_internal *internal, struct device_event **event, struct error *error)
{
    if (internal->event_count == internal->event_room) {
        void *events = internal->events;
        size_t room = internal->event_room;
        if (!frame_grow(&events, internal->event_count, &room, sizeof *internal->events, error))
            return false;
        internal->events = events;
        while (internal->event_room < room) {
            struct device_event *made = internal->device->ops->create_event(internal->device, error);
            if (!made)
                return false;
            internal->events[internal->event_room++] = made;
        }
    }
    *event = internal->events[internal->event_count++];
    return true;
}

static bool record_event(struct frame *frame, const struct frame_launch *launch, uint32_t index, struct error *error)
{
    struct frame_internal *internal = frame->internal;
    struct device_event *event;
    (void)launch, (void)index;
    return next_event(internal, &event, error) &&
           internal->device->ops->record(internal->device, internal->stream, event, error);
}

const struct frame_hooks frame_event_hooks = {.before = record_event, .after = record_event};

bool frame_events_read(struct frame *frame, double *launch_seconds, struct error *error)
{
    struct frame_internal *internal = frame->internal;
    struct device *device = internal->device;
    struct measured_launch *rows = internal->rows.launches + (internal->rows.launch_count - internal->launch_index);
    *launch_seconds = 0;
    for (uint32_t i = 0; i < internal->launch_index; ++i) {
        struct device_event **pair = &internal->events[2 * i];
        if (!device->ops->elapsed(device, pair[0], pair[1], &rows[i].seconds, error))
            return false;
        *launch_seconds += rows[i].seconds;
    }
    return true;
}

void frame_events_close(struct frame *frame)
{
    struct frame_internal *internal = frame->internal;
    for (size_t i = 0; i < internal->event_room; ++i)
        internal->device->ops->destroy_event(internal->device, internal->events[i]);
    free(internal->events);
}
