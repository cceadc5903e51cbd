// SPDX-License-Identifier: MIT
// `bench rounds`: the trace of a pipeline, round by round; the same rays, packed, timed by themselves or written to files.
#include <stdlib.h>

#include "base/memory.h"
#include "base/path.h"
#include "commands/bench.h"
#include "bench/ray_tracer.h"
#include "plan/device_choice.h"
#include "run/progress.h"
#include "trial/rounds.h"

enum { REPETITIONS = 5, PACKED_ROUNDS = 9, WRITTEN_ROUNDS = 3 };

struct round {
    uint32_t slots, live;
    double seconds; // of its trace
};

// A round's rays, first as they lie in the pool, then those from the camera, then all others.
struct packed {
    uint32_t round, count, from_camera;
    struct ray_input *rays, *apart;
    double seconds, camera_seconds, other_seconds; // of the traversal kernel over all, or over these alone
};

struct rounds {
    const char *folder; // NULL: no files
    struct round *rows;
    size_t count, full;             // full: at least half of the slots live
    uint32_t wanted[PACKED_ROUNDS]; // numbers of full rounds, evenly spaced, in order
    size_t wanted_count;
    struct packed packed[PACKED_ROUNDS];
    size_t packed_count;
    // Seconds, means over repetitions: of an undisturbed frame; of one with a time stamp around each launch the sum of launches,
    // and what is between them.
    double frame, launches, gaps;
};

static struct round *row_of(struct rounds *rounds, uint32_t round)
{
    while (rounds->count <= round)
        ARRAY_ADD(rounds->rows, rounds->count);
    return &rounds->rows[round];
}

static bool note_round(void *context, uint32_t round, uint32_t slots, uint32_t live)
{
    struct rounds *rounds = context;
    struct round *row = row_of(rounds, round);
    row->slots = slots;
    row->live = live;
    return false;
}

static bool want_round(void *context, uint32_t round, uint32_t slots, uint32_t live)
{
    const struct rounds *rounds = context;
    (void)slots, (void)live;
    for (size_t i = 0; i < rounds->wanted_count; ++i)
        if (round == rounds->wanted[i])
            return true;
    return false;
}

static bool keep_rays(void *context, uint32_t round, const struct ray_input *rays, const bool *from_camera,
                      uint32_t count, struct error *error)
{
    struct rounds *rounds = context;
    struct packed *packed = &rounds->packed[rounds->packed_count++];
    uint32_t others = 0;
    (void)error;
    *packed = (struct packed){.round = round,
                              .count = count,
                              .rays = memory_new(count, sizeof *rays),
                              .apart = memory_new(count, sizeof *rays)};
    memcpy(packed->rays, rays, count * sizeof *rays);
    for (uint32_t i = 0; i < count; ++i)
        packed->from_camera += from_camera[i];
    for (uint32_t i = 0, n = 0; i < count; ++i)
        packed->apart[from_camera[i] ? n++ : packed->from_camera + others++] = rays[i];
    return true;
}

static bool write_rays(void *context, uint32_t round, const struct ray_input *rays, const bool *from_camera,
                       uint32_t count, struct error *error)
{
    const struct rounds *rounds = context;
    char path[4096];
    (void)from_camera;
    if (!path_format(path, sizeof path, error, "%s/round-%u.rays", rounds->folder, round))
        return false;
    FILE *file = fopen(path, "wb");
    if (!file)
        return error_set_errno(error, "write", path);
    const bool written = fwrite(rays, sizeof *rays, count, file) == count;
    if (fclose(file) || !written)
        return error_set_errno(error, "write", path);
    printf("%s: %u rays\n", path, count);
    return true;
}

static bool is_full(const struct round *row)
{
    return row->live > 0 && 2 * (uint64_t)row->live >= row->slots;
}

// Of the full rounds `most`, evenly spaced, the first and the last among them.
static void choose_rounds(struct rounds *rounds, size_t most)
{
    size_t seen = 0;
    rounds->wanted_count = 0;
    for (size_t i = 0; i < rounds->count; ++i) {
        if (!is_full(&rounds->rows[i]))
            continue;
        if (rounds->full <= most || seen == rounds->wanted_count * (rounds->full - 1) / (most - 1))
            rounds->wanted[rounds->wanted_count++] = (uint32_t)i;
        ++seen;
    }
}

static void take_times(struct rounds *rounds, const struct measurement *measurement)
{
    const uint32_t last = (uint32_t)measurement->repetition_count - 1;
    for (size_t i = 0; i < measurement->launch_count; ++i) {
        const struct measured_launch *launch = &measurement->launches[i];
        if (launch->repetition == last && !strcmp(launch->stage, "trace"))
            row_of(rounds, (uint32_t)launch->iteration)->seconds = launch->seconds;
    }
    for (uint32_t i = 0; i <= last; ++i) {
        const struct measured_repetition *repetition = &measurement->repetitions[i];
        rounds->gaps += repetition->gap_seconds / (last + 1);
        rounds->launches += (repetition->device_seconds - repetition->gap_seconds) / (last + 1);
    }
    for (size_t i = 0; i < rounds->count; ++i)
        rounds->full += is_full(&rounds->rows[i]);
}

static void take_frame(struct rounds *rounds, const struct measurement *measurement)
{
    const uint32_t count = (uint32_t)measurement->repetition_count;
    for (uint32_t i = 0; i < count; ++i)
        rounds->frame += measurement->repetitions[i].host_seconds / count;
}

static bool time_as(enum collection collection, struct executor *executor, const struct trial_spec *spec,
                    void (*take)(struct rounds *, const struct measurement *), struct rounds *rounds,
                    struct error *error)
{
    struct policy policy = policy_default();
    policy.min_repetitions = policy.max_repetitions = REPETITIONS;
    const struct execute_request request = {.spec = spec, .collection = collection, .policy = policy};
    struct measurement measurement;
    const bool done = execute(executor, &request, &measurement, error);
    if (done)
        take(rounds, &measurement);
    measurement_finish(&measurement);
    return done;
}

static bool time_rounds(struct executor *executor, const struct trial_spec *spec, struct rounds *rounds,
                        struct error *error)
{
    return time_as(COLLECTION_LAUNCHES, executor, spec, take_times, rounds, error) &&
           time_as(COLLECTION_FRAME, executor, spec, take_frame, rounds, error);
}

static void print_rounds(const struct rounds *rounds)
{
    double rays = 0, seconds = 0;
    for (size_t i = 0; i < rounds->count; ++i) {
        const struct round *row = &rounds->rows[i];
        if (i < 16 || i + 4 > rounds->count)
            printf("round %3zu: %9u of %9u slots alive, trace %8.3f ms, %7.0f Mrays/s\n", i, row->live, row->slots,
                   1e3 * row->seconds, 1e-6 * row->live / row->seconds);
        if (is_full(row)) {
            rays += row->live;
            seconds += row->seconds;
        }
    }
    printf("%zu rounds, at least half of the slots alive in %zu: %.0f Mrays/s there\n", rounds->count, rounds->full,
           1e-6 * rays / seconds);
    const double stamped = rounds->launches + rounds->gaps;
    printf(
        "frame %.3f ms; with a time stamp around each launch %.3f ms, of which %.3f ms are launches and %.2f %% gaps\n",
        1e3 * rounds->frame, 1e3 * stamped, 1e3 * rounds->launches, 100 * rounds->gaps / stamped);
}

// ---- the same rays, packed

static bool is_mixed(const struct packed *packed)
{
    return packed->from_camera > 0 && packed->from_camera < packed->count;
}

// What rays from the camera cost among the others of their round: by how much these take longer with them.
static void print_apart(const struct rounds *rounds)
{
    double camera = 0, among = 0;
    for (size_t i = 0; i < rounds->packed_count; ++i) {
        const struct packed *packed = &rounds->packed[i];
        if (!is_mixed(packed))
            continue;
        const double more = packed->seconds - packed->other_seconds;
        printf(
            "round %3u: its %9u rays from the camera by themselves %8.3f ms, the %9u others %8.3f ms; among these the "
            "first cost %.2f times as much\n",
            packed->round, packed->from_camera, 1e3 * packed->camera_seconds, packed->count - packed->from_camera,
            1e3 * packed->other_seconds, more / packed->camera_seconds);
        camera += packed->camera_seconds;
        among += more;
    }
    if (camera > 0)
        printf("over these rounds a ray from the camera costs %.2f times as much among others as by itself\n",
               among / camera);
}

static void print_packed(const struct rounds *rounds)
{
    double pipeline = 0, alone = 0;
    for (size_t i = 0; i < rounds->packed_count; ++i) {
        const struct packed *packed = &rounds->packed[i];
        const double seconds = rounds->rows[packed->round].seconds;
        printf("round %3u: its %9u rays, packed, %8.3f ms, %7.0f Mrays/s; in the pipeline %.2f of this rate\n",
               packed->round, packed->count, 1e3 * packed->seconds, 1e-6 * packed->count / packed->seconds,
               packed->seconds / seconds);
        pipeline += seconds;
        alone += packed->seconds;
    }
    printf("trace over these %zu rounds: %.3f of the rate of its rays, packed\n", rounds->packed_count,
           alone / pipeline);
    print_apart(rounds);
}

static bool time_apart(struct ray_tracer *tracer, struct packed *packed, struct error *error)
{
    const uint32_t first = packed->from_camera;
    return !is_mixed(packed) ||
           (ray_tracer_time(tracer, packed->apart, first, REPETITIONS, &packed->camera_seconds, NULL, error) &&
            ray_tracer_time(tracer, packed->apart + first, packed->count - first, REPETITIONS, &packed->other_seconds,
                            NULL, error));
}

static bool time_packed(struct rounds *rounds, struct ray_tracer *tracer, const struct ray_scene *scene,
                        const char *device, struct error *error)
{
    uint32_t most = 1;
    for (size_t i = 0; i < rounds->packed_count; ++i)
        most = rounds->packed[i].count > most ? rounds->packed[i].count : most;
    bool done = ray_tracer_open(tracer, device, error) && ray_tracer_prepare(tracer, scene, most, error);
    for (size_t i = 0; done && i < rounds->packed_count; ++i) {
        struct packed *packed = &rounds->packed[i];
        done = ray_tracer_time(tracer, packed->rays, packed->count, REPETITIONS, &packed->seconds, NULL, error) &&
               time_apart(tracer, packed, error);
    }
    ray_tracer_finish(tracer);
    return done;
}

static bool visit_chosen(struct executor *executor, const struct trial_spec *spec, struct rounds *rounds, size_t most,
                         bool (*use)(void *, uint32_t, const struct ray_input *, const bool *, uint32_t,
                                     struct error *),
                         struct error *error)
{
    const struct rounds_watch watch = {want_round, use, rounds};
    choose_rounds(rounds, most);
    return rounds_visit(executor, spec, &watch, error);
}

static bool run_rounds(struct rounds *rounds, const struct trial_spec *spec, bool packed, struct error *error)
{
    const struct rounds_watch watch = {note_round, NULL, rounds};
    struct executor *executor = executor_create();
    bool done = rounds_visit(executor, spec, &watch, error) && time_rounds(executor, spec, rounds, error);
    if (done && !device_has_clock(spec->device))
        printf("%s has no clock that means anything: times and rates are of the emulation, not of a GPU\n",
               spec->device);
    if (done)
        print_rounds(rounds);
    done = done && (!rounds->folder || visit_chosen(executor, spec, rounds, WRITTEN_ROUNDS, write_rays, error)) &&
           (!packed || visit_chosen(executor, spec, rounds, PACKED_ROUNDS, keep_rays, error));
    executor_destroy(executor);
    return done;
}

// The scene is opened first: that may fork, and devices have threads.
static bool run_packed(struct rounds *rounds, const struct trial_spec *spec, struct error *error)
{
    struct ray_scene scene = {.scene = NULL};
    struct ray_tracer tracer = {.parameters = spec->parameters};
    struct progress progress;
    progress_start(&progress, 0, false);
    const struct scene_request request = {.name = spec->scene,
                                          .tree = execute_tree_options(&spec->parameters),
                                          .progress = progress_scene,
                                          .progress_context = &progress};
    bool done = execute_tree_suits(&spec->parameters, error) && ray_scene_from_scene(&scene, &request, error);
    progress_clear(&progress);
    done = done && run_rounds(rounds, spec, true, error) && time_packed(rounds, &tracer, &scene, spec->device, error);
    if (done)
        print_packed(rounds);
    ray_scene_finish(&scene);
    return done;
}

static bool check_device(const char *spec, struct error *error)
{
    return !device_is(spec, DEVICE_NOTHING) ||
           error_set(error, ERROR_USE, "bench rounds: device %s traces nothing", spec);
}

bool bench_rounds(const struct command_line *line, struct error *error)
{
    struct trial_spec spec;
    const char *scene = command_option(line, "scene");
    struct rounds rounds = {.folder = command_option(line, "output")};
    const bool done =
        command_trial_spec(line, scene ? scene : "cornell", &spec, error) && check_device(spec.device, error) &&
        (command_flag(line, "packed") ? run_packed(&rounds, &spec, error) : run_rounds(&rounds, &spec, false, error));
    for (size_t i = 0; i < rounds.packed_count; ++i) {
        free(rounds.packed[i].rays);
        free(rounds.packed[i].apart);
    }
    free(rounds.rows);
    return done;
}
