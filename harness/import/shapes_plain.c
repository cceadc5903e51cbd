// SPDX-License-Identifier: MIT
// Plain bodies: plane, quad, box, room, sphere, cylinder.
#include "import/shapes.h"

#define FIELD(member, type, low, high, help) YAML_FIELD_IN(struct parameters, member, type, low, high, help)

// ---- plane

struct plane {
    double size[2];
    uint64_t cells;
};

#define parameters plane
static const struct yaml_field plane_fields[] = {
    FIELD(size, YAML_REAL2, 1e-6, 1e6, "extent along x and z, in scene units; the plane lies at y = 0 and faces up"),
    FIELD(cells, YAML_COUNT, 1, 2048, "squares along each side, two triangles each"),
    YAML_FIELDS_END,
};
#undef parameters

static bool build_plane(const void *parameters, const struct shape_context *context, struct soup *soup)
{
    const struct plane *plane = parameters;
    const double n = (double)plane->cells;
    soup->material = context->materials[0];
    for (uint64_t i = 0; i < plane->cells; ++i)
        for (uint64_t j = 0; j < plane->cells; ++j) {
            const double x0 = plane->size[0] * ((double)i / n - 0.5), x1 = plane->size[0] * ((double)(i + 1) / n - 0.5);
            const double z0 = plane->size[1] * ((double)j / n - 0.5), z1 = plane->size[1] * ((double)(j + 1) / n - 0.5);
            if (!soup_quad(soup, exact_vec_make(x0, 0, z0), exact_vec_make(x0, 0, z1), exact_vec_make(x1, 0, z1),
                           exact_vec_make(x1, 0, z0)))
                return false;
        }
    return true;
}

const struct shape_kind shape_plane = {
    .name = "plane",
    .summary = "flat square grid at y = 0",
    .fields = plane_fields,
    .build = build_plane,
    .defaults = &(const struct plane){{1, 1}, 1},
    .size = sizeof(struct plane),
};

// ---- quad

struct quad {
    double corner[3], edge1[3], edge2[3];
};

#define parameters quad
static const struct yaml_field quad_fields[] = {
    FIELD(corner, YAML_REAL3, 0, 0, "one corner"),
    FIELD(edge1, YAML_REAL3, 0, 0, "from the corner along one side"),
    FIELD(edge2, YAML_REAL3, 0, 0, "along the other; it faces edge1 x edge2"),
    YAML_FIELDS_END,
};
#undef parameters

static struct exact_vec vec_of(const double v[3])
{
    return exact_vec_make(v[0], v[1], v[2]);
}

static bool build_quad(const void *parameters, const struct shape_context *context, struct soup *soup)
{
    const struct quad *quad = parameters;
    const struct exact_vec a = vec_of(quad->corner), u = vec_of(quad->edge1), v = vec_of(quad->edge2);
    soup->material = context->materials[0];
    return soup_quad(soup, a, exact_vec_add(a, u), exact_vec_add(exact_vec_add(a, u), v), exact_vec_add(a, v));
}

const struct shape_kind shape_quad = {
    .name = "quad",
    .summary = "one parallelogram",
    .fields = quad_fields,
    .build = build_quad,
    .defaults = &(const struct quad){{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
    .size = sizeof(struct quad),
};

// ---- box and room

struct box {
    double size[3];
    bool inward;
};

#define parameters box
static const struct yaml_field box_fields[] = {
    FIELD(size, YAML_UNIFORM3, 1e-6, 1e6, "extent along x, y, z; it stands on y = 0, centred in x and z"),
    FIELD(inward, YAML_FLAG, 0, 0, "faces look inward"),
    YAML_FIELDS_END,
};
#undef parameters

// Corner i of the box: bit 0 = high x, bit 1 = high y, bit 2 = high z.
static struct exact_vec corner(const double size[3], int i)
{
    return exact_vec_make(size[0] * ((i & 1) - 0.5), size[1] * (i >> 1 & 1), size[2] * ((i >> 2) - 0.5));
}

// Corners of the faces -x, +x, -y, +y, -z, +z, in a ring that looks outward.
static const int face_corners[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

static bool add_face(struct soup *soup, const double size[3], int face, bool inward)
{
    const int *ring = face_corners[face];
    return soup_quad(soup, corner(size, ring[0]), corner(size, ring[inward ? 3 : 1]), corner(size, ring[2]),
                     corner(size, ring[inward ? 1 : 3]));
}

static bool build_box(const void *parameters, const struct shape_context *context, struct soup *soup)
{
    const struct box *box = parameters;
    soup->material = context->materials[0];
    for (int face = 0; face < 6; ++face)
        if (!add_face(soup, box->size, face, box->inward))
            return false;
    return true;
}

static bool build_room(const void *parameters, const struct shape_context *context, struct soup *soup)
{
    const struct box *box = parameters;
    static const int material_of_face[6] = {0, 0, 2, 3, 1, 1};
    for (int face = 0; face < 6; ++face) {
        soup->material = context->materials[material_of_face[face]];
        if (!add_face(soup, box->size, face, true))
            return false;
    }
    return true;
}

const struct shape_kind shape_box = {
    .name = "box",
    .summary = "box standing on y = 0",
    .fields = box_fields,
    .build = build_box,
    .defaults = &(const struct box){{1, 1, 1}, false},
    .size = sizeof(struct box),
};

static const struct yaml_field room_fields[] = {
    {"size", YAML_UNIFORM3, offsetof(struct box, size), 1e-6, 1e6, "extent along x, y, z; the floor is y = 0"},
    YAML_FIELDS_END,
};
static const char *const room_materials[] = {"ends", "floor", "ceiling", NULL};

const struct shape_kind shape_room = {
    .name = "room",
    .summary = "closed box seen from inside; `material` is that of the walls across x, `ends` of those across z",
    .fields = room_fields,
    .materials = room_materials,
    .build = build_room,
    .defaults = &(const struct box){{4, 2.5, 4}, true},
    .size = sizeof(struct box),
};

// ---- sphere

struct sphere {
    double radius;
    uint64_t segments;
    bool inward;
};

#define parameters sphere
static const struct yaml_field sphere_fields[] = {
    FIELD(radius, YAML_REAL, 1e-6, 1e6, "of the sphere on which all vertices lie; its centre is the origin"),
    FIELD(segments, YAML_COUNT, 4, 2048, "round the equator; half as many from pole to pole"),
    FIELD(inward, YAML_FLAG, 0, 0, "faces look inward"),
    YAML_FIELDS_END,
};
#undef parameters

static struct exact_vec sphere_point(const struct sphere *sphere, uint64_t column, uint64_t row)
{
    const uint64_t rows = sphere->segments / 2;
    double sp, cp, st, ct;
    exact_sine_cosine(2 * EXACT_PI * (double)(column % sphere->segments) / (double)sphere->segments, &sp, &cp);
    exact_sine_cosine(EXACT_PI * (double)row / (double)rows, &st, &ct);
    if (row == 0 || row == rows)
        st = 0;
    return exact_vec_scale(exact_vec_make(st * cp, ct, st * sp), sphere->radius);
}

static bool build_sphere(const void *parameters, const struct shape_context *context, struct soup *soup)
{
    const struct sphere *sphere = parameters;
    const uint64_t rows = sphere->segments / 2;
    soup->material = context->materials[0];
    for (uint64_t row = 0; row < rows; ++row)
        for (uint64_t column = 0; column < sphere->segments; ++column) {
            const struct exact_vec a = sphere_point(sphere, column, row), b = sphere_point(sphere, column + 1, row);
            const struct exact_vec c = sphere_point(sphere, column + 1, row + 1),
                                   d = sphere_point(sphere, column, row + 1);
            const bool first = row == 0 || soup_triangle(soup, sphere->inward ? b : a, sphere->inward ? a : b, c);
            if (!first || !(row + 1 == rows || soup_triangle(soup, a, sphere->inward ? d : c, sphere->inward ? c : d)))
                return false;
        }
    return true;
}

const struct shape_kind shape_sphere = {
    .name = "sphere",
    .summary = "sphere of triangles about the origin",
    .fields = sphere_fields,
    .build = build_sphere,
    .defaults = &(const struct sphere){1, 64, false},
    .size = sizeof(struct sphere),
};

// ---- cylinder

struct cylinder {
    double radius, top, height;
    uint64_t segments;
};

#define parameters cylinder
static const struct yaml_field cylinder_fields[] = {
    FIELD(radius, YAML_REAL, 1e-6, 1e6, "at the bottom, y = 0"),
    FIELD(top, YAML_REAL, 0, 1e6, "radius at the top; 0 makes a cone"),
    FIELD(height, YAML_REAL, 1e-6, 1e6, ""),
    FIELD(segments, YAML_COUNT, 3, 4096, "round the axis"),
    YAML_FIELDS_END,
};
#undef parameters

static bool build_cylinder(const void *parameters, const struct shape_context *context, struct soup *soup)
{
    const struct cylinder *c = parameters;
    const struct exact_vec bottom = exact_vec_make(0, 0, 0), top = exact_vec_make(0, c->height, 0);
    soup->material = context->materials[0];
    for (uint64_t i = 0; i < c->segments; ++i) {
        double s0, c0, s1, c1;
        exact_sine_cosine(2 * EXACT_PI * (double)i / (double)c->segments, &s0, &c0);
        exact_sine_cosine(2 * EXACT_PI * (double)((i + 1) % c->segments) / (double)c->segments, &s1, &c1);
        const struct exact_vec a = exact_vec_make(c->radius * c0, 0, c->radius * s0);
        const struct exact_vec b = exact_vec_make(c->radius * c1, 0, c->radius * s1);
        const struct exact_vec d = exact_vec_make(c->top * c0, c->height, c->top * s0);
        const struct exact_vec e = exact_vec_make(c->top * c1, c->height, c->top * s1);
        if (!soup_triangle(soup, bottom, a, b) || !soup_triangle(soup, a, d, b))
            return false;
        if (c->top > 0 && (!soup_triangle(soup, b, d, e) || !soup_triangle(soup, top, e, d)))
            return false;
    }
    return true;
}

const struct shape_kind shape_cylinder = {
    .name = "cylinder",
    .summary = "closed cylinder or cone standing on y = 0",
    .fields = cylinder_fields,
    .build = build_cylinder,
    .defaults = &(const struct cylinder){0.5, 0.5, 1, 32},
    .size = sizeof(struct cylinder),
};
