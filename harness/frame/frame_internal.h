// SPDX-License-Identifier: MIT
// The harness's side of a frame: what frame_* calls record, and how the execution of a trial opens and reads it.
// Variants do not see it.
#pragma once

#include "frame/counts.h"
#include "frame/frame.h"
#include "frame/measurement.h"

enum frame_place { FRAME_HOST, FRAME_HOST_LOCKED, FRAME_DEVICE };

struct frame_block { // one allocation
    struct frame_block *next;
    void *memory;
    enum frame_place place; // locked: by alloc_host of the device
};

struct frame_kernel { // a kernel looked up once
    char name[48];
    const struct device_kernel *kernel;
    uint32_t block; // of its last launch
    size_t shared_bytes;
    bool auxiliary;
};

enum { FRAME_KERNELS = 32 };

// Growing arrays of rows, handed to the measurement at the end.
struct frame_rows {
    struct measured_launch *launches;
    struct measured_counts *counts;
    struct measured_lockstep *lockstep;
    struct device_lockstep entered[DEVICE_ENTRY_LANES]; // closest hits of the frame, by lanes at the traversal's entry
    size_t launch_count, launch_room, count_count, count_room, lockstep_count, lockstep_room;
};

// What is done around every launch and primitive of a frame: counting, timing, profiling. A NULL function does nothing.
struct frame_hooks {
    bool (*before)(struct frame *, const struct frame_launch *, uint32_t index, struct error *);
    bool (*after)(struct frame *, const struct frame_launch *, uint32_t index, struct error *);
};
extern const struct frame_hooks frame_count_hooks; // frame_counts.c: of launches that process paths
extern const struct frame_hooks frame_event_hooks; // frame_events.c

struct frame_internal {
    struct device *device;
    struct device_stream *stream; // the one chosen last
    struct device_program *program;
    enum collection collection;
    size_t shared_pad;
    uint32_t carveout; // percent, 0 = the driver's choice
    struct frame_block *blocks;
    struct frame_kernel kernels[FRAME_KERNELS];
    size_t kernel_count;

    const struct frame_hooks *hooks; // of the frame under way; NULL = none
    void *hook_context;              // theirs
    bool keep_launches;              // a row for each launch
    uint32_t repetition, launch_index;
    struct measured_repetition totals; // launches and read-backs of the frame under way
    bool over;                         // frame_read failed only because an idle device ends no path
    struct frame_rows rows;

    struct bounce_counts *counts_device, *counts_host; // COUNT_STRIPES * count_rows, in COUNTS
    struct device_lockstep *lockstep;                  // FRAME_LOCKSTEP_KINDS * (count_rows - 1), in COUNTS
    uint64_t path_hash;
    struct bounce_counts noted; // by the host, for the next launch's totals
    struct frame_bin *bins;     // of a pipeline's rounds
    size_t bin_count, bin_room;

    struct device_stream *streams[FRAME_STREAMS]; // [0] from the start, others as chosen; `stream` is one
    struct device_event *marks[FRAME_STREAMS];    // where each stands, for others to wait for
    uint64_t forked;                              // bits: chosen in this frame, not joined yet

    struct device_event **events; // two a launch, in LAUNCHES; kept over the repetitions
    size_t event_count, event_room;
};

enum { FRAME_LOCKSTEP_KINDS = 2 };

// frame_open.c
bool frame_open(struct frame *frame, struct error *error); // makes stream and tables that the collection needs
void frame_close(struct frame *frame);                     // frees everything that the frame owns
// Before each frame. `hooks` may be NULL.
void frame_begin(struct frame *frame, const struct frame_hooks *hooks, bool keep_launches, uint32_t repetition);

// frame_events.c: after the stream is idle, reads the launches' event pairs into the rows of this frame. Writes the sum
// of their seconds.
bool frame_events_read(struct frame *frame, double *launch_seconds, struct error *error);
