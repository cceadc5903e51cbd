// SPDX-License-Identifier: MIT
// How long executions will take, from times that are written by hand: what is expected is worked out beside each.
#include <math.h>
#include <sqlite3.h>
#include <unistd.h>

#include "check.h"
#include "folder_support.h"
#include "plan/estimate.h"
#include "plan/experiment.h"
#include "store/attempt.h"

static const char *path;
static const char policy_text[] = "warmups=2 min_repetitions=10 relative_ci=0.01";

// ---- what a database holds

struct row {
    const char *scene, *variant, *device;
    int side; // of the square image
    enum collection kind;
    double seconds; // of the execution
    int replicate;
};

static struct trial_spec spec_of(const struct row *row)
{
    struct trial_spec spec = {.parameters = parameters_default()};
    snprintf(spec.scene, sizeof spec.scene, "%s", row->scene);
    snprintf(spec.variant, sizeof spec.variant, "%s", row->variant);
    snprintf(spec.device, sizeof spec.device, "%s", row->device);
    spec.parameters.width = spec.parameters.height = row->side;
    return spec;
}

static void add(struct store *store, int64_t run, const struct row *row)
{
    const struct trial_row planned = {.replicate = row->replicate, .spec = spec_of(row)};
    const struct trial_provenance provenance = {"", "", row->device, "", policy_text, ""};
    struct measurement measurement = {.collection = row->kind, .warp_width = 32, .times = true};
    int64_t trial, attempt;
    char key[HASH_TEXT];
    snprintf(measurement.stop_reason, sizeof measurement.stop_reason, "fixed");
    need(store_trial(store, run, &planned, &provenance, &trial, key, &why));
    need(store_begin_attempt(store, run, trial, row->kind, "", &attempt, &why));
    need(store_finish_attempt(store, attempt, &measurement, &why));
}

// Attempts are stored when they happen: their times are set afterwards.
static void set_times(const struct row *rows, size_t count)
{
    sqlite3 *database;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    for (size_t i = 0; i < count; ++i) {
        char *sql = sqlite3_mprintf("UPDATE attempt SET started = '2026-01-01T00:00:00.000Z', finished = "
                                    "strftime('%%Y-%%m-%%dT%%H:%%M:%%fZ', '2026-01-01', '%+.3f seconds') WHERE id = %d",
                                    rows[i].seconds, (int)i + 1);
        assert_int_equal(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
        sqlite3_free(sql);
    }
    sqlite3_close(database);
}

static struct past *past_of(const struct row *rows, size_t count)
{
    static const char text[] = "name: t\nfixed: {scene: open, variant: naive}\n";
    struct experiment *experiment = experiment_parse("try.yaml", text, sizeof text - 1, &why);
    const struct run_header header = {.label = "one", .command_line = "", .experiment = experiment_record(experiment)};
    int64_t run;
    unlink(path);
    struct store *store = store_open(path, STORE_WRITE, &why);
    need(experiment && store && store_begin_run(store, &header, &run, &why));
    for (size_t i = 0; i < count; ++i)
        add(store, run, &rows[i]);
    store_close(store);
    set_times(rows, count);
    need(store = store_open(path, STORE_READ, &why));
    struct past *past = made(past_read(store, &why));
    store_close(store);
    experiment_free(experiment);
    return past;
}

#define PAST(rows) past_of(rows, sizeof(rows) / sizeof *(rows))

static struct estimate estimate(const struct past *past, const struct row *row, const struct policy *policy)
{
    const struct trial_spec spec = spec_of(row);
    return estimate_execution(past, &spec, row->kind, policy_text, policy);
}

// ---- the tests

// Executions in which the clock was set count as done, and not for what others will take.
TEST(test_clock_that_was_set)
{
    const struct row one = {.scene = "a", .variant = "naive", .device = "cuda", .side = 64, .kind = COLLECTION_COUNTS};
    struct row rows[] = {one, one, one, one};
    const double seconds[] = {2, -3600, 366 * 86400., -1};
    for (int i = 0; i < 4; ++i)
        rows[i].seconds = seconds[i], rows[i].replicate = i;
    rows[3].scene = "b";
    struct past *past = PAST(rows);
    const struct trial_spec spec = spec_of(&rows[0]), other = spec_of(&rows[3]);
    assert_int_equal(past_done(past, &spec, COLLECTION_COUNTS, policy_text), 3);
    assert_int_equal(past_done(past, &other, COLLECTION_COUNTS, policy_text), 1);
    struct estimate found = estimate(past, &rows[0], NULL);
    assert_int_equal(found.basis, ESTIMATE_SAME);
    assert_float_equal(found.seconds, 2, 1e-3);
    found = estimate(past, &rows[3], NULL);
    assert_int_equal(found.basis, ESTIMATE_NEAR);
    assert_float_equal(found.seconds, 2, 0.1);
    past_free(past);
}

TEST(test_same_setting)
{
    const struct row rows[] = {
        {.scene = "a", .variant = "naive", .device = "cuda", .side = 64, .kind = COLLECTION_FRAME, .seconds = 2},
        {.scene = "a",
         .variant = "naive",
         .device = "cuda",
         .side = 64,
         .kind = COLLECTION_FRAME,
         .seconds = 4,
         .replicate = 1},
        {.scene = "b", .variant = "naive", .device = "cuda", .side = 64, .kind = COLLECTION_FRAME, .seconds = 50},
    };
    struct past *past = PAST(rows);
    const struct policy policy = policy_default();
    const struct estimate found = estimate(past, &rows[0], &policy);
    assert_int_equal(found.basis, ESTIMATE_SAME);
    assert_float_equal(found.seconds, 3, 1e-3); // mean of 2 and 4
    assert_true(found.low < 3 && found.high > 3);

    const struct trial_spec spec = spec_of(&rows[0]);
    assert_int_equal(past_done(past, &spec, COLLECTION_FRAME, policy_text), 2);
    assert_int_equal(past_done(past, &spec, COLLECTION_FRAME, "warmups=2 min_repetitions=20 relative_ci=0.002"), 0);
    assert_int_equal(past_done(past, &spec, COLLECTION_COUNTS, policy_text), 0);
    past_free(past);
}

// Four times the pixels; another scene, which is nearer than another variant; another policy.
TEST(test_similar_settings)
{
    const struct row rows[] = {
        {.scene = "a", .variant = "naive", .device = "cuda", .side = 1, .kind = COLLECTION_COUNTS, .seconds = 0.002},
        {.scene = "a", .variant = "naive", .device = "cuda", .side = 100, .kind = COLLECTION_COUNTS, .seconds = 10},
        {.scene = "a",
         .variant = "whole_frame",
         .device = "cuda",
         .side = 100,
         .kind = COLLECTION_COUNTS,
         .seconds = 20},
    };
    struct past *past = PAST(rows);
    struct row asked = {.scene = "a", .variant = "naive", .device = "cuda", .side = 200, .kind = COLLECTION_COUNTS};
    struct estimate found = estimate(past, &asked, NULL);
    assert_int_equal(found.basis, ESTIMATE_NEAR);
    assert_float_equal(found.seconds, 40, 0.1);
    assert_true(found.low < 40 && found.high > 40);
    asked =
        (struct row){.scene = "b", .variant = "whole_frame", .device = "cuda", .side = 100, .kind = COLLECTION_COUNTS};
    found = estimate(past, &asked, NULL);
    assert_int_equal(found.basis, ESTIMATE_NEAR);
    assert_float_equal(found.seconds, 20, 0.1);
    const struct trial_spec spec = spec_of(&rows[1]);
    found = estimate_execution(past, &spec, COLLECTION_COUNTS, "other", NULL);
    assert_int_equal(found.basis, ESTIMATE_NEAR);
    assert_float_equal(found.seconds, 10, 0.1);
    past_free(past);
}

TEST(test_no_times)
{
    const struct row rows[] = {
        {.scene = "a", .variant = "naive", .device = "cuda", .side = 100, .kind = COLLECTION_COUNTS, .seconds = 10},
    };
    struct past *past = PAST(rows);
    struct row asked = rows[0];
    asked.device = "emulator"; // of another device there is none
    struct estimate found = estimate(past, &asked, NULL);
    assert_int_equal(found.basis, ESTIMATE_RULE);
    assert_true(found.low > 0 && found.low * 2 < found.high);
    asked = rows[0];
    asked.kind = COLLECTION_STALLS; // nor of another collection
    assert_int_equal(estimate(past, &asked, NULL).basis, ESTIMATE_RULE);
    assert_int_equal(estimate(NULL, &rows[0], NULL).basis, ESTIMATE_RULE);
    const struct policy policy = policy_default(); // frames are repeated where the device has a clock
    asked.kind = COLLECTION_FRAME;
    const struct estimate once = estimate(NULL, &asked, NULL), repeated = estimate(NULL, &asked, &policy);
    assert_true(repeated.low > once.low && repeated.high > once.high + policy.max_seconds);
    past_free(past);
}

static int name_database(void **state)
{
    path = folder_file("estimate.db", "%s", "");
    return 0;
}

TEST_GROUP(name_database, NULL)
