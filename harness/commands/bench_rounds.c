// SPDX-License-Identifier: MIT
// `bench rounds`: the trace of a pipeline, round by round, and files of the same rays, packed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/image.h"
#include "base/memory.h"
#include "base/path.h"
#include "commands/bench.h"
#include "tools/rays.kernel.h"
#include "trial/rounds.h"

struct round {
    uint32_t slots, live;
    double seconds; // of its trace
};

struct rounds {
    const char *folder; // NULL: no files
    struct round *rows;
    size_t count;
    bool kept[3]; // files written
    uint32_t wanted[3];
    double launches, gaps, frame; // seconds
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
    return round == rounds->wanted[0] || round == rounds->wanted[1] || round == rounds->wanted[2];
}

static bool write_rays(void *context, uint32_t round, const struct ray_input *rays, uint32_t count, struct error *error)
{
    const struct rounds *rounds = context;
    char path[4096];
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

// First, median and last of the rounds in which at least half of the slots live.
static size_t choose_rounds(struct rounds *rounds)
{
    size_t full = 0, seen = 0;
    for (size_t i = 0; i < rounds->count; ++i)
        full += is_full(&rounds->rows[i]);
    for (size_t i = 0; i < rounds->count; ++i) {
        if (!is_full(&rounds->rows[i]))
            continue;
        if (seen == 0)
            rounds->wanted[0] = (uint32_t)i;
        if (seen == full / 2)
            rounds->wanted[1] = (uint32_t)i;
        rounds->wanted[2] = (uint32_t)i;
        ++seen;
    }
    return full;
}

static void take_times(struct rounds *rounds, const struct measurement *measurement)
{
    const uint32_t last = (uint32_t)measurement->repetition_count - 1;
    for (size_t i = 0; i < measurement->launch_count; ++i) {
        const struct measured_launch *launch = &measurement->launches[i];
        if (launch->repetition == last && !strcmp(launch->stage, "trace"))
            row_of(rounds, (uint32_t)launch->iteration)->seconds = launch->seconds;
    }
    rounds->frame = measurement->repetitions[last].device_seconds;
    rounds->gaps = measurement->repetitions[last].gap_seconds;
}

static bool time_rounds(struct executor *executor, const struct trial_spec *spec, struct rounds *rounds,
                        struct error *error)
{
    struct policy policy = policy_default();
    policy.min_repetitions = policy.max_repetitions = 5;
    const struct execute_request request = {.spec = spec, .collection = COLLECTION_LAUNCHES, .policy = policy};
    struct measurement measurement;
    const bool done = execute(executor, &request, &measurement, error);
    if (done)
        take_times(rounds, &measurement);
    measurement_finish(&measurement);
    return done;
}

static void print(const struct rounds *rounds, size_t full)
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
    printf("%zu rounds, at least half of the slots alive in %zu: %.0f Mrays/s there\n", rounds->count, full,
           1e-6 * rays / seconds);
    printf("frame %.3f ms, gaps between launches %.3f ms: %.2f %%\n", 1e3 * rounds->frame, 1e3 * rounds->gaps,
           100 * rounds->gaps / rounds->frame);
}

bool bench_rounds(const struct command_line *line, struct error *error)
{
    struct trial_spec spec;
    const char *scene = command_option(line, "scene");
    struct rounds rounds = {.folder = command_option(line, "output")};
    struct rounds_watch watch = {note_round, write_rays, &rounds};
    struct executor *executor =
        command_trial_spec(line, scene ? scene : "cornell", &spec, error) ? executor_create(error) : NULL;
    bool done =
        executor && rounds_visit(executor, &spec, &watch, error) && time_rounds(executor, &spec, &rounds, error);
    if (done) {
        print(&rounds, choose_rounds(&rounds));
        watch.round = want_round;
        done = !rounds.folder || rounds_visit(executor, &spec, &watch, error);
    }
    executor_destroy(executor);
    free(rounds.rows);
    return done;
}
