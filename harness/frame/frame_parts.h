// SPDX-License-Identifier: MIT
// What the files of a frame (frame_*.c) share: nobody else needs it.
#pragma once

#include "frame/frame_internal.h"

// frame_launch.c
// Makes room for one more row in a growing array.
bool frame_grow(void **rows, size_t count, size_t *room, size_t size, struct error *error);

// frame_counts.c
bool frame_counts_open(struct frame *frame, struct error *error);

// frame_streams.c
void frame_streams_close(struct frame *frame);

// frame_events.c
void frame_events_close(struct frame *frame);
