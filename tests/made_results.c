// SPDX-License-Identifier: MIT
#include "made_results.h"
#include "frame/parameters.h"

#include "check.h"

// ---- kinds

void made_results_open(struct made_results *results)
{
    char path[600];
    *results = (struct made_results){.parameters = ""};
    results->scope.memory = &results->memory;
    need(paper_root(path, sizeof path, &why));
    snprintf(path + strlen(path), sizeof path - strlen(path), "/../tests/claims/kinds.yaml");
    need(yaml_file_open(&results->kinds, path, &why));
    results->scope.store = store_open("", STORE_MEMORY, &why);
    need(results->scope.store);
    yaml_node_t *lists = yaml_find(&results->kinds.source, yaml_source_root(&results->kinds.source), "lists");
    for (size_t i = 0; i < yaml_length(lists); ++i)
        made_set_list(&results->scope, yaml_key(&results->kinds.source, lists, i),
                      yaml_text(yaml_value(&results->kinds.source, lists, i)), -1);
}

void made_results_close(struct made_results *results)
{
    store_close(results->scope.store);
    arena_free(&results->memory);
    yaml_file_close(&results->kinds);
}

void made_expect_keys(struct yaml_source *source, yaml_node_t *node, const char *const *keys)
{
    for (size_t i = 0; i < yaml_length(node); ++i) {
        const char *key = yaml_key(source, node, i);
        size_t k = 0;
        while (keys[k] && strcmp(keys[k], key) != 0)
            ++k;
        if (!keys[k])
            fail_msg("%s:%d: no such key: %s", source->path, yaml_line(yaml_key_node(source, node, i)), key);
    }
}

struct kind {
    struct yaml_source *source;
    yaml_node_t *node;  // NULL: there is no such kind
    yaml_node_t *makes; // NULL: it has rows of its own
};

static struct kind kind_in(struct yaml_file *file, const char *name)
{
    yaml_node_t *kinds = yaml_find(&file->source, yaml_source_root(&file->source), "kinds");
    yaml_node_t *node = kinds ? yaml_find(&file->source, kinds, name) : NULL;
    return (struct kind){&file->source, node, node ? yaml_find(&file->source, node, "makes") : NULL};
}

static struct kind kind_find(struct made_results *results, const char *name)
{
    static const char *const keys[] = {"words",      "values",   "parameters", "device",   "programs",
                                       "replicates", "counts",   "frame",      "launches", "counters",
                                       "stalls",     "timeline", "asked",      "makes",    NULL};
    struct kind kind = {.node = NULL};
    if (results->own)
        kind = kind_in(results->own, name);
    if (!kind.node)
        kind = kind_in(&results->kinds, name);
    if (kind.node)
        made_expect_keys(kind.source, kind.node, keys);
    return kind;
}

static const char *kind_text(const struct kind *kind, const char *key, const char *otherwise)
{
    const yaml_node_t *node = yaml_find(kind->source, kind->node, key);
    return node ? yaml_text(node) : otherwise;
}

// ---- a line

// What its words come to.
struct result {
    struct kind kind;
    const char *variant, *scene, *device, *programs, *clock, *run, *policy, *model, *parameters, *rest;
};

// Value of a name of the kind: of the line, where it has one, evaluated before any of the kind's; else NULL.
struct given {
    const char *names[24], *values[24];
    size_t count;
};

static void given_add(struct given *given, const char *name, const char *value)
{
    assert_true(given->count < sizeof given->names / sizeof *given->names);
    given->names[given->count] = name;
    given->values[given->count++] = value;
}

static const char *given_find(const struct given *given, const char *name)
{
    for (size_t i = 0; i < given->count; ++i)
        if (!strcmp(given->names[i], name))
            return given->values[i];
    return NULL;
}

static bool is_value(const struct kind *kind, const char *name)
{
    yaml_node_t *values = yaml_find(kind->source, kind->node, "values");
    return values && yaml_find(kind->source, values, name) != NULL;
}

// The next word that its kind has in this place.
static void word_take(struct made_results *results, struct result *result, struct given *given, const char **places,
                      const char *word)
{
    const char *place = made_word(&results->memory, places);
    if (!place)
        fail_msg("%s: one word too many", word);
    else if (strcmp(place, "variant") != 0 && strcmp(place, "scene") != 0 && !is_value(&result->kind, place))
        fail_msg("%s is not among the values of its kind", place);
    else if (!strcmp(place, "variant"))
        result->variant = word;
    else if (!strcmp(place, "scene"))
        result->scene = word;
    else
        given_add(given, place, made_literal(&results->scope, word));
}

// Where the value of an option goes that is no parameter; else NULL.
static const char **option_place(struct result *result, const char *name)
{
    return !strcmp(name, "device")     ? &result->device
           : !strcmp(name, "programs") ? &result->programs
           : !strcmp(name, "clock")    ? &result->clock
           : !strcmp(name, "run")      ? &result->run
           : !strcmp(name, "policy")   ? &result->policy
           : !strcmp(name, "model")    ? &result->model
                                       : NULL;
}

// NAME=VALUE: a value of the kind, who computes it, or a parameter.
static void option_take(struct made_results *results, struct result *result, struct given *given, const char *name,
                        const char *value, const char *word)
{
    if (is_value(&result->kind, name)) {
        given_add(given, name, made_literal(&results->scope, value));
        return;
    }
    const char **place = option_place(result, name);
    result->rest = arena_join(&results->memory, result->rest, " ", word);
    if (place)
        *place = value;
    else
        result->parameters = arena_join(&results->memory, result->parameters, " ", word);
    if (!place && !parameter_find(name) && !result->kind.makes)
        fail_msg("%s is neither a value of its kind nor a parameter", word);
}

static struct result line_read(struct made_results *results, const char *kind, const char *line, struct given *given)
{
    struct arena *memory = &results->memory;
    struct result result = {.variant = "", .scene = "", .rest = ""};
    const char *words = made_replace(&results->scope, line), *name, *value, *word = made_word(memory, &words);
    result.kind = kind_find(results, word);
    if (result.kind.node)
        word = made_word(memory, &words);
    else if (kind)
        result.kind = kind_find(results, kind);
    if (!result.kind.node)
        fail_msg("%s: it begins with no kind of result", line);
    const char *places = kind_text(&result.kind, "words", "variant scene");
    result.device = kind_text(&result.kind, "device", "cuda");
    result.programs = kind_text(&result.kind, "programs", "programs");
    result.clock = result.run = "";
    for (; word; word = made_word(memory, &words))
        if (made_split(memory, word, &name, &value))
            option_take(results, &result, given, name, value, word);
        else
            word_take(results, &result, given, &places, word);
    return result;
}

// ---- measurements

static enum collection collection_find(const char *name)
{
    for (size_t i = 0; i < COLLECTION_KINDS; ++i)
        if (!strcmp(collection_names[i], name))
            return (enum collection)i;
    return COLLECTION_KINDS;
}

// Rows of a collection, from `first` on; none where there are none or the condition that they may begin with does not hold.
struct rows {
    struct yaml_source *source;
    yaml_node_t *node;
    size_t first;
};

static struct rows rows_find(struct made_results *results, struct kind kind, enum collection collection, int replicate)
{
    struct rows rows = {kind.source, yaml_find(kind.source, kind.node, collection_names[collection]), 0};
    if (rows.node && rows.node->type == YAML_SCALAR_NODE)
        return rows_find(results, kind_find(results, yaml_text(rows.node)), collection, replicate);
    const char *head = rows.node ? yaml_text(yaml_value(kind.source, rows.node, 0)) : "";
    rows.first = strncmp(head, "when ", 5) == 0;
    if ((collection == COLLECTION_COUNTS && replicate > 0) ||
        (rows.first && made_number(&results->scope, head + 5) == 0))
        rows.node = NULL;
    return rows;
}

static void collection_add(struct made_results *results, const struct rows *rows, enum collection collection,
                           int64_t trial, const struct made *made)
{
    const char *first = yaml_text(yaml_value(rows->source, rows->node, 0)), *reason = strstr(first, " because ");
    if (reason) {
        made_failed(results->bench->store, results->bench->run, trial, collection,
                    strncmp(first, "skipped", 7) ? ATTEMPT_FAILED : ATTEMPT_SKIPPED, reason + strlen(" because "));
        return;
    }
    struct measurement *measurement = memory_new(1, sizeof *measurement);
    measurement->collection = collection;
    for (size_t i = rows->first; i < yaml_length(rows->node); ++i)
        made_rows(&results->scope, yaml_text(yaml_value(rows->source, rows->node, i)), measurement);
    made_finish(results->bench->store, results->bench->run, trial, made, measurement);
    measurement_finish(measurement);
    free(measurement);
}

static void replicate_add(struct made_results *results, const struct result *result, const struct made *made)
{
    const char *asked = kind_text(&result->kind, "asked", ""), *word;
    struct rows rows[COLLECTION_KINDS];
    uint32_t collections = 0;
    while ((word = made_word(&results->memory, &asked)))
        collections |= 1u << collection_find(word);
    for (uint32_t i = 0; i < COLLECTION_KINDS; ++i) {
        rows[i] = rows_find(results, result->kind, i, made->replicate);
        collections |= (rows[i].node ? 1u : 0u) << i;
    }
    const int64_t trial = made_asked(results->bench->store, results->bench->run, made, collections);
    for (uint32_t i = 0; i < COLLECTION_KINDS; ++i)
        if (rows[i].node)
            collection_add(results, &rows[i], i, trial, made);
}

static void result_add(struct made_results *results, const struct result *result)
{
    struct made made = made_fairy(result->variant, NULL);
    const char *camera = strchr(result->scene, ':');
    made.scene = arena_format(&results->memory, "%.*s", (int)strcspn(result->scene, ":"), result->scene);
    made.camera = camera ? camera + 1 : "";
    if (results->of && !strcmp(made.scene, results->of))
        made.scene = results->instead;
    made.device = result->device;
    made.programs = result->programs;
    made.policy = result->policy;
    made.model = result->model;
    made.parameters = arena_format(&results->memory, "%s %s %s", results->parameters,
                                   made_replace(&results->scope, kind_text(&result->kind, "parameters", "")),
                                   result->parameters ? result->parameters : "");
    made.timeless = results->timeless || !strcmp(result->clock, "none");
    const char *width = strstr(made.parameters, "warp_width=");
    if (width)
        made.warp_width = strtol(strchr(width, '=') + 1, NULL, 10);
    const int64_t run = results->bench->run;
    if (result->run[0])
        results->bench->run = made_run(results->bench->store, result->run);
    const int count = (int)made_number(&results->scope, kind_text(&result->kind, "replicates", "1"));
    for (made.replicate = 0; made.replicate < count; ++made.replicate) {
        made_set(&results->scope, "replicate", arena_format(&results->memory, "%d", made.replicate));
        replicate_add(results, result, &made);
    }
    results->bench->run = run;
}

// A printed number becomes another: "published TABLE ROW COLUMN VALUE".
static bool line_prints(struct made_results *results, const char *line)
{
    const char *word = made_word(&results->memory, &line);
    if (strcmp(word, "published") != 0)
        return false;
    const struct published *published = results->bench->paper->published;
    const struct published_table *table = published_table(published, made_word(&results->memory, &line));
    const char *row = made_word(&results->memory, &line), *column = made_word(&results->memory, &line);
    const struct published_cell *cell = table ? published_cell(table, row, column) : NULL;
    if (!cell)
        fail_msg("nothing is printed in row %s, column %s", row, column);
    ((struct published_cell *)cell)->value = made_number(&results->scope, made_word(&results->memory, &line));
    return true;
}

void made_results_add(struct made_results *results, const char *kind, const char *line)
{
    struct given given = {.count = 0};
    struct made_scope *scope = &results->scope;
    const size_t before = scope->count;
    if (line_prints(results, line))
        return;
    const struct result result = line_read(results, kind, line, &given);
    yaml_node_t *values = yaml_find(result.kind.source, result.kind.node, "values"), *makes = result.kind.makes;
    made_set(scope, "variant", result.variant);
    made_set(scope, "scene", result.scene);
    made_set(scope, "rest", result.rest);
    for (size_t i = 0; i < yaml_length(values); ++i) {
        const char *name = yaml_key(result.kind.source, values, i), *is = given_find(&given, name);
        if (!is) {
            is = made_literal(scope, yaml_text(yaml_value(result.kind.source, values, i)));
        }
        made_set(scope, name, is);
    }
    for (size_t i = 0; i < yaml_length(makes); ++i)
        made_results_add(results, NULL, yaml_text(yaml_value(result.kind.source, makes, i)));
    if (!makes)
        result_add(results, &result);
    scope->count = before;
}
