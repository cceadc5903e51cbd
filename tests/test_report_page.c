// SPDX-License-Identifier: MIT
// What a report writes besides numbers: texts that look like markup, in HTML, LaTeX, CSV and scripts; and how files come
// into a folder that has others, or from which earlier ones are left.
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
#include "report/staging.h"
#include "base/utf8.h"
#include "report_support.h"

// ---- texts

static void assert_written(void (*write)(const char *, FILE *), const char *text, const char *wanted)
{
    char *written = NULL;
    size_t size;
    FILE *stream = open_memstream(&written, &size);
    write(text, stream);
    fclose(stream);
    assert_string_equal(written, wanted);
    free(written);
}

static void test_html_text(void **state)
{
    (void)state;
    assert_written(html_text, "<b onclick=\"a('&amp;')\">", "&lt;b onclick=&quot;a(&#39;&amp;amp;&#39;)&quot;&gt;");
    assert_written(html_text, "tab\tline\nend", "tab line end");
    assert_written(html_text, "caf\xC3\xA9 \xE2\x86\x92 \xF0\x9F\x98\x80", "caf\xC3\xA9 \xE2\x86\x92 \xF0\x9F\x98\x80");
    assert_written(html_text, "\x01\x7F\xC2\x85", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
    assert_written(html_name, "a/b <c>.d-e_f", "a_b__c_.d-e_f");
    assert_written(html_sentence, "Make it: warpstudy run <x>", "Make it: <code>warpstudy run &lt;x&gt;</code>");
}

// Sequences that are too long, cut off, halves of pairs, or beyond the last character.
static void test_utf8(void **state)
{
    (void)state;
    static const char *const wrong[] = {"\xC0\xBC",     "\xE0\x80\xBC",     "\xE2\x82",
                                        "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        const char *text = wrong[i];
        while (*text)
            assert_int_equal(utf8_next(&text), UTF8_REPLACEMENT);
        assert_int_equal(utf8_next(&text), 0);
    }
    const char *text = "\xE2\x82<";
    assert_int_equal(utf8_next(&text), UTF8_REPLACEMENT); // what follows a cut one is not lost
    assert_int_equal(utf8_next(&text), UTF8_REPLACEMENT);
    assert_int_equal(utf8_next(&text), '<');
}

// Nothing of a text speaks to a terminal, changes the order in which it is shown, or begins another line.
static void test_safe_line(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {"plain \xC3\xA9 \xE6\xBC\xA2 \xF0\x9F\x8C\xB2", "plain \xC3\xA9 \xE6\xBC\xA2 \xF0\x9F\x8C\xB2"},
        {"\033[2J\a\x7F", "?[2J??"},
        {"a\xC2\x9B"
         "1m\xC2\x85",
         "a?1m?"},
        {"\x9B"
         "1m\xC0\x9B",
         "?1m??"}, // raw, and one that is longer than it needs to be
        {"\xE2\x80\xAE"
         "gpj.exe\xE2\x81\xA6\xE2\x80\x8F\xD8\x9C",
         "?gpj.exe???"},
        {"one\ntwo\r\tthree\xE2\x80\xA8"
         "four",
         "one two  three four"},
        {"cut \xE6\xBC", "cut ??"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        char text[64];
        strcpy(text, texts[i][0]);
        utf8_line(text);
        assert_string_equal(text, texts[i][1]);
    }
    utf8_line(NULL);
}

static void test_latex_text(void **state)
{
    (void)state;
    assert_written(latex_text, "50% & $5_#{}", "50\\% \\& \\$5\\_\\#\\{\\}");
    assert_written(latex_text, "\\input{x}~^", "\\textbackslash{}input\\{x\\}\\textasciitilde{}\\textasciicircum{}");
    assert_written(latex_text, "[a] <b>|\"", "{[}a{]} \\textless{}b\\textgreater{}\\textbar{}''");
    assert_written(latex_text, "\xC3\x97 \xE2\x89\xA5 \xC3\xA9 \xE6\xBC\xA2",
                   "$\\times$ $\\geq$ \xC3\xA9 {[}U+6F22{]}");
    assert_written(latex_comment, "a\nb\rc % d", "a b c % d");
}

// ---- a table whose scene is hostile

static void assert_without(const char *text, const char *what)
{
    if (strstr(text, what)) {
        fputs(text, stderr);
        fail_msg("'%s' stands in the text above", what);
    }
}

static void assert_with(const char *text, const char *what)
{
    if (!strstr(text, what)) {
        fputs(text, stderr);
        fail_msg("no '%s' in the text above", what);
    }
}

static void test_hostile_scene(void **state)
{
    (void)state;
    struct bench bench;
    struct made naive = made_fairy("naive", fairy_warps);
    naive.scene = "<i>\\input{x}&\"'%_$#";
    naive.camera = "</td>";
    bench_open(&bench);
    bench_add(&bench, &naive);
    bench_build(&bench, (struct report_options){.all = true});
    assert_int_equal(bench.table->panel_count, 1);
    char *html = bench_render(&bench, doc_write_html), *latex = bench_render(&bench, doc_write_latex);
    assert_without(html, "<i>");
    assert_with(html, "&lt;i&gt;\\input{x}&amp;&quot;&#39;%_$#");
    assert_with(html, "&lt;/td&gt;");
    assert_without(latex, "\\input{x}");
    assert_with(latex, "\\textless{}i\\textgreater{}");
    assert_with(latex, "\\textbackslash{}");
    free(html);
    free(latex);
    bench_close(&bench);
}

// The attributes that a trace reads hold value, trials and footnotes of the cell.
static void test_attributes(void **state)
{
    (void)state;
    struct bench bench;
    const struct made naive = made_fairy("naive", fairy_warps);
    char wanted[200];
    bench_open(&bench);
    bench_add(&bench, &naive);
    bench_build(&bench, (struct report_options){.all = true});
    const struct report_cell *cell = bench_cell(&bench, 0, bench_row(&bench, 0, "3"), "naive_warps");
    snprintf(wanted, sizeof wanted, "<td data-v=\"%.15g\" data-t=\"%s\"><button type=\"button\" class=\"v\">30,698",
             cell->value, cell->trials);
    char *html = bench_render(&bench, doc_write_html);
    assert_with(html, wanted);
    free(html);
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

// ---- folders

struct place {
    char root[64], folder[100];
};

static void place_make(struct place *place)
{
    snprintf(place->root, sizeof place->root, "/tmp/report-place-XXXXXX");
    assert_non_null(mkdtemp(place->root));
    snprintf(place->folder, sizeof place->folder, "%s/a/b", place->root);
}

static void place_remove(const struct place *place)
{
    char command[200];
    snprintf(command, sizeof command, "rm -rf '%s'", place->root);
    assert_int_equal(system(command), 0);
}

static void write_text(const struct place *place, const char *name, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", place->folder, name);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
}

// "" where there is no such file.
static void assert_text(const struct place *place, const char *name, const char *wanted)
{
    char path[300], text[100] = "";
    snprintf(path, sizeof path, "%s/%s", place->folder, name);
    FILE *stream = fopen(path, "r");
    if (stream) {
        text[fread(text, 1, sizeof text - 1, stream)] = '\0';
        fclose(stream);
    }
    assert_string_equal(text, wanted);
}

// A report of these files, each holding `text`.
static bool make_report(const struct place *place, const char *const *names, const char *text, bool replaces,
                        struct error *error)
{
    struct staging staging;
    bool done = staging_begin(&staging, place->folder, error);
    staging.replaces = replaces;
    for (; done && *names; ++names) {
        FILE *stream = staging_open(&staging, *names, error);
        assert_non_null(stream);
        fputs(text, stream);
        done = staging_close(&staging, stream, error);
    }
    done = done && staging_commit(&staging, error);
    staging_abandon(&staging);
    return done;
}

static void test_folder_is_replaced(void **state)
{
    (void)state;
    struct place place;
    struct error error = {0};
    const char *const first[] = {"index.html", "tables/x.csv", "figures/old/x.svg", NULL},
                      *const second[] = {"index.html", "tables/y.csv", NULL}, *const more[] = {"more/z.csv", NULL};
    place_make(&place);
    must(make_report(&place, first, "1", true, &error), &error);
    write_text(&place, "mine.txt", "mine");
    write_text(&place, "tables/mine.txt", "mine");
    must(make_report(&place, more, "2", false, &error), &error); // adds to what is there
    assert_text(&place, "index.html", "1");
    assert_text(&place, "more/z.csv", "2");
    must(make_report(&place, second, "3", true, &error), &error); // takes the place of both
    assert_text(&place, "index.html", "3");
    assert_text(&place, "tables/y.csv", "3");
    assert_text(&place, "tables/x.csv", "");
    assert_text(&place, "more/z.csv", "");
    assert_text(&place, "mine.txt", "mine");
    assert_text(&place, "tables/mine.txt", "mine");
    char path[200];
    snprintf(path, sizeof path, "%s/figures", place.folder);
    assert_int_not_equal(access(path, F_OK), 0); // folders that it leaves empty go
    place_remove(&place);
}

static void test_files_of_others(void **state)
{
    (void)state;
    struct place place;
    struct error error = {0};
    const char *const names[] = {"a.csv", "index.html", NULL}, *const own[] = {"a.csv", NULL};
    place_make(&place);
    must(make_report(&place, own, "1", true, &error), &error);
    write_text(&place, "index.html", "mine");
    assert_false(make_report(&place, names, "2", true, &error));
    assert_non_null(strstr(error.file, "index.html"));
    assert_non_null(strstr(error.remedy, "--output"));
    assert_text(&place, "index.html", "mine");
    assert_text(&place, "a.csv", "1");
    place_remove(&place);
}

// A name in the list that leads out of the folder is not followed.
static void test_list_of_others(void **state)
{
    (void)state;
    struct place place;
    struct error error = {0};
    const char *const names[] = {"a.csv", NULL};
    place_make(&place);
    must(make_report(&place, names, "1", true, &error), &error);
    write_text(&place, "../precious", "mine");
    write_text(&place, STAGING_LIST, "../precious\n/etc/nothing\nx/../../precious\na.csv\n");
    must(make_report(&place, names, "2", true, &error), &error);
    assert_text(&place, "../precious", "mine");
    assert_text(&place, "a.csv", "2");
    place_remove(&place);
}

// A move that fails half-way is undone: a folder stands where the second file's folder should be made.
static void test_move_is_undone(void **state)
{
    (void)state;
    struct place place;
    struct error error = {0};
    const char *const own[] = {"a.csv", NULL}, *const names[] = {"a.csv", "b/c.csv", NULL};
    place_make(&place);
    must(make_report(&place, own, "1", true, &error), &error);
    write_text(&place, "b", "a file");
    assert_false(make_report(&place, names, "2", true, &error));
    assert_text(&place, "a.csv", "1");
    assert_text(&place, "b", "a file");
    assert_non_null(strstr(error.remedy, "--output"));
    error = (struct error){0};
    must(make_report(&place, own, "3", true, &error), &error); // the list is as it was
    assert_text(&place, "a.csv", "3");
    place_remove(&place);
}

static void test_nothing_is_left(void **state)
{
    (void)state;
    struct place place;
    struct staging staging;
    struct error error = {0};
    place_make(&place);
    must(staging_begin(&staging, place.folder, &error), &error);
    FILE *stream = staging_open(&staging, "deep/x.csv", &error);
    assert_non_null(stream);
    fclose(stream);
    staging_abandon(&staging);
    char path[100];
    snprintf(path, sizeof path, "%s/a", place.root);
    assert_int_not_equal(access(path, F_OK), 0); // folders that were made for it are gone too
    assert_int_equal(access(place.root, F_OK), 0);
    place_remove(&place);
}

// A report that was killed leaves a hidden folder; the next one removes it, but not that of one under way.
static void test_killed_report(void **state)
{
    (void)state;
    struct place place;
    struct staging under_way;
    struct error error = {0};
    const char *const names[] = {"a.csv", NULL};
    char left[200], command[500];
    place_make(&place);
    must(staging_begin(&under_way, place.folder, &error), &error);
    snprintf(left, sizeof left, "%s/.report-killed", place.folder);
    snprintf(command, sizeof command, "mkdir -p '%s/tables' && touch '%s/tables/x.csv'", left, left);
    assert_int_equal(system(command), 0);
    must(make_report(&place, names, "1", true, &error), &error);
    assert_int_not_equal(access(left, F_OK), 0);
    assert_int_equal(access(under_way.temporary, F_OK), 0);
    staging_abandon(&under_way);
    assert_text(&place, "a.csv", "1");
    place_remove(&place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_html_text),
        cmocka_unit_test(test_utf8),
        cmocka_unit_test(test_safe_line),
        cmocka_unit_test(test_latex_text),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_hostile_scene),
        cmocka_unit_test(test_attributes),
        cmocka_unit_test(test_folder_is_replaced),
        cmocka_unit_test(test_files_of_others),
        cmocka_unit_test(test_list_of_others),
        cmocka_unit_test(test_move_is_undone),
        cmocka_unit_test(test_nothing_is_left),
        cmocka_unit_test(test_killed_report),
    };
    return cmocka_run_group_tests_name("report_page", tests, NULL, NULL);
}
