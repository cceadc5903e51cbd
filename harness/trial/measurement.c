// SPDX-License-Identifier: MIT
// The stream: a fixed head, then each array as its bytes, then the hash of all before it. Both ends are the same
// program.
#include "scene/types.h" // first: it settles how kernel headers are seen from the host

#include "trial/measurement.h"

#include <stdlib.h>
#include <string.h>

const char *const collection_names[COLLECTION_KINDS + 1] = {"counts", "frame", "launches", "counters", "stalls", NULL};

static const char stream_magic[8] = "wsmeas1";
enum { CHUNK = 1 << 20 };

// Everything that is not an array.
struct head {
    char magic[8];
    uint32_t row_sizes[5], collection, warp_width, multiprocessors, film_width, film_height, has_film, has_lengths,
        times;
    char stop_reason[48], device_name[128], driver[64], provenance[512];
    double prepare_seconds;
    struct hash image, scene_content;
    uint64_t path_hash, counts[5];
};

static const uint32_t row_sizes[5] = {sizeof(struct measured_repetition), sizeof(struct measured_launch),
                                      sizeof(struct measured_counts), sizeof(struct measured_lockstep),
                                      sizeof(struct measured_kernel)};

void measurement_finish(struct measurement *measurement)
{
    if (!measurement)
        return;
    free(measurement->repetitions);
    free(measurement->launches);
    free(measurement->counts);
    free(measurement->lockstep);
    free(measurement->kernels);
    free(measurement->film);
    free(measurement->path_length);
    *measurement = (struct measurement){0};
}

// ---- writing
// -----------------------------------------------------------------------------------------------------------

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
    memcpy(head->row_sizes, row_sizes, sizeof head->row_sizes);
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
    const uint64_t counts[5] = {from->repetition_count, from->launch_count, from->count_count, from->lockstep_count,
                                from->kernel_count};
    memcpy(head->counts, counts, sizeof head->counts);
}

bool measurement_write(const struct measurement *measurement, FILE *stream, struct error *error)
{
    struct head head;
    make_head(measurement, &head);
    struct hash_state *state = hash_begin();
    if (!state)
        return error_set(error, ERROR_SYSTEM, "no memory left");
    const void *arrays[5] = {measurement->repetitions, measurement->launches, measurement->counts,
                             measurement->lockstep, measurement->kernels};
    const size_t pixels = (size_t)head.film_width * head.film_height;
    bool done = put(stream, state, &head, sizeof head);
    for (int i = 0; i < 5; ++i)
        done = done && put(stream, state, arrays[i], head.counts[i] * row_sizes[i]);
    done = done && put(stream, state, measurement->film, head.has_film ? pixels * 3 * sizeof(int64_t) : 0) &&
           put(stream, state, measurement->path_length, head.has_lengths ? pixels : 0);
    const struct hash hash = hash_end(state);
    done = done && fwrite(&hash, sizeof hash, 1, stream) == 1 && fflush(stream) == 0;
    return done || error_set_errno(error, "write", "a measurement");
}

// ---- reading
// -----------------------------------------------------------------------------------------------------------

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
    bool good = !memcmp(head->magic, stream_magic, sizeof head->magic) &&
                !memcmp(head->row_sizes, row_sizes, sizeof head->row_sizes) && head->collection < COLLECTION_KINDS &&
                head->film_width < side && head->film_height < side &&
                terminated(head->stop_reason, sizeof head->stop_reason) &&
                terminated(head->device_name, sizeof head->device_name) &&
                terminated(head->driver, sizeof head->driver) && terminated(head->provenance, sizeof head->provenance);
    for (int i = 0; i < 5; ++i)
        good = good && head->counts[i] < most;
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
    to->repetition_count = (size_t)head->counts[0];
    to->launch_count = (size_t)head->counts[1];
    to->count_count = (size_t)head->counts[2];
    to->lockstep_count = (size_t)head->counts[3];
    to->kernel_count = (size_t)head->counts[4];
}

static bool take_arrays(struct measurement *to, const struct head *head, FILE *stream, struct hash_state *state,
                        struct error *error)
{
    void *arrays[5] = {0}, *film = NULL, *lengths = NULL;
    const uint64_t pixels = (uint64_t)head->film_width * head->film_height;
    bool done = true;
    for (int i = 0; done && i < 5; ++i)
        done = take(stream, state, head->counts[i] * row_sizes[i], &arrays[i], error);
    done = done && take(stream, state, head->has_film ? pixels * 3 * sizeof(int64_t) : 0, &film, error) &&
           take(stream, state, head->has_lengths ? pixels : 0, &lengths, error);
    to->repetitions = arrays[0];
    to->launches = arrays[1];
    to->counts = arrays[2];
    to->lockstep = arrays[3];
    to->kernels = arrays[4];
    to->film = film;
    to->path_length = lengths;
    return done;
}

// Names are terminated, and rows point at launches that there are.
static bool check_rows(const struct measurement *measurement)
{
    bool good = true;
    for (size_t i = 0; i < measurement->launch_count; ++i)
        good = good && terminated(measurement->launches[i].kernel, sizeof measurement->launches[i].kernel);
    for (size_t i = 0; i < measurement->kernel_count; ++i)
        good = good && terminated(measurement->kernels[i].kernel, sizeof measurement->kernels[i].kernel);
    for (size_t i = 0; i < measurement->count_count; ++i)
        good = good && measurement->counts[i].launch < measurement->launch_count &&
               measurement->counts[i].bounce <= COUNT_BOUNCE_MAX;
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
