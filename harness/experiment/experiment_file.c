// SPDX-License-Identifier: MIT
#include "experiment/experiment.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "experiment/reader.h"

// ---- the whole

// What a file does not say: told apart from any value, so that a file that includes others replaces only what it names.
static void unset(struct reader *reader)
{
    struct experiment *experiment = reader->experiment;
    experiment->relative_ci = experiment->max_seconds = experiment->time_limit = NAN;
    experiment->max_temperature = experiment->gate_seconds = NAN;
    experiment->retries = -1;
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
    experiment->min_repetitions = experiment->min_repetitions ? experiment->min_repetitions : 10;
    experiment->max_repetitions = experiment->max_repetitions ? experiment->max_repetitions : 1000;
    experiment->retries = experiment->retries < 0 ? 2 : experiment->retries;
    experiment->breadth_first = reader->breadth_first != 0;
    experiment->shared_device = reader->shared_device == 1;
    experiment->order_seed = reader->order_seed_line ? experiment->order_seed : 1;
}

bool reader_check_stop(struct reader *reader, const struct experiment *experiment)
{
    if (experiment->min_repetitions <= experiment->max_repetitions)
        return true;
    reader_fail(reader, reader->stop_line, "stop: min_repetitions %d is more than max_repetitions %d",
                experiment->min_repetitions, experiment->max_repetitions);
    return error_remedy(reader->error, "min_repetitions is 10 and max_repetitions is 1000 unless given");
}

// The file's name without folder and ending.
static void set_default_name(struct experiment *experiment)
{
    const char *slash = strrchr(experiment->path, '/'), *base = slash ? slash + 1 : experiment->path;
    snprintf(experiment->name, sizeof experiment->name, "%.*s", (int)strcspn(base, "."), base);
}

// What is being swept is the business of the files that are included.
static bool check_include(struct reader *reader)
{
    static const char *const alone[] = {"sweep", "where", "derive", "counters", "name", "order_seed", "seed", NULL};
    const yaml_node_t *root = yaml_document_get_root_node(&reader->document);
    for (const yaml_node_pair_t *pair = root->data.mapping.pairs.start; pair < root->data.mapping.pairs.top; ++pair) {
        const yaml_node_t *key = yaml_document_get_node(&reader->document, pair->key);
        for (size_t i = 0; alone[i]; ++i) {
            if (strcmp((const char *)key->data.scalar.value, alone[i]) != 0)
                continue;
            reader_fail(reader, node_line(key), "`%s` cannot stand beside `include`", alone[i]);
            return error_remedy(reader->error, "the included files say this; here device, fixed, study, collect, "
                                               "replicates, stop, gate, order, time_limit, retries and shared_device "
                                               "may replace what they say");
        }
    }
    return true;
}

static bool finish(struct reader *reader)
{
    struct experiment *experiment = reader->experiment;
    const uint32_t counted = 1u << COLLECTION_COUNTERS | 1u << COLLECTION_STALLS;
    set_defaults(reader);
    experiment_default_replicates(experiment);
    if (!reader_check_stop(reader, experiment))
        return false;
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
        return read_mapping(reader, root, "experiment", experiment_keys) &&
               (reader->include.count ? check_include(reader) : finish(reader));
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

bool reader_run(struct reader *reader, const char *path, const char *text, size_t size, struct error *error)
{
    *reader = (struct reader){.experiment = calloc(1, sizeof *reader->experiment), .error = error};
    struct experiment *experiment = reader->experiment;
    if (experiment) {
        experiment->path = strdup(path);
        experiment->text = strndup(text, size);
    }
    if (!experiment || !experiment->path || !experiment->text)
        return error_set(error, ERROR_SYSTEM, "no memory for the experiment");
    if (size > EXPERIMENT_FILE_MAX) {
        error_set_at(error, ERROR_INPUT, path, 0, "the file has more than 1 MiB");
        return error_remedy(error, "split the experiment, or write value lists as ranges FROM..TO");
    }
    unset(reader);
    return parse(reader, text, size);
}

void reader_finish(struct reader *reader)
{
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
    char *text = reader_file(path, &size, error);
    struct experiment *experiment = text ? experiment_parse(path, text, size, error) : NULL;
    free(text);
    return experiment;
}
