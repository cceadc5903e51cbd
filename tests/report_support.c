// SPDX-License-Identifier: MIT
#include "report_support.h"

#include <math.h>
#include <sys/stat.h>

#include "check.h"
#include "folder_support.h"
#include "report/papers/prepare.h"
#include "report/plot.h"
#include "store/run.h"

const uint64_t fairy_paths[BOUNCES + 1] = {983040, 983040, 528000, 352000, 225000, 155000, 108000, 80000, 60000};
const uint64_t fairy_warps[BOUNCES + 1] = {30720, 30720, 30717, 30698, 30144, 28655, 26383, 23450, 18651};

struct made made_fairy(const char *variant, const uint64_t *warps)
{
    return (struct made){.variant = variant,
                         .scene = "open",
                         .camera = "",
                         .width = 1280,
                         .height = 768,
                         .max_bounces = 8,
                         .warp_width = 32,
                         .block = 64,
                         .programs = "programs",
                         .paths = fairy_paths,
                         .warps = warps};
}

int64_t made_run(struct store *store, const char *label)
{
    const struct run_header header = {
        .label = label,
        .command_line = "test",
        .experiment = {.name = "made-up", .study = "wald2011", .path = "made-up.yaml", .text = "name: made-up\n"}};
    int64_t run;
    need(store_begin_run(store, &header, &run, &why));
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
    counts[rows] = (struct measured_counts){.launch = 0, .bounce = MEASURED_TOTALS};
    counts[rows++].counts.active_warps = 99999999; // a launch's total, which belongs to no bounce
    *launch = (struct measured_launch){.kernel = "kernel", .block = (uint32_t)made->block, .seconds = NAN};
    launch->grid = (uint32_t)((made->width * made->height + made->block - 1) / made->block);
    *measurement = (struct measurement){
        .collection = COLLECTION_COUNTS, .counts = counts, .count_count = rows, .launches = launch, .launch_count = 1};
}

static const char *device_name(const struct made *made)
{
    if (made->model)
        return made->model;
    if (made->device && !strcmp(made->device, "opencl"))
        return "OpenCL on a GPU: NVIDIA H200";
    return made->device && !strcmp(made->device, "cuda") ? "NVIDIA H200" : "test device";
}

// "NAME=VALUE NAME=VALUE"
static void set_parameters(const char *text, struct parameters *parameters)
{
    char name[64], value[64];
    int length;
    while (text && sscanf(text, " %63[^=]=%63s%n", name, value, &length) == 2) {
        need(parameter_set(parameters, parameter_find(name), value, &why));
        text += length;
    }
}

int64_t made_asked(struct store *store, int64_t run, const struct made *made, uint32_t collections)
{
    struct trial_row row = {
        .replicate = made->replicate, .collections = collections, .spec.parameters = parameters_default()};
    snprintf(row.spec.scene, sizeof row.spec.scene, "%s", made->scene);
    snprintf(row.spec.camera, sizeof row.spec.camera, "%s", made->camera);
    snprintf(row.spec.variant, sizeof row.spec.variant, "%s", made->variant);
    snprintf(row.spec.device, sizeof row.spec.device, "%s", made->device ? made->device : "emulator");
    row.spec.parameters.width = made->width;
    row.spec.parameters.height = made->height;
    row.spec.parameters.max_bounces = made->max_bounces;
    row.spec.parameters.warp_width = made->warp_width;
    row.spec.parameters.block = made->block;
    set_parameters(made->parameters, &row.spec.parameters);
    const struct trial_provenance provenance = {.scene_content = made->scene,
                                                .programs = made->programs,
                                                .device_name = device_name(made),
                                                .driver = "",
                                                .policy = made->policy ? made->policy : "relative_ci=0.01",
                                                .harness = made->harness ? made->harness : "1"};
    int64_t trial;
    char key[HASH_TEXT];
    need(store_trial(store, run, &row, &provenance, &trial, key, &why));
    return trial;
}

void made_finish(struct store *store, int64_t run, int64_t trial, const struct made *made,
                 struct measurement *measurement)
{
    int64_t attempt;
    measurement->warp_width = (uint32_t)made->warp_width;
    measurement->multiprocessors = 2;
    measurement->times = !made->timeless;
    if (!measurement->image.high)
        measurement->image = (struct hash){1, 2};
    snprintf(measurement->device_name, sizeof measurement->device_name, "%s", device_name(made));
    snprintf(measurement->provenance, sizeof measurement->provenance, "code 1, --gpu-architecture=sm_90");
    need(store_begin_attempt(store, run, trial, measurement->collection, "", &attempt, &why));
    need(store_finish_attempt(store, attempt, measurement, &why));
}

void made_failed(struct store *store, int64_t run, int64_t trial, enum collection collection,
                 enum attempt_status status, const char *reason)
{
    int64_t attempt;
    need(store_begin_attempt(store, run, trial, collection, "", &attempt, &why));
    need(store_fail_attempt(store, attempt, status, reason, false, &why));
}

void made_counts(struct store *store, int64_t run, int64_t trial, const struct made *made)
{
    struct measured_counts counts[3 * LAUNCHES + 1];
    struct measured_launch launch;
    struct measurement measurement;
    fill_measurement(made, &measurement, counts, &launch);
    made_finish(store, run, trial, made, &measurement);
}

int64_t made_trial(struct store *store, int64_t run, const struct made *made)
{
    const int64_t trial = made_asked(store, run, made, 1 << COLLECTION_COUNTS);
    made_counts(store, run, trial, made);
    return trial;
}

static struct measured_kernel one_kernel(const struct made *made, uint32_t resident_warps)
{
    return (struct measured_kernel){.kernel = "kernel",
                                    .facts = {.registers = 64},
                                    .block = (uint32_t)made->block,
                                    .resident_warps = resident_warps};
}

void made_frames(struct store *store, int64_t run, int64_t trial, const struct made *made, const double *seconds,
                 size_t count, uint32_t resident_warps)
{
    struct measured_repetition repetitions[64];
    struct measured_kernel kernel = one_kernel(made, resident_warps);
    for (size_t i = 0; i < count; ++i)
        repetitions[i] = (struct measured_repetition){
            .host_seconds = seconds[i], .device_seconds = NAN, .gap_seconds = NAN, .sm_mhz = NAN, .launches_path = 1};
    made_finish(store, run, trial, made,
                &(struct measurement){.collection = COLLECTION_FRAME,
                                      .repetitions = repetitions,
                                      .repetition_count = count,
                                      .kernels = &kernel,
                                      .kernel_count = 1});
}

void made_launches(struct store *store, int64_t run, int64_t trial, const struct made *made,
                   const struct measured_launch *rows, size_t count, double gap, uint32_t resident_warps)
{
    struct measured_launch launches[64];
    struct measured_repetition repetition = {
        .host_seconds = NAN, .device_seconds = NAN, .gap_seconds = gap, .sm_mhz = NAN, .launches_path = 1};
    struct measured_kernel kernel = one_kernel(made, resident_warps);
    for (size_t i = 0; i < count; ++i) {
        launches[i] = rows[i];
        launches[i].index = (uint32_t)i;
        launches[i].grid = 1;
        launches[i].block = (uint32_t)made->block;
        snprintf(launches[i].kernel, sizeof launches[i].kernel, rows[i].auxiliary ? "select" : "kernel");
    }
    made_finish(store, run, trial, made,
                &(struct measurement){.collection = COLLECTION_LAUNCHES,
                                      .repetitions = &repetition,
                                      .repetition_count = 1,
                                      .launches = launches,
                                      .launch_count = count,
                                      .kernels = &kernel,
                                      .kernel_count = 1});
}

void made_compact(const uint64_t *paths, uint64_t *warps)
{
    for (int i = 0; i < BOUNCES; ++i)
        warps[i] = (paths[i] + 31) / 32;
}

void bench_open(struct bench *bench)
{
    bench_open_paper(bench, "wald2011");
}

void bench_open_paper(struct bench *bench, const char *paper)
{
    *bench = (struct bench){.store = store_open("", STORE_MEMORY, &why)};
    need(bench->store);
    bench->paper = paper_load(paper, &why);
    need(bench->paper);
    bench->run = made_run(bench->store, "night");
}

void bench_add(struct bench *bench, const struct made *made)
{
    made_trial(bench->store, bench->run, made);
}

void bench_table(struct bench *bench, const char *table, struct report_options options)
{
    report_table_free(bench->table);
    const struct paper_table *definition = paper_table_find(bench->paper, table);
    assert_non_null(definition);
    need(report_prepare(bench->store, bench->paper, &options, &why));
    bench->table = report_table_build(bench->store, bench->paper, definition, &options, &why);
    need(bench->table);
}

void bench_build(struct bench *bench, struct report_options options)
{
    bench_table(bench, "table2", options);
}

size_t bench_row(const struct bench *bench, size_t panel, const char *key)
{
    const struct report_panel *of = &bench->table->panels[panel];
    for (size_t i = 0; i < of->row_count; ++i)
        if (!strcmp(of->rows[i].key, key))
            return i;
    for (size_t i = 0; i < of->row_count; ++i)
        fprintf(stderr, "row %s\n", of->rows[i].key);
    fail_msg("no row %s", key);
    return 0;
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

char *table_render(const struct report_table *table, void (*write)(const struct document *, FILE *))
{
    struct document document = {.count = 0};
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    report_document(table, &document);
    report_write(&(struct report_format){.write = write}, table, &document, stream);
    document_finish(&document);
    fclose(stream);
    return text;
}

char *bench_render(const struct bench *bench, void (*write)(const struct document *, FILE *))
{
    return table_render(bench->table, write);
}

void bench_draw(struct bench *bench, const char *figure)
{
    struct staging staging = {.count = 0};
    struct plots plots = {.feeds = NULL};
    const char *folder = folder_new();
    char path[700], command[800];
    if (system("gnuplot --version >/dev/null 2>&1") != 0) {
        puts("no gnuplot: figures are not drawn");
        return;
    }
    need(staging_begin(&staging, folder, &why));
    FILE *stream = staging_open(&staging, "table.csv", &why);
    report_write_csv(bench->table, stream);
    need(staging_close(&staging, stream, &why));
    for (size_t i = 0; i < bench->table->panel_count; ++i) {
        char stem[64];
        snprintf(stem, sizeof stem, "%s_%zu", figure, i + 1);
        need(plot_begin(&plots, &staging, paper_figure_find(bench->paper, figure), "table.csv", stem, i + 1,
                        "a heading", &why) == PLOT_DONE);
    }
    need(plot_finish(&plots, &why) == PLOT_DONE);
    need(staging_commit(&staging, &why));
    for (size_t i = 0; i < staging.count; ++i) {
        snprintf(path, sizeof path, "%s/%s", folder, staging.names[i]);
        struct stat facts;
        assert_int_equal(stat(path, &facts), 0);
        assert_true(facts.st_size > (strstr(path, ".csv") ? 100 : 2000)); // a picture, not an empty frame
    }
    staging_abandon(&staging);
    if (getenv("SHOW_REPORTS")) {
        snprintf(command, sizeof command, "cp %s/* '%s'", folder, getenv("SHOW_REPORTS"));
        assert_int_equal(system(command), 0);
    }
}
