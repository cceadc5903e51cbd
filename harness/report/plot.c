// SPDX-License-Identifier: MIT
// As many gnuplots as there are processors draw picture after picture, and are told of the next while they draw.
#include "report/plot.h"

#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/path.h"
#include "base/processors.h"
#include "base/shell.h"
#include "report/write/escape.h"

static const char *const kinds[] = {"svg", "pdf", "png"}; // PNG last: plots may be without it
enum { KINDS = sizeof kinds / sizeof *kinds };

static size_t kind_count(const struct plots *plots)
{
    return plots->without_png ? KINDS - 1 : KINDS;
}

// The script and the line that gnuplot blames, as in `"a.gp" line 3: undefined variable: x`, or the log's last words.
static bool tell_failure(const char *log, struct error *error)
{
    char line[1000], script[700] = "", words[400] = "it says nothing";
    int number = 0;
    FILE *stream = fopen(log, "r");
    while (stream && !script[0] && fgets(line, sizeof line, stream)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[strspn(line, " \t^")])
            snprintf(words, sizeof words, "%.399s", line);
        if (sscanf(line, " \"%699[^\"]\" line %d: %399[^\n]", script, &number, words) != 3)
            script[0] = '\0';
    }
    if (stream)
        fclose(stream);
    return error_set_at(error, ERROR_FAILED, script[0] ? script : "gnuplot", number, "gnuplot could not draw it: %s",
                        words);
}

// Names the first so many kinds of files; `to`: their path without an ending.
static bool name_files(struct staging *staging, size_t count, const char *stem, char *to, size_t size,
                       struct error *error)
{
    char name[250];
    for (size_t i = 0; i < count; ++i) {
        snprintf(name, sizeof name, "%.200s.%s", stem, kinds[i]);
        if (!staging_path(staging, name, to, size, error))
            return false;
        to[strlen(to) - strlen(kinds[i]) - 1] = '\0';
    }
    return true;
}

// ---- gnuplots at work

// Clears what the figure before has set. gnuplot opens an SVG with an empty group in the last colour that it drew with; a plot
// that is thrown away makes that none, as in a gnuplot just started.
static const char begin_figure[] =
    "reset session\nset terminal svg\nset output '/dev/null'\nset border linetype nodraw\n"
    "plot [0:1] x\nunset output\nreset session\n";

// A text of gnuplot's, which is one line.
static void put_text(const char *text, FILE *stream)
{
    fputs(" '", stream);
    for (; *text; ++text)
        fprintf(stream, *text == '\'' ? "''" : "%c", *text == '\n' || *text == '\r' ? ' ' : *text);
    fputc('\'', stream);
}

// gnuplot runs a file name that begins with < or |, and replaces a ~ there.
static void put_file(const char *path, FILE *stream)
{
    char *file = memory_format("%s%s", path[0] == '/' ? "" : "./", path);
    put_text(file, stream);
    free(file);
}

// Sets `kinds`, which style.gp otherwise sets to all three.
static void put_kinds(const struct plots *plots, FILE *stream)
{
    fputs("kinds = '", stream);
    for (size_t i = 0; i < kind_count(plots); ++i)
        fprintf(stream, "%s%s", i ? " " : "", kinds[i]);
    fputs("'\n", stream);
}

static struct plot_feed *add_feed(struct plots *plots, const struct staging *staging, struct error *error)
{
    char log[1500], command[1700];
    snprintf(plots->log, sizeof plots->log, "%s/.gnuplot.log", staging->temporary);
    shell_word(plots->log, log, sizeof log);
    snprintf(command, sizeof command, "exec gnuplot >>%s 2>&1", log);
    signal(SIGPIPE, SIG_IGN); // should it end before it is told all
    struct plot_feed *feed = ARRAY_ADD(plots->feeds, plots->feed_count);
    feed->stream = popen(command, "we");
    if (feed->stream)
        return feed;
    --plots->feed_count;
    error_set_errno(error, "run", "gnuplot");
    return NULL;
}

// The gnuplot that has the least to read: a new one for each processor, then that which was told of the smallest tables.
static struct plot_feed *choose_feed(struct plots *plots, const struct staging *staging, struct error *error)
{
    if (plots->feed_count < processors_usable())
        return add_feed(plots, staging, error);
    struct plot_feed *least = plots->feeds;
    for (size_t i = 1; i < plots->feed_count; ++i)
        if (plots->feeds[i].told < least->told)
            least = &plots->feeds[i];
    return least;
}

// A table's heading and the rows of one panel, which name it first: a script reads its table many times.
static void copy_panel(FILE *from, size_t panel, FILE *to)
{
    char *line = NULL, number[32];
    size_t size = 0;
    snprintf(number, sizeof number, "%zu,", panel);
    bool whole = getline(&line, &size, from) > 0 && strncmp(line, "panel,", 6) != 0;
    if (line)
        fputs(line, to);
    while (getline(&line, &size, from) > 0)
        if (whole || !strncmp(line, number, strlen(number)))
            fputs(line, to);
    free(line);
}

// What gnuplot reads: the table, or a copy beside it, which goes with the staging's own folder. NULL and an error; else for free().
static char *table_to_read(struct plots *plots, const struct staging *staging, const char *csv, size_t panel,
                           struct error *error)
{
    char *table = memory_format("%s/%s%s", staging->temporary, staging->prefix, csv);
    if (!panel)
        return table;
    char *part = memory_format("%s.%zu", table, ++plots->copies);
    FILE *from = path_stream(table, error), *to = from ? fopen(part, "w") : NULL;
    if (to)
        copy_panel(from, panel, to);
    bool done = to && !ferror(from) && !ferror(to);
    done = (!to || !fclose(to)) && done;
    if (from)
        fclose(from);
    free(table);
    if (done)
        return part;
    if (from)
        error_set_errno(error, "write", part);
    free(part);
    return NULL;
}

enum plot_result plot_begin(struct plots *plots, struct staging *staging, const struct paper_figure *figure,
                            const char *csv, const char *stem, size_t panel, const char *heading, struct error *error)
{
    char path[1200], number[32];
    struct stat facts;
    if (!plots->feed_count && system("command -v gnuplot >/dev/null 2>&1") != 0)
        return PLOT_NO_GNUPLOT;
    char *table = name_files(staging, kind_count(plots), stem, path, sizeof path, error)
                      ? table_to_read(plots, staging, csv, panel, error)
                      : NULL;
    struct plot_feed *feed = table ? choose_feed(plots, staging, error) : NULL;
    if (feed) {
        feed->told +=
            20000 + (stat(table, &facts) ? 0 : (size_t)facts.st_size); // the rest of a figure takes as long as that
        snprintf(number, sizeof number, "%zu", panel);
        fputs(begin_figure, feed->stream);
        put_kinds(plots, feed->stream);
        fputs("call", feed->stream);
        put_text(figure->script, feed->stream);
        put_file(table, feed->stream);
        put_file(path, feed->stream);
        put_text(number, feed->stream);
        put_text(heading, feed->stream);
        fputc('\n', feed->stream);
        fflush(feed->stream);
    }
    free(table);
    return feed ? PLOT_DONE : PLOT_FAILED;
}

enum plot_result plot_finish(struct plots *plots, struct error *error)
{
    bool done = true;
    for (size_t i = 0; i < plots->feed_count; ++i)
        done = pclose(plots->feeds[i].stream) == 0 && done;
    if (!done)
        tell_failure(plots->log, error);
    if (plots->feed_count)
        unlink(plots->log);
    free(plots->feeds);
    *plots = (struct plots){.without_png = plots->without_png};
    return done ? PLOT_DONE : PLOT_FAILED;
}

// ---- scripts

// The file that a line loads from beside the script: load ARG0[...] . "FILE"
static bool loads(const char *line, char *name, size_t size)
{
    const char *from = strncmp(line, "load ARG0", 9) ? NULL : strstr(line, ". \"");
    if (!from)
        return false;
    snprintf(name, size, "%.*s", (int)strcspn(from + 3, "\""), from + 3);
    return true;
}

enum { LOADS_MAX = 8 }; // scripts that load one another

static bool copy_lines(const char *path, const char *remarks, FILE *stream, int depth, struct error *error);

static bool copy_beside(const char *path, const char *name, FILE *stream, int depth, struct error *error)
{
    char beside[PATH_MAX];
    const char *slash = strrchr(path, '/');
    if (depth == LOADS_MAX)
        return error_set_at(error, ERROR_INPUT, path, 0, "more than %d scripts load one another", LOADS_MAX);
    return path_format(beside, sizeof beside, error, "%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, name) &&
           copy_lines(beside, "", stream, depth + 1, error);
}

static bool copy_lines(const char *path, const char *remarks, FILE *stream, int depth, struct error *error)
{
    char line[2000], name[200];
    bool done = true;
    FILE *from = path_stream(path, error);
    if (!from)
        return false;
    for (size_t number = 0; done && fgets(line, sizeof line, from); ++number) {
        if (loads(line, name, sizeof name))
            done = copy_beside(path, name, stream, depth, error);
        else
            fputs(line, stream);
        if (!number)
            fputs(remarks, stream);
    }
    fclose(from);
    return done;
}

bool plot_write_script(const struct paper_figure *figure, const char *remarks, FILE *stream, struct error *error)
{
    return copy_lines(figure->script, remarks, stream, 0, error);
}
