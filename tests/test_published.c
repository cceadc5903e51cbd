// SPDX-License-Identifier: MIT
// Guards the published values: the checksum catches any change, the arithmetic between the cells a wrong one.
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "base/hash.h"
#include "published_support.h"
#include "report/papers/paper.h"
#include "base/yaml.h"

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

// ---- relations: each counts its violations

struct reading {
    double value, half; // half: of the last printed digit, in the column's unit
};

static struct reading read_cell(const char *table, const char *row, const char *column)
{
    const struct published_table *t = published_table(published, table);
    const struct published_cell *cell = published_cell(t, row, column);
    const char *text = cell->corrected ? cell->corrected : cell->printed;
    const char *point = strchr(text, '.');
    const int decimals = point ? (int)strlen(point + 1) : 0;
    return (struct reading){cell->value, 0.5 * pow(10, -decimals) * published_column(t, column)->scale};
}

// Whether the printed number can be the rounded `expected`, which itself is known to +- spread.
static int differs(struct reading printed, double expected, double spread)
{
    return fabs(printed.value - expected) > printed.half * 1.0001 + spread;
}

static int check_table2(void)
{
    int wrong = 0;
    double paths = 0, warps = 0, compacted = 0;
    for (int b = 0; b <= 8; ++b) {
        char row[4];
        snprintf(row, sizeof row, "%d", b);
        const struct reading active = read_cell("table2", row, "active_paths"),
                             naive = read_cell("table2", row, "naive_warps");
        paths += active.value;
        warps += naive.value;
        compacted += active.value / 32;
        const double rounding = (b + 1) * active.half, ppw = active.value / naive.value;
        wrong += differs(read_cell("table2", row, "active_paths_cumulative"), paths, 0);
        wrong += differs(read_cell("table2", row, "naive_warps_cumulative"), warps, 0);
        wrong += differs(read_cell("table2", row, "naive_paths_per_warp"), ppw, active.half / naive.value);
        wrong +=
            differs(read_cell("table2", row, "naive_paths_per_warp_cumulative"), paths / warps, rounding / warps / 4);
        wrong += differs(read_cell("table2", row, "compacted_warps"), active.value / 32, active.half / 32);
        wrong += differs(read_cell("table2", row, "compacted_warps_cumulative"), compacted, rounding / 32 / 4);
        wrong += differs(read_cell("table2", row, "saved"), warps / compacted, 0.002);
        wrong += b == 8 && differs(read_cell("table2", row, "saved"), 250138.0 / 108563, 0);
    }
    return wrong;
}

static int check_table1(void)
{
    static const char *const scenes[] = {"fairy", "moto", "troll", "dragon", "dreamhome", "refinery"};
    static const double speedup[] = {1.131, 1.128, 1.138, 1.125, 1.135, 1.161};
    static const double slowdown[] = {2.898, 2.743, 2.900, 2.983, 2.780, 2.937};
    int wrong = 0;
    for (int i = 0; i < 6; ++i) {
        const struct reading naive = read_cell("table1", scenes[i], "naive"),
                             whole = read_cell("table1", scenes[i], "whole_frame"),
                             tiled = read_cell("table1", scenes[i], "tiled_shared");
        wrong +=
            differs(read_cell("table1", scenes[i], "whole_frame_change"), 100 * (whole.value / naive.value - 1), 0.3);
        wrong +=
            differs(read_cell("table1", scenes[i], "tiled_shared_change"), 100 * (tiled.value / naive.value - 1), 0.3);
        wrong += fabs(whole.value / naive.value - speedup[i]) > 0.0006;
        wrong += fabs(naive.value / tiled.value - slowdown[i]) > 0.0006;
    }
    return wrong;
}

// Table 2's warps times Table 3's times are a frame: 342.3 ms with compaction off and 278.4 ms with it on.
static int check_table3(void)
{
    int wrong = 0;
    double off = 0, on = 0, off_parts[9], on_parts[9];
    static const double off_ms[] = {49.2, 70.7, 58.4, 43.0, 33.2, 28.7, 23.7, 18.8, 16.8};
    static const double on_ms[] = {49.2, 70.7, 51.1, 35.2, 23.9, 17.4, 12.8, 10.0, 8.1};
    for (int b = 0; b <= 8; ++b) {
        char row[4];
        snprintf(row, sizeof row, "%d", b);
        off_parts[b] = read_cell("table3", row, "off_time").value * read_cell("table2", row, "naive_warps").value / 1e3;
        on_parts[b] = read_cell("table3", row, "on_time").value * read_cell("table2", row, "active_paths").value / 32e3;
        wrong += fabs(off_parts[b] - off_ms[b]) > 0.06;
        wrong += fabs(on_parts[b] - on_ms[b]) > 0.06;
        off += off_parts[b];
        on += on_parts[b];
        wrong += read_cell("table3", row, "off_paths_per_warp").value !=
                 read_cell("table2", row, "naive_paths_per_warp").value;
        wrong += read_cell("table3", row, "on_paths_per_warp").value != 32;
    }
    wrong += fabs(off - 342.3) > 0.06;
    wrong += fabs(on - 278.4) > 0.06;
    return wrong;
}

static int check_occupancy(void)
{
    // 64 registers, 64 threads: 16, 4 and 2 of 48 warps; M rows of 64 paths at 96 bytes.
    return differs(read_cell("figure2_right", "0", "occupancy"), 100 * 16.0 / 48, 0) +
           differs(read_cell("figure2_right", "4", "occupancy"), 100 * 4.0 / 48, 0) +
           differs(read_cell("figure2_right", "8", "occupancy"), 100 * 2.0 / 48, 0) +
           differs(read_cell("figure2_right", "4", "shared"), 4 * 64 * 96 / 1024.0, 0) +
           differs(read_cell("figure2_right", "0", "shared"), 0, 0) +
           differs(read_cell("figure2_right", "8", "shared"), 8 * 64 * 96 / 1024.0, 0);
}

// The number that the text gives stands once as a quotation and once as a cell.
static int check_dummy(void)
{
    const struct published_quote *quote = published_quote(published, "Q20");
    const char *number = quote ? strpbrk(quote->value, "0123456789") : NULL;
    return !number || strtod(number, NULL) != read_cell("dummy", "2.0", "gain").value;
}

static int violations(void)
{
    return check_table1() + check_table2() + check_table3() + check_occupancy() + check_dummy();
}

// ---- tests

static void test_arithmetic(void **state)
{
    assert_int_equal(check_table1(), 0);
    assert_int_equal(check_table2(), 0);
    assert_int_equal(check_table3(), 0);
    assert_int_equal(check_occupancy(), 0);
    assert_int_equal(check_dummy(), 0);
    assert_int_equal(published->quote_count, 27);
    assert_string_equal(published_quote(published, "Q15")->where, "4.2.2");
    assert_int_equal(published->width * published->height, 983040);
    assert_int_equal(published->max_bounces, 8);
    assert_int_equal(published->warp_width, 32);
}

// Every single value, made a fifth larger, must be found out.
static void test_corruption_is_found(void **state)
{
    published_corrupt_numbers(published, violations);
}

static void test_misprints_matter(void **state)
{
    // Printed as they stand, the two wrong cells contradict their neighbours.
    static const struct {
        const char *row, *column, *id;
        double printed;
    } cells[] = {{"2", "compacted_warps_cumulative", "W-M1", 38000},
                 {"8", "naive_warps", "W-M2", 16651},
                 {"8", "naive_paths_per_warp_cumulative", "W-M8", 13.8}};
    struct published_table *table = (struct published_table *)published_table(published, "table2");
    for (size_t i = 0; i < 3; ++i) {
        struct published_cell *cell = (struct published_cell *)published_cell(table, cells[i].row, cells[i].column);
        assert_string_equal(cell->misprint, cells[i].id);
        const double good = cell->value;
        cell->value = cells[i].printed;
        assert_true(check_table2() > 0);
        cell->value = good;
    }
    assert_int_equal(published->misprint_count, 13);
}

static void test_text(void **state)
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
static void test_checksums(void **state)
{
    char path[700], line[400], name[300], wanted[64], found[HASH_TEXT];
    int count = 0;
    published_path("checksums", path, sizeof path);
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    while (fgets(line, sizeof line, stream)) {
        struct error error = {0};
        struct hash hash;
        if (sscanf(line, "%32s %299s", wanted, name) != 2)
            continue;
        published_path(name, path, sizeof path);
        assert_true(hash_file(path, &hash, &error));
        hash_text(hash, found);
        if (strcmp(found, wanted) != 0)
            fail_msg("%s has changed: put %s into paper_figures/checksums if that is meant", name, found);
        ++count;
    }
    fclose(stream);
    struct paper_names papers;
    struct error error = {0};
    assert_true(paper_names(&papers, &error));
    assert_int_equal(count, papers.count);
    assert_int_equal(papers.count, 5);
}

// Whether `missing` names the variants that it speaks of, and all that it names are in the map of variants and do not exist here.
static void check_missing(const struct paper *paper, const struct paper_table *table)
{
    char path[700], *map;
    struct error error = {0};
    int named = 0;
    published_path("variants.yaml", path, sizeof path);
    map = yaml_file_text(path, NULL, &error);
    assert_non_null(map);
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
    struct error error = {0};
    struct paper *paper = paper_load(id, &error);
    if (!paper) {
        fail_msg("%s: %s", id, error.message);
        return false;
    }
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
    assert_string_equal(paper->published->id, id);
    paper_free(paper);
    return true;
}

static void test_paper_lists(void **state)
{
    struct error error = {0};
    int unmeasured = 0;
    struct paper *paper = paper_load("wald2011", &error);
    assert_non_null(paper);
    const struct paper_table *table = paper_table_find(paper, "table2");
    assert_non_null(table);
    assert_true(table->column_count >= 7);
    assert_non_null(paper_figure_find(paper, "figure1"));
    assert_int_equal(paper_figure_find(paper, "figure1")->scene_count, 6);
    paper_free(paper);
    struct paper_names papers;
    assert_true(paper_names(&papers, &error));
    for (size_t i = 0; i < papers.count; ++i)
        assert_true(check_lists(&unmeasured, papers.list[i]));
    assert_int_equal(unmeasured, 8);
    assert_null(paper_load("wald2012", &error));
    assert_int_equal(error.kind, ERROR_USE);
    assert_non_null(strstr(error.remedy, "wald2011"));
}

static void test_facts(void **state)
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
    struct error error = {0};
    char path[] = "/tmp/published-XXXXXX";
    FILE *stream = fdopen(mkstemp(path), "w");
    fputs(text, stream);
    fclose(stream);
    assert_null(published_load(path, &error));
    remove(path);
    assert_true(error.message[0] != '\0');
    assert_int_equal(error.line, line);
}

#define HEAD "paper: {id: p}\nmisprints:\n  - {id: M1}\ntables:\n  t:\n    row: b\n    columns: {x: {unit: u}}\n"
static void test_damaged_files(void **state)
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
static void test_words(void **state)
{
    expect_refused(WORDS "    rows:\n      - {b: 0, x: [a]}\n", 8);
    expect_refused(WORDS "    rows:\n      - {b: 0, x: " LONG "}\n", 8);
    expect_refused("paper: {id: p}\nmisprints: []\ntables:\n  t: {row: b, rows: [], columns: {x: {style: texts}}}\n",
                   4);
    struct error error = {0};
    char path[] = "/tmp/published-XXXXXX", text[80];
    FILE *stream = fdopen(mkstemp(path), "w");
    fputs(WORDS
          "    rows: [{b: 0, x: 9876 a}, {b: 1}]\n    corrections: [{misprint: M1, row: 0, column: x, corrected: b}]\n",
          stream);
    fclose(stream);
    struct published *words = published_load(path, &error);
    remove(path);
    assert_non_null(words);
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
    char root[] = "/tmp/papers-XXXXXX", folder[100], path[130], text[2200];
    assert_non_null(mkdtemp(root));
    snprintf(folder, sizeof folder, "%s/p", root);
    assert_int_equal(mkdir(folder, 0700), 0);
    snprintf(path, sizeof path, "%s/published.yaml", folder);
    FILE *stream = fopen(path, "w");
    fputs(HEAD "    rows: [{b: 0, x: 1}]\n", stream);
    fclose(stream);
    snprintf(path, sizeof path, "%s/tables.yaml", folder);
    stream = fopen(path, "w");
    fputs(tables, stream);
    fclose(stream);
    setenv("WARPSTUDY_PAPERS", root, 1);
    struct paper *paper = paper_load("p", &error);
    unsetenv("WARPSTUDY_PAPERS");
    remove(path);
    snprintf(path, sizeof path, "%s/published.yaml", folder);
    remove(path);
    rmdir(folder);
    rmdir(root);
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

static void test_damaged_lists(void **state)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_corruption_is_found),
        cmocka_unit_test(test_misprints_matter),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_checksums),
        cmocka_unit_test(test_paper_lists),
        cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_facts),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_damaged_lists),
    };
    return cmocka_run_group_tests_name("published", tests, load, unload);
}
