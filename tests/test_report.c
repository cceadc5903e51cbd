// SPDX-License-Identifier: MIT
// Table 2 from made-up measurements: every cell against sums made here, the paper's own counts through the same code,
// and what the report says when something is missing, damaged or in the way.
#include <dirent.h>
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

#include "report/write/escape.h"
#include "report_support.h"

// ---- numbers

// Rounds to as many decimals as the paper prints in this cell, in the printed unit.
static void assert_as_printed(const struct bench *bench, const char *row, const char *column, double value)
{
    const struct published_table *published = published_table(bench->paper->published, "table2");
    const struct published_cell *cell = published_cell(published, row, column);
    const char *right = cell->corrected ? cell->corrected : cell->printed, *point = strchr(right, '.');
    const double half = 0.5 * pow(10, point ? -(double)strlen(point + 1) : 0);
    const double printed = strtod(right, NULL), scaled = value / published_column(published, column)->scale;
    if (fabs(scaled - printed) > half * 1.000001)
        fail_msg("bounce %s, %s: %g is not printed as %s", row, column, scaled, right);
}

static void test_paper_reproduces_itself(void **state)
{
    (void)state;
    struct bench bench;
    uint64_t compacted[BOUNCES];
    made_compact(fairy_paths, compacted);
    const struct made naive = made_fairy("naive", fairy_warps), whole = made_fairy("whole_frame", compacted);
    bench_open(&bench);
    bench_add(&bench, &naive);
    bench_add(&bench, &whole);
    bench_build(&bench, (struct report_options){0});
    assert_int_equal(bench.table->panel_count, 1);
    assert_int_equal(bench.table->panels[0].row_count, BOUNCES);
    for (size_t b = 0; b < BOUNCES; ++b) {
        const char *row = bench.table->panels[0].rows[b].key;
        const struct report_cell *paths = bench_cell(&bench, 0, b, "active_paths"),
                                 *warps = bench_cell(&bench, 0, b, "naive_warps"),
                                 *ppw = bench_cell(&bench, 0, b, "naive_paths_per_warp"),
                                 *compacted_warps = bench_cell(&bench, 0, b, "compacted_warps"),
                                 *saved = bench_cell(&bench, 0, b, "saved");
        assert_as_printed(&bench, row, "active_paths", paths->value);
        assert_as_printed(&bench, row, "active_paths_cumulative", paths->cumulative);
        assert_as_printed(&bench, row, "naive_warps", warps->value);
        assert_as_printed(&bench, row, "naive_warps_cumulative", warps->cumulative);
        assert_as_printed(&bench, row, "naive_paths_per_warp", ppw->value);
        assert_as_printed(&bench, row, "naive_paths_per_warp_cumulative", ppw->cumulative);
        assert_as_printed(&bench, row, "compacted_warps", compacted_warps->value);
        assert_as_printed(&bench, row, "compacted_warps_cumulative", compacted_warps->cumulative);
        assert_as_printed(&bench, row, "saved", saved->value);
        assert_true(isnan(paths->ratio) && isnan(warps->ratio) && isnan(compacted_warps->ratio));
        assert_true(fabs(ppw->ratio - 1) < 0.05 && fabs(saved->ratio - 1) < 0.05);
        assert_true(fabs(bench_cell(&bench, 0, b, "alive")->ratio - 1) < 0.002);
        assert_true(fabs(bench_cell(&bench, 0, b, "naive_utilisation")->cumulative - ppw->cumulative / 32) < 1e-12);
    }
    assert_true(fabs(bench_cell(&bench, 0, 8, "saved")->value - 2.304) < 0.0005);
    bench_close(&bench);
}

static void test_cells_equal_independent_sums(void **state)
{
    (void)state;
    struct bench bench;
    static const uint64_t paths[BOUNCES] = {5000, 4321, 3003, 2222, 1000, 511, 97, 3, 0},
                          warps[BOUNCES] = {157, 157, 156, 150, 140, 120, 60, 3, 0};
    uint64_t compacted[BOUNCES], path_sum = 0, warp_sum = 0, compacted_sum = 0;
    made_compact(paths, compacted);
    struct made naive = made_fairy("naive", warps), whole = made_fairy("whole_frame", compacted);
    naive.paths = whole.paths = paths;
    naive.width = whole.width = 100;
    naive.height = whole.height = 50;
    bench_open(&bench);
    const int64_t first = made_trial(bench.store, bench.run, &naive);
    const int64_t second = made_trial(bench.store, bench.run, &whole);
    bench_build(&bench, (struct report_options){0});
    const struct report_panel *panel = &bench.table->panels[0];
    assert_int_equal(panel->row_count, BOUNCES);
    for (size_t b = 0; b < BOUNCES; ++b) {
        path_sum += paths[b];
        warp_sum += warps[b];
        compacted_sum += compacted[b];
        assert_true(bench_cell(&bench, 0, b, "active_paths")->value == (double)paths[b]);
        assert_true(bench_cell(&bench, 0, b, "active_paths")->cumulative == (double)path_sum);
        assert_true(bench_cell(&bench, 0, b, "naive_warps")->cumulative == (double)warp_sum);
        assert_true(bench_cell(&bench, 0, b, "compacted_warps")->value == (double)compacted[b]);
        assert_true(bench_cell(&bench, 0, b, "saved")->value == (double)warp_sum / (double)compacted_sum);
        assert_true(bench_cell(&bench, 0, b, "alive")->value == (double)paths[b] / 5000);
        const double ppw = bench_cell(&bench, 0, b, "naive_paths_per_warp")->value;
        assert_true(warps[b] ? ppw == (double)paths[b] / (double)warps[b] : isnan(ppw)); // no warp: undefined, not 0
        assert_true(bench_cell(&bench, 0, b, "naive_paths_per_warp")->cumulative ==
                    (double)path_sum / (double)warp_sum);
    }
    char ids[64];
    snprintf(ids, sizeof ids, "%lld, %lld", (long long)first, (long long)second);
    assert_string_equal(report_fact(panel, "trials"), ids);
    assert_string_equal(report_fact(panel, "padding"), "56"); // 79 blocks of 64 for 5,000 pixels
    bench_close(&bench);
}

// ---- what is chosen

static void test_choice_of_configuration(void **state)
{
    (void)state;
    struct bench bench;
    uint64_t compacted[BOUNCES];
    made_compact(fairy_paths, compacted);
    bench_open(&bench);
    struct made naive = made_fairy("naive", fairy_warps), whole = made_fairy("whole_frame", compacted);
    bench_add(&bench, &naive);
    bench_add(&bench, &whole);
    naive.max_bounces = 2; // another configuration, farther from the paper's
    bench_add(&bench, &naive);
    const int64_t other = made_run(bench.store, "other");
    naive.scene = "another, \"quoted\" scene";
    naive.max_bounces = 8;
    made_trial(bench.store, other, &naive);

    bench_build(&bench, (struct report_options){0});
    assert_int_equal(bench.table->panel_count, 1); // the other scene is none of the paper's
    assert_int_equal(bench.table->left_out, 2);
    bench_build(&bench, (struct report_options){.all = true});
    assert_int_equal(bench.table->panel_count, 3);
    bench_build(&bench, (struct report_options){.run = "night"});
    assert_int_equal(bench.table->panel_count, 1);
    assert_string_equal(report_fact(&bench.table->panels[0], "max_bounces"), "8");
    bench_build(&bench, (struct report_options){.scene = naive.scene});
    assert_int_equal(bench.table->panel_count, 1);
    bench_build(&bench, (struct report_options){.run = "no such run"});
    assert_int_equal(bench.table->panel_count, 0);
    bench_close(&bench);
}

// Of two images the one as large as the paper's; and a database of other scenes alone shows those.
static void test_paper_size_and_scenes(void **state)
{
    (void)state;
    struct bench bench;
    struct made naive = made_fairy("naive", fairy_warps);
    bench_open(&bench);
    naive.scene = "cornell";
    bench_add(&bench, &naive);
    bench_build(&bench, (struct report_options){0});
    assert_int_equal(bench.table->panel_count, 1);
    naive.scene = "forest";
    bench_add(&bench, &naive);
    naive.width *= 4;
    naive.height *= 4;
    bench_add(&bench, &naive);
    bench_build(&bench, (struct report_options){0});
    assert_int_equal(bench.table->panel_count, 1);
    assert_string_equal(report_fact(&bench.table->panels[0], "scene"), "forest");
    assert_string_equal(report_fact(&bench.table->panels[0], "width"), "1280");
    bench_build(&bench, (struct report_options){.scene = "cornell"});
    assert_int_equal(bench.table->panel_count, 1);
    bench_close(&bench);
}

static void test_newest_trial_wins(void **state)
{
    (void)state;
    struct bench bench;
    uint64_t more[BOUNCES];
    for (int i = 0; i < BOUNCES; ++i)
        more[i] = fairy_warps[i] + (i > 2);
    struct made old = made_fairy("naive", more), new = made_fairy("naive", fairy_warps);
    old.programs = "an older kernel";
    bench_open(&bench);
    bench_add(&bench, &old);
    made_trial(bench.store, made_run(bench.store, "next night"), &new);
    bench_build(&bench, (struct report_options){0});
    assert_true(bench_cell(&bench, 0, 8, "naive_warps")->value == 18651);
    bench_close(&bench);
}

static void test_disagreement_is_told(void **state)
{
    (void)state;
    struct bench bench;
    uint64_t compacted[BOUNCES], fewer[BOUNCES];
    memcpy(fewer, fairy_paths, sizeof fewer);
    fewer[8] -= 1;
    made_compact(fewer, compacted);
    struct made naive = made_fairy("naive", fairy_warps), whole = made_fairy("whole_frame", compacted);
    whole.paths = fewer;
    bench_open(&bench);
    bench_add(&bench, &naive);
    bench_add(&bench, &whole);
    bench_build(&bench, (struct report_options){0});
    char *text = bench_render(&bench, doc_write_text);
    assert_non_null(strstr(text, "Not to be trusted"));
    free(text);
    bench_close(&bench);
}

static void test_other_warp_width(void **state)
{
    (void)state;
    struct bench bench;
    struct made naive = made_fairy("naive", fairy_warps);
    naive.warp_width = 16;
    bench_open(&bench);
    bench_add(&bench, &naive);
    bench_build(&bench, (struct report_options){0});
    assert_true(isnan(bench_cell(&bench, 0, 3, "naive_paths_per_warp")->ratio)); // of 16, not of 32
    assert_true(isfinite(bench_cell(&bench, 0, 3, "naive_utilisation")->ratio));
    bench_close(&bench);
}

static void assert_fits(const char *text)
{
    while (*text) {
        const size_t length = strcspn(text, "\n");
        char line[400];
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        if (length > TEXT_WIDTH && !strstr(line, "warpstudy "))
            fail_msg("%zu columns: %s", length, line);
        text += length + (text[length] == '\n');
    }
}

// Ratios stand where the scene stands in for the table's, and are marked where the paper's rounding allows for no
// other.
static void test_rounding_and_stand_ins(void **state)
{
    (void)state;
    struct bench bench;
    uint64_t compacted[BOUNCES];
    made_compact(fairy_paths, compacted);
    struct made naive = made_fairy("naive", fairy_warps), whole = made_fairy("whole_frame", compacted);
    bench_open(&bench);
    bench_add(&bench, &naive);
    bench_add(&bench, &whole);
    bench_build(&bench, (struct report_options){0});
    static const char *const marked[] = {"alive", "naive_paths_per_warp", "naive_utilisation", "saved",
                                         "compacted_share"};
    for (size_t b = 0; b < BOUNCES; ++b)
        for (size_t i = 0; i < sizeof marked / sizeof *marked; ++i)
            if (!bench_cell(&bench, 0, b, marked[i])->within)
                fail_msg("%s of bounce %zu is not within the rounding of itself", marked[i], b);
    // 528k / (32 * 30717), of paths known to +- 500; the printed 17 of 32 would be 1 % less.
    const struct report_cell *cell = bench_cell(&bench, 0, 2, "naive_utilisation");
    assert_true(fabs(cell->published - 528000.0 / (32.0 * 30717)) < 1e-12);
    cell = bench_cell(&bench, 0, 8, "naive_utilisation");
    assert_true(fabs(cell->published_cumulative - 3474000.0 / (32.0 * 250138)) < 1e-12);
    char *text = bench_render(&bench, doc_write_text);
    assert_non_null(strstr(text, "=1.00"));
    assert_non_null(strstr(text, "utilisation*"));
    assert_non_null(strstr(text, "*: not printed in the paper (utilisation); derived from its active paths / (32 x"));
    free(text);
    bench_close(&bench);

    uint64_t paths[BOUNCES];
    memcpy(paths, fairy_paths, sizeof paths);
    paths[2] = 540000; // 17.6 paths per warp: 1.03 of the printed 17, and no rounding gives that
    naive.paths = paths;
    bench_open(&bench);
    bench_add(&bench, &naive);
    naive.scene = "cornell";
    bench_add(&bench, &naive);
    naive.scene = "mirror_corridor"; // of another paper
    bench_add(&bench, &naive);
    naive.scene = "no-such-scene";
    bench_add(&bench, &naive);
    bench_build(&bench, (struct report_options){0});
    assert_int_equal(bench.table->panel_count, 1);
    bench_build(&bench, (struct report_options){.all = true});
    assert_int_equal(bench.table->panel_count, 4); // open, cornell, mirror_corridor, no-such-scene
    for (size_t panel = 1; panel < 4; ++panel)
        assert_true(isnan(bench_cell(&bench, panel, 2, "naive_paths_per_warp")->ratio));
    cell = bench_cell(&bench, 0, 2, "naive_paths_per_warp");
    assert_true(isfinite(cell->ratio) && !cell->within);
    text = bench_render(&bench, doc_write_text);
    static const char *const wanted[] = {"; not a stand-in)", "No ratios: the scene is not a stand-in.", "table is for",
                                         "file is not available"};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i)
        if (!strstr(text, wanted[i]))
            fail_msg("no '%s' in:\n%s", wanted[i], text);
    assert_fits(text);
    free(text);
    bench_close(&bench);
}

// ---- formats

static void test_text(void **state)
{
    (void)state;
    struct bench bench;
    uint64_t compacted[BOUNCES], paths[BOUNCES], warps[BOUNCES];
    for (int i = 0; i < BOUNCES; ++i) {
        paths[i] = fairy_paths[i] * 16; // the size that fills a big device
        warps[i] = fairy_warps[i] * 16;
    }
    made_compact(paths, compacted);
    struct made naive = made_fairy("naive", warps), whole = made_fairy("whole_frame", compacted);
    naive.paths = whole.paths = paths;
    naive.width = whole.width = 5120;
    naive.height = whole.height = 3072;
    bench_open(&bench);
    bench_add(&bench, &naive);
    bench_add(&bench, &whole);
    bench_build(&bench, (struct report_options){0});
    char *text = bench_render(&bench, doc_write_text);
    assert_fits(text);
    static const char *const wanted[] = {"16,651",         "(250k)",         "[18,651 W-M2]", "[(78k) W-M1]",
                                         "(38k)",          "983k",           "(3,474k)",      "15,728,640 (15,728,640)",
                                         "5120x3072",      "grid padding 0", "S = 32",        "Trials of naive warps",
                                         "warpstudy query"};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i)
        if (!strstr(text, wanted[i]))
            fail_msg("no '%s' in:\n%s", wanted[i], text);
    free(text);
    text = bench_render(&bench, doc_write_markdown);
    assert_non_null(strstr(text, "16,651 \\[18,651 W-M2\\]"));
    assert_non_null(strstr(text, "**(38k \\[78k W-M1\\])**"));
    free(text);
    bench_close(&bench);
}

// Fields of one record from *text on, which it moves behind CRLF; -1 where the record is not as RFC 4180 wants it.
static int read_record(const char **text)
{
    int fields = 1;
    bool quoted = false;
    for (const char *c = *text; *c; ++c) {
        if (*c == '"')
            quoted = !quoted;
        else if (*c == ',' && !quoted)
            ++fields;
        else if (*c == '\n' && !quoted)
            return -1;
        else if (*c == '\r' && !quoted) {
            *text = c + 2;
            return c[1] == '\n' ? fields : -1;
        }
    }
    return -1;
}

static void test_csv(void **state)
{
    (void)state;
    struct bench bench;
    struct made naive = made_fairy("naive", fairy_warps);
    naive.scene = "a \"scene\", with\nall of it";
    bench_open(&bench);
    bench_add(&bench, &naive);
    bench_build(&bench, (struct report_options){0});
    char *text = bench_render(&bench, NULL);
    const char *place = text;
    const int fields = read_record(&place);
    int records = 0;
    assert_true(fields > 20);
    for (; *place; ++records)
        assert_int_equal(read_record(&place), fields);
    assert_int_equal(records, BOUNCES);
    // As gnuplot can read it, too.
    assert_non_null(strstr(text, "\"a 'scene', with all of it\""));
    free(text);
    bench_close(&bench);
}

static void test_missing_variant(void **state)
{
    (void)state;
    struct bench bench;
    const struct made naive = made_fairy("naive", fairy_warps);
    bench_open(&bench);
    bench_add(&bench, &naive);
    bench_build(&bench, (struct report_options){0});
    assert_true(isnan(bench_cell(&bench, 0, 4, "saved")->value));
    char *text = bench_render(&bench, doc_write_text);
    assert_non_null(strstr(text, "Not measured: compacted warps; there are no completed counts of whole_frame"));
    assert_non_null(strstr(text, "warpstudy run experiments/"));
    free(text);
    bench_close(&bench);
}

// ---- the command

struct scratch {
    char folder[64], database[128], output[128];
};

static void scratch_make(struct scratch *scratch, bool filled)
{
    struct error error = {0};
    snprintf(scratch->folder, sizeof scratch->folder, "/tmp/report-test-XXXXXX");
    assert_non_null(mkdtemp(scratch->folder));
    snprintf(scratch->database, sizeof scratch->database, "%s/made up.db", scratch->folder);
    snprintf(scratch->output, sizeof scratch->output, "%s/deep/er", scratch->folder);
    struct store *store = store_open(scratch->database, STORE_WRITE, &error);
    must(store != NULL, &error);
    const struct made naive = made_fairy("naive", fairy_warps);
    const int64_t run = made_run(store, "night"); // without one, the file would not stay
    if (filled)
        made_trial(store, run, &naive);
    store_close(store);
}

static void scratch_remove(const struct scratch *scratch)
{
    char command[200];
    snprintf(command, sizeof command, "rm -rf '%s'", scratch->folder);
    assert_int_equal(system(command), 0);
}

// Files in the folder and those below it, the list of what reports made left out; -1 where there is no such folder.
static int count_files(const char *folder)
{
    int count = 0;
    DIR *opened = opendir(folder);
    if (!opened)
        return -1;
    for (const struct dirent *entry; (entry = readdir(opened));) {
        char path[600];
        if (entry->d_name[0] == '.' && strncmp(entry->d_name, ".report-", 8) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        const int below = count_files(path);
        count += below < 0 ? 1 : below;
    }
    closedir(opened);
    return count;
}

static bool has_file(const char *folder, const char *name)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, R_OK) == 0;
}

// Runs a report; what it prints goes to `printed` (freed by the caller), remarks included.
static bool run_report(const struct scratch *scratch, const char *target, const char *format, const char *folder,
                       char **printed, struct error *error)
{
    size_t size;
    *error = (struct error){0};
    char first[64] = "";
    const char *space = target ? strchr(target, ' ') : NULL; // "PAPER ITEM"
    snprintf(first, sizeof first, "%.*s", target ? (int)strcspn(target, " ") : 0, target ? target : "");
    FILE *stream = open_memstream(printed, &size);
    const struct report_request request = {.target = target ? first : NULL,
                                           .item = space ? space + 1 : NULL,
                                           .database = scratch->database,
                                           .format = format,
                                           .folder = folder,
                                           .stream = stream,
                                           .remarks = stream};
    const bool done = report_run(&request, error);
    fclose(stream);
    return done;
}

static void test_files(void **state)
{
    (void)state;
    static const char *const names[] = {"tables/table2.txt", "tables/table2.md", "tables/table2.tex",
                                        "tables/table2.csv", ".warpstudy-report"};
    struct scratch scratch;
    struct error error;
    char *printed;
    const bool gnuplot = system("gnuplot --version >/dev/null 2>&1") == 0;
    scratch_make(&scratch, true);
    must(run_report(&scratch, "table2", NULL, scratch.output, &printed, &error), &error);
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        assert_true(has_file(scratch.output, names[i]));
    assert_int_equal(has_file(scratch.output, "figures/active_paths.svg"), gnuplot);
    assert_non_null(strstr(printed, gnuplot ? "figures/active_paths.svg" : "gnuplot-nox"));
    const int count = count_files(scratch.output);
    free(printed);
    must(run_report(&scratch, "table2", "csv", scratch.output, &printed, &error), &error); // over the older one
    assert_int_equal(count_files(scratch.output), count);
    free(printed);
    scratch_remove(&scratch);
}

static void test_no_gnuplot(void **state)
{
    (void)state;
    struct scratch scratch;
    struct error error;
    const char *before = getenv("PATH");
    char *printed, *path = strdup(before ? before : "");
    scratch_make(&scratch, true);
    setenv("PATH", scratch.folder, 1);
    const bool table = run_report(&scratch, "table2", NULL, scratch.output, &printed, &error);
    assert_non_null(strstr(printed, "gnuplot-nox"));
    free(printed);
    const bool figure = run_report(&scratch, "active_paths", NULL, scratch.output, &printed, &error);
    free(printed);
    setenv("PATH", path, 1);
    free(path);
    assert_true(table);
    assert_false(figure);
    assert_non_null(strstr(error.remedy, "gnuplot-nox"));
    assert_int_equal(count_files(scratch.output), 5); // the table in four formats, and how to draw it
    assert_true(has_file(scratch.output, "figures/active_paths.gp"));
    scratch_remove(&scratch);
}

static void expect_failure(const struct scratch *scratch, const char *target, const char *folder, int code,
                           const char *words)
{
    struct error error;
    char *printed, text[2200];
    assert_false(run_report(scratch, target, NULL, folder, &printed, &error));
    free(printed);
    error_format(&error, text, sizeof text);
    assert_int_equal(error_exit_code(&error), code);
    if (!strstr(text, words))
        fail_msg("no '%s' in: %s", words, text);
}

static void test_bad_use(void **state)
{
    (void)state;
    struct scratch scratch;
    char text[200];
    scratch_make(&scratch, false);
    expect_failure(&scratch, "table2", NULL, 1, "warpstudy run experiments/quickstart.yaml --db '/tmp");
    expect_failure(&scratch, "table22", NULL, 2, "did you mean 'table2'");
    expect_failure(&scratch, "wald2012", NULL, 2, "did you mean 'wald2011'");
    expect_failure(&scratch, "figure1", NULL, 2, "--output DIR");
    expect_failure(&scratch, "wald2011 table9", NULL, 2, "did you mean 'table");
    expect_failure(&scratch, "wald2012 table2", NULL, 2, "wald2011");
    expect_failure(&scratch, "wald2011 table2", NULL, 1, "nothing to report");
    expect_failure(&scratch, "table2", scratch.output, 1, "nothing to report");
    assert_int_equal(count_files(scratch.output), -1); // the folder that was made for it is gone
    expect_failure(&scratch, "table2", scratch.database, 2, "folder");
    snprintf(text, sizeof text, "%s/x", scratch.database);
    expect_failure(&scratch, "table2", text, 2, "--output");
    expect_failure(&scratch, "table2", "", 2, "--output");
    snprintf(scratch.database, sizeof scratch.database, "%s/none.db", scratch.folder);
    expect_failure(&scratch, "table2", NULL, 2, "none.db");
    FILE *stream = fopen(scratch.database, "w");
    fputs("this is no database, however long one looks at it\n", stream);
    fclose(stream);
    expect_failure(&scratch, "table2", NULL, 2, "none.db");
    scratch_remove(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paper_reproduces_itself),
        cmocka_unit_test(test_cells_equal_independent_sums),
        cmocka_unit_test(test_choice_of_configuration),
        cmocka_unit_test(test_paper_size_and_scenes),
        cmocka_unit_test(test_newest_trial_wins),
        cmocka_unit_test(test_disagreement_is_told),
        cmocka_unit_test(test_other_warp_width),
        cmocka_unit_test(test_rounding_and_stand_ins),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_missing_variant),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_no_gnuplot),
        cmocka_unit_test(test_bad_use),
    };
    return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
