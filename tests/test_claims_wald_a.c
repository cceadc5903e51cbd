// SPDX-License-Identifier: MIT
// Claims of Wald 2011 that counts and arithmetic decide, C01 to C18, over made-up databases: the paper's counts with
// one sample changed, which changes what a part of a claim comes to.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "claims_support.h"

// What is changed: nothing, a count of active paths of both kernels or of the compacted one alone, of naive warps or of
// compacted warps; or naive warps are as few as compacted ones.
enum changed { NOTHING, PATHS, COMPACTED_PATHS, NAIVE_WARPS, COMPACTED_WARPS, NO_GAPS };

struct counts_row {
    const char *part; // of assert_outcome
    enum changed changed;
    int bounce;
    uint64_t value;
    enum claim_outcome outcome;
};

static const struct counts_row counts_rows[] = {
    {"C02 saved", NOTHING, 0, 0, OUTCOME_ACCEPTED},
    {"C02 saved", NO_GAPS, 0, 0, OUTCOME_REFUTED},
    {"C02 saved", COMPACTED_WARPS, 8, 50000, OUTCOME_BETWEEN},  // 1.60 saved
    {"C02 saved", COMPACTED_WARPS, 8, 100000, OUTCOME_REFUTED}, // 1.21
    {"C09 difference", NOTHING, 0, 0, OUTCOME_ACCEPTED},
    {"C09 difference", COMPACTED_PATHS, 5, 154999, OUTCOME_REFUTED},
    {"C09 difference", COMPACTED_PATHS, 8, 0, OUTCOME_REFUTED}, // no row there
    {"C09 tiled", COMPACTED_PATHS, 5, 154999, OUTCOME_REFUTED},
    {"C09 warps", NOTHING, 0, 0, OUTCOME_ACCEPTED},
    {"C09 warps", NO_GAPS, 0, 0, OUTCOME_REFUTED},
    {"C10 share", NOTHING, 0, 0, OUTCOME_ACCEPTED},
    {"C10 share", NAIVE_WARPS, 8, 3000, OUTCOME_REFUTED},    // a tenth of them
    {"C10 exponent", NAIVE_WARPS, 8, 8000, OUTCOME_BETWEEN}, // 0.48
    {"C10 exponent", NAIVE_WARPS, 8, 5000, OUTCOME_REFUTED}, // 0.65
    {"C11 last", NOTHING, 0, 0, OUTCOME_ACCEPTED},
    {"C11 last", NAIVE_WARPS, 8, 12000, OUTCOME_BETWEEN}, // 16 % at bounce 8
    {"C11 last", NAIVE_WARPS, 8, 5000, OUTCOME_REFUTED},  // 38 %
    {"C11 total", NOTHING, 0, 0, OUTCOME_ACCEPTED},
    {"C11 total", NO_GAPS, 0, 0, OUTCOME_REFUTED},
    {"C12 beyond", NOTHING, 0, 0, OUTCOME_ACCEPTED},
    {"C12 beyond", COMPACTED_WARPS, 4, 7032, OUTCOME_ACCEPTED}, // each of 3 launches has one warp more
    {"C12 beyond", COMPACTED_WARPS, 4, 7035, OUTCOME_REFUTED},
};

struct counted {
    uint64_t naive_paths[BOUNCES], paths[BOUNCES], naive_warps[BOUNCES], warps[BOUNCES];
};

// In made-up databases a bounce has three launches: as many paths as give each of them full warps.
static void make_counts(const struct counts_row *row, struct counted *counted)
{
    for (int b = 0; b < BOUNCES; ++b)
        counted->naive_paths[b] = fairy_paths[b] - fairy_paths[b] % 96;
    if (row->changed == PATHS)
        counted->naive_paths[row->bounce] = row->value;
    memcpy(counted->paths, counted->naive_paths, sizeof counted->paths);
    memcpy(counted->naive_warps, fairy_warps, sizeof counted->naive_warps);
    made_compact(counted->paths, counted->warps);
    if (row->changed == NO_GAPS)
        memcpy(counted->naive_warps, counted->warps, sizeof counted->warps);
    if (row->changed == COMPACTED_PATHS)
        counted->paths[row->bounce] = row->value;
    if (row->changed == NAIVE_WARPS)
        counted->naive_warps[row->bounce] = row->value;
    if (row->changed == COMPACTED_WARPS)
        counted->warps[row->bounce] = row->value;
}

static void add_counts(struct bench *bench, const struct counted *counted, const char *scene)
{
    struct made made = made_fairy("naive", counted->naive_warps);
    made.scene = scene;
    made.parameters = claim_parameters;
    made.paths = counted->naive_paths;
    bench_add(bench, &made);
    made.variant = "whole_frame";
    made.paths = counted->paths;
    made.warps = counted->warps;
    bench_add(bench, &made);
}

// Of an emulator's run: it has no times.
static void test_counts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof counts_rows / sizeof counts_rows[0]; ++i) {
        struct bench bench;
        struct counted counted;
        make_counts(&counts_rows[i], &counted);
        bench_open(&bench);
        add_counts(&bench, &counted, "forest");
        assert_outcome(&bench, i, counts_rows[i].part, counts_rows[i].outcome);
        bench_close(&bench);
    }
}

// All claims over one such run, on a scene that decides and on one that was fitted.
static void test_emulator(void **state)
{
    (void)state;
    static const struct {
        const char *parts[20];
        enum claim_outcome outcome, fitted;
    } rows[] = {
        {{"C02 printed", "C05 difference", "C06 dropped", "C09 difference", "C12 beyond"},
         OUTCOME_ACCEPTED,
         OUTCOME_ACCEPTED},
        {{"C02 saved", "C10 share", "C11 total"}, OUTCOME_ACCEPTED, OUTCOME_EXCLUDED},
        {{"C01 speedup", "C03 last", "C04 slowdown", "C06 speed", "C07 speed", "C08 two", "C13 kernels", "C14 overhead",
          "C15 ratio", "C16 rise", "C17 rise", "C18 ratio"},
         OUTCOME_UNMEASURED,
         OUTCOME_UNMEASURED},
    };
    for (int fitted = 0; fitted < 2; ++fitted) {
        struct bench bench;
        struct counted counted;
        make_counts(&counts_rows[0], &counted);
        bench_open(&bench);
        add_counts(&bench, &counted, fitted ? "open" : "forest");
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
            for (const char *const *part = rows[i].parts; *part; ++part)
                assert_outcome(&bench, i, *part, fitted ? rows[i].fitted : rows[i].outcome);
        bench_close(&bench);
    }
}

// A scene that one variant alone has run is no case of equality between variants.
static void test_alone(void **state)
{
    (void)state;
    struct bench bench;
    struct counted counted;
    make_counts(&counts_rows[0], &counted);
    bench_open(&bench);
    add_counts(&bench, &counted, "forest");
    struct made made = made_fairy("naive", counted.naive_warps);
    made.scene = "moto";
    made.parameters = claim_parameters;
    bench_add(&bench, &made);
    assert_int_equal(claim_cases_of(&bench, "C09"), 1);
    bench_close(&bench);
}

// Arithmetic on what is printed.
static void test_printed(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench);
    assert_outcome(&bench, 0, "C05 difference", OUTCOME_ACCEPTED);
    assert_outcome(&bench, 0, "C04 printed", OUTCOME_REFUTED); // its caption, by its own table
    struct published *published = bench.paper->published;
    for (size_t i = 0; i < published->table_count; ++i)
        if (!strcmp(published->tables[i].id, "figure2_right"))
            published->tables[i].cells[published->tables[i].column_count + 1].value = 10; // for 8 %
    assert_outcome(&bench, 1, "C05 difference", OUTCOME_REFUTED);
    bench_close(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts), cmocka_unit_test(test_emulator),
                                       cmocka_unit_test(test_alone), cmocka_unit_test(test_printed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
