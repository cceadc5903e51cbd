// SPDX-License-Identifier: MIT
// Parts of a scene file, and their instances.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trees/two_levels.h"
#include "scene/scene_parts.h"

#define FIELD(member, type, low, high, help) YAML_FIELD_IN(struct parameters, member, type, low, high, help)

bool scene_read_parts(struct scene_file *file, yaml_node_t *node, struct error *error)
{
    if (!node)
        return true;
    if (!yaml_expect_keys(&file->source, node, "parts", error))
        return false;
    const uint32_t count = (uint32_t)yaml_length(node);
    file->parts = memory_new(count, sizeof *file->parts);
    for (uint32_t i = 0; i < count; ++i) {
        struct scene_part *part = &file->parts[i];
        yaml_node_t *value;
        if (!scene_entry(file, node, i, "part", &part->name, &part->line, &value, error) ||
            !scene_read_object_list(file, value, (int32_t)i, error))
            return false;
        ++file->part_count;
    }
    return true;
}

// ---- instances

struct instances_keys {
    struct scene_instances instances;
    yaml_node_t *of, *on;
};

#define parameters scene_instances
static const struct yaml_field instances_fields[] = {
    {"of", YAML_NODE, offsetof(struct instances_keys, of), 0, 0, "name of a part"},
    FIELD(matrix, YAML_REAL12, -1e9, 1e9, "rows of a 3 x 4 matrix, instead of the next three"),
    FIELD(position, YAML_REAL3, -1e8, 1e8, "of the part's origin; of scattered ones of the ring's centre"),
    FIELD(rotation, YAML_TURN, -1e5, 1e5, "degrees about y, or about x, then y, then z"),
    FIELD(scale, YAML_UNIFORM3, 1e-9, 1e6, "one factor, or three"),
    {"on", YAML_NODE, offsetof(struct instances_keys, on), 0, 0, "name of a terrain: y counts from the ground there"},
    FIELD(count, YAML_COUNT, 1, INSTANCES_MAX, "scatters so many"),
    FIELD(inner, YAML_REAL, 0, 1e5, "least distance from `position`, in scene units"),
    FIELD(outer, YAML_REAL, 0, 1e5, "greatest distance"),
    FIELD(sizes, YAML_RANGE, 1e-3, 1e3, "least and greatest factor by which `scale` is multiplied"),
    FIELD(seed, YAML_COUNT, 0, 0x1p53, "of places, turns and factors"),
    YAML_FIELDS_END,
};
#undef parameters
enum { HAS_MATRIX = 1 << 1, HAS_PLACE = 7 << 2, HAS_ON = 1 << 5, HAS_COUNT = 1 << 6, HAS_SCATTER = 15 << 7 };

static bool choose_part(struct scene_file *file, yaml_node_t *node, yaml_node_t *of, uint32_t *part,
                        struct error *error)
{
    if (!of) {
        yaml_fail(&file->source, node, error, "an instance names no part");
        return error_remedy(error, "add of: NAME, a part of the scene");
    }
    const char **names = memory_new(file->part_count + 1, sizeof *names);
    for (uint32_t i = 0; i < file->part_count; ++i)
        names[i] = file->parts[i].name;
    const bool done = yaml_choose(&file->source, of, "part", names, part, error);
    free(names);
    if (done)
        file->parts[*part].used = true;
    return done;
}

static bool check_keys(struct scene_file *file, yaml_node_t *node, uint64_t present, struct error *error)
{
    if ((present & HAS_MATRIX) && (present & (HAS_PLACE | HAS_ON | HAS_COUNT | HAS_SCATTER))) {
        yaml_fail(&file->source, node, error, "an instance with a matrix has another place besides");
        return error_remedy(error, "give either matrix, or position, rotation, scale, on and count");
    }
    if ((present & HAS_SCATTER) && !(present & HAS_COUNT)) {
        yaml_fail(&file->source, node, error, "a single instance is not scattered");
        return error_remedy(error, "add count, or leave out inner, outer, sizes and seed");
    }
    return true;
}

static bool read_instances(struct scene_file *file, yaml_node_t *node, struct scene_instances *instances,
                           struct error *error)
{
    struct instances_keys keys = {.instances = {.line = node ? yaml_line(node) : 0,
                                                .scale = {1, 1, 1},
                                                .ground = SCENE_NONE,
                                                .outer = 10,
                                                .sizes = {1, 1},
                                                .seed = 1}};
    uint64_t present;
    if (!yaml_expect(&file->source, node, YAML_MAPPING_NODE, "an instance", error) ||
        !yaml_read_mapping(&file->source, node, "an instance", instances_fields, NULL, &keys, &present, error) ||
        !choose_part(file, node, keys.of, &keys.instances.part, error) || !check_keys(file, node, present, error) ||
        !scene_check_ring(file, node, keys.instances.inner, keys.instances.outer, error) ||
        (keys.on && !scene_find_ground(file, keys.on, NULL, &keys.instances.ground, error)))
        return false;
    *instances = keys.instances;
    instances->has_matrix = (present & HAS_MATRIX) != 0;
    return true;
}

// A part without an instance would not appear in the scene.
static bool check_parts(struct scene_file *file, struct error *error)
{
    for (uint32_t i = 0; i < file->part_count; ++i)
        if (!file->parts[i].used) {
            error_set_at(error, ERROR_USE, file->path, file->parts[i].line, "part \"%s\" has no instance",
                         file->parts[i].name);
            return error_remedy(error, "add one: instances: [{of: %s}]", file->parts[i].name);
        }
    return true;
}

bool scene_read_instances(struct scene_file *file, yaml_node_t *node, struct error *error)
{
    uint64_t sum = 0;
    if (!node)
        return check_parts(file, error);
    if (!yaml_expect(&file->source, node, YAML_SEQUENCE_NODE, "instances", error))
        return false;
    const size_t count = yaml_length(node);
    file->instances = memory_new(count, sizeof *file->instances);
    for (size_t i = 0; i < count; ++i) {
        yaml_node_t *item = yaml_value(&file->source, node, i);
        struct scene_instances *instances = &file->instances[file->instances_count];
        if (!read_instances(file, item, instances, error))
            return false;
        ++file->instances_count;
        sum += instances->count ? instances->count : 1;
        if (sum >= INSTANCES_MAX) { // one is left for the objects
            yaml_fail(&file->source, item, error, "the scene has more than %d instances", INSTANCES_MAX - 1);
            return error_remedy(error, "lower count, or put several copies into one part");
        }
    }
    return check_parts(file, error);
}
