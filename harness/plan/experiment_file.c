// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/path.h"
#include "plan/reader.h"

// ---- the whole

// What a file does not say: told apart from any value, so that a file that includes others replaces only what it names.
static void unset(struct reader *reader)
{
    struct experiment *experiment = reader->experiment;
    experiment->relative_ci = experiment->max_seconds = experiment->time_limit = NAN;
    experiment->max_temperature = experiment->gate_seconds = NAN;
    experiment->timeline_interval_us = experiment->timeline_window_ms = NAN;
    experiment->retries = -1;
    experiment->warmups = -1;
    reader->breadth_first = reader->shared_device = -1;
}

static void default_real(double *value, double standard)
{
    if (isnan(*value))
        *value = standard;
}

static void set_defaults(struct reader *reader)
{
    struct experiment *experiment = reader->experiment;
    if (!experiment->collections)
        experiment->collections = 1u << COLLECTION_COUNTS;
    default_real(&experiment->relative_ci, 0.01);
    default_real(&experiment->max_seconds, 10);
    default_real(&experiment->time_limit, 600);
    default_real(&experiment->max_temperature, 75);
    default_real(&experiment->gate_seconds, 120);
    default_real(&experiment->timeline_interval_us, 2);
    default_real(&experiment->timeline_window_ms, 50);
    experiment->warmups = experiment->warmups < 0 ? 2 : experiment->warmups;
    experiment->min_repetitions = experiment->min_repetitions ? experiment->min_repetitions : 10;
    experiment->max_repetitions = experiment->max_repetitions ? experiment->max_repetitions : 1000;
    experiment->retries = experiment->retries < 0 ? 2 : experiment->retries;
    experiment->breadth_first = reader->breadth_first != 0;
    experiment->shared_device = reader->shared_device == 1;
    experiment->order_seed = reader->order_seed_line ? experiment->order_seed : 1;
}

bool reader_check_stop(struct reader *reader, const struct experiment *experiment)
{
    return experiment_check_stop(experiment, reader->error) || reader_stands_at(reader, reader->stop_line);
}

// The file's name without folder and ending.
static bool set_default_name(struct reader *reader)
{
    const char *slash = strrchr(reader->experiment->path, '/');
    char *name = memory_copy(slash ? slash + 1 : reader->experiment->path), *ending = strrchr(name, '.');
    if (ending && (!strcmp(ending, ".yaml") || !strcmp(ending, ".yml")))
        *ending = '\0';
    const bool fits = reader_is_label(name);
    if (fits) {
        strcpy(reader->experiment->name, name);
    } else {
        reader_fail(reader, 0,
                    "the file's name cannot be the experiment's: it is empty, longer than 63, or not "
                    "only of letters, digits and . _ -");
        error_remedy(reader->error, "add `name: NAME` to the file, which keeps to this");
    }
    free(name);
    return fits;
}

// What is being swept is the business of the files that are included.
static bool check_include(struct reader *reader, yaml_node_t *root)
{
    static const char *const alone[] = {"sweep", "where",      "derive", "counters", "timeline",
                                        "name",  "order_seed", "seed",   "report",   NULL};
    for (size_t i = 0; alone[i]; ++i) {
        const yaml_node_t *node = yaml_find(&reader->yaml, root, alone[i]);
        if (!node)
            continue;
        yaml_fail(&reader->yaml, node, reader->error, "`%s` cannot be combined with `include`", alone[i]);
        return error_remedy(reader->error, "the included files give it; here only device, fixed, study, collect, "
                                           "replicates, stop, gate, order, time_limit, retries and shared_device "
                                           "may override them");
    }
    return true;
}

static bool finish_experiment(struct reader *reader)
{
    struct experiment *experiment = reader->experiment;
    const uint32_t counted = 1u << COLLECTION_COUNTERS | 1u << COLLECTION_STALLS;
    set_defaults(reader);
    experiment_default_replicates(experiment);
    if (!reader_check_stop(reader, experiment))
        return false;
    if (!experiment->name[0] && !set_default_name(reader))
        return false;
    if (experiment->counter_count && !(experiment->collections & counted)) {
        reader_fail(reader, reader->counters_line, "counters are listed, but `collect` asks for none");
        return error_remedy(reader->error, "add `counters` to `collect`, or remove the list");
    }
    if (reader->timeline_line && !(experiment->collections & 1u << COLLECTION_TIMELINE)) {
        reader_fail(reader, reader->timeline_line, "timeline says how to sample, but `collect` asks for none");
        return error_remedy(reader->error, "add `timeline` to `collect`, or remove the key");
    }
    return (experiment_check_window(experiment, reader->error) || reader_stands_at(reader, reader->timeline_line)) &&
           finish_axes(reader) && check_report(reader);
}

bool reader_run(struct reader *reader, const char *path, const char *text, size_t size, struct error *error)
{
    *reader = (struct reader){.experiment = memory_new(1, sizeof *reader->experiment), .error = error};
    reader->experiment->path = memory_copy(path);
    reader->experiment->text = memory_format("%.*s", (int)size, text);
    unset(reader);
    if (!yaml_source_parse(&reader->yaml, reader->experiment->path, text, size, error))
        return false;
    yaml_node_t *root = yaml_source_root(&reader->yaml);
    return read_settings(reader, root) &&
           (reader->include.count ? check_include(reader, root) : finish_experiment(reader));
}

void reader_finish(struct reader *reader)
{
    yaml_source_finish(&reader->yaml);
    experiment_free(reader->experiment);
    experiment_free_texts(reader->include.paths, reader->include.count);
    *reader = (struct reader){0};
}

struct experiment *experiment_parse(const char *path, const char *text, size_t size, struct error *error)
{
    struct error ignored;
    struct reader reader;
    struct experiment *experiment = NULL;
    if (reader_run(&reader, path, text, size, error ? error : &ignored)) {
        if (reader.include.count) {
            reader_fail(&reader, reader.include.paths[0].line,
                        "this file includes others, and is no experiment itself");
            error_remedy(reader.error, "give it to `run` or `plan`");
        } else {
            experiment = reader.experiment;
            reader.experiment = NULL;
        }
    }
    reader_finish(&reader);
    return experiment;
}

char *reader_file(const char *path, size_t *size, struct error *error)
{
    char *text = yaml_file_text(path, size, error);
    if (!text && !error->remedy[0])
        error_remedy(error, "give the path of an experiment file, such as %s",
                     path_shipped("experiments/quickstart.yaml"));
    return text;
}
