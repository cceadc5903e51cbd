// SPDX-License-Identifier: MIT
// Experiments made of others: a file's `include`, and what it says in place of what they say.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/path.h"
#include "plan/reader.h"

enum { DEPTH_MAX = 16 };

// A file being read, and the one that includes it.
struct chain {
    const struct chain *above;
    char path[PATH_MAX]; // without links
    int depth;
};

// ---- replacing

static bool replace_axes(struct experiment *experiment, struct reader *by)
{
    for (size_t i = 0; i < by->experiment->axis_count; ++i) {
        const struct experiment_axis *axis = &by->experiment->axes[i];
        for (size_t j = 0; j < experiment->derived_count; ++j)
            if (!strcmp(experiment->derived[j].name, axis->name)) {
                reader_fail(by, axis->line, "'%s' is a derived column of %s", axis->name, experiment->path);
                return error_remedy(by->error, "remove it here, or `derive` there");
            }
        experiment_replace_axis(experiment, axis);
    }
    return true;
}

static void replace_real(double *value, double by)
{
    if (!isnan(by))
        *value = by;
}

static bool replace_settings(struct experiment *experiment, struct reader *reader)
{
    const struct experiment *by = reader->experiment;
    if (by->study[0])
        memcpy(experiment->study, by->study, sizeof experiment->study);
    if (by->collections)
        experiment->collections = by->collections;
    if (by->replicates_given && experiment_is_timed(experiment)) {
        experiment->replicates = by->replicates;
        experiment->replicates_given = true;
    }
    experiment_default_replicates(experiment);
    replace_real(&experiment->relative_ci, by->relative_ci);
    replace_real(&experiment->max_seconds, by->max_seconds);
    replace_real(&experiment->max_temperature, by->max_temperature);
    replace_real(&experiment->gate_seconds, by->gate_seconds);
    replace_real(&experiment->time_limit, by->time_limit);
    if (by->warmups >= 0)
        experiment->warmups = by->warmups;
    if (by->min_repetitions)
        experiment->min_repetitions = by->min_repetitions;
    if (by->max_repetitions)
        experiment->max_repetitions = by->max_repetitions;
    if (by->retries >= 0)
        experiment->retries = by->retries;
    if (reader->breadth_first >= 0)
        experiment->breadth_first = reader->breadth_first;
    if (reader->shared_device >= 0)
        experiment->shared_device = reader->shared_device;
    return reader_check_stop(reader, experiment);
}

// What made the experiment is kept with its runs: both files.
static void append_text(struct experiment *experiment, const struct experiment *by)
{
    char *text = memory_format("%s\n# included by %s:\n%s", experiment->text, by->path, by->text);
    free(experiment->text);
    experiment->text = text;
}

static bool replace_included(struct experiment *experiment, struct reader *by)
{
    append_text(experiment, by->experiment);
    return replace_axes(experiment, by) && replace_settings(experiment, by);
}

// ---- loading

// A path in a file means the one beside it.
static bool path_of_entry(const char *file, const char *path, char *result, size_t size, struct error *error)
{
    const char *slash = strrchr(file, '/');
    const int folder = path[0] == '/' || !slash ? 0 : (int)(slash - file + 1);
    return path_format(result, size, error, "%.*s%s", folder, file, path);
}

static bool includes_itself(const struct chain *chain, const char *path)
{
    char real[PATH_MAX];
    if (!realpath(path, real))
        return false; // opening it will say why
    for (; chain; chain = chain->above)
        if (!strcmp(chain->path, real))
            return true;
    return false;
}

static bool load_file(struct experiment_list *list, const char *path, const struct chain *above, struct error *error);

// One entry of `include`. An error that names no place stands where the file is named.
static bool load_entry(struct experiment_list *list, struct reader *reader, size_t index, const struct chain *chain)
{
    const struct experiment_text *entry = &reader->include.paths[index];
    char path[PATH_MAX];
    if (!path_of_entry(reader->experiment->path, entry->text, path, sizeof path, reader->error))
        return false;
    if (includes_itself(chain, path)) {
        reader_fail(reader, entry->line, "include: %s leads back to itself", entry->text);
        return error_remedy(reader->error, "remove this entry, or the one that leads here");
    }
    if (chain->depth >= DEPTH_MAX) {
        reader_fail(reader, entry->line, "include: files are nested more than %d deep", DEPTH_MAX);
        return error_remedy(reader->error, "include %s from a file further up", entry->text);
    }
    const size_t first = list->count;
    if (!load_file(list, path, chain, reader->error)) {
        if (!reader->error->file[0]) {
            snprintf(reader->error->file, sizeof reader->error->file, "%s", reader->experiment->path);
            reader->error->line = entry->line;
        }
        return false;
    }
    for (size_t i = first; i < list->count; ++i)
        if (!replace_included(list->items[i], reader))
            return false;
    return true;
}

static bool take_experiment(struct experiment_list *list, struct reader *reader, const struct chain *above)
{
    if (!reader->include.count) {
        *ARRAY_ADD(list->items, list->count) = reader->experiment;
        reader->experiment = NULL;
        return true;
    }
    struct chain chain = {.above = above, .depth = above ? above->depth + 1 : 0};
    if (!realpath(reader->experiment->path, chain.path))
        return error_set_errno(reader->error, "find", reader->experiment->path);
    for (size_t i = 0; i < reader->include.count; ++i)
        if (!load_entry(list, reader, i, &chain))
            return false;
    return true;
}

static bool load_file(struct experiment_list *list, const char *path, const struct chain *above, struct error *error)
{
    size_t size;
    struct reader reader = {0};
    char *text = reader_file(path, &size, error);
    const bool done = text && reader_run(&reader, path, text, size, error) && take_experiment(list, &reader, above);
    reader_finish(&reader);
    free(text);
    return done;
}

bool experiment_list_load(struct experiment_list *list, const char *path, struct error *error)
{
    // Messages and reports name those that come with the program in this way, wherever it runs.
    char *own = memory_copy(strncmp(path, "experiments/", 12) ? path : path_shipped(path));
    const bool done = load_file(list, own, NULL, error);
    free(own);
    return done;
}

void experiment_list_finish(struct experiment_list *list)
{
    for (size_t i = 0; i < list->count; ++i)
        experiment_free(list->items[i]);
    free(list->items);
    *list = (struct experiment_list){0};
}
