// SPDX-License-Identifier: MIT
#include "scene/volume.h"

#include <math.h>
#include <stdlib.h>

#include "scene/scene_parts.h"

// ---- reading

struct volume_keys {
    struct scene_volume volume;
    double size[3], from, voxels;
    yaml_node_t *layer;
};

#define KEY(name, type, member, low, high, help)                                                                       \
    {                                                                                                                  \
        name, type, offsetof(struct volume_keys, member), low, high, help                                              \
    }
static const struct yaml_field volume_fields[] = {
    KEY("size", YAML_UNIFORM3, size, 1, VOLUME_EDGE_MAX, "voxels along x, y and z"),
    KEY("density", YAML_REAL, volume.density, 1e-6, 1e6, "extinction per scene unit"),
    KEY("albedo", YAML_UNIFORM3, volume.albedo, 0, 1, "share of light that a collision leaves"),
    KEY("layer", YAML_NODE, layer, 0, 0, "voxels across z with an albedo of their own"),
    {NULL, YAML_NODE, 0, 0, 0, NULL},
};
static const struct yaml_field layer_fields[] = {
    KEY("from", YAML_REAL, from, 0, VOLUME_EDGE_MAX, "its first voxel along z"),
    KEY("voxels", YAML_REAL, voxels, 1, VOLUME_EDGE_MAX, "how many it is thick"),
    KEY("albedo", YAML_UNIFORM3, volume.layer_albedo, 0, 1, "share of light that a collision leaves"),
    {NULL, YAML_NODE, 0, 0, 0, NULL},
};

static bool take_whole(struct scene_file *file, int line, double value, uint32_t *whole, struct error *error)
{
    *whole = (uint32_t)value;
    if (value == floor(value))
        return true;
    error_set_at(error, ERROR_USE, file->path, line, "%g voxels: not a whole number", value);
    return error_remedy(error, "write a whole number");
}

static bool check_layer(struct scene_file *file, const struct scene_volume *volume, struct error *error)
{
    if (volume->layer_from + volume->layer_voxels <= volume->size[2])
        return true;
    error_set_at(error, ERROR_USE, file->path, volume->line, "the layer ends at voxel %u, the volume at %u",
                 volume->layer_from + volume->layer_voxels, volume->size[2]);
    return error_remedy(error, "begin it earlier, or make it thinner");
}

static bool check_size(struct scene_file *file, const struct scene_volume *volume, struct error *error)
{
    const uint64_t voxels = (uint64_t)volume->size[0] * volume->size[1] * volume->size[2];
    if (voxels <= VOLUME_VOXELS_MAX)
        return true;
    error_set_at(error, ERROR_USE, file->path, volume->line, "the volume has %llu voxels, at most %d are possible",
                 (unsigned long long)voxels, (int)VOLUME_VOXELS_MAX);
    return error_remedy(error, "make it smaller");
}

bool scene_read_volume(struct scene_file *file, yaml_node_t *node, struct error *error)
{
    struct volume_keys keys = {
        .volume = {.density = 1, .albedo = {1, 1, 1}, .layer_albedo = {1, 1, 1}}, .size = {1, 1, 1}, .voxels = 1};
    struct scene_volume *volume = &keys.volume;
    if (!node)
        return true;
    volume->line = yaml_line(node);
    if (!yaml_read_mapping(&file->source, node, "a volume", volume_fields, NULL, &keys, NULL, error))
        return false;
    if (keys.layer &&
        (!yaml_read_mapping(&file->source, keys.layer, "a layer", layer_fields, NULL, &keys, NULL, error) ||
         !take_whole(file, volume->line, keys.from, &volume->layer_from, error) ||
         !take_whole(file, volume->line, keys.voxels, &volume->layer_voxels, error)))
        return false;
    for (int i = 0; i < 3; ++i)
        if (!take_whole(file, volume->line, keys.size[i], &volume->size[i], error))
            return false;
    file->volume = *volume;
    return check_size(file, volume, error) && check_layer(file, volume, error);
}

// ---- building

static uint32_t pack_albedo(const double albedo[3])
{
    uint32_t packed = 0;
    for (int i = 0; i < 3; ++i)
        packed |= (uint32_t)floor(albedo[i] * 255 + 0.5) << 8 * i;
    return packed;
}

bool volume_build(struct volume_grids *grids, const struct scene_volume *volume, float low[3], float high[3],
                  struct error *error)
{
    *grids = (struct volume_grids){0};
    if (!volume->line)
        return true;
    const uint64_t slice = (uint64_t)volume->size[0] * volume->size[1], count = slice * volume->size[2];
    double longest = 0;
    for (int i = 0; i < 3; ++i)
        longest = fmax(longest, volume->size[i]);
    for (int i = 0; i < 3; ++i) {
        high[i] = (float)(volume->size[i] / longest / 2);
        low[i] = -high[i];
    }
    *grids = (struct volume_grids){malloc(count), malloc(count * sizeof *grids->albedo), count};
    if (!grids->density || !grids->albedo)
        return error_set(error, ERROR_SYSTEM, "no memory for a volume of %llu voxels", (unsigned long long)count);
    const uint32_t inside = pack_albedo(volume->layer_albedo), outside = pack_albedo(volume->albedo);
    for (uint64_t i = 0; i < count; ++i) {
        const uint64_t z = i / slice;
        grids->density[i] = 255;
        grids->albedo[i] = z >= volume->layer_from && z < volume->layer_from + volume->layer_voxels ? inside : outside;
    }
    return true;
}

void volume_finish(struct volume_grids *grids)
{
    free(grids->density);
    free(grids->albedo);
    *grids = (struct volume_grids){0};
}
