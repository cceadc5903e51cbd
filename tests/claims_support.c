// SPDX-License-Identifier: MIT
#include "claims_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "report/papers/prepare.h"

const char claim_parameters[] = "registers=64";

static void prepare(struct bench *bench)
{
    struct error error = {0};
    const struct report_options options = {0};
    must(report_prepare(bench->store, bench->paper, &options, &error), &error);
}

// Of a database that is prepared.
static struct claim_results *judge_one(struct bench *bench, const char *id)
{
    struct error error = {0};
    const struct report_options options = {0};
    struct claim_results *results = claims_judge(bench->store, bench->paper, id, &options, &error);
    must(results != NULL, &error);
    return results;
}

static struct claim_results *judge(struct bench *bench, const char *id)
{
    prepare(bench);
    return judge_one(bench, id);
}

static const struct claim_result *result_of(const struct claim_results *results, const char *id)
{
    for (size_t i = 0; results && i < results->count; ++i)
        if (!strcmp(results->results[i].claim->id, id))
            return &results->results[i];
    fail_msg("no claim %s", id);
    return NULL;
}

static void check_outcome(const struct claim_result *result, size_t row, const char *part, enum claim_outcome wanted)
{
    const struct claim *claim = result->claim;
    const char *value = strchr(part, ' ') + 1;
    size_t i = 0;
    while (i < claim->test_count && strcmp(claim->tests[i].value, value) != 0)
        ++i;
    if (i == claim->test_count)
        fail_msg("no such test: %s", part);
    const size_t at = claim->tests[i].part;
    const enum claim_outcome outcome = claim_part_outcome(result, &claim->parts[at]);
    if (outcome != wanted)
        fail_msg("row %zu, %s: %s, not %s: %s; %s", row, part, claim_outcome_word(NULL, outcome),
                 claim_outcome_word(NULL, wanted), result->evidence[at], result->left_out);
}

static double value_in(const struct claim_result *result, const char *place, const char *value)
{
    double found = NAN;
    for (size_t i = 0; i < result->case_count; ++i)
        for (size_t k = 0; k < result->claim->test_count; ++k)
            if (strstr(result->cases[i].place, place) && !strcmp(result->claim->tests[k].value, value) &&
                !isnan(result->cases[i].value[k]))
                found = result->cases[i].value[k];
    return found;
}

void assert_verdicts(struct bench *bench, size_t row, const struct claim_expected *verdicts, size_t count)
{
    struct claim_results *results = NULL;
    char last[16] = "";
    prepare(bench);
    for (size_t i = 0; i < count && verdicts[i].part; ++i) {
        char id[16];
        assert_int_equal(sscanf(verdicts[i].part, "%15s", id), 1);
        if (strcmp(id, last) != 0) {
            claims_free(results);
            results = judge_one(bench, id);
        }
        strcpy(last, id);
        const struct claim_result *result = result_of(results, id);
        check_outcome(result, row, verdicts[i].part, verdicts[i].outcome);
        if (!isnan(verdicts[i].value))
            assert_near(value_in(result, "", strchr(verdicts[i].part, ' ') + 1), verdicts[i].value);
    }
    claims_free(results);
}

void assert_outcome(struct bench *bench, size_t row, const char *part, enum claim_outcome wanted)
{
    const struct claim_expected verdict = {part, wanted, NAN};
    assert_verdicts(bench, row, &verdict, 1);
}

void assert_part(struct bench *bench, size_t row, const char *id, size_t part, enum claim_outcome wanted)
{
    struct claim_results *results = judge(bench, id);
    const struct claim_result *result = result_of(results, id);
    assert_true(part < result->claim->part_count);
    const enum claim_outcome outcome = claim_part_outcome(result, &result->claim->parts[part]);
    if (outcome != wanted)
        fail_msg("row %zu, %s, part %zu: %s, not %s: %s", row, id, part, claim_outcome_word(NULL, outcome),
                 claim_outcome_word(NULL, wanted), result->evidence[part]);
    claims_free(results);
}

size_t claim_cases_of(struct bench *bench, const char *id)
{
    struct claim_results *results = judge(bench, id);
    const size_t count = result_of(results, id)->case_count;
    claims_free(results);
    return count;
}

double claim_value(struct bench *bench, const char *id, const char *place, const char *value)
{
    struct claim_results *results = judge(bench, id);
    const double found = value_in(result_of(results, id), place, value);
    claims_free(results);
    return found;
}

// ---- frames and launches

// "SCENE:CAMERA" in two.
static void split_camera(char *scene, char *camera)
{
    char *colon = strchr(scene, ':');
    if (!colon)
        return;
    *colon = '\0';
    strcpy(camera, colon + 1);
}

// Adds five replicates of what one entry says; the text after it.
static const char *add_frame(struct bench *bench, const char *text, bool timeless)
{
    char variant[32], scene[32], camera[32] = "", parameters[120], option[64];
    double seconds, frames[REPETITIONS];
    int length, held = RESIDENT, limit = 8;
    uint64_t warps[BOUNCES];
    assert_int_equal(sscanf(text, " %31s %31s %lf%n", variant, scene, &seconds, &length), 3);
    split_camera(scene, camera);
    size_t used = (size_t)snprintf(parameters, sizeof parameters, "%s", claim_parameters);
    for (text += length; *text && *text != ','; text += length) {
        assert_int_equal(sscanf(text, " %63[^, ]%n", option, &length), 1);
        if (sscanf(option, "held=%d", &held) != 1 && sscanf(option, "limit=%d", &limit) != 1)
            used += (size_t)snprintf(parameters + used, sizeof parameters - used, " %s", option);
    }
    made_compact(fairy_paths, warps);
    struct made made = on_gpu(variant, scene);
    made.camera = camera;
    made.parameters = parameters;
    made.max_bounces = limit;
    made.timeless = timeless;
    made.warps = strcmp(variant, "naive") ? warps : fairy_warps;
    for (int r = 0; r < REPLICATES; ++r) {
        for (int i = 0; i < REPETITIONS; ++i)
            frames[i] = seconds * (1 + 1e-4 * (r - MIDDLE));
        made.replicate = r;
        const int64_t trial = made_asked(bench->store, bench->run, &made, frame_asked | (r ? 0 : counts_asked));
        if (!r)
            made_counts(bench->store, bench->run, trial, &made);
        made_frames(bench->store, bench->run, trial, &made, frames, REPETITIONS, (uint32_t)held);
    }
    return *text ? text + 1 : text;
}

void claim_frames(struct bench *bench, const char *text, bool timeless)
{
    while (*text)
        text = add_frame(bench, text, timeless);
}

void assert_frames(const struct claim_frames_row *rows, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        for (int timeless = 0; timeless < 2; ++timeless) {
            struct bench bench;
            bench_open(&bench);
            claim_frames(&bench, rows[i].frames, timeless);
            assert_outcome(&bench, i, rows[i].part, timeless ? OUTCOME_UNMEASURED : rows[i].outcome);
            bench_close(&bench);
        }
}

void claim_launches(struct bench *bench, struct made made, const double *us, double share)
{
    double seconds[BOUNCES], frame = 0;
    made.parameters = claim_parameters;
    for (int b = 0; b < BOUNCES; ++b)
        frame += seconds[b] = us[b] * (double)made.warps[b] * 1e-6;
    add_launches(bench, made, seconds, frame * share / (1 - share) / BOUNCES, 0, 1e-4);
}

// ---- counts

// Counts of one trial: of the paths that end, `leaving` miss; of the others the last have reached the limit.
static void add_counts(struct bench *bench, const struct made *made, double leaving, double nodes)
{
    struct measured_counts counts[BOUNCES];
    struct measured_launch launch = {.kernel = "kernel", .bounce = -1, .block = 64, .seconds = NAN};
    launch.grid = (uint32_t)(made->width * made->height / 64);
    for (uint32_t b = 0; b < BOUNCES; ++b) {
        const uint64_t ended = made->paths[b] - (b + 1 < BOUNCES ? made->paths[b + 1] : 0);
        const uint64_t left = (uint64_t)((double)ended * leaving);
        counts[b] = (struct measured_counts){.bounce = b};
        counts[b].counts = (struct bounce_counts){.active_paths = made->paths[b],
                                                  .active_warps = made->warps[b],
                                                  .nodes = (uint64_t)(nodes * (double)made->paths[b])};
        counts[b].counts.deaths[DEATH_MISS] = left;
        counts[b].counts.deaths[b + 1 < BOUNCES ? DEATH_ROULETTE : DEATH_DEPTH] = ended - left;
    }
    const int64_t trial = made_asked(bench->store, bench->run, made, counts_asked);
    made_finish(bench->store, bench->run, trial, made,
                &(struct measurement){.collection = COLLECTION_COUNTS,
                                      .counts = counts,
                                      .count_count = BOUNCES,
                                      .launches = &launch,
                                      .launch_count = 1});
}

static void add_kernel(struct bench *bench, struct made made, const char *variant, double warps, double leaving,
                       double nodes)
{
    uint64_t rounded[BOUNCES];
    for (int b = 0; b < BOUNCES; ++b)
        rounded[b] = (uint64_t)llround((double)made.paths[b] / 32 * warps);
    made.variant = variant;
    made.warps = rounded;
    add_counts(bench, &made, leaving, nodes);
}

static const char *add_view(struct bench *bench, const char *text, const char *device)
{
    char scene[32], camera[32] = "", parameters[120], variant[32] = "", option[64];
    double saved, leaving, nodes = 10;
    int length;
    assert_int_equal(sscanf(text, " %31s %lf %lf%n", scene, &saved, &leaving, &length), 3);
    split_camera(scene, camera);
    size_t used = (size_t)snprintf(parameters, sizeof parameters, "%s", claim_parameters);
    for (text += length; *text && *text != ','; text += length) {
        assert_int_equal(sscanf(text, " %63[^, ]%n", option, &length), 1);
        if (sscanf(option, "variant=%31s", variant) != 1 && sscanf(option, "nodes=%lf", &nodes) != 1)
            used += (size_t)snprintf(parameters + used, sizeof parameters - used, " %s", option);
    }
    struct made made = made_fairy("", NULL);
    made.scene = scene;
    made.camera = camera;
    made.parameters = parameters;
    made.device = device;
    made.programs = "counted"; // counts that belong to the same specification as those of claim_frames, and are newer
    if (variant[0]) {
        add_kernel(bench, made, variant, CLAIM_SAVED / saved, leaving, nodes);
    } else {
        add_kernel(bench, made, "naive", saved, leaving, nodes);
        add_kernel(bench, made, "whole_frame", 1, leaving, nodes);
    }
    return *text ? text + 1 : text;
}

void claim_views(struct bench *bench, const char *text, const char *device)
{
    while (*text)
        text = add_view(bench, text, device);
}
