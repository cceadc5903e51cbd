// SPDX-License-Identifier: MIT
// Procedural shapes: one row per kind in shapes.c, the only list.
#pragma once

#include "geometry/soup.h"
#include "base/yaml.h"

enum { SHAPE_MATERIALS = 4, SHAPE_PARAMETERS_MAX = 256 };

struct terrain;

// What a shape may know besides its own parameters.
struct shape_context {
    uint32_t materials[SHAPE_MATERIALS]; // the object's material, then those of shape_kind.materials
    struct exact_vec position;           // of a scattering shape: the centre of what it fills
    const struct terrain *ground;        // what `on` names, NULL where there is none
    struct exact_vec ground_position;
};

struct shape_kind {
    const char *name, *summary;
    const struct yaml_field *fields; // its own keys
    const char *const *materials;    // keys that name further materials, NULL-terminated, at most SHAPE_MATERIALS - 1
    const void *defaults;            // parameters before reading, `size` bytes
    size_t size;
    bool scatters; // builds in world coordinates about context->position; its parameters begin with double inner, outer
    bool (*build)(const void *parameters, const struct shape_context *context, struct soup *soup);
};

extern const struct shape_kind *const shape_kinds[]; // ends with NULL

// A random place on the ground between two distances from context->position, even by area.
struct exact_vec shape_random_place(struct exact_random *random, const struct shape_context *context, double inner,
                                    double outer);

// Height of the ground under (x, z) in world coordinates; 0 without a ground.
double shape_ground_height(const struct shape_context *context, double x, double z);

// The rows, each in the file of its family.
extern const struct shape_kind shape_plane, shape_quad, shape_box, shape_room, shape_sphere, shape_cylinder;
extern const struct shape_kind shape_terrain, shape_trees, shape_grass;
