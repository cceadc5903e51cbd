// SPDX-License-Identifier: MIT
// Guards the published values: the checksum catches any change; the arithmetic between the cells, which catches a wrong one, is in
// tests/claims/published_*.yaml.
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "folder_support.h"
#include "base/hash.h"
#include "published_support.h"
#include "report/papers/paper.h"

static struct published *published;

static int load(void **state)
{
    published = published_of("wald2011");
    return 0;
}

static int unload(void **state)
{
    published_free(published);
    return 0;
}

// The number that the text gives stands once as a quotation and once as a cell.
TEST(test_facts_agree)
{
    const struct published_quote *quote = published_quote(published, "Q20");
    const char *number = quote ? strpbrk(quote->value, "0123456789") : NULL;
    assert_non_null(number);
    assert_float_equal(strtod(number, NULL), published_value(published, "dummy", "2.0", "gain"), 0);
    assert_int_equal(published->quote_count, 27);
    assert_string_equal(published_quote(published, "Q15")->where, "4.2.2");
    assert_int_equal(published->width * published->height, 983040);
    assert_int_equal(published->max_bounces, 8);
    assert_int_equal(published->warp_width, 32);
}

TEST(test_misprints)
{
    static const struct {
        const char *row, *column, *id;
    } cells[] = {{"2", "compacted_warps_cumulative", "W-M1"},
                 {"8", "naive_warps", "W-M2"},
                 {"8", "naive_paths_per_warp_cumulative", "W-M8"}};
    const struct published_table *table = published_table(published, "table2");
    for (size_t i = 0; i < sizeof cells / sizeof *cells; ++i)
        assert_string_equal(published_cell(table, cells[i].row, cells[i].column)->misprint, cells[i].id);
    assert_int_equal(published->misprint_count, 13);
}

TEST(test_text)
{
    char text[40];
    const struct published_table *table = published_table(published, "table2");
    published_text(published_column(table, "active_paths_cumulative"),
                   published_cell(table, "8", "active_paths_cumulative")->printed, text, sizeof text);
    assert_string_equal(text, "3,474k");
    published_text(published_column(table, "naive_warps"), "16651", text, sizeof text);
    assert_string_equal(text, "16,651");
    published_text(published_column(table, "saved"), "2.0", text, sizeof text);
    assert_string_equal(text, "2.0");
    published_text(published_column(table, "compacted_warps"), "123456.25", text, sizeof text);
    assert_string_equal(text, "123,456.25k");
}

// `checksums` is what `xxhsum -H2` prints for each file.
TEST(test_checksums)
{
    char path[700], line[400], name[300], wanted[64], found[HASH_TEXT];
    int count = 0;
    published_path("checksums", path, sizeof path);
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    while (fgets(line, sizeof line, stream)) {
        struct hash hash;
        if (sscanf(line, "%32s %299s", wanted, name) != 2)
            continue;
        published_path(name, path, sizeof path);
        assert_true(hash_file(path, &hash, &why));
        hash_text(hash, found);
        if (strcmp(found, wanted) != 0)
            fail_msg("%s has changed: put %s into paper_figures/checksums if that is meant", name, found);
        ++count;
    }
    fclose(stream);
    struct paper_names papers;
    assert_true(paper_names(&papers, &why));
    int documents = 0;
    for (size_t i = 0; i < papers.count; ++i)
        documents += paper_is_published(papers.list[i]);
    assert_int_equal(count, documents);
    assert_int_equal(documents, 5);
}

// Whether `missing` names the variants that it speaks of, and all that it names are in the map of variants and do not exist here.
static void check_missing(const struct paper *paper, const struct paper_table *table)
{
    char path[700], *map;
    int named = 0;
    published_path("variants.yaml", path, sizeof path);
    map = made(yaml_file_text(path, NULL, &why));
    for (const char *text = table->missing; *text; text += strcspn(text, " ,()"), text += strspn(text, " ,()")) {
        char id[40], line[60];
        const size_t length = strcspn(text, " ,()"), capitals = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-");
        if (capitals != length || !strpbrk(text, "-0123456789") || strpbrk(text, "-0123456789") >= text + length ||
            length >= sizeof id || strspn(text, "0123456789") == length)
            continue;
        snprintf(id, sizeof id, "%.*s", (int)length, text);
        snprintf(line, sizeof line, "\n  %s: {title:", id); // one that exists has `ours` first
        if (!strstr(map, line))
            fail_msg("%s, %s: variants.yaml does not list %s as missing", paper->id, table->id, id);
        ++named;
    }
    assert_true(named > 0 || !strstr(table->missing, "needs the variant"));
    free(map);
}

// Every published table is in the list, with a query or with what is missing; remedies name files that are there.
static bool check_lists(void *context, const char *id)
{
    struct paper *paper = made(paper_load(id, &why));
    for (size_t i = 0; i < paper->published->table_count; ++i) {
        bool listed = false;
        for (size_t j = 0; j < paper->table_count; ++j)
            listed = listed || !strcmp(paper->tables[j].published, paper->published->tables[i].id);
        if (!listed)
            fail_msg("%s: published table %s is not listed", id, paper->published->tables[i].id);
    }
    for (size_t i = 0; i < paper->table_count; ++i) {
        char path[1200], name[600];
        const struct paper_table *table = &paper->tables[i];
        snprintf(name, sizeof name, "../%s", table->experiment);
        published_path(name, path, sizeof path);
        if (!table->sql)
            check_missing(paper, table);
        else if (access(path, R_OK) != 0)
            fail_msg("%s: there is no %s", table->id, table->experiment);
        *(int *)context += !table->sql;
    }
    assert_string_equal(paper->published->id, paper->synthesis ? "" : id);
    paper_free(paper);
    return true;
}

TEST(test_paper_lists)
{
    int unmeasured = 0;
    struct paper *paper = made(paper_load("wald2011", &why));
    const struct paper_table *table = paper_table_find(paper, "table2");
    assert_non_null(table);
    assert_true(table->column_count >= 7);
    assert_non_null(paper_figure_find(paper, "figure1"));
    assert_int_equal(paper_figure_find(paper, "figure1")->scene_count, 6);
    paper_free(paper);
    struct paper_names papers;
    need(paper_names(&papers, &why));
    for (size_t i = 0; i < papers.count; ++i)
        assert_true(check_lists(&unmeasured, papers.list[i]));
    assert_int_equal(unmeasured, 3);
    refused(paper_load("wald2012", &why), "", "wald2011");
    assert_int_equal(why.kind, ERROR_USE);
}

TEST(test_facts)
{
    assert_string_equal(published_said(published, "paper", "affiliation"), "Intel");
    assert_string_equal(published_said(published, "setup", "block_shape_tiled"), "64, 1");
    assert_string_equal(published_said(published, "figures", "figure1.roulette_weight"), "0.05");
    assert_string_equal(published_said(published, "external", "gtx480_multiprocessors"), "15");
    assert_string_equal(published_said(published, "setup", "mice"), "");
    assert_int_equal(published_number(published, "setup", "width") * published_number(published, "setup", "height"),
                     published_number(published, "setup", "pixels"));
    assert_int_equal(published_number(published, "setup", "warps_per_frame") * 32, 983040);
    assert_int_equal(published_number(published, "parameters", "shared_bytes_at_m4"), 64 * 4 * (88 + 8)); // W-A2
    assert_int_equal(published->choice_count, 14);
    assert_non_null(strstr(published_choice(published, "W-A1")->resolution, "M = 4"));
    assert_null(published_choice(published, "W-A15"));
}

static void expect_refused(const char *text, int line)
{
    refused(published_load(folder_file("published.yaml", "%s", text), &why), "", "");
    assert_true(why.message[0] != '\0');
    assert_int_equal(why.line, line);
}

#define HEAD "paper: {id: p}\nmisprints:\n  - {id: M1}\ntables:\n  t:\n    row: b\n    columns: {x: {unit: u}}\n"
TEST(test_damaged_files)
{
    expect_refused("paper: [", 2);
    expect_refused("[]", 1);
    expect_refused("paper: {id: p}\n", 1);
    expect_refused("paper: {idd: p}\ntables: {}\nmisprints: []\n", 1);
    expect_refused(HEAD "    rows:\n      - {b: 0, x: nan}\n", 9);
    expect_refused(HEAD "    rows:\n      - {b: 0, y: 1}\n", 9);
    expect_refused(HEAD "    rows:\n      - {x: 1}\n", 9);
    expect_refused(HEAD "    rows:\n      - {b: 0, x: 1}\n      - {b: 0, x: 1}\n", 10);
    expect_refused(
        HEAD "    rows: [{b: 0, x: 1}]\n    corrections:\n      - {misprint: M2, row: 0, column: x, corrected: 2}\n",
        10);
    expect_refused(
        HEAD "    rows: [{b: 0, x: 1}]\n    corrections:\n      - {misprint: M1, row: 1, column: x, corrected: 2}\n",
        10);
    expect_refused(
        HEAD "    rows: [{b: 0}]\n    corrections:\n      - {misprint: M1, row: 0, column: x, corrected: 2}\n", 10);
    expect_refused(HEAD "    rows:\n      - {b: 0, x: four}\n", 9); // words in a column of numbers
    expect_refused(HEAD "    rows:\n      - {b: 0, x: \"\"}\n", 9);
    expect_refused(HEAD "    rows:\n      - {b: 0, x: 1, x: 2}\n", 9);
    expect_refused(HEAD "    rows: []\nsetupp: {}\n", 9);
    expect_refused(HEAD "    rows: []\nsetup: [1]\n", 9);
    expect_refused(HEAD "    rows: []\nsetup: {width: wide}\n", 9);
    expect_refused(HEAD "    rows: []\nsetup: {gpu: [[1]]}\n", 9);
    expect_refused(HEAD "    rows: []\nsetup: {gpu: a, gpu: b}\n", 9);
    expect_refused(HEAD "    rows: []\nsetup: &a {\"\": *a}\n", 9); // within itself
    expect_refused(HEAD "    rows: []\nsetup: &a {b: *a}\n", 9);
    expect_refused(HEAD "    rows: []\nchoices: [{id: A1}, {id: A1}]\n", 9);
    expect_refused(HEAD "    rows: []\nquoted: {id: Q01}\n", 9);
}

#define WORDS "paper: {id: p}\nmisprints: [{id: M1}]\ntables:\n  t:\n    row: b\n    columns: {x: {style: text}}\n"
#define LONG "1234567890123456789012345678901234567890123456789012345678901234"
TEST(test_words)
{
    expect_refused(WORDS "    rows:\n      - {b: 0, x: [a]}\n", 8);
    expect_refused(WORDS "    rows:\n      - {b: 0, x: " LONG "}\n", 8);
    expect_refused("paper: {id: p}\nmisprints: []\ntables:\n  t: {row: b, rows: [], columns: {x: {style: texts}}}\n",
                   4);
    char text[80];
    const char *path = folder_file(
        "published.yaml", WORDS
        "    rows: [{b: 0, x: 9876 a}, {b: 1}]\n    corrections: [{misprint: M1, row: 0, column: x, corrected: b}]\n");
    struct published *words = made(published_load(path, &why));
    const struct published_table *table = published_table(words, "t");
    const struct published_cell *cell = published_cell(table, "0", "x");
    assert_string_equal(cell->printed, "9876 a");
    assert_string_equal(cell->corrected, "b");
    assert_true(isnan(cell->value));
    assert_null(published_cell(table, "1", "x")->printed);
    published_text(published_column(table, "x"), cell->printed, text, sizeof text);
    assert_string_equal(text, "9876 a");
    published_free(words);
}

// A folder of papers with one paper p, whose tables.yaml is this.
static void expect_list_refused(const char *tables, int line, const char *words)
{
    struct error error = {0};
    const char *root = folder_new();
    char folder[100], text[2200];
    snprintf(folder, sizeof folder, "%s/p", root);
    assert_int_equal(mkdir(folder, 0700), 0);
    folder_write_text(folder, "published.yaml", HEAD "    rows: [{b: 0, x: 1}]\n");
    folder_write_text(folder, "tables.yaml", tables);
    setenv("WARPSTUDY_PAPERS", root, 1);
    struct paper *paper = paper_load("p", &error);
    unsetenv("WARPSTUDY_PAPERS");
    error_format(&error, text, sizeof text);
    if (!words) {
        assert_non_null(paper);
        assert_null(paper->tables[0].sql);
        assert_string_equal(paper->tables[0].row, "b");
        assert_string_equal(paper->tables[0].columns[0].title, "x");
        assert_string_equal(paper->tables[0].columns[0].unit, "u");
        paper_free(paper);
        return;
    }
    assert_null(paper);
    if (error.line != line || !strstr(text, words))
        fail_msg("line %d and '%s' are not in: %s", line, words, text);
}

TEST(test_damaged_lists)
{
    expect_list_refused("tables:\n  t: {published: t, missing: 'not implemented: needs A-B'}\nfigures: {}\n", 0, NULL);
    expect_list_refused("tables:\n  t: {published: t}\nfigures: {}\n", 2, "give 'missing' (why");
    expect_list_refused("tables:\n  t: {missing: 'not implemented'}\nfigures: {}\n", 2, "'published' (what");
    expect_list_refused("tables:\n  t: {published: u, missing: 'not implemented'}\nfigures: {}\n", 2, "no table 'u'");
    expect_list_refused("tables:\n  t: {published: t, sql: t.sql, missing: 'not implemented'}\nfigures: {}\n", 2,
                        "both 'sql' and 'missing'");
    expect_list_refused("tables:\n  t: {published: t, sql: t.sql}\nfigures: {}\n", 2, "'row' is missing");
    expect_list_refused("tables:\n  t: {published: t, sql: t.sql, row: b}\nfigures: {}\n", 2, "'columns' is missing");
    expect_list_refused("tables:\n  t: {published: t, missing: m, cited: [A1]}\nfigures: {}\n", 2, "or choice 'A1'");
    expect_list_refused("tables:\n  t: {published: t, missing: m}\n", 1, "'figures' is missing");
}

TEST_GROUP(load, unload)
