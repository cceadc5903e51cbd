// SPDX-License-Identifier: MIT
#include "report/claims_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/claims_variants.h"
#include "report/paper.h"
#include "base/yaml.h"

struct claims_file {
    struct yaml_file yaml;
    char folder[560];
    struct claim_variants variants;
};

const char *const claim_quantifier_words[] = {"all", "most", "half", "any", NULL};
static const char *const hardware_words[] = {"independent", "dependent", "mixed", NULL};
static const char *const support_words[] = {"table", "text", "none", "contradicted", NULL};
static const char *const check_words[] = {"counts", "static", "times", "counters", NULL};

static const struct yaml_field claim_fields[] = {
    YAML_FIELD_IN(struct claim, where, YAML_TEXT, 0, 0, "where the paper says it"),
    YAML_FIELD_IN(struct claim, statement, YAML_TEXT, 0, 0, "what it says"),
    YAML_FIELD_IN(struct claim, scenes, YAML_TEXT, 0, 0, "of which scenes"),
    YAML_FIELD_IN(struct claim, setting, YAML_TEXT, 0, 0, "under which conditions"),
    YAML_FIELD_IN(struct claim, metric, YAML_TEXT, 0, 0, "the figure that it is about"),
    YAML_FIELD_IN(struct claim, direction, YAML_TEXT, 0, 0, "which way the figure goes"),
    YAML_FIELD_IN(struct claim, published, YAML_TEXT, 0, 0, "what the paper gives"),
    YAML_FIELD_IN(struct claim, accept, YAML_TEXT, 0, 0, "what would bear it out, in words"),
    YAML_FIELD_IN(struct claim, refute, YAML_TEXT, 0, 0, "what would refute it, in words"),
    YAML_FIELD_IN(struct claim, note, YAML_TEXT, 0, 0, "what else to know"),
    YAML_FIELD_IN(struct claim, sql, YAML_TEXT, 0, 0, "file of its query, in the paper's folder"),
    YAML_FIELD_IN(struct claim, experiment, YAML_TEXT, 0, 0, "experiment that produces what the query needs"),
    YAML_FIELD_IN(struct claim, tier, YAML_COUNT, 1, 3, "1 headline, 2 supporting, 3 detail"),
    YAML_FIELDS_END,
};
static const char *const claim_others[] = {"variants", "range", "hardware", "check", "support", "tests", NULL};
static const char *const claim_needs[] = {"where",    "statement", "metric",  "published", "accept", "refute",
                                          "hardware", "check",     "support", "tier",      NULL};

static const struct yaml_field test_fields[] = {
    YAML_FIELD_IN(struct claim_test, value, YAML_TEXT, 0, 0, "column of the query"),
    YAML_FIELD_IN(struct claim_test, title, YAML_TEXT, 0, 0, "what it is, in words"),
    YAML_FIELD_IN(struct claim_test, unit, YAML_TEXT, 0, 0, "its unit"),
    YAML_FIELD_IN(struct claim_test, decimals, YAML_COUNT, 0, 9, "decimals printed"),
    YAML_FIELDS_END,
};
static const char *const test_others[] = {"accept", "direction", "refute", "refute_outside", "on", "refuted_on", NULL};

// ---- bounds

static bool read_side(struct yaml_source *source, yaml_node_t *node, const char *what, double open, double *side,
                      struct error *error)
{
    const char *text = yaml_text(node);
    if (text && (!strcmp(text, "null") || !strcmp(text, "~"))) {
        *side = open;
        return true;
    }
    return yaml_number(source, node, what, side, error);
}

// [least, most] under `key`, null for an open side; *found tells whether it is there.
static bool read_bounds(struct yaml_source *source, yaml_node_t *mapping, const char *key, struct claim_bounds *bounds,
                        bool *found, struct error *error)
{
    yaml_node_t *node = yaml_find(source, mapping, key);
    *found = node != NULL;
    if (!node)
        return true;
    if (!yaml_expect(source, node, YAML_SEQUENCE_NODE, key, error))
        return false;
    if (yaml_length(node) != 2)
        error_set_at(error, ERROR_INPUT, source->path, yaml_line(node), "%s: %zu values where 2 are wanted", key,
                     yaml_length(node));
    else if (!read_side(source, yaml_value(source, node, 0), key, -INFINITY, &bounds->least, error) ||
             !read_side(source, yaml_value(source, node, 1), key, INFINITY, &bounds->most, error))
        return false;
    else if (bounds->least > bounds->most)
        error_set_at(error, ERROR_INPUT, source->path, yaml_line(node), "%s: %g is more than %g", key, bounds->least,
                     bounds->most);
    else if (isinf(bounds->least) && isinf(bounds->most))
        error_set_at(error, ERROR_INPUT, source->path, yaml_line(node), "%s: both sides are open", key);
    else
        return true;
    return error_remedy(error, "write [least, most], null for an open side: [1.5, null]");
}

// No value may be both accepted and refuted.
static bool apart(const struct claim_test *test)
{
    const struct claim_bounds *accept = &test->accept, *refute = &test->refute;
    if (!test->has_refute)
        return true;
    if (test->refute_outside)
        return accept->least >= refute->least && accept->most <= refute->most;
    return accept->most < refute->least || accept->least > refute->most;
}

static bool read_refute(struct yaml_source *source, yaml_node_t *node, struct claim_test *test, struct error *error)
{
    bool inside, outside;
    struct claim_bounds beyond = {0, 0};
    if (!read_bounds(source, node, "refute", &test->refute, &inside, error) ||
        !read_bounds(source, node, "refute_outside", &beyond, &outside, error))
        return false;
    if (inside && outside)
        return error_set_at(error, ERROR_INPUT, source->path, yaml_line(node),
                            "a test has refute or refute_outside, not both");
    test->has_refute = inside || outside;
    test->refute_outside = outside;
    if (outside)
        test->refute = beyond;
    if (apart(test))
        return true;
    error_set_at(error, ERROR_INPUT, source->path, yaml_line(node), "accept and refute of '%s' overlap", test->value);
    return error_remedy(error, "leave a gap, or use refute_outside, whose bounds themselves do not refute");
}

static bool choose(struct yaml_source *source, yaml_node_t *mapping, const char *key, const char *const *words,
                   uint32_t *chosen, struct error *error)
{
    yaml_node_t *node = yaml_find(source, mapping, key);
    return !node || yaml_choose(source, node, key, words, chosen, error);
}

static bool read_test(struct yaml_source *source, yaml_node_t *node, struct claim_test *test, struct error *error)
{
    bool found;
    *test = (struct claim_test){.value = "", .unit = "", .title = "", .decimals = 2};
    if (!yaml_read_mapping(source, node, "a test", test_fields, test_others, test, NULL, error) ||
        !yaml_member(source, node, "value", YAML_SCALAR_NODE, error) ||
        !yaml_member(source, node, "accept", YAML_SEQUENCE_NODE, error) ||
        !read_bounds(source, node, "accept", &test->accept, &found, error) ||
        !read_bounds(source, node, "direction", &test->direction, &test->has_direction, error) ||
        !read_refute(source, node, test, error) ||
        !choose(source, node, "on", claim_quantifier_words, &test->on, error) ||
        !choose(source, node, "refuted_on", claim_quantifier_words, &test->refuted_on, error))
        return false;
    if (!test->title[0])
        test->title = test->value;
    return true;
}

static bool read_tests(struct yaml_source *source, yaml_node_t *mapping, struct claim *claim, struct error *error)
{
    yaml_node_t *tests = yaml_find(source, mapping, "tests");
    if ((tests != NULL) != (claim->sql[0] != '\0')) {
        error_set_at(error, ERROR_INPUT, source->path, claim->line, "%s has %s", claim->id,
                     tests ? "tests and no query" : "a query and no tests");
        return error_remedy(error, "a claim that is decided has both: sql and tests");
    }
    if (tests && !yaml_expect(source, tests, YAML_SEQUENCE_NODE, "tests", error))
        return false;
    claim->tests = yaml_array(yaml_length(tests), sizeof *claim->tests, error);
    if (!claim->tests)
        return false;
    bool refutable = !tests;
    for (size_t i = 0; i < yaml_length(tests); ++i) {
        if (!read_test(source, yaml_value(source, tests, i), &claim->tests[i], error))
            return false;
        claim->test_count = i + 1;
        refutable = refutable || claim->tests[i].has_refute;
    }
    if (refutable)
        return true;
    error_set_at(error, ERROR_INPUT, source->path, yaml_line(tests), "nothing could refute %s", claim->id);
    return error_remedy(error, "give one of its tests refute or refute_outside");
}

// ---- claims

static bool read_word(struct yaml_source *source, yaml_node_t *mapping, const char *key, const char *const *words,
                      const char **word, struct error *error)
{
    uint32_t chosen = 0;
    const bool done = choose(source, mapping, key, words, &chosen, error);
    *word = words[chosen];
    return done;
}

static bool read_checks(struct yaml_source *source, yaml_node_t *mapping, struct claim *claim, struct error *error)
{
    if (!yaml_texts(source, mapping, "check", &claim->checks, &claim->check_count, error))
        return false;
    yaml_node_t *list = yaml_find(source, mapping, "check");
    for (size_t i = 0; i < claim->check_count; ++i) {
        uint32_t chosen;
        if (!yaml_choose(source, yaml_value(source, list, i), "check", check_words, &chosen, error))
            return false;
    }
    return true;
}

static bool read_range(struct yaml_source *source, yaml_node_t *mapping, struct claim *claim, struct error *error)
{
    struct claim_bounds range;
    bool found;
    if (!read_bounds(source, mapping, "range", &range, &found, error))
        return false;
    claim->low = found && isfinite(range.least) ? range.least : NAN;
    claim->high = found && isfinite(range.most) ? range.most : NAN;
    return true;
}

// Its path, of a file that is there.
static bool find_query(struct claims_file *file, struct claim *claim, struct error *error)
{
    char path[1100];
    if (!claim->sql[0])
        return true;
    snprintf(path, sizeof path, "%s/%s", file->folder, claim->sql);
    if (access(path, R_OK) != 0)
        return error_set_at(error, ERROR_INPUT, file->yaml.path, claim->line, "%s: there is no query %s", claim->id,
                            path);
    return (claim->sql = claim_variants_keep(&file->variants, path, error)) != NULL;
}

static bool read_claim(struct claims_file *file, yaml_node_t *node, struct claim *claim, struct error *error)
{
    struct yaml_source *source = &file->yaml.source;
    claim->where = claim->statement = claim->scenes = claim->setting = claim->metric = claim->direction = "";
    claim->published = claim->accept = claim->refute = claim->note = claim->sql = claim->experiment = "";
    if (!yaml_read_mapping(source, node, claim->id, claim_fields, claim_others, claim, NULL, error))
        return false;
    for (size_t i = 0; claim_needs[i]; ++i)
        if (!yaml_find(source, node, claim_needs[i]))
            return error_set_at(error, ERROR_INPUT, source->path, claim->line, "%s: '%s' is missing", claim->id,
                                claim_needs[i]);
    return read_word(source, node, "hardware", hardware_words, &claim->hardware, error) &&
           read_word(source, node, "support", support_words, &claim->support, error) &&
           read_checks(source, node, claim, error) && read_range(source, node, claim, error) &&
           yaml_texts(source, node, "variants", &claim->variants, &claim->variant_count, error) &&
           (claim->missing = claim_variants_missing(&file->variants, source, yaml_find(source, node, "variants"),
                                                    claim->variants, claim->variant_count, error)) &&
           read_tests(source, node, claim, error) && find_query(file, claim, error);
}

static bool read_claims(struct claims *claims, struct error *error)
{
    struct yaml_source *source = &claims->file->yaml.source;
    yaml_node_t *root = yaml_source_root(source), *list = yaml_member(source, root, "claims", YAML_MAPPING_NODE, error);
    if (!list || !(claims->list = yaml_array(yaml_length(list), sizeof *claims->list, error)))
        return false;
    for (size_t i = 0; i < yaml_length(list); ++i) {
        yaml_node_t *key = yaml_document_get_node(&source->document, list->data.mapping.pairs.start[i].key);
        struct claim *claim = &claims->list[claims->count];
        claim->id = yaml_key(source, list, i);
        claim->line = yaml_line(key);
        if (claim_find(claims, claim->id))
            return yaml_expect_keys(source, list, "claims", error);
        ++claims->count;
        if (!read_claim(claims->file, yaml_value(source, list, i), claim, error))
            return false;
    }
    return true;
}

static bool open_claims(struct claims *claims, const char *paper, struct error *error)
{
    char root[400], path[600];
    struct claims_file *file = claims->file;
    if (!paper_root(root, sizeof root, error))
        return false;
    snprintf(file->folder, sizeof file->folder, "%s/%s", root, paper);
    snprintf(path, sizeof path, "%s/claims.yaml", file->folder);
    if (access(path, F_OK) != 0)
        return true;
    return claim_variants_open(&file->variants, error) && yaml_file_open(&file->yaml, path, error) &&
           read_claims(claims, error);
}

struct claims *claims_load(const char *paper, struct error *error)
{
    struct claims *claims = yaml_array(1, sizeof *claims, error);
    if (!claims)
        return NULL;
    claims->file = yaml_array(1, sizeof *claims->file, error);
    if (claims->file && open_claims(claims, paper, error))
        return claims;
    claims_unload(claims);
    return NULL;
}

void claims_unload(struct claims *claims)
{
    if (!claims)
        return;
    for (size_t i = 0; i < claims->count; ++i) {
        free(claims->list[i].variants);
        free(claims->list[i].checks);
        free(claims->list[i].tests);
    }
    if (claims->file) {
        yaml_file_close(&claims->file->yaml);
        claim_variants_close(&claims->file->variants);
    }
    free(claims->list);
    free(claims->file);
    free(claims);
}

const struct claim *claim_find(const struct claims *claims, const char *id)
{
    for (size_t i = 0; i < claims->count; ++i)
        if (!strcmp(claims->list[i].id, id))
            return &claims->list[i];
    return NULL;
}
