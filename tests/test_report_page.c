// SPDX-License-Identifier: MIT
// What a report writes besides numbers: texts that look like markup, in HTML, LaTeX, CSV and scripts.
#include "check.h"
#include "report/write/escape.h"
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

TEST(test_html_text)
{
    assert_written(html_text, "<b onclick=\"a('&amp;')\">", "&lt;b onclick=&quot;a(&#39;&amp;amp;&#39;)&quot;&gt;");
    assert_written(html_text, "tab\tline\nend", "tab line end");
    assert_written(html_text, "caf\xC3\xA9 \xE2\x86\x92 \xF0\x9F\x98\x80", "caf\xC3\xA9 \xE2\x86\x92 \xF0\x9F\x98\x80");
    assert_written(html_text, "\x01\x7F\xC2\x85", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
    assert_written(html_sentence, "Make it: warpstudy run <x>", "Make it: <code>warpstudy run &lt;x&gt;</code>");
}

// Sequences that are too long, cut off, halves of pairs, or beyond the last character.
TEST(test_utf8)
{
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
TEST(test_safe_line)
{
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

TEST(test_latex_text)
{
    assert_written(latex_text, "50% & $5_#{}", "50\\% \\& \\$5\\_\\#\\{\\}");
    assert_written(latex_text, "\\input{x}~^", "\\textbackslash{}input\\{x\\}\\textasciitilde{}\\textasciicircum{}");
    assert_written(latex_text, "[a] <b>|\"", "{[}a{]} \\textless{}b\\textgreater{}\\textbar{}''");
    assert_written(latex_text, "\xC3\x97 \xE2\x89\xA5 \xC3\xA9 \xE6\xBC\xA2",
                   "$\\times$ $\\geq$ \xC3\xA9 {[}U+6F22{]}");
    assert_written(latex_comment, "a\nb\rc % d", "a b c % d");
}

TEST(test_csv_text)
{
    assert_written(csv_text, "plain; text", "plain; text");
    assert_written(csv_text, "a \"b\", c", "\"a \"\"b\"\", c\"");
    assert_written(csv_text, "two\nlines", "\"two\nlines\"");
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

TEST(test_hostile_scene)
{
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
TEST(test_attributes)
{
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

TEST(test_csv)
{
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
