// SPDX-License-Identifier: MIT
// The harness's side of a frame: what frame_* calls record. Only execute.c and frame.c see it.
#pragma once

#include "trial/frame.h"
#include "trial/measurement.h"

struct frame_block { // one allocation, host or device
    struct frame_block *next;
    void *memory;
    bool on_device;
};

struct frame_kernel { // a kernel looked up once
    char name[48];
    const struct device_kernel *kernel;
};

enum { FRAME_KERNELS = 32 };

// Growing arrays of rows, handed to the measurement at the end.
struct frame_rows {
    struct measured_launch *launches;
    struct measured_counts *counts;
    struct measured_lockstep *lockstep;
    size_t launch_count, launch_room, count_count, count_room, lockstep_count, lockstep_room;
};

struct frame_internal {
    struct device *device;
    struct device_stream *stream;
    struct device_program *program;
    enum collection collection;
    size_t shared_pad;
    struct frame_block *blocks;
    struct frame_kernel kernels[FRAME_KERNELS];
    size_t kernel_count;

    bool recording; // false while preparing and warming up
    uint32_t repetition, launch_index;
    struct measured_repetition totals; // launches and read-backs of the repetition under way
    struct frame_rows rows;

    struct bounce_counts *counts_device, *counts_host; // COUNT_STRIPES * count_rows, in COUNTS
    struct device_lockstep *lockstep;                  // FRAME_LOCKSTEP_KINDS * (max_bounces + 1), in COUNTS
    uint64_t path_hash;

    struct device_event **events; // two a launch, in LAUNCHES; kept over the repetitions
    size_t event_count, event_room;
};

enum { FRAME_LOCKSTEP_KINDS = 2 };

bool frame_open(struct frame *frame, struct error *error); // makes stream, tables and events that the collection needs
void frame_close(struct frame *frame);                     // frees everything that the frame owns
void frame_begin(struct frame *frame, bool recording, uint32_t repetition);
// After the stream is idle: reads the launches' event pairs (LAUNCHES). Writes the sum of their seconds, NaN elsewhere.
bool frame_end(struct frame *frame, double *launch_seconds, struct error *error);
