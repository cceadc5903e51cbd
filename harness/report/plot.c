// SPDX-License-Identifier: MIT
#include "report/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char *const kinds[] = {"svg", "pdf", "png"};

// Starts a program with both its outputs in the file `log`. false: it could not be started (errno).
static bool start_logged(char *const arguments[], const char *log, pid_t *process)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    const int cause = posix_spawnp(process, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    errno = cause;
    return cause == 0;
}

// The first line of the log that says something.
static void first_words(const char *log, char *text, size_t size)
{
    FILE *stream = fopen(log, "r");
    text[0] = '\0';
    while (stream && fgets(text, (int)size, stream)) {
        text[strcspn(text, "\r\n")] = '\0';
        if (text[strspn(text, " \t^")])
            break;
    }
    if (stream)
        fclose(stream);
}

// Waits for the oldest: its figure is there, or the error says why not.
static bool finish_oldest(struct plots *plots, struct error *error)
{
    struct plot_job job = plots->jobs[0];
    char words[400];
    int status = 0;
    pid_t ended;
    memmove(plots->jobs, plots->jobs + 1, --plots->running * sizeof job);
    do
        ended = waitpid(job.process, &status, 0);
    while (ended < 0 && errno == EINTR);
    first_words(job.log, words, sizeof words);
    unlink(job.log);
    if (ended == job.process && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    if (!words[0])
        snprintf(words, sizeof words,
                 ended == job.process && WIFSIGNALED(status) ? "it was killed" : "it says nothing");
    error_set_at(plots->failed ? NULL : error, ERROR_FAILED, job.script, 0, "gnuplot could not draw it: %s", words);
    return !(plots->failed = true);
}

static size_t at_once(void)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : processors > PLOTS_AT_ONCE ? PLOTS_AT_ONCE : (size_t)processors;
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
static void name_file(const char *path, char *text, size_t size)
{
    snprintf(text, size, "%s%s", path[0] == '/' ? "" : "./", path);
}

enum plot_result plot_begin(struct plots *plots, struct staging *staging, const struct paper_figure *figure,
                            const char *csv, const char *stem, size_t panel, const char *heading, struct error *error)
{
    char path[1200], table[1210], to[1210], number[24];
    const size_t before = staging->count;
    if (plots->running >= at_once() && !finish_oldest(plots, error))
        return PLOT_FAILED;
    if (!name_files(staging, stem, path, sizeof path, error))
        return PLOT_FAILED;
    name_file(path, to, sizeof to);
    struct plot_job *job = &plots->jobs[plots->running];
    snprintf(path, sizeof path, "%s/%s%s", staging->temporary, staging->prefix, csv);
    name_file(path, table, sizeof table);
    snprintf(job->log, sizeof job->log, "%s/.gnuplot-%zu.log", staging->temporary, plots->started++);
    snprintf(number, sizeof number, "%zu", panel);
    job->script = figure->script;
    char *const arguments[] = {"gnuplot", "-c", (char *)figure->script, table, to, number, (char *)heading, NULL};
    if (start_logged(arguments, job->log, &job->process)) {
        ++plots->running;
        return PLOT_DONE;
    }
    const int cause = errno;
    unlink(job->log);
    staging_drop(staging, before);
    if (cause == ENOENT)
        return PLOT_NO_GNUPLOT;
    errno = cause;
    error_set_errno(error, "run", "gnuplot");
    return PLOT_FAILED;
}

enum plot_result plot_finish(struct plots *plots, struct error *error)
{
    while (plots->running)
        finish_oldest(plots, error);
    const bool failed = plots->failed;
    plots->failed = false;
    return failed ? PLOT_FAILED : PLOT_DONE;
}

enum plot_result plot_draw(struct staging *staging, const struct paper_figure *figure, const char *csv,
                           const char *stem, size_t panel, const char *heading, struct error *error)
{
    struct plots plots = {.running = 0};
    const size_t before = staging->count;
    enum plot_result result = plot_begin(&plots, staging, figure, csv, stem, panel, heading, error);
    if (result == PLOT_DONE)
        result = plot_finish(&plots, error);
    if (result != PLOT_DONE)
        staging_drop(staging, before);
    return result;
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

static bool copy_lines(const char *path, const char *remarks, FILE *stream, struct error *error);

static bool copy_beside(const char *path, const char *name, FILE *stream, struct error *error)
{
    char beside[1200];
    const char *slash = strrchr(path, '/');
    snprintf(beside, sizeof beside, "%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, name);
    return copy_lines(beside, "", stream, error);
}

static bool copy_lines(const char *path, const char *remarks, FILE *stream, struct error *error)
{
    char line[2000], name[200];
    bool done = true;
    FILE *from = fopen(path, "r");
    if (!from)
        return error_set_errno(error, "read", path);
    for (size_t number = 0; done && fgets(line, sizeof line, from); ++number) {
        if (loads(line, name, sizeof name))
            done = copy_beside(path, name, stream, error);
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
    return copy_lines(figure->script, remarks, stream, error);
}
