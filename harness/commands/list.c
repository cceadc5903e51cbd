// SPDX-License-Identifier: MIT
#include <string.h>

#include "commands/shared.h"
#include "commands/text_table.h"
#include "device/device.h"
#include "scene/scene.h"
#include "trial/variant.h"

static bool print(struct text_table *table, enum text_format format, struct error *error)
{
    const bool done = text_table_print(table, format, stdout, error);
    text_table_finish(table);
    return done;
}

static bool list_variants(const struct command_line *line, enum text_format format, struct error *error)
{
    (void)line;
    struct text_table table;
    text_table_begin(&table, 4, (const char *const[]){"variant", "estimator", "paper", "summary"});
    for (const struct variant *const *row = variant_table; *row; ++row)
        text_table_row(&table,
                       (const char *const[]){(*row)->name, (*row)->estimator->name, (*row)->paper, (*row)->summary});
    return print(&table, format, error);
}

static bool list_devices(const struct command_line *line, enum text_format format, struct error *error)
{
    (void)line;
    struct text_table table;
    text_table_begin(&table, 3, (const char *const[]){"device", "summary", "usable"});
    for (const struct device_backend *const *row = device_backends; *row; ++row) {
        char usable[512];
        const char *reason = (*row)->unavailable ? (*row)->unavailable() : NULL;
        snprintf(usable, sizeof usable, "%s", reason ? reason : "yes");
        usable[strcspn(usable, "\n")] = 0; // what mends it is doctor's to say
        text_table_row(&table, (const char *const[]){(*row)->name, (*row)->summary, usable});
    }
    return print(&table, format, error);
}

static void add_scene(void *context, const struct scene_listing *scene)
{
    text_table_row(context, (const char *const[]){scene->name, scene->stands_for,
                                                  scene->missing ? scene->missing : "yes", scene->summary});
}

static bool list_scenes(const struct command_line *line, enum text_format format, struct error *error)
{
    (void)line;
    struct text_table table;
    text_table_begin(&table, 4, (const char *const[]){"scene", "stands for", "complete", "summary"});
    if (scene_list(add_scene, &table, error))
        return print(&table, format, error);
    text_table_finish(&table);
    return false;
}

static void format_bounds(const struct parameter *row, char *text, size_t size)
{
    if (row->choices)
        snprintf(text, size, "%s", row->choices);
    else
        snprintf(text, size, "%lld..%lld%s", (long long)row->least, (long long)row->most,
                 row->automatic ? ", auto" : "");
}

static void format_users(const struct parameter *row, char *text, size_t size)
{
    size_t used = 0, users = 0, count = 0;
    text[0] = 0;
    for (const struct variant *const *variant = variant_table; *variant; ++variant, ++count) {
        if (!variant_uses(*variant, row))
            continue;
        ++users;
        if (used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? " " : "", (*variant)->name);
    }
    if (users == count)
        snprintf(text, size, "all");
}

static bool list_parameters(const struct command_line *line, enum text_format format, struct error *error)
{
    static const char *const roles[] = {"work", "tree", "schedule", "machine"};
    (void)line;
    struct text_table table;
    text_table_begin(&table, 7,
                     (const char *const[]){"parameter", "role", "default", "values", "unit", "meaning", "used by"});
    for (size_t i = 0; i < parameter_count; ++i) {
        const struct parameter *row = &parameter_table[i];
        char bounds[160], users[512], standard[64];
        const struct parameters defaults = parameters_default();
        parameter_format(row, parameter_get(&defaults, row), standard, sizeof standard);
        format_bounds(row, bounds, sizeof bounds);
        format_users(row, users, sizeof users);
        text_table_row(
            &table, (const char *const[]){row->name, roles[row->role], standard, bounds, row->unit, row->help, users});
    }
    return print(&table, format, error);
}

// The metrics are rows of every database; a private one has them too.
static bool list_metrics(const struct command_line *line, enum text_format format, struct error *error)
{
    (void)line;
    struct store *store = store_open("", STORE_MEMORY, error);
    const bool done =
        store && text_table_query(store, "SELECT * FROM metric ORDER BY name", NULL, format, "no metrics", NULL, error);
    store_close(store);
    return done;
}

static bool list_commands(const struct command_line *line, enum text_format format, struct error *error)
{
    (void)line;
    struct text_table table;
    text_table_begin(&table, 3, (const char *const[]){"command", "arguments", "summary"});
    for (const struct command *const *row = command_table; *row; ++row)
        if (!(*row)->hidden)
            text_table_row(&table, (const char *const[]){(*row)->name, (*row)->arguments, (*row)->summary});
    return print(&table, format, error);
}

static bool list_lists(const struct command_line *line, enum text_format format, struct error *error);

static const struct list {
    const char *name, *summary;
    bool (*print)(const struct command_line *line, enum text_format format, struct error *error);
} lists[] = {
    {"variants", "ways to schedule the same paths, by document", list_variants},
    {"devices", "what kernels can run on, and whether it can be used here", list_devices},
    {"scenes", "scenes by name, what they stand for, and what they lack", list_scenes},
    {"parameters", "what an experiment can fix or sweep: defaults and values", list_parameters},
    {"metrics", "hardware counters by their short names", list_metrics},
    {"commands", "subcommands of this program", list_commands},
    {"lists", "these", list_lists},
};
enum { LISTS = sizeof lists / sizeof *lists };

static bool list_lists(const struct command_line *line, enum text_format format, struct error *error)
{
    (void)line;
    struct text_table table;
    text_table_begin(&table, 2, (const char *const[]){"list", "summary"});
    for (size_t i = 0; i < LISTS; ++i)
        text_table_row(&table, (const char *const[]){lists[i].name, lists[i].summary});
    return print(&table, format, error);
}

static bool run(const struct command_line *line, struct error *error)
{
    const char *names[LISTS + 1] = {0}, *asked = line->word_count ? line->words[0] : "lists";
    enum text_format format;
    if (!text_format_parse(command_option(line, "format"), &format, error))
        return false;
    for (size_t i = 0; i < LISTS; ++i) {
        names[i] = lists[i].name;
        if (!strcmp(asked, lists[i].name))
            return lists[i].print(line, format, error);
    }
    error_set(error, ERROR_USE, "list: there is no list of '%s'", asked);
    return error_propose(error, asked, names, "see warpstudy list");
}

static const struct command_option options[] = {COMMAND_OPTION_FORMAT, COMMAND_OPTIONS_END};

const struct command command_list = {
    .name = "list",
    .arguments = "variants|devices|scenes|parameters|metrics|commands",
    .summary = "what there is to choose from",
    .options = options,
    .most_words = 1,
    .run = run,
};
