// SPDX-License-Identifier: MIT
// published.yaml: everything but its tables and facts is read here.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/papers/published.h"
#include "report/papers/published_parts.h"

// What a file may hold; the sections become facts.
static const struct yaml_field root_fields[] = {YAML_FIELDS_END};
static const char *const root_keys[] = {"paper",  "setup",  "parameters", "scenes",  "figures", "external",
                                        "tables", "quoted", "misprints",  "choices", NULL};
static const char *const fact_sections[] = {"setup", "parameters", "scenes", "figures", "external", NULL};

static const struct yaml_field paper_fields[] = {
    YAML_FIELD(struct published, id, YAML_TEXT, "the paper's folder"),
    YAML_FIELD(struct published, title, YAML_TEXT, "its title"),
    YAML_FIELD(struct published, authors, YAML_TEXT, "who wrote it"),
    YAML_FIELD(struct published, venue, YAML_TEXT, "where it appeared"),
    YAML_FIELD(struct published, year, YAML_COUNT, "when"),
    YAML_FIELDS_END,
};
// More of the paper, kept as facts of section `paper`.
static const char *const paper_facts[] = {"affiliation", "subject",    "language", "isbn",
                                          "year_basis",  "year_least", NULL};

static const struct yaml_field misprint_fields[] = {
    YAML_FIELD(struct published_misprint, id, YAML_TEXT, "W-M1"),
    YAML_FIELD(struct published_misprint, where, YAML_TEXT, "place"),
    YAML_FIELD(struct published_misprint, printed, YAML_TEXT, "what is printed"),
    YAML_FIELD(struct published_misprint, corrected, YAML_TEXT, "what should be printed"),
    YAML_FIELD(struct published_misprint, certainty, YAML_TEXT, "how sure that is"),
    YAML_FIELD(struct published_misprint, reason, YAML_TEXT, "why"),
    YAML_FIELDS_END,
};
static const struct yaml_field quote_fields[] = {
    YAML_FIELD(struct published_quote, id, YAML_TEXT, "Q01"),
    YAML_FIELD(struct published_quote, where, YAML_TEXT, "section"),
    YAML_FIELD(struct published_quote, value, YAML_TEXT, "what is printed"),
    YAML_FIELD(struct published_quote, unit, YAML_TEXT, "its unit"),
    YAML_FIELD(struct published_quote, of, YAML_TEXT, "what it is a value of"),
    YAML_FIELD(struct published_quote, check, YAML_TEXT, "the value that the tables give"),
    YAML_FIELD(struct published_quote, measured, YAML_TEXT, "whether it rests on measurements of the paper"),
    YAML_FIELDS_END,
};
static const struct yaml_field choice_fields[] = {
    YAML_FIELD(struct published_choice, id, YAML_TEXT, "W-A1"),
    YAML_FIELD(struct published_choice, issue, YAML_TEXT, "what is left open"),
    YAML_FIELD(struct published_choice, resolution, YAML_TEXT, "how it is interpreted here"),
    YAML_FIELDS_END,
};

// Lists of mappings whose values are all texts, "" where absent. Their ids, the first of each, are all different.
static const struct text_list {
    const char *name;
    const struct yaml_field *fields;
    size_t size, list, count; // of an element; where the list and its count are in struct published
    bool needed;
} text_lists[] = {
    {"misprints", misprint_fields, sizeof(struct published_misprint), offsetof(struct published, misprints),
     offsetof(struct published, misprint_count), true},
    {"quoted", quote_fields, sizeof(struct published_quote), offsetof(struct published, quotes),
     offsetof(struct published, quote_count), false},
    {"choices", choice_fields, sizeof(struct published_choice), offsetof(struct published, choices),
     offsetof(struct published, choice_count), false},
};

static bool read_list(struct yaml_source *source, yaml_node_t *root, const struct text_list *list,
                      struct published *published, struct error *error)
{
    void **array = (void **)(void *)((char *)published + list->list);
    size_t *count = (size_t *)(void *)((char *)published + list->count);
    yaml_node_t *node = yaml_find(source, root, list->name);
    if ((node || list->needed) && !yaml_member(source, root, list->name, YAML_SEQUENCE_NODE, error))
        return false;
    for (size_t i = 0; i < yaml_length(node); ++i) {
        void *element = arena_add(&published->arena, array, count, list->size);
        yaml_node_t *item = yaml_value(source, node, i);
        yaml_empty_texts(list->fields, element);
        if (!yaml_read_mapping(source, item, list->name, list->fields, NULL, element, NULL, error))
            return false;
        const char *id = *(const char **)element;
        if (memory_find(*array, i, list->size, id))
            return yaml_fail(source, item, error, "%s: \"%s\" is given twice", list->name, id);
    }
    return true;
}

// A whole number of a section, 0 where it is not there.
static bool count_of(struct yaml_source *source, yaml_node_t *section, const char *key, uint64_t *value,
                     struct error *error)
{
    yaml_node_t *node = section ? yaml_find(source, section, key) : NULL;
    const char *text = yaml_text(node);
    *value = text ? strtoull(text, NULL, 10) : 0;
    if (!node || (text && text[0] && !text[strspn(text, "0123456789")]))
        return true;
    return yaml_fail(source, node, error, "%s must be a whole number", key);
}

static bool read_facts(struct yaml_source *source, yaml_node_t *root, struct published *published, struct error *error)
{
    yaml_node_t *setup = yaml_find(source, root, "setup"), *parameters = yaml_find(source, root, "parameters");
    for (const char *const *section = fact_sections; *section; ++section)
        if (!published_read_facts(source, yaml_find(source, root, *section), *section, NULL, published, error))
            return false;
    const struct published_fact *gpu = published_fact(published, "setup", "gpu");
    published->gpu = gpu ? gpu->value : "";
    return count_of(source, setup, "width", &published->width, error) &&
           count_of(source, setup, "height", &published->height, error) &&
           count_of(source, setup, "warp_width", &published->warp_width, error) &&
           count_of(source, parameters, "max_bounces", &published->max_bounces, error);
}

static bool read_published(struct yaml_source *source, struct published *published, struct error *error)
{
    yaml_node_t *root = yaml_source_root(source);
    yaml_node_t *paper = yaml_member(source, root, "paper", YAML_MAPPING_NODE, error);
    if (!paper ||
        !yaml_read_mapping(source, root, "published values", root_fields, root_keys, published, NULL, error) ||
        !yaml_read_mapping(source, paper, "paper", paper_fields, paper_facts, published, NULL, error) ||
        !published_read_facts(source, paper, "paper", paper_facts, published, error))
        return false;
    for (size_t i = 0; i < sizeof text_lists / sizeof *text_lists; ++i)
        if (!read_list(source, root, &text_lists[i], published, error))
            return false;
    yaml_node_t *tables = yaml_member(source, root, "tables", YAML_MAPPING_NODE, error);
    return tables && read_facts(source, root, published, error) &&
           published_read_tables(source, tables, published, error);
}

struct published *published_none(void)
{
    struct published *published = memory_new(1, sizeof *published);
    yaml_empty_texts(paper_fields, published);
    published->gpu = "";
    return published;
}

struct published *published_load(const char *path, struct error *error)
{
    struct published *published = published_none();
    if (yaml_file_open(&published->file, path, error) && read_published(&published->file.source, published, error))
        return published;
    published_free(published);
    return NULL;
}

void published_free(struct published *published)
{
    if (!published)
        return;
    yaml_file_close(&published->file);
    arena_free(&published->arena);
    free(published);
}
