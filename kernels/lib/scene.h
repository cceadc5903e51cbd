// SPDX-License-Identifier: MIT
// The scene as kernels see it. The structs are also the on-disk format of the packed scene image, so their layout is
// fixed: only 4-byte fields, explicit padding, sizes checked where the image is written. Lengths are in scene units.
#pragma once

#include "lib/vec.h"

// ---- geometry

// `id` is the triangle's place in the scene's own order, which no tree changes: it breaks ties and enters hashes.
struct triangle {
    struct vec3 v0;
    uint32_t id;
    struct vec3 v1;
    uint32_t material;
    struct vec3 v2;
    uint32_t unused;
};

// Along the normal, twice the area long.
DEVICE struct vec3 triangle_cross(const struct triangle *triangle)
{
    return vec3_cross(vec3_sub(triangle->v1, triangle->v0), vec3_sub(triangle->v2, triangle->v0));
}

// What trees hold of a scene whose triangles were split: a part of a triangle, by the box that it lies in. `box[axis]`
// has the box's ends on the grid of the scene_view, the lower one in the low 16 bits. All fragments of a triangle together
// cover it.
struct __attribute__((aligned(16))) fragment {
    uint32_t box[3];
    uint32_t triangle;
};

// Of a scene in two levels (`instances: two_level`): a copy of one of the scene's objects. A ray is taken into the object's
// space, its direction not normalised, so that t is the same there; `low`, `high` is a box in the world, widened, of all of
// the copy. See trees/levels.h.
struct __attribute__((aligned(16))) instance {
    struct vec3 to_object[3], position; // p to the object: to_object (p - position); rows
    struct vec3 low;
    uint32_t object;
    struct vec3 high;
    float pad;               // by which the object's boxes are widened, in its own units
    struct vec3 to_world[3]; // the linear part of the way back
    uint32_t slots, ids;     // added to a triangle's place and id: its numbers among those of all instances
    uint32_t identity;       // 1: the object's space is the world
};

// ---- materials

enum material_kind {
    MATERIAL_LAMBERT,
    MATERIAL_BLINN,    // diffuse plus a power-cosine half-vector lobe
    MATERIAL_GLASS,    // Fresnel choice of mirror reflection and refraction
    MATERIAL_CHROME,   // perfect mirror with a tint
    MATERIAL_CARPAINT, // coat mirror by Fresnel over diffuse and glossy base
    // of `materials: tree` alone:
    MATERIAL_GLOSSY,         // rough coat by Fresnel over a diffuse base
    MATERIAL_REFLECTIVE,     // rough metal
    MATERIAL_TRANSPARENT,    // thin sheet of glass
    MATERIAL_BLEND,          // weighted sum of two materials
    MATERIAL_BLEND_SPECULAR, // the same where none of its leaves has a lobe that is no mirror
    MATERIAL_KINDS,
    MATERIAL_HOLE = MATERIAL_KINDS // of no scene: what a ray meets that passes a surface (surface/opacity.h)
};

enum { BLEND_DEPTH = 8 }; // most blends within one another

struct material {
    uint32_t kind;
    struct vec3 diffuse;  // reflectance
    struct vec3 specular; // reflectance of the glossy or mirror lobe
    float exponent;       // of the half-vector lobe; of microfacets: their alpha
    struct vec3 emission; // radiance of the side that the triangle's normal, (v1 - v0) x (v2 - v0), points to
    float ior;            // index of refraction, glass and coat
    // of `materials: tree` alone:
    uint32_t flops;       // dependent fused multiply-adds that an evaluation costs besides
    uint32_t branches[2]; // of a blend: its materials, each before it in the list
    // Of a blend: of the second of them; that of the first is 1 less it. Of all others, for `opacity: scene`: the share of
    // rays that pass the surface, 1 less its opacity; 0 of a material that emits.
    float weight;
};

// ---- lights

// Walker/Vose alias table entry: take this cell if u < probability, else `alias`.
struct alias_entry {
    float probability;
    uint32_t alias;
};

// In the world; reach as in placed_triangle (trees/hit_point.h).
struct area_light {
    struct vec3 v0, e1, e2, radiance;
    float reach;
};

// Environment light on a latitude-longitude grid, y up. Row r covers polar angles [pi r/h, pi (r+1)/h] from +y; column
// c covers azimuths [2 pi c/w, 2 pi (c+1)/w], azimuth 0 = +x turning towards +z. Radiance is constant on a texel.
struct environment {
    const struct vec3 *radiance;     // width * height, row-major
    const struct alias_entry *alias; // cells of the sampling grid: cell_width * cell_height, row-major
    const float *cell_density;       // probability per steradian of each cell
    const float *row_cosine;         // cell_height + 1 values, cos(pi r / cell_height)
    uint32_t width, height;          // 0 x 0: no environment
    uint32_t cell_width, cell_height;
    // The flat table of light_search: cdf; NULL where it was not asked for. Entry i is where texel i of a grid of
    // cdf_width * cdf_height begins among 2^32 - 1 equally likely numbers, row-major: 4-byte words, of which each texel
    // with light has at least one. (As floats the entries would give most of 2^27 texels none.)
    const uint32_t *cdf;
    const float *cdf_half_sine2; // cdf_height / 2 + 1 values, sin^2(pi r / (2 cdf_height)): rows by angle from a pole
    uint32_t cdf_width, cdf_height;
};

// ---- volume

#define BRICK_EDGE 8u // voxels

// A box of voxels, x fastest, z slowest, each with a density and an albedo. A density is stored as a share of
// density_top, an albedo in steps of 1/255, red in the lowest byte.
struct volume_view {
    const uint32_t *density;  // words of one float, two uint16_t or four uint8_t, the first one lowest
    uint64_t density_texture; // of the same words, for grid_loads: texture; 0 where the device has none
    const uint32_t *albedo;
    // The largest density in each brick of BRICK_EDGE^3 voxels and in the layer of voxels around it, as stored.
    const float *bricks;
    struct vec3 low, high;       // its corners
    struct vec3 voxels_per_unit; // along each axis
    uint32_t size[3];            // voxels along each axis; 0 0 0: no volume
    uint32_t density_bits;       // of a stored density: 8, 16, or 32 for a float
    float density_top;           // the stored density that means an extinction of `majorant`
    float majorant;              // extinction per scene unit, and its inverse
    float mean_free_path;
    float asymmetry;  // mean cosine of the angle by which a collision deflects; 0: isotropic
    float ior, alpha; // of its boundary: index of refraction, 0 where it has none; of its microfacets, 0: smooth
};

// Of the tree binary_padded, `nodes` and `triangles` are those of the binary tree with each piece of 16 bytes followed by
// as many unused ones: they are read with node_fetch, triangle_fetch and triangle_of alone. Of the tree kd16_soa,
// `triangles` are struct triangle_corners; of kd-trees for the affine test struct triangle_record, but of kd16_soa whole.

struct scene_view {
    const void *nodes;                // of the tree, in the form that its kind says
    const struct triangle *triangles; // in the order in which the tree's leaves name them
    const struct material *materials;
    const struct area_light *lights;
    const struct alias_entry *light_alias; // by area
    struct environment environment;
    struct volume_view volume;
    uint32_t triangle_count, node_count, material_count, light_count;
    float light_area;        // sum over emissive triangles
    float environment_share; // probability of choosing the environment for light sampling: 0, 1/2 or 1
    float box_pad;           // by which every box is widened, in scene units
    float diagonal;          // of the box of all triangles, in scene units
    uint32_t tree;           // TREE_*, see trees/traverse.h
    uint32_t tree_width, child_order, tree_stack; // of wide trees: see trees/wide.h
    const uint32_t *references;       // triangles of the leaves, where these do not name them by their place; fragments
    struct vec3 tree_low, tree_high;  // box of all widened triangles, or fragments
    const struct fragment *fragments; // in the scene's own order, as the leaves' references name them; or NULL
    struct vec3 grid_zero, grid_span; // of fragments and of the tree wide4: trees/ray.h. A span is a power of two
    uint32_t split;                   // whether triangles were split: leaves name fragments
    const void *triangles_rest;       // of the tree kd16_soa: struct triangle_rest of each triangle
    const void *maps;                 // of the affine triangle test: struct affine_map of each triangle
    // Of a scene in two levels; else NULL. Instances in the scene's own order; the root of each object's tree; the instance
    // of each run of 2^instance_shift slots.
    const struct instance *instances;
    const int32_t *roots;
    const uint32_t *instance_of;
    uint32_t instance_shift, instance_count, top_tree; // top_tree: TREE_*
    // Options of traversal, where they are no constants.
    uint32_t kd_step, kd_stack, triangle_test, affine_order;
};

// ---- camera and rays

struct ray {
    struct vec3 origin, direction;
};

// Thin lens. A film point (sx, sy) in [-1, 1]^2 (y up) looks along forward + sx * right + sy * up; right and up already
// hold the tangent of the half angles.
struct camera {
    struct vec3 position, forward, right, up;
    struct vec3 lens_right, lens_up; // unit vectors
    float lens_radius;               // 0 = pinhole
    float focus_distance;            // along forward
};
