// SPDX-License-Identifier: MIT
// The tables `parts` and `conflicts`, from made-up launches on a made-up GPU: every cell computed here from the same rows.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "report_study.h"

static const struct report_options options = {NULL, NULL, false};

enum { SPP = 2, MOVED = 4000000 };

// A frame of made-up launches: milliseconds of each stage, "" of a kernel that is none, "lists" of an auxiliary one.
struct made_frame {
    const char *variant, *parameters;
    double frame; // milliseconds
    struct {
        const char *stage;
        double milliseconds;
    } parts[8];
};

// Launches of a replicate that takes `factor` times as long as its middle one.
static void store_parts(struct bench *bench, int64_t trial, const struct made *made, const struct made_frame *frame,
                        double factor)
{
    struct measured_launch rows[8];
    size_t count = 0;
    memset(rows, 0, sizeof rows);
    for (; count < 8 && frame->parts[count].stage; ++count) {
        rows[count].auxiliary = !strcmp(frame->parts[count].stage, "lists");
        rows[count].bounce = -1;
        rows[count].seconds = 1e-3 * factor * frame->parts[count].milliseconds;
        if (!rows[count].auxiliary)
            snprintf(rows[count].stage, sizeof rows[count].stage, "%s", frame->parts[count].stage);
    }
    if (count)
        made_launches(bench->store, bench->run, trial, made, rows, count, 0, RESIDENT);
}

static void store_frames(struct bench *bench, int64_t trial, const struct made *made, double milliseconds)
{
    double seconds[REPETITIONS];
    for (size_t i = 0; i < REPETITIONS; ++i)
        seconds[i] = 1e-3 * milliseconds;
    made_frames(bench->store, bench->run, trial, made, seconds, REPETITIONS, RESIDENT);
}

// The paper's counts, and of a pipeline three quarters of the lanes and so many bytes.
static void store_counts(struct bench *bench, int64_t trial, const struct made *made, bool pipeline)
{
    struct measured_counts counts[BOUNCES + 1];
    struct measured_launch launch = {.kernel = "kernel", .block = 64, .grid = 100, .bounce = -1, .seconds = NAN};
    memset(counts, 0, sizeof counts);
    for (uint32_t bounce = 0; bounce < BOUNCES; ++bounce) {
        counts[bounce].bounce = bounce;
        counts[bounce].counts.active_paths = fairy_paths[bounce];
        counts[bounce].counts.active_warps = fairy_warps[bounce];
    }
    counts[BOUNCES].bounce = MEASURED_TOTALS;
    counts[BOUNCES].counts.active_warps = 1;
    if (pipeline) {
        counts[BOUNCES].counts.live_lanes = 24000;
        counts[BOUNCES].counts.live_warps = 1000;
        counts[BOUNCES].counts.moved_bytes = MOVED;
    }
    made_finish(bench->store, bench->run, trial, made,
                &(struct measurement){.collection = COLLECTION_COUNTS,
                                      .counts = counts,
                                      .count_count = BOUNCES + 1,
                                      .launches = &launch,
                                      .launch_count = 1});
}

static void add(struct bench *bench, const char *work, const struct made_frame *frame)
{
    char parameters[200];
    struct made made = on_gpu(frame->variant, "arch");
    snprintf(parameters, sizeof parameters, "spp=%d materials=scene %s %s", SPP, work, frame->parameters);
    made.parameters = parameters;
    for (; made.replicate < REPLICATES; ++made.replicate) {
        const uint32_t asked = frame_asked | counts_asked | (frame->parts[0].stage ? launches_asked : 0);
        const int64_t trial = made_asked(bench->store, bench->run, &made, asked);
        store_frames(bench, trial, &made, frame->frame);
        store_parts(bench, trial, &made, frame, 1 + 0.1 * (made.replicate - MIDDLE)); // which keeps the mean
        if (made.replicate == 0)
            store_counts(bench, trial, &made,
                         strcmp(frame->variant, "naive") && strncmp(frame->variant, "whole_frame", 11));
    }
}

static double rays(void)
{
    double sum = 0;
    for (size_t bounce = 0; bounce < BOUNCES; ++bounce)
        sum += (double)fairy_paths[bounce];
    return sum;
}

static double milliseconds(const struct made_frame *frame, const char *stages)
{
    double sum = 0;
    for (size_t i = 0; i < 8 && frame->parts[i].stage; ++i)
        if (strstr(stages, frame->parts[i].stage[0] ? frame->parts[i].stage : "kernel"))
            sum += frame->parts[i].milliseconds;
    return sum;
}

static const char tracing[] = "trace shadow", shading[] = "surface light shade next logic material miss blend",
                  bookkeeping[] = "regenerate check flag move lists",
                  everything[] =
                      "kernel trace shadow surface light shade next logic material miss blend regenerate check flag "
                      "move lists";

static void open_paper(struct bench *bench, const char *paper)
{
    struct error error = {0};
    bench_open(bench);
    paper_free(bench->paper);
    bench->paper = paper_load(paper, &error);
    must(bench->paper != NULL, &error);
}

// ---- parts

// Lost in the stages, in bookkeeping, in the gaps; not lost.
static const struct made_frame pipelines[] = {
    {"naive", "", 100, {{"", 98}}},
    {"pool_refill",
     "",
     150,
     {{"regenerate", 3}, {"trace", 60}, {"surface", 20}, {"light", 10}, {"shadow", 25}, {"next", 22}}},
    {"tile_regenerate",
     "",
     130,
     {{"check", 25}, {"lists", 12}, {"trace", 45}, {"shadow", 15}, {"shade", 25}, {"regenerate", 2}}},
    {"stream_compact",
     "compact_every=4",
     140,
     {{"flag", 5}, {"lists", 5}, {"trace", 45}, {"shadow", 15}, {"shade", 25}}},
    {"thread_regenerate", "", 90, {{"trace", 50}, {"shadow", 15}, {"shade", 20}}},
    {"fullest_queue", "", 80, {{"trace", 40}, {"shadow", 10}, {"miss", 5}, {"surface", 15}, {"move", 2}, {"lists", 3}}},
};
enum { PIPELINES = sizeof pipelines / sizeof *pipelines };

static const char *row_of(const struct made_frame *frame)
{
    return frame->parameters[0] ? "stream_compact, compact every 4" : frame->variant;
}

static void check_row(const struct bench *bench, const struct made_frame *frame, double whole)
{
    const char *row = row_of(frame);
    const bool single = !strcmp(frame->variant, "naive");
    assert_near(cell(bench, row, "total"), 100 * frame->frame / whole);
    assert_near(cell(bench, row, "gaps"), 100 * (frame->frame - milliseconds(frame, everything)) / whole);
    assert_near(cell(bench, row, "per_ray"), 1e6 * frame->frame / rays());
    if (single) {
        assert_near(cell(bench, row, "kernel"), 100 * milliseconds(frame, "kernel") / whole);
        assert_true(isnan(cell(bench, row, "trace")));
        return;
    }
    assert_near(cell(bench, row, "trace"), 100 * milliseconds(frame, "trace") / whole);
    assert_near(cell(bench, row, "shadow"), 100 * milliseconds(frame, "shadow") / whole);
    assert_near(cell(bench, row, "shading"), 100 * milliseconds(frame, shading) / whole);
    assert_near(cell(bench, row, "bookkeeping"), 100 * milliseconds(frame, bookkeeping) / whole);
    assert_near(cell(bench, row, "traced"), 1e6 * milliseconds(frame, tracing) / rays());
    assert_near(cell(bench, row, "moved"), MOVED / rays());
    assert_near(cell(bench, row, "lanes"), 0.75);
}

static void parts_of_a_pipeline_add_up_to_its_frame(void **state)
{
    (void)state;
    struct bench bench;
    open_paper(&bench, "frolov2015");
    for (size_t i = 0; i < PIPELINES; ++i)
        add(&bench, "max_bounces=8", &pipelines[i]);
    add(&bench, "max_bounces=8", &(struct made_frame){"two_stage", "", 1, {{"trace", 1}}}); // of another document
    bench_table(&bench, "parts", options);
    show(&bench);
    assert_int_equal(bench.table->panels[0].row_count, PIPELINES);
    for (size_t i = 0; i < PIPELINES; ++i)
        check_row(&bench, &pipelines[i], pipelines[0].frame);
    assert_drawn(&bench, "parts");
    bench_close(&bench);
}

static void the_part_that_loses_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *row, *words;
    } wanted[] = {
        {"pool_refill", "in its stages themselves, which move"},
        {"tile_regenerate", "because of its bookkeeping"},
        {"stream_compact, compact every 4", "because of the gaps"},
        {"thread_regenerate", NULL},
        {"fullest_queue", NULL},
        {"majority_state", "launches were not timed"},
    };
    struct bench bench;
    open_paper(&bench, "frolov2015");
    for (size_t i = 0; i < PIPELINES; ++i)
        add(&bench, "max_bounces=8", &pipelines[i]);
    add(&bench, "max_bounces=8", &(struct made_frame){"majority_state", "", 500, {{NULL, 0}}});
    bench_table(&bench, "parts", options);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i) {
        const char *flags = whole_cell(&bench, wanted[i].row, "total")->flags;
        if (!wanted[i].words)
            assert_null(flags ? strstr(flags, "slower") : NULL);
        else if (!flags || !strstr(flags, wanted[i].words))
            fail_msg("%s: '%s' does not say '%s'", wanted[i].row, flags ? flags : "", wanted[i].words);
    }
    const char *finding = report_fact(&bench.table->panels[0], "finding");
    assert_non_null(strstr(finding, "4 of 6 schedules are slower than one kernel"));
    assert_non_null(strstr(finding, "pool_refill (stages)"));
    assert_non_null(strstr(finding, "tile_regenerate (bookkeeping)"));
    assert_non_null(strstr(finding, "stream_compact (gaps)"));
    bench_close(&bench);
}

static void wavefronts_have_their_own(void **state)
{
    (void)state;
    static const struct made_frame frames[] = {
        {"naive", "", 50, {{"", 49}}},
        {"two_stage", "tickets=atomic", 40, {{"regenerate", 1}, {"trace", 20}, {"logic", 15}}},
        {"three_stage", "tickets=atomic", 60, {{"regenerate", 1}, {"trace", 20}, {"logic", 15}, {"material", 18}}},
    };
    struct bench bench;
    open_paper(&bench, "cmu2023");
    for (size_t i = 0; i < 3; ++i)
        add(&bench, "lighting=mix roulette=yocto", &frames[i]);
    add(&bench, "lighting=mix roulette=yocto", &(struct made_frame){"pool_refill", "", 1, {{"trace", 1}}});
    bench_table(&bench, "parts", options);
    show(&bench);
    assert_int_equal(bench.table->panels[0].row_count, 3);
    assert_near(cell(&bench, "two_stage, tickets atomic", "total"), 80);
    assert_near(cell(&bench, "two_stage, tickets atomic", "gaps"), 8);
    assert_near(cell(&bench, "three_stage, tickets atomic", "shading"), 66);
    bench_close(&bench);
}

// ---- conflicts

static void both_sides_of_a_conflict_stand_on_one_work(void **state)
{
    (void)state;
    static const struct made_frame frames[] = {
        {"naive", "", 100, {{"", 98}}},
        {"whole_frame", "", 80, {{"", 70}, {"lists", 2}}},
        {"whole_frame_off", "", 107.5, {{"", 105}}},
        {"pool_refill", "", 120, {{"regenerate", 3}, {"trace", 60}, {"shadow", 20}, {"shade", 30}}},
        {"stream_compact",
         "compact_every=1",
         110,
         {{"flag", 4}, {"lists", 5}, {"trace", 50}, {"shadow", 10}, {"shade", 30}, {"regenerate", 2}}},
        {"two_stage", "tickets=atomic", 80, {{"trace", 40}, {"logic", 30}}},
    };
    struct bench bench;
    open_paper(&bench, "frolov2015");
    for (size_t i = 0; i < sizeof frames / sizeof *frames; ++i)
        add(&bench, "", &frames[i]);
    bench_table(&bench, "conflicts", options);
    show(&bench);
    const struct made_frame *wald = &frames[1], *frolov = &frames[4];
    assert_near(cell(&bench, "Wald: whole_frame", "of_frame"), 100 * milliseconds(wald, bookkeeping) / wald->frame);
    assert_near(cell(&bench, "Wald: whole_frame", "of_paths"), 100 * 2 / 70.0);
    assert_near(cell(&bench, "Wald: whole_frame", "with_gaps"), 100 * (2 + 80 - 72) / 80.0);
    assert_true(isnan(cell(&bench, "Wald: whole_frame", "of_tracing")));
    assert_near(cell(&bench, "Frolov: stream_compact", "of_frame"), 100 * milliseconds(frolov, "flag lists") / 110);
    assert_near(cell(&bench, "Frolov: stream_compact", "of_tracing"),
                100 * milliseconds(frolov, "flag lists") / milliseconds(frolov, tracing));
    assert_near(cell(&bench, "Frolov: stream_compact", "of_paths"), 100 * 9 / 90.0);
    assert_true(isnan(cell(&bench, "Frolov: stream_compact", "overhead")));
    assert_near(cell(&bench, "Wald: whole_frame_off", "overhead"), 7.5);
    assert_near(cell(&bench, "Frolov: pool_refill", "overhead"), 20);
    assert_near(cell(&bench, "CMU: two_stage, tickets atomic", "speed"), 1.25);
    assert_near(cell(&bench, "Frolov: pool_refill", "moved"), MOVED / rays());
    assert_true(isnan(cell(&bench, "naive", "speed")));
    bench_close(&bench);
}

static void one_side_alone_is_no_conflict(void **state)
{
    (void)state;
    struct bench bench;
    open_paper(&bench, "frolov2015");
    add(&bench, "", &(struct made_frame){"naive", "", 100, {{"", 98}}});
    add(&bench, "", &(struct made_frame){"stream_compact", "", 110, {{"flag", 4}, {"trace", 50}}});
    add(&bench, "max_bounces=4", &(struct made_frame){"whole_frame", "", 80, {{"", 70}, {"lists", 2}}}); // other work
    bench_table(&bench, "conflicts", options);
    assert_int_equal(bench.table->panel_count, 0);
    bench_close(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_a_pipeline_add_up_to_its_frame),
        cmocka_unit_test(the_part_that_loses_is_named),
        cmocka_unit_test(wavefronts_have_their_own),
        cmocka_unit_test(both_sides_of_a_conflict_stand_on_one_work),
        cmocka_unit_test(one_side_alone_is_no_conflict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
