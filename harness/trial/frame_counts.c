// SPDX-License-Identifier: MIT
// Counting: what instrumented kernels count, read and summed after each launch.
#include "trial/frame_internal.h"

#include <string.h>

static size_t counts_bytes(const struct frame *frame)
{
    return (size_t)COUNT_STRIPES * frame->args.count_rows * sizeof(struct bounce_counts);
}

bool frame_counts_open(struct frame *frame, struct error *error)
{
    struct frame_internal *internal = frame->internal;
    internal->counts_device = frame_memory(frame, counts_bytes(frame), error);
    if (internal->counts_device)
        internal->counts_host = frame_state(frame, counts_bytes(frame), error);
    if (internal->counts_host)
        internal->lockstep = frame_state(
            frame, FRAME_LOCKSTEP_KINDS * (size_t)(frame->args.count_rows - 1) * sizeof *internal->lockstep, error);
    return internal->lockstep != NULL;
}

static void *next_counts_row(struct frame_rows *rows, struct error *error)
{
    void *counts = rows->counts;
    const bool grown = frame_grow(&counts, rows->count_count, &rows->count_room, sizeof *rows->counts, error);
    rows->counts = counts;
    return grown ? &rows->counts[rows->count_count++] : NULL;
}

static void *next_lockstep_row(struct frame_rows *rows, struct error *error)
{
    void *lockstep = rows->lockstep;
    const bool grown = frame_grow(&lockstep, rows->lockstep_count, &rows->lockstep_room, sizeof *rows->lockstep, error);
    rows->lockstep = lockstep;
    return grown ? &rows->lockstep[rows->lockstep_count++] : NULL;
}

static void add_counts(struct bounce_counts *to, const struct bounce_counts *from)
{
    // A struct of nothing but uint64_t: adding it word by word cannot forget a field.
    _Static_assert(sizeof *to % sizeof(uint64_t) == 0, "bounce_counts holds 64-bit words only");
    uint64_t sum[sizeof *to / sizeof(uint64_t)], more[sizeof *to / sizeof(uint64_t)];
    memcpy(sum, to, sizeof sum);
    memcpy(more, from, sizeof more);
    for (size_t i = 0; i < sizeof sum / sizeof *sum; ++i)
        sum[i] += more[i];
    memcpy(to, sum, sizeof sum);
}

static bool is_zero(const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < size; ++i)
        if (byte[i])
            return false;
    return true;
}

static bool read_counts(struct frame *frame, uint32_t launch, struct error *error)
{
    struct frame_internal *internal = frame->internal;
    struct device *device = internal->device;
    const uint32_t rows = frame->args.count_rows;
    if (!device->ops->download(device, internal->stream, internal->counts_host, internal->counts_device,
                               counts_bytes(frame), error) ||
        !device->ops->synchronize(device, internal->stream, error))
        return false;
    for (uint32_t bin = 0; bin < rows; ++bin) {
        struct bounce_counts sum = internal->counts_host[bin];
        for (uint32_t stripe = 1; stripe < COUNT_STRIPES; ++stripe)
            add_counts(&sum, &internal->counts_host[stripe * rows + bin]);
        if (is_zero(&sum, sizeof sum))
            continue;
        internal->path_hash += sum.path_hash;
        struct measured_counts *row = next_counts_row(&internal->rows, error);
        if (!row)
            return false;
        *row = (struct measured_counts){launch, bin + 1 == rows ? MEASURED_TOTALS : count_bin_first(bin), sum};
    }
    return true;
}

static bool read_lockstep(struct frame *frame, uint32_t launch, struct error *error)
{
    struct frame_internal *internal = frame->internal;
    const uint32_t bounces = frame->args.count_rows - 1;
    memset(internal->lockstep, 0, FRAME_LOCKSTEP_KINDS * bounces * sizeof *internal->lockstep);
    if (!internal->device->ops->take_lockstep ||
        !internal->device->ops->take_lockstep(internal->device, internal->lockstep, FRAME_LOCKSTEP_KINDS, bounces))
        return true;
    for (uint32_t i = 0; i < FRAME_LOCKSTEP_KINDS * bounces; ++i) {
        if (is_zero(&internal->lockstep[i], sizeof internal->lockstep[i]))
            continue;
        struct measured_lockstep *row = next_lockstep_row(&internal->rows, error);
        if (!row)
            return false;
        *row = (struct measured_lockstep){launch, i / bounces, count_bin_first(i % bounces), internal->lockstep[i]};
    }
    return true;
}

static bool clear_counts(struct frame *frame, const struct frame_launch *launch, uint32_t index, struct error *error)
{
    (void)index;
    struct frame_internal *internal = frame->internal;
    return launch->auxiliary || internal->device->ops->fill(internal->device, internal->stream, internal->counts_device,
                                                            0, counts_bytes(frame), error);
}

static bool take_counts(struct frame *frame, const struct frame_launch *launch, uint32_t index, struct error *error)
{
    return launch->auxiliary || (read_counts(frame, index, error) && read_lockstep(frame, index, error));
}

const struct frame_hooks frame_count_hooks = {.before = clear_counts, .after = take_counts};
