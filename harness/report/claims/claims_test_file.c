// SPDX-License-Identifier: MIT
#include "report/claims/claims_test_file.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct yaml_field test_fields[] = {
    YAML_FIELD(struct claim_test, value, YAML_TEXT, "column of the query"),
    YAML_FIELD(struct claim_test, title, YAML_TEXT, "what it is, in words"),
    YAML_FIELD(struct claim_test, unit, YAML_TEXT, "its unit"),
    YAML_FIELD_IN(struct claim_test, decimals, YAML_COUNT, 0, 9, "decimals printed"),
    YAML_FIELDS_END,
};
static const char *const test_others[] = {"accept",         "printed", "direction",  "refute",
                                          "refute_outside", "on",      "refuted_on", NULL};

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

bool claims_read_bounds(struct yaml_source *source, yaml_node_t *mapping, const char *key, struct claim_bounds *bounds,
                        bool *found, struct error *error)
{
    yaml_node_t *node = yaml_find(source, mapping, key);
    *found = node != NULL;
    if (!node)
        return true;
    if (!yaml_expect(source, node, YAML_SEQUENCE_NODE, key, error))
        return false;
    if (yaml_length(node) != 2)
        yaml_fail(source, node, error, "%s: %zu values, but 2 are needed", key, yaml_length(node));
    else if (!read_side(source, yaml_value(source, node, 0), key, -INFINITY, &bounds->least, error) ||
             !read_side(source, yaml_value(source, node, 1), key, INFINITY, &bounds->most, error))
        return false;
    else if (bounds->least > bounds->most)
        yaml_fail(source, node, error, "%s: %g is more than %g", key, bounds->least, bounds->most);
    else if (isinf(bounds->least) && isinf(bounds->most))
        yaml_fail(source, node, error, "%s: both sides are open", key);
    else
        return true;
    return error_remedy(error, "write [least, most], null for an open side: [1.5, null]");
}

// Half of the last place of a printed number: "1.02" is known to 0.005.
static double half_place(const char *text)
{
    const char *point = text ? strchr(text, '.') : NULL;
    return 0.5 * pow(10, point ? -(double)strspn(point + 1, "0123456789") : 0);
}

// Both ends as printed, each widened by half of its last place.
static bool read_printed(struct yaml_source *source, yaml_node_t *node, struct claim_test *test, bool *found,
                         struct error *error)
{
    yaml_node_t *printed = yaml_find(source, node, "printed");
    if (!claims_read_bounds(source, node, "printed", &test->accept, found, error))
        return false;
    if (*found) {
        test->accept.least -= half_place(yaml_text(yaml_value(source, printed, 0)));
        test->accept.most += half_place(yaml_text(yaml_value(source, printed, 1)));
    }
    return true;
}

// What is accepted: bounds, or what is printed.
static bool read_accept(struct yaml_source *source, yaml_node_t *node, struct claim_test *test, struct error *error)
{
    bool printed, given;
    struct claim_bounds accept = {0, 0};
    if (!read_printed(source, node, test, &printed, error) ||
        !claims_read_bounds(source, node, "accept", &accept, &given, error) ||
        !claims_read_bounds(source, node, "direction", &test->direction, &test->has_direction, error))
        return false;
    if (given)
        test->accept = accept;
    return given != printed ||
           yaml_fail(source, node, error, "a test needs accept or printed, and not both: '%s'", test->value);
}

// No value may be both refuted and within `bounds`.
static bool refute_apart(const struct claim_test *test, struct claim_bounds bounds)
{
    if (!test->has_refute)
        return true;
    if (test->refute_outside)
        return bounds.least >= test->refute.least && bounds.most <= test->refute.most;
    return bounds.most < test->refute.least || bounds.least > test->refute.most;
}

static bool read_refute(struct yaml_source *source, yaml_node_t *node, struct claim_test *test, struct error *error)
{
    bool inside, outside;
    struct claim_bounds beyond = {0, 0};
    if (!claims_read_bounds(source, node, "refute", &test->refute, &inside, error) ||
        !claims_read_bounds(source, node, "refute_outside", &beyond, &outside, error))
        return false;
    if (inside && outside)
        return error_set_at(error, ERROR_INPUT, source->path, yaml_line(node),
                            "a test may have refute or refute_outside, not both");
    test->has_refute = inside || outside;
    test->refute_outside = outside;
    if (outside)
        test->refute = beyond;
    if (refute_apart(test, test->accept) && (!test->has_direction || refute_apart(test, test->direction)))
        return true;
    yaml_fail(source, node, error, "accept or direction and refute of '%s' overlap", test->value);
    return error_remedy(error, "leave a gap, or use refute_outside, whose bounds themselves do not refute");
}

// ---- tests

bool claim_share_read(const char *text, struct claim_share *share)
{
    static const struct claim_share named[] = {
        {"all", 1, 1, false}, {"most", 1, 2, true}, {"half", 1, 2, false}, {"any", 0, 1, true}};
    for (size_t i = 0; text && i < sizeof named / sizeof *named; ++i)
        if (strcmp(text, named[i].words) == 0) {
            *share = named[i];
            return true;
        }
    int end = 0;
    *share = (struct claim_share){.above = false};
    if (!text || !isdigit((unsigned char)text[0]) ||
        sscanf(text, "%3u of %3u%n", &share->count, &share->of, &end) != 2 || text[end] || !share->count ||
        share->count > share->of)
        return false;
    snprintf(share->words, sizeof share->words, "%u of %u", share->count, share->of);
    return true;
}

static bool read_share(struct yaml_source *source, yaml_node_t *mapping, const char *key, struct claim_share *share,
                       struct error *error)
{
    yaml_node_t *node = yaml_find(source, mapping, key);
    return claim_share_read(node ? yaml_text(node) : "all", share) ||
           yaml_fail(source, node, error, "'%s' must be all, most, half, any, or a share such as 5 of 7", key);
}

bool claims_read_test(struct yaml_source *source, yaml_node_t *node, struct claim_test *test, struct error *error)
{
    yaml_empty_texts(test_fields, test);
    test->decimals = 2;
    if (!yaml_read_mapping(source, node, "a test", test_fields, test_others, test, NULL, error) ||
        !yaml_member(source, node, "value", YAML_SCALAR_NODE, error) || !read_accept(source, node, test, error) ||
        !read_refute(source, node, test, error) || !read_share(source, node, "on", &test->on, error) ||
        !read_share(source, node, "refuted_on", &test->refuted_on, error))
        return false;
    if (!test->title[0])
        test->title = test->value;
    return true;
}
