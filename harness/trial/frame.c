// SPDX-License-Identifier: MIT
#include "trial/frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trial/frame_internal.h"

// ---- memory
// ------------------------------------------------------------------------------------------------------------

static bool keep(struct frame_internal *internal, void *memory, bool on_device, struct error *error)
{
    struct frame_block *block = malloc(sizeof *block);
    if (!block)
        return error_set(error, ERROR_SYSTEM, "no memory left");
    *block = (struct frame_block){internal->blocks, memory, on_device};
    internal->blocks = block;
    return true;
}

void *frame_state(struct frame *frame, size_t bytes, struct error *error)
{
    void *memory = calloc(1, bytes ? bytes : 1);
    if (!memory) {
        error_set(error, ERROR_SYSTEM, "no memory left for %zu bytes of a variant's state", bytes);
        return NULL;
    }
    if (keep(frame->internal, memory, false, error))
        return memory;
    free(memory);
    return NULL;
}

void *frame_memory(struct frame *frame, size_t bytes, struct error *error)
{
    struct device *device = frame->internal->device;
    void *memory = device->ops->alloc(device, bytes ? bytes : 1, error);
    if (!memory)
        return NULL;
    if (keep(frame->internal, memory, true, error))
        return memory;
    device->ops->release(device, memory);
    return NULL;
}

// Makes room for one more row in a growing array.
static bool grow(void **rows, size_t count, size_t *room, size_t size, struct error *error)
{
    if (count < *room)
        return true;
    const size_t wanted = *room ? *room * 2 : 64;
    void *larger = realloc(*rows, wanted * size);
    if (!larger)
        return error_set(error, ERROR_SYSTEM, "no memory left for the rows of a measurement");
    *rows = larger;
    *room = wanted;
    return true;
}

static void *next_launch_row(struct frame_rows *rows, struct error *error)
{
    void *launches = rows->launches;
    const bool grown = grow(&launches, rows->launch_count, &rows->launch_room, sizeof *rows->launches, error);
    rows->launches = launches;
    return grown ? &rows->launches[rows->launch_count++] : NULL;
}

static void *next_counts_row(struct frame_rows *rows, struct error *error)
{
    void *counts = rows->counts;
    const bool grown = grow(&counts, rows->count_count, &rows->count_room, sizeof *rows->counts, error);
    rows->counts = counts;
    return grown ? &rows->counts[rows->count_count++] : NULL;
}

static void *next_lockstep_row(struct frame_rows *rows, struct error *error)
{
    void *lockstep = rows->lockstep;
    const bool grown = grow(&lockstep, rows->lockstep_count, &rows->lockstep_room, sizeof *rows->lockstep, error);
    rows->lockstep = lockstep;
    return grown ? &rows->lockstep[rows->lockstep_count++] : NULL;
}

// ---- what the harness does around a frame
// ------------------------------------------------------------------------------

bool frame_open(struct frame *frame, struct error *error)
{
    struct frame_internal *internal = frame->internal;
    struct device *device = internal->device;
    internal->stream = device->ops->create_stream(device, error);
    if (!internal->stream)
        return false;
    if (internal->collection != COLLECTION_COUNTS)
        return true;
    const size_t bytes = (size_t)COUNT_STRIPES * frame->args.count_rows * sizeof(struct bounce_counts);
    internal->counts_device = frame_memory(frame, bytes, error);
    if (internal->counts_device)
        internal->counts_host = frame_state(frame, bytes, error);
    if (internal->counts_host)
        internal->lockstep = frame_state(
            frame, FRAME_LOCKSTEP_KINDS * (size_t)(frame->args.max_bounces + 1) * sizeof *internal->lockstep, error);
    return internal->lockstep != NULL;
}

static void free_events(struct frame_internal *internal)
{
    struct device *device = internal->device;
    for (size_t i = 0; i < internal->event_room; ++i)
        device->ops->destroy_event(device, internal->events[i]);
    free(internal->events);
}

void frame_close(struct frame *frame)
{
    struct frame_internal *internal = frame->internal;
    struct device *device = internal->device;
    if (internal->stream) // commands that failed half-way may still run in the memory that is freed next
        device->ops->synchronize(device, internal->stream, NULL);
    free_events(internal);
    for (struct frame_block *block = internal->blocks, *next; block; block = next) {
        next = block->next;
        if (block->on_device)
            device->ops->release(device, block->memory);
        else
            free(block->memory);
        free(block);
    }
    if (internal->stream)
        device->ops->destroy_stream(device, internal->stream);
    free(internal->rows.launches);
    free(internal->rows.counts);
    free(internal->rows.lockstep);
    *internal = (struct frame_internal){0};
}

void frame_begin(struct frame *frame, bool recording, uint32_t repetition)
{
    struct frame_internal *internal = frame->internal;
    internal->recording = recording;
    internal->repetition = repetition;
    internal->launch_index = 0;
    internal->event_count = 0;
    internal->totals = (struct measured_repetition){0};
}

bool frame_end(struct frame *frame, double *launch_seconds, struct error *error)
{
    struct frame_internal *internal = frame->internal;
    struct device *device = internal->device;
    *launch_seconds = NAN;
    if (!internal->recording || internal->collection != COLLECTION_LAUNCHES)
        return true;
    *launch_seconds = 0;
    struct measured_launch *rows = internal->rows.launches + (internal->rows.launch_count - internal->launch_index);
    for (uint32_t i = 0; i < internal->launch_index; ++i) {
        struct device_event **pair = &internal->events[2 * i];
        if (!device->ops->elapsed(device, pair[0], pair[1], &rows[i].seconds, error))
            return false;
        *launch_seconds += rows[i].seconds;
    }
    return true;
}

// ---- counting
// ----------------------------------------------------------------------------------------------------------

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
                               (size_t)COUNT_STRIPES * rows * sizeof *internal->counts_host, error) ||
        !device->ops->synchronize(device, internal->stream, error))
        return false;
    for (uint32_t bounce = 0; bounce < rows; ++bounce) {
        struct bounce_counts sum = internal->counts_host[bounce];
        for (uint32_t stripe = 1; stripe < COUNT_STRIPES; ++stripe)
            add_counts(&sum, &internal->counts_host[stripe * rows + bounce]);
        if (is_zero(&sum, sizeof sum))
            continue;
        internal->path_hash += sum.path_hash;
        struct measured_counts *row = next_counts_row(&internal->rows, error);
        if (!row)
            return false;
        *row = (struct measured_counts){launch, bounce, sum};
    }
    return true;
}

static bool read_lockstep(struct frame *frame, uint32_t launch, struct error *error)
{
    struct frame_internal *internal = frame->internal;
    const uint32_t bounces = frame->args.max_bounces + 1;
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
        *row = (struct measured_lockstep){launch, i / bounces, i % bounces, internal->lockstep[i]};
    }
    return true;
}

static bool clear_counts(struct frame *frame, struct error *error)
{
    struct frame_internal *internal = frame->internal;
    return internal->device->ops->fill(internal->device, internal->stream, internal->counts_device, 0,
                                       (size_t)COUNT_STRIPES * frame->args.count_rows * sizeof(struct bounce_counts),
                                       error);
}

// ---- launches
// ----------------------------------------------------------------------------------------------------------

static const struct device_kernel *find_kernel(struct frame_internal *internal, const char *name, struct error *error)
{
    for (size_t i = 0; i < internal->kernel_count; ++i)
        if (!strcmp(internal->kernels[i].name, name))
            return internal->kernels[i].kernel;
    const struct device_kernel *kernel = internal->device->ops->kernel(internal->program, name, error);
    if (kernel && internal->kernel_count < FRAME_KERNELS && strlen(name) < sizeof internal->kernels->name) {
        struct frame_kernel *slot = &internal->kernels[internal->kernel_count++];
        strcpy(slot->name, name);
        slot->kernel = kernel;
    }
    return kernel;
}

// Events are made as frames ask for them and used again in every repetition.
static bool next_event(struct frame_internal *internal, struct device_event **event, struct error *error)
{
    if (internal->event_count == internal->event_room) {
        void *events = internal->events;
        size_t room = internal->event_room;
        if (!grow(&events, internal->event_count, &room, sizeof *internal->events, error))
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

static bool record_event(struct frame_internal *internal, struct error *error)
{
    if (!internal->recording || internal->collection != COLLECTION_LAUNCHES)
        return true;
    struct device_event *event;
    return next_event(internal, &event, error) &&
           internal->device->ops->record(internal->device, internal->stream, event, error);
}

// Adds the launch to the totals and, where launches are kept, its row.
static bool note_launch(struct frame_internal *internal, const struct frame_launch *launch, size_t shared_bytes,
                        struct error *error)
{
    if (!internal->recording)
        return true;
    *(launch->auxiliary ? &internal->totals.launches_aux : &internal->totals.launches_path) += 1;
    const uint32_t index = internal->launch_index++;
    if (internal->collection != COLLECTION_COUNTS && internal->collection != COLLECTION_LAUNCHES)
        return true;
    struct measured_launch *row = next_launch_row(&internal->rows, error);
    if (!row)
        return false;
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
    return true;
}

static bool enqueue(struct frame_internal *internal, const struct frame_launch *launch, size_t shared_bytes,
                    struct error *error)
{
    const struct device_kernel *kernel = find_kernel(internal, launch->kernel, error);
    if (!kernel)
        return false;
    const struct device_launch command = {.kernel = kernel,
                                          .grid = launch->grid,
                                          .block = launch->block,
                                          .shared_bytes = shared_bytes,
                                          .args = launch->args,
                                          .args_size = launch->args_size};
    return record_event(internal, error) &&
           internal->device->ops->launch(internal->device, internal->stream, &command, error) &&
           record_event(internal, error);
}

bool frame_launch(struct frame *frame, const struct frame_launch *launch, struct error *error)
{
    struct frame_internal *internal = frame->internal;
    const bool counting = internal->collection == COLLECTION_COUNTS && internal->recording && !launch->auxiliary;
    const size_t shared_bytes = launch->shared_bytes + internal->shared_pad;
    ((struct frame_args *)launch->args)->counts = internal->counts_device;
    const uint32_t index = internal->launch_index;
    if (counting && !clear_counts(frame, error))
        return false;
    if (!note_launch(internal, launch, shared_bytes, error) || !enqueue(internal, launch, shared_bytes, error))
        return false;
    return !counting || (read_counts(frame, index, error) && read_lockstep(frame, index, error));
}

bool frame_select_flagged(struct frame *frame, const uint32_t *in, const uint8_t *flags, uint32_t *out, uint32_t *count,
                          uint32_t n, int32_t iteration, struct error *error)
{
    struct frame_internal *internal = frame->internal;
    const struct frame_launch launch = {.kernel = "select", .iteration = iteration, .bounce = -1, .auxiliary = true};
    return note_launch(internal, &launch, 0, error) && record_event(internal, error) &&
           internal->device->ops->select_flagged(internal->device, internal->stream, in, flags, out, count, n, error) &&
           record_event(internal, error);
}

bool frame_fill(struct frame *frame, void *to, uint8_t value, size_t bytes, struct error *error)
{
    struct frame_internal *internal = frame->internal;
    return internal->device->ops->fill(internal->device, internal->stream, to, value, bytes, error);
}

bool frame_read(struct frame *frame, const uint32_t *from, uint32_t *value, struct error *error)
{
    struct frame_internal *internal = frame->internal;
    internal->totals.readbacks += 1;
    return internal->device->ops->download(internal->device, internal->stream, value, from, sizeof *value, error) &&
           internal->device->ops->synchronize(internal->device, internal->stream, error);
}
