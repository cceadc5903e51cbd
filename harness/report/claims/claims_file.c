// SPDX-License-Identifier: MIT
#include "report/claims/claims_file.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/path.h"
#include "report/claims/claims_test_file.h"
#include "report/claims/claims_variants.h"
#include "report/papers/paper.h"
#include "report/papers/template.h"
#include "base/yaml.h"

const char *const claim_kind_words[] = {"literal",   "whole",     "table",   "cause", "direction",
                                        "extension", "surrogate", "harness", NULL};
static const char *const check_words[] = {"counts", "static", "arithmetic", "times", "counters", NULL};
static const char *const scene_words[] = {"document", "any", NULL};

static const struct yaml_field claim_fields[] = {
    YAML_FIELD(struct claim, words, YAML_TEXT, "the document's words"),
    YAML_FIELD(struct claim, translation, YAML_TEXT, "its words in another language"),
    YAML_FIELD(struct claim, where, YAML_TEXT, "where they are in the document"),
    YAML_FIELD(struct claim, statement, YAML_TEXT, "what they say"),
    YAML_FIELD(struct claim, scenes, YAML_TEXT, "of which scenes"),
    YAML_FIELD(struct claim, setting, YAML_TEXT, "under which conditions"),
    YAML_FIELD(struct claim, metric, YAML_TEXT, "the quantity it is about"),
    YAML_FIELD(struct claim, published, YAML_TEXT, "the value that the document gives"),
    YAML_FIELD(struct claim, found, YAML_TEXT, "template of the sentence that says what was found"),
    YAML_FIELD(struct claim, comparable, YAML_TEXT,
               "why its size cannot be compared, and only its direction is judged"),
    YAML_FIELD(struct claim, note, YAML_TEXT, "a further remark"),
    YAML_FIELD(struct claim, sql, YAML_TEXT, "file of its query, in the paper's folder"),
    YAML_FIELD(struct claim, place, YAML_TEXT, "template of what names a case"),
    YAML_FIELD(struct claim, experiment, YAML_TEXT, "experiment that produces what the query needs"),
    YAML_FIELD_IN(struct claim, tier, YAML_COUNT, 1, 3, "1 headline, 2 supporting, 3 detail"),
    YAML_FIELDS_END,
};
static const char *const claim_others[] = {"variants", "range", "check", "scenes_decide", "parts", NULL};
static const char *const claim_needs[] = {"words", "where", "statement", "published", "check", "tier", "parts", NULL};

static const struct yaml_field part_fields[] = {
    YAML_FIELD(struct claim_part, text, YAML_TEXT, "what the part says"),
    YAML_FIELD(struct claim_part, accept, YAML_TEXT, "what would confirm it, in words"),
    YAML_FIELD(struct claim_part, refute, YAML_TEXT, "what would refute it, in words"),
    YAML_FIELD(struct claim_part, experiment, YAML_TEXT,
               "experiment that measures this part, if not that of the claim"),
    YAML_FIELD(struct claim_part, decides, YAML_FLAG, "whether it decides the claim, if not by its kind"),
    YAML_FIELDS_END,
};
static const char *const part_others[] = {"kind", "sql", "variants", "check", "tests", NULL};

// ---- parts

static bool query_is_there(const struct claims *claims, const char *sql, bool *found, struct error *error)
{
    char path[PATH_MAX];
    if (!path_format(path, sizeof path, error, "%s/%s", claims->folder, sql))
        return false;
    char *text = paper_query_text(path, 0, found, error);
    free(text);
    return text || !*found;
}

// The query that the part or the claim names, which must be there; else the one under the claim's id, where there is one.
static bool find_query(const struct claims *claims, struct yaml_source *source, yaml_node_t *node, const char **sql,
                       struct error *error)
{
    yaml_node_t *named = yaml_find(source, node, "sql");
    bool found = false;
    if (!named)
        return true;
    *sql = yaml_text(named);
    if (!*sql)
        return yaml_expect(source, named, YAML_SCALAR_NODE, "sql", error);
    char path[PATH_MAX];
    if (!path_format(path, sizeof path, error, "%s/%.*s", claims->folder, (int)strcspn(*sql, "#"), *sql))
        return false;
    if (access(path, R_OK) != 0)
        return yaml_fail(source, named, error, "there is no query %s", path);
    return query_is_there(claims, *sql, &found, error) &&
           (found || yaml_fail(source, named, error, "there is no query %s/%s", claims->folder, *sql));
}

static bool find_own_query(struct claims *claims, struct claim *claim, struct error *error)
{
    bool found = false;
    if (claim->sql[0] || !claims->queries)
        return true;
    const char *sql = arena_format(&claims->memory, "%s#%s", claims->queries, claim->id);
    if (!query_is_there(claims, sql, &found, error))
        return false;
    claim->sql = found ? sql : "";
    return true;
}

// Whether a claim, or a part or test of one, has the query of that name.
static bool is_asked(const void *context, const char *name)
{
    const struct claims *claims = context;
    bool found = false;
    for (size_t i = 0; i < claims->count && !found; ++i) {
        const struct claim *claim = &claims->list[i];
        found = !strcmp(claim->id, name);
        for (size_t k = 0; k < claim->test_count && !found; ++k) {
            const char *at = strchr(claim->tests[k].sql, '#');
            found = at && !strcmp(at + 1, name);
        }
    }
    return found;
}

bool claim_part_is_timed(const struct claim_part *part)
{
    for (size_t i = 0; i < part->check_count; ++i)
        if (!strcmp(part->checks[i], "times") || !strcmp(part->checks[i], "counters"))
            return true;
    return false;
}

static bool read_tests(struct yaml_source *source, yaml_node_t *tests, const char *sql, struct arena *arena,
                       struct claim *claim, struct claim_part *part, struct error *error)
{
    bool refutable = !tests;
    if (tests && !yaml_expect(source, tests, YAML_SEQUENCE_NODE, "tests", error))
        return false;
    part->first = claim->test_count;
    part->count = yaml_length(tests);
    for (size_t i = 0; i < part->count; ++i) {
        struct claim_test *test = ARENA_ADD(arena, claim->tests, claim->test_count);
        if (!claims_read_test(source, yaml_value(source, tests, i), test, error))
            return false;
        test->sql = sql;
        test->part = (size_t)(part - claim->parts);
        refutable = refutable || test->has_refute;
    }
    return refutable || error_set_at(error, ERROR_INPUT, source->path, yaml_line(tests),
                                     "no test of '%s' can refute it", part->text);
}

// The words under `check`.
static bool read_checks(struct yaml_source *source, yaml_node_t *mapping, struct arena *arena, const char ***checks,
                        size_t *count, struct error *error)
{
    yaml_node_t *node = yaml_find(source, mapping, "check");
    if (!yaml_texts(source, mapping, "check", arena, checks, count, error))
        return false;
    for (size_t i = 0; i < *count; ++i) {
        uint32_t chosen;
        if (!yaml_choose(source, yaml_value(source, node, i), "check", check_words, &chosen, error))
            return false;
    }
    return true;
}

// What it needs and what decides it, where the claim's own does not say that.
static bool read_part_basis(struct claims *claims, const struct claim_variants *variants, struct yaml_source *source,
                            yaml_node_t *node, const struct claim *claim, struct claim_part *part, struct error *error)
{
    const char **needed = NULL;
    size_t count = 0;
    if (!yaml_find(source, node, "decides"))
        part->decides = part->kind == KIND_LITERAL || part->kind == KIND_WHOLE;
    if (!read_checks(source, node, &claims->memory, &part->checks, &part->check_count, error))
        return false;
    if (!part->check_count) {
        part->checks = claim->checks;
        part->check_count = claim->check_count;
    }
    return yaml_texts(source, node, "variants", &claims->memory, &needed, &count, error) &&
           claim_variants_missing(variants, source, yaml_find(source, node, "variants"), &claims->memory, needed, count,
                                  &part->missing, error);
}

static bool read_part(struct claims *claims, const struct claim_variants *variants, yaml_node_t *node,
                      struct claim *claim, struct error *error)
{
    struct claim_part *part = ARENA_ADD(&claims->memory, claim->parts, claim->part_count);
    struct yaml_source *source = &claims->file.source;
    const char *sql = claim->sql;
    yaml_empty_texts(part_fields, part);
    return yaml_read_mapping(source, node, "a part", part_fields, part_others, part, NULL, error) &&
           yaml_member(source, node, "kind", YAML_SCALAR_NODE, error) &&
           yaml_member(source, node, "accept", YAML_SCALAR_NODE, error) &&
           yaml_member(source, node, "refute", YAML_SCALAR_NODE, error) &&
           yaml_choice(source, node, "kind", claim_kind_words, &part->kind, error) &&
           read_part_basis(claims, variants, source, node, claim, part, error) &&
           find_query(claims, source, node, &sql, error) &&
           read_tests(source, yaml_find(source, node, "tests"), sql, &claims->memory, claim, part, error);
}

// A claim without words of its own is the row of a table.
static bool claim_decided(struct claim *claim)
{
    bool decided = false;
    for (size_t i = 0; i < claim->part_count; ++i)
        decided = decided || claim->parts[i].decides;
    for (size_t i = 0; i < claim->part_count && !decided; ++i)
        claim->parts[i].decides = claim->parts[i].kind == KIND_TABLE;
    for (size_t i = 0; i < claim->part_count; ++i)
        decided = decided || claim->parts[i].decides;
    for (size_t i = 0; i < claim->test_count; ++i)
        claim->tests[i].decides = claim->parts[claim->tests[i].part].decides;
    return decided;
}

static bool read_parts(struct claims *claims, const struct claim_variants *variants, yaml_node_t *mapping,
                       struct claim *claim, struct error *error)
{
    struct yaml_source *source = &claims->file.source;
    yaml_node_t *parts = yaml_member(source, mapping, "parts", YAML_SEQUENCE_NODE, error);
    for (size_t i = 0; i < yaml_length(parts); ++i)
        if (!read_part(claims, variants, yaml_value(source, parts, i), claim, error))
            return false;
    if (!parts || claim_decided(claim))
        return parts != NULL;
    error_set_at(error, ERROR_INPUT, source->path, claim->line, "no part of %s decides it", claim->id);
    return error_remedy(error, "give it a part that is literal, the whole of it, or the row of a table");
}

// ---- claims

static bool read_range(struct yaml_source *source, yaml_node_t *mapping, struct claim *claim, struct error *error)
{
    struct claim_bounds range;
    bool found;
    if (!claims_read_bounds(source, mapping, "range", &range, &found, error))
        return false;
    claim->low = found && isfinite(range.least) ? range.least : NAN;
    claim->high = found && isfinite(range.most) ? range.most : NAN;
    return true;
}

static bool read_claim(struct claims *claims, const struct claim_variants *variants, yaml_node_t *node,
                       struct claim *claim, struct error *error)
{
    struct yaml_source *source = &claims->file.source;
    yaml_empty_texts(claim_fields, claim);
    if (!yaml_read_mapping(source, node, claim->id, claim_fields, claim_others, claim, NULL, error))
        return false;
    for (size_t i = 0; claim_needs[i]; ++i)
        if (!yaml_find(source, node, claim_needs[i]))
            return error_set_at(error, ERROR_INPUT, source->path, claim->line, "%s: '%s' is missing", claim->id,
                                claim_needs[i]);
    yaml_node_t *scenes = yaml_find(source, node, "scenes_decide");
    return read_checks(source, node, &claims->memory, &claim->checks, &claim->check_count, error) &&
           (!scenes || yaml_choice(source, node, "scenes_decide", scene_words, &claim->scenes_decide, error)) &&
           read_range(source, node, claim, error) &&
           yaml_texts(source, node, "variants", &claims->memory, &claim->variants, &claim->variant_count, error) &&
           claim_variants_missing(variants, source, yaml_find(source, node, "variants"), &claims->memory,
                                  claim->variants, claim->variant_count, &claim->missing, error) &&
           template_is_whole(source, node, "place", claim->place, error) &&
           template_is_whole(source, node, "found", claim->found, error) &&
           find_query(claims, source, node, &claim->sql, error) && find_own_query(claims, claim, error) &&
           read_parts(claims, variants, node, claim, error);
}

static bool read_reasons(struct claims *claims, struct yaml_source *source, yaml_node_t *node, struct error *error)
{
    if (node && !yaml_expect(source, node, YAML_MAPPING_NODE, "reasons", error))
        return false;
    for (size_t i = 0; i < yaml_length(node); ++i) {
        const char *word = yaml_key(source, node, i), *text = yaml_text(yaml_value(source, node, i));
        if (!text)
            return yaml_fail(source, node, error, "a reason is a word and a sentence");
        if (!template_is_whole(source, node, word, text, error))
            return false;
        *ARENA_ADD(&claims->memory, claims->reasons, claims->reason_count) = (struct claim_reason){word, text};
    }
    return true;
}

static bool read_claims(struct claims *claims, const struct claim_variants *variants, struct error *error)
{
    struct yaml_source *source = &claims->file.source;
    yaml_node_t *root = yaml_source_root(source), *list = yaml_member(source, root, "claims", YAML_MAPPING_NODE, error);
    if (!list || !yaml_expect_keys(source, list, "claims", error) ||
        !yaml_texts(source, root, "excluding", &claims->memory, &claims->excluding, &claims->excluding_count, error))
        return false;
    yaml_node_t *queries = yaml_find(source, root, "queries");
    if (!read_reasons(claims, source, yaml_find(source, root, "reasons"), error))
        return false;
    if (queries && !(claims->queries = yaml_word(source, queries, "queries", error)))
        return false;
    for (size_t i = 0; i < yaml_length(list); ++i) {
        struct claim *claim = ARENA_ADD(&claims->memory, claims->list, claims->count);
        claim->id = yaml_key(source, list, i);
        claim->line = yaml_line(yaml_key_node(source, list, i));
        if (!read_claim(claims, variants, yaml_value(source, list, i), claim, error))
            return false;
    }
    char path[PATH_MAX];
    return !claims->queries || (path_format(path, sizeof path, error, "%s/%s", claims->folder, claims->queries) &&
                                paper_queries_check(path, is_asked, claims, error));
}

static bool open_claims(struct claims *claims, const char *paper, struct error *error)
{
    char path[PATH_MAX];
    struct claim_variants variants = {.ids = NULL};
    if (!paper_path(claims->folder, sizeof claims->folder, error, "%s", paper) ||
        !path_format(path, sizeof path, error, "%s/claims.yaml", claims->folder))
        return false;
    if (access(path, F_OK) != 0)
        return true;
    const bool done = claim_variants_open(&variants, error) && yaml_file_open(&claims->file, path, error) &&
                      read_claims(claims, &variants, error);
    claim_variants_close(&variants);
    return done;
}

struct claims *claims_load(const char *paper, struct error *error)
{
    struct claims *claims = memory_new(1, sizeof *claims);
    if (open_claims(claims, paper, error))
        return claims;
    claims_unload(claims);
    return NULL;
}

void claims_unload(struct claims *claims)
{
    if (!claims)
        return;
    yaml_file_close(&claims->file);
    arena_free(&claims->memory);
    free(claims);
}

const struct claim *claim_find(const struct claims *claims, const char *id)
{
    return ARRAY_FIND(claims->list, claims->count, id);
}
