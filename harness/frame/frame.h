// SPDX-License-Identifier: MIT
// A frame while it is rendered: the context of a variant's schedule, and the calls through which it reaches the device.
// Through these thin calls the harness counts, times and profiles every launch, transparently for the variant.
#pragma once

#include "base/error.h"
#include "device/device.h"
#include "geometry/types.h"
#include "lib/frame.h"
#include "frame/parameters.h"

struct frame {
    const struct parameters *parameters;
    const struct device_properties *properties;
    // Arguments common to all kernels, filled by the harness. Copy them to the beginning of a kernel's argument struct.
    struct frame_args args;
    uint32_t pixels; // width * height
    void *state;     // the variant's, allocated with frame_state in prepare
    struct frame_internal *internal;
};

// All memory is freed by the harness with the frame. If there is none left, these return NULL and set the error.
// Zeroed host memory: assign it to frame->state.
void *frame_state(struct frame *frame, size_t bytes, struct error *error);
// Device memory.
void *frame_memory(struct frame *frame, size_t bytes, struct error *error);
// Host memory for fast copies from the device (page-locked).
void *frame_host_memory(struct frame *frame, size_t bytes, struct error *error);

struct frame_launch {
    const char *kernel;   // entry point
    uint32_t grid, block; // blocks, lanes per block
    size_t shared_bytes;  // dynamic shared memory that the kernel uses; parameters->shared_pad is added to it
    void *args;           // begins with struct frame_args; the harness sets args.counts before the launch
    size_t args_size;
    const char *stage; // of a pipeline: "trace", "shade", ...; NULL if the launch performs whole extensions
    int32_t iteration; // of the host loop, from 0: the round of a pipeline
    int32_t bounce;    // if all paths of the launch are at the same one, else -1
    bool auxiliary;    // processes no paths: compaction, clearing, sorting
    bool cooperative;  // all blocks are resident at once, so that they may wait for one another: see device.h
};
// A launch with an empty grid is neither executed nor recorded.
bool frame_launch(struct frame *frame, const struct frame_launch *launch, struct error *error);

// Number of multiprocessors that the trial assumes: the parameter `multiprocessors`, or else all of the device.
uint32_t frame_multiprocessors(const struct frame *frame);
// Grid of a cooperative launch, whose `grid` is ignored: multiprocessors times resident_blocks, where auto means as many
// blocks as the device can hold. frame_launch fails if more blocks are requested than fit.
bool frame_resident_grid(struct frame *frame, const struct frame_launch *launch, uint32_t *grid, struct error *error);

// Streams of a frame. Launches go to the current stream, 0 at the beginning of a frame; launches in different streams may
// overlap. When a stream is selected for the first time in a frame, its commands wait for everything enqueued in stream
// 0 so far. In all collections but `frame`, and on devices that run commands one by one, all launches go to stream 0, so
// that times and counts belong to single launches.
enum { FRAME_STREAMS = 33 };
bool frame_stream(struct frame *frame, uint32_t stream, struct error *error);
// Selects stream `to`; its later commands wait for everything enqueued in `from` so far.
bool frame_follow(struct frame *frame, uint32_t from, uint32_t to, struct error *error);
// Selects stream 0; its later commands wait for everything enqueued in the others. The harness calls it after render.
bool frame_join(struct frame *frame, struct error *error);

// Device primitives, recorded like launches with the names "select", "sort" and "fill".
bool frame_select_flagged(struct frame *frame, const uint32_t *in, const uint8_t *flags, uint32_t *out, uint32_t *count,
                          uint32_t n, int32_t iteration, struct error *error);
// Stable, by ascending key, bits [0, key_bits).
bool frame_sort(struct frame *frame, const uint32_t *keys_in, uint32_t *keys_out, const uint32_t *values_in,
                uint32_t *values_out, uint32_t n, uint32_t key_bits, int32_t iteration, struct error *error);
bool frame_fill(struct frame *frame, void *to, uint8_t value, size_t bytes, struct error *error); // in prepare
bool frame_clear(struct frame *frame, void *to, uint8_t value, size_t bytes, int32_t iteration, struct error *error);

// Waits for the stream and reads `count` words. Counted as a read-back.
bool frame_read(struct frame *frame, const uint32_t *from, uint32_t *words, uint32_t count, struct error *error);
// Enqueues a copy to frame_host_memory in the current stream, without waiting.
bool frame_download(struct frame *frame, void *to, const void *from, size_t bytes, struct error *error);
// Waits for the current stream. Counted as a read-back.
bool frame_wait(struct frame *frame, struct error *error);
// Adds counts known to the host (paths begun, samples queued) to the totals of the next launch; in `counts` only.
void frame_note(struct frame *frame, const struct bounce_counts *more);
