// SPDX-License-Identifier: MIT
// gnuplot is called once for each picture, by xargs, which keeps as many at work as there are processors and is told of
// the next while they draw.
#include "report/plot.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "base/processors.h"
#include "base/shell.h"
#include "report/write/escape.h"

static const char *const kinds[] = {"svg", "pdf", "png"};

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
        if (sscanf(line, "\"%699[^\"]\" line %d: %399[^\n]", script, &number, words) != 3)
            script[0] = '\0';
    }
    if (stream)
        fclose(stream);
    return error_set_at(error, ERROR_FAILED, script[0] ? script : "gnuplot", number, "gnuplot could not draw it: %s",
                        words);
}

// Names the files; `to`: their path without an ending.
static bool name_files(struct staging *staging, const char *stem, char *to, size_t size, struct error *error)
{
    char name[250];
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        snprintf(name, sizeof name, "%.200s.%s", stem, kinds[i]);
        if (!staging_path(staging, name, to, size, error))
            return false;
        to[strlen(to) - strlen(kinds[i]) - 1] = '\0';
    }
    return true;
}

// gnuplot runs a file name that begins with < or |, and replaces a ~ there.
static void put_file(const char *path, FILE *stream)
{
    fprintf(stream, "%s%s%c", path[0] == '/' ? "" : "./", path, '\0');
}

static bool plot_start(struct plots *plots, const struct staging *staging, struct error *error)
{
    char log[1500], command[1700];
    snprintf(plots->log, sizeof plots->log, "%s/.gnuplot.log", staging->temporary);
    shell_word(plots->log, log, sizeof log);
    snprintf(command, sizeof command, "exec xargs -0 -n 6 -P %u gnuplot >%s 2>&1", processors_usable(), log);
    signal(SIGPIPE, SIG_IGN); // should it end before it is told all
    plots->feed = popen(command, "w");
    return plots->feed || error_set_errno(error, "run", "xargs");
}

enum plot_result plot_begin(struct plots *plots, struct staging *staging, const struct paper_figure *figure,
                            const char *csv, const char *stem, size_t panel, const char *heading, struct error *error)
{
    char path[1200];
    if (!plots->feed && system("command -v gnuplot >/dev/null 2>&1") != 0)
        return PLOT_NO_GNUPLOT;
    if (!name_files(staging, stem, path, sizeof path, error) || (!plots->feed && !plot_start(plots, staging, error)))
        return PLOT_FAILED;
    char *table = memory_format("%s/%s%s", staging->temporary, staging->prefix, csv);
    fprintf(plots->feed, "-c%c%s%c", '\0', figure->script, '\0');
    put_file(table, plots->feed);
    put_file(path, plots->feed);
    fprintf(plots->feed, "%zu%c%s%c", panel, '\0', heading, '\0');
    fflush(plots->feed);
    free(table);
    return PLOT_DONE;
}

enum plot_result plot_finish(struct plots *plots, struct error *error)
{
    const bool done = !plots->feed || (pclose(plots->feed) == 0 || tell_failure(plots->log, error));
    if (plots->feed)
        unlink(plots->log);
    plots->feed = NULL;
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
