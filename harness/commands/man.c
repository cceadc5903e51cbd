// SPDX-License-Identifier: MIT
// The manual page, from the same tables as --help.
#include <string.h>

#include "commands/commands.h"
#include "run/environment.h"

// Text as roff takes it literally: no escapes, no requests at the beginning of a line, hyphens that can be copied.
static void print_text(const char *text)
{
    bool first = true;
    for (; *text; ++text) {
        if (first && (*text == '.' || *text == '\''))
            fputs("\\&", stdout);
        first = *text == '\n';
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else if (*text == '`')
            fputs("\\(ga", stdout);
        else
            putchar(*text);
    }
}

static void print_option(const struct command_option *option)
{
    puts(".TP");
    if (option->letter)
        printf("\\fB\\-%c\\fR, ", option->letter);
    fputs("\\fB\\-\\-", stdout);
    print_text(option->name);
    fputs("\\fR", stdout);
    if (option->argument) {
        fputs(" \\fI", stdout);
        print_text(option->argument);
        fputs("\\fR", stdout);
    }
    putchar('\n');
    print_text(option->help);
    putchar('\n');
}

static void print_command(const struct command *command)
{
    fputs(".SS \"", stdout);
    print_text(command->name);
    fputs("\"\n.B warpstudy ", stdout);
    print_text(command->name);
    putchar('\n');
    print_text(command->arguments);
    puts("\n.PP");
    print_text(command->summary);
    puts(".");
    if (command->details) {
        puts(".PP\n.nf");
        print_text(command->details);
        puts("\n.fi");
    }
    for (const struct command_option *option = command->options; option->name; ++option)
        print_option(option);
}

static void print_synopsis(void)
{
    fputs(".TH WARPSTUDY 1 \"\" \"warpstudy ", stdout);
    print_text(environment_version());
    puts("\" \"User commands\"\n"
         ".SH NAME\n"
         "warpstudy \\- measure SIMD utilization of path tracing kernels\n"
         ".SH SYNOPSIS\n"
         ".B warpstudy\n"
         ".I COMMAND\n"
         "[\\fIOPTIONS\\fR]\n"
         ".SH DESCRIPTION");
    print_text(command_about);
    puts("\n.SH COMMANDS\n"
         "Every command also takes \\fB\\-h\\fR, \\fB\\-\\-help\\fR. Options may stand anywhere; \\fB\\-\\-\\fR ends "
         "them.");
}

static bool man_run(const struct command_line *line, struct error *error)
{
    (void)line, (void)error;
    print_synopsis();
    for (const struct command *const *row = command_table; *row; ++row)
        if (!(*row)->hidden)
            print_command(*row);
    puts(".SH EXIT STATUS");
    print_text(command_exit_codes);
    puts("\n.SH ENVIRONMENT");
    for (const struct command_variable *row = command_variables; row->name; ++row) {
        printf(".TP\n\\fB%s\\fR\n", row->name);
        print_text(row->help);
        putchar('\n');
    }
    return true;
}

const struct command command_man = {
    .name = "man",
    .arguments = "",
    .summary = "prints the manual page: warpstudy man | man -l -",
    .run = man_run,
};
