// SPDX-License-Identifier: MIT
#include "scene/scene_image.h"

#include <stdlib.h>
#include <string.h>

static const char image_magic[8] = {'W', 'S', 'S', 'C', 'E', 'N', 'E', '\n'};

static const uint32_t entry_sizes[IMAGE_SECTIONS] = {
    [IMAGE_NODES] = 16,
    [IMAGE_ORDERED] = sizeof(struct triangle),
    [IMAGE_REFERENCES] = sizeof(uint32_t),
    [IMAGE_ROOTS] = sizeof(int32_t),
    [IMAGE_TRIANGLES] = sizeof(struct triangle),
    [IMAGE_FRAGMENTS] = sizeof(struct fragment),
    [IMAGE_OBJECTS] = sizeof(struct object_range),
    [IMAGE_MATERIALS] = sizeof(struct material),
    [IMAGE_LIGHTS] = sizeof(struct area_light),
    [IMAGE_LIGHT_ALIAS] = sizeof(struct alias_entry),
    [IMAGE_RADIANCE] = sizeof(struct vec3),
    [IMAGE_CELL_ALIAS] = sizeof(struct alias_entry),
    [IMAGE_CELL_DENSITY] = sizeof(float),
    [IMAGE_ROW_COSINE] = sizeof(float),
    [IMAGE_DENSITY] = sizeof(uint8_t),
    [IMAGE_ALBEDO] = sizeof(uint32_t),
    [IMAGE_BRICKS] = sizeof(float),
    [IMAGE_INSTANCES] = sizeof(struct instance),
    [IMAGE_INSTANCE_OF] = sizeof(uint32_t),
    [IMAGE_CAMERAS] = sizeof(struct image_camera),
    [IMAGE_MATERIAL_NAMES] = sizeof(struct image_name),
};

// The layout is the file format: a change needs another IMAGE_VERSION.
_Static_assert(sizeof(struct tree_facts) == 64 && sizeof(struct fragment) == 16 && sizeof(struct triangle) == 48 &&
                   sizeof(struct material) == 64,
               "layout");
_Static_assert(sizeof(struct area_light) == 52 && sizeof(struct alias_entry) == 8 && sizeof(struct vec3) == 12,
               "layout");
_Static_assert(sizeof(struct instance) == 128 && sizeof(struct object_range) == 16, "layout");
_Static_assert(sizeof(struct image_camera) == 128 && sizeof(struct image_span) == 16, "layout");
_Static_assert(sizeof(struct image_header) == 904 && offsetof(struct image_header, size) == 32, "layout");

size_t image_entry_size(enum image_section section)
{
    return entry_sizes[section];
}

static uint64_t image_align(uint64_t offset)
{
    return (offset + IMAGE_ALIGNMENT - 1) / IMAGE_ALIGNMENT * IMAGE_ALIGNMENT;
}

struct hash image_checksum(const void *bytes, uint64_t size)
{
    const size_t skipped = offsetof(struct image_header, size);
    return hash_bytes((const char *)bytes + skipped, size - skipped);
}

void *image_pack(const struct image_header *header, const void *const data[IMAGE_SECTIONS], uint64_t *size)
{
    struct image_header full = *header;
    uint64_t offset = image_align(sizeof full);
    for (int i = 0; i < IMAGE_SECTIONS; ++i) {
        full.sections[i].offset = offset;
        offset = image_align(offset + full.sections[i].count * entry_sizes[i]);
    }
    char *bytes = NULL;
    if (posix_memalign((void **)&bytes, 4096, offset) != 0)
        return NULL;
    memcpy(full.magic, image_magic, sizeof full.magic);
    full.version = IMAGE_VERSION;
    full.header_size = sizeof full;
    full.size = offset;
    uint64_t end = sizeof full;
    for (int i = 0; i < IMAGE_SECTIONS; ++i) {
        const uint64_t start = full.sections[i].offset, length = full.sections[i].count * entry_sizes[i];
        memset(bytes + end, 0, start - end);
        if (length)
            memcpy(bytes + start, data[i], length);
        end = start + length;
    }
    memset(bytes + end, 0, offset - end);
    memcpy(bytes, &full, sizeof full);
    full.checksum = image_checksum(bytes, offset);
    memcpy(bytes, &full, sizeof full);
    *size = offset;
    return bytes;
}

// ---- the seal

static bool seal_broken(struct error *error, const char *why)
{
    return error_set(error, ERROR_INPUT, "the scene image is damaged: %s", why);
}

static bool check_sections(const struct image_header *header, struct error *error)
{
    uint64_t end = sizeof *header;
    for (int i = 0; i < IMAGE_SECTIONS; ++i) {
        const struct image_span span = header->sections[i];
        if (span.offset % IMAGE_ALIGNMENT != 0 || span.offset < end || span.offset > header->size ||
            span.count > (header->size - span.offset) / entry_sizes[i])
            return seal_broken(error, "a section lies outside");
        end = span.offset + span.count * entry_sizes[i];
    }
    return true;
}

bool image_check_seal(const void *bytes, uint64_t size, uint32_t holds, struct error *error)
{
    const struct image_header *header = bytes;
    if (size < sizeof *header || memcmp(header->magic, image_magic, sizeof image_magic) != 0)
        return seal_broken(error, "it does not begin like one");
    if (header->version != IMAGE_VERSION || header->header_size != sizeof *header)
        return seal_broken(error, "it has another version");
    if (header->size != size)
        return seal_broken(error, "it is cut short or has grown");
    if (!hash_equal(header->checksum, image_checksum(header, size)))
        return seal_broken(error, "its checksum is wrong");
    if (header->holds != holds)
        return seal_broken(error,
                           holds & IMAGE_TREE ? "it holds no scene with a tree" : "it holds no scene without a tree");
    return check_sections(header, error);
}

// ---- content

static void add_array(struct hash_state *state, const void *data, uint64_t count, uint64_t size)
{
    hash_add(state, &count, sizeof count);
    if (count)
        hash_add(state, data, size);
}

static void add_sections(struct hash_state *state, const struct image_header *header,
                         const void *const data[IMAGE_SECTIONS], const enum image_section *sections, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        const uint64_t entries = header->sections[sections[i]].count;
        add_array(state, data[sections[i]], entries, entries * entry_sizes[sections[i]]);
    }
}

static void add_volume(struct hash_state *state, const struct image_header *header,
                       const void *const data[IMAGE_SECTIONS], bool box)
{
    const uint64_t voxels = header->sections[IMAGE_ALBEDO].count;
    add_array(state, data[IMAGE_DENSITY], voxels, header->sections[IMAGE_DENSITY].count);
    add_array(state, data[IMAGE_ALBEDO], voxels, voxels * sizeof(uint32_t));
    add_array(state, header->volume_size, 3, sizeof header->volume_size);
    add_array(state, &header->volume_majorant, 1, sizeof header->volume_majorant);
    if (box || header->density_bits != 8 || header->density_top != 255.0f || header->asymmetry != 0.0f) {
        const float more[] = {(float)header->density_bits, header->density_top, header->asymmetry,
                              header->box_high[0],         header->box_high[1], header->box_high[2]};
        add_array(state, more, sizeof more / sizeof *more, sizeof more);
    }
    if (header->ior != 0.0f) {
        const float boundary[] = {header->ior, header->alpha};
        add_array(state, boundary, sizeof boundary / sizeof *boundary, sizeof boundary);
    }
}

struct hash image_content(const struct image_header *header, const void *const data[IMAGE_SECTIONS], bool box)
{
    static const enum image_section before[] = {IMAGE_TRIANGLES, IMAGE_MATERIALS, IMAGE_LIGHTS, IMAGE_LIGHT_ALIAS},
                                    behind[] = {IMAGE_RADIANCE, IMAGE_CELL_ALIAS, IMAGE_CELL_DENSITY, IMAGE_ROW_COSINE,
                                                IMAGE_CAMERAS},
                                    last[] = {IMAGE_FRAGMENTS, IMAGE_OBJECTS, IMAGE_INSTANCES}; // where there are any
    const uint32_t sizes[4] = {header->map_width, header->map_height, header->cell_width, header->cell_height};
    const float scales[4] = {header->box_pad, header->diagonal, header->light_area, header->environment_share};
    struct hash_state *state = hash_begin();
    hash_add_text(state, "scene content 2");
    if (header->sections[IMAGE_ALBEDO].count)
        add_volume(state, header, data, box);
    add_sections(state, header, data, before, sizeof before / sizeof *before);
    add_array(state, sizes, 4, sizeof sizes);
    add_sections(state, header, data, behind, sizeof behind / sizeof *behind);
    add_array(state, scales, 4, sizeof scales);
    for (size_t i = 0; i < sizeof last / sizeof *last; ++i)
        if (header->sections[last[i]].count)
            add_sections(state, header, data, &last[i], 1);
    return hash_end(state);
}

static struct volume_view volume_of(const struct image_header *header, const char *base)
{
    const float *low = header->box_low, *high = header->box_high, majorant = header->volume_majorant;
    const uint32_t *size = header->volume_size;
    if (size[0] == 0)
        return (struct volume_view){0};
    return (struct volume_view){
        .density = (const void *)(base + header->sections[IMAGE_DENSITY].offset),
        .albedo = (const void *)(base + header->sections[IMAGE_ALBEDO].offset),
        .bricks = (const void *)(base + header->sections[IMAGE_BRICKS].offset),
        .low = vec3_make(low[0], low[1], low[2]),
        .high = vec3_make(high[0], high[1], high[2]),
        .voxels_per_unit = vec3_make((float)size[0] / (high[0] - low[0]), (float)size[1] / (high[1] - low[1]),
                                     (float)size[2] / (high[2] - low[2])),
        .size = {size[0], size[1], size[2]},
        .density_bits = header->density_bits,
        .density_top = header->density_top,
        .majorant = majorant,
        .mean_free_path = 1.0f / majorant,
        .asymmetry = header->asymmetry,
        .ior = header->ior,
        .alpha = header->alpha,
    };
}

struct scene_view image_view(const struct image_header *header, const void *base)
{
    const char *b = base;
    const struct image_span *s = header->sections;
    return (struct scene_view){
        .materials = (const void *)(b + s[IMAGE_MATERIALS].offset),
        .lights = (const void *)(b + s[IMAGE_LIGHTS].offset),
        .light_alias = (const void *)(b + s[IMAGE_LIGHT_ALIAS].offset),
        .environment = {.radiance = (const void *)(b + s[IMAGE_RADIANCE].offset),
                        .alias = (const void *)(b + s[IMAGE_CELL_ALIAS].offset),
                        .cell_density = (const void *)(b + s[IMAGE_CELL_DENSITY].offset),
                        .row_cosine = (const void *)(b + s[IMAGE_ROW_COSINE].offset),
                        .width = header->map_width,
                        .height = header->map_height,
                        .cell_width = header->cell_width,
                        .cell_height = header->cell_height},
        .volume = volume_of(header, b),
        .instances = s[IMAGE_INSTANCES].count ? (const void *)(b + s[IMAGE_INSTANCES].offset) : NULL,
        .instance_of = s[IMAGE_INSTANCES].count ? (const void *)(b + s[IMAGE_INSTANCE_OF].offset) : NULL,
        .instance_count = (uint32_t)s[IMAGE_INSTANCES].count,
        .instance_shift = header->instance_shift,
        .material_count = (uint32_t)s[IMAGE_MATERIALS].count,
        .light_count = (uint32_t)s[IMAGE_LIGHTS].count,
        .light_area = header->light_area,
        .environment_share = header->environment_share,
        .box_pad = header->box_pad,
        .diagonal = header->diagonal,
    };
}

struct levels image_levels(const void *content)
{
    const struct image_header *header = image_header(content);
    const struct image_span *s = header->sections;
    return (struct levels){.triangles = image_section(content, IMAGE_TRIANGLES),
                           .triangle_count = (uint32_t)s[IMAGE_TRIANGLES].count,
                           .objects = image_section(content, IMAGE_OBJECTS),
                           .object_count = (uint32_t)s[IMAGE_OBJECTS].count,
                           .instances = image_section(content, IMAGE_INSTANCES),
                           .instance_count = (uint32_t)s[IMAGE_INSTANCES].count,
                           .instance_of = image_section(content, IMAGE_INSTANCE_OF),
                           .run_count = (uint32_t)s[IMAGE_INSTANCE_OF].count,
                           .instance_shift = header->instance_shift};
}

struct tree image_tree(const void *bytes, const void *content)
{
    const struct image_header *header = image_header(bytes);
    const struct image_span *s = header->sections;
    const struct tree_kind *kind = tree_kinds[header->tree.kind];
    const size_t node_size = tree_node_size(&header->tree);
    const struct image_header *scene = image_header(content);
    const uint64_t fragments = scene->sections[IMAGE_FRAGMENTS].count;
    const void *holder = kind->own_order ? bytes : content;
    const enum image_section triangles = kind->own_order ? IMAGE_ORDERED : IMAGE_TRIANGLES;
    return (struct tree){.kind = header->tree.kind,
                         .layout = header->tree.kind,
                         .options = header->tree,
                         .nodes = image_section(bytes, IMAGE_NODES),
                         .references = image_section(bytes, IMAGE_REFERENCES),
                         .triangles = image_section(holder, triangles),
                         .node_count = header->tree.levels
                                           ? header->tree_facts.nodes
                                           : s[IMAGE_NODES].count * image_entry_size(IMAGE_NODES) / node_size,
                         .roots = header->tree.levels ? image_section(bytes, IMAGE_ROOTS) : NULL,
                         .root_count = s[IMAGE_ROOTS].count,
                         .node_bytes = s[IMAGE_NODES].count * image_entry_size(IMAGE_NODES),
                         .reference_count = s[IMAGE_REFERENCES].count,
                         .fragments = fragments ? image_section(content, IMAGE_FRAGMENTS) : NULL,
                         .fragment_count = fragments,
                         .grid = scene_grid_make(scene->box_low, scene->box_high, scene->box_pad),
                         .triangle_count = image_header(holder)->sections[triangles].count,
                         .facts = header->tree_facts};
}
