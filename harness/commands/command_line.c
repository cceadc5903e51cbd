// SPDX-License-Identifier: MIT
#include "commands/command_line.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/shell.h"

const char command_about[] =
    "Runs sweeps of path-tracing kernels, counts and times what every warp does at every bounce, "
    "and\nregenerates the tables of published SIMD-utilization studies.";
const char command_exit_codes[] =
    "Exit codes: 0 done, 1 a trial or a check failed, 2 wrong usage or input, 3 differences found (compare\n"
    "--exit-code), 130 interrupted.";
const struct command_variable command_variables[] = {
    {"WARPSTUDY_DB", "database where --db is not given"},
    {"WARPSTUDY_SCENES", "folders that are searched first for scenes, with ':' between them"},
    {"WARPSTUDY_DATA", "folder of downloaded meshes and pictures; default ~/.local/share/warpstudy"},
    {"WARPSTUDY_CACHE", "folder of built scenes and compiled kernels; default ~/.cache/warpstudy"},
    {"WARPSTUDY_PAPERS", "folder of papers: published values, tables and figures"},
    {"WARPSTUDY_PROGRESS", "no: no command prints progress"},
    {"NO_COLOR", "set: no colours, which only terminals are sent"},
    {"WARPSTUDY_CUDA_MODULE", "file of the module that uses NVIDIA GPUs"},
    {NULL, NULL},
};

const struct command *const *command_table;

static const struct command_option option_help = {"help", NULL, "show this help and exit", 'h'};

const struct command *command_find(const char *name)
{
    for (const struct command *const *row = command_table; *row; ++row)
        if (!strcmp((*row)->name, name))
            return *row;
    return NULL;
}

static const struct command_option *find_long(const struct command *command, const char *name, size_t length)
{
    for (const struct command_option *option = command->options; option->name; ++option)
        if (strlen(option->name) == length && !memcmp(option->name, name, length))
            return option;
    return length == 4 && !memcmp(name, "help", 4) ? &option_help : NULL;
}

static const struct command_option *find_short(const struct command *command, char letter)
{
    for (const struct command_option *option = command->options; option->name; ++option)
        if (letter && option->letter == letter)
            return option;
    return letter == 'h' ? &option_help : NULL;
}

static bool unknown_option(const struct command *command, const char *text, struct error *error)
{
    const char *names[COMMAND_VALUES];
    size_t count = 0;
    for (const struct command_option *option = command->options; option->name && count + 2 < COMMAND_VALUES; ++option)
        names[count++] = option->name;
    names[count++] = option_help.name;
    names[count] = NULL;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text + 2, "="), text + 2);
    const char *near = text[1] == '-' ? error_suggest(name, names) : NULL;
    error_set(error, ERROR_USE, "%s: unknown option %s", command->name, text);
    return near ? error_remedy(error, "did you mean --%s? See warpstudy %s --help", near, command->name)
                : error_remedy(error, "see warpstudy %s --help", command->name);
}

static bool add_word(struct command_line *line, const char *word, struct error *error)
{
    if (line->word_count >= line->command->most_words) {
        error_set(error, ERROR_USE, "%s: '%s' is one argument too many", line->command->name, word);
        return error_remedy(error, "usage: warpstudy %s %s", line->command->name, line->command->arguments);
    }
    line->words[line->word_count++] = word;
    return true;
}

static bool check_choice(const struct command_option *option, const char *text, struct error *error)
{
    char copy[256], list[320] = "choose ", *place = copy;
    const char *names[32] = {NULL};
    if (!text || !option->argument || !strchr(option->argument, '|'))
        return true;
    snprintf(copy, sizeof copy, "%s", option->argument);
    for (int count = 0; count < 31 && place; ++count) {
        names[count] = strsep(&place, "|");
        if (!strcmp(names[count], text))
            return true;
        strcat(strcat(list, !count ? "" : place ? ", " : " or "), names[count]);
    }
    error_set(error, ERROR_USE, "--%s: there is no '%.60s'", option->name, text);
    return error_near(error, text, names, "%s", list);
}

// Of --set each name alone.
static bool check_once(const struct command_line *line, const struct command_option *option, const char *text,
                       struct error *error)
{
    const bool named = !strcmp(option->name, "set"), repeats = strstr(option->help, "may be repeated");
    const int length = named ? (int)strcspn(text, "=") : 0;
    for (size_t i = 0; option->argument && (named || !repeats) && i < line->value_count; ++i)
        if (line->values[i].option == option && !strncmp(line->values[i].text, text, (size_t)length) &&
            (!named || line->values[i].text[length] == '=')) {
            error_set(error, ERROR_USE, "%s: --%s%s%.*s is given twice", line->command->name, option->name,
                      named ? " " : "", length, text);
            return error_remedy(error, "give it once");
        }
    return true;
}

static bool add_value(struct command_line *line, const struct command_option *option, const char *attached, int argc,
                      char **argv, int *place, struct error *error)
{
    const char *name = line->command->name;
    if (line->value_count >= COMMAND_VALUES)
        return error_set(error, ERROR_USE, "%s: too many options", name);
    if (!option->argument && attached)
        return error_set(error, ERROR_USE, "%s: --%s takes no value", name, option->name);
    const char *text = attached;
    if (option->argument && !attached) {
        if (*place + 1 >= argc) {
            error_set(error, ERROR_USE, "%s: --%s needs an argument: %s", name, option->name, option->argument);
            return error_remedy(error, "see warpstudy %s --help", name);
        }
        text = argv[++*place];
    }
    if (!check_once(line, option, text, error))
        return false;
    line->values[line->value_count++] = (struct command_value){option, text ? text : ""};
    return check_choice(option, text, error);
}

static bool parse_one(struct command_line *line, int argc, char **argv, int *place, struct error *error)
{
    const char *text = argv[*place];
    if (text[0] != '-' || !text[1])
        return add_word(line, text, error);
    const struct command_option *option;
    const char *attached = NULL;
    if (text[1] == '-') {
        const size_t length = strcspn(text + 2, "=");
        option = find_long(line->command, text + 2, length);
        attached = text[2 + length] ? text + 3 + length : NULL;
    } else {
        option = find_short(line->command, text[1]);
        attached = text[2] ? text + 2 : NULL;
    }
    if (!option)
        return unknown_option(line->command, text, error);
    return add_value(line, option, attached, argc, argv, place, error);
}

bool command_parse(const struct command *command, int argc, char **argv, struct command_line *line, struct error *error)
{
    *line = (struct command_line){.command = command, .argc = argc, .argv = argv};
    bool words_only = false;
    for (int i = 1; i < argc; ++i) {
        if (!words_only && !strcmp(argv[i], "--"))
            words_only = true;
        else if (!(words_only ? add_word(line, argv[i], error) : parse_one(line, argc, argv, &i, error)))
            return false;
    }
    if (line->word_count < command->least_words && !command_flag(line, "help")) {
        error_set(error, ERROR_USE, "%s: an argument is missing", command->name);
        return error_remedy(error, "usage: warpstudy %s %s", command->name, command->arguments);
    }
    return true;
}

static void print_option(const struct command_option *option, FILE *stream)
{
    char left[96], letter[8] = "    ";
    if (option->letter)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(left, sizeof left, "%s--%s%s%s", letter, option->name, option->argument ? " " : "",
             option->argument ? option->argument : "");
    fprintf(stream, "  %-28s%s%s\n", left, strlen(left) > 28 ? "\n                               " : " ", option->help);
}

void command_help(const struct command *command, FILE *stream)
{
    fprintf(stream, "usage: warpstudy %s%s%s\n\n%s\n", command->name, command->arguments[0] ? " " : "",
            command->arguments, command->summary);
    if (command->details)
        fprintf(stream, "\n%s\n", command->details);
    fprintf(stream, "\noptions:\n");
    for (const struct command_option *option = command->options; option->name; ++option)
        print_option(option, stream);
    print_option(&option_help, stream);
}

void command_help_all(FILE *stream)
{
    fprintf(stream, "usage: warpstudy COMMAND [OPTIONS]\n\n%s\n\ncommands:\n", command_about);
    for (const struct command *const *row = command_table; *row; ++row)
        if (!(*row)->hidden)
            fprintf(stream, "  %-10s %s\n", (*row)->name, (*row)->summary);
    fprintf(stream, "\n'warpstudy COMMAND --help' explains a command.\n%s\n", command_exit_codes);
}

const char *command_next_option(const struct command_line *line, const char *name, size_t *place)
{
    while (*place < line->value_count) {
        const struct command_value *value = &line->values[(*place)++];
        if (!strcmp(value->option->name, name))
            return value->text;
    }
    return NULL;
}

const char *command_option(const struct command_line *line, const char *name)
{
    const char *last = NULL, *text;
    size_t place = 0;
    while ((text = command_next_option(line, name, &place)))
        last = text;
    return last;
}

const char *command_option_or(const struct command_line *line, const char *name, const char *other)
{
    const char *given = command_option(line, name);
    return given ? given : other[0] ? other : NULL;
}

void command_print(const struct command_line *line, const struct command *as, FILE *stream)
{
    fprintf(stream, "warpstudy %s", as->name);
    for (size_t i = 0; i < line->value_count; ++i) {
        const struct command_value *value = &line->values[i];
        if (!find_long(as, value->option->name, strlen(value->option->name)))
            continue;
        fprintf(stream, value->option->argument ? " --%s " : " --%s", value->option->name);
        if (value->option->argument)
            shell_put(value->text, stream);
    }
    for (size_t i = 0; i < line->word_count; ++i) {
        fputc(' ', stream);
        shell_put(line->words[i], stream);
    }
}

bool command_flag(const struct command_line *line, const char *name)
{
    return command_option(line, name) != NULL;
}

int command_next_choice(const struct command_line *line, const char *name, size_t *place)
{
    const char *text = command_next_option(line, name, place);
    if (!text)
        return -1;
    const char *list = find_long(line->command, name, strlen(name))->argument;
    const size_t length = strlen(text);
    int choice = 0;
    for (; list && (strncmp(list, text, length) || (list[length] && list[length] != '|')); ++choice) {
        list = strchr(list, '|');
        list += list != NULL;
    }
    return choice;
}

int command_choice(const struct command_line *line, const char *name)
{
    int last = 0, next;
    for (size_t place = 0; (next = command_next_choice(line, name, &place)) >= 0;)
        last = next;
    return last;
}

bool command_number(const char *option, const char *text, long long least, long long most, long long *value,
                    struct error *error)
{
    char *end;
    errno = 0;
    *value = strtoll(text, &end, 10);
    return (end != text && !*end && !errno && *value >= least && *value <= most) ||
           error_set(error, ERROR_USE, "--%s: '%s' is not a whole number from %lld to %lld", option, text, least, most);
}

bool command_integer(const struct command_line *line, const char *name, long long least, long long most,
                     long long standard, long long *value, struct error *error)
{
    const char *text = command_option(line, name);
    *value = standard;
    return !text || command_number(name, text, least, most, value, error);
}
