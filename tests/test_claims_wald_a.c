// SPDX-License-Identifier: MIT
// Claims of Wald 2011 that counts and arithmetic decide, C01 to C18, over made-up databases: the paper's counts with
// one sample changed, which changes the verdict.
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
    const char *claim;
    enum changed changed;
    int bounce;
    uint64_t value;
    enum claim_verdict verdict;
};

static const struct counts_row counts_rows[] = {
    {"C02", NOTHING, 0, 0, VERDICT_REPRODUCED},
    {"C02", NO_GAPS, 0, 0, VERDICT_REFUTED},
    {"C02", COMPACTED_WARPS, 8, 100000, VERDICT_REFUTED}, // 1.21 saved
    {"C02", NAIVE_WARPS, 8, 0, VERDICT_REPRODUCED},
    {"C02", PATHS, 3, 480000, VERDICT_NOT_MEASURED}, // no longer like fairy
    {"C09", NOTHING, 0, 0, VERDICT_REPRODUCED},
    {"C09", COMPACTED_PATHS, 5, 154999, VERDICT_REFUTED},
    {"C09", COMPACTED_PATHS, 8, 0, VERDICT_REFUTED}, // no row there
    {"C10", NOTHING, 0, 0, VERDICT_REPRODUCED},
    {"C10", NAIVE_WARPS, 8, 3000, VERDICT_DIRECTION}, // 10.2 times, of 16.4
    {"C10", NAIVE_WARPS, 8, 2000, VERDICT_REFUTED},   // 15.4 times
    {"C11", NOTHING, 0, 0, VERDICT_REPRODUCED},
    {"C11", NAIVE_WARPS, 8, 5000, VERDICT_DIRECTION}, // 38 % at bounce 8
    {"C11", NO_GAPS, 0, 0, VERDICT_REFUTED},
    {"C12", NOTHING, 0, 0, VERDICT_REPRODUCED},
    {"C12", COMPACTED_WARPS, 4, 7032, VERDICT_REPRODUCED}, // each of 3 launches has one warp more
    {"C12", COMPACTED_WARPS, 4, 7035, VERDICT_REFUTED},
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
        assert_verdict(&bench, i, counts_rows[i].claim, counts_rows[i].verdict);
        bench_close(&bench);
    }
}

// All claims over one such run, on a scene that decides and on one that was fitted.
static void test_emulator(void **state)
{
    (void)state;
    static const struct {
        const char *claims[20];
        enum claim_verdict verdict, fitted;
    } rows[] = {
        {{"C05", "C09", "C12"}, VERDICT_REPRODUCED, VERDICT_REPRODUCED},
        {{"C02", "C10", "C11"}, VERDICT_REPRODUCED, VERDICT_INCONCLUSIVE},
        {{"C01", "C03", "C04", "C06", "C07", "C08", "C13", "C14", "C15", "C16", "C17", "C18"},
         VERDICT_NOT_MEASURED,
         VERDICT_NOT_MEASURED},
    };
    for (int fitted = 0; fitted < 2; ++fitted) {
        struct bench bench;
        struct counted counted;
        make_counts(&counts_rows[0], &counted);
        bench_open(&bench);
        add_counts(&bench, &counted, fitted ? "open" : "forest");
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
            for (const char *const *id = rows[i].claims; *id; ++id)
                assert_verdict(&bench, i, *id, fitted ? rows[i].fitted : rows[i].verdict);
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
    assert_verdict(&bench, 0, "C05", VERDICT_REPRODUCED);
    struct published *published = bench.paper->published;
    for (size_t i = 0; i < published->table_count; ++i)
        if (!strcmp(published->tables[i].id, "figure2_right"))
            published->tables[i].cells[published->tables[i].column_count + 1].value = 10; // for 8 %
    assert_verdict(&bench, 1, "C05", VERDICT_REFUTED);
    bench_close(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts), cmocka_unit_test(test_emulator),
                                       cmocka_unit_test(test_alone), cmocka_unit_test(test_printed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
