// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/path.h"
#include "commands/shared.h"
#include "commands/text_table.h"
#include "report/compare_plot.h"
#include "report/write/escape.h"
#include "store/compare.h"

// For people: milliseconds, and as many digits as mean something.
#define TIMES_FOR_PEOPLE                                                                                               \
    "round(1e3 * a_seconds, 4) AS a_ms, round(1e3 * b_seconds, 4) AS b_ms, round(ratio, 4) AS ratio, "                 \
    "round(low, 4) AS low, round(high, 4) AS high, round(100 * noise_floor, 2) AS 'noise_%', "                         \
    "a_n || '/' || b_n AS n, verdict"
#define TIMES_EXACT "a_seconds, b_seconds, ratio, low, high, noise_floor, a_n, b_n, verdict"

static const char cells_for_people[] = "SELECT cell, counts, image, path_hash, " TIMES_FOR_PEOPLE
                                       ", nullif(notes, '') AS notes FROM temp.compared ORDER BY parameters, pair";
static const char cells_exact[] =
    "SELECT json_extract(parameters, '$.scene') AS scene, json_extract(parameters, '$.camera') AS camera, "
    "json_extract(parameters, '$.variant') AS variant, a_device, b_device, counts, image, path_hash, " TIMES_EXACT
    ", notes, a_trials, b_trials, parameters FROM temp.compared ORDER BY parameters, pair";
static const char bounces_for_people[] =
    "SELECT cell, bounce, a_paths, b_paths, a_warps, b_warps, counts, " TIMES_FOR_PEOPLE
    " FROM temp.compared_bounce ORDER BY parameters, pair, bounce";
static const char bounces_exact[] =
    "SELECT json_extract(parameters, '$.scene') AS scene, json_extract(parameters, '$.camera') AS camera, "
    "json_extract(parameters, '$.variant') AS variant, bounce, a_paths, b_paths, a_warps, b_warps, "
    "counts, " TIMES_EXACT ", parameters FROM temp.compared_bounce ORDER BY parameters, pair, bounce";

// :limit, by how much B may be slower, as a share: its interval must lie beyond it.
#define SLOWER "(verdict = 'slower' AND low > 1 + :limit)"
#define DIFFERENT "coalesce('differ' IN (counts, image, path_hash), 0)"
static const char summary_sql[] =
    "SELECT total(" SLOWER "), total(" DIFFERENT "), "
    "format('%d cells: B is the same in %d, faster in %d, slower in %d, unclear in %d, not timed in %d; only in A %d, "
    "only in B %d.', count(*), sum(verdict = 'same'), sum(verdict = 'faster'), sum(verdict = 'slower'), "
    "sum(verdict = 'unclear'), sum(verdict = 'not timed'), sum(verdict = 'only in A'), sum(verdict = 'only in B')) "
    "FROM temp.compared";
static const char bounces_summary_sql[] = "SELECT total(" SLOWER ") FROM temp.compared_bounce";
// Of each cell what fails it and why it was left out, '' where nothing does; and of each bounce.
#define SLOWER_WORDS                                                                                                   \
    "iif(" SLOWER ", format('B takes %.4f times as long, 95 %% interval %.4f to %.4f', ratio, low, high), '')"
#define ON_DEVICE "iif(coalesce(a_device, b_device) IS NULL, '', ' on ' || coalesce(a_device, b_device))"
static const char junit_sql[] =
    "SELECT json_extract(parameters, '$.variant'), cell || " ON_DEVICE ", "
    "trim(iif(counts = 'differ', 'counts differ, ', '') || iif(image = 'differ', 'images differ, ', '') || "
    "iif(path_hash = 'differ', 'path hashes differ, ', '') || " SLOWER_WORDS ", ', '), "
    "iif(verdict IN ('unclear', 'not timed', 'only in A', 'only in B'), verdict, ''), b_seconds "
    "FROM temp.compared ORDER BY parameters, pair";
static const char bounces_junit_sql[] =
    "SELECT json_extract(parameters, '$.variant'), cell || device || ' bounce ' || bounce, "
    "trim(iif(counts = 'differ', 'counts differ, ', '') || " SLOWER_WORDS ", ', '), "
    "iif(verdict IN ('unclear', 'not timed'), verdict, ''), b_seconds "
    "FROM temp.compared_bounce JOIN (SELECT pair, " ON_DEVICE " AS device FROM temp.compared) USING (pair) "
    "ORDER BY parameters, pair, bounce";
// :a and :b, what the sides are called.
static const char heading_sql[] =
    "WITH side AS (SELECT iif(side, :b, :a) AS name, group_concat(DISTINCT device_name) AS devices, count(*) AS cells "
    "FROM temp.both_sides GROUP BY side) "
    "SELECT format('%s, %s, %d cells', name, devices, cells) FROM side UNION ALL SELECT 'The devices differ. "
    "Counts must still be equal; times, where both have a clock, include the difference between the devices.' "
    "WHERE (SELECT count(DISTINCT devices) > 1 FROM side) UNION ALL SELECT ''";

enum { SIDE_MOST = 4096 };
struct named_side {
    const char *word, *file;
    char label[SIDE_MOST];
    bool has_label;
};

static bool is_file(const char *word)
{
    struct stat facts;
    return !stat(word, &facts) && !S_ISDIR(facts.st_mode);
}

static bool looks_like_file(const char *word)
{
    const size_t length = strlen(word);
    return strchr(word, '/') || (length > 3 && !strcmp(word + length - 3, ".db"));
}

// Where the file of LABEL@FILE begins, though either may have an @ in it; NULL: it is a label.
static const char *file_of(const char *word)
{
    const char *last = strrchr(word, '@');
    for (const char *at = word; (at = strchr(at, '@')); ++at)
        if (is_file(at + 1))
            return at + 1;
    return last && looks_like_file(last) ? last + 1 : NULL;
}

// LABEL, FILE or LABEL@FILE.
static bool parse_side(const struct command_line *line, const char *word, struct named_side *side, struct error *error)
{
    const char *file = file_of(word);
    *side = (struct named_side){.word = word, .file = word};
    if (is_file(word) || (!strchr(word, '@') && looks_like_file(word)))
        return true;
    const size_t length = file ? (size_t)(file - 1 - word) : strlen(word);
    if (length >= SIDE_MOST)
        return error_set(error, ERROR_USE, "compare: '%.40s...' is too long", word);
    side->has_label = true;
    side->file = file ? file : command_database(line);
    memcpy(side->label, word, length);
    return true;
}

static bool check_sides(const struct named_side sides[2], bool *same_file, struct error *error)
{
    struct stat a, b;
    *same_file = !stat(sides[0].file, &a) && !stat(sides[1].file, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
    if (*same_file && sides[0].has_label == sides[1].has_label && !strcmp(sides[0].label, sides[1].label)) {
        error_set(error, ERROR_USE, "compare: '%s' and '%s' are the same results", sides[0].word, sides[1].word);
        return error_remedy(error, "give two labels of runs, two databases, or LABEL@FILE");
    }
    return true;
}

static bool print_line(void *context, const struct store_row *row)
{
    (void)context;
    puts(row->values[0].text);
    return true;
}

static bool print_heading(struct store *both, const struct named_side sides[2], struct error *error)
{
    char *names[2];
    for (int i = 0; i < 2; ++i)
        names[i] =
            memory_format("%c: %s%s%s", "AB"[i], sides[i].label, sides[i].has_label ? " in " : "", sides[i].file);
    const char *const bindings[] = {"a", names[0], "b", names[1], NULL};
    const bool done = store_query(both, heading_sql, bindings, print_line, NULL, error);
    free(names[0]);
    free(names[1]);
    return done;
}

struct summary {
    int64_t slower, slower_bounces, different;
    char words[256];
};

static bool take_summary(void *context, const struct store_row *row)
{
    struct summary *summary = context;
    *summary = (struct summary){.slower = (int64_t)strtod(row->values[0].text, NULL),
                                .different = (int64_t)strtod(row->values[1].text, NULL)};
    snprintf(summary->words, sizeof summary->words, "%s", row->values[2].text);
    return true;
}

static bool take_bounces(void *context, const struct store_row *row)
{
    ((struct summary *)context)->slower_bounces = (int64_t)strtod(row->values[0].text, NULL);
    return true;
}

static void print_summary(const struct summary *summary)
{
    printf("%s\nCounts, image or path hash differ in %lld.\n", summary->words, (long long)summary->different);
    printf(
        "Test: Welch's 95 %% interval [low, high] of ratio = B / A, on logarithms of the medians of n replicates. The "
        "verdict\nis same if the interval lies within the noise floor, faster or slower if it lies beyond it, else "
        "unclear.\nNoise floor: the largest difference between two replicates of either side.\n\n");
}

// ---- for other programs

struct junit {
    FILE *stream;
    size_t cases, failures, skipped;
};

static void put_outcome(const char *element, const char *message, FILE *stream)
{
    fprintf(stream, "<%s", element);
    html_attribute("message", message, stream);
    fputs("/>", stream);
}

static bool put_case(void *context, const struct store_row *row)
{
    struct junit *junit = context;
    const char *failure = row->values[2].text, *skipped = row->values[3].text;
    fputs("<testcase", junit->stream);
    html_attribute("classname", row->values[0].text, junit->stream);
    html_attribute("name", row->values[1].text, junit->stream);
    if (row->values[4].type != STORE_NULL)
        html_attribute("time", row->values[4].text, junit->stream);
    fputs(">", junit->stream);
    if (failure[0])
        put_outcome("failure", failure, junit->stream);
    else if (skipped[0])
        put_outcome("skipped", skipped, junit->stream);
    fputs("</testcase>\n", junit->stream);
    ++junit->cases;
    junit->failures += failure[0] != '\0';
    junit->skipped += !failure[0] && skipped[0];
    return true;
}

static const char junit_mark[] = "<testsuite name=\"warpstudy compare\"";

// Whether there is nothing yet, or what an earlier comparison wrote: any other file would be lost.
static bool junit_is_free(const char *path, struct error *error)
{
    char head[128] = "";
    struct stat facts;
    if (!path || stat(path, &facts) != 0)
        return true;
    FILE *file = S_ISREG(facts.st_mode) ? fopen(path, "r") : NULL;
    const size_t size = file ? fread(head, 1, sizeof head - 1, file) : 1;
    if (file)
        fclose(file);
    if (size == 0 || strstr(head, junit_mark))
        return true;
    error_set(error, ERROR_USE, "%s exists and is no test suite of compare", path);
    return error_remedy(error, "give another name: --junit compare.xml");
}

// A test suite with a case for each cell, and for each bounce where those are compared.
static bool write_junit(struct store *both, const char *path, bool bounces, const char *const *bindings,
                        struct error *error)
{
    char *cases, *text;
    size_t size, length;
    struct junit junit = {.stream = memory_stream(&cases, &size)};
    bool done = store_query(both, junit_sql, bindings, put_case, &junit, error) &&
                (!bounces || store_query(both, bounces_junit_sql, bindings, put_case, &junit, error));
    memory_close(junit.stream);
    FILE *stream = memory_stream(&text, &length);
    fprintf(stream,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n%s tests=\"%zu\" failures=\"%zu\" skipped=\"%zu\">\n%s"
            "</testsuite>\n",
            junit_mark, junit.cases, junit.failures, junit.skipped, cases);
    memory_close(stream);
    done = done && path_replace(path, text, length, error);
    free(text);
    free(cases);
    return done;
}

// The share of --threshold; without it 0. False where it is no percentage.
static bool read_limit(const struct command_line *line, char text[32], struct error *error)
{
    const char *word = command_option(line, "threshold");
    char *end = NULL;
    const double percent = word ? strtod(word, &end) : 0;
    snprintf(text, 32, "%.17g", percent / 100);
    if (!word || (end != word && !*end && isfinite(percent) && percent >= 0))
        return true;
    error_set(error, ERROR_USE, "compare: --threshold is a percentage of at least 0, not '%.60s'", word);
    return error_remedy(error, "for example --threshold 2");
}

static bool print_comparison(struct store *both, const struct command_line *line, enum text_format format,
                             const struct named_side sides[2], struct error *error)
{
    struct summary summary = {0};
    char limit[32];
    if (!read_limit(line, limit, error))
        return false;
    const char *const bindings[] = {"limit", limit, NULL}, *junit = command_option(line, "junit");
    const bool people = format == TEXT_TABLE, bounces = command_flag(line, "bounces");
    const char *sql = bounces ? people ? bounces_for_people : bounces_exact : people ? cells_for_people : cells_exact;
    if (!store_query(both, summary_sql, bindings, take_summary, &summary, error) ||
        (bounces && !store_query(both, bounces_summary_sql, bindings, take_bounces, &summary, error)) ||
        (junit && !write_junit(both, junit, bounces, bindings, error)) ||
        (people && !print_heading(both, sides, error)))
        return false;
    if (people)
        print_summary(&summary);
    const char *folder = command_option(line, "plot");
    if (!text_table_query(both, sql, NULL, format, "no cell was measured on both sides", error) ||
        (folder && !compare_plot(both, sides[0].word, sides[1].word, folder, people ? stdout : stderr, stderr, error)))
        return false;
    const char *threshold = command_option(line, "threshold");
    if (!(command_flag(line, "exit-code") || threshold) ||
        (!summary.slower && !summary.slower_bounces && !summary.different))
        return true;
    char of_bounces[48] = "";
    if (bounces)
        snprintf(of_bounces, sizeof of_bounces, " and %lld bounces", (long long)summary.slower_bounces);
    return error_set(error, ERROR_DIFFERENT, "B is slower%s%.60s%s in %lld cells%s; counts or hashes differ in %lld",
                     threshold ? " by more than " : "", threshold ? threshold : "", threshold ? " %" : "",
                     (long long)summary.slower, of_bounces, (long long)summary.different);
}

static bool compare_run(const struct command_line *line, struct error *error)
{
    const enum text_format format = (enum text_format)command_choice(line, "format");
    struct named_side named[2];
    bool same_file;
    if (!parse_side(line, line->words[0], &named[0], error) || !parse_side(line, line->words[1], &named[1], error) ||
        !check_sides(named, &same_file, error) || !junit_is_free(command_option(line, "junit"), error))
        return false;
    struct store_side sides[2];
    struct store *both = NULL;
    for (int i = 0; i < 2; ++i)
        sides[i] = (struct store_side){.label = named[i].has_label ? named[i].label : NULL};
    sides[0].store = store_open(named[0].file, STORE_READ, error);
    sides[1].store = sides[0].store ? store_open(named[1].file, STORE_READ, error) : NULL;
    if (sides[1].store)
        both = store_compare(&sides[0], &sides[1], same_file, command_flag(line, "bounces"), error);
    store_close(sides[0].store);
    store_close(sides[1].store);
    const bool done = both && print_comparison(both, line, format, named, error);
    store_close(both);
    return done;
}

const struct command command_compare = {
    .name = "compare",
    .arguments = "A B [--bounces] [--exit-code | --threshold PERCENT] [--junit FILE] [--plot DIR]",
    .summary = "compares two runs or databases setting by setting: times, counts and hashes",
    .details =
        "A and B are labels of runs (in the database of --db), files, or LABEL@FILE, which also\n"
        "names a label that is a file's name too. A cell is one setting: scene, camera, variant and every parameter.\n"
        "Results from the same device are compared if both sides have them, else those of different devices. A file\n"
        "stands for its current results, a label for the results that its runs measured or found already done.\n\n"
        "Exit codes: 0 done, 2 wrong usage or database; with --exit-code or --threshold 3 if anything is slower or\n"
        "differs.",
    .options =
        {
            {COMMAND_OPTION_DB},
            {COMMAND_OPTION_FORMAT},
            {"bounces", NULL, "one row per bounce: paths, warps, time of the path kernels", 'b'},
            {"exit-code", NULL, "exit with 3 if anything is slower, or counts or hashes differ", 0},
            {"threshold", "PERCENT", "as --exit-code, but slower only where the whole interval lies beyond this", 0},
            {"plot", "DIR", "also draw the ratios of times: SVG, PDF, PNG, the gnuplot script and its data", 0},
            {"junit", "FILE",
             "also write a JUnit test suite: a cell (or bounce) slower or different fails, one unclear or alone is "
             "skipped",
             0},
        },
    .least_words = 2,
    .most_words = 2,
    .run = compare_run,
};
