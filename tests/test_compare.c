// SPDX-License-Identifier: MIT
// Comparison of runs from made-up measurements: verdicts and intervals against arithmetic done here.
#include <math.h>

#include "check.h"
#include "ask_support.h"
#include "report_support.h"
#include "store/compare.h"
#include "store/store_handle.h"

enum { FRAMES = 10, MOST = 8 };

static struct store *store;
static int64_t before, after;

static struct made on_gpu(const char *variant, const char *programs)
{
    struct made made = made_fairy(variant, fairy_warps);
    made.device = "cuda";
    made.programs = programs;
    return made;
}

// Replicates with these medians; the first also has counts.
static void add_replicates(int64_t run, struct made made, const double *medians, size_t count)
{
    for (size_t r = 0; r < count; ++r) {
        double frames[FRAMES];
        for (int i = 0; i < FRAMES; ++i) // two in the middle, the others around them
            frames[i] = medians[r] * (i < 2 ? 1 : 1 + 0.01 * (i % 2 ? i : -i));
        made.replicate = (int32_t)r;
        const int64_t trial = made_asked(store, run, &made, 1 << COLLECTION_FRAME | (r ? 0 : 1 << COLLECTION_COUNTS));
        if (!r)
            made_counts(store, run, trial, &made);
        made_frames(store, run, trial, &made, frames, FRAMES, 100);
    }
}

static int set_up(void **state)
{
    need((store = store_open("", STORE_MEMORY, &why)));
    before = made_run(store, "before");
    after = made_run(store, "after");
    return 0;
}

static int tear_down(void **state)
{
    store_close(store);
    return 0;
}

static struct store *compare(const char *a, const char *b)
{
    return made(store_compare(&(struct store_side){store, a}, &(struct store_side){store, b}, true, true, &why));
}

static double number(struct store *both, const char *sql)
{
    return atof(ask(both, sql));
}

static void assert_close(double value, double wanted, double relative)
{
    if (!(fabs(value - wanted) <= relative * fabs(wanted)))
        fail_msg("%.12g is not %.12g", value, wanted);
}

// ---- Welch's test, once more

// Share of Student's distribution between -t and t, by Simpson's rule.
static double student_share(double t, double degrees)
{
    enum { STEPS = 4000 };
    const double height = exp(lgamma((degrees + 1) / 2) - lgamma(degrees / 2)) / sqrt(degrees * acos(-1.0));
    double sum = 0;
    for (int i = 0; i <= STEPS; ++i) {
        const double x = t * i / STEPS, density = height * pow(1 + x * x / degrees, -(degrees + 1) / 2);
        sum += density * (i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2);
    }
    return 2 * sum * t / STEPS / 3;
}

static double student_95(double degrees)
{
    double low = 0, high = 20;
    while (high - low > 1e-9) {
        const double middle = (low + high) / 2;
        *(student_share(middle, degrees) < 0.95 ? &low : &high) = middle;
    }
    return low;
}

static void moments(const double *values, size_t count, double *mean, double *error2)
{
    *mean = *error2 = 0;
    for (size_t i = 0; i < count; ++i)
        *mean += log(values[i]) / (double)count;
    for (size_t i = 0; i < count; ++i)
        *error2 += pow(log(values[i]) - *mean, 2) / (double)(count - 1) / (double)count;
}

static void assert_welch(struct store *both, const double *a, size_t a_n, const double *b, size_t b_n)
{
    double a_mean, b_mean, a_error2, b_error2;
    moments(a, a_n, &a_mean, &a_error2);
    moments(b, b_n, &b_mean, &b_error2);
    const double error2 = a_error2 + b_error2;
    const double degrees =
        error2 * error2 / (a_error2 * a_error2 / (double)(a_n - 1) + b_error2 * b_error2 / (double)(b_n - 1));
    const double half = student_95(floor(degrees)) * sqrt(error2);
    assert_close(number(both, "SELECT ratio FROM temp.compared"), exp(b_mean - a_mean), 1e-12);
    // Tables of Student's t have four digits after the point.
    assert_close(log(number(both, "SELECT low FROM temp.compared")), b_mean - a_mean - half, 1e-3);
    assert_close(log(number(both, "SELECT high FROM temp.compared")), b_mean - a_mean + half, 1e-3);
}

TEST(computes_welch)
{
    const double a[] = {1.000, 1.004, 0.997, 1.010, 1.001}, b[] = {1.100, 1.130, 1.118, 1.094};
    add_replicates(before, on_gpu("naive", "old"), a, 5);
    add_replicates(after, on_gpu("naive", "new"), b, 4);
    struct store *both = compare("before", "after");
    assert_welch(both, a, 5, b, 4);
    assert_string_equal(ask(both, "SELECT a_n || ' ' || b_n FROM temp.compared"), "5 4");
    assert_close(number(both, "SELECT a_seconds FROM temp.compared"), 1.001, 1e-12);
    assert_close(number(both, "SELECT b_seconds FROM temp.compared"), (1.100 + 1.118) / 2, 1e-12);
    assert_close(number(both, "SELECT noise_floor FROM temp.compared"), 1.130 / 1.094 - 1, 1e-12);
    assert_string_equal(ask(both, "SELECT verdict FROM temp.compared"), "slower");
    assert_string_equal(ask(both, "SELECT notes FROM temp.compared"), "other code");
    assert_string_equal(ask(both, "SELECT cell FROM temp.compared"), "open naive");
    assert_string_equal(ask(both, "SELECT counts || image || path_hash FROM temp.compared"), "equalequalequal");
    store_close(both);
    both = compare("after", "before");
    assert_welch(both, b, 4, a, 5);
    assert_string_equal(ask(both, "SELECT verdict FROM temp.compared"), "faster");
    store_close(both);
}

TEST(judges)
{
    static const struct {
        double b[MOST];
        size_t n;
        const char *verdict;
    } cases[] = {
        {{1.001, 0.999, 1.000, 1.002, 0.998}, 5, "same"},
        {{1.002, 1.000, 1.001, 1.003, 0.999}, 5, "same"},   // shifted by less than the noise
        {{1.012, 1.010, 1.011, 1.013, 1.009}, 5, "slower"}, // by more than interval and noise
        {{0.991, 0.989, 0.990, 0.992, 0.988}, 5, "faster"},
        {{1.006, 1.004, 1.005, 1.007, 1.003}, 5, "unclear"}, // across the noise floor
        {{1.5}, 1, "unclear"},                               // one replicate
        {{1.000, 1.003}, 2, "unclear"},                      // two, whose interval is wide
    };
    const double a[] = {1.002, 1.001, 1.000, 0.999, 0.998};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        tear_down(NULL);
        set_up(NULL);
        add_replicates(before, on_gpu("naive", "old"), a, 5);
        add_replicates(after, on_gpu("naive", "new"), cases[i].b, cases[i].n);
        struct store *both = compare("before", "after");
        const char *verdict = ask(both, "SELECT verdict FROM temp.compared");
        if (strcmp(verdict, cases[i].verdict) != 0)
            fail_msg("case %zu: %s, not %s", i, verdict, cases[i].verdict);
        store_close(both);
    }
}

static double normal(void)
{
    double sum = -6; // of twelve uniform ones
    for (int i = 0; i < 12; ++i)
        sum += rand() / (double)RAND_MAX;
    return sum;
}

// Settings that are equal are hardly ever called faster or slower; a tenth more time at 1 % of noise always is.
TEST(errs_seldom)
{
    enum { CELLS = 200, REPLICATES = 5 };
    srand(7);
    for (int i = 0; i < CELLS; ++i)
        for (int side = 0; side < 2; ++side) {
            struct made made = on_gpu("naive", side ? "new" : "old");
            double medians[REPLICATES];
            for (int r = 0; r < REPLICATES; ++r)
                medians[r] = (side && i % 2 ? 1.1 : 1) * (1 + 0.01 * normal());
            made.width = 640 + i;
            add_replicates(side ? after : before, made, medians, REPLICATES);
        }
    struct store *both = compare("before", "after");
    assert_int_equal(number(both, "SELECT count(*) FROM temp.compared"), CELLS);
    static const char equal[] = " FROM temp.compared WHERE json_extract(parameters, '$.width') % 2 = 0";
    static const char slower[] = " FROM temp.compared WHERE json_extract(parameters, '$.width') % 2 = 1";
    char sql[256];
    snprintf(sql, sizeof sql, "SELECT sum(verdict IN ('faster', 'slower'))%s", equal);
    assert_true(number(both, sql) <= 1); // of 100; the noise floor guards beyond the 5 % of the interval
    snprintf(sql, sizeof sql, "SELECT sum(verdict = 'same')%s", equal);
    assert_true(number(both, sql) >= 50);
    snprintf(sql, sizeof sql, "SELECT sum(verdict = 'slower')%s", slower);
    assert_true(number(both, sql) >= 95);
    snprintf(sql, sizeof sql, "SELECT sum(verdict IN ('faster', 'same'))%s", slower);
    assert_int_equal(number(both, sql), 0);
    store_close(both);
}

// ---- what belongs together

TEST(compares_counts)
{
    uint64_t warps[BOUNCES];
    struct made old = on_gpu("naive", "old"), new = on_gpu("naive", "new");
    memcpy(warps, fairy_warps, sizeof warps);
    ++warps[4];
    new.warps = warps;
    made_trial(store, before, &old);
    made_trial(store, after, &new);
    need(sql_exec(&store->db, "UPDATE attempt SET image = 'f' || substr(image, 2) WHERE run = 2", "change", &why));
    struct store *both = compare("before", "after");
    assert_string_equal(ask(both, "SELECT counts || ' ' || image || ' ' || path_hash FROM temp.compared"),
                        "differ differ equal");
    assert_string_equal(ask(both, "SELECT verdict FROM temp.compared"), "not timed");
    assert_string_equal(ask(both, "SELECT group_concat(bounce) FROM temp.compared_bounce WHERE counts = 'differ'"),
                        "4");
    assert_string_equal(ask(both, "SELECT count(*) FROM temp.compared_bounce WHERE counts = 'equal'"), "8");
    assert_string_equal(
        ask(both, "SELECT a_paths || ' ' || b_paths || ' ' || a_warps || ' ' || b_warps FROM temp.compared_bounce "
                  "WHERE bounce = 4"),
        "225000 225000 30144 30145");
    store_close(both);
}

TEST(times_bounces)
{
    for (int side = 0; side < 2; ++side)
        for (int r = 0; r < 3; ++r) {
            struct made made = on_gpu("whole_frame", side ? "new" : "old");
            struct measured_launch rows[] = {{.bounce = 0, .seconds = 0.1 + 1e-4 * r},
                                             {.bounce = 0, .auxiliary = true, .seconds = 7},
                                             {.bounce = 1, .seconds = (side ? 0.3 : 0.2) + 1e-4 * r}};
            made.replicate = r;
            const int64_t run = side ? after : before, trial = made_asked(store, run, &made, 1 << COLLECTION_LAUNCHES);
            made_launches(store, run, trial, &made, rows, 3, 0.001, 100);
        }
    struct store *both = compare("before", "after");
    assert_string_equal(ask(both, "SELECT verdict FROM temp.compared"), "not timed"); // no frame was
    assert_string_equal(ask(both, "SELECT verdict FROM temp.compared_bounce WHERE bounce = 1"), "slower");
    assert_close(number(both, "SELECT b_seconds FROM temp.compared_bounce WHERE bounce = 1"), 0.3001, 1e-12);
    assert_close(number(both, "SELECT a_seconds FROM temp.compared_bounce WHERE bounce = 0"), 0.1001, 1e-12);
    assert_close(number(both, "SELECT ratio FROM temp.compared_bounce WHERE bounce = 0"), 1, 1e-12);
    store_close(both);
}

TEST(pairs_devices)
{
    const double times[] = {1, 1.001, 0.999};
    struct made there = on_gpu("naive", "p"), other = on_gpu("tiled_shared", "p");
    add_replicates(before, there, times, 3);
    add_replicates(before, other, times, 3);
    for (there.replicate = 0; there.replicate < 3; ++there.replicate)
        made_asked(store, after, &there, 1 << COLLECTION_FRAME); // done already
    struct made plain = on_gpu("naive", "p"), counted = on_gpu("whole_frame", "p");
    made_trial(store, before, &counted);
    plain.device = counted.device = NULL; // on the emulator
    made_trial(store, after, &plain);
    made_trial(store, after, &counted);
    need(sql_exec(&store->db,
                  "UPDATE trial_record SET device_name = 'old GPU', setting = setting || 'o', key = key || 'o' "
                  "WHERE variant = 'tiled_shared'",
                  "change", &why));
    add_replicates(after, other, times, 3);
    struct store *both = compare("before", "after");
    assert_string_equal(ask(both, "SELECT count(*) FROM temp.compared"), "4");
    assert_string_equal(ask(both, "SELECT verdict || ', ' || notes FROM temp.compared WHERE cell LIKE '%naive%' "
                                  "AND a_device IS NOT NULL"),
                        "same, the same results"); // the second run found what the first had made
    assert_string_equal(ask(both, "SELECT verdict || ', ' || notes FROM temp.compared WHERE cell LIKE '%naive%' "
                                  "AND a_device IS NULL"),
                        "only in B, on test device");
    // What one side has of a GPU and the other of the emulator: counts belong together, times do not.
    assert_string_equal(ask(both, "SELECT a_device || ', ' || b_device || ', ' || counts || ', ' || verdict "
                                  "FROM temp.compared WHERE cell LIKE '%whole_frame%'"),
                        "NVIDIA H200, test device, equal, not timed");
    assert_string_equal(ask(both, "SELECT a_device || ', ' || b_device || ', ' || notes FROM temp.compared "
                                  "WHERE cell LIKE '%tiled_shared%'"),
                        "old GPU, NVIDIA H200, other device");
    store_close(both);
}

// A label keeps what its runs measured, though it was made due again since; a file has the current results.
TEST(remembers_redone)
{
    int64_t redone;
    const double first[] = {1, 1.001, 0.999}, second[] = {2, 2.002, 1.998};
    add_replicates(before, on_gpu("naive", "p"), first, 3);
    need(store_redo(store, "id > 0", UINT32_MAX, &redone, &why));
    add_replicates(after, on_gpu("naive", "p"), second, 3);
    struct store *both = compare("before", "after");
    assert_string_equal(ask(both, "SELECT verdict FROM temp.compared"), "slower");
    assert_close(number(both, "SELECT a_seconds FROM temp.compared"), 1, 1e-12);
    assert_close(number(both, "SELECT b_seconds FROM temp.compared"), 2, 1e-12);
    store_close(both);
    both = compare("before", NULL);
    assert_close(number(both, "SELECT b_seconds FROM temp.compared"), 2, 1e-12);
    store_close(both);
}

static void refuses(const char *a, const char *b, const char *words)
{
    refused(store_compare(&(struct store_side){store, a}, &(struct store_side){store, b}, true, true, &why), "", "");
    char text[2200];
    error_format(&why, text, sizeof text);
    if (!strstr(text, words))
        fail_msg("'%s' has no '%s'", text, words);
}

TEST(names_what_is_missing)
{
    struct made made = on_gpu("naive", "p");
    made_trial(store, before, &made);
    refuses("befor", "after", "did you mean 'before'?");
    refuses("before", "night", "no run in :memory: has the label 'night'");
    refuses("before", "after", "nothing was measured in :memory: by runs with the label after");
    made_run(store, "1.10"); // no number, though it looks like one
    refuses("before", "1.10", "nothing was measured");
    refuses("before", "1.1", "no run in :memory: has the label '1.1'");
}

TEST_EACH(set_up, tear_down)
