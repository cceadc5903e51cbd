// SPDX-License-Identifier: MIT
// How gnuplot is run. The real database's figures: tests/check-figures.

#include "check.h"
#include "folder_support.h"
#include "report/plot.h"
#include "report_support.h"

static bool no_gnuplot(void)
{
    const bool missing = system("gnuplot --version >/dev/null 2>&1") != 0;
    if (missing)
        puts("no gnuplot: nothing is drawn");
    return missing;
}

enum { DRAWINGS = 32 };

// A table of as many panels as there are drawings, of two rows each.
static void write_table(struct staging *staging)
{
    FILE *stream = made(staging_open(staging, "a.csv", &why));
    fputs("panel,value\n", stream);
    for (int i = 0; i < 2 * DRAWINGS; ++i)
        fprintf(stream, "%d,%d\n", i % DRAWINGS, i);
    need(staging_close(staging, stream, &why));
}

// Many at once, each with its own panel's rows, and nothing left of the one before; one that fails is told once, in gnuplot's words, and
// the others are waited for.
TEST(test_drawing_at_once)
{
    struct staging staging = {0};
    struct plots plots = {.feeds = NULL};
    const char *folder = folder_new();
    char good[100], bad[100];
    if (no_gnuplot())
        return;
    folder_write_text(
        folder, "good.gp",
        "set datafile separator comma\nif (exists('before')) { exit error 'not the first' }\nbefore = 1\n"
        "sum = 0\nstats ARG1 using (sum = sum + column('value')) nooutput\n"
        "stem = ARG2\ndo for [kind in 'svg pdf png'] { set print stem.'.'.kind; print ARG3, sum, ARG4; unset "
        "print }\n");
    folder_write_text(folder, "bad.gp", "plot nothing_of_that_name\n");
    snprintf(good, sizeof good, "%s/good.gp", folder);
    snprintf(bad, sizeof bad, "%s/bad.gp", folder);
    const struct paper_figure fine = {.id = "fine", .script = good}, faulty = {.id = "faulty", .script = bad};
    need(staging_begin(&staging, folder, &why));
    write_table(&staging);
    for (size_t i = 0; i < DRAWINGS; ++i) {
        char stem[32];
        snprintf(stem, sizeof stem, "picture_%zu", i);
        assert_int_equal(plot_begin(&plots, &staging, &fine, "a.csv", stem, i, "an artist's\nheading", &why),
                         PLOT_DONE);
    }
    assert_int_equal(plot_finish(&plots, &why), PLOT_DONE);
    for (int i = 0; i < DRAWINGS; ++i) { // of panel 0 all rows
        const int all = DRAWINGS * (2 * DRAWINGS - 1);
        char path[700], text[100] = "", wanted[100];
        snprintf(path, sizeof path, "%s/picture_%d.pdf", staging.temporary, i);
        FILE *stream = fopen(path, "r");
        assert_non_null(stream);
        assert_non_null(fgets(text, sizeof text, stream));
        snprintf(wanted, sizeof wanted, "%d %d.0 an artist's heading\n", i, i ? 2 * i + DRAWINGS : all);
        assert_string_equal(text, wanted);
        fclose(stream);
    }
    assert_int_equal(plot_begin(&plots, &staging, &faulty, "a.csv", "bad", 1, "", &why), PLOT_DONE);
    assert_int_equal(plot_finish(&plots, &why), PLOT_FAILED);
    assert_non_null(strstr(why.message, "nothing_of_that_name"));
    assert_string_equal(why.file, bad);
    error_clear(&why);
    assert_int_equal(plot_finish(&plots, &why), PLOT_DONE); // told once
    staging_abandon(&staging);
}

// The one-file form of a script draws in a folder with nothing but the CSV, and says nothing.
TEST(test_script_alone)
{
    struct bench bench;
    const char *folder = folder_new();
    char path[200], command[400];
    if (no_gnuplot())
        return;
    bench_open(&bench);
    const struct made naive = made_fairy("naive", fairy_warps);
    bench_add(&bench, &naive);
    bench_build(&bench, (struct report_options){0});
    char *csv = bench_render(&bench, NULL);
    folder_write_text(folder, "table2.csv", csv);
    free(csv);
    snprintf(path, sizeof path, "%s/alone.gp", folder);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    need(plot_write_script(paper_figure_find(bench.paper, "active_paths"), "# how it was called\n", stream, &why));
    assert_int_equal(fclose(stream), 0);
    snprintf(command, sizeof command,
             "cd %s && sed -n 2p alone.gp | grep -q 'how it was called' && ! grep -q '^load' alone.gp && "
             "gnuplot -c alone.gp >said 2>&1 && ! [ -s said ] && [ -s active_paths.svg ] && [ -s active_paths.pdf ] && "
             "[ -s active_paths.png ]; code=$?; cat said; exit $code",
             folder);
    assert_int_equal(system(command), 0);
    bench_close(&bench);
}
