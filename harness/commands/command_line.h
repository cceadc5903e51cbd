// SPDX-License-Identifier: MIT
// Subcommands: one file and one row each. A command is a constant that names its options; parsing, checks, suggestions
// and help are made from it.
#pragma once

#include <stdio.h>

#include "base/error.h"

struct store;

struct command_option {
    const char *name;     // without the dashes; NULL: none
    const char *argument; // what it takes, as help prints it: "a|b|c" is one of these; NULL for a flag
    const char *help;
    char letter; // short form, 0 for none
};

struct command_value {
    const struct command_option *option;
    const char *text; // "" for a flag
};

// A checked command line. Options may be repeated and mixed with words; `--` ends them.
enum { COMMAND_OPTIONS = 16, COMMAND_VALUES = 128 };
struct command_line {
    const struct command *command;
    struct command_value values[COMMAND_VALUES];
    const char *words[COMMAND_VALUES];
    size_t value_count, word_count;
    int argc;
    char **argv; // of the whole program
};

struct command {
    const char *name;
    const char *arguments;                                // "SCENE [-o FILE]", for the usage line
    const char *summary;                                  // one line, for the list of commands
    const char *details;                                  // further lines of help; NULL for none
    const struct command_option options[COMMAND_OPTIONS]; // the last has no name
    size_t least_words, most_words;
    bool hidden; // left out of the list: for the program's own use
    // false with the error set: printed by main, and its kind decides the exit code. One of the two: `read` is given the
    // database of --db.
    bool (*run)(const struct command_line *line, struct error *error);
    bool (*read)(struct store *store, const struct command_line *line, struct error *error);
};

// All commands, ends with NULL; main sets it before anything is parsed.
extern const struct command *const *command_table;

// What --help and the manual page say of all commands.
struct command_variable {
    const char *name, *help; // of the environment; name NULL ends the list
};
extern const char command_about[], command_exit_codes[];
extern const struct command_variable command_variables[];

const struct command *command_find(const char *name);
// argv[0] is the command's name. Errors: unknown option (with a suggestion), missing argument, too few or too many
// words.
bool command_parse(const struct command *command, int argc, char **argv, struct command_line *line,
                   struct error *error);
bool command_execute(const struct command_line *line, struct error *error);
void command_help(const struct command *command, FILE *stream);
void command_help_all(FILE *stream);

// The value of an option, NULL where it was not given; "" for a flag that was.
const char *command_option(const struct command_line *line, const char *name);
bool command_flag(const struct command_line *line, const char *name);
// The same, or where it was not given another text, or NULL where that is "".
const char *command_option_or(const struct command_line *line, const char *name, const char *other);
// "warpstudy run --db a.db x.yaml": the same words, and those options that another command has too.
void command_print(const struct command_line *line, const struct command *as, FILE *stream);
// The next value of a repeated option from *place on (start with 0); NULL after the last.
const char *command_next_option(const struct command_line *line, const char *name, size_t *place);
// Which of an option's "a|b|c" its next value is, from 0; -1 after the last. And which its last value is: 0 too where it
// was not given.
int command_next_choice(const struct command_line *line, const char *name, size_t *place);
int command_choice(const struct command_line *line, const char *name);
// A value of an option as a whole number within bounds.
bool command_number(const char *option, const char *text, long long least, long long most, long long *value,
                    struct error *error);
// The same of the option's last value, or `standard` where the option was not given.
bool command_integer(const struct command_line *line, const char *name, long long least, long long most,
                     long long standard, long long *value, struct error *error);

// Options that several commands share.
#define COMMAND_OPTION_DB                                                                                              \
    "db", "FILE", "database; default $WARPSTUDY_DB, else results/warpstudy.db, else warpstudy.db", 0
#define COMMAND_OPTION_FORMAT "format", "table|csv|json", "default table", 0
