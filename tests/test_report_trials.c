// SPDX-License-Identifier: MIT
// Which trials the page's file of raw data holds: all that cells name, or of many those that every list names first.
#include "check.h"
#include "ask_support.h"
#include "report/report_page.h"
#include "report_support.h"

enum { HELD = 5000 }; // as docs/reports.md says

// "FROM, FROM + 1, ...": so many.
static char *numbers(size_t from, size_t count)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    for (size_t i = 0; i < count; ++i)
        fprintf(stream, "%s%zu", i ? ", " : "", from + i);
    fclose(stream);
    return text;
}

// What the file says after a table whose two cells name these trials.
static char *write_page(struct bench *bench, const char *first, const char *second)
{
    struct report_cell cells[2] = {{.trials = first}, {.trials = second}};
    struct report_row row = {.cells = cells};
    struct report_panel panel = {.rows = &row, .row_count = 1};
    const struct paper_table definition = {.id = (char *)"made", .column_count = 2};
    struct report_table table = {.definition = &definition, .panels = &panel, .panel_count = 1};
    struct report_table *tables[] = {&table};
    const struct report_page page = {.store = bench->store, .tables = tables, .table_count = 1};
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    need(page_write_trials(&page, stream, &why));
    fclose(stream);
    return text;
}

TEST(test_all_of_few)
{
    struct bench bench;
    bench_open(&bench);
    const struct made made = made_fairy("naive", fairy_warps);
    const int64_t trial = made_trial(bench.store, bench.run, &made);
    char list[64], member[40];
    snprintf(list, sizeof list, "%lld, %lld", (long long)trial, (long long)trial);
    snprintf(member, sizeof member, "\n%lld:{", (long long)trial);
    char *text = write_page(&bench, list, "");
    assert_non_null(strstr(text, "cited:1,\n"));
    assert_non_null(strstr(text, member));
    free(text);
    bench_close(&bench);
}

TEST(test_first_of_many)
{
    struct bench bench;
    bench_open(&bench);
    char *many = numbers(1, HELD + 1000), *text = write_page(&bench, many, "900001, 900002, 5");
    assert_non_null(strstr(text, "cited:6002,\n"));
    assert_int_equal(ask_int(bench.store, "SELECT count(*) FROM temp.cited"), HELD);
    assert_int_equal(ask_int(bench.store, "SELECT count(DISTINCT id) FROM temp.cited"), HELD);
    assert_int_equal(ask_int(bench.store, "SELECT count(*) FROM temp.cited WHERE id IN (900001, 900002)"), 2);
    assert_int_equal(ask_int(bench.store, "SELECT max(id) FROM temp.cited WHERE id < 900000"), HELD - 2);
    free(text);
    text = write_page(&bench, "7, 8", "8");
    assert_int_equal(ask_int(bench.store, "SELECT count(*) FROM temp.cited"), 2);
    free(text);
    free(many);
    bench_close(&bench);
}
