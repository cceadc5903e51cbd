// SPDX-License-Identifier: MIT
// The volume of a scene file: its keys.
#include "scene/scene_parts.h"
#include "scene/volume_shapes.h"

struct volume_keys {
    struct scene_volume volume;
    double size[3], from, voxels;
    double crop_from[3], crop_voxels[3];
    yaml_node_t *shape, *format, *type, *order, *store, *transfer, *layer, *crop, *boundary;
};

#define KEY(name, type, member, low, high, help)                                                                       \
    {                                                                                                                  \
        name, type, offsetof(struct volume_keys, member), low, high, help                                              \
    }
enum { KEY_SIZE, KEY_SPACING, KEY_WINDOW, KEY_OFFSET, KEY_TYPE, KEY_ORDER }; // places in the table
static const struct yaml_field volume_fields[] = {
    [KEY_SIZE] = KEY("size", YAML_UNIFORM3, size, 1, VOLUME_EDGE_MAX, "voxels along x, y and z"),
    [KEY_SPACING] = KEY("spacing", YAML_UNIFORM3, volume.spacing, 1e-6, 1e6, "of voxels along x, y and z, in any unit"),
    [KEY_WINDOW] = KEY("window", YAML_REAL2, volume.window, -1e30, 1e30, "values that density rises between"),
    [KEY_OFFSET] = KEY("offset", YAML_COUNT, volume.offset, 0, 1e12, "bytes before the first value"),
    [KEY_TYPE] = KEY("type", YAML_NODE, type, 0, 0, "of the values in the file"),
    [KEY_ORDER] = KEY("order", YAML_NODE, order, 0, 0, "of a value's bytes: little or big"),
    KEY("file", YAML_TEXT, volume.file, 0, 0, "values of the voxels, x fastest"),
    KEY("package", YAML_TEXT, volume.package, 0, 0, "the package that provides it"),
    KEY("format", YAML_NODE, format, 0, 0, "of the file: raw or nifti"),
    KEY("shape", YAML_NODE, shape, 0, 0, "or a shape, in place of a file"),
    KEY("crop", YAML_NODE, crop, 0, 0, "the voxels that are kept"),
    KEY("transfer", YAML_NODE, transfer, 0, 0, "points of a transfer function"),
    KEY("store", YAML_NODE, store, 0, 0, "densities in 8 bits, 16 bits, or as floats"),
    KEY("density", YAML_REAL, volume.density, 1e-6, VOLUME_DENSITY_MAX, "extinction per scene unit"),
    KEY("albedo", YAML_UNIFORM3, volume.albedo, 0, 1, "share of light that a collision leaves"),
    KEY("asymmetry", YAML_REAL, volume.asymmetry, -VOLUME_ASYMMETRY_MAX, VOLUME_ASYMMETRY_MAX,
        "mean cosine of the deflection"),
    KEY("layer", YAML_NODE, layer, 0, 0, "voxels across z with an albedo of their own"),
    KEY("boundary", YAML_NODE, boundary, 0, 0, "of a dielectric, for boundary: dielectric"),
    {NULL, YAML_NODE, 0, 0, 0, NULL},
};
static const struct yaml_field layer_fields[] = {
    KEY("from", YAML_REAL, from, 0, VOLUME_EDGE_MAX, "its first voxel along z"),
    KEY("voxels", YAML_REAL, voxels, 1, VOLUME_EDGE_MAX, "how many it is thick"),
    KEY("albedo", YAML_UNIFORM3, volume.layer_albedo, 0, 1, "share of light that a collision leaves"),
    {NULL, YAML_NODE, 0, 0, 0, NULL},
};
static const struct yaml_field crop_fields[] = {
    KEY("from", YAML_REAL3, crop_from, 0, VOLUME_EDGE_MAX, "the first voxel that is kept"),
    KEY("voxels", YAML_UNIFORM3, crop_voxels, 1, VOLUME_EDGE_MAX, "how many are kept along x, y and z"),
    {NULL, YAML_NODE, 0, 0, 0, NULL},
};
static const struct yaml_field boundary_fields[] = {
    KEY("ior", YAML_REAL, volume.ior, VOLUME_IOR_MIN, VOLUME_IOR_MAX, "index of refraction of the inside"),
    KEY("roughness", YAML_REAL, volume.roughness, 0, 1, "of its microfacets, whose alpha is its square; 0: smooth"),
    {NULL, YAML_NODE, 0, 0, 0, NULL},
};
static const struct yaml_field point_fields[] = {
    YAML_FIELD_IN(struct volume_point, at, YAML_REAL, 0, 1, "place in the window"),
    YAML_FIELD_IN(struct volume_point, density, YAML_REAL, 0, 1, "share of the volume's density"),
    YAML_FIELD_IN(struct volume_point, albedo, YAML_UNIFORM3, 0, 1, "share of light that a collision leaves"),
    YAML_FIELDS_END,
};

// ---- whole numbers

static bool take_whole(struct scene_file *file, int line, double value, uint32_t *whole, struct error *error)
{
    *whole = (uint32_t)value;
    if (value == floor(value))
        return true;
    error_set_at(error, ERROR_USE, file->path, line, "%g voxels: not a whole number", value);
    return error_remedy(error, "write a whole number");
}

static bool take_size(struct scene_file *file, struct volume_keys *keys, struct error *error)
{
    struct scene_volume *volume = &keys->volume;
    for (int i = 0; i < 3; ++i)
        if (!take_whole(file, volume->line, keys->size[i], &volume->size[i], error))
            return false;
    const uint64_t voxels = volume_voxels(volume->size);
    if (voxels <= VOLUME_VOXELS_MAX)
        return true;
    error_set_at(error, ERROR_USE, file->path, volume->line, "the volume has %llu voxels, at most %d are possible",
                 (unsigned long long)voxels, (int)VOLUME_VOXELS_MAX);
    return error_remedy(error, "make it smaller");
}

static bool take_crop(struct scene_file *file, struct volume_keys *keys, struct error *error)
{
    struct scene_volume *volume = &keys->volume;
    volume->has_crop = keys->crop != NULL;
    if (keys->crop && !yaml_read_mapping(&file->source, keys->crop, "a crop", crop_fields, NULL, keys, NULL, error))
        return false;
    for (int i = 0; i < 3 && keys->crop; ++i)
        if (!take_whole(file, volume->line, keys->crop_from[i], &volume->crop_from[i], error) ||
            !take_whole(file, volume->line, keys->crop_voxels[i], &volume->crop_size[i], error))
            return false;
    return true;
}

static bool take_layer(struct scene_file *file, struct volume_keys *keys, struct error *error)
{
    struct scene_volume *volume = &keys->volume;
    return !keys->layer ||
           (yaml_read_mapping(&file->source, keys->layer, "a layer", layer_fields, NULL, keys, NULL, error) &&
            take_whole(file, volume->line, keys->from, &volume->layer_from, error) &&
            take_whole(file, volume->line, keys->voxels, &volume->layer_voxels, error));
}

static bool take_boundary(struct scene_file *file, struct volume_keys *keys, struct error *error)
{
    if (!keys->boundary)
        return true;
    if (!yaml_read_mapping(&file->source, keys->boundary, "a boundary", boundary_fields, NULL, keys, NULL, error))
        return false;
    if (keys->volume.ior != 0)
        return true;
    yaml_fail(&file->source, keys->boundary, error, "the boundary has no index of refraction");
    return error_remedy(error, "add ior: %g to %g, such as 1.33", VOLUME_IOR_MIN, VOLUME_IOR_MAX);
}

// ---- the transfer function

static bool take_point(struct scene_file *file, struct scene_volume *volume, yaml_node_t *node, struct error *error)
{
    struct volume_point *point = &volume->points[volume->point_count];
    for (int i = 0; i < 3; ++i)
        point->albedo[i] = volume->albedo[i];
    if (!yaml_read_mapping(&file->source, node, "a point of a transfer function", point_fields, NULL, point, NULL,
                           error))
        return false;
    if (volume->point_count > 0 && !(point[-1].at < point->at)) {
        yaml_fail(&file->source, node, error, "`at: %g` follows `at: %g`", point->at, point[-1].at);
        return error_remedy(error, "list the points by rising `at`, each once");
    }
    volume->point_count += 1;
    return true;
}

static bool take_transfer(struct scene_file *file, struct volume_keys *keys, struct error *error)
{
    if (!keys->transfer)
        return true;
    if (!yaml_expect(&file->source, keys->transfer, YAML_SEQUENCE_NODE, "a transfer function", error))
        return false;
    const size_t count = yaml_length(keys->transfer);
    if (count < 1 || count > VOLUME_POINTS_MAX) {
        yaml_fail(&file->source, keys->transfer, error, "a transfer function of %zu points", count);
        return error_remedy(error, "list 1 to %d points", VOLUME_POINTS_MAX);
    }
    for (size_t i = 0; i < count; ++i)
        if (!take_point(file, &keys->volume, yaml_value(&file->source, keys->transfer, i), error))
            return false;
    return true;
}

// ---- the file

static bool take_choices(struct scene_file *file, struct volume_keys *keys, struct error *error)
{
    static const char *const formats[] = {"raw", "nifti", NULL}, *const orders[] = {"little", "big", NULL},
                             *const stores[] = {"8", "16", "float", NULL};
    struct scene_volume *volume = &keys->volume;
    uint32_t order = 0;
    if ((keys->format && !yaml_choose(&file->source, keys->format, "format", formats, &volume->format, error)) ||
        (keys->type && !yaml_choose(&file->source, keys->type, "type", volume_type_names, &volume->type, error)) ||
        (keys->shape && !yaml_choose(&file->source, keys->shape, "shape", volume_shape_names, &volume->shape, error)) ||
        (keys->order && !yaml_choose(&file->source, keys->order, "order", orders, &order, error)) ||
        (keys->store && !yaml_choose(&file->source, keys->store, "store", stores, &volume->store, error)))
        return false;
    volume->big_endian = order == 1;
    return true;
}

// Which keys go together.
static bool check_keys(struct scene_file *file, const struct volume_keys *keys, uint64_t present, struct error *error)
{
    const struct scene_volume *volume = &keys->volume;
    const uint64_t told = 1u << KEY_SIZE | 1u << KEY_OFFSET | 1u << KEY_TYPE | 1u << KEY_ORDER;
    const bool size = present >> KEY_SIZE & 1, type = present >> KEY_TYPE & 1;
    const char *what = NULL, *remedy = NULL;
    if (volume->file && volume->shape)
        what = "the volume has a file and a shape", remedy = "keep one of the two";
    else if (!volume->file && (keys->format || keys->type || keys->order || volume->package || volume->offset))
        what = "the volume has keys of a file, but no file", remedy = "add file: NAME";
    else if (!volume->file && !volume->shape && (keys->store || keys->transfer || keys->crop || volume->has_window))
        what = "the volume has keys of a file or a shape, but neither of them",
        remedy = "add file: NAME or shape: NAME";
    else if (!volume->file)
        what = NULL;
    else if (volume->format == VOLUME_NIFTI && (present & told))
        what = "a NIfTI file says itself of what size and type it is", remedy = "remove size, type, order and offset";
    else if (volume->format == VOLUME_RAW && !(size && type))
        what = "a raw file does not say what it holds",
        remedy = "add size: [X, Y, Z] and type: uint8, int8, uint16, int16, ..., float32 or float64";
    if (!what && volume->has_window && !(volume->window[0] < volume->window[1]))
        what = "the window is empty", remedy = "write window: [LOW, HIGH], LOW below HIGH";
    if (!what)
        return true;
    error_set_at(error, ERROR_USE, file->path, volume->line, "%s", what);
    return error_remedy(error, "%s", remedy);
}

static bool check_layer(struct scene_file *file, const struct scene_volume *volume, struct error *error)
{
    if ((volume->file && volume->format == VOLUME_NIFTI) || volume->has_crop ||
        volume->layer_from + volume->layer_voxels <= volume->size[2])
        return true;
    error_set_at(error, ERROR_USE, file->path, volume->line, "the layer ends at voxel %u, the volume at %u",
                 volume->layer_from + volume->layer_voxels, volume->size[2]);
    return error_remedy(error, "begin it earlier, or make it thinner");
}

// Earlier versions read tar archives.
static bool refuse_archive(struct scene_file *file, yaml_node_t *node, struct error *error)
{
    const yaml_node_t *member = yaml_find(&file->source, node, "member");
    if (!member)
        return true;
    yaml_fail(&file->source, member, error, "a volume's file cannot be an archive, of which `member` names a part");
    return error_remedy(error, "unpack the archive with tar, write the unpacked file as `file`, and remove `member`");
}

bool scene_read_volume(struct scene_file *file, yaml_node_t *node, struct error *error)
{
    struct volume_keys keys = {
        .volume = {.density = 1, .albedo = {1, 1, 1}, .layer_albedo = {1, 1, 1}, .spacing = {1, 1, 1}},
        .size = {1, 1, 1},
        .crop_voxels = {1, 1, 1},
        .voxels = 1};
    struct scene_volume *volume = &keys.volume;
    uint64_t present;
    if (!node)
        return true;
    volume->line = yaml_line(node);
    if (!refuse_archive(file, node, error) ||
        !yaml_read_mapping(&file->source, node, "a volume", volume_fields, NULL, &keys, &present, error))
        return false;
    volume->has_window = present >> KEY_WINDOW & 1;
    volume->has_spacing = present >> KEY_SPACING & 1;
    if (!take_layer(file, &keys, error) || !take_size(file, &keys, error) || !take_crop(file, &keys, error) ||
        !take_boundary(file, &keys, error) || !take_choices(file, &keys, error) || !take_transfer(file, &keys, error) ||
        !check_keys(file, &keys, present, error))
        return false;
    file->volume = *volume;
    return check_layer(file, volume, error);
}
