// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <signal.h>
#include <string.h>

#include "base/error.h"
#include "base/terminal.h"
#include "commands/commands.h"
#include "run/environment.h"

static bool unknown_command(const char *word, struct error *error)
{
    const char *names[64];
    size_t count = 0;
    for (const struct command *const *row = command_table; *row && count < 63; ++row)
        if (!(*row)->hidden)
            names[count++] = (*row)->name;
    names[count] = NULL;
    error_set(error, ERROR_USE, "unknown command '%s'", word);
    return error_near(error, word, names, "see warpstudy --help");
}

static bool run_command(int argc, char **argv, struct error *error)
{
    const struct command *command = command_find(argv[0]);
    if (!command)
        return unknown_command(argv[0], error);
    struct command_line line;
    if (!command_parse(command, argc, argv, &line, error))
        return false;
    if (command_flag(&line, "help")) {
        command_help(command, stdout);
        return true;
    }
    return command_execute(&line, error);
}

static bool dispatch(int argc, char **argv, struct error *error)
{
    if (argc < 2) {
        command_help_all(stderr);
        return error_set(error, ERROR_USE, "no command given");
    }
    const char *word = argv[1];
    if (!strcmp(word, "--version") || !strcmp(word, "version")) {
        printf("warpstudy %s\n", environment_version());
        return true;
    }
    if (!strcmp(word, "--help") || !strcmp(word, "-h") || (!strcmp(word, "help") && argc == 2)) {
        command_help_all(stdout);
        return true;
    }
    if (!strcmp(word, "help")) {
        char help[] = "--help", *words[] = {argv[2], help, NULL};
        return run_command(2, words, error);
    }
    return run_command(argc - 1, argv + 1, error);
}

// Results that did not reach their file must not pass for done.
static bool flush_output(struct error *error)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    return error_set_errno(error, "write to", "the standard output");
}

// Files that are opened later must not take the place of a standard stream that the caller closed. What is written to such an output
// fails.
static void open_standard_streams(void)
{
    for (int stream = 0; stream < 3; ++stream)
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", stream == 2 ? O_WRONLY : O_RDONLY) != stream)
            return;
}

int main(int argc, char **argv)
{
    command_table = command_rows;
    open_standard_streams();
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_IGN); // a file that grows beyond its limit is an error like a full disk
    struct error error = {0};
    const bool done = dispatch(argc, argv, &error) && flush_output(&error);
    if (done)
        return 0;
    fflush(stdout);
    char text[2200];
    error_format(&error, text, sizeof text);
    const bool coloured = terminal_colours(2);
    fprintf(stderr, "%swarpstudy:%s %s\n", coloured ? "\033[1;31m" : "", coloured ? "\033[0m" : "", text);
    const int code = error_exit_code(&error);
    return code ? code : 1;
}
