// SPDX-License-Identifier: MIT
// The calls of frame.h: memory, launches, primitives, read-backs.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "frame/frame_parts.h"

// ---- memory

// Released with the frame. Returns the memory, which may be NULL.
static void *keep_memory(struct frame_internal *internal, void *memory, enum frame_place place)
{
    if (memory) {
        struct frame_block *block = memory_new(1, sizeof *block);
        *block = (struct frame_block){internal->blocks, memory, place};
        internal->blocks = block;
    }
    return memory;
}

void *frame_state(struct frame *frame, size_t bytes, struct error *error)
{
    void *memory = memory_try(bytes, 1, error, "for %zu bytes of a variant's state", bytes);
    return keep_memory(frame->internal, memory, FRAME_HOST);
}

void *frame_memory(struct frame *frame, size_t bytes, struct error *error)
{
    struct device *device = frame->internal->device;
    return keep_memory(frame->internal, device->ops->alloc(device, bytes ? bytes : 1, error), FRAME_DEVICE);
}

void *frame_host_memory(struct frame *frame, size_t bytes, struct error *error)
{
    struct device *device = frame->internal->device;
    if (!device->ops->alloc_host)
        return frame_state(frame, bytes, error);
    return keep_memory(frame->internal, device->ops->alloc_host(device, bytes ? bytes : 1, error), FRAME_HOST_LOCKED);
}

bool frame_grow(void **rows, size_t count, size_t *room, size_t size, struct error *error)
{
    if (count < *room)
        return true;
    const size_t wanted = *room ? *room * 2 : 64;
    if (!memory_resize(rows, wanted, size, error, "for the rows of a measurement"))
        return false;
    *room = wanted;
    return true;
}

// ---- launches

static struct frame_kernel *find_kernel(struct frame_internal *internal, const char *name, struct error *error)
{
    for (size_t i = 0; i < internal->kernel_count; ++i)
        if (!strcmp(internal->kernels[i].name, name))
            return &internal->kernels[i];
    struct frame_kernel *slot = &internal->kernels[internal->kernel_count];
    if (internal->kernel_count == FRAME_KERNELS || strlen(name) >= sizeof slot->name) {
        error_set(error, ERROR_FAILED, "kernel %s is one too many, or its name is too long", name);
        return NULL;
    }
    slot->kernel = internal->device->ops->kernel(internal->program, name, error);
    if (!slot->kernel)
        return NULL;
    strcpy(slot->name, name);
    internal->kernel_count += 1;
    return slot;
}

static bool keep_launch(struct frame_internal *internal, const struct frame_launch *launch, uint32_t index,
                        size_t shared_bytes, struct error *error)
{
    struct frame_rows *rows = &internal->rows;
    void *launches = rows->launches;
    const bool grown = frame_grow(&launches, rows->launch_count, &rows->launch_room, sizeof *rows->launches, error);
    rows->launches = launches;
    if (!grown)
        return false;
    struct measured_launch *row = &rows->launches[rows->launch_count++];
    *row = (struct measured_launch){.repetition = internal->repetition,
                                    .index = index,
                                    .iteration = launch->iteration,
                                    .bounce = launch->bounce,
                                    .auxiliary = launch->auxiliary,
                                    .grid = launch->grid,
                                    .block = launch->block,
                                    .shared_bytes = shared_bytes,
                                    .seconds = NAN};
    strncpy(row->kernel, launch->kernel, sizeof row->kernel - 1);
    strncpy(row->stage, launch->stage ? launch->stage : "", sizeof row->stage - 1);
    return true;
}

// Adds the launch to the totals, keeps its row where rows are kept, and does what comes before it.
static bool begin_launch(struct frame *frame, const struct frame_launch *launch, size_t shared_bytes, uint32_t *index,
                         struct error *error)
{
    struct frame_internal *internal = frame->internal;
    const struct frame_hooks *hooks = internal->hooks;
    *(launch->auxiliary ? &internal->totals.launches_aux : &internal->totals.launches_path) += 1;
    *index = internal->launch_index++;
    if (internal->keep_launches && !keep_launch(internal, launch, *index, shared_bytes, error))
        return false;
    return !hooks || !hooks->before || hooks->before(frame, launch, *index, error);
}

static bool end_launch(struct frame *frame, const struct frame_launch *launch, uint32_t index, struct error *error)
{
    const struct frame_hooks *hooks = frame->internal->hooks;
    return !hooks || !hooks->after || hooks->after(frame, launch, index, error);
}

uint32_t frame_multiprocessors(const struct frame *frame)
{
    const int64_t wanted = frame->parameters->multiprocessors;
    return wanted == PARAMETER_AUTO ? frame->properties->multiprocessors : (uint32_t)wanted;
}

bool frame_resident_grid(struct frame *frame, const struct frame_launch *launch, uint32_t *grid, struct error *error)
{
    struct frame_internal *internal = frame->internal;
    const struct device_ops *ops = internal->device->ops;
    const struct frame_kernel *kernel = find_kernel(internal, launch->kernel, error);
    uint32_t blocks = 1;
    if (!kernel)
        return false;
    const struct device_launch command = {.kernel = kernel->kernel,
                                          .block = launch->block,
                                          .shared_bytes = launch->shared_bytes + internal->shared_pad,
                                          .args = launch->args,
                                          .args_size = launch->args_size,
                                          .cooperative = true,
                                          .carveout = internal->carveout};
    if (frame->parameters->resident_blocks != PARAMETER_AUTO)
        blocks = (uint32_t)frame->parameters->resident_blocks;
    else if (ops->resident_blocks && !ops->resident_blocks(internal->device, &command, &blocks, error))
        return false;
    *grid = blocks * frame_multiprocessors(frame);
    return *grid > 0 || error_set(error, ERROR_UNSUPPORTED, "kernel %s: no block of %u lanes fits a multiprocessor",
                                  launch->kernel, launch->block);
}

bool frame_launch(struct frame *frame, const struct frame_launch *launch, struct error *error)
{
    struct frame_internal *internal = frame->internal;
    if (launch->grid == 0)
        return true;
    if (launch->grid > INT32_MAX)
        return error_set(error, ERROR_UNSUPPORTED,
                         "%s: %u blocks are more than a launch may have, 2^31 - 1: ask for a larger block",
                         launch->kernel, launch->grid);
    const size_t shared_bytes = launch->shared_bytes + internal->shared_pad;
    struct frame_kernel *kernel = find_kernel(internal, launch->kernel, error);
    uint32_t index;
    if (!kernel)
        return false;
    kernel->block = launch->block;
    kernel->shared_bytes = shared_bytes;
    kernel->auxiliary = launch->auxiliary;
    ((struct frame_args *)launch->args)->counts = internal->counts_device;
    const struct device_launch command = {.kernel = kernel->kernel,
                                          .grid = launch->grid,
                                          .block = launch->block,
                                          .shared_bytes = shared_bytes,
                                          .args = launch->args,
                                          .args_size = launch->args_size,
                                          .cooperative = launch->cooperative,
                                          .carveout = internal->carveout};
    return begin_launch(frame, launch, shared_bytes, &index, error) &&
           internal->device->ops->launch(internal->device, internal->stream, &command, error) &&
           end_launch(frame, launch, index, error);
}

bool frame_select_flagged(struct frame *frame, const uint32_t *in, const uint8_t *flags, uint32_t *out, uint32_t *count,
                          uint32_t n, int32_t iteration, struct error *error)
{
    struct frame_internal *internal = frame->internal;
    const struct frame_launch launch = {.kernel = "select", .iteration = iteration, .bounce = -1, .auxiliary = true};
    uint32_t index;
    return begin_launch(frame, &launch, 0, &index, error) &&
           internal->device->ops->select_flagged(internal->device, internal->stream, in, flags, out, count, n, error) &&
           end_launch(frame, &launch, index, error);
}

bool frame_sort(struct frame *frame, const uint32_t *keys_in, uint32_t *keys_out, const uint32_t *values_in,
                uint32_t *values_out, uint32_t n, uint32_t key_bits, int32_t iteration, struct error *error)
{
    struct frame_internal *internal = frame->internal;
    const struct frame_launch launch = {.kernel = "sort", .iteration = iteration, .bounce = -1, .auxiliary = true};
    uint32_t index;
    return begin_launch(frame, &launch, 0, &index, error) &&
           internal->device->ops->sort_pairs(internal->device, internal->stream, keys_in, keys_out, values_in,
                                             values_out, n, key_bits, error) &&
           end_launch(frame, &launch, index, error);
}

bool frame_fill(struct frame *frame, void *to, uint8_t value, size_t bytes, struct error *error)
{
    struct frame_internal *internal = frame->internal;
    return internal->device->ops->fill(internal->device, internal->stream, to, value, bytes, error);
}

bool frame_clear(struct frame *frame, void *to, uint8_t value, size_t bytes, int32_t iteration, struct error *error)
{
    const struct frame_launch launch = {.kernel = "fill", .iteration = iteration, .bounce = -1, .auxiliary = true};
    uint32_t index;
    return begin_launch(frame, &launch, 0, &index, error) && frame_fill(frame, to, value, bytes, error) &&
           end_launch(frame, &launch, index, error);
}

// On a device that runs nothing, a schedule that waits for paths to end would wait for ever. Its frame is over after as
// many read-backs as paths of one pixel could make extensions, more than a schedule needs that waits for none.
static bool is_over(const struct frame *frame)
{
    const uint64_t most = ((uint64_t)frame->args.max_bounces + 1) * frame->args.samples;
    return frame->properties->idle && frame->internal->totals.readbacks > most;
}

bool frame_read(struct frame *frame, const uint32_t *from, uint32_t *words, uint32_t count, struct error *error)
{
    struct frame_internal *internal = frame->internal;
    internal->totals.readbacks += 1;
    if (is_over(frame)) {
        internal->over = true;
        return error_set(error, ERROR_FAILED, "no path ends on a device that runs nothing");
    }
    return internal->device->ops->download(internal->device, internal->stream, words, from, count * sizeof *words,
                                           error) &&
           internal->device->ops->synchronize(internal->device, internal->stream, error);
}

bool frame_download(struct frame *frame, void *to, const void *from, size_t bytes, struct error *error)
{
    struct frame_internal *internal = frame->internal;
    return internal->device->ops->download(internal->device, internal->stream, to, from, bytes, error);
}

bool frame_wait(struct frame *frame, struct error *error)
{
    struct frame_internal *internal = frame->internal;
    internal->totals.readbacks += 1;
    return internal->device->ops->synchronize(internal->device, internal->stream, error);
}

void frame_note(struct frame *frame, const struct bounce_counts *more)
{
    count_add(&frame->internal->noted, more);
}
