// SPDX-License-Identifier: MIT
// A frame in the making: what a variant's schedule is given, and the calls through which it reaches the device. They
// are thin, but through them the harness counts, times and profiles every launch without the variant knowing.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "device/device.h"
#include "geometry/types.h"
#include "lib/frame.h"
#include "frame/parameters.h"

struct frame {
    const struct parameters *parameters;
    const struct device_properties *properties;
    // Arguments common to all kernels, filled by the harness. A kernel's argument struct begins with one; copy this
    // into it.
    struct frame_args args;
    uint32_t pixels; // width * height
    uint32_t pass;   // which of the spp passes is being rendered; args.sample equals it; 0 where all are made at once
    void *state;     // the variant's own, allocated with frame_state in prepare
    struct frame_internal *internal;
};

// Zeroed host memory, freed by the harness: assign it to frame->state. NULL and an error without memory.
void *frame_state(struct frame *frame, size_t bytes, struct error *error);
// Device memory that lives as long as the frame; freed by the harness.
void *frame_memory(struct frame *frame, size_t bytes, struct error *error);

// Host memory that the device copies to fast, freed by the harness. NULL and an error without memory.
void *frame_host_memory(struct frame *frame, size_t bytes, struct error *error);

struct frame_launch {
    const char *kernel;   // entry point
    uint32_t grid, block; // blocks, lanes a block
    size_t shared_bytes;  // dynamic shared memory that the kernel uses; parameters->shared_pad is added to it
    void *args;           // begins with struct frame_args; the harness writes args.counts before it launches
    size_t args_size;
    const char *stage; // of a pipeline: "trace", "shade", ...; NULL where a launch extends paths as a whole
    int32_t iteration; // of the host loop, from 0: the round of a pipeline
    int32_t bounce;    // where all paths of the launch share one, else -1
    bool auxiliary;    // processes no paths: compaction, clearing, sorting
    bool cooperative;  // all blocks are resident at once, so that they may wait for one another: see device.h
};
// A grid of no blocks is not launched, nor recorded.
bool frame_launch(struct frame *frame, const struct frame_launch *launch, struct error *error);

// Multiprocessors that the trial counts on: its parameter, or else all of the device.
uint32_t frame_multiprocessors(const struct frame *frame);
// The grid of a cooperative launch, whose own `grid` is not read: multiprocessors times resident_blocks, where auto is
// as many blocks as the device holds. A launch of more than fit is refused when it is made.
bool frame_resident_grid(struct frame *frame, const struct frame_launch *launch, uint32_t *grid, struct error *error);

// Streams of a frame. What is launched goes to the stream chosen last, which is 0 when a frame begins; launches of
// different streams may run at the same time. A stream that is chosen for the first time in a frame begins after what
// stream 0 holds then. Where something is done around each launch (all collections but `frame`), and on a device that
// runs one command after another, all goes to stream 0, so that a launch's time and counts are its own.
enum { FRAME_STREAMS = 33 };
bool frame_stream(struct frame *frame, uint32_t stream, struct error *error);
// Chooses stream `to`; what follows there begins after what `from` holds now.
bool frame_follow(struct frame *frame, uint32_t from, uint32_t to, struct error *error);
// Chooses stream 0 again; what follows there begins after all that the others hold. The harness does so after render.
bool frame_join(struct frame *frame, struct error *error);

// Device primitives, recorded like launches with the names "select", "sort" and "fill".
bool frame_select_flagged(struct frame *frame, const uint32_t *in, const uint8_t *flags, uint32_t *out, uint32_t *count,
                          uint32_t n, int32_t iteration, struct error *error);
// Stable, by ascending key, bits [0, key_bits).
bool frame_sort(struct frame *frame, const uint32_t *keys_in, uint32_t *keys_out, const uint32_t *values_in,
                uint32_t *values_out, uint32_t n, uint32_t key_bits, int32_t iteration, struct error *error);
bool frame_fill(struct frame *frame, void *to, uint8_t value, size_t bytes, struct error *error); // in prepare
bool frame_clear(struct frame *frame, void *to, uint8_t value, size_t bytes, int32_t iteration, struct error *error);

// Waits for the stream and reads words: a synchronising read-back, counted as such.
bool frame_read(struct frame *frame, const uint32_t *from, uint32_t *words, uint32_t count, struct error *error);
// Copies to frame_host_memory behind what the stream chosen last holds, and waits for nothing.
bool frame_download(struct frame *frame, void *to, const void *from, size_t bytes, struct error *error);
// Waits for all that this stream holds, counted as a read-back.
bool frame_wait(struct frame *frame, struct error *error);
// Adds what the host knows (paths begun, samples queued) to the totals of the next launch; counts collection only.
void frame_note(struct frame *frame, const struct bounce_counts *more);
