// SPDX-License-Identifier: MIT
// Wide trees: directed rounding, counts of nodes against a plain walk, and facts against nodes read word by word. How they are
// made: test_wide_collapse.c; what they have in common with other trees: test_trees.c, test_builders.c, test_tree_damage.c.
#include <fenv.h>
#include <math.h>

#include "check.h"
#include "base/random.h"
#include "tree_support.h"
#include "trees/wide_facts.h"
#include "trees/wide_write.h"

static uint64_t random_state = 1;

static float random_float(float scale)
{
    return scale * random_signed(&random_state);
}

// ---- arithmetic

// Against the processor's own rounding.
static float rounded(int mode, float a, float b, float c)
{
    volatile float x = a, y = b, z = c;
    fesetround(mode);
    volatile const float result = fmaf(x, y, z);
    fesetround(FE_TONEAREST);
    return result;
}

TEST(test_directed_rounding)
{
    for (uint32_t i = 0; i < 200000 / FEWER; ++i) {
        const float a = ldexpf(random_float(1), (int)random_below(&random_state, 60) - 30);
        const float b = i % 4 ? ldexpf(random_float(1), (int)random_below(&random_state, 60) - 30)
                              : (float)random_below(&random_state, 256);
        const float c = i % 5   ? ldexpf(random_float(1), (int)random_below(&random_state, 60) - 30)
                        : i % 2 ? -a * b
                                : 0.0f;
        const float down = fmaf_down(a, b, c), up = fmaf_up(a, b, c);
        if (down != rounded(FE_DOWNWARD, a, b, c) || up != rounded(FE_UPWARD, a, b, c))
            fail_msg("fma of %a %a %a: %a and %a", (double)a, (double)b, (double)c, (double)down, (double)up);
    }
}

// ---- a plain walk: recursive, its boxes tested with ray.h or, where compressed, with the processor's rounding

struct plain_walk {
    const struct scene_view *scene;
    const struct ray *ray;
    struct box_ray box;
    struct hit hit;
    uint64_t nodes, triangles;
};

struct plain_child {
    int32_t child;
    uint32_t slot;
    float entry;
    bool met;
};

static uint32_t plain_width(const struct scene_view *scene)
{
    return scene->tree == TREE_WIDE_COMPRESSED ? 8 : 2u << scene->tree_width;
}

static void plain_slot(const struct plain_walk *walk, int32_t node, uint32_t s, struct plain_child *to)
{
    const uint32_t width = plain_width(walk->scene);
    const float *words = (const float *)walk->scene->nodes + 4 * (size_t)node;
    struct vec3 low, high;
    float exit;
    memcpy(&low, (float[3]){words[s], words[2 * width + s], words[4 * width + s]}, sizeof low);
    memcpy(&high, (float[3]){words[width + s], words[3 * width + s], words[5 * width + s]}, sizeof high);
    memcpy(&to->child, &words[6 * width + s], sizeof to->child);
    box_interval(&walk->box, low, high, &to->entry, &exit);
    to->met = to->child != WIDE_EMPTY && to->entry <= fminf(exit, walk->hit.t);
}

static void plain_compressed_slot(const struct plain_walk *walk, int32_t index, uint32_t s, struct plain_child *to)
{
    const struct wide_compressed_node *node = (const struct wide_compressed_node *)walk->scene->nodes + index;
    const float inverse[3] = {walk->box.inverse.x, walk->box.inverse.y, walk->box.inverse.z};
    const float shift[3] = {walk->box.shift.x, walk->box.shift.y, walk->box.shift.z};
    float near = 0.0f, far = walk->hit.t;
    for (int axis = 0; axis < 3; ++axis) {
        const float step = ldexpf(inverse[axis], node->exponent[axis] - 127);
        const bool down = signbit(inverse[axis]);
        const float first = (float)(down ? node->high : node->low)[axis][s];
        const float last = (float)(down ? node->low : node->high)[axis][s];
        near = fmaxf(near, rounded(FE_DOWNWARD, first, step,
                                   rounded(FE_DOWNWARD, node->origin[axis], inverse[axis], shift[axis])));
        far = fminf(far,
                    rounded(FE_UPWARD, last, step, rounded(FE_UPWARD, node->origin[axis], inverse[axis], shift[axis])));
    }
    uint32_t rank = 0;
    for (uint32_t i = 0; i < s; ++i)
        rank += node->inner >> i & 1;
    to->child = node->inner >> s & 1 ? (int32_t)(node->nodes + rank)
                : node->leaf[s]      ? bvh_leaf_make(node->triangles + node->leaf[s] % 32, node->leaf[s] / 32)
                                     : WIDE_EMPTY;
    to->entry = near;
    to->met = to->child != WIDE_EMPTY && near <= far;
}

// The place in the order of visits.
static uint32_t plain_key(const struct plain_walk *walk, int32_t node, uint32_t slot)
{
    const uint32_t width = plain_width(walk->scene), order = walk->scene->child_order;
    const float direction[3] = {walk->ray->direction.x, walk->ray->direction.y, walk->ray->direction.z};
    uint32_t axes = 0 | 1 << 2 | 2 << 4, key = slot;
    if (width < 8)
        memcpy(&axes, (const float *)walk->scene->nodes + 4 * (size_t)node + 7 * (size_t)width, sizeof axes);
    if (order != CHILD_ORDER_OCTANT && order != CHILD_ORDER_GREEDY)
        return slot;
    for (uint32_t bit = 0; 1u << bit < width; ++bit)
        if (signbit(direction[axes >> 2 * bit & 3]))
            key ^= 1u << bit;
    return key;
}

static bool plain_before(const struct plain_walk *walk, int32_t node, const struct plain_child *a,
                         const struct plain_child *b)
{
    if (walk->scene->child_order == CHILD_ORDER_DISTANCE && a->entry != b->entry)
        return a->entry < b->entry;
    return plain_key(walk, node, a->slot) < plain_key(walk, node, b->slot);
}

static void plain_node(struct plain_walk *walk, int32_t node)
{
    const uint32_t width = plain_width(walk->scene);
    const bool compressed = walk->scene->tree == TREE_WIDE_COMPRESSED;
    struct plain_child children[WIDE_MOST];
    ++walk->nodes;
    for (uint32_t s = 0; s < width; ++s) {
        children[s].slot = s;
        (compressed ? plain_compressed_slot : plain_slot)(walk, node, s, &children[s]);
    }
    for (uint32_t i = 1; i < width; ++i) // into the order of visits
        for (uint32_t k = i; k > 0 && plain_before(walk, node, &children[k], &children[k - 1]); --k) {
            const struct plain_child other = children[k];
            children[k] = children[k - 1];
            children[k - 1] = other;
        }
    for (uint32_t i = 0; i < width; ++i) {
        const bool culled = walk->scene->tree_stack == TREE_STACK_CHILDREN && children[i].entry > walk->hit.t;
        if (!children[i].met || culled)
            continue;
        if (children[i].child >= 0)
            plain_node(walk, children[i].child);
        else
            walk->triangles +=
                binary_leaf(children[i].child, NULL, walk->scene, walk->ray, &walk->box, false, &walk->hit);
    }
}

static struct trace_work plain_trace(const struct scene_view *scene, const struct ray_record *rays, uint32_t count)
{
    struct trace_work total = {0};
    for (uint32_t i = 0; i < count; ++i) {
        const struct ray ray = record_ray(&rays[i]);
        struct plain_walk walk = {.scene = scene, .ray = &ray, .box = box_ray_make(&ray)};
        walk.hit = (struct hit){.t = rays[i].t_max, .slot = HIT_NONE};
        plain_node(&walk, 0);
        total.nodes += walk.nodes;
        total.triangles += walk.triangles;
    }
    return total;
}

static void check_counts(const struct scene_view *scene, const struct ray_record *rays, uint32_t count,
                         const char *what)
{
    struct hit *hits = malloc(count * sizeof *hits);
    assert_non_null(hits);
    const struct trace_work work = trace_rays_counted(scene, &(struct trace_options){0}, rays, count, hits);
    const struct trace_work expected = plain_trace(scene, rays, count);
    if (work.nodes != expected.nodes || work.triangles != expected.triangles)
        fail_msg("%s: %llu nodes, %llu triangles against %llu, %llu", what, (unsigned long long)work.nodes,
                 (unsigned long long)work.triangles, (unsigned long long)expected.nodes,
                 (unsigned long long)expected.triangles);
    free(hits);
}

// ---- facts

// The least sum of costs of the children from `child` on, over all ways to give each a slot that none before it has.
static int64_t least_from(const struct wide_cost_table *costs, uint32_t child, uint32_t count, uint32_t slots,
                          uint32_t taken)
{
    int64_t least = child == count ? 0 : INT64_MAX;
    for (uint32_t s = 0; s < slots && child < count; ++s)
        if (!(taken >> s & 1)) {
            const int64_t sum = costs->of[child][s] + least_from(costs, child + 1, count, slots, taken | 1u << s);
            least = sum < least ? sum : least;
        }
    return least;
}

// Of a node read word by word: how many children, and whether their slots cost least.
static uint32_t plain_children(const float *words, uint32_t slots, bool *least)
{
    struct wide_children_boxes boxes = {.slots = slots};
    struct wide_cost_table costs;
    uint32_t slot_of[WIDE_MOST], axes;
    int64_t sum = 0;
    for (uint32_t s = 0; s < slots; ++s) {
        int32_t child;
        memcpy(&child, &words[6 * slots + s], sizeof child);
        if (child == WIDE_EMPTY)
            continue;
        for (uint32_t axis = 0; axis < 3; ++axis) {
            boxes.low[boxes.count][axis] = words[2 * axis * slots + s];
            boxes.high[boxes.count][axis] = words[(2 * axis + 1) * slots + s];
        }
        slot_of[boxes.count++] = s;
    }
    memcpy(&axes, &words[7 * slots], sizeof axes);
    wide_costs(axes, &boxes, &costs);
    for (uint32_t c = 0; c < boxes.count; ++c)
        sum += costs.of[c][slot_of[c]];
    *least = sum == least_from(&costs, 0, boxes.count, slots, 0);
    return boxes.count;
}

static void check_facts(const struct tree *tree, const struct scene_tree_options *options)
{
    struct wide_facts facts;
    uint64_t sum = 0, children = 0, least = 0;
    wide_facts_make(tree, &facts);
    assert_int_equal(facts.children, tree->node_count - 1 + tree->facts.leaves);
    for (uint32_t n = 0; n <= WIDE_SLOTS; ++n) {
        sum += facts.nodes[n];
        children += n * facts.nodes[n];
    }
    assert_int_equal(sum, tree->node_count);
    assert_int_equal(children, facts.children);
    if (options->kind == TREE_WIDE && options->child_order == CHILD_ORDER_OCTANT)
        assert_int_equal(facts.least, tree->node_count);
    if (options->kind != TREE_WIDE || options->tree_width == 2) // of 8 slots there are too many ways
        return;
    const size_t bytes = wide_node_bytes(options->tree_width, options->node_align);
    for (uint64_t i = 0; i < tree->node_count; ++i) {
        bool stands;
        const float *words = (const float *)((const char *)tree->nodes + i * bytes);
        sum -= plain_children(words, 2u << options->tree_width, &stands) > 0;
        least += stands;
    }
    assert_int_equal(sum, 0);
    assert_int_equal(facts.least, least);
    assert_true(options->child_order != CHILD_ORDER_NONE || options->tree_width == 0 || least < tree->node_count);
}

// ---- all wide trees

struct sample {
    struct test_mesh mesh;
    struct ray_record *rays;
    uint32_t count;
};

static void check_tree(void *context, const struct scene_tree_options *options)
{
    const struct sample *sample = context;
    struct built built;
    char what[128];
    if (options->levels || options->leaf_size) // leaves of default size
        return;
    describe_tree(options, what, sizeof what);
    build(&sample->mesh, options, 1, &built);
    check_counts(&built.arranged.view, sample->rays, sample->count, what);
    check_facts(&built.tree, options);
    built_finish(&built);
}

TEST(counts_and_facts)
{
    struct sample sample = {.count = 900 / COARSER};
    small_mesh_make(MESH_SPHERE, &sample.mesh);
    sample.rays = calloc(sample.count, sizeof *sample.rays);
    assert_non_null(sample.rays);
    hard_rays(&sample.mesh, 0x1p-14f, sample.rays, sample.count);
    assert_true(tree_cases(TREE_WIDE, check_tree, &sample) > 42);
    assert_true(tree_cases(TREE_WIDE_COMPRESSED, check_tree, &sample) > 6);
    free(sample.rays);
    test_mesh_finish(&sample.mesh);
}
