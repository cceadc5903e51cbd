// SPDX-License-Identifier: MIT
// Fuzz target: the first byte says which file of a folder of papers the rest takes the place of, and which of the commands that read
// the folder is run on a small database: no file may crash it or keep it for long, and what fails says why. (Queries are
// limited to what ends: a folder of papers is code.)
#include <ctype.h>
#include <sys/stat.h>

#include "bench_trials.h"
#include "fuzz_command.h"
#include "report/plot.h"

enum { TRIALS = 6, QUERY_MAX = 600 };

static const struct {
    const char *name, *text;
} files[] = {
    {"variants.yaml", "variants:\n"
                      "  A: {ours: naive, title: a}\n"
                      "  B: {title: b}\n"
                      "  C: {ours: \"traversal=speculative\", title: c}\n"},
    {"conflicts.yaml", "conflicts:\n  X01:\n    claims: [p-C01, p-C02]\n    issue: \"i?\"\n    experiment: \"e\"\n"},
    {"p/published.yaml", "paper: {id: p, title: T, authors: a, venue: v, year: 2011}\n"
                         "setup: {gpu: G, width: 1280, height: 768, warp_width: 32}\n"
                         "tables:\n"
                         "  t1:\n"
                         "    title: One\n"
                         "    row: bounce\n"
                         "    columns: {paths: {unit: paths, decimals: 0, scale: 1000, suffix: k}, w: {style: text}}\n"
                         "    rows: [{bounce: 0, paths: 983, w: x}, {bounce: 1, paths: 12.5}]\n"
                         "    corrections: [{misprint: M1, row: 1, column: paths, corrected: 13}]\n"
                         "quoted: [{id: Q01, where: \"1\", value: \"2; 3\", unit: s, of: x}]\n"
                         "misprints: [{id: M1, where: \"1\", printed: a, corrected: b, certainty: c, reason: r}]\n"
                         "choices: [{id: A1, issue: i, resolution: r}]\n"},
    {"p/tables.yaml", "flags: {word: \"a footnote\"}\n"
                      "prepare: [views.sql]\n"
                      "tables:\n"
                      "  t1:\n"
                      "    sql: t1.sql\n"
                      "    published: t1\n"
                      "    row: bounce\n"
                      "    cited: [Q01, M1, A1]\n"
                      "    remarks: [\"a remark\"]\n"
                      "    columns:\n"
                      "      paths: {title: P, unit: paths, style: count, direction: none, published: paths,\n"
                      "              compare: always, low: low, high: high, flags: f, trials: trials, needs: n}\n"
                      "  t2: {published: t1, missing: \"not implemented\"}\n"
                      "figures: {f1: {title: F, table: t1, script: f1.gp}}\n"},
    {"p/claims.yaml",
     "excluding: [idle]\n"
     "claims:\n"
     "  C01: {words: w, where: h, statement: s, variants: [A, C], published: \"2\", range: [1, 2], check: [counts], "
     "tier: 1,\n"
     "        sql: t1.sql, parts: [{kind: literal, text: t, accept: a, refute: r,\n"
     "        tests: [{value: paths, accept: [1, null], refute: [null, 0.5]}]}]}\n"
     "  C02: {words: w, where: h, statement: s, variants: [B], published: e, check: [static], tier: 3,\n"
     "        parts: [{kind: whole, accept: f, refute: g}]}\n"},
    {"p/t1.sql", "SELECT 'all' AS panel, bounce, active_paths AS paths, active_paths - 1 AS low, active_paths + 1 AS "
                 "high, 'word' AS f, "
                 "'1' AS trials, 'here' AS place FROM (SELECT 0 AS bounce, 983040 AS active_paths)\n"},
    {"p/views.sql", "CREATE TEMP VIEW mine AS SELECT count(*) AS n FROM trial;\n"},
    {"p/f1.gp", "# a script\nset title \"t\"\nload ARG0[1:strlen(ARG0) - strlen(\"f1.gp\")] . \"f1.gp\"\n"},
};
enum { FILES = sizeof files / sizeof *files };

static char database[64], places[FILES][64];

static char *const commands[][FUZZ_WORDS] = {
    {"report", "p", "--format", "text", "--db", database},
    {"report", "p", "t1", "--format", "csv", "--db", database},
    {"report", "p", "--claims", "--db", database},
    {"query", "SELECT count(*) FROM published", "--db", database},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void begin(void)
{
    char path[64];
    struct error error = {0};
    fuzz_begin();
    snprintf(path, sizeof path, "%s/papers", fuzz_folder);
    mkdir(path, 0700);
    setenv("WARPSTUDY_PAPERS", path, 1);
    snprintf(path, sizeof path, "%s/papers/p", fuzz_folder);
    mkdir(path, 0700);
    snprintf(database, sizeof database, "%s/a.db", fuzz_folder);
    for (int i = 0; i < FILES; ++i) {
        snprintf(places[i], sizeof places[i], "%s/papers/%s", fuzz_folder, files[i].name);
        fuzz_write(places[i], files[i].text, strlen(files[i].text));
    }
    if (!bench_trials(database, MIX_PLAIN, TRIALS, 0, &error))
        fuzz_stop(database, error.message);
}

static bool ends_in(const char *text, const char *end)
{
    const size_t a = strlen(text), b = strlen(end);
    return a > b && !strcmp(text + a - b, end);
}

// Without recursion, and over so few rows, a short query ends.
static bool may_run(int file, const uint8_t *text, size_t size)
{
    static const char word[] = "recursive";
    if (!ends_in(files[file].name, ".sql"))
        return true;
    for (size_t i = 0; i + sizeof word - 1 <= size; ++i) {
        size_t same = 0;
        while (same < sizeof word - 1 && tolower(text[i + same]) == word[same])
            ++same;
        if (same == sizeof word - 1)
            return false;
    }
    return size <= QUERY_MAX;
}

static void write_scripts(void)
{
    struct error error = {0};
    struct paper *paper = paper_load("p", &error);
    for (size_t i = 0; paper && i < paper->figure_count; ++i)
        if (paper->figures[i].script[0])
            plot_write_script(&paper->figures[i], "", stdout, &error);
    paper_free(paper);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!database[0])
        begin();
    if (size == 0)
        return 0;
    const int file = data[0] % FILES;
    if (!may_run(file, data + 1, size - 1))
        return 0;
    fuzz_write(places[file], data + 1, size - 1);
    if (data[0] / FILES % (COMMANDS + 1) == COMMANDS)
        write_scripts();
    else
        fuzz_command(commands[data[0] / FILES % (COMMANDS + 1)]);
    fuzz_write(places[file], files[file].text, strlen(files[file].text));
    return 0;
}
