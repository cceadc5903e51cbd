// SPDX-License-Identifier: MIT
#include "report_study.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "report/plot.h"

const double off_us[BOUNCES] = {1.6, 2.3, 1.9, 1.4, 1.1, 1.0, 0.9, 0.8, 0.9},
             on_us[BOUNCES] = {1.6, 2.3, 3.1, 3.2, 3.4, 3.6, 3.8, 4.0, 4.3};

void assert_near(double value, double wanted)
{
    if (!(fabs(value - wanted) <= 1e-9 * fabs(wanted) + 1e-12))
        fail_msg("%.12g is not %.12g", value, wanted);
}

// Replicates whose medians are 98, 99, 100, 101, 102 % of `seconds` in steps of `step` percent; returns the first
// trial.
int64_t add_times(struct bench *bench, struct made made, double seconds, double step)
{
    int64_t first = 0;
    for (int r = 0; r < REPLICATES; ++r) {
        double frames[REPETITIONS];
        for (int i = 0; i < REPETITIONS; ++i) // the median of each replicate is its middle
            frames[i] = seconds * (1 + step * (r - MIDDLE)) * (1 + 0.01 * (i % 2 ? 1 + i : -i));
        frames[0] = frames[1] = seconds * (1 + step * (r - MIDDLE));
        made.replicate = r;
        const int64_t trial = made_asked(bench->store, bench->run, &made, frame_asked | (r ? 0 : counts_asked));
        if (!r) {
            first = trial;
            made_counts(bench->store, bench->run, trial, &made);
        }
        made_frames(bench->store, bench->run, trial, &made, frames, REPETITIONS, RESIDENT);
    }
    return first;
}

// Half width of the 95 % interval over the mean, of five medians `step` apart.
double interval(double step)
{
    return 2.7764 * step * sqrt(2.5) / sqrt(5);
}

struct made on_gpu(const char *variant, const char *scene)
{
    struct made made = made_fairy(variant, fairy_warps);
    made.scene = scene;
    made.device = "cuda";
    return made;
}

// With SHOW_REPORTS set, what a reader would see.
void show(const struct bench *bench)
{
    if (!getenv("SHOW_REPORTS"))
        return;
    char *text = bench_render(bench, doc_write_text);
    puts(text);
    free(text);
}

// A trial of `bounces + 1` launches with their compaction after each, five replicates.
int64_t add_launches(struct bench *bench, struct made made, const double *seconds, double compaction, double gap,
                     double step)
{
    int64_t first = 0;
    for (int r = 0; r < REPLICATES; ++r) {
        struct measured_launch rows[2 * BOUNCES];
        size_t count = 0;
        for (int b = 0; b < BOUNCES; ++b) {
            rows[count++] = (struct measured_launch){.bounce = b, .seconds = seconds[b] * (1 + step * (r - MIDDLE))};
            if (compaction > 0)
                rows[count++] = (struct measured_launch){.bounce = b, .auxiliary = true, .seconds = compaction};
        }
        made.replicate = r;
        const int64_t trial = made_asked(bench->store, bench->run, &made, launches_asked | (r ? 0 : counts_asked));
        if (!r) {
            first = trial;
            made_counts(bench->store, bench->run, trial, &made);
        }
        made_launches(bench->store, bench->run, trial, &made, rows, count, gap, RESIDENT);
    }
    return first;
}

// Draws every figure of the bench's table; with SHOW_REPORTS set, the pictures stay in that folder.
void assert_drawn(struct bench *bench, const char *figure)
{
    struct error error = {0};
    struct staging staging = {.count = 0};
    struct plots plots = {.feed = NULL};
    char folder[] = "/tmp/report-times-XXXXXX", path[700], command[800];
    if (system("gnuplot --version >/dev/null 2>&1") != 0) {
        puts("no gnuplot: figures are not drawn");
        return;
    }
    assert_non_null(mkdtemp(folder));
    must(staging_begin(&staging, folder, &error), &error);
    FILE *stream = staging_open(&staging, "table.csv", &error);
    report_write_csv(bench->table, stream);
    must(staging_close(&staging, stream, &error), &error);
    for (size_t i = 0; i < bench->table->panel_count; ++i) {
        char stem[64];
        snprintf(stem, sizeof stem, "%s_%zu", figure, i + 1);
        if (plot_begin(&plots, &staging, paper_figure_find(bench->paper, figure), "table.csv", stem, i + 1, "a heading",
                       &error) != PLOT_DONE)
            must(false, &error);
    }
    if (plot_finish(&plots, &error) != PLOT_DONE)
        must(false, &error);
    must(staging_commit(&staging, &error), &error);
    for (size_t i = 0; i < staging.count; ++i) {
        snprintf(path, sizeof path, "%s/%s", folder, staging.names[i]);
        struct stat facts;
        assert_int_equal(stat(path, &facts), 0);
        assert_true(facts.st_size > (strstr(path, ".csv") ? 100 : 2000)); // a picture, not an empty frame
    }
    staging_abandon(&staging);
    if (getenv("SHOW_REPORTS"))
        snprintf(command, sizeof command, "cp %s/* '%s' && rm -rf %s", folder, getenv("SHOW_REPORTS"), folder);
    else
        snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

double cell(const struct bench *bench, const char *row, const char *column)
{
    return bench_cell(bench, 0, bench_row(bench, 0, row), column)->value;
}

const struct report_cell *whole_cell(const struct bench *bench, const char *row, const char *column)
{
    return bench_cell(bench, 0, bench_row(bench, 0, row), column);
}
