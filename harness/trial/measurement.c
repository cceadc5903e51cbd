// SPDX-License-Identifier: MIT
// The stream: a fixed head, then each array as its bytes, then the hash of all before it. Both ends are the same
// program.
#include "scene/types.h" // first: it settles how kernel headers are seen from the host

#include "trial/measurement.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "device/counters.h"

const char *const collection_names[COLLECTION_KINDS + 1] = {"counts", "frame", "launches", "counters", "stalls", NULL};

static const char stream_magic[8] = "wsmeas2";
enum { CHUNK = 1 << 20 };

// The arrays of rows, in the stream's order.
struct array {
    size_t rows, count, row_size; // offsets in struct measurement; bytes of a row
};
#define ARRAY(rows, count)                                                                                             \
    {                                                                                                                  \
        offsetof(struct measurement, rows), offsetof(struct measurement, count),                                       \
            sizeof *((struct measurement *)0)->rows                                                                    \
    }
static const struct array arrays[] = {
    ARRAY(repetitions, repetition_count),
    ARRAY(launches, launch_count),
    ARRAY(counts, count_count),
    ARRAY(lockstep, lockstep_count),
    ARRAY(kernels, kernel_count),
    ARRAY(metrics, metric_count),
    ARRAY(sites, site_count),
    ARRAY(stalls, stall_count),
};
enum { ARRAYS = sizeof arrays / sizeof *arrays };

static void *array_rows(const struct measurement *measurement, const struct array *array)
{
    void *rows; // by its bytes: a pointer to rows of another type must not be read through this one
    memcpy(&rows, (const char *)measurement + array->rows, sizeof rows);
    return rows;
}

static void set_rows(struct measurement *measurement, const struct array *array, void *rows)
{
    memcpy((char *)measurement + array->rows, &rows, sizeof rows);
}

static size_t *array_count(const struct measurement *measurement, const struct array *array)
{
    return (size_t *)((char *)(uintptr_t)measurement + array->count);
}

// Everything that is not an array.
struct head {
    char magic[8];
    uint32_t row_sizes[ARRAYS], collection, warp_width, multiprocessors, film_width, film_height, has_film, has_lengths,
        times, passes;
    char stop_reason[48], device_name[128], driver[64], provenance[2048];
    double prepare_seconds, gate_seconds;
    struct measured_conditions before, after;
    struct hash image, scene_content;
    uint64_t path_hash, dropped, counts[ARRAYS];
};

void measurement_finish(struct measurement *measurement)
{
    if (!measurement)
        return;
    for (size_t i = 0; i < ARRAYS; ++i)
        free(array_rows(measurement, &arrays[i]));
    free(measurement->film);
    free(measurement->path_length);
    *measurement = (struct measurement){0};
}

// ---- writing

static bool put(FILE *stream, struct hash_state *state, const void *bytes, size_t size)
{
    if (!size)
        return true;
    hash_add(state, bytes, size);
    return fwrite(bytes, 1, size, stream) == size;
}

static void make_head(const struct measurement *from, struct head *head)
{
    memset(head, 0, sizeof *head);
    memcpy(head->magic, stream_magic, sizeof head->magic);
    head->collection = from->collection;
    head->warp_width = from->warp_width;
    head->multiprocessors = from->multiprocessors;
    head->film_width = from->film_width;
    head->film_height = from->film_height;
    head->has_film = from->film != NULL;
    head->has_lengths = from->path_length != NULL;
    head->times = from->times;
    memcpy(head->stop_reason, from->stop_reason, sizeof head->stop_reason);
    memcpy(head->device_name, from->device_name, sizeof head->device_name);
    memcpy(head->driver, from->driver, sizeof head->driver);
    memcpy(head->provenance, from->provenance, sizeof head->provenance);
    head->prepare_seconds = from->prepare_seconds;
    head->image = from->image;
    head->scene_content = from->scene_content;
    head->path_hash = from->path_hash;
    head->dropped = from->dropped;
    head->passes = from->passes;
    head->gate_seconds = from->gate_seconds;
    head->before = from->before;
    head->after = from->after;
    for (size_t i = 0; i < ARRAYS; ++i) {
        head->row_sizes[i] = (uint32_t)arrays[i].row_size;
        head->counts[i] = *array_count(from, &arrays[i]);
    }
}

bool measurement_write(const struct measurement *measurement, FILE *stream, struct error *error)
{
    struct head head;
    make_head(measurement, &head);
    struct hash_state *state = hash_begin();
    if (!state)
        return error_set(error, ERROR_SYSTEM, "no memory left");
    const size_t pixels = (size_t)head.film_width * head.film_height;
    bool done = put(stream, state, &head, sizeof head);
    for (size_t i = 0; i < ARRAYS; ++i)
        done = done &&
               put(stream, state, array_rows(measurement, &arrays[i]), (size_t)head.counts[i] * arrays[i].row_size);
    done =
        done && put(stream, state, measurement->film, head.has_film ? pixels * 3 * sizeof(int64_t) : 0) &&
        put(stream, state, measurement->path_length, head.has_lengths ? pixels * sizeof *measurement->path_length : 0);
    const struct hash hash = hash_end(state);
    done = done && fwrite(&hash, sizeof hash, 1, stream) == 1 && fflush(stream) == 0;
    return done || error_set_errno(error, "write", "a measurement");
}

// ---- reading

// Memory grows with what really comes, so that a false length cannot ask for all of it.
static bool take(FILE *stream, struct hash_state *state, uint64_t size, void **bytes, struct error *error)
{
    char *all = NULL;
    for (uint64_t got = 0; got < size;) {
        const size_t more = size - got < CHUNK ? (size_t)(size - got) : CHUNK;
        char *larger = realloc(all, (size_t)got + more);
        if (larger)
            all = larger;
        if (!larger || fread(all + got, 1, more, stream) != more) {
            free(all);
            return error_set(error, larger ? ERROR_FAILED : ERROR_SYSTEM,
                             larger ? "a measurement was cut short" : "no memory left for a measurement");
        }
        got += more;
    }
    if (size)
        hash_add(state, all, (size_t)size);
    *bytes = all;
    return true;
}

static bool terminated(const char *text, size_t size)
{
    return memchr(text, 0, size) != NULL;
}

static bool check_head(const struct head *head)
{
    const uint64_t most = (uint64_t)1 << 32, side = 1 << 16;
    bool good = !memcmp(head->magic, stream_magic, sizeof head->magic) && head->collection < COLLECTION_KINDS &&
                head->film_width < side && head->film_height < side &&
                terminated(head->stop_reason, sizeof head->stop_reason) &&
                terminated(head->device_name, sizeof head->device_name) &&
                terminated(head->driver, sizeof head->driver) && terminated(head->provenance, sizeof head->provenance);
    for (size_t i = 0; i < ARRAYS; ++i)
        good = good && head->row_sizes[i] == arrays[i].row_size && head->counts[i] < most;
    return good;
}

static void take_head(struct measurement *to, const struct head *head)
{
    to->collection = (enum collection)head->collection;
    to->warp_width = head->warp_width;
    to->multiprocessors = head->multiprocessors;
    to->film_width = head->film_width;
    to->film_height = head->film_height;
    to->times = head->times != 0;
    memcpy(to->stop_reason, head->stop_reason, sizeof to->stop_reason);
    memcpy(to->device_name, head->device_name, sizeof to->device_name);
    memcpy(to->driver, head->driver, sizeof to->driver);
    memcpy(to->provenance, head->provenance, sizeof to->provenance);
    to->prepare_seconds = head->prepare_seconds;
    to->image = head->image;
    to->scene_content = head->scene_content;
    to->path_hash = head->path_hash;
    to->passes = head->passes;
    to->dropped = head->dropped;
    to->gate_seconds = head->gate_seconds;
    to->before = head->before;
    to->after = head->after;
}

static bool take_arrays(struct measurement *to, const struct head *head, FILE *stream, struct hash_state *state,
                        struct error *error)
{
    void *film = NULL, *lengths = NULL;
    const uint64_t pixels = (uint64_t)head->film_width * head->film_height;
    bool done = true;
    for (size_t i = 0; done && i < ARRAYS; ++i) {
        void *rows = NULL;
        done = take(stream, state, head->counts[i] * arrays[i].row_size, &rows, error);
        set_rows(to, &arrays[i], rows);
        *array_count(to, &arrays[i]) = done ? (size_t)head->counts[i] : 0;
    }
    done = done && take(stream, state, head->has_film ? pixels * 3 * sizeof(int64_t) : 0, &film, error) &&
           take(stream, state, head->has_lengths ? pixels * sizeof *to->path_length : 0, &lengths, error);
    to->film = film;
    to->path_length = lengths;
    return done;
}

static bool points_at_launch(const struct measurement *measurement, uint32_t launch)
{
    return launch == MEASURED_FRAME || launch < measurement->launch_count;
}

static bool check_profiles(const struct measurement *measurement)
{
    bool good = true;
    for (size_t i = 0; i < measurement->metric_count; ++i)
        good = good && points_at_launch(measurement, measurement->metrics[i].launch) &&
               terminated(measurement->metrics[i].metric, sizeof measurement->metrics[i].metric);
    for (size_t i = 0; i < measurement->site_count; ++i)
        good = good && points_at_launch(measurement, measurement->sites[i].launch) &&
               measurement->sites[i].site < DEVICE_SITES;
    for (size_t i = 0; i < measurement->stall_count; ++i) {
        const struct measured_stall *row = &measurement->stalls[i];
        good = good && points_at_launch(measurement, row->launch) && terminated(row->kernel, sizeof row->kernel) &&
               terminated(row->reason, sizeof row->reason) && terminated(row->file, sizeof row->file);
    }
    return good;
}

// Names are terminated, and rows point at launches that there are.
static bool check_rows(const struct measurement *measurement)
{
    bool good = check_profiles(measurement);
    for (size_t i = 0; i < measurement->launch_count; ++i)
        good = good && terminated(measurement->launches[i].kernel, sizeof measurement->launches[i].kernel);
    for (size_t i = 0; i < measurement->kernel_count; ++i)
        good = good && terminated(measurement->kernels[i].kernel, sizeof measurement->kernels[i].kernel);
    for (size_t i = 0; i < measurement->count_count; ++i)
        good =
            good && measurement->counts[i].launch < measurement->launch_count &&
            (measurement->counts[i].bounce == MEASURED_TOTALS || count_bin(measurement->counts[i].bounce) < COUNT_BINS);
    for (size_t i = 0; i < measurement->lockstep_count; ++i)
        good = good && measurement->lockstep[i].launch < measurement->launch_count;
    return good;
}

bool measurement_read(struct measurement *measurement, FILE *stream, struct error *error)
{
    *measurement = (struct measurement){0};
    struct head head;
    if (fread(&head, sizeof head, 1, stream) != 1)
        return error_set(error, ERROR_FAILED, "a measurement was cut short");
    if (!check_head(&head))
        return error_set(error, ERROR_FAILED, "a measurement has a head that makes no sense");
    struct hash_state *state = hash_begin();
    if (!state)
        return error_set(error, ERROR_SYSTEM, "no memory left");
    hash_add(state, &head, sizeof head);
    take_head(measurement, &head);
    const bool taken = take_arrays(measurement, &head, stream, state, error);
    const struct hash computed = hash_end(state);
    struct hash stored;
    bool done = taken;
    if (done && (fread(&stored, sizeof stored, 1, stream) != 1 || !hash_equal(stored, computed)))
        done = error_set(error, ERROR_FAILED, "a measurement was damaged on its way");
    if (done && !check_rows(measurement))
        done = error_set(error, ERROR_FAILED, "a measurement has rows that make no sense");
    if (!done)
        measurement_finish(measurement);
    return done;
}
