// SPDX-License-Identifier: MIT
#include "report/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// Runs a program with both its outputs in the file `log`. -1: it could not be started (errno), else its exit status.
static int run_logged(char *const arguments[], const char *log)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    const int cause = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (cause) {
        errno = cause;
        return -1;
    }
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return 126;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
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

enum plot_result plot_draw(struct staging *staging, const struct paper_figure *figure, const char *csv,
                           const char *stem, size_t panel, const char *heading, struct error *error)
{
    char name[160], path[1200], table[1200], to[1200], log[1200], number[24], words[400];
    static const char *const kinds[] = {"svg", "png"};
    const size_t before = staging->count;
    for (size_t i = 0; i < 2; ++i) {
        snprintf(name, sizeof name, "%.120s.%s", stem, kinds[i]);
        if (!staging_path(staging, name, path, sizeof path, error))
            return PLOT_FAILED;
    }
    snprintf(table, sizeof table, "%s/%s", staging->temporary, csv);
    snprintf(to, sizeof to, "%s/%.120s", staging->temporary, stem);
    snprintf(log, sizeof log, "%s/gnuplot.log", staging->temporary);
    snprintf(number, sizeof number, "%zu", panel);
    char *const arguments[] = {"gnuplot", "-c", (char *)figure->script, table, to, number, (char *)heading, NULL};
    const int status = run_logged(arguments, log);
    first_words(log, words, sizeof words);
    unlink(log);
    if (status == 0)
        return PLOT_DONE;
    staging_drop(staging, before);
    if (status == 127 || (status < 0 && errno == ENOENT))
        return PLOT_NO_GNUPLOT;
    error_set_at(error, ERROR_FAILED, figure->script, 0, "gnuplot could not draw it: %s", words);
    return PLOT_FAILED;
}
