// SPDX-License-Identifier: MIT
// What an execution leaves: rows, kernels, and the film's hash.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/occupancy.h"
#include "trial/execute.h"
#include "trial/execution.h"

// ---- the film

// A large film (377 MB at 5120x3072) is hashed slice by slice while the next one is on its way, in memory that is kept. A
// slice is of whole pixels.
enum { SLICE = 3 << 20 };

void execution_free_slices(struct executor *executor)
{
    const struct device_ops *ops = executor->device->ops;
    for (int i = 0; i < 2; ++i) {
        if (ops->release_host)
            ops->release_host(executor->device, executor->film_slices[i]);
        else
            free(executor->film_slices[i]);
        executor->film_slices[i] = NULL;
    }
}

static bool make_slices(struct executor *executor, struct error *error)
{
    const struct device_ops *ops = executor->device->ops;
    for (int i = 0; i < 2; ++i) {
        if (executor->film_slices[i])
            continue;
        executor->film_slices[i] =
            ops->alloc_host ? ops->alloc_host(executor->device, SLICE, error) : memory_new(SLICE, 1);
        if (!executor->film_slices[i])
            return false;
    }
    return true;
}

struct slice {
    struct hash_state *state;
    const void *bytes;
    size_t size;
    uint64_t full;  // top bit set: a sum has come near the end of its 64 bits
    double squares; // of the sums of all pixels, in units of radiance
    pthread_t thread;
    bool started;
};

// A path brings less than 2^62 to a channel, but the paths of a pixel may bring more together. A sum of 2^62 and more,
// either way, has two top bits that differ.
static void *add_slice(void *context)
{
    struct slice *slice = context;
    const uint64_t *sums = slice->bytes;
    hash_add(slice->state, slice->bytes, slice->size);
    for (size_t i = 0; i < slice->size / sizeof *sums; ++i) {
        const double sum = (double)(int64_t)sums[i] * 0x1p-32;
        slice->full |= sums[i] ^ sums[i] << 1;
        slice->squares += sum * sum;
    }
    return NULL;
}

static void wait_slice(struct slice *slice)
{
    if (slice->started)
        pthread_join(slice->thread, NULL);
    slice->started = false;
}

// Begins to hash it in a thread of its own; here, where there is none to be had.
static void begin_slice(struct slice *slice, const void *bytes, size_t size)
{
    slice->bytes = bytes;
    slice->size = size;
    slice->started = pthread_create(&slice->thread, NULL, add_slice, slice) == 0;
    if (!slice->started)
        add_slice(slice);
}

bool execution_hash_film(struct execution *run, struct hash *hash, double *squares, struct error *error)
{
    if (!make_slices(run->executor, error))
        return false;
    struct slice slice = {.state = hash_begin()};
    bool done = true;
    for (size_t at = 0, i = 0; done && at < run->film_bytes; at += SLICE, ++i) {
        const size_t size = run->film_bytes - at < SLICE ? run->film_bytes - at : SLICE;
        void *to = run->executor->film_slices[i % 2];
        done = run->device->ops->download(run->device, NULL, to, (const char *)run->film + at, size, error);
        wait_slice(&slice);
        if (done)
            begin_slice(&slice, to, size);
    }
    wait_slice(&slice);
    *hash = hash_end(slice.state);
    if (squares)
        *squares = slice.squares;
    if (!done || !(slice.full >> 63))
        return done;
    error_set(error, ERROR_FAILED, "the paths of a pixel brought more radiance than their sum can hold");
    return error_remedy(error, "fewer paths a pixel, or less emission: no channel of a pixel's sum may reach 2^30");
}

bool execution_same_film(struct execution *run, struct hash first, const char *after, struct error *error)
{
    struct hash now;
    if (!execution_hash_film(run, &now, NULL, error))
        return false;
    if (hash_equal(first, now))
        return true;
    error_set(error, ERROR_FAILED, "the image is another one after %s than without it", after);
    return error_remedy(error, "what was counted is not the frame that is timed; see warpstudy verify");
}

// Each pixel becomes the mean of a square of them.
static void shrink_film(struct measurement *measurement)
{
    const size_t width = measurement->film_width, height = measurement->film_height,
                 side = (width + EXECUTE_PICTURE - 1) / EXECUTE_PICTURE, small_width = width / side,
                 small_height = height / side;
    int64_t *small = memory_new(3 * small_width * small_height, sizeof *small);
    for (size_t y = 0; y < small_height * side; ++y)
        for (size_t x = 0; x < 3 * small_width * side; ++x)
            small[3 * (y / side * small_width + x / 3 / side) + x % 3] +=
                measurement->film[3 * y * width + x] / (int64_t)(side * side);
    free(measurement->film);
    measurement->film = small;
    measurement->film_width = (uint32_t)small_width;
    measurement->film_height = (uint32_t)small_height;
}

// The image and each pixel's path length, for those who asked.
static bool keep_film(struct execution *run, struct error *error)
{
    struct measurement *measurement = run->measurement;
    const struct device_ops *ops = run->device->ops;
    const size_t lengths = run->frame.pixels * sizeof *measurement->path_length;
    measurement->film = memory_try(run->film_bytes, 1, error, "for the image");
    measurement->film_width = run->frame.args.width;
    measurement->film_height = run->frame.args.height;
    if (!measurement->film || !ops->download(run->device, NULL, measurement->film, run->film, run->film_bytes, error))
        return false;
    if (run->request->keep_picture)
        shrink_film(measurement);
    if (!run->frame.args.path_length || run->request->keep_picture)
        return true;
    measurement->path_length = memory_try(lengths, 1, error, "for the path lengths");
    return measurement->path_length &&
           ops->download(run->device, NULL, measurement->path_length, run->frame.args.path_length, lengths, error);
}

// ---- kernels

// Warps of the kernel that the whole device holds at once, or as many of its multiprocessors and of their blocks as the
// schedule counts on; 0 where that is not known.
static uint32_t resident_warps(const struct frame *frame, const struct measured_kernel *row)
{
    const struct device_properties *device = frame->properties;
    const int64_t cap = frame->parameters->resident_blocks;
    const struct capability *units = capability_find(device->compute_capability);
    const int32_t fixed = row->facts.static_shared_bytes;
    if (!units || !device->registers_per_multiprocessor || row->facts.registers <= 0 || !row->block)
        return 0;
    struct capability capability = *units; // what this very device says goes before the table
    capability.max_warps = device->max_warps_per_multiprocessor;
    capability.max_blocks = device->max_blocks_per_multiprocessor;
    capability.registers = device->registers_per_multiprocessor;
    capability.shared_multiprocessor = (uint32_t)device->shared_per_multiprocessor;
    capability.shared_block = (uint32_t)device->shared_per_block;
    const struct occupancy occupancy = occupancy_predict(&capability, row->block, (uint32_t)row->facts.registers,
                                                         row->shared_bytes + (fixed > 0 ? (uint64_t)fixed : 0));
    const bool capped = cap != PARAMETER_AUTO && !row->auxiliary && occupancy.blocks > (uint64_t)cap;
    return (capped ? occupancy.warps / occupancy.blocks * (uint32_t)cap : occupancy.warps) *
           frame_multiprocessors(frame);
}

static void take_kernels(struct execution *run)
{
    struct measurement *measurement = run->measurement;
    measurement->kernels = memory_new(run->internal.kernel_count, sizeof *measurement->kernels);
    for (size_t i = 0; i < run->internal.kernel_count; ++i) {
        const struct frame_kernel *kernel = &run->internal.kernels[i];
        struct measured_kernel *row = &measurement->kernels[measurement->kernel_count++];
        memcpy(row->kernel, kernel->name, sizeof row->kernel);
        row->facts = run->device->ops->facts(kernel->kernel);
        row->block = kernel->block;
        row->shared_bytes = kernel->shared_bytes;
        row->auxiliary = kernel->auxiliary;
        row->resident_warps = resident_warps(&run->frame, row);
    }
}

static void take_entries(struct measurement *measurement, const struct device_lockstep *entered)
{
    struct measured_entry *entries = memory_new(DEVICE_ENTRY_LANES, sizeof *entries);
    for (uint32_t i = 0; i < DEVICE_ENTRY_LANES; ++i)
        if (entered[i].warps)
            entries[measurement->entry_count++] = (struct measured_entry){i + 1, entered[i]};
    measurement->entries = entries;
}

static void take_rows(struct execution *run)
{
    struct measurement *measurement = run->measurement;
    struct frame_rows *rows = &run->internal.rows;
    measurement->launches = rows->launches;
    measurement->launch_count = rows->launch_count;
    measurement->counts = rows->counts;
    measurement->count_count = rows->count_count;
    measurement->lockstep = rows->lockstep;
    measurement->lockstep_count = rows->lockstep_count;
    take_entries(measurement, rows->entered);
    *rows = (struct frame_rows){0};
    measurement->path_hash = run->internal.path_hash;
}

// What is known of the pixels only once the frame is complete.
static void count_pixels(struct measurement *measurement, double squares, uint32_t samples)
{
    for (size_t i = measurement->count_count; i-- > 0;)
        if (measurement->counts[i].bounce == MEASURED_TOTALS) {
            measurement->counts[i].counts.pixel_squares = (uint64_t)(squares / samples * 0x1p24 + 0.5);
            return;
        }
}

// The device's ordinal on its node + 1; 0 where it is the only one of its kind.
static uint32_t card_of(const struct execution *run)
{
    const char *number = strchr(run->executor->device_spec, ':');
    if (number)
        return 1 + (uint32_t)strtoul(number + 1, NULL, 10);
    return run->executor->ordinal < 0 ? run->properties->uuid[0] != 0 : 1 + (uint32_t)run->executor->ordinal;
}

bool execution_results(struct execution *run, const char *reason, struct error *error)
{
    struct measurement *measurement = run->measurement;
    const struct device_properties *properties = run->properties;
    measurement->collection = run->request->collection;
    snprintf(measurement->stop_reason, sizeof measurement->stop_reason, "%s", reason);
    measurement->warp_width = properties->warp_width;
    measurement->multiprocessors = properties->multiprocessors;
    measurement->times = properties->times;
    snprintf(measurement->device_name, sizeof measurement->device_name, "%s", properties->name);
    snprintf(measurement->driver, sizeof measurement->driver, "%s", properties->driver);
    snprintf(measurement->uuid, sizeof measurement->uuid, "%s", properties->uuid);
    measurement->card = card_of(run);
    snprintf(measurement->provenance, sizeof measurement->provenance, "%s",
             run->device->ops->provenance(run->internal.program));
    measurement->scene_content = scene_facts(run->scene.scene)->content;
    measurement->structure = *run->scene.structure;
    if (measurement->structure.bytes && !run->device->ops->tracing(run->device, &measurement->tracing, error))
        return false;
    take_rows(run);
    double squares;
    take_kernels(run);
    if (!execution_hash_film(run, &measurement->image, &squares, error))
        return false;
    count_pixels(measurement, squares, run->frame.args.samples);
    return !(run->request->keep_film || run->request->keep_picture) || keep_film(run, error);
}
