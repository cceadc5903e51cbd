// SPDX-License-Identifier: MIT
// What the database costs: a million bounce rows in, Table 2 out of them, a plan of 100,000 trials. Run by
// `meson test --benchmark`; prints one line per figure, beside the time that it takes at most on a machine with nothing
// else to do. Only a wrong result makes it fail.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "plan/plan.h"
#include "store/attempt.h"

static struct error error;

static void need(bool done, const char *what)
{
    if (done)
        return;
    char text[2200];
    error_format(&error, text, sizeof text);
    fprintf(stderr, "%s: %s\n", what, text);
    exit(1);
}

static void wrong(const char *what, const char *result)
{
    fprintf(stderr, "%s: %s\n", what, result);
    exit(1);
}

static void figure(const char *what, double seconds, double limit)
{
    printf("%-58s %8.3f s   limit %5.1f s%s\n", what, seconds, limit, seconds > limit ? "   exceeded" : "");
}

static bool count_value(void *context, const struct store_row *row)
{
    ++*(int64_t *)context;
    return true;
}

static bool count_row(void *context, const struct trial_row *row)
{
    *(int64_t *)context += row->spec.parameters.block > 0;
    return true;
}

// ---- the plan

static struct experiment *parse(const char *text)
{
    struct experiment *experiment = experiment_parse("bench.yaml", text, strlen(text), &error);
    need(experiment != NULL, "parse");
    return experiment;
}

static void bench_plan(void)
{
    struct experiment *experiment = parse("fixed: {scene: open, variant: naive}\n"
                                          "sweep:\n"
                                          "  seed: [1..250]\n"
                                          "  max_bounces: [0..7]\n"
                                          "  block: [32, 64, 96, 128, 160, 192, 224, 256, 288, 320]\n"
                                          "derive:\n  lanes: block * max_bounces\n"
                                          "where: block % 32 = 0 AND lanes >= 0\n"
                                          "collect: [frame]\nreplicates: 5\n");
    struct plan_summary summary;
    int64_t rows = 0;
    const double start = clock_seconds();
    struct plan *plan = plan_make(experiment, "emulator", NULL, &summary, &error);
    need(plan != NULL, "plan");
    need(plan_rows(plan, count_row, &rows, &error), "rows");
    figure("plan of 100,000 trials, expanded and read", clock_seconds() - start, 2);
    if (rows != 100000 || summary.trials != 100000)
        wrong("plan", "not 100,000 trials");
    plan_close(plan);
    experiment_free(experiment);
}

// ---- bounce rows

enum { TRIALS = 10000, LAUNCHES = 10, BOUNCES = 10, ROWS = LAUNCHES * BOUNCES };

static void fill(struct measurement *measurement, struct measured_counts *counts, struct measured_launch *launches,
                 int trial)
{
    *measurement = (struct measurement){.collection = COLLECTION_COUNTS,
                                        .counts = counts,
                                        .count_count = ROWS,
                                        .launches = launches,
                                        .launch_count = LAUNCHES,
                                        .warp_width = 32};
    for (uint32_t i = 0; i < ROWS; ++i) {
        const uint32_t launch = i / BOUNCES, bounce = i % BOUNCES; // the last bounce holds the launch's totals
        const uint64_t paths = (uint64_t)(98304 >> bounce) + launch;
        counts[i] = (struct measured_counts){launch,
                                             bounce + 1 < BOUNCES ? bounce : MEASURED_TOTALS,
                                             {.active_paths = paths, .active_warps = paths / 11 + 1}};
        struct bounce_counts *row = &counts[i].counts;
        row->shadow_rays = paths;
        row->occluded = paths / 3;
        row->nodes = paths * 63;
        row->triangles = paths * 7;
        row->shadow_nodes = paths * 41;
        row->shadow_triangles = paths * 5;
        row->path_hash = 0x9e3779b97f4a7c15u * (uint64_t)(trial + 1);
        row->deaths[DEATH_MISS] = paths / 2;
        row->hits[0] = paths;
        row->hits[1] = paths / 4;
    }
    for (uint32_t i = 0; i < LAUNCHES; ++i)
        launches[i] = (struct measured_launch){.index = i, .bounce = -1, .kernel = "bench", .grid = 480, .block = 64};
}

static bool add_trial(struct store *store, int64_t run, int index)
{
    static struct measured_counts counts[ROWS];
    static struct measured_launch launches[LAUNCHES];
    struct measurement measurement;
    struct trial_row row = {
        .ordinal = index, .point = index, .collections = 1, .spec.parameters = parameters_default()};
    snprintf(row.spec.scene, sizeof row.spec.scene, "open");
    snprintf(row.spec.variant, sizeof row.spec.variant, "%s", index % 5 ? "whole_frame" : "naive");
    snprintf(row.spec.device, sizeof row.spec.device, "emulator");
    row.spec.parameters.seed = index / 5;
    row.spec.parameters.block = 64 + 32 * (index % 5);
    const struct trial_provenance provenance = {"scene", "programs", "device", "driver", "policy", "harness"};
    char key[HASH_TEXT];
    int64_t trial, attempt;
    fill(&measurement, counts, launches, index);
    return store_trial(store, run, &row, &provenance, &trial, key, &error) &&
           store_begin_attempt(store, run, trial, COLLECTION_COUNTS, "", &attempt, &error) &&
           store_finish_attempt(store, attempt, &measurement, &error);
}

static void time_query(struct store *store, const char *what, const char *sql, int64_t wanted, double limit)
{
    int64_t rows = 0;
    const double start = clock_seconds();
    need(store_query(store, sql, NULL, count_value, &rows, &error), sql);
    char text[160];
    snprintf(text, sizeof text, "%s: %lld rows", what, (long long)rows);
    figure(text, clock_seconds() - start, limit);
    if (rows != wanted)
        wrong(text, "another number was wanted");
}

static struct store *begin(const char *path, int64_t *run)
{
    struct experiment *experiment = parse("fixed: {scene: open, variant: naive}\n");
    struct store *store = store_open(path, STORE_WRITE, &error);
    need(store != NULL, "open");
    const struct run_header header = {
        .label = "bench", .command_line = "bench_store", .experiment = experiment_record(experiment)};
    need(store_begin_run(store, &header, run, &error), "run");
    experiment_free(experiment);
    return store;
}

static void bench_rows(const char *path)
{
    int64_t run;
    struct store *store = begin(path, &run);
    const double start = clock_seconds();
    for (int i = 0; i < TRIALS; ++i)
        need(add_trial(store, run, i), "trial");
    figure("1,000,000 bounce rows stored, in 10,000 trials", clock_seconds() - start, 10);
    time_query(store, "table2, of all", "SELECT * FROM table2", TRIALS * (BOUNCES - 1), 2);
    time_query(store, "table2, of one trial", "SELECT * FROM table2 WHERE trial = 77", BOUNCES - 1, 2);
    time_query(store, "survival, of all", "SELECT * FROM survival", TRIALS * (BOUNCES - 1), 2);
    time_query(store, "verification, of all", "SELECT * FROM verification", TRIALS / 5, 2);
    time_query(store, "trial, of all", "SELECT * FROM trial", TRIALS, 2);
    const double closing = clock_seconds();
    store_close(store);
    figure("closed, its log folded in", clock_seconds() - closing, 10);
}

// ---- times

enum { SETTINGS = 400, REPLICATES = 5, REPETITIONS = 10, TIMED_LAUNCHES = 19, SEGMENTS = 9 };

static void fill_times(struct measurement *measurement, struct measured_repetition *repetitions,
                       struct measured_launch *launches, int seed)
{
    static struct measured_kernel kernels[] = {
        {.kernel = "bounce", .facts = {64, 0, 0, 0}, .block = 64, .resident_warps = 4224},
        {.kernel = "select", .facts = {32, 0, 0, 0}, .block = 128, .resident_warps = 8448, .auxiliary = true}};
    const bool single = measurement->collection == COLLECTION_FRAME;
    for (uint32_t r = 0; r < REPETITIONS; ++r) {
        const double noise = 1 + 1e-3 * ((seed * 7 + (int)r * 13) % 11);
        repetitions[r] = (struct measured_repetition){8e-3 * noise, 7.9e-3 * noise, 1e-4 * noise, 1980, 10, 9, 9};
        for (uint32_t i = 0; !single && i < TIMED_LAUNCHES; ++i) {
            struct measured_launch *launch = &launches[r * TIMED_LAUNCHES + i];
            *launch = (struct measured_launch){.repetition = r,
                                               .index = i,
                                               .iteration = (int32_t)i / 2,
                                               .bounce = i % 2 ? -1 : (int32_t)i / 2,
                                               .auxiliary = i % 2,
                                               .grid = 245760 >> i / 2,
                                               .block = 64,
                                               .seconds = 1e-3 * noise / (i + 1)};
            snprintf(launch->kernel, sizeof launch->kernel, "%s", i % 2 ? "select" : "bounce");
        }
    }
    measurement->times = true;
    measurement->warp_width = 32;
    measurement->repetitions = repetitions;
    measurement->repetition_count = REPETITIONS;
    measurement->launches = launches;
    measurement->launch_count = single ? 0 : REPETITIONS * TIMED_LAUNCHES;
    measurement->kernels = kernels;
    measurement->kernel_count = 2;
    measurement->before = measurement->after =
        (struct measured_conditions){true, {40, 500, 1980, 3201, DEVICE_THROTTLE_IDLE, 0}};
}

static void fill_bounces(struct measurement *measurement, struct measured_counts *counts,
                         struct measured_launch *launches)
{
    for (uint32_t i = 0; i < SEGMENTS; ++i) {
        counts[i] = (struct measured_counts){2 * i, i, {.active_paths = 15728640u >> i, .active_warps = 491520u >> i}};
        counts[SEGMENTS + i] = counts[i];
        counts[SEGMENTS + i].bounce = SEGMENTS; // the launch's totals
    }
    fill_times(measurement, &(struct measured_repetition[REPETITIONS]){0}[0], launches, 0);
    measurement->repetition_count = 0;
    measurement->launch_count = TIMED_LAUNCHES;
    measurement->counts = counts;
    measurement->count_count = 2 * SEGMENTS;
}

static bool add_timed_trial(struct store *store, int64_t run, int setting, int replicate)
{
    static struct measured_counts counts[2 * SEGMENTS];
    static struct measured_launch launches[REPETITIONS * TIMED_LAUNCHES];
    struct measured_repetition repetitions[REPETITIONS];
    struct trial_row row = {.ordinal = setting,
                            .point = setting,
                            .replicate = replicate,
                            .collections = 7,
                            .spec.parameters = parameters_default()};
    snprintf(row.spec.scene, sizeof row.spec.scene, "open");
    snprintf(row.spec.variant, sizeof row.spec.variant, "%s", setting % 4 ? "whole_frame" : "naive");
    snprintf(row.spec.device, sizeof row.spec.device, "cuda");
    row.spec.parameters.seed = setting / 4;
    row.spec.parameters.block = 64 + 64 * (setting % 4);
    const struct trial_provenance provenance = {"scene", "programs", "H200", "driver", "relative_ci=0.01 ", "harness"};
    char key[HASH_TEXT];
    int64_t trial, attempt;
    bool done = store_trial(store, run, &row, &provenance, &trial, key, &error);
    for (enum collection kind = COLLECTION_COUNTS; done && kind <= COLLECTION_LAUNCHES; ++kind) {
        struct measurement measurement = {.collection = kind, .stop_reason = "relative_ci"};
        if (kind == COLLECTION_COUNTS && replicate)
            continue;
        if (kind == COLLECTION_COUNTS)
            fill_bounces(&measurement, counts, launches);
        else
            fill_times(&measurement, repetitions, launches, setting * REPLICATES + replicate);
        done = store_begin_attempt(store, run, trial, kind, "", &attempt, &error) &&
               store_finish_attempt(store, attempt, &measurement, &error);
    }
    return done;
}

static void bench_times(const char *path)
{
    int64_t run;
    struct store *store = begin(path, &run);
    const double start = clock_seconds();
    for (int i = 0; i < SETTINGS * REPLICATES; ++i)
        need(add_timed_trial(store, run, i % SETTINGS, i / SETTINGS), "timed trial");
    figure("2,000 timed trials stored, of 400 settings", clock_seconds() - start, 10);
    time_query(store, "table1, of all", "SELECT * FROM table1", SETTINGS, 2);
    time_query(store, "table3, of all", "SELECT * FROM table3", SETTINGS * SEGMENTS, 2);
    time_query(store, "frame_quality, of all", "SELECT * FROM frame_quality", SETTINGS, 2);
    time_query(store, "frame_parts, of all", "SELECT * FROM frame_parts", SETTINGS, 2);
    store_close(store);
    struct stat status;
    if (!stat(path, &status))
        printf("%-58s %8.1f KB\n", "a trial with frame and launches, 10 repetitions each",
               (double)status.st_size / (SETTINGS * REPLICATES) / 1e3);
}

int main(void)
{
    char folder[] = "/tmp/bench_store_XXXXXX", path[64];
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/bench.db", folder);
    bench_plan();
    bench_rows(path);
    unlink(path);
    bench_times(path);
    unlink(path);
    rmdir(folder);
    return 0;
}
