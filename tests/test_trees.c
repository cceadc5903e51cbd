// SPDX-License-Identifier: MIT
// Every kind of tree with every option that it uses, over every mesh, whole and split, flat and instanced, as it is built and
// as it comes back from the cache, walked in every way by every triangle test: hits are those of a search through all
// triangles, bit for bit, on large meshes those of a reference in double precision and of Embree. A new kind is here by its
// row in trees.def. What only one kind has is in that kind's own tests.
#include <math.h>

#include "check.h"
#include "folder_support.h"
#include "bench/ray_sets.h"
#include "geometry/affine.h"
#include "scene/scene.h"
#include "trees/hit_point.h"
#include "tree_support.h"
#ifdef WARPSTUDY_HAVE_EMBREE
#include "embree_support.h"
#endif

static const char *folder;
static bool full;

// ---- without a tree

// Within one instance, or over all of a flat scene.
static void search(const struct scene_view *view, uint32_t first, uint32_t count, const struct ray *ray,
                   const struct box_ray *box, struct hit *hit)
{
    for (uint32_t i = first; i < first + count; ++i)
        triangle_test(view, view->split ? view->fragments[i].triangle : i, TRIANGLES_WHOLE, i, ray, box, hit);
}

// As trees/levels.h defines a hit.
static void search_instance(const struct scene_view *view, const struct instance *instance, uint32_t first_object,
                            const struct ray *ray, const struct box_ray *box, struct hit *hit)
{
    float entry, exit;
    struct ray own = *ray;
    struct box_ray own_box = *box;
    struct hit within = {.t = hit->t, .slot = HIT_NONE};
    box_interval(box, instance->low, instance->high, &entry, &exit);
    if (!(entry <= exit) || entry > hit->t)
        return;
    if (!instance->identity) {
        own.origin = instance_turn(instance->to_object, vec3_sub(ray->origin, instance->position));
        own.direction = instance_turn(instance->to_object, ray->direction);
        own_box = box_ray_make(&own);
    }
    own_box.pad = instance->pad;
    own_box.entry = entry;
    const bool is_mesh = instance->object == 0;
    search(view, is_mesh ? 0 : first_object, is_mesh ? first_object : view->triangle_count - first_object, &own,
           &own_box, &within);
    const uint32_t id = within.slot + instance->ids;
    if (within.slot == HIT_NONE || (within.t == hit->t && hit->id != HIT_NONE && id > hit->id))
        return;
    hit->t = within.t;
    hit->id = id;
}

// The closest hit without a tree: every triangle is tried, or every fragment, of every instance that the ray meets. `view` has the
// triangles in the scene's own order. In two levels the scene has two objects: the first of so many triangles, the second of all others.
static struct hit tree_search(const struct scene_view *view, uint32_t first_object, const struct ray_record *record)
{
    const struct ray ray = record_ray(record);
    struct box_ray box = box_ray_make(&ray);
    struct hit hit = {.t = record->t_max, .slot = HIT_NONE, .id = HIT_NONE};
    for (uint32_t i = 0; i < view->instance_count; ++i)
        search_instance(view, &view->instances[i], first_object, &ray, &box, &hit);
    if (view->instance_count)
        return hit;
    if (view->split)
        box.shift = fragment_shift(view->grid_zero, ray.origin, box.inverse);
    search(view, 0, view->triangle_count, &ray, &box, &hit);
    hit.id = hit.slot; // in the scene's own order
    return hit;
}

// ---- scenes of a mesh

enum { FORM_WHOLE, FORM_SPLIT, FORM_LEVELS, FORMS };
enum { TESTS = 4 }; // TRIANGLE_TEST_*, and the affine one by its z first

// A mesh as the scenes "flat" and "instanced", the first object of the second being the mesh. Of each form: the scene with its
// default tree, rays, and the closest hits by each triangle test.
struct fixture {
    struct test_mesh mesh;
    struct scene *scenes[FORMS];
    struct ray_record *rays[FORMS];
    struct hit *expected[FORMS][TESTS];
    uint32_t count;         // of rays
    uint32_t number, share; // of the next case of a kind; of cases one in `share` is tried
    uint32_t ways;          // that each of these is walked in by each triangle test; 0: all, by the watertight test
    uint32_t forms, tests;  // that are tried: the first of FORM_*, and of the triangle tests
    bool images;            // no kinds that are arranged from another's image
};

static uint32_t form_of(const struct scene_tree_options *options)
{
    return options->levels ? FORM_LEVELS : options->split ? FORM_SPLIT : FORM_WHOLE;
}

static const struct scene_tree_options defaults[FORMS] = {
    {.kind = TREE_BINARY}, {.kind = TREE_BINARY, .split = 1}, {.kind = TREE_BINARY, .levels = 1, .top = TREE_BINARY}};

// As binary STL: 80 bytes, the count, and of each triangle a normal, corners and two bytes.
static void write_mesh(const struct test_mesh *mesh)
{
    enum { HEAD = 84, ENTRY = 50, NORMAL = 12 };
    const size_t size = HEAD + ENTRY * (size_t)mesh->count;
    char *bytes = calloc(size, 1);
    assert_non_null(bytes);
    memcpy(bytes + 80, &mesh->count, sizeof mesh->count);
    for (uint32_t i = 0; i < mesh->count; ++i)
        memcpy(bytes + HEAD + ENTRY * (size_t)i + NORMAL, &mesh->corners[9 * (size_t)i], 9 * sizeof *mesh->corners);
    folder_write(folder, "mesh.stl", bytes, size);
    free(bytes);
}

static void write_scenes(const struct test_mesh *mesh)
{
#define MESH "meshes: {m: {file: mesh.stl}}\ncameras: {main: {eye: [0, 0, 9], at: [0, 0, 0]}}\n"
    static const char flat[] = MESH "objects: [{mesh: m}]\n";
    static const char instanced[] =
        MESH "parts:\n  a: [{mesh: m}]\n  b: [{shape: box, size: 0.5}]\ninstances:\n"
             "  - {of: a}\n"
             "  - {of: b, position: [1, 2, 0.5], rotation: 30}\n"
             "  - {of: a, position: [3, -1, 2], rotation: [10, 20, 30], scale: [2, 0.5, 1]}\n"
             "  - {of: a, matrix: [-1, 0, 0, 0.3, 0.2, 1, 0, 0, 0, 0, 1, -0.2]}\n";
    write_mesh(mesh);
    folder_write(folder, "flat.yaml", flat, sizeof flat - 1);
    folder_write(folder, "instanced.yaml", instanced, sizeof instanced - 1);
}

static struct scene *open_scene(const struct scene_tree_options *options, uint32_t threads, bool rebuild)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s.yaml", folder, options->levels ? "instanced" : "flat");
    return made(scene_open(
        &(struct scene_request){.name = path, .tree = *options, .threads = threads, .rebuild = rebuild}, &why));
}

// ---- a search through all triangles

// The scene's triangles in its own order, each of which the tree has once: of a flat scene the mesh, of one in two levels the
// mesh and behind it the other object.
static struct triangle *own_order(const struct fixture *fixture, uint32_t form)
{
    const struct test_mesh *mesh = &fixture->mesh;
    const struct tree *tree = scene_tree(fixture->scenes[form]);
    const uint32_t count = (uint32_t)scene_facts(fixture->scenes[form])->triangles;
    struct triangle *triangles = calloc(count, sizeof *triangles);
    assert_non_null(triangles);
    for (uint32_t i = 0; i < count; ++i)
        triangles[i].id = HIT_NONE;
    for (uint64_t i = 0; i < tree->triangle_count; ++i) {
        const uint32_t id = tree->triangles[i].id;
        assert_true(id < count && (form == FORM_SPLIT || triangles[id].id == HIT_NONE));
        triangles[id] = tree->triangles[i];
    }
    for (uint32_t i = 0; i < count; ++i) {
        assert_int_equal(triangles[i].id, i);
        if (i < mesh->count)
            assert_memory_equal(&triangles[i].v0, &mesh->triangles[i].v0, sizeof(struct vec3));
    }
    return triangles;
}

// The scene as triangles in the world, for rays to aim at.
static struct test_mesh flattened(const struct scene_view *view, uint32_t mesh_count)
{
    struct test_mesh mesh;
    const uint32_t copies = view->instance_count ? view->instance_count : 1;
    float *corners = calloc(9 * (size_t)copies * mesh_count, sizeof *corners), *to = corners;
    assert_non_null(corners);
    for (uint32_t i = 0; i < copies; ++i)
        for (uint32_t k = 0; k < mesh_count; ++k) {
            const struct vec3 v[3] = {view->triangles[k].v0, view->triangles[k].v1, view->triangles[k].v2};
            for (int c = 0; c < 3; ++c, to += 3) {
                const struct instance *in = &view->instances[i];
                const struct vec3 placed =
                    view->instances ? vec3_add(instance_turn(in->to_world, v[c]), in->position) : v[c];
                memcpy(to, &placed, sizeof placed);
            }
        }
    assert_true(test_mesh_from_corners(&mesh, corners, copies * mesh_count));
    return mesh;
}

static void expect_by_search(struct fixture *fixture, uint32_t form)
{
    struct scene_view view = *scene_host_view(fixture->scenes[form]);
    struct triangle *triangles = own_order(fixture, form);
    view.triangles = triangles;
    view.maps = affine_maps(triangles, scene_facts(fixture->scenes[form])->triangles);
    assert_non_null(view.maps);
    struct test_mesh world = flattened(&view, fixture->mesh.count);
    hard_rays(&world, view.box_pad, fixture->rays[form], fixture->count);
    uint32_t met = 0;
    for (uint32_t test = 0; test < TESTS - 1; ++test) {
        view.triangle_test = test;
        for (uint32_t i = 0; i < fixture->count; ++i) {
            fixture->expected[form][test][i] = tree_search(&view, fixture->mesh.count, &fixture->rays[form][i]);
            met += fixture->expected[form][test][i].id != HIT_NONE;
        }
    }
    memcpy(fixture->expected[form][TESTS - 1], fixture->expected[form][TESTS - 2],
           fixture->count * sizeof *fixture->expected[form][0]);
    assert_true(met > fixture->count / 8 && met < (TESTS - 1) * fixture->count);
    test_mesh_finish(&world);
    free((void *)(uintptr_t)view.maps);
    free(triangles);
}

static void fixture_make(struct fixture *fixture, uint32_t count)
{
    fixture->count = count;
    write_scenes(&fixture->mesh);
    for (uint32_t form = 0; form < fixture->forms; ++form) {
        fixture->scenes[form] = open_scene(&defaults[form], 1, false);
        fixture->rays[form] = calloc(count, sizeof *fixture->rays[form]);
        for (uint32_t test = 0; test < TESTS; ++test)
            fixture->expected[form][test] = calloc(count, sizeof(struct hit));
        assert_int_equal(scene_facts(fixture->scenes[form])->dropped_triangles, 0);
    }
}

static void fixture_finish(struct fixture *fixture)
{
    for (uint32_t form = 0; form < fixture->forms; ++form) {
        scene_close(fixture->scenes[form]);
        free(fixture->rays[form]);
        for (uint32_t test = 0; test < TESTS; ++test)
            free(fixture->expected[form][test]);
    }
    test_mesh_finish(&fixture->mesh);
}

// ---- a case

static size_t node_bytes(const struct tree *tree)
{
    struct scene_tree_options settled;
    assert_true(tree_settle(&tree->options, &settled, &why));
    return tree->roots ? tree->node_bytes : tree->node_count * tree_node_size(&settled);
}

static void same_tree(const struct scene *one, const struct scene *other)
{
    const struct tree *a = scene_tree(one), *b = scene_tree(other);
    assert_int_equal(node_bytes(a), node_bytes(b));
    assert_memory_equal(a->nodes, b->nodes, node_bytes(a));
    assert_int_equal(a->reference_count, b->reference_count);
    assert_memory_equal(a->references ? a->references : (const void *)"",
                        b->references ? b->references : (const void *)"", a->reference_count * sizeof *a->references);
    assert_memory_equal(a->triangles, b->triangles, a->triangle_count * sizeof *a->triangles);
    assert_memory_equal(&a->facts, &b->facts, sizeof a->facts);
}

// Facts against what is there, and that leaves name every triangle or fragment.
static void check_facts(const struct scene *scene)
{
    const struct scene_facts *facts = scene_facts(scene);
    const struct tree *tree = scene_tree(scene);
    const uint64_t parts = facts->fragments ? facts->fragments : facts->triangles;
    const bool boxes = tree_kinds[facts->tree.kind]->own_order;
    assert_true(tree->facts.depth < TREE_STACK && tree->facts.leaves > 0 && tree->facts.sah_cost > 0);
    assert_true(boxes ? tree->facts.references == parts : tree->facts.references >= parts);
    assert_true(!boxes || (tree->facts.leaf_size <= facts->tree.leaf_size && tree->facts.leaves <= parts));
    const uint64_t named = tree->reference_count ? tree->reference_count : boxes ? tree->triangle_count : 0;
    unsigned char *seen = calloc(parts, 1);
    assert_non_null(seen);
    for (uint64_t i = 0; i < named; ++i) {
        const uint32_t part = tree->reference_count ? tree->references[i] : tree->triangles[i].id;
        assert_true(part < parts && !(boxes && seen[part]));
        seen[part] = 1;
    }
    for (uint64_t i = 0; named && i < parts; ++i)
        assert_int_equal(seen[i], 1);
    free(seen);
}

static void check_walks(const struct fixture *fixture, const struct scene *scene, uint32_t test,
                        const struct scene_tree_options *options)
{
    char what[128];
    struct arranged arranged;
    const uint32_t form = form_of(options), all = tree_kinds[options->kind]->image == TREE_KD16 ? KD_WAYS : WAYS;
    const uint32_t ways = fixture->ways ? fixture->ways : test ? 4 : all;
    describe_tree(options, what, sizeof what);
    arrange(scene_tree(scene), scene_facts(scene)->box_low, scene_facts(scene)->box_high, scene_host_view(scene),
            &arranged);
    arranged.view.triangle_test = test < TESTS - 1 ? test : TRIANGLE_TEST_AFFINE;
    arranged.view.affine_order = test < TESTS - 1 ? AFFINE_ORDER_ALL : AFFINE_ORDER_Z_FIRST;
    for (uint32_t i = 0; i < ways; ++i) {
        // 5 is no factor of either: so the ways of one case after another are all of them.
        const struct way way = way_make(ways == all ? i : 5 * (fixture->number * ways + i + 7 * test) % all);
        check_way(&arranged.view, &way, fixture->rays[form], fixture->count, fixture->expected[form][test], what);
    }
    arranged_finish(&arranged);
}

// The first scene is built, the second comes from the cache.
static void check_case(void *context, const struct scene_tree_options *options)
{
    struct fixture *fixture = context;
    struct scene_tree_options affine = *options;
    const uint32_t tests = options->kind == TREE_WIDE4 ? 1 : fixture->tests; // it keeps what the watertight test reads
    if (fixture->number++ % fixture->share || form_of(options) >= fixture->forms)
        return;
    affine.affine = 1;
    struct scene *built = open_scene(options, 1, false), *loaded = open_scene(&affine, 1, false);
    check_facts(built);
    same_tree(built, loaded);
    for (uint32_t test = 0; test < tests; ++test)
        check_walks(fixture, test < TRIANGLE_TEST_AFFINE ? built : loaded, test, options);
    scene_close(built);
    scene_close(loaded);
}

static void check_all_cases(struct fixture *fixture, uint32_t first)
{
    uint32_t count = 0;
    for (uint32_t kind = 0; kind < TREE_KINDS; ++kind) {
        if (tree_kinds[kind]->traced || (fixture->images && tree_kinds[kind]->image != kind))
            continue;
        fixture->number = first;
        const uint32_t there = tree_cases(kind, check_case, fixture);
        assert_true(there > 0);
        count += there;
    }
    assert_true(fixture->images || count >= 900); // were an option no longer used, there would be fewer
    print_message("  %u triangles, %u rays: of %u trees one in %u\n", fixture->mesh.count, fixture->count, count,
                  fixture->share);
}

// ---- small meshes: all trees over one of them, each some over the others

static void small_meshes(void **state)
{
    for (uint32_t which = 0; which < SMALL_MESHES; ++which) {
        const bool all = which == MESH_SOUP;
        struct fixture fixture = {.share = all ? 1 : 17, .ways = all ? 0 : 4, .forms = FORMS, .tests = TESTS};
        small_mesh_make(which, &fixture.mesh);
        fixture_make(&fixture, full ? 1 << 14 : all ? 99 : 270);
        for (uint32_t form = 0; form < FORMS; ++form)
            expect_by_search(&fixture, form);
        check_all_cases(&fixture, which);
        fixture_finish(&fixture);
    }
}

// ---- large meshes: the default binary tree against a reference and Embree, and trees against that

enum { SETS = RAY_SET_DIFFUSE2 + 1 }; // the others are of the same rays

struct differences {
    uint32_t hit_or_miss, far_t, id;
};

static void add_difference(struct differences *differences, const struct hit *hit, double t, uint32_t id)
{
    const bool was_hit = hit->id != HIT_NONE, is_hit = id != HIT_NONE;
    differences->id += hit->id != id;
    if (was_hit != is_hit)
        ++differences->hit_or_miss;
    else if (is_hit && fabs((double)hit->t - t) > 1e-5 * t)
        ++differences->far_t;
}

static void report(const char *against, const char *set, const struct differences *differences, uint32_t count)
{
    print_message("  %-18s of %u against %-9s: %u in hit or miss, %u in t, %u in triangle\n", set, count, against,
                  differences->hit_or_miss, differences->far_t, differences->id);
}

static void check_reference(const struct ray_set *set, const struct hit *hits, uint32_t count)
{
    struct differences differences = {0};
    for (uint32_t i = 0; i < count; ++i)
        add_difference(&differences, &hits[i], set->hits[i].t, set->hits[i].id);
    report("reference", set->name, &differences, count);
    assert_int_equal(differences.hit_or_miss, 0);
    assert_true(differences.far_t <= count / 10000 + 1);
}

#ifdef WARPSTUDY_HAVE_EMBREE
static void check_embree(const struct test_mesh *mesh, const struct ray_set *set, const struct hit *hits,
                         uint32_t count)
{
    struct embree *embree = embree_create(mesh);
    struct hit *theirs = malloc(count * sizeof *theirs);
    struct differences differences = {0};
    assert_true(embree && theirs);
    embree_trace(embree, set->rays, count, theirs);
    for (uint32_t i = 0; i < count; ++i)
        add_difference(&differences, &hits[i], (double)theirs[i].t, theirs[i].id);
    report("Embree", set->name, &differences, count);
    // Embree itself may slip through an edge now and then.
    assert_true(differences.hit_or_miss + differences.far_t <= count / 10000 + 1);
    free(theirs);
    embree_destroy(embree);
}
#else
static void check_embree(const struct test_mesh *mesh, const struct ray_set *set, const struct hit *hits,
                         uint32_t count)
{
    print_message("  %-18s of %u: built without Embree, not compared with it\n", set->name, count);
}
#endif

// The rays of the sets, and behind them as many hard ones as one set has.
static void expect_by_reference(struct fixture *fixture, const struct ray_sets *sets, uint32_t form)
{
    struct scene_view view = *scene_host_view(fixture->scenes[form]);
    struct hit *hits = fixture->expected[form][0];
    const uint32_t count = sets->count;
    for (int set = 0; set < SETS; ++set)
        memcpy(fixture->rays[form] + set * count, sets->sets[set].rays, count * sizeof *fixture->rays[form]);
    hard_rays(&fixture->mesh, view.box_pad, fixture->rays[form] + SETS * count, count);
    trace_plain(&view, fixture->rays[form], fixture->count, hits);
    uint32_t met = 0;
    for (uint32_t i = 0; i < fixture->count; ++i)
        met += hits[i].id != HIT_NONE;
    assert_true(met > fixture->count / 100);
    for (int set = 0; form == FORM_WHOLE && set < SETS; ++set) {
        check_reference(&sets->sets[set], hits + set * count, count);
        check_embree(&fixture->mesh, &sets->sets[set], hits + set * count, count);
    }
}

static void check_large(struct fixture *fixture, const struct ray_set_view *view, uint32_t side)
{
    struct ray_sets sets;
    const struct ray_mesh rays = test_mesh_rays(&fixture->mesh);
    need(ray_sets_make(&rays, view, side, 0, &sets, &why));
    fixture_make(fixture, (SETS + 1) * sets.count);
    for (uint32_t form = 0; form < fixture->forms; ++form)
        expect_by_reference(fixture, &sets, form);
    check_all_cases(fixture, 0);
    fixture_finish(fixture);
    ray_sets_finish(&sets);
}

static void procedural_mesh(void **state)
{
    struct fixture fixture = {.share = 41, .ways = full ? WAYS : 1, .forms = FORMS, .tests = 1};
    assert_true(test_mesh_procedural(&fixture.mesh));
    const struct ray_set_view view = ray_set_outside_view(fixture.mesh.low, fixture.mesh.high);
    check_large(&fixture, &view, 128 / COARSER);
}

// A scene has no triangles without area.
static void drop_lines(struct test_mesh *mesh)
{
    struct test_mesh from = *mesh;
    uint32_t count = 0;
    float *corners = malloc(9 * (size_t)from.count * sizeof *corners);
    assert_non_null(corners);
    for (uint32_t i = 0; i < from.count; ++i)
        if (vec3_reach(triangle_cross(&from.triangles[i])) > 0)
            memcpy(&corners[9 * (size_t)count++], &from.corners[9 * (size_t)i], 9 * sizeof *corners);
    assert_true(test_mesh_from_corners(mesh, corners, count));
    test_mesh_finish(&from);
}

// By the default tree of each kind that has an image of its own.
static void sponza(void **state)
{
    struct fixture fixture = {
        .share = UINT32_MAX, .ways = full ? WAYS : 1, .forms = full ? FORMS : 1, .tests = 1, .images = true};
    if (FEWER > 1) {
        print_message("left to the build without sanitizers\n");
        skip();
    }
    if (!test_mesh_sponza(&fixture.mesh)) {
        print_message("sponza.ply.xz is not there: set WARPSTUDY_SHARED_SCENES to its folder\n");
        skip();
    }
    drop_lines(&fixture.mesh);
    check_large(&fixture, &ray_set_sponza_view, full ? 1024 : 256);
}

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_meshes),
        cmocka_unit_test(procedural_mesh),
        cmocka_unit_test(sponza),
    };
    full = getenv("WARPSTUDY_FULL_TESTS") || (count > 1 && strcmp(words[1], "--full") == 0);
    folder = folder_new();
    setenv("WARPSTUDY_CACHE", folder, 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
