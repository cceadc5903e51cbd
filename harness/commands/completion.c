// SPDX-License-Identifier: MIT
// Completion: a short script for the shell, which asks the program itself what may stand at a place of a command line.
#include <string.h>

#include "commands/list.h"
#include "commands/shared.h"
#include "plan/numbers.h"
#include "report/papers/paper.h"

// Words that begin with ':' tell the shell what to complete itself.
static const char bash_script[] =
    "# bash completion of warpstudy, made by `warpstudy completion bash`\n"
    "_warpstudy()\n"
    "{\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} candidates\n"
    "    [[ $word == '=' ]] && word=\n"
    "    candidates=$(\"${COMP_WORDS[0]}\" completion words -- \"${COMP_WORDS[@]:1:COMP_CWORD}\" 2>/dev/null)\n"
    "    mapfile -t COMPREPLY < <(compgen -W \"${candidates//:[a-z]*/}\" -- \"$word\")\n"
    "    case $candidates in\n"
    "    *:folders*) compopt -o filenames 2>/dev/null; mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "
    "\"$word\") ;;\n"
    "    *:files*) compopt -o filenames 2>/dev/null; mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "
    "\"$word\") ;;\n"
    "    esac\n"
    "    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null\n"
    "    return 0\n"
    "}\n"
    "complete -F _warpstudy warpstudy\n";

static const char zsh_script[] =
    "#compdef warpstudy\n"
    "# zsh completion of warpstudy, made by `warpstudy completion zsh`\n"
    "_warpstudy()\n"
    "{\n"
    "    local -a candidates typed\n"
    "    typed=(\"${(@)words[2,CURRENT]}\")\n"
    "    # As bash splits it: NAME=VALUE is three words.\n"
    "    if [[ ${typed[-1]} == ?*=* ]]; then\n"
    "        typed=(\"${(@)typed[1,-2]}\" \"${typed[-1]%%=*}\" '=' \"${typed[-1]#*=}\")\n"
    "        compset -P '*='\n"
    "    fi\n"
    "    candidates=(\"${(@f)$(\"${words[1]}\" completion words -- \"${(@)typed}\" 2>/dev/null)}\")\n"
    "    compadd -S '' -- ${(M)candidates:#*=}\n"
    "    compadd -- ${${candidates:#:*}:#*=}\n"
    "    (( ${candidates[(I):folders]} )) && _files -/\n"
    "    (( ${candidates[(I):files]} )) && _files\n"
    "    return 0\n"
    "}\n"
    "if [[ ${funcstack[1]} == _warpstudy ]]; then _warpstudy \"$@\"; else compdef _warpstudy warpstudy; fi\n";

static const char fish_script[] = "# fish completion of warpstudy, made by `warpstudy completion fish`\n"
                                  "function __warpstudy\n"
                                  "    set -l typed (commandline -opc)\n"
                                  "    set -l program $typed[1]\n"
                                  "    set -e typed[1]\n"
                                  "    set -l word (commandline -ct)\n"
                                  "    set -l before\n"
                                  "    # As bash splits it: NAME=VALUE is three words.\n"
                                  "    if string match -qr '^[^=]+=' -- $word\n"
                                  "        set before (string replace -r '=.*' '=' -- $word)\n"
                                  "        set typed $typed (string replace -r '=.*' '' -- $word) '='\n"
                                  "        set word (string replace -r '^[^=]*=' '' -- $word)\n"
                                  "    end\n"
                                  "    for candidate in ($program completion words -- $typed \"$word\" 2>/dev/null)\n"
                                  "        switch $candidate\n"
                                  "            case ':folders'\n"
                                  "                __fish_complete_directories \"$word\" ''\n"
                                  "            case ':files'\n"
                                  "                __fish_complete_path \"$word\"\n"
                                  "            case '*'\n"
                                  "                echo \"$before$candidate\"\n"
                                  "        end\n"
                                  "    end\n"
                                  "end\n"
                                  "complete -c warpstudy -f -a '(__warpstudy)'\n";

static const struct {
    const char *shell, *script;
} completion_scripts[] = {{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};

// ---- kinds of words

// The names of a list, each with what may follow it at once.
static void print_list(const char *name, const char *after)
{
    struct text_table table = {0};
    struct error ignored = {0};
    if (list_make(name, &table, &ignored))
        for (size_t row = 1; row < table.rows; ++row)
            printf("%s%s\n", table.cells[row * table.columns].text, after);
    text_table_finish(&table);
}

static void print_papers(void)
{
    struct error ignored = {0};
    struct paper_names names;
    paper_names(&names, &ignored);
    for (size_t k = 0; k < names.count; ++k) {
        struct paper *paper = paper_load(names.list[k], &ignored);
        puts(names.list[k]);
        for (size_t i = 0; paper && i < paper->table_count; ++i)
            puts(paper->tables[i].id);
        for (size_t i = 0; paper && i < paper->figure_count; ++i)
            puts(paper->figures[i].id);
        paper_free(paper);
    }
}

// What --set takes of an experiment besides parameters.
static void print_settings(void)
{
#define NAME(key, member, kind, least, most, help) puts(#member "=");
    EXPERIMENT_PLAIN_NUMBERS(NAME)
    EXPERIMENT_STOP_NUMBERS(NAME)
    EXPERIMENT_GATE_NUMBERS(NAME)
    EXPERIMENT_TIMELINE_NUMBERS(NAME)
    puts("scene=\ncamera=\nvariant=\ndevice=\ncollect=\norder_seed=");
}

static bool print_first(void *context, const struct store_row *row)
{
    (void)context;
    puts(row->values[0].text);
    return true;
}

// A query's first column; where `file` is "", of a new database.
static void print_query(const char *file, const char *sql)
{
    struct error ignored = {0};
    struct store *store = store_open(file, file[0] ? STORE_READ : STORE_MEMORY, &ignored);
    if (store)
        store_query(store, sql, NULL, print_first, NULL, &ignored);
    store_close(store);
}

// Of the database that the line's --db names, or the default one.
static void print_labels(const struct command_line *line)
{
    const char *database = command_database(line);
    for (size_t i = 0; i + 1 < line->word_count; ++i)
        if (!strcmp(line->words[i], "--db"))
            database = line->words[i + 1];
    print_query(database, "SELECT DISTINCT label FROM run WHERE label <> '' ORDER BY label");
}

// ---- what may stand where

struct place {
    const char *name;  // of an option, else what its argument is called, or of a command
    const char *kinds; // of words
};
static const struct place options_places[] = {
    {"variant", "variants"},
    {"device", "auto devices"},
    {"against", "auto devices"},
    {"scene", "scenes"},
    {"NAME=VALUE", "parameters"},
    {"NAME=VALUES", "parameters settings"},
    {"run", "labels"},
    {"FILE", ":files"},
    {"FILE.html", ":files"},
    {"ARCHIVE", ":files"},
    {"DIR", ":folders"},
    {"FOLDER", ":folders"},
    {NULL, NULL},
};
static const struct place words_places[] = {
    {"run", ":files"},
    {"plan", ":files"},
    {"compare", "labels :files"},
    {"merge", ":files"},
    {"copy", ":files"},
    {"report", "papers"},
    {"list", "lists"},
    {"query", "views"},
    {"export", "views"},
    {"render", "scenes :files"},
    {"verify", "scenes"},
    {"scene", "info|build|pack|cache"},
    {NULL, NULL},
};
static const struct place scene_places[] = {
    {"info", "scenes"}, {"build", "scenes"}, {"pack", "scenes :files"}, {"cache", "list|clear"}, {NULL, NULL},
};
static const struct place values_places[] = {
    {"variant", "variants"},
    {"scene", "scenes"},
    {"device", "auto devices"},
    {"collect", "counts|frame|launches|counters|stalls|timeline"},
    {NULL, NULL},
};

// "a|b|c"
static void print_choices(const char *text)
{
    for (; *text; putchar(*text == '|' ? '\n' : *text), ++text)
        ;
    putchar('\n');
}

static void print_kind(const char *kind, const struct command_line *line)
{
    if (kind[0] == ':' || !strcmp(kind, "auto"))
        puts(kind);
    else if (!strcmp(kind, "labels"))
        print_labels(line);
    else if (!strcmp(kind, "papers"))
        print_papers();
    else if (!strcmp(kind, "settings"))
        print_settings();
    else if (strchr(kind, '|'))
        print_choices(kind);
    else if (!strcmp(kind, "views")) // every database of this program has them
        print_query("", "SELECT name FROM catalogue ORDER BY name");
    else
        print_list(kind, strcmp(kind, "parameters") ? "" : "=");
}

static bool print_place(const struct place *places, const char *name, const struct command_line *line)
{
    for (; places->name; ++places)
        if (!strcmp(places->name, name)) {
            char kinds[64], *place = NULL;
            snprintf(kinds, sizeof kinds, "%s", places->kinds);
            for (char *kind = strtok_r(kinds, " ", &place); kind; kind = strtok_r(NULL, " ", &place))
                print_kind(kind, line);
            return true;
        }
    return false;
}

static const struct command_option *option_before(const struct command *command, const struct command_line *line)
{
    size_t place = line->word_count - 1; // of the word to complete; "=" may stand before it, or be it
    if (place && !strcmp(line->words[place], "="))
        --place;
    else if (place > 1 && !strcmp(line->words[place - 1], "="))
        place -= 2;
    else
        --place;
    const char *text = place ? line->words[place] : "";
    for (const struct command_option *option = command->options; option->name; ++option)
        if (option->argument && ((!strncmp(text, "--", 2) && !strcmp(text + 2, option->name)) ||
                                 (text[0] == '-' && option->letter && text[1] == option->letter && !text[2])))
            return option;
    return NULL;
}

// Where NAME=VALUE is written, the values of NAME; false where none is. The shell makes "=" a word of its own.
static bool print_values(const struct command_line *line)
{
    const size_t count = line->word_count;
    const size_t equals = !strcmp(line->words[count - 1], "=") ? count - 1 : count - 2;
    if (equals <= 1 || strcmp(line->words[equals], "=") != 0)
        return false;
    const char *name = line->words[equals - 1];
    const struct parameter *parameter = parameter_find(name);
    if (parameter && parameter->choices)
        print_choices(parameter->choices);
    return parameter || print_place(values_places, name, line);
}

static void print_words(const struct command_line *line)
{
    const char *word = line->word_count ? line->words[line->word_count - 1] : "";
    const struct command *command = line->word_count > 1 ? command_find(line->words[0]) : NULL;
    if (line->word_count <= 1 || !strcmp(line->words[0], "help")) {
        print_list("commands", "");
        puts("help\n--help\n--version");
        return;
    }
    if (print_values(line))
        return;
    const struct command_option *option = command ? option_before(command, line) : NULL;
    if (option) {
        if (!print_place(options_places, option->name, line) && !print_place(options_places, option->argument, line) &&
            strchr(option->argument, '|'))
            print_choices(option->argument);
    } else if (command && word[0] == '-') {
        for (const struct command_option *row = command->options; row->name; ++row)
            printf("--%s\n", row->name);
        puts("--help");
    } else if (command && !strcmp(command->name, "scene") && line->word_count > 2) {
        print_place(scene_places, line->words[1], line);
    } else if (command && command->most_words && !print_place(words_places, command->name, line) &&
               strchr(command->arguments, '|') && !strpbrk(command->arguments, "[ "))
        print_choices(command->arguments);
}

static bool completion_run(const struct command_line *line, struct error *error)
{
    const bool words = !strcmp(line->words[0], "words"); // from a script: those of the line so far
    if (!words && line->word_count > 1) {
        error_set(error, ERROR_USE, "completion: '%.60s' is one argument too many", line->words[1]);
        return error_remedy(error, "usage: warpstudy completion %s", line->command->arguments);
    }
    for (size_t i = 0; i < sizeof completion_scripts / sizeof *completion_scripts; ++i)
        if (!strcmp(line->words[0], completion_scripts[i].shell)) {
            fputs(completion_scripts[i].script, stdout);
            return true;
        }
    if (words) {
        struct command_line rest = *line;
        rest.word_count = line->word_count - 1;
        memmove(rest.words, line->words + 1, rest.word_count * sizeof *rest.words);
        print_words(&rest);
        return true;
    }
    error_set(error, ERROR_USE, "completion: there is none for '%.60s'", line->words[0]);
    return error_remedy(error, "there is one for bash, zsh and fish");
}

const struct command command_completion = {
    .name = "completion",
    .arguments = "bash|zsh|fish",
    .summary = "prints a shell script for command completion",
    .details = "Once: source <(warpstudy completion bash), the same with zsh, or warpstudy completion fish | source.\n"
               "Permanently, if the program is not installed:\n"
               "  warpstudy completion bash > ~/.local/share/bash-completion/completions/warpstudy\n"
               "  warpstudy completion zsh > _warpstudy, in a folder of $fpath\n"
               "  warpstudy completion fish > ~/.config/fish/completions/warpstudy.fish",
    .least_words = 1,
    .most_words = COMMAND_VALUES,
    .run = completion_run,
};
