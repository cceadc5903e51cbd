// SPDX-License-Identifier: MIT
// The kd-tree: chains of leaves, depth and limits; that a plain reader finds in each layout the nodes, lists and triangles of
// the image it was arranged from; that counts of nodes loaded are what the stack makes them. What it has in common with other
// trees: test_trees.c, test_builders.c, test_tree_damage.c.
#include <math.h>

#include "check.h"
#include "tree_support.h"
#include "trees/kd_arrange.h"

static const struct layout {
    const char *name;
    uint32_t kind, bytes;
    bool heap, lists_apart, triangles_apart, split;
} layouts[] = {
    {"kd_ptr25", TREE_KD_PTR25, 25, true, true, true, false},
    {"kd_ptr28", TREE_KD_PTR28, 28, true, true, true, false},
    {"kd_aos", TREE_KD_AOS, 25, false, true, true, false},
    {"kd_cat_l", TREE_KD_CAT_L, 25, false, false, true, false},
    {"kd_cat_lt", TREE_KD_CAT_LT, 25, false, false, false, false},
    {"kd_cat28", TREE_KD_CAT28, 28, false, false, false, false},
    {"kd16", TREE_KD16, 16, false, false, false, false},
    {"kd16_soa", TREE_KD16_SOA, 16, false, false, false, true},
};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

static struct {
    struct test_mesh mesh;
    struct built built;
    struct arranged arranged;
} sphere;

// The tree in a layout; to be followed by release().
static struct scene_view lay_out(const struct layout *layout, uint32_t order)
{
    struct tree tree = sphere.built.tree;
    tree.layout = layout->kind;
    tree.order = order;
    arrange(&tree, sphere.mesh.low, sphere.mesh.high, &(struct scene_view){.box_pad = sphere.built.pad},
            &sphere.arranged);
    return sphere.arranged.view;
}

static void release(void)
{
    arranged_finish(&sphere.arranged);
}

static int set_up(void **state)
{
    static const float centre[3] = {3, -1, 0.5f};
    if (!test_mesh_sphere(&sphere.mesh, centre, 3)) // whose poles are what no plane separates
        return -1;
    build(&sphere.mesh, &(struct scene_tree_options){.kind = TREE_KD16}, 1, &sphere.built);
    return 0;
}

static int tear_down(void **state)
{
    built_finish(&sphere.built);
    test_mesh_finish(&sphere.mesh);
    return 0;
}

// ---- a plain reader, byte by byte, of what the layouts' definition says

struct plain_node {
    uint32_t leaf, axis, left, right, count, first;
    float split;
};

static uint32_t word_at(const unsigned char *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static struct plain_node read_16(const unsigned char *bytes)
{
    const uint32_t head = word_at(bytes);
    return (struct plain_node){.leaf = head >> 24 & 1,
                               .axis = head >> 30,
                               .count = head >> 25 & 31,
                               .left = head & 0xFFFFFF,
                               .split = f32_from_bits(word_at(bytes + 4)),
                               .right = word_at(bytes + 8),
                               .first = word_at(bytes + 12)};
}

static struct plain_node read_node(const struct layout *layout, const unsigned char *bytes)
{
    if (layout->bytes == 16)
        return read_16(bytes);
    const unsigned char *words = bytes + (layout->bytes - 24);
    return (struct plain_node){.leaf = bytes[0],
                               .axis = word_at(words),
                               .split = f32_from_bits(word_at(words + 4)),
                               .left = word_at(words + 8),
                               .right = word_at(words + 12),
                               .count = word_at(words + 16),
                               .first = word_at(words + 20)};
}

struct reader {
    const struct layout *layout;
    const unsigned char *nodes, *lists;
    const struct triangle *triangles;
    const float *corners;
    const uint32_t *rest;
    unsigned char *touched; // bytes of the nodes' block that something was read from
    uint64_t falls;         // links to lower places than the node that has them
    uint64_t visited;
};

static void touch(struct reader *reader, uint64_t first, uint64_t bytes)
{
    for (uint64_t i = first; i < first + bytes; ++i) {
        assert_int_equal(reader->touched[i], 0); // nothing stands within anything else
        reader->touched[i] = 1;
    }
}

static uint32_t id_at(const struct reader *reader, uint32_t slot)
{
    if (!reader->layout->split)
        return reader->triangles[slot].id;
    const uint32_t id = reader->rest[2 * (size_t)slot];
    const struct triangle *triangle = &sphere.mesh.triangles[id];
    assert_memory_equal(&reader->corners[9 * (size_t)slot], &triangle->v0, 12);
    assert_memory_equal(&reader->corners[9 * (size_t)slot + 3], &triangle->v1, 12);
    assert_memory_equal(&reader->corners[9 * (size_t)slot + 6], &triangle->v2, 12);
    assert_int_equal(reader->rest[2 * (size_t)slot + 1], triangle->material);
    return id;
}

static void compare_leaf(struct reader *reader, const struct plain_node *node, const struct kd16_node *image)
{
    const uint64_t list = reader->layout->heap ? node->first : 4 * (uint64_t)node->first;
    assert_int_equal(node->count, kd16_leaf_count(image));
    if (reader->layout->heap)
        touch(reader, list, 4 * (uint64_t)node->count);
    for (uint32_t i = 0; i < node->count; ++i)
        assert_int_equal(id_at(reader, word_at(reader->lists + list + 4 * i)),
                         sphere.built.tree.references[image->first + i]);
}

// The subtree at `link` against that at node `index` of the image.
static void compare(struct reader *reader, uint32_t link, uint32_t index)
{
    const struct kd16_node *image = (const struct kd16_node *)sphere.built.tree.nodes + index;
    const uint64_t place = reader->layout->heap ? link : (uint64_t)link * reader->layout->bytes;
    const struct plain_node node = read_node(reader->layout, reader->nodes + place);
    touch(reader, place, reader->layout->bytes);
    ++reader->visited;
    assert_int_equal(node.leaf, kd16_is_leaf(image));
    reader->falls += node.right != 0 && node.right < link;
    if (node.leaf) {
        compare_leaf(reader, &node, image);
        assert_int_equal(node.right != 0, image->right != 0);
        if (image->right)
            compare(reader, node.right, image->right);
        return;
    }
    assert_int_equal(node.axis, image->head >> KD16_AXIS);
    assert_memory_equal(&node.split, &image->split, 4);
    reader->falls += node.left < link;
    compare(reader, node.left, image->head & KD16_CHILD);
    compare(reader, node.right, image->right);
}

TEST(every_layout_holds_the_same_tree)
{
    const struct tree *tree = &sphere.built.tree;
    assert_true(tree->facts.chains > 0 && tree->node_count > 500);
    for (uint32_t i = 0; i < 2 * LAYOUTS; ++i) {
        const struct layout *layout = &layouts[i / 2];
        const struct scene_view view = lay_out(layout, i % 2);
        struct reader reader = {.layout = layout,
                                .nodes = view.nodes,
                                .lists = layout->heap ? view.nodes : (const void *)view.references,
                                .triangles = view.triangles,
                                .corners = (const void *)view.triangles,
                                .rest = view.triangles_rest,
                                .touched = calloc(sphere.arranged.blocks[TREE_NODES].size, 1)};
        assert_non_null(reader.touched);
        compare(&reader, 0, 0);
        assert_int_equal(reader.visited, tree->node_count);
        assert_int_equal(layout->split, view.triangles_rest != NULL);
        if (!layout->heap)
            assert_int_equal(sphere.arranged.blocks[TREE_NODES].size, tree->node_count * layout->bytes);
        assert_true((reader.falls > tree->node_count / 4) == layout->heap); // random order
        assert_true(layout->heap || reader.falls == 0);
        free(reader.touched);
        release();
    }
}

// Lists one after another in the order of the leaves, or not; triangles in the scene's order, or not.
TEST(what_stands_apart_is_in_random_order)
{
    for (uint32_t i = 0; i < LAYOUTS; ++i) {
        const struct scene_view view = lay_out(&layouts[i], KD_ORDER_DEPTH);
        uint64_t same = 0;
        for (uint32_t slot = 0; !layouts[i].split && slot < sphere.mesh.count; ++slot)
            same += view.triangles[slot].id == slot;
        if (!layouts[i].split)
            assert_true((same < sphere.mesh.count / 10) == layouts[i].triangles_apart);
        uint64_t falls = 0, last = 0;
        for (uint32_t node = 0; !layouts[i].heap && node < sphere.built.tree.node_count; ++node) {
            const struct plain_node read =
                read_node(&layouts[i], (const unsigned char *)view.nodes + (size_t)node * layouts[i].bytes);
            falls += read.leaf && read.count && read.first < last;
            last = read.leaf && read.count ? read.first : last;
        }
        if (!layouts[i].heap)
            assert_true((falls > 0) == layouts[i].lists_apart);
        release();
    }
}

TEST(breadth_first_means_level_by_level)
{
    const struct scene_view view = lay_out(&layouts[6], KD_ORDER_BREADTH);
    const struct kd16_node *nodes = view.nodes;
    uint32_t next = 1; // children are numbered in the order of their parents
    for (uint32_t i = 0; i < sphere.built.tree.node_count; ++i) {
        if (!kd16_is_leaf(&nodes[i]))
            assert_int_equal(nodes[i].head & KD16_CHILD, next++);
        if (nodes[i].right)
            assert_int_equal(nodes[i].right, next++);
    }
    release();
}

// ---- counts

enum { RAYS = 1200 / COARSER };

static void make_rays(struct ray_record *rays)
{
    hard_rays(&sphere.mesh, sphere.built.pad, rays, RAYS);
}

static struct trace_work work_of(const struct layout *layout, uint32_t stack, uint32_t step,
                                 const struct ray_record *rays)
{
    static struct hit hits[RAYS];
    struct scene_view view = lay_out(layout, KD_ORDER_DEPTH);
    view.kd_stack = stack;
    view.kd_step = step;
    const struct trace_work work = trace_rays_counted(&view, &(struct trace_options){0}, rays, RAYS, hits);
    release();
    return work;
}

// An index and an address are loaded from when they are visited; a record was loaded when it was pushed, whether or not
// it is visited.
TEST(records_cost_the_children_never_visited)
{
    static struct ray_record rays[RAYS];
    make_rays(rays);
    for (uint32_t i = 0; i < LAYOUTS; ++i) {
        const struct trace_work index = work_of(&layouts[i], KD_STACK_INDEX, KD_STEP_XOR, rays),
                                address = work_of(&layouts[i], KD_STACK_ADDRESS, KD_STEP_BRANCHY, rays),
                                record = work_of(&layouts[i], KD_STACK_RECORD, KD_STEP_ALL, rays);
        assert_true(index.never_visited > 500);
        assert_int_equal(index.loads, index.nodes);
        assert_int_equal(address.loads, address.nodes);
        assert_int_equal(record.nodes, index.nodes);
        assert_int_equal(record.loads, index.loads + index.never_visited);
        assert_int_equal(index.triangles, address.triangles);
    }
}

// One ray to a triangle that is alone in its tree: a node of 16 bytes is in one sector; one of 25 at 0 too.
TEST(sectors_and_lines_are_those_of_the_layout)
{
    static struct ray_record rays[RAYS];
    make_rays(rays);
    const struct trace_work packed = work_of(&layouts[6], KD_STACK_INDEX, KD_STEP_XOR, rays),
                            tight = work_of(&layouts[4], KD_STACK_INDEX, KD_STEP_XOR, rays),
                            split = work_of(&layouts[7], KD_STACK_INDEX, KD_STEP_XOR, rays),
                            apart = work_of(&layouts[3], KD_STACK_INDEX, KD_STEP_XOR, rays);
    assert_int_equal(packed.sectors, packed.nodes);
    assert_int_equal(split.sectors, split.nodes);
    // Of nodes one behind another every 32 bytes begin in one: 24 of 32 nodes of 25 bytes stand in two sectors.
    const double share = (double)tight.sectors / (double)tight.nodes;
    assert_true(share > 1.65 && share < 1.85);
    assert_true(packed.leaves > 500 && packed.leaves < packed.nodes);
    assert_true(split.leaf_lines < packed.leaf_lines);
    assert_int_equal(tight.leaf_lines, packed.leaf_lines);
    assert_true(apart.leaf_lines > tight.leaf_lines);
    assert_int_equal(packed.leaves, apart.leaves);
    assert_true(packed.list_lines >= packed.leaves && packed.list_lines < 2 * packed.leaves);
}

// Where a ray goes from node to node, with one call for each step; the counts that this makes of the kd-tree of 16 bytes.
static void walk_ray(const struct scene_view *view, const struct ray_record *record, struct trace_work *work)
{
    const struct ray ray = record_ray(record);
    const struct box_ray box = box_ray_make(&ray);
    struct pending_child stack[STACK_ENTRIES];
    struct walk walk;
    struct hit hit = {.t = record->t_max, .slot = HIT_NONE};
    int64_t before = -1;
    for (kd16_begin(&walk, stack, view, &box, hit.t); walk.current != WALK_DONE;) {
        if (walk.current < 0) {
            kd16_leaf(walk.current, &walk, view, &ray, &box, false, &hit);
            kd16_pop(&walk, stack, view, hit.t, false);
            continue;
        }
        if (before >= 0) {
            const double distance = fabs((double)walk.current - (double)before), octave = floor(log2(distance));
            ++work->hops;
            work->hop_octaves += (uint64_t)(8 * octave + floor(8 * (distance / exp2(octave) - 1)));
        }
        before = walk.current;
        ++work->nodes;
        kd16_step(&walk, stack, view, &box, hit.t, false);
    }
}

TEST(moves_are_as_long_as_the_numbers_are_apart)
{
    static struct ray_record rays[RAYS];
    static struct hit hits[RAYS];
    uint64_t octaves[2];
    make_rays(rays);
    for (uint32_t order = 0; order < 2; ++order) {
        const struct scene_view view = lay_out(&layouts[6], order);
        const struct trace_work counted = trace_rays_counted(&view, &(struct trace_options){0}, rays, RAYS, hits);
        struct trace_work walked = {0};
        for (uint32_t i = 0; i < RAYS; ++i)
            walk_ray(&view, &rays[i], &walked);
        assert_int_equal(counted.nodes, walked.nodes);
        assert_int_equal(counted.hops, walked.hops);
        assert_int_equal(counted.hop_octaves, walked.hop_octaves);
        assert_true(counted.hops > 500);
        octaves[order] = counted.hop_octaves;
        release();
    }
    assert_true(octaves[KD_ORDER_DEPTH] < octaves[!KD_ORDER_DEPTH]);
}

// ---- limits

TEST(a_heap_out_of_reach_is_refused)
{
    const struct tree tree = {.kind = TREE_KD16, .layout = TREE_KD_PTR25, .node_count = KD16_NODES_MAX};
    refused(tree_arrange(&tree, sphere.arranged.blocks, &why), "kd_ptr25", "tree=kd16"); // 400 MiB
    assert_int_equal(why.kind, ERROR_UNSUPPORTED);
    release();
}

// ---- the builder

TEST(more_than_a_leaf_holds_is_a_chain)
{
    struct test_mesh mesh;
    struct built built;
    small_mesh_make(MESH_SAME, &mesh);
    build(&mesh, &(struct scene_tree_options){.kind = TREE_KD16}, 1, &built);
    assert_int_equal(built.tree.facts.chains, 1);
    const struct kd16_node *nodes = built.tree.nodes;
    uint32_t index = 0, held = 0;
    while (!kd16_is_leaf(&nodes[index]) || kd16_leaf_count(&nodes[index]) == 0)
        ++index;
    for (uint32_t link = index; held += kd16_leaf_count(&nodes[link]), nodes[link].right; link = nodes[link].right)
        assert_int_equal(kd16_leaf_count(&nodes[link]), KD16_LEAF_MAX);
    assert_int_equal(held, 100);
    // All at the same t: the least id wins, from whichever link of the chain.
    const struct ray_record ray = {.origin = {0.25f, 0.25f, -2}, .direction = {0, 0, 1}, .t_max = 1e30f};
    struct hit hit;
    trace_plain(&built.arranged.view, &ray, 1, &hit);
    assert_true(hit.id == 0 && hit.t == 2.0f);
    built_finish(&built);
    test_mesh_finish(&mesh);
}

static void check_limit(const struct test_mesh *mesh, uint64_t nodes, uint64_t references, const char *word)
{
    struct tree tree;
    const struct tree_build_options options = {
        .tree = {.kind = TREE_KD16}, .pad = 0x1p-14f, .nodes_most = nodes, .references_most = references};
    if (word) {
        refused(tree_build(mesh->triangles, mesh->count, &options, &tree, &why), word, "tree=binary");
        assert_int_equal(why.kind, ERROR_UNSUPPORTED);
    } else {
        need(tree_build(mesh->triangles, mesh->count, &options, &tree, &why));
    }
    tree_finish(&tree);
}

TEST(depth_and_limits_are_kept)
{
    struct test_mesh mesh;
    struct tree tree;
    const struct tree_build_options options = {.tree = {.kind = TREE_KD16}, .pad = 0x1p-14f};
    assert_true(test_mesh_procedural(&mesh));
    assert_true(tree_build(mesh.triangles, mesh.count, &options, &tree, &why));
    assert_true(COARSER > 1 || (mesh.count >= 1 << 15 && mesh.count < 1 << 16));
    assert_true(tree.facts.depth <= 8 + 13 * 15 / 10);
    const uint64_t nodes = tree.node_count, references = tree.reference_count;
    tree_finish(&tree);
    check_limit(&mesh, nodes, 0, NULL);
    check_limit(&mesh, nodes - 1, 0, "nodes");
    check_limit(&mesh, 0, references - 1, "references to triangles");
    test_mesh_finish(&mesh);
}

TEST_GROUP(set_up, tear_down)
