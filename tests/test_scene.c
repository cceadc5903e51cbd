// SPDX-License-Identifier: MIT
// Built-in scenes: survival, facts, cameras, tables.
#include "check.h"

#include "trees/hit_point.h"
#include "geometry/alias.h"
#include "geometry/exact_math.h"
#include "scene_support.h"
#include "scene/scene_find.h"

static struct scene *open_scene(const char *name, uint32_t leaf_size)
{
    const struct scene_request request = {.name = name, .tree = {.leaf_size = leaf_size}};
    return made(scene_open(&request, &why));
}

// ---- walking paths

static struct vec3 random_unit(struct exact_random *random)
{
    for (;;) {
        struct vec3 v;
        v.x = (float)exact_between(random, -1, 1);
        v.y = (float)exact_between(random, -1, 1);
        v.z = (float)exact_between(random, -1, 1);
        if (vec3_dot(v, v) <= 1 && vec3_dot(v, v) > 1e-4f)
            return vec3_normalize(v);
    }
}

// A cosine-weighted direction from the hit, on the side that the ray came from.
static struct ray bounce(const struct scene_view *view, const struct ray *ray, const struct hit *hit,
                         struct exact_random *random)
{
    const struct hit_point point = scene_hit_point(view, ray, hit);
    const struct vec3 normal = vec3_dot(point.normal, ray->direction) > 0 ? vec3_negate(point.normal) : point.normal;
    const struct vec3 towards = vec3_add(normal, vec3_scale(random_unit(random), 0.999f));
    return (struct ray){vec3_fma(normal, point.offset, point.position), vec3_normalize(towards)};
}

// survivors[b] = paths that enter bounce b, of width * height paths.
static void walk(const struct scene *scene, const char *name, uint32_t width, uint32_t height, uint32_t survivors[9])
{
    struct camera camera;
    const struct scene_view *view = scene_host_view(scene);
    assert_true(scene_camera(scene, name, width, height, &camera, &why));
    memset(survivors, 0, 9 * sizeof *survivors);
    for (uint32_t i = 0; i < width * height; ++i) {
        struct exact_random random = exact_random_make(1, i);
        const float sx = (float)(2 * (i % width + exact_uniform(&random)) / width - 1);
        const float sy = (float)(1 - 2 * (i / width + exact_uniform(&random)) / height);
        struct ray ray = {camera.position,
                          vec3_normalize(vec3_fma(camera.right, sx, vec3_fma(camera.up, sy, camera.forward)))};
        for (int b = 0; b < 9; ++b) {
            ++survivors[b];
            struct traversal_work work = traversal_work_none();
            const struct hit hit =
                traverse(view, &ray, 1e30f, TRAVERSAL_CLOSEST, TRAVERSAL_WHILE_WHILE, false, 1, 0, &work);
            if (hit.slot == HIT_NONE)
                break;
            ray = bounce(view, &ray, &hit, &random);
        }
    }
}

TEST(open_scene_survives_like_fairy)
{
    static const double fairy[9] = {1, 1, .54, .36, .23, .16, .11, .08, .06};
    uint32_t survivors[9];
    struct scene *scene = scene_well("open");
    assert_true(scene_facts(scene)->fitted);
    assert_true(scene_facts(scene)->triangles >= 100000);
    assert_string_equal(scene_facts(scene)->stands_for, "fairy");
    walk(scene, NULL, 200, 120, survivors);
    assert_true(survivors[1] >= 0.995 * 24000);
    for (int b = 2; b < 9; ++b) {
        const double share = survivors[b] / 24000.0;
        assert_true(share > 0.75 * fairy[b] && share < 1.25 * fairy[b]);
    }
    scene_close(scene);
}

TEST(closed_scenes_lose_no_path)
{
    static const char *const names[] = {"closed_box", "interior", "mirror_corridor", "furnace"};
    for (size_t i = 0; i < 4; ++i) {
        uint32_t survivors[9];
        struct scene *scene = scene_well(names[i]);
        for (uint32_t k = 0; k < scene_facts(scene)->cameras; ++k) {
            walk(scene, scene_camera_name(scene, k), 100, 60, survivors);
            assert_int_equal(survivors[8], 6000);
        }
        scene_close(scene);
    }
}

TEST(convex_scenes_lose_every_path)
{
    static const char *const names[] = {"plane_sky", "furnace_sky"};
    static const char *const cameras[] = {"down", "close"};
    for (size_t i = 0; i < 2; ++i) {
        uint32_t survivors[9];
        struct scene *scene = scene_well(names[i]);
        walk(scene, cameras[i], 100, 60, survivors);
        assert_int_equal(survivors[1], 6000);
        assert_int_equal(survivors[2], 0);
        scene_close(scene);
    }
}

// ---- facts and cameras

TEST(content_does_not_depend_on_the_tree)
{
    struct scene *four = open_scene("interior", 4), *one = open_scene("interior", 1), *other = open_scene("cornell", 4);
    assert_true(scene_facts(four)->nodes != scene_facts(one)->nodes);
    assert_string_equal(scene_facts(four)->content_text, scene_facts(one)->content_text);
    assert_string_not_equal(scene_facts(four)->content_text, scene_facts(other)->content_text);
    scene_close(four);
    scene_close(one);
    scene_close(other);
}

TEST(cameras_are_found)
{
    struct camera camera;
    struct scene *scene = scene_well("cornell");
    assert_string_equal(scene_camera_name(scene, 0), "front");
    assert_null(scene_camera_name(scene, 99));
    need(scene_camera(scene, "", 400, 200, &camera, &why));
    assert_float_equal(sqrtf(vec3_dot(camera.right, camera.right) / vec3_dot(camera.up, camera.up)), 2, 1e-6);
    assert_float_equal(vec3_dot(camera.right, camera.up), 0, 1e-6);
    refused(scene_camera(scene, "fron", 4, 4, &camera, &why), "", "front, inside");
    assert_non_null(scene_material_name(scene, 0));
    scene_close(scene);
}

TEST(unknown_scene_is_an_error)
{
    refused(scene_open(&(struct scene_request){.name = "cornel"}, &why), "", "cornell");
    assert_int_equal(why.kind, ERROR_USE);
}

static void count_listing(void *context, const struct scene_listing *listing)
{
    int *count = context;
    assert_true(listing->name[0] && listing->path[0]);
    if (strcmp(listing->name, "open") == 0)
        assert_null(listing->missing);
    ++*count;
}

// Stand-ins need packages: those whose files are not there are passed over.
static void check_stand_in(void *context, const struct scene_listing *listing)
{
    int *count = context;
    uint32_t survivors[9];
    if (!strstr(listing->path, "wald2011"))
        return;
    assert_true(!listing->missing || strstr(listing->missing, "get-scenes"));
    if (listing->missing) {
        print_message("%s: not checked: %s\n", listing->name, listing->missing);
        return;
    }
    struct scene *scene = scene_well(listing->name);
    assert_true(scene_facts(scene)->stands_for[0] && !scene_facts(scene)->fitted);
    assert_true(strcmp(listing->name, "forest") != 0 || scene_facts(scene)->triangles == 173968);
    for (uint32_t k = 0; k < scene_facts(scene)->cameras; ++k)
        if (strcmp(scene_camera_name(scene, k), "original") != 0) {
            walk(scene, scene_camera_name(scene, k), 320, 192, survivors);
            assert_true(survivors[1] >= 0.995 * 320 * 192);
        }
    scene_close(scene);
    ++*count;
}

TEST(stand_ins_fill_the_picture)
{
    int count = 0;
    assert_true(scene_list(check_stand_in, &count, &why));
    if (count == 0)
        skip();
}

TEST(scenes_are_listed)
{
    int count = 0;
    assert_true(scene_list(count_listing, &count, &why));
    assert_true(count >= 9);
}

// ---- tables

TEST(alias_table_gives_the_weights_back)
{
    enum { N = 1000 };
    double weights[N], sum = 0, drawn[N] = {0};
    struct alias_entry table[N];
    struct exact_random random = exact_random_make(7, 0);
    for (int i = 0; i < N; ++i) {
        weights[i] = i % 7 == 0 ? 0 : exact_uniform(&random) * exact_uniform(&random);
        sum += weights[i];
    }
    assert_true(alias_build(weights, N, table, NULL));
    for (int i = 0; i < N; ++i) {
        drawn[i] += (double)table[i].probability / N;
        drawn[table[i].alias] += (1 - (double)table[i].probability) / N;
    }
    for (int i = 0; i < N; ++i) {
        assert_true(fabs(drawn[i] - weights[i] / sum) < 1e-9);
        assert_true(weights[i] > 0 || drawn[i] == 0);
    }
}

TEST(environment_density_integrates_to_one)
{
    struct scene *scene = scene_well("open");
    const struct environment *e = &scene_host_view(scene)->environment;
    double sum = 0;
    for (uint32_t r = 0; r < e->cell_height; ++r)
        for (uint32_t c = 0; c < e->cell_width; ++c)
            sum += (double)e->cell_density[r * e->cell_width + c] * 2 * EXACT_PI / e->cell_width *
                   ((double)e->row_cosine[r] - (double)e->row_cosine[r + 1]);
    assert_float_equal(sum, 1, 1e-4);
    assert_float_equal(scene_host_view(scene)->environment_share, 1, 0);
    scene_close(scene);
}

TEST(elementary_functions_are_exact_enough)
{
    for (int i = -2000; i <= 2000; ++i) {
        double s, c;
        const double x = i * 0.0137;
        exact_sine_cosine(x, &s, &c);
        assert_true(fabs(s - sin(x)) < 1e-14 && fabs(c - cos(x)) < 1e-14);
    }
    for (int i = 0; i <= 255; ++i) {
        const double x = i / 255.0, linear = x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
        assert_true(fabs(exact_linear_from_srgb(x) - linear) < 1e-14);
    }
}

TEST_GROUP(scenes_begin, NULL)
