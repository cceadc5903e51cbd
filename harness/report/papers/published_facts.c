// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/papers/published.h"
#include "report/papers/published_parts.h"

enum { NAME_SIZE = 160 };

// "a, b, c"; NULL where an item is no single value.
static const char *published_facts_join(struct yaml_source *source, yaml_node_t *list, struct arena *arena,
                                        struct error *error)
{
    const char *text = "";
    for (size_t i = 0; i < yaml_length(list); ++i) {
        const char *item = yaml_text(yaml_value(source, list, i));
        if (!item) {
            yaml_fail(source, list, error, "a list must be of single values");
            return NULL;
        }
        text = arena_format(arena, "%s%s%s", text, i ? ", " : "", item);
    }
    return text;
}

static bool read_value(struct yaml_source *source, yaml_node_t *node, const char *section, const char *name,
                       struct published *published, struct error *error)
{
    struct arena *arena = &published->arena;
    if (published_fact(published, section, name))
        return yaml_fail(source, node, error, "%s: '%s' stands twice", section, name);
    const char *text =
        node->type == YAML_SEQUENCE_NODE ? published_facts_join(source, node, arena, error) : yaml_text(node);
    if (text)
        *ARENA_ADD(arena, published->facts, published->fact_count) =
            (struct published_fact){section, arena_format(arena, "%s", name), text};
    return text != NULL;
}

static bool is_listed(const char *const *only, const char *name)
{
    for (; only && *only; ++only)
        if (!strcmp(*only, name))
            return true;
    return !only;
}

// The length of a name bounds the depth, also where an alias leads back up.
static bool read_level(struct yaml_source *source, yaml_node_t *node, const char *section, const char *prefix,
                       const char *const *only, struct published *published, struct error *error)
{
    char name[NAME_SIZE];
    for (size_t i = 0; i < yaml_length(node); ++i) {
        yaml_node_t *value = yaml_value(source, node, i);
        const char *key = yaml_key(source, node, i);
        if (!is_listed(only, key))
            continue;
        if (!key[0] || snprintf(name, sizeof name, "%s%s%s", prefix, prefix[0] ? "." : "", key) >= (int)sizeof name)
            return yaml_fail(source, value, error, "%s: an empty or too long name", section);
        const bool done = value->type == YAML_MAPPING_NODE
                              ? read_level(source, value, section, name, NULL, published, error)
                              : read_value(source, value, section, name, published, error);
        if (!done)
            return false;
    }
    return true;
}

bool published_read_facts(struct yaml_source *source, yaml_node_t *node, const char *section, const char *const *only,
                          struct published *published, struct error *error)
{
    return !node || (yaml_expect(source, node, YAML_MAPPING_NODE, section, error) &&
                     read_level(source, node, section, "", only, published, error));
}
