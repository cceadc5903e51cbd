// SPDX-License-Identifier: MIT
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "report/claims/claims_file.h"
#include "report/papers/paper.h"
#include "base/yaml.h"

static const struct yaml_field conflict_fields[] = {
    YAML_FIELD(struct claim_conflict, issue, YAML_TEXT, "the question on which the claims disagree"),
    YAML_FIELD(struct claim_conflict, experiment, YAML_TEXT, "an experiment that would decide"),
    YAML_FIELDS_END,
};
static const char *const conflict_others[] = {"claims", NULL};

static bool read_conflict(struct yaml_source *source, yaml_node_t *node, struct arena *arena,
                          struct claim_conflict *conflict, struct error *error)
{
    conflict->issue = conflict->experiment = "";
    return yaml_read_mapping(source, node, conflict->id, conflict_fields, conflict_others, conflict, NULL, error) &&
           yaml_member(source, node, "issue", YAML_SCALAR_NODE, error) &&
           yaml_member(source, node, "claims", YAML_SEQUENCE_NODE, error) &&
           yaml_texts(source, node, "claims", arena, &conflict->claims, &conflict->claim_count, error);
}

static bool read_conflicts(struct claim_conflicts *conflicts, struct error *error)
{
    struct yaml_source *source = &conflicts->file.source;
    yaml_node_t *root = yaml_source_root(source),
                *list = yaml_member(source, root, "conflicts", YAML_MAPPING_NODE, error);
    if (!list)
        return false;
    for (size_t i = 0; i < yaml_length(list); ++i) {
        struct claim_conflict *conflict = ARENA_ADD(&conflicts->memory, conflicts->list, conflicts->count);
        conflict->id = yaml_key(source, list, i);
        if (!read_conflict(source, yaml_value(source, list, i), &conflicts->memory, conflict, error))
            return false;
    }
    return true;
}

struct claim_conflicts *claim_conflicts_load(struct error *error)
{
    char path[PATH_MAX];
    if (!paper_path(path, sizeof path, error, "conflicts.yaml"))
        return NULL;
    struct claim_conflicts *conflicts = memory_new(1, sizeof *conflicts);
    if (access(path, F_OK) != 0 || (yaml_file_open(&conflicts->file, path, error) && read_conflicts(conflicts, error)))
        return conflicts;
    claim_conflicts_free(conflicts);
    return NULL;
}

void claim_conflicts_free(struct claim_conflicts *conflicts)
{
    if (!conflicts)
        return;
    yaml_file_close(&conflicts->file);
    arena_free(&conflicts->memory);
    free(conflicts);
}
