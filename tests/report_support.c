// SPDX-License-Identifier: MIT
#include "report_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

const uint64_t fairy_paths[BOUNCES] = {983040, 983040, 528000, 352000, 225000, 155000, 108000, 80000, 60000};
const uint64_t fairy_warps[BOUNCES] = {30720, 30720, 30717, 30698, 30144, 28655, 26383, 23450, 18651};

struct made made_fairy(const char *variant, const uint64_t *warps)
{
    return (struct made){variant, "open", "", 1280, 768, 8, 32, 64, 0, "programs", fairy_paths, warps};
}

void must(bool done, const struct error *error)
{
    char text[2200];
    error_format(error, text, sizeof text);
    if (!done)
        fail_msg("%s", text);
}

int64_t made_run(struct store *store, const char *label)
{
    struct error error = {0};
    char path[] = "made-up.yaml", text[] = "name: made-up\n";
    struct experiment experiment = {.path = path, .text = text, .name = "made-up", .study = "wald2011"};
    const struct run_header header = {.label = label, .command_line = "test", .experiment = &experiment};
    int64_t run;
    must(store_begin_run(store, &header, &run, &error), &error);
    return run;
}

// Counts of each bounce, split over three launches: the report has to add them.
static void fill_measurement(const struct made *made, struct measurement *measurement, struct measured_counts *counts,
                             struct measured_launch *launch)
{
    size_t rows = 0;
    for (uint32_t bounce = 0; bounce <= made->max_bounces && made->paths[bounce]; ++bounce)
        for (uint32_t part = 0; part < 3; ++part) {
            const uint64_t paths = made->paths[bounce], warps = made->warps[bounce];
            counts[rows] = (struct measured_counts){.launch = part, .bounce = bounce};
            counts[rows].counts.active_paths = part < 2 ? paths / 3 : paths - paths / 3 * 2;
            counts[rows++].counts.active_warps = part < 2 ? warps / 3 : warps - warps / 3 * 2;
        }
    counts[rows] = (struct measured_counts){.launch = 0, .bounce = (uint32_t)made->max_bounces + 1};
    counts[rows++].counts.active_warps = 99999999; // a launch's total, which belongs to no bounce
    *launch = (struct measured_launch){.kernel = "kernel", .block = (uint32_t)made->block, .seconds = NAN};
    launch->grid = (uint32_t)((made->width * made->height + made->block - 1) / made->block);
    *measurement = (struct measurement){.collection = COLLECTION_COUNTS,
                                        .warp_width = (uint32_t)made->warp_width,
                                        .multiprocessors = 2,
                                        .device_name = "test device",
                                        .counts = counts,
                                        .count_count = rows,
                                        .launches = launch,
                                        .launch_count = 1};
}

int64_t made_trial(struct store *store, int64_t run, const struct made *made)
{
    struct error error = {0};
    struct plan_row row = {.replicate = made->replicate, .collections = 1, .spec.parameters = parameters_default()};
    snprintf(row.spec.scene, sizeof row.spec.scene, "%s", made->scene);
    snprintf(row.spec.camera, sizeof row.spec.camera, "%s", made->camera);
    snprintf(row.spec.variant, sizeof row.spec.variant, "%s", made->variant);
    snprintf(row.spec.device, sizeof row.spec.device, "emulator");
    row.spec.parameters.width = made->width;
    row.spec.parameters.height = made->height;
    row.spec.parameters.max_bounces = made->max_bounces;
    row.spec.parameters.warp_width = made->warp_width;
    row.spec.parameters.block = made->block;
    const struct trial_provenance provenance = {.scene_content = "content",
                                                .programs = made->programs,
                                                .device_name = "test device",
                                                .driver = "",
                                                .policy = "",
                                                .harness = "1"};
    struct measured_counts counts[3 * LAUNCHES + 1];
    struct measured_launch launch;
    struct measurement measurement;
    int64_t trial, attempt;
    char key[HASH_TEXT];
    must(store_trial(store, run, &row, &provenance, &trial, key, &error), &error);
    must(store_begin_attempt(store, run, trial, COLLECTION_COUNTS, &attempt, &error), &error);
    fill_measurement(made, &measurement, counts, &launch);
    must(store_finish_attempt(store, attempt, &measurement, &error), &error);
    return trial;
}

void made_compact(const uint64_t *paths, uint64_t *warps)
{
    for (int i = 0; i < BOUNCES; ++i)
        warps[i] = (paths[i] + 31) / 32;
}

void bench_open(struct bench *bench)
{
    struct error error = {0};
    *bench = (struct bench){.store = store_open("", STORE_MEMORY, &error)};
    must(bench->store != NULL, &error);
    bench->paper = paper_load("wald2011", &error);
    must(bench->paper != NULL, &error);
    bench->run = made_run(bench->store, "night");
}

void bench_add(struct bench *bench, const struct made *made)
{
    made_trial(bench->store, bench->run, made);
}

void bench_build(struct bench *bench, struct report_options options)
{
    struct error error = {0};
    report_table_free(bench->table);
    bench->table =
        report_table_build(bench->store, bench->paper, paper_table_find(bench->paper, "table2"), &options, &error);
    must(bench->table != NULL, &error);
}

void bench_close(struct bench *bench)
{
    report_table_free(bench->table);
    paper_free(bench->paper);
    store_close(bench->store);
}

const struct report_cell *bench_cell(const struct bench *bench, size_t panel, size_t row, const char *column)
{
    const struct paper_table *definition = bench->table->definition;
    for (size_t i = 0; i < definition->column_count; ++i)
        if (!strcmp(definition->columns[i].name, column))
            return &bench->table->panels[panel].rows[row].cells[i];
    fail_msg("no column %s", column);
    return NULL;
}

char *bench_render(const struct bench *bench, void (*write)(const struct report_table *, FILE *))
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    write(bench->table, stream);
    fclose(stream);
    return text;
}
