// SPDX-License-Identifier: MIT
// A report as CSV and as files, and what it says when something is missing, damaged or in the way. Cells, and tables as they are
// written: tests/claims/tables_*.yaml.
#include <dirent.h>
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

#include "report_support.h"

// ---- formats

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
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_no_gnuplot),
        cmocka_unit_test(test_bad_use),
    };
    return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
