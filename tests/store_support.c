// SPDX-License-Identifier: MIT
#include "check.h"
#include <sys/stat.h>
#include "ask_support.h"
#include "folder_support.h"
#include "plan/plan.h"
#include "store_support.h"

const char *folder;
char path[128];
static struct experiment *experiment;

int make_folder(void **state)
{
    static const char text[] = "fixed: {scene: open, variant: naive}\n";
    folder = folder_new();
    snprintf(path, sizeof path, "%s/it's a 100%% test?.db", folder);
    experiment = experiment_parse("try.yaml", text, sizeof text - 1, &why);
    return experiment ? 0 : -1;
}

int free_experiment(void **state)
{
    experiment_free(experiment);
    return 0;
}

struct store *open_store(enum store_mode mode)
{
    return made(store_open(path, mode, &why));
}

int64_t begin_run(struct store *store)
{
    static const char *const environment[] = {"git", "abc", "cpu", "x", NULL};
    const struct run_header header = {"label", "warpstudy run", experiment_record(experiment), environment};
    int64_t run;
    need(store_begin_run(store, &header, &run, &why));
    return run;
}

struct trial_row a_row(int seed)
{
    static const struct trial_derived lanes = {"lanes", {.type = STORE_INTEGER, .integer = 128}};
    struct trial_row row = {.ordinal = seed,
                            .point = 1,
                            .collections = 1,
                            .spec.parameters = parameters_default(),
                            .derived = &lanes,
                            .derived_count = 1};
    strcpy(row.spec.scene, "open");
    strcpy(row.spec.variant, "naive");
    strcpy(row.spec.device, "emulator");
    row.spec.parameters.seed = seed;
    return row;
}

int64_t a_trial(struct store *store, int64_t run, int seed)
{
    const struct trial_provenance provenance = {"scene", "programs", "device", "driver", "policy", "harness"};
    const struct trial_row row = a_row(seed);
    char key[HASH_TEXT];
    int64_t trial;
    need(store_trial(store, run, &row, &provenance, &trial, key, &why));
    return trial;
}

struct measurement a_measurement(void)
{
    static struct measured_counts counts[ROWS + 1];
    static struct measured_launch launch = {.kernel = "naive", .grid = 4, .block = 64, .bounce = -1};
    static struct measured_kernel kernel = {.kernel = "naive", .facts = {46, 0, -1, 0}};
    static struct measured_repetition repetition = {.host_seconds = 1, .launches_path = 1};
    for (uint32_t i = 0; i <= ROWS; ++i)
        counts[i] =
            (struct measured_counts){0, i < ROWS ? i : MEASURED_TOTALS, {.active_paths = 256 >> i, .active_warps = 8}};
    return (struct measurement){.collection = COLLECTION_COUNTS,
                                .stop_reason = "fixed",
                                .warp_width = 32,
                                .counts = counts,
                                .count_count = ROWS + 1,
                                .launches = &launch,
                                .launch_count = 1,
                                .kernels = &kernel,
                                .kernel_count = 1,
                                .repetitions = &repetition,
                                .repetition_count = 1,
                                .path_hash = UINT64_MAX};
}

int make_database(void **state)
{
    if (make_folder(state))
        return -1;
    struct store *store = open_store(STORE_WRITE);
    a_trial(store, begin_run(store), 1);
    store_close(store);
    return 0;
}

void finish_one(struct store *store, int64_t run, int64_t trial)
{
    const struct measurement measurement = a_measurement();
    int64_t attempt;
    need(store_begin_attempt(store, run, trial, COLLECTION_COUNTS, "", &attempt, &why));
    need(store_finish_attempt(store, attempt, &measurement, &why));
}

bool there_is(const char *file, const char *ending)
{
    char name[200];
    struct stat status;
    snprintf(name, sizeof name, "%s%s", file, ending);
    return !stat(name, &status);
}

void refuses(const char *file, enum store_mode mode, const char *message)
{
    why = (struct error){0};
    struct store *store = store_open(file, mode, &why);
    assert_null(store);
    if (!strstr(why.message, message))
        fail_msg("wanted '%s', got: %s", message, why.message);
    assert_true(why.remedy[0] && error_exit_code(&why) == 2);
}

void check_stored(struct store *store, int stored)
{
    char wanted[32];
    snprintf(wanted, sizeof wanted, "%d %d", stored, 10 * stored);
    assert_string_equal(ask(store, "SELECT count(*) || ' ' || (SELECT count(*) FROM bounce_counts) FROM attempt "
                                   "WHERE status = 'done'"),
                        wanted);
    assert_string_equal(ask(store, "PRAGMA integrity_check"), "ok");
}
