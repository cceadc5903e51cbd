// SPDX-License-Identifier: MIT
#include "experiment/experiment.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "experiment/reader.h"

// ---- keys
// -----------------------------------------------------------------------------------------------------------------------

static bool read_label(struct reader *reader, const yaml_node_t *node, const char *what, char *text, size_t size)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    if (!read_short_text(reader, node, what, text, size))
        return false;
    if (strspn(text, allowed) == strlen(text))
        return true;
    reader_fail(reader, node_line(node), "%s: '%s' has a character that cannot stand in a file's name", what, text);
    return error_remedy(reader->error, "use letters, digits and . _ -");
}

static bool read_name(struct reader *reader, const yaml_node_t *node, const char *name)
{
    return read_label(reader, node, name, reader->experiment->name, sizeof reader->experiment->name);
}

static bool read_study(struct reader *reader, const yaml_node_t *node, const char *name)
{
    return read_label(reader, node, name, reader->experiment->study, sizeof reader->experiment->study);
}

static bool add_collection(struct reader *reader, const yaml_node_t *node, const char *what)
{
    size_t index;
    if (!read_choice(reader, node, what, collection_names, &index))
        return false;
    reader->experiment->collections |= 1u << index;
    return true;
}

static bool read_collect(struct reader *reader, const yaml_node_t *node, const char *name)
{
    reader->experiment->collections = 0;
    return each_value(reader, node, name, add_collection);
}

static bool add_counter(struct reader *reader, const yaml_node_t *node, const char *what)
{
    struct experiment *experiment = reader->experiment;
    if (experiment->counter_count >= 256) {
        reader_fail(reader, node_line(node), "%s: more than 256 counters", what);
        return error_remedy(reader->error, "split them over several experiments");
    }
    struct experiment_text *counters =
        realloc(experiment->counters, (experiment->counter_count + 1) * sizeof *counters);
    if (!counters)
        return error_set(reader->error, ERROR_SYSTEM, "no memory for the experiment");
    experiment->counters = counters;
    return read_copy(reader, node, what, &counters[experiment->counter_count]) && ++experiment->counter_count;
}

static bool read_counters(struct reader *reader, const yaml_node_t *node, const char *name)
{
    reader->counters_line = node_line(node);
    return each_value(reader, node, name, add_counter);
}

static bool read_int32(struct reader *reader, const yaml_node_t *node, const char *name, int64_t least, int64_t most,
                       int32_t *value)
{
    int64_t wide;
    if (!read_integer(reader, node, name, least, most, &wide))
        return false;
    *value = (int32_t)wide;
    return true;
}

static bool read_replicates(struct reader *reader, const yaml_node_t *node, const char *name)
{
    reader->has_replicates = true;
    return read_int32(reader, node, name, 1, 1000, &reader->experiment->replicates);
}

static bool read_relative_ci(struct reader *reader, const yaml_node_t *node, const char *name)
{
    return read_real(reader, node, name, 0, 1, &reader->experiment->relative_ci);
}

static bool read_min_repetitions(struct reader *reader, const yaml_node_t *node, const char *name)
{
    return read_int32(reader, node, name, 1, 1000000, &reader->experiment->min_repetitions);
}

static bool read_max_repetitions(struct reader *reader, const yaml_node_t *node, const char *name)
{
    return read_int32(reader, node, name, 1, 1000000, &reader->experiment->max_repetitions);
}

static bool read_max_seconds(struct reader *reader, const yaml_node_t *node, const char *name)
{
    return read_real(reader, node, name, 0, 86400, &reader->experiment->max_seconds);
}

static bool read_stop(struct reader *reader, const yaml_node_t *node, const char *name)
{
    static const struct reader_key keys[] = {
        {"relative_ci", read_relative_ci},
        {"min_repetitions", read_min_repetitions},
        {"max_repetitions", read_max_repetitions},
        {"max_seconds", read_max_seconds},
        {NULL, NULL},
    };
    const struct experiment *experiment = reader->experiment;
    if (!read_mapping(reader, node, name, keys))
        return false;
    if (experiment->min_repetitions <= experiment->max_repetitions)
        return true;
    reader_fail(reader, node_line(node), "stop: min_repetitions %d is more than max_repetitions %d",
                experiment->min_repetitions, experiment->max_repetitions);
    return error_remedy(reader->error, "max_repetitions is 1000 unless given");
}

static bool read_order(struct reader *reader, const yaml_node_t *node, const char *name)
{
    static const char *const orders[] = {"breadth_first", "depth_first", NULL};
    size_t index;
    if (!read_choice(reader, node, name, orders, &index))
        return false;
    reader->experiment->breadth_first = index == 0;
    return true;
}

static bool read_time_limit(struct reader *reader, const yaml_node_t *node, const char *name)
{
    return read_real(reader, node, name, 0, 7 * 86400, &reader->experiment->time_limit);
}

static bool read_retries(struct reader *reader, const yaml_node_t *node, const char *name)
{
    return read_int32(reader, node, name, 0, 100, &reader->experiment->retries);
}

// `seed` is the former name of order_seed. It is easily taken for the parameter `seed`, which belongs to an axis.
static bool read_order_seed(struct reader *reader, const yaml_node_t *node, const char *name)
{
    int64_t seed;
    if (!read_integer(reader, node, name, 0, INT64_MAX, &seed))
        return false;
    if (reader->order_seed_line) {
        reader_fail(reader, node_line(node), "%s: the order has a seed already, on line %d", name,
                    reader->order_seed_line);
        return error_remedy(reader->error, "keep `order_seed`; the seed of the paths belongs into `fixed` or `sweep`");
    }
    reader->order_seed_line = node_line(node);
    reader->experiment->order_seed = (uint64_t)seed;
    return true;
}

static const struct reader_key experiment_keys[] = {
    {"name", read_name},
    {"study", read_study},
    {"device", read_device},
    {"fixed", read_fixed},
    {"sweep", read_sweep},
    {"where", read_where},
    {"derive", read_derive},
    {"collect", read_collect},
    {"counters", read_counters},
    {"replicates", read_replicates},
    {"stop", read_stop},
    {"order", read_order},
    {"order_seed", read_order_seed},
    {"seed", read_order_seed},
    {"time_limit", read_time_limit},
    {"retries", read_retries},
    {NULL, NULL},
};

// ---- the whole
// ---------------------------------------------------------------------------------------------------------------------

static void set_defaults(struct experiment *experiment)
{
    experiment->collections = 1u << COLLECTION_COUNTS;
    experiment->relative_ci = 0.01;
    experiment->min_repetitions = 10;
    experiment->max_repetitions = 1000;
    experiment->max_seconds = 10;
    experiment->time_limit = 600;
    experiment->retries = 2;
    experiment->breadth_first = true;
    experiment->order_seed = 1;
}

// The file's name without folder and ending.
static void set_default_name(struct experiment *experiment)
{
    const char *slash = strrchr(experiment->path, '/'), *base = slash ? slash + 1 : experiment->path;
    snprintf(experiment->name, sizeof experiment->name, "%.*s", (int)strcspn(base, "."), base);
}

static bool finish(struct reader *reader)
{
    struct experiment *experiment = reader->experiment;
    const uint32_t timed = 1u << COLLECTION_FRAME | 1u << COLLECTION_LAUNCHES;
    const uint32_t counted = 1u << COLLECTION_COUNTERS | 1u << COLLECTION_STALLS;
    if (!reader->has_replicates)
        experiment->replicates = experiment->collections & timed ? 5 : 1;
    if (!experiment->name[0])
        set_default_name(experiment);
    if (experiment->counter_count && !(experiment->collections & counted)) {
        reader_fail(reader, reader->counters_line, "counters are listed, but `collect` asks for none");
        return error_remedy(reader->error, "add `counters` to `collect`, or remove the list");
    }
    return finish_axes(reader);
}

static bool read_document(struct reader *reader)
{
    const yaml_node_t *root = yaml_document_get_root_node(&reader->document);
    if (root)
        return read_mapping(reader, root, "experiment", experiment_keys) && finish(reader);
    reader_fail(reader, 1, "the file is empty");
    return error_remedy(reader->error, "start from experiments/quickstart.yaml");
}

static bool yaml_failed(struct reader *reader, const yaml_parser_t *parser)
{
    const size_t line = parser->problem_mark.line ? parser->problem_mark.line : parser->context_mark.line;
    if (parser->error == YAML_MEMORY_ERROR)
        return error_set(reader->error, ERROR_SYSTEM, "no memory for the experiment");
    reader_fail(reader, (int)line + 1, "this is not YAML: %s%s%s", parser->problem ? parser->problem : "cannot be read",
                parser->context ? ", " : "", parser->context ? parser->context : "");
    return error_remedy(reader->error, "check indentation, quotes and brackets around this line; tabs do not indent");
}

static bool refuse_more(struct reader *reader, yaml_parser_t *parser)
{
    yaml_document_t more;
    if (!yaml_parser_load(parser, &more))
        return yaml_failed(reader, parser);
    const yaml_node_t *root = yaml_document_get_root_node(&more);
    const int line = root ? node_line(root) : 0;
    yaml_document_delete(&more);
    if (!line)
        return true;
    reader_fail(reader, line, "a second document begins here");
    return error_remedy(reader->error, "an experiment is one file: split it at the '---'");
}

static bool parse(struct reader *reader, const char *text, size_t size)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return error_set(reader->error, ERROR_SYSTEM, "no memory for the experiment");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    bool done = yaml_parser_load(&parser, &reader->document);
    if (done) {
        done = read_document(reader) && refuse_more(reader, &parser);
        yaml_document_delete(&reader->document);
    } else {
        yaml_failed(reader, &parser);
    }
    yaml_parser_delete(&parser);
    return done;
}

struct experiment *experiment_parse(const char *path, const char *text, size_t size, struct error *error)
{
    struct error ignored;
    struct reader reader = {.experiment = calloc(1, sizeof *reader.experiment), .error = error ? error : &ignored};
    struct experiment *experiment = reader.experiment;
    if (experiment) {
        experiment->path = strdup(path);
        experiment->text = strndup(text, size);
    }
    if (!experiment || !experiment->path || !experiment->text) {
        error_set(error, ERROR_SYSTEM, "no memory for the experiment");
    } else if (size > EXPERIMENT_FILE_MAX) {
        error_set_at(error, ERROR_INPUT, path, 0, "the file has more than 1 MiB");
        error_remedy(error, "split the experiment, or write value lists as ranges FROM..TO");
    } else {
        set_defaults(experiment);
        if (parse(&reader, text, size))
            return experiment;
    }
    experiment_free(experiment);
    return NULL;
}

static char *read_file(const char *path, size_t *size, struct error *error)
{
    struct stat status;
    FILE *file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &status)) {
        const int cause = errno;
        error_set_errno(error, "open", path);
        if (cause == ENOENT)
            error_remedy(error, "give the path of an experiment file, such as experiments/quickstart.yaml");
        else if (cause == EACCES)
            error_remedy(error, "see that you may read the file and the folders above it");
        if (file)
            fclose(file);
        return NULL;
    }
    if (S_ISDIR(status.st_mode)) {
        error_set_at(error, ERROR_INPUT, path, 0, "this is a folder, not an experiment file");
        error_remedy(error, "give the path of a file in it");
        fclose(file);
        return NULL;
    }
    char *text = malloc(EXPERIMENT_FILE_MAX + 2);
    *size = text ? fread(text, 1, EXPERIMENT_FILE_MAX + 1, file) : 0;
    if (!text || ferror(file)) {
        error_set_errno(error, "read", path);
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

struct experiment *experiment_load(const char *path, struct error *error)
{
    size_t size;
    char *text = read_file(path, &size, error);
    struct experiment *experiment = text ? experiment_parse(path, text, size, error) : NULL;
    free(text);
    return experiment;
}

static void free_texts(struct experiment_text *texts, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        free(texts[i].text);
    free(texts);
}

void experiment_free(struct experiment *experiment)
{
    if (!experiment)
        return;
    for (size_t i = 0; i < experiment->axis_count; ++i)
        free_texts(experiment->axes[i].values, experiment->axes[i].count);
    for (size_t i = 0; i < experiment->derived_count; ++i)
        free(experiment->derived[i].expression.text);
    free_texts(experiment->where, experiment->where_count);
    free_texts(experiment->counters, experiment->counter_count);
    free(experiment->derived);
    free(experiment->axes);
    free(experiment->path);
    free(experiment->text);
    free(experiment);
}
