// SPDX-License-Identifier: MIT
// The stream: a fixed head, then each array as its bytes, then the hash of all before it. Both ends are the same
// program.
#include "geometry/types.h" // first: it settles how kernel headers are seen from the host

#include "frame/measurement.h"

#include <stdlib.h>
#include <string.h>

const char *const collection_names[COLLECTION_KINDS + 1] = {"counts", "frame",    "launches", "counters",
                                                            "stalls", "timeline", NULL};

static const char stream_magic[8] = "wsmeas6";
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
    ARRAY(repetitions, repetition_count), ARRAY(launches, launch_count), ARRAY(counts, count_count),
    ARRAY(lockstep, lockstep_count),      ARRAY(entries, entry_count),   ARRAY(kernels, kernel_count),
    ARRAY(metrics, metric_count),         ARRAY(sites, site_count),      ARRAY(stalls, stall_count),
    ARRAY(samples, sample_count),         ARRAY(spans, span_count),
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

// Everything that is not an array: both ends are one program, and take each other's struct as it is, but for pointers.
struct head {
    char magic[8];
    uint32_t row_sizes[ARRAYS], has_film, has_lengths;
    struct measurement facts;
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

static bool measurement_put(FILE *stream, struct hash_state *state, const void *bytes, size_t size)
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
    head->has_film = from->film != NULL;
    head->has_lengths = from->path_length != NULL;
    head->facts = *from;
    for (size_t i = 0; i < ARRAYS; ++i)
        head->row_sizes[i] = (uint32_t)arrays[i].row_size;
}

bool measurement_write(const struct measurement *measurement, FILE *stream, struct error *error)
{
    struct head head;
    make_head(measurement, &head);
    struct hash_state *state = hash_begin();
    const size_t pixels = (size_t)measurement->film_width * measurement->film_height;
    bool done = measurement_put(stream, state, &head, sizeof head);
    for (size_t i = 0; i < ARRAYS; ++i)
        done = done && measurement_put(stream, state, array_rows(measurement, &arrays[i]),
                                       *array_count(measurement, &arrays[i]) * arrays[i].row_size);
    done = done &&
           measurement_put(stream, state, measurement->film, head.has_film ? pixels * 3 * sizeof(int64_t) : 0) &&
           measurement_put(stream, state, measurement->path_length,
                           head.has_lengths ? pixels * sizeof *measurement->path_length : 0);
    const struct hash hash = hash_end(state);
    done = done && fwrite(&hash, sizeof hash, 1, stream) == 1 && fflush(stream) == 0;
    return done || error_set_errno(error, "write", "a measurement");
}

// ---- reading

// Memory grows with what really comes, so that a false length cannot ask for all of it.
static bool measurement_take(FILE *stream, struct hash_state *state, uint64_t size, void **bytes, struct error *error)
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
    const struct measurement *facts = &head->facts;
    const uint64_t most = (uint64_t)1 << 32, side = 1 << 16;
    bool good = !memcmp(head->magic, stream_magic, sizeof head->magic) && facts->collection < COLLECTION_KINDS &&
                facts->film_width < side && facts->film_height < side &&
                terminated(facts->stop_reason, sizeof facts->stop_reason) &&
                terminated(facts->device_name, sizeof facts->device_name) &&
                terminated(facts->driver, sizeof facts->driver) && terminated(facts->uuid, sizeof facts->uuid) &&
                terminated(facts->provenance, sizeof facts->provenance) &&
                terminated(facts->tracing.name, sizeof facts->tracing.name);
    for (size_t i = 0; i < ARRAYS; ++i)
        good = good && head->row_sizes[i] == arrays[i].row_size && *array_count(facts, &arrays[i]) < most;
    return good;
}

// All that no rows follow for yet.
static void take_head(struct measurement *to, const struct head *head)
{
    *to = head->facts;
    to->film = NULL;
    to->path_length = NULL;
    for (size_t i = 0; i < ARRAYS; ++i) {
        set_rows(to, &arrays[i], NULL);
        *array_count(to, &arrays[i]) = 0;
    }
}

static bool take_arrays(struct measurement *to, const struct head *head, FILE *stream, struct hash_state *state,
                        struct error *error)
{
    void *film = NULL, *lengths = NULL;
    const uint64_t pixels = (uint64_t)to->film_width * to->film_height;
    bool done = true;
    for (size_t i = 0; done && i < ARRAYS; ++i) {
        void *rows = NULL;
        const size_t count = *array_count(&head->facts, &arrays[i]);
        done = measurement_take(stream, state, count * arrays[i].row_size, &rows, error);
        set_rows(to, &arrays[i], rows);
        *array_count(to, &arrays[i]) = done ? count : 0;
    }
    done = done && measurement_take(stream, state, head->has_film ? pixels * 3 * sizeof(int64_t) : 0, &film, error) &&
           measurement_take(stream, state, head->has_lengths ? pixels * sizeof *to->path_length : 0, &lengths, error);
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
    for (size_t i = 0; i < measurement->span_count; ++i)
        good = good && measurement->spans[i].launch < measurement->launch_count &&
               measurement->spans[i].start <= measurement->spans[i].end;
    for (size_t i = 0; i < measurement->sample_count; ++i)
        good = good && measurement->samples[i].start < measurement->samples[i].end;
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
