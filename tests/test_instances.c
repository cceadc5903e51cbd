// SPDX-License-Identifier: MIT
// Scenes in two levels: against the same scene flattened, and its triangles each tried in double precision; and what is said of
// bad ones. That every pair of trees gives the same hits, and what becomes of damaged trees: test_trees.c, test_tree_damage.c.
#include "check.h"
#include "trace_rays.h"
#include "trees/hit_point.h"
#include "scene/scene_image.h"
#include "grove_support.h"

// ---- rays

static struct vec3 point_in(const struct scene_facts *facts, double grow, uint64_t *state)
{
    double p[3];
    for (int i = 0; i < 3; ++i) {
        const double low = (double)facts->box_low[i], high = (double)facts->box_high[i], half = grow * (high - low) / 2;
        p[i] = (low + high) / 2 + half * (2 * random_fraction(state) - 1);
    }
    return vec3_make((float)p[0], (float)p[1], (float)p[2]);
}

static struct ray_record ray_to(struct vec3 from, struct vec3 to)
{
    const struct vec3 d = vec3_normalize(vec3_sub(to, from));
    return (struct ray_record){{from.x, from.y, from.z}, 0, {d.x, d.y, d.z}, 1e30f};
}

static struct vec3 random_direction(uint64_t *state)
{
    struct vec3 v;
    v.x = (float)(2 * random_fraction(state) - 1);
    v.y = (float)(2 * random_fraction(state) - 1);
    v.z = (float)(2 * random_fraction(state) - 1);
    return v;
}

static struct hit *trace(const struct scene *scene, trace_function *function, struct trace_options options,
                         const struct ray_record *rays, uint32_t count, struct trace_work *work)
{
    struct hit *hits = calloc(count, sizeof *hits);
    assert_non_null(hits);
    const struct trace_work done = function(scene_host_view(scene), &options, rays, count, hits);
    if (work)
        *work = done;
    return hits;
}

// On from what a ray meets, as a diffuse reflection would.
static void bounce(const struct scene_view *view, const struct hit *hit, const struct ray_record *ray, uint64_t *state,
                   struct ray_record *to)
{
    const struct vec3 d = vec3_make(ray->direction[0], ray->direction[1], ray->direction[2]);
    const struct vec3 o = vec3_make(ray->origin[0], ray->origin[1], ray->origin[2]);
    const struct hit_point point = scene_hit_point(view, &(struct ray){o, d}, hit);
    const struct vec3 normal = vec3_dot(point.normal, d) > 0 ? vec3_negate(point.normal) : point.normal;
    const struct vec3 from = vec3_fma(normal, point.offset, point.position);
    *to = ray_to(from, vec3_add(from, vec3_add(normal, vec3_scale(random_direction(state), 0.55f))));
}

// As paths have them: half from eyes above a scene, half on from what these meet.
static struct ray_record *ordinary_rays(const struct scene *scene, uint32_t count)
{
    struct ray_record *rays = calloc(count, sizeof *rays);
    uint64_t state = 1;
    assert_non_null(rays);
    for (uint32_t i = 0; i < count; ++i) {
        struct vec3 from = point_in(scene_facts(scene), 1, &state);
        from.y = scene_facts(scene)->box_high[1] * (float)(0.6 + random_fraction(&state));
        rays[i] = ray_to(from, point_in(scene_facts(scene), 1, &state));
    }
    struct hit *hits = trace(scene, trace_rays_vector, (struct trace_options){0}, rays, count / 2, NULL);
    for (uint32_t i = 0; i < count / 2; ++i)
        if (hits[i].id != HIT_NONE)
            bounce(scene_host_view(scene), &hits[i], &rays[i], &state, &rays[count / 2 + i]);
    free(hits);
    return rays;
}

// Through corners and along edges of triangles of the scene flattened, along axes, and from 10 to 100 sizes away.
static struct ray_record *adversarial_rays(const struct scene *scene, uint32_t count)
{
    const struct scene_view *view = scene_host_view(scene);
    struct ray_record *rays = calloc(count, sizeof *rays);
    uint64_t state = 2;
    assert_non_null(rays);
    for (uint32_t i = 0; i < count; ++i) {
        const struct triangle *t = &view->triangles[(uint32_t)(random_fraction(&state) * view->triangle_count)];
        struct vec3 from = point_in(scene_facts(scene), i % 5 == 4 ? 10 + 90 * random_fraction(&state) : 1, &state);
        struct vec3 to = t->v0;
        if (i % 5 == 1) // in the triangle's plane
            from = vec3_sub(t->v0, vec3_scale(vec3_sub(t->v1, t->v0), 3.5f));
        if (i % 5 == 2)
            to = vec3_scale(vec3_add(t->v0, t->v1), 0.5f);
        rays[i] = ray_to(from, to);
        if (i % 5 == 3) {
            for (int axis = 0; axis < 3; ++axis)
                rays[i].direction[axis] = i / 5 % 3 == (uint32_t)axis ? (i % 2 ? 1.0f : -1.0f)
                                          : i % 4 < 2                 ? 0.0f
                                                                      : -0.0f;
        }
    }
    return rays;
}

// ---- against the scene flattened

// Where a ray meets the plane of an instance's triangle, in double precision throughout.
static double exact_distance(const struct scene *scene, uint32_t slot, const struct ray_record *ray)
{
    struct triangle copy;
    const struct triangle *t = scene_triangle(scene_host_view(scene), slot, &copy);
    const struct instance *from = scene_instance(scene_host_view(scene), slot);
    const struct vec3 corners[3] = {t->v0, t->v1, t->v2};
    struct exact_vec v[3];
    struct exact_transform inverse = exact_transform_identity(), to_world;
    for (int i = 0; i < 3; ++i) {
        inverse.m[i][0] = (double)from->to_object[i].x;
        inverse.m[i][1] = (double)from->to_object[i].y;
        inverse.m[i][2] = (double)from->to_object[i].z;
    }
    for (int i = 0; i < 3; ++i) // by Cramer's rule
        for (int j = 0; j < 3; ++j) {
            const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
            const double(*m)[3] = (const double(*)[3])inverse.m;
            const double whole = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                                 m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                                 m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
            to_world.m[i][j] = (m[a][c] * m[b][d] - m[a][d] * m[b][c]) / whole;
        }
    to_world.t[0] = (double)from->position.x;
    to_world.t[1] = (double)from->position.y;
    to_world.t[2] = (double)from->position.z;
    for (int k = 0; k < 3; ++k)
        v[k] = exact_transform_point(&to_world,
                                     exact_vec_make((double)corners[k].x, (double)corners[k].y, (double)corners[k].z));
    const struct exact_vec normal = exact_vec_cross(exact_vec_sub(v[1], v[0]), exact_vec_sub(v[2], v[0]));
    const struct exact_vec o = exact_vec_make((double)ray->origin[0], (double)ray->origin[1], (double)ray->origin[2]);
    const struct exact_vec d =
        exact_vec_make((double)ray->direction[0], (double)ray->direction[1], (double)ray->direction[2]);
    return exact_vec_dot(normal, exact_vec_sub(v[0], o)) / exact_vec_dot(normal, d);
}

struct differences {
    uint32_t hits, met, far;       // hit at all; in one alone; by more than 1e-5 of the distance apart
    uint32_t flat_off, levels_off; // by as much from the exact distance
};

static bool apart(double a, double b)
{
    return fabs(a - b) > 1e-5 * fabs(b);
}

static struct differences compare(const struct scene *one, const struct scene *two, const struct ray_record *rays,
                                  uint32_t count)
{
    struct hit *a = trace(one, trace_rays_vector, (struct trace_options){0}, rays, count, NULL);
    struct hit *b = trace(two, trace_rays_vector, (struct trace_options){0}, rays, count, NULL);
    struct differences found = {0};
    for (uint32_t i = 0; i < count; ++i) {
        found.met += (a[i].id == HIT_NONE) != (b[i].id == HIT_NONE);
        if (a[i].id == HIT_NONE || b[i].id == HIT_NONE)
            continue;
        ++found.hits;
        found.far += apart((double)a[i].t, (double)b[i].t);
        if (a[i].id != b[i].id)
            continue;
        const double exact = exact_distance(two, b[i].slot, &rays[i]);
        found.flat_off += apart((double)a[i].t, exact);
        found.levels_off += apart((double)b[i].t, exact);
    }
    print_message("%u rays, %u hits: %u in one alone, %u more than 1e-5 apart; from the exact distance: %u flattened, "
                  "%u in two levels\n",
                  count, found.hits, found.met, found.far, found.flat_off, found.levels_off);
    free(a);
    free(b);
    return found;
}

enum { ORDINARY = 40000, ADVERSARIAL = 10000 };

// The first half of the ordinary rays begin away from surfaces, the second on them: these meet what is near at distances that
// are small beside the coordinates' rounding in either scene.
TEST(agrees_with_the_scene_flattened)
{
    struct scene *one = open_well(GROVE, flat), *two = open_well(GROVE, two_level);
    const struct scene_facts *a = scene_facts(one), *b = scene_facts(two);
    assert_int_equal(b->effective_triangles, a->triangles);
    assert_true(b->triangles * 10 < a->triangles && b->instances == 53 && b->objects == 3);
    assert_true(b->lights == a->lights && a->lights > 1000);
    assert_memory_equal(a->box_low, b->box_low, sizeof a->box_low);
    assert_memory_equal(a->box_high, b->box_high, sizeof a->box_high);
    struct ray_record *rays = ordinary_rays(one, ORDINARY), *hard = adversarial_rays(one, ADVERSARIAL);
    const struct differences primary = compare(one, two, rays, ORDINARY / 2);
    const struct differences diffuse = compare(one, two, rays + ORDINARY / 2, ORDINARY / 2);
    const struct differences edges = compare(one, two, hard, ADVERSARIAL);
    assert_true(primary.hits > ORDINARY / 5 && primary.met == 0 && primary.far <= ORDINARY / 20000);
    assert_true(diffuse.hits > ORDINARY / 16 && diffuse.met <= 1 && diffuse.far <= ORDINARY / 1000 &&
                diffuse.levels_off <= diffuse.flat_off + ORDINARY / 5000);
    assert_true(edges.met <= ADVERSARIAL / 10);
    free(rays);
    free(hard);
    scene_close(one);
    scene_close(two);
}

// In double precision, over the triangles flattened.
TEST(agrees_with_double_precision)
{
    enum { COUNT = 4000 };
    struct scene *one = open_well(GROVE, flat), *two = open_well(GROVE, two_level);
    const struct scene_view *view = scene_host_view(one);
    float *corners = calloc(9 * (size_t)view->triangle_count, sizeof *corners);
    assert_non_null(corners);
    for (uint32_t i = 0; i < view->triangle_count; ++i) {
        const struct triangle *t = &view->triangles[i];
        const struct vec3 v[3] = {t->v0, t->v1, t->v2};
        for (int k = 0; k < 3; ++k) {
            corners[9 * t->id + 3 * k] = v[k].x;
            corners[9 * t->id + 3 * k + 1] = v[k].y;
            corners[9 * t->id + 3 * k + 2] = v[k].z;
        }
    }
    const struct ray_mesh mesh = {corners, view->triangle_count};
    struct reference *reference = reference_create(&mesh, 1, &why);
    struct reference_hit exact[COUNT];
    struct ray_record *rays = ordinary_rays(one, COUNT);
    struct hit *hits = trace(two, trace_rays_scalar, (struct trace_options){0}, rays, COUNT, NULL);
    assert_non_null(reference);
    reference_hits(reference, rays, COUNT, 1, exact);
    uint32_t met = 0, far = 0, other = 0;
    for (uint32_t i = 0; i < COUNT; ++i) {
        const bool both = exact[i].id != REFERENCE_MISS && hits[i].id != HIT_NONE;
        met += (exact[i].id == REFERENCE_MISS) != (hits[i].id == HIT_NONE);
        far += both && fabs((double)hits[i].t - exact[i].t) > 1e-5 * exact[i].t;
        other += both && hits[i].id != exact[i].id;
    }
    assert_true(met <= 1 && far <= 2 && other <= 2);
    reference_destroy(reference);
    free(corners);
    free(rays);
    free(hits);
    scene_close(one);
    scene_close(two);
}

// ---- normals

// Scaled unevenly, sheared and mirrored ones among them.
TEST(normals_and_materials_are_those_of_the_scene_flattened)
{
    enum { COUNT = 20000 };
    struct scene *one = open_well(GROVE, flat), *two = open_well(GROVE, two_level);
    const struct scene_view *a = scene_host_view(one), *b = scene_host_view(two);
    struct ray_record *rays = ordinary_rays(one, COUNT);
    struct hit *flattened = trace(one, trace_rays_vector, (struct trace_options){0}, rays, COUNT, NULL);
    struct hit *hits = trace(two, trace_rays_vector, (struct trace_options){0}, rays, COUNT, NULL);
    uint32_t same = 0, mirrored = 0;
    for (uint32_t i = 0; i < COUNT; ++i) {
        struct triangle copy;
        if (hits[i].id == HIT_NONE || hits[i].id != flattened[i].id)
            continue;
        const struct vec3 n = scene_hit_point(a, &(struct ray){0}, &flattened[i]).normal;
        const struct vec3 m = scene_hit_point(b, &(struct ray){0}, &hits[i]).normal;
        assert_true(vec3_dot(n, m) > 0.9999f);
        assert_int_equal(scene_triangle(a, flattened[i].slot, &copy)->material,
                         scene_triangle(b, hits[i].slot, &copy)->material);
        ++same;
        mirrored += scene_instance(b, hits[i].slot) == &b->instances[52];
    }
    assert_true(same > COUNT / 4 && mirrored > 5);
    free(rays);
    free(flattened);
    free(hits);
    scene_close(one);
    scene_close(two);
}

static void same_hits(const struct hit *a, const struct hit *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
        if (f32_bits(a[i].t) != f32_bits(b[i].t) || a[i].id != b[i].id)
            fail_msg("ray %u: t %.9g of %u, or %.9g of %u", i, (double)a[i].t, a[i].id, (double)b[i].t, b[i].id);
}

// Steps at the top are among all steps, and no instance is entered where none stands.
TEST(steps_are_counted_on_both_levels)
{
    enum { COUNT = 2000 };
    struct scene *two = open_well(GROVE, two_level), *one = open_well(GROVE, flat);
    struct ray_record *rays = ordinary_rays(two, COUNT);
    struct trace_work levels, plain;
    free(trace(two, trace_rays_counted, (struct trace_options){0}, rays, COUNT, &levels));
    free(trace(one, trace_rays_counted, (struct trace_options){0}, rays, COUNT, &plain));
    assert_true(levels.top_nodes >= COUNT && levels.top_nodes < levels.nodes);
    assert_true(levels.entered > COUNT / 4 && levels.entered < levels.nodes - levels.top_nodes);
    assert_true(plain.top_nodes == 0 && plain.entered == 0 && plain.nodes > 0);
    assert_int_equal(levels.loads, levels.nodes);
    for (uint32_t i = 0; i < COUNT; ++i) { // upwards from above everything
        rays[i].origin[1] = scene_facts(two)->box_high[1] + 1;
        rays[i].direction[0] = rays[i].direction[2] = 0;
        rays[i].direction[1] = 1;
    }
    free(trace(two, trace_rays_counted, (struct trace_options){0}, rays, COUNT, &levels));
    assert_true(levels.entered == 0 && levels.nodes == levels.top_nodes && levels.triangles == 0);
    free(rays);
    scene_close(one);
    scene_close(two);
}

// ---- identity

// A scene without instances is one of itself; so is one whose only part stands where it is. Signs of zeros included.
TEST(identities_give_the_bits_of_the_scene_flattened)
{
    static const char *const texts[] = {
        GROUND "  - {shape: trees, count: 6, leaves: 60, outer: 20}\n" CAMERA,
        "parts:\n  all:\n    - {shape: terrain, half: 30, cells: 16, waves: 1}\n    - {shape: trees, count: 6, leaves: "
        "60, outer: 20}\ninstances:\n  - {of: all}\n" CAMERA,
    };
    for (int k = 0; k < 2; ++k) {
        struct scene *one = open_well(texts[k], flat), *two = open_well(texts[k], two_level);
        assert_int_equal(scene_facts(two)->instances, 1);
        assert_int_equal(scene_host_view(two)->instances[0].identity, 1);
        struct ray_record *rays = adversarial_rays(one, ADVERSARIAL);
        struct hit *a = trace(one, trace_rays_vector, (struct trace_options){0}, rays, ADVERSARIAL, NULL);
        struct hit *b = trace(two, trace_rays_vector, (struct trace_options){0}, rays, ADVERSARIAL, NULL);
        same_hits(a, b, ADVERSARIAL);
        free(rays);
        free(a);
        free(b);
        scene_close(one);
        scene_close(two);
    }
}

TEST_GROUP(grove_begin, NULL)
