// SPDX-License-Identifier: MIT
// Open country: terrain, and what grows on it.
#include "import/mesh_data.h"
#include "import/shapes.h"

#define FIELD(member, type, low, high, help) YAML_FIELD_IN(struct parameters, member, type, low, high, help)

// ---- terrain

struct terrain {
    double half, waves, flat, bowl, rough, rough_size;
    uint64_t cells, seed;
};

#define parameters terrain
static const struct yaml_field terrain_fields[] = {
    FIELD(half, YAML_REAL, 1e-3, 1e5, "half the side of the square, in scene units"),
    FIELD(cells, YAML_COUNT, 1, 2048, "squares along each side, two triangles each"),
    FIELD(waves, YAML_REAL, -1e4, 1e4, "height of long waves, fading in from `flat` to the rim"),
    FIELD(flat, YAML_REAL, 0, 1e5, "radius about the centre without waves or bowl"),
    FIELD(bowl, YAML_REAL, -1e4, 1e4, "height that the ground has gained, quadratically, at distance `half`"),
    FIELD(rough, YAML_REAL, -1e4, 1e4, "height of random bumps"),
    FIELD(rough_size, YAML_REAL, 1e-3, 1e4, "distance between random bumps"),
    FIELD(seed, YAML_COUNT, 0, 0x1p53, "of the bumps"),
    YAML_FIELDS_END,
};
#undef parameters

static double lattice_value(uint64_t seed, int64_t i, int64_t j)
{
    return (double)(random_mix(random_mix(seed ^ (uint64_t)i * 0x9E3779B97F4A7C15u) ^ (uint64_t)j) >> 11) * 0x1p-52 - 1;
}

// Value noise in [-1, 1] on the unit lattice, smooth to the first derivative.
static double land_noise(uint64_t seed, double x, double z)
{
    const double fx = floor(x), fz = floor(z);
    const int64_t i = (int64_t)fx, j = (int64_t)fz;
    const double u = x - fx, v = z - fz, su = u * u * (3 - 2 * u), sv = v * v * (3 - 2 * v);
    const double low = lattice_value(seed, i, j) * (1 - su) + lattice_value(seed, i + 1, j) * su;
    const double high = lattice_value(seed, i, j + 1) * (1 - su) + lattice_value(seed, i + 1, j + 1) * su;
    return low * (1 - sv) + high * sv;
}

static double long_waves(double x, double z)
{
    double a, b, c, d, unused;
    exact_sine_cosine(0.9 * x + 1, &a, &unused);
    exact_sine_cosine(0.7 * z, &unused, &b);
    exact_sine_cosine(2.1 * x, &c, &unused);
    exact_sine_cosine(1.7 * z + 2, &d, &unused);
    return a * b + 0.5 * c * d;
}

static double terrain_height(const struct terrain *terrain, double x, double z)
{
    const double span = terrain->half - terrain->flat;
    const double rise = mesh_clamp((sqrt(x * x + z * z) - terrain->flat) / (span > 1e-6 ? span : 1e-6), 0, 1);
    double height = terrain->bowl * rise * rise;
    if (terrain->waves != 0)
        height += terrain->waves * long_waves(x, z) * rise;
    if (terrain->rough != 0)
        height += terrain->rough * land_noise(terrain->seed, x / terrain->rough_size, z / terrain->rough_size);
    return height;
}

double shape_ground_height(const struct shape_context *context, double x, double z)
{
    if (!context->ground)
        return 0;
    const struct exact_vec at = context->ground_position;
    return at.y + terrain_height(context->ground, x - at.x, z - at.z);
}

static struct exact_vec terrain_point(const struct terrain *terrain, uint64_t i, uint64_t j)
{
    const double x = terrain->half * (2.0 * (double)i / (double)terrain->cells - 1);
    const double z = terrain->half * (2.0 * (double)j / (double)terrain->cells - 1);
    return exact_vec_make(x, terrain_height(terrain, x, z), z);
}

static bool build_terrain(const void *parameters, const struct shape_context *context, struct soup *soup)
{
    const struct terrain *terrain = parameters;
    soup->material = context->materials[0];
    for (uint64_t i = 0; i < terrain->cells; ++i)
        for (uint64_t j = 0; j < terrain->cells; ++j)
            if (!soup_quad(soup, terrain_point(terrain, i, j), terrain_point(terrain, i, j + 1),
                           terrain_point(terrain, i + 1, j + 1), terrain_point(terrain, i + 1, j)))
                return false;
    return true;
}

const struct shape_kind shape_terrain = {
    .name = "terrain",
    .summary = "square piece of land about the origin",
    .fields = terrain_fields,
    .build = build_terrain,
    .defaults = &(const struct terrain){10, 0, 0, 0, 0, 1, 64, 1},
    .size = sizeof(struct terrain),
};

// ---- places on the ground

struct exact_vec shape_random_place(struct exact_random *random, const struct shape_context *context, double inner,
                                    double outer)
{
    const double radius = sqrt(exact_between(random, inner * inner, outer * outer));
    double s, c;
    exact_sine_cosine(exact_between(random, 0, 2 * EXACT_PI), &s, &c);
    const double x = context->position.x + radius * c, z = context->position.z + radius * s;
    return exact_vec_make(x, context->position.y + shape_ground_height(context, x, z), z);
}

// Draws x, y, z in this order: a call's arguments have none.
static struct exact_vec random_in_cube(struct exact_random *random)
{
    struct exact_vec v;
    v.x = exact_between(random, -1, 1);
    v.y = exact_between(random, -1, 1);
    v.z = exact_between(random, -1, 1);
    return v;
}

static struct exact_vec random_direction(struct exact_random *random)
{
    for (;;) {
        const struct exact_vec v = random_in_cube(random);
        const double square = exact_vec_dot(v, v);
        if (square > 1e-4 && square <= 1)
            return exact_vec_normalize(v);
    }
}

// ---- trees

struct trees {
    double inner, outer, height[2], trunk, crown, crown_low, leaf, spacing;
    uint64_t count, leaves, seed;
};

#define parameters trees
static const struct yaml_field tree_fields[] = {
    FIELD(count, YAML_COUNT, 1, 2048, "trees"),
    FIELD(inner, YAML_REAL, 0, 1e5, "least distance from `position`, in scene units"),
    FIELD(outer, YAML_REAL, 0, 1e5, "greatest distance"),
    FIELD(spacing, YAML_REAL, 0, 1e4, "least distance between trunks, where it can be kept"),
    FIELD(height, YAML_RANGE, 1e-3, 1e4, "least and greatest"),
    FIELD(trunk, YAML_REAL, 1e-4, 1, "trunk's radius as a fraction of the height"),
    FIELD(crown, YAML_REAL, 1e-3, 2, "crown's radius as a fraction of the height"),
    FIELD(crown_low, YAML_REAL, 0, 0.95, "where the crown begins, as a fraction of the height"),
    FIELD(leaves, YAML_COUNT, 0, 100000, "leaves a tree, two triangles each"),
    FIELD(leaf, YAML_REAL, 1e-4, 1e3, "length of a leaf"),
    FIELD(seed, YAML_COUNT, 0, 0x1p53, ""),
    YAML_FIELDS_END,
};
#undef parameters
static const char *const tree_materials[] = {"bark", NULL};

enum { TREE_SIDES = 8, TREE_BRANCHES = 12 };

static bool add_limb(struct soup *soup, struct exact_vec from, struct exact_vec to, double radius0, double radius1)
{
    const struct exact_vec axis = exact_vec_normalize(exact_vec_sub(to, from));
    const struct exact_vec other = fabs(axis.y) < 0.9 ? exact_vec_make(0, 1, 0) : exact_vec_make(1, 0, 0);
    const struct exact_vec u = exact_vec_normalize(exact_vec_cross(axis, other)), v = exact_vec_cross(axis, u);
    struct exact_vec before = exact_vec_make(0, 0, 0);
    for (int i = 0; i <= TREE_SIDES; ++i) {
        double s, c;
        exact_sine_cosine(2 * EXACT_PI * (i % TREE_SIDES) / TREE_SIDES, &s, &c);
        const struct exact_vec ring = exact_vec_add(exact_vec_scale(u, c), exact_vec_scale(v, s));
        if (i > 0 && !soup_quad(soup, exact_vec_add(from, exact_vec_scale(before, radius0)),
                                exact_vec_add(from, exact_vec_scale(ring, radius0)),
                                exact_vec_add(to, exact_vec_scale(ring, radius1)),
                                exact_vec_add(to, exact_vec_scale(before, radius1))))
            return false;
        before = ring;
    }
    return true;
}

static bool add_leaf(struct soup *soup, struct exact_random *random, struct exact_vec at, double length)
{
    const struct exact_vec along = random_direction(random);
    const struct exact_vec across = exact_vec_cross(along, random_direction(random));
    const struct exact_vec u = exact_vec_scale(along, length / 2),
                           v = exact_vec_scale(exact_vec_normalize(across), length / 4);
    return soup_quad(soup, exact_vec_sub(at, u), exact_vec_add(at, v), exact_vec_add(at, u), exact_vec_sub(at, v));
}

static bool add_tree(const struct trees *trees, const struct shape_context *context, struct soup *soup,
                     struct exact_random *random, struct exact_vec root)
{
    const double height = exact_between(random, trees->height[0], trees->height[1]);
    const double radius = trees->trunk * height, low = trees->crown_low * height;
    const struct exact_vec half = exact_vec_make(trees->crown * height, (height - low) / 2, trees->crown * height);
    const struct exact_vec centre = exact_vec_make(root.x, root.y + low + half.y, root.z);
    const struct exact_vec top = exact_vec_make(root.x, root.y + height * 0.95, root.z);
    soup->material = context->materials[1];
    if (!add_limb(soup, exact_vec_make(root.x, root.y - radius, root.z), top, radius, radius * 0.2))
        return false;
    for (int i = 0; i < TREE_BRANCHES; ++i) {
        const struct exact_vec d = random_direction(random);
        const struct exact_vec tip =
            exact_vec_add(centre, exact_vec_make(d.x * half.x * 0.9, d.y * half.y * 0.8, d.z * half.z * 0.9));
        const double foot = exact_between(random, low * 0.9, centre.y - root.y);
        if (!add_limb(soup, exact_vec_make(root.x, root.y + foot, root.z), tip, radius * 0.4, radius * 0.08))
            return false;
    }
    soup->material = context->materials[0];
    for (uint64_t i = 0; i < trees->leaves; ++i) {
        const struct exact_vec d = random_direction(random);
        const double reach = sqrt(sqrt(exact_uniform(random))); // denser towards the crown's skin
        const struct exact_vec at = exact_vec_make(d.x * half.x * reach, d.y * half.y * reach, d.z * half.z * reach);
        if (!add_leaf(soup, random, exact_vec_add(centre, at), trees->leaf))
            return false;
    }
    return true;
}

static bool is_free(const struct exact_vec *places, uint64_t count, struct exact_vec at, double spacing)
{
    for (uint64_t i = 0; i < count; ++i) {
        const double x = places[i].x - at.x, z = places[i].z - at.z;
        if (x * x + z * z < spacing * spacing)
            return false;
    }
    return true;
}

static bool build_trees(const void *parameters, const struct shape_context *context, struct soup *soup)
{
    const struct trees *trees = parameters;
    struct exact_vec places[2048];
    for (uint64_t i = 0; i < trees->count; ++i) {
        struct exact_random random = exact_random_make(trees->seed, i);
        for (int attempt = 0; attempt < 32; ++attempt) {
            places[i] = shape_random_place(&random, context, trees->inner, trees->outer);
            if (is_free(places, i, places[i], trees->spacing))
                break;
        }
        if (!add_tree(trees, context, soup, &random, places[i]))
            return false;
    }
    return true;
}

const struct shape_kind shape_trees = {
    .name = "trees",
    .summary = "broad-leaved trees scattered over a ring of ground; `material` is that of the leaves",
    .fields = tree_fields,
    .materials = tree_materials,
    .scatters = true,
    .build = build_trees,
    .size = sizeof(struct trees),
    .defaults = &(const struct trees){0, 10, {4, 6}, 0.02, 0.3, 0.25, 0.2, 1, 10, 500, 1},
};

// ---- grass

struct grass {
    double inner, outer, height[2], width;
    uint64_t count, seed;
};

#define parameters grass
static const struct yaml_field grass_fields[] = {
    FIELD(count, YAML_COUNT, 1, 4000000, "blades, one triangle each"),
    FIELD(inner, YAML_REAL, 0, 1e5, "least distance from `position`, in scene units"),
    FIELD(outer, YAML_REAL, 0, 1e5, "greatest distance"),
    FIELD(height, YAML_RANGE, 1e-4, 1e3, "least and greatest length of a blade"),
    FIELD(width, YAML_REAL, 1e-5, 1e3, "of a blade at its foot"),
    FIELD(seed, YAML_COUNT, 0, 0x1p53, ""),
    YAML_FIELDS_END,
};
#undef parameters

static bool build_grass(const void *parameters, const struct shape_context *context, struct soup *soup)
{
    const struct grass *grass = parameters;
    soup->material = context->materials[0];
    for (uint64_t i = 0; i < grass->count; ++i) {
        struct exact_random random = exact_random_make(grass->seed, i);
        const struct exact_vec foot = shape_random_place(&random, context, grass->inner, grass->outer);
        const double length = exact_between(&random, grass->height[0], grass->height[1]);
        double s, c;
        exact_sine_cosine(exact_between(&random, 0, 2 * EXACT_PI), &s, &c);
        const struct exact_vec side = exact_vec_make(c * grass->width / 2, -0.05 * length, s * grass->width / 2);
        const struct exact_vec tilt = random_in_cube(&random);
        const struct exact_vec lean = exact_vec_make(tilt.x / 2, 1, tilt.z / 2);
        const struct exact_vec other = exact_vec_make(-side.x, side.y, -side.z);
        if (!soup_triangle(soup, exact_vec_add(foot, side), exact_vec_add(foot, other),
                           exact_vec_add(foot, exact_vec_scale(lean, length))))
            return false;
    }
    return true;
}

const struct shape_kind shape_grass = {
    .name = "grass",
    .summary = "blades of grass scattered over a ring of ground",
    .fields = grass_fields,
    .scatters = true,
    .build = build_grass,
    .size = sizeof(struct grass),
    .defaults = &(const struct grass){0, 10, {0.05, 0.2}, 0.02, 1000, 1},
};
