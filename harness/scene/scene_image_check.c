// SPDX-License-Identifier: MIT
#include "scene/scene_image_check.h"

#include <stdlib.h>

#include "trees/traverse.h"
#include "scene/environment.h"
#include "trees/fragments.h"
#include "geometry/scale.h"
#include "geometry/soup.h"
#include "scene/volume_bricks.h"

static bool image_damaged(struct error *error, const char *why)
{
    return error_set(error, ERROR_INPUT, "the scene image is damaged: %s", why);
}

static bool text_ends(const char *text, size_t size)
{
    return memchr(text, '\0', size) != NULL;
}

static bool check_texts(const struct image_header *header, struct error *error)
{
    return (text_ends(header->name, sizeof header->name) && text_ends(header->title, sizeof header->title) &&
            text_ends(header->stands_for, sizeof header->stands_for)) ||
           image_damaged(error, "a name has no end");
}

static bool check_counts(const struct image_header *header, struct error *error)
{
    const struct image_span *s = header->sections;
    const uint64_t least = s[IMAGE_ALBEDO].count ? 0 : 1; // of what only surfaces have
    if (s[IMAGE_TRIANGLES].count > SOUP_MAX || s[IMAGE_MATERIALS].count < least || s[IMAGE_CAMERAS].count < 1 ||
        s[IMAGE_CAMERAS].count > UINT32_MAX || s[IMAGE_MATERIALS].count > UINT32_MAX ||
        s[IMAGE_LIGHTS].count > SOUP_MAX)
        return image_damaged(error, "a count is out of bounds");
    if ((s[IMAGE_INSTANCES].count == 0) != (s[IMAGE_OBJECTS].count == 0) ||
        (s[IMAGE_INSTANCES].count == 0) != (s[IMAGE_INSTANCE_OF].count == 0) ||
        (s[IMAGE_INSTANCES].count && s[IMAGE_FRAGMENTS].count) || s[IMAGE_INSTANCES].count > INSTANCES_MAX ||
        s[IMAGE_OBJECTS].count > s[IMAGE_TRIANGLES].count || s[IMAGE_INSTANCE_OF].count > UINT32_MAX)
        return image_damaged(error, "a count is out of bounds");
    if (s[IMAGE_MATERIAL_NAMES].count != s[IMAGE_MATERIALS].count ||
        s[IMAGE_LIGHT_ALIAS].count != s[IMAGE_LIGHTS].count)
        return image_damaged(error, "two counts disagree");
    return true;
}

// Kernels look at the width alone to see whether there is a map, and likewise for the grid of cells: either both have texels,
// or all four sides are 0.
static bool check_environment(const struct image_header *header, struct error *error)
{
    const struct image_span *s = header->sections;
    const uint32_t map[2] = {header->map_width, header->map_height};
    const uint32_t grid[2] = {header->cell_width, header->cell_height};
    const bool none = map[0] == 0;
    for (int i = 0; i < 2; ++i)
        if ((map[i] == 0) != none || (grid[i] == 0) != none || map[i] > PICTURE_MAX || grid[i] > ENVIRONMENT_CELLS_MAX)
            return image_damaged(error, "the environment's size is wrong");
    const uint64_t texels = (uint64_t)map[0] * map[1], cells = (uint64_t)grid[0] * grid[1];
    return (s[IMAGE_RADIANCE].count == texels && s[IMAGE_CELL_ALIAS].count == cells &&
            s[IMAGE_CELL_DENSITY].count == cells &&
            s[IMAGE_ROW_COSINE].count == (none ? 0 : header->cell_height + (uint64_t)1)) ||
           image_damaged(error, "the environment's size is wrong");
}

// Every density is a share of the largest, and bricks bound the densities in them.
static bool check_densities(const struct image_header *header, struct error *error)
{
    const float *bricks = image_section(header, IMAGE_BRICKS), top = header->density_top;
    const uint64_t count = header->sections[IMAGE_BRICKS].count;
    float *expected = malloc(count * sizeof *expected);
    if (!expected)
        return error_set(error, ERROR_SYSTEM, "no memory to check a volume");
    bool same =
        volume_bricks(image_section(header, IMAGE_DENSITY), header->density_bits, header->volume_size, top, expected);
    for (uint64_t i = 0; same && i < count; ++i)
        same = bricks[i] == expected[i];
    free(expected);
    return same || image_damaged(error, "the volume's densities are out of bounds");
}

// Tracking must come to an end, and every voxel of the box must be there.
static bool check_volume(const struct image_header *header, struct error *error)
{
    const struct image_span *s = header->sections;
    const uint64_t count = s[IMAGE_ALBEDO].count;
    const uint32_t bits = header->density_bits;
    const uint64_t voxels = volume_voxels(header->volume_size);
    float longest = 0.0f;
    for (int i = 0; i < 3; ++i) {
        const float edge = header->box_high[i] - header->box_low[i];
        if (header->volume_size[i] > VOLUME_EDGE_MAX || (count == 0) != (header->volume_size[i] == 0) ||
            (count && !(edge > VOLUME_THINNEST && header->box_low[i] == -header->box_high[i])))
            return image_damaged(error, "the volume's size is wrong");
        longest = fmaxf(longest, edge);
    }
    if (voxels != count || (count && longest != 1.0f) || (count && bits != 8 && bits != 16 && bits != 32) ||
        s[IMAGE_DENSITY].count != count * (bits / 8) || (count && s[IMAGE_TRIANGLES].count) ||
        s[IMAGE_BRICKS].count != (count ? volume_brick_count(header->volume_size) : 0))
        return image_damaged(error, "the volume's grids are of another size");
    if (!count)
        return true;
    if (!(header->volume_majorant > 1e-7f && header->volume_majorant <= (float)VOLUME_DENSITY_MAX))
        return image_damaged(error, "the volume's majorant is out of bounds");
    if (!(fabsf(header->asymmetry) <= (float)VOLUME_ASYMMETRY_MAX) || !(header->density_top > 0.0f) ||
        !(header->density_top <= 65535.0f))
        return image_damaged(error, "the volume's scattering is out of bounds");
    if ((header->ior != 0.0f && !(header->ior >= (float)VOLUME_IOR_MIN && header->ior <= (float)VOLUME_IOR_MAX)) ||
        !(header->alpha >= 0.0f && header->alpha <= 1.0f))
        return image_damaged(error, "the volume's boundary is out of bounds");
    return check_densities(header, error);
}

// Fragments are sorted and distinct, each is a box of a triangle that exists, and every triangle has one. They need not cover
// their triangle: no walk depends on that.
static bool check_fragments(const void *bytes, struct error *error)
{
    const struct fragment *fragments = image_section(bytes, IMAGE_FRAGMENTS);
    const struct image_span *s = image_header(bytes)->sections;
    uint64_t triangles = 0;
    if (s[IMAGE_FRAGMENTS].count == 0)
        return true;
    if (s[IMAGE_FRAGMENTS].count > 2 * (uint64_t)SOUP_MAX)
        return image_damaged(error, "a count is out of bounds");
    for (uint64_t i = 0; i < s[IMAGE_FRAGMENTS].count; ++i) {
        const struct fragment *fragment = &fragments[i];
        if (fragment->triangle >= s[IMAGE_TRIANGLES].count || (i > 0 && fragment_compare(fragment - 1, fragment) >= 0))
            return image_damaged(error, "a fragment's index leads outside");
        for (int axis = 0; axis < 3; ++axis)
            if ((fragment->box[axis] & 0xFFFFu) > fragment->box[axis] >> 16)
                return image_damaged(error, "a fragment has no box");
        triangles += i == 0 || fragments[i - 1].triangle != fragment->triangle;
    }
    return triangles == s[IMAGE_TRIANGLES].count || image_damaged(error, "a triangle has no fragment");
}

static bool check_levels(const void *bytes, struct error *error)
{
    const struct levels levels = image_levels(bytes);
    return levels.instance_count == 0 || levels_check(&levels, error);
}

static bool check_alias(const struct alias_entry *table, uint64_t count, struct error *error)
{
    for (uint64_t i = 0; i < count; ++i)
        if (table[i].alias >= count)
            return image_damaged(error, "an alias leads outside");
    return true;
}

static bool check_names(const void *bytes, struct error *error)
{
    const struct image_span *s = image_header(bytes)->sections;
    const struct image_camera *cameras = image_section(bytes, IMAGE_CAMERAS);
    const struct image_name *names = image_section(bytes, IMAGE_MATERIAL_NAMES);
    for (uint64_t i = 0; i < s[IMAGE_CAMERAS].count; ++i)
        if (!text_ends(cameras[i].name, IMAGE_NAME))
            return image_damaged(error, "a name has no end");
    for (uint64_t i = 0; i < s[IMAGE_MATERIAL_NAMES].count; ++i)
        if (!text_ends(names[i].text, IMAGE_NAME))
            return image_damaged(error, "a name has no end");
    return true;
}

// A walk over a blend must come to an end, and not be deeper than kernels can go: its branches precede it.
static bool check_blend(const struct scene_view *view, uint32_t index, uint32_t levels)
{
    const struct material *material = &view->materials[index];
    if (material->kind < MATERIAL_BLEND)
        return true;
    if (levels == 0)
        return false;
    for (int i = 0; i < 2; ++i)
        if (material->branches[i] >= index || !check_blend(view, material->branches[i], levels - 1))
            return false;
    return true;
}

static bool check_materials(const struct scene_view *view, const void *bytes, struct error *error)
{
    const struct triangle *triangles = image_section(bytes, IMAGE_TRIANGLES);
    const uint64_t count = image_header(bytes)->sections[IMAGE_TRIANGLES].count;
    for (uint32_t i = 0; i < view->material_count; ++i)
        if (view->materials[i].kind >= MATERIAL_KINDS)
            return image_damaged(error, "a material is of no known kind");
    for (uint32_t i = 0; i < view->material_count; ++i)
        if (!check_blend(view, i, BLEND_DEPTH))
            return image_damaged(error, "a blend has no end");
    for (uint64_t i = 0; i < count; ++i)
        if (triangles[i].material >= view->material_count || triangles[i].id != i)
            return image_damaged(error, "a triangle's index leads outside");
    return true;
}

// ---- numbers

static bool all_finite(const float *numbers, uint64_t count)
{
    bool finite = true;
    for (uint64_t i = 0; i < count; ++i)
        finite &= (bool)isfinite(numbers[i]);
    return finite;
}

static bool is_about(float x, float y)
{
    return fabsf(x - y) <= 1e-4f;
}

// As scene files can have it. Directions of camera rays must have a length: without one, tracking through a volume would have no end.
static bool check_camera(const struct image_camera *camera)
{
    const struct vec3 f = camera->forward, r = camera->right, u = camera->up;
    const struct vec3 p = camera->position;
    return fabsf(p.x) <= 1e8f && fabsf(p.y) <= 1e8f && fabsf(p.z) <= 1e8f && is_about(vec3_dot(f, f), 1) &&
           is_about(vec3_dot(r, r), 1) && is_about(vec3_dot(u, u), 1) && is_about(vec3_dot(f, r), 0) &&
           is_about(vec3_dot(f, u), 0) && is_about(vec3_dot(r, u), 0) && camera->tangent > 0.0f &&
           camera->tangent < 100.0f && camera->lens_radius >= 0.0f && camera->lens_radius <= 1e6f &&
           camera->focus_distance > 1e-13f && camera->focus_distance < 1e9f;
}

// Numbers from which directions and places of look-ups are computed are finite, and the cost of evaluating a material is bounded.
static bool check_numbers(const struct scene_view *view, const void *bytes, struct error *error)
{
    const struct image_span *s = image_header(bytes)->sections;
    const struct image_camera *cameras = image_section(bytes, IMAGE_CAMERAS);
    const uint64_t cells = s[IMAGE_CELL_DENSITY].count;
    for (uint64_t i = 0; i < s[IMAGE_CAMERAS].count; ++i)
        if (!check_camera(&cameras[i]))
            return image_damaged(error, "a camera looks nowhere");
    for (uint32_t i = 0; i < view->material_count; ++i) {
        const struct material *material = &view->materials[i];
        if (!all_finite(&material->diffuse.x, 11) || material->flops > MATERIAL_FLOPS_MAX ||
            !(material->weight >= 0.0f && material->weight <= 1.0f))
            return image_damaged(error, "a material's number is out of bounds");
        if (material->kind < MATERIAL_BLEND && material->weight > 0.0f && vec3_max(material->emission) > 0.0f)
            return image_damaged(error, "a material that rays pass emits light");
    }
    if (!all_finite((const float *)view->lights, s[IMAGE_LIGHTS].count * sizeof *view->lights / sizeof(float)) ||
        !isfinite(view->light_area))
        return image_damaged(error, "a light's number is out of bounds");
    if (!all_finite(view->environment.cell_density, cells) ||
        !all_finite(view->environment.row_cosine, s[IMAGE_ROW_COSINE].count))
        return image_damaged(error, "the environment's number is out of bounds");
    const float *radiance = (const float *)view->environment.radiance;
    for (uint64_t i = 0; i < 3 * s[IMAGE_RADIANCE].count; ++i)
        if (!(radiance[i] >= 0.0f && radiance[i] < INFINITY))
            return image_damaged(error, "the environment's number is out of bounds");
    return true;
}

static bool in_reach(float x)
{
    return fabsf(x) <= SCENE_REACH;
}

static bool vertex_in_reach(struct vec3 v)
{
    return in_reach(v.x) && in_reach(v.y) && in_reach(v.z);
}

// Trees are built within this reach, where no walk subtracts infinity from infinity.
static bool check_reach(const void *bytes, struct error *error)
{
    const struct image_header *header = image_header(bytes);
    const struct triangle *triangles = image_section(bytes, IMAGE_TRIANGLES);
    const uint64_t count = header->sections[IMAGE_TRIANGLES].count;
    for (int axis = 0; count && axis < 3; ++axis)
        if (!in_reach(header->box_low[axis]) || !in_reach(header->box_high[axis]))
            return image_damaged(error, "its box is out of bounds");
    for (uint64_t i = 0; i < count; ++i)
        if (!vertex_in_reach(triangles[i].v0) || !vertex_in_reach(triangles[i].v1) || !vertex_in_reach(triangles[i].v2))
            return image_damaged(error, "a vertex is out of bounds");
    return true;
}

struct box {
    struct vec3 low, high;
};

static void box_add(struct box *box, struct vec3 low, struct vec3 high)
{
    box->low =
        vec3_make(minimum_f32(box->low.x, low.x), minimum_f32(box->low.y, low.y), minimum_f32(box->low.z, low.z));
    box->high =
        vec3_make(maximum_f32(box->high.x, high.x), maximum_f32(box->high.y, high.y), maximum_f32(box->high.z, high.z));
}

// Of all triangles; in two levels of all instances, whose boxes are widened.
static struct box box_of(const void *bytes)
{
    const struct levels levels = image_levels(bytes);
    struct box box = {vec3_splat(INFINITY), vec3_splat(-INFINITY)};
    for (uint32_t i = 0; i < levels.instance_count; ++i)
        box_add(&box, levels.instances[i].low, levels.instances[i].high);
    for (uint32_t i = 0; levels.instance_count == 0 && i < levels.triangle_count; ++i) {
        struct vec3 low, high;
        triangle_box(&levels.triangles[i], 0, &low, &high);
        box_add(&box, low, high);
    }
    return box;
}

// The box is exactly that of what is in it, and the lengths derived from it are right: the hash of the content does not cover the box.
static bool check_box(const void *bytes, struct error *error)
{
    const struct image_header *header = image_header(bytes);
    const struct image_span *s = header->sections;
    const float *low = header->box_low, *high = header->box_high;
    if (s[IMAGE_TRIANGLES].count) {
        const struct box box = box_of(bytes);
        const float lows[3] = {box.low.x, box.low.y, box.low.z}, highs[3] = {box.high.x, box.high.y, box.high.z};
        for (int axis = 0; axis < 3; ++axis)
            if (!(s[IMAGE_INSTANCES].count
                      ? lows[axis] <= low[axis] && low[axis] <= high[axis] && high[axis] <= highs[axis]
                      : lows[axis] == low[axis] && highs[axis] == high[axis]))
                return image_damaged(error, "its box is another one");
    } else if (!s[IMAGE_ALBEDO].count) {
        return true; // nothing to see: no box
    }
    return (header->box_pad == scene_box_pad(low, high) && header->diagonal == scene_diagonal(low, high)) ||
           image_damaged(error, "its lengths are those of another box");
}

// A kernel must never sample a light that does not exist.
static bool check_shares(const struct scene_view *view, struct error *error)
{
    const float share = view->environment_share;
    const bool map = view->environment.width > 0, lights = view->light_count > 0;
    const float expected = map ? (lights ? 0.5f : 1.0f) : 0.0f;
    return share == expected || image_damaged(error, "the lights' shares are wrong");
}

bool image_validate(const void *bytes, uint64_t size, uint32_t holds, struct error *error)
{
    const struct image_header *header = image_header(bytes);
    if (!image_check_seal(bytes, size, holds, error) || !check_texts(header, error))
        return false;
    if (!(holds & IMAGE_CONTENT))
        return true;
    if (!check_counts(header, error) || !check_environment(header, error) || !check_volume(header, error) ||
        !check_names(bytes, error))
        return false;
    const struct scene_view view = image_view(header, bytes);
    return check_alias(view.light_alias, view.light_count, error) &&
           check_alias(view.environment.alias, header->sections[IMAGE_CELL_ALIAS].count, error) &&
           check_materials(&view, bytes, error) && check_numbers(&view, bytes, error) && check_reach(bytes, error) &&
           check_fragments(bytes, error) && check_levels(bytes, error) && check_box(bytes, error) &&
           check_shares(&view, error);
}

// Whether the box is that of a volume whose scene file gives only a number of voxels.
static bool plain_box(const struct image_header *header)
{
    const uint32_t *size = header->volume_size;
    const uint32_t longest =
        size[0] > size[1] ? (size[0] > size[2] ? size[0] : size[2]) : (size[1] > size[2] ? size[1] : size[2]);
    for (int i = 0; i < 3; ++i)
        if (header->box_high[i] != (float)((double)size[i] / longest / 2))
            return false;
    return true;
}

bool image_validate_content(const void *bytes, struct error *error)
{
    const struct image_header *header = image_header(bytes);
    const void *data[IMAGE_SECTIONS];
    char said[HASH_TEXT], found[HASH_TEXT];
    for (int i = 0; i < IMAGE_SECTIONS; ++i)
        data[i] = image_section(bytes, (enum image_section)i);
    const struct hash content = image_content(header, data, true);
    if (hash_equal(content, header->content))
        return true;
    if (header->sections[IMAGE_ALBEDO].count && plain_box(header) &&
        hash_equal(image_content(header, data, false), header->content))
        return true;
    hash_text(header->content, said);
    hash_text(content, found);
    return error_set(error, ERROR_INPUT, "the scene image is not what it says: its content is %s, not %s", found, said);
}

// A tree with an order of its own repeats a triangle for each of its fragments.
static uint64_t triangles_expected(const struct tree *tree, const struct image_header *scene)
{
    return tree->fragments && tree_kinds[tree->kind]->own_order ? tree->fragment_count
                                                                : scene->sections[IMAGE_TRIANGLES].count;
}

bool image_validate_tree(const void *bytes, const void *content, struct error *error)
{
    const struct image_header *header = image_header(bytes), *scene = image_header(content);
    const struct image_span *s = header->sections;
    if (header->tree.kind >= TREE_KINDS || tree_kinds[header->tree.kind]->image != header->tree.kind)
        return image_damaged(error, "its tree is of no known kind");
    struct scene_tree_options settled;
    if (!tree_settle(&header->tree, &settled, error) || !scene_tree_options_equal(&settled, &header->tree))
        return image_damaged(error, "its tree has options that no tree has");
    if (!hash_equal(header->content, scene->content))
        return image_damaged(error, "its tree is another scene's");
    const uint64_t bytes_of_nodes = s[IMAGE_NODES].count * image_entry_size(IMAGE_NODES);
    if (scene->sections[IMAGE_TRIANGLES].count && (settled.split != 0) != (scene->sections[IMAGE_FRAGMENTS].count > 0))
        return image_damaged(error, "its tree is over other parts of triangles");
    const struct tree tree = image_tree(bytes, content);
    if ((settled.levels != 0) != (scene->sections[IMAGE_INSTANCES].count > 0) ||
        (s[IMAGE_ROOTS].count > 0) != (settled.levels != 0) ||
        (!settled.levels && bytes_of_nodes % tree_node_size(&settled) != 0) || tree.node_count > UINT32_MAX ||
        tree.reference_count > UINT32_MAX || tree.triangle_count != triangles_expected(&tree, scene))
        return image_damaged(error, "its tree has another size");
    if (settled.levels) {
        const struct levels levels = image_levels(content);
        return levels_validate(&tree, &levels, error);
    }
    return tree_validate(&tree, image_section(content, IMAGE_TRIANGLES),
                         (uint32_t)scene->sections[IMAGE_TRIANGLES].count, scene->box_pad, error);
}
