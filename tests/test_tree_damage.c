// SPDX-License-Identifier: MIT
// What stands between a damaged file and a walk, once its checksum is right: every word of a small tree's image is changed in
// many ways. What is refused is well; what is accepted must give the hits that it gave before, without a read out of bounds
// (under the sanitizers). Of every kind of tree, whole, split and in two levels.
#include "check.h"
#include "scene/scene_build.h"
#include "scene/scene_image_check.h"
#include "scene/scene_read.h"
#include "tree_support.h"

#define CAMERA "cameras:\n  main: {eye: [0, 6, 12], at: [0, 2, 0]}\n"
static const char flat_text[] =
    "objects:\n  - {shape: sphere, radius: 2, segments: 6}\n  - {shape: box, position: [3, 1, 0]}\n" CAMERA;
// What wide4 keeps as floats: finer than a step of the grid.
static const char detail_text[] = "objects:\n  - {shape: plane, size: [8000, 8000]}\n  - {shape: sphere, radius: 0.02, "
                                  "segments: 8, position: [0, 5, 0]}\n" CAMERA;
static const char levels_text[] = "parts:\n  a: [{shape: box}]\n  b: [{shape: sphere, segments: 6}]\ninstances:\n"
                                  "  - {of: a, position: [1, 0, 0]}\n  - {of: b, position: [0, 1, 3], rotation: 20}\n  "
                                  "- {of: b, scale: [2, 1, 1]}\n" CAMERA;

struct images {
    struct scene_file file;
    char *content, *tree;
    uint64_t content_size, tree_size;
    uint32_t refused, accepted;
};

enum { RAYS = 400 };

static void images_make(struct images *images, const char *text, const struct scene_tree_options *options)
{
    struct scene_tree_options settled;
    const struct scene_build_options how = {.levels = options->levels != 0, .split = options->split, .threads = 1};
    *images = (struct images){0};
    need(tree_settle(options, &settled, &why) &&
         scene_file_parse(&images->file, "small.yaml", text, strlen(text), &why) &&
         (images->content = scene_build(&images->file, "small", &how, &images->content_size, &why)) &&
         (images->tree = scene_build_tree(images->content, &settled, &how, &images->tree_size, &why)));
}

static void images_finish(struct images *images)
{
    free(images->content);
    free(images->tree);
    scene_file_finish(&images->file);
}

// As when it is opened, but for the checksum, which is put right.
static bool valid(struct images *images)
{
    struct image_header *header = (struct image_header *)(void *)images->tree;
    header->checksum = image_checksum(images->tree, images->tree_size);
    return image_validate(images->tree, images->tree_size, IMAGE_TREE, &why) &&
           image_validate_tree(images->tree, images->content, &why);
}

static void trace_images(const struct images *images, const struct ray_record *rays, struct hit *hits)
{
    const struct image_header *header = image_header(images->content);
    const struct tree tree = image_tree(images->tree, images->content);
    struct scene_view view = image_view(header, images->content);
    tree_view(&tree, header->box_low, header->box_high, &view);
    trace_rays_scalar(&view, &(struct trace_options){0}, rays, RAYS, hits);
}

// From around what there is to points within, of the detail three in four.
static void make_rays(const struct images *images, struct ray_record *rays)
{
    const struct image_header *header = image_header(images->content);
    static const float detail[2][3] = {{-0.03f, 4.97f, -0.03f}, {0.03f, 5.03f, 0.03f}};
    uint64_t random = 7;
    for (uint32_t i = 0; i < RAYS; ++i) {
        const bool near = header->box_high[0] > 1000 && i % 4;
        rays[i] = (struct ray_record){.t_max = 1e30f};
        for (int axis = 0; axis < 3; ++axis) {
            const float low = near ? detail[0][axis] : header->box_low[axis];
            const float size = (near ? detail[1][axis] : header->box_high[axis]) - low;
            const float to = low + size * (0.5f + 0.5f * random_signed(&random));
            rays[i].origin[axis] = low + 0.5f * size + 1.5f * (size + 0.1f) * random_signed(&random);
            rays[i].direction[axis] = to - rays[i].origin[axis];
        }
    }
}

enum { CHANGES = 16, STEP_UP = 7, STEP_DOWN = 8 };

static uint32_t changed(uint32_t word, uint32_t other, int change)
{
    static const uint32_t values[] = {0, 0xFFFFFFFFu, 0x80000000u, 0x7FFFFFFFu, 0x7FC00000u, 0x7F800000u, 0xFF800000u};
    enum { VALUES = sizeof values / sizeof *values };
    if (change < VALUES)
        return values[change];
    const uint32_t next[CHANGES - VALUES] = {word + 1,           word - 1,        word + 16,
                                             word ^ 0x80000000u, word ^ 1u << 24, word + 0x10000u,
                                             word - 0x10000u,    word + 0x100u,   other};
    return next[change - VALUES];
}

// Returns whether the next number up or down is refused: of a plane of a box, that which makes the box smaller.
static bool damage_word(struct images *images, uint32_t *word, uint32_t other, const struct ray_record *rays,
                        const struct hit *expected, const char *what, uint64_t place)
{
    const uint32_t kept = *word;
    bool guarded = false;
    for (int change = 0; change < CHANGES; ++change) {
        struct hit hits[RAYS];
        *word = changed(kept, other, change);
        if (*word == kept)
            continue;
        if (!valid(images)) {
            ++images->refused;
            guarded |= change == STEP_UP || change == STEP_DOWN;
            continue;
        }
        ++images->accepted;
        trace_images(images, rays, hits);
        for (uint32_t i = 0; i < RAYS; ++i)
            if (f32_bits(hits[i].t) != f32_bits(expected[i].t) || hits[i].id != expected[i].id)
                fail_msg("%s: word %u as %08x instead of %08x is accepted, and ray %u hits %u at %g, not %u at %g",
                         what, (unsigned)place, *word, kept, i, hits[i].id, (double)hits[i].t, expected[i].id,
                         (double)expected[i].t);
    }
    *word = kept;
    return guarded;
}

// Words of a child that hold planes of its box and lead to it; 0 where they do not stand in words of their own.
static uint32_t words_of_child(const struct tree *tree)
{
    switch (tree->kind) {
    case TREE_BINARY:
    case TREE_WIDE: return 6 + 1;
    case TREE_WIDE4: return wide4_has_floats(tree->nodes) ? 6 : 3;
    default: return 0;
    }
}

static void check_damage(const char *text, const struct scene_tree_options *options)
{
    struct images images;
    struct ray_record rays[RAYS];
    struct hit expected[RAYS];
    char what[128];
    uint32_t met = 0;
    uint64_t guarded = 0;
    images_make(&images, text, options);
    describe_tree(options, what, sizeof what);
    assert_true(valid(&images));
    make_rays(&images, rays);
    trace_images(&images, rays, expected);
    for (uint32_t i = 0; i < RAYS; ++i)
        met += expected[i].id != HIT_NONE;
    assert_true(met > RAYS / 4);
    const struct image_header *header = image_header(images.tree);
    for (int section = IMAGE_NODES; section <= IMAGE_ROOTS; ++section) {
        uint32_t *words = (uint32_t *)(void *)(images.tree + header->sections[section].offset);
        const uint64_t count = header->sections[section].count * image_entry_size((enum image_section)section) / 4;
        for (uint64_t i = 0; i < count; ++i)
            guarded += damage_word(&images, &words[i], words[(i * 7919 + 16) % count], rays, expected, what, i);
    }
    assert_true(valid(&images));
    print_message("  %s: %u changes refused, %u accepted\n", what, images.refused, images.accepted);
    assert_true(images.refused > images.accepted);
    const struct tree tree = image_tree(images.tree, images.content);
    if (options->kind == TREE_WIDE4)
        assert_int_equal(wide4_has_floats(tree.nodes), text == detail_text && !options->split);
    if (!options->levels)
        assert_true(guarded >= words_of_child(&tree) * (tree.facts.nodes - 1 + tree.facts.leaves));
    images_finish(&images);
}

TEST(a_changed_word_is_refused_or_harmless)
{
    for (uint32_t kind = 0; kind < TREE_KINDS; ++kind) {
        if (tree_kinds[kind]->image != kind)
            continue;
        for (uint32_t split = 0; split < 2; ++split) {
            const struct scene_tree_options options = {.kind = kind, .split = split},
                                            wide = {.kind = kind, .tree_width = 2};
            struct scene_tree_options settled;
            if (!tree_settle(&options, &settled, &why))
                continue;
            check_damage(flat_text, &options);
            check_damage(detail_text, split ? &options : &wide);
        }
    }
}

TEST(the_same_in_two_levels)
{
    static const struct scene_tree_options pairs[] = {
#define LEVELS(TOP, BOTTOM) {.levels = 1, .top = TREE_##TOP, .kind = TREE_##BOTTOM, .tree_width = 1},
#include "trees/levels.def"
#undef LEVELS
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i)
        check_damage(levels_text, &pairs[i]);
}

// The same of the content, whose change may well be another scene: nothing is read out of bounds.
TEST(no_byte_of_the_content_leads_out)
{
    struct images images;
    struct ray_record rays[RAYS];
    struct hit hits[RAYS];
    struct triangle copy;
    images_make(&images, levels_text, &(struct scene_tree_options){.levels = 1, .top = TREE_WIDE, .kind = TREE_WIDE});
    make_rays(&images, rays);
    struct image_header *header = (struct image_header *)(void *)images.content;
    for (uint64_t i = 0; i < images.content_size; ++i) {
        char *const place = &images.content[i], kept = *place;
        *place = (char)(kept ^ (1 << i % 8));
        header->checksum = image_checksum(images.content, images.content_size);
        if (image_validate(images.content, images.content_size, IMAGE_CONTENT, &why) && valid(&images)) {
            const struct tree tree = image_tree(images.tree, images.content);
            struct scene_view view = image_view(header, images.content);
            tree_view(&tree, header->box_low, header->box_high, &view);
            trace_rays_scalar(&view, &(struct trace_options){0}, rays, 16, hits);
            for (uint32_t k = 0; k < 16; ++k)
                assert_true(hits[k].id == HIT_NONE ||
                            scene_triangle(&view, hits[k].slot, &copy)->material < view.material_count);
            ++images.accepted;
        }
        *place = kept;
    }
    assert_true(images.accepted > 100); // names, cameras, corners
    images_finish(&images);
}

// Nodes less than there are, and none; triangles of which the scene has one less.
TEST(what_does_not_fit_is_refused)
{
    struct test_mesh mesh;
    small_mesh_make(MESH_SOUP, &mesh);
    for (uint32_t kind = 0; kind < TREE_KINDS; ++kind) {
        struct built built;
        build(&mesh, &(struct scene_tree_options){.kind = kind}, 1, &built);
        const uint64_t nodes = built.tree.node_count;
        const uint64_t fewer[] = {nodes - 1, nodes - 2, nodes - 3, nodes - 4, 0};
        for (int i = 0; i < 5; ++i) {
            built.tree.node_count = fewer[i];
            assert_false(tree_validate(&built.tree, mesh.triangles, mesh.count, built.pad, &why));
        }
        built.tree.node_count = nodes;
        assert_true(tree_validate(&built.tree, mesh.triangles, mesh.count, built.pad, &why));
        if (tree_kinds[kind]->own_order)
            assert_false(tree_validate(&built.tree, mesh.triangles, mesh.count - 1, built.pad, &why));
        built_finish(&built);
    }
    test_mesh_finish(&mesh);
}
