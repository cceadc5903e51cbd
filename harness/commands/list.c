// SPDX-License-Identifier: MIT
#include <string.h>

#include "commands/list.h"
#include "commands/shared.h"
#include "device/device.h"
#include "scene/scene.h"
#include "frame/variant.h"
#include "scene/scene_find.h"

// Each makes its table; completion takes what the first column names.
static bool make_variants(struct text_table *table, struct error *error)
{
    (void)error;
    text_table_add(table, "variant\testimator\tpaper\tsummary");
    for (const struct variant *const *row = variant_table; *row; ++row)
        text_table_add(table, "%s\t%s\t%s\t%s", (*row)->name, (*row)->estimator->name, (*row)->paper, (*row)->summary);
    return true;
}

static bool make_devices(struct text_table *table, struct error *error)
{
    (void)error;
    text_table_add(table, "device\tsummary\tusable");
    for (const struct device_backend *const *row = device_backends; *row; ++row) {
        const char *reason = device_unavailable(*row), *lacking = (*row)->lacking ? (*row)->lacking() : NULL;
        reason = reason ? reason : "yes"; // how to correct it, on a second line, is doctor's to say
        text_table_add(table, "%s\t%s\t%.*s%s%s", (*row)->name, (*row)->summary, (int)strcspn(reason, "\n"), reason,
                       lacking ? "; " : "", lacking ? lacking : "");
    }
    return true;
}

static void add_scene(void *context, const struct scene_listing *scene)
{
    text_table_add(context, "%s\t%s\t%s\t%s", scene->name, scene->stands_for, scene->missing ? scene->missing : "yes",
                   scene->summary);
}

static bool make_scenes(struct text_table *table, struct error *error)
{
    text_table_add(table, "scene\tstands for\tcomplete\tsummary");
    return scene_list(add_scene, table, error);
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

static bool make_parameters(struct text_table *table, struct error *error)
{
    static const char *const roles[] = {"work", "tree", "schedule", "machine"};
    (void)error;
    text_table_add(table, "parameter\trole\tdefault\tvalues\tunit\tmeaning\tused by");
    for (size_t i = 0; i < parameter_count; ++i) {
        const struct parameter *row = &parameter_table[i];
        char bounds[160], users[512];
        format_bounds(row, bounds, sizeof bounds);
        format_users(row, users, sizeof users);
        text_table_add(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s", row->name, roles[row->role], row->standard, bounds,
                       row->unit, row->help, users);
    }
    return true;
}

// The metrics are rows of every database; a private one has them too.
static bool make_metrics(struct text_table *table, struct error *error)
{
    struct store *store = store_open("", STORE_MEMORY, error);
    const bool done =
        store && store_query(store, "SELECT * FROM metric ORDER BY name", NULL, text_table_visit, table, error);
    store_close(store);
    return done;
}

static bool make_commands(struct text_table *table, struct error *error)
{
    (void)error;
    text_table_add(table, "command\targuments\tsummary");
    for (const struct command *const *row = command_table; *row; ++row)
        if (!(*row)->hidden)
            text_table_add(table, "%s\t%s\t%s", (*row)->name, (*row)->arguments, (*row)->summary);
    return true;
}

static bool make_lists(struct text_table *table, struct error *error);

static const struct list {
    const char *name, *summary;
    bool (*make)(struct text_table *table, struct error *error);
} lists[] = {
    {"variants", "ways to schedule the same paths, by document", make_variants},
    {"devices", "devices that kernels can run on, and whether they can be used here", make_devices},
    {"scenes", "scenes, what they stand in for, and which files are missing", make_scenes},
    {"parameters", "what an experiment can fix or sweep: defaults and values", make_parameters},
    {"metrics", "hardware counters by their short names", make_metrics},
    {"commands", "subcommands of this program", make_commands},
    {"lists", "these", make_lists},
};
enum { LISTS = sizeof lists / sizeof *lists };

static bool make_lists(struct text_table *table, struct error *error)
{
    (void)error;
    text_table_add(table, "list\tsummary");
    for (size_t i = 0; i < LISTS; ++i)
        text_table_add(table, "%s\t%s", lists[i].name, lists[i].summary);
    return true;
}

bool list_make(const char *name, struct text_table *table, struct error *error)
{
    const char *names[LISTS + 1] = {0};
    for (size_t i = 0; i < LISTS; ++i) {
        names[i] = lists[i].name;
        if (!strcmp(name, names[i]))
            return lists[i].make(table, error);
    }
    error_set(error, ERROR_USE, "list: there is no list of '%s'", name);
    return error_near(error, name, names, "see warpstudy list");
}

static bool list_run(const struct command_line *line, struct error *error)
{
    const enum text_format format = (enum text_format)command_choice(line, "format");
    struct text_table table = {.exact = format != TEXT_TABLE};
    const bool done = list_make(line->word_count ? line->words[0] : "lists", &table, error);
    if (done)
        text_table_print(&table, format);
    text_table_finish(&table);
    return done;
}

const struct command command_list = {
    .name = "list",
    .arguments = "[variants|devices|scenes|parameters|metrics|commands]",
    .details =
        "Without an argument, shows the available lists. On a terminal cells are wrapped to its width; elsewhere, and\n"
        "with --format csv, each row is one line.",
    .summary = "lists variants, devices, scenes, parameters, metrics or commands",
    .options =
        {
            {COMMAND_OPTION_FORMAT},
        },
    .most_words = 1,
    .run = list_run,
};
