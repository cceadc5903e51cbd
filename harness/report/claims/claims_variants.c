// SPDX-License-Identifier: MIT
#include "report/claims/claims_variants.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/device.h"
#include "report/papers/paper.h"
#include "frame/parameters.h"
#include "frame/variant.h"

struct variant_entry {
    const char *title, *ours;
};

static const struct yaml_field entry_fields[] = {
    {"title", YAML_TEXT, offsetof(struct variant_entry, title), 0, 0, "what it is, in words"},
    {"ours", YAML_TEXT, offsetof(struct variant_entry, ours), 0, 0,
     "a variant, device=NAME, PARAMETER=VALUE or PARAMETER"},
    {NULL, YAML_TEXT, 0, 0, 0, NULL},
};

// device=NAME, PARAMETER=VALUE or PARAMETER, of what there is.
static bool check_parameter(const char *ours, struct error *error)
{
    static const char on_device[] = "device=";
    char name[80];
    if (strncmp(ours, on_device, strlen(on_device)) == 0)
        return device_find(ours + strlen(on_device)) ||
               error_set(error, ERROR_INPUT, "there is no device '%s'", ours + strlen(on_device));
    const char *value = strchr(ours, '=');
    snprintf(name, sizeof name, "%.*s", value ? (int)(value - ours) : (int)strlen(ours), ours);
    const struct parameter *parameter = parameter_find(name);
    int64_t parsed;
    if (!parameter)
        return error_set(error, ERROR_INPUT, "there is neither a variant nor a parameter '%s'", name);
    return !value || parameter_parse(parameter, value + 1, &parsed, error);
}

static bool read_entry(struct claim_variants *variants, yaml_node_t *node, size_t i, struct error *error)
{
    struct yaml_source *source = &variants->yaml.source;
    struct variant_entry entry = {"", ""};
    yaml_node_t *value = yaml_value(source, node, i);
    if (!yaml_read_mapping(source, value, variants->ids[i], entry_fields, NULL, &entry, NULL, error) ||
        !yaml_member(source, value, "title", YAML_SCALAR_NODE, error))
        return false;
    variants->exists[i] = entry.ours[0] != '\0';
    if (!entry.ours[0] || variant_find(entry.ours) || check_parameter(entry.ours, error))
        return true;
    snprintf(error->file, sizeof error->file, "%s", source->path);
    error->line = yaml_line(value);
    return false;
}

bool claim_variants_open(struct claim_variants *variants, struct error *error)
{
    char path[PATH_MAX];
    if (!paper_path(path, sizeof path, error, "variants.yaml") || !yaml_file_open(&variants->yaml, path, error))
        return false;
    struct yaml_source *source = &variants->yaml.source;
    yaml_node_t *list = yaml_member(source, yaml_source_root(source), "variants", YAML_MAPPING_NODE, error);
    const size_t count = yaml_length(list);
    if (!list)
        return false;
    variants->ids = memory_new(count + 1, sizeof *variants->ids);
    variants->exists = memory_new(count, sizeof *variants->exists);
    for (size_t i = 0; i < count; ++i) {
        variants->ids[i] = yaml_key(source, list, i);
        if (!read_entry(variants, list, i, error))
            return false;
    }
    return true;
}

void claim_variants_close(struct claim_variants *variants)
{
    free(variants->ids);
    free(variants->exists);
    yaml_file_close(&variants->yaml);
}

bool claim_variants_missing(const struct claim_variants *variants, struct yaml_source *source, yaml_node_t *node,
                            struct arena *arena, const char *const *wanted, size_t count, const char **missing,
                            struct error *error)
{
    *missing = "";
    for (size_t i = 0; i < count; ++i) {
        size_t at = 0;
        while (variants->ids[at] && strcmp(variants->ids[at], wanted[i]) != 0)
            ++at;
        if (!variants->ids[at])
            return yaml_unknown(source, yaml_value(source, node, i), "variant of variants.yaml", wanted[i],
                                variants->ids, error);
        if (!variants->exists[at])
            *missing = arena_join(arena, *missing, ", ", wanted[i]);
    }
    return true;
}
