// SPDX-License-Identifier: MIT
// For tests of trees: meshes, rays that arithmetic can get wrong, every way to walk, and every tree that there is. Meshes and
// rays are the same on every machine. What fails, fails the test.
#pragma once

#include "mesh_support.h"
#include "trace_rays.h"
#include "trees/fragments.h"
#include "trees/tree.h"

// ---- meshes

enum {
    MESH_ONE,     // a triangle
    MESH_TWO,     // far apart
    MESH_SOUP,    // 40 triangles through one another
    MESH_SAME,    // 100 times the same
    MESH_FLAT,    // 64 in one plane
    MESH_NEEDLES, // 64 of them, beside one another
    MESH_SLIVERS, // 200 across one another, which splitting cuts most
    MESH_FAR,     // the same far from where they were modelled
    MESH_DETAIL,  // small ones above one so large that they are finer than a step of the grid
    MESH_SPHERE,  // off the origin; the fans at its poles are what no plane separates
    SMALL_MESHES
};
void small_mesh_make(uint32_t which, struct test_mesh *mesh);

// ---- rays

// Rays from, to and along what triangles and boxes end at, from inside, from beside and from up to 100 sizes away; some end
// where something begins. `pad`: by which boxes are widened.
void hard_rays(const struct test_mesh *mesh, float pad, struct ray_record *rays, uint32_t count);
struct ray record_ray(const struct ray_record *record);

// ---- ways

// Every build, loop and order; and of kd-trees with each every form of the step and of the stack.
struct way {
    trace_function *trace;
    struct trace_options options;
    uint32_t kd_step, kd_stack;
};
enum { WAYS = 27, KD_WAYS = 54 };
struct way way_make(uint32_t number);

// Traces, on all cores if the rays are many, and compares with the closest hits, bit for bit, or whether there is one. `what`
// says in messages which tree it is.
void check_way(const struct scene_view *view, const struct way *way, const struct ray_record *rays, uint32_t count,
               const struct hit *expected, const char *what);
// hits[i] for every i < count by way 0.
void trace_plain(const struct scene_view *view, const struct ray_record *rays, uint32_t count, struct hit *hits);

// ---- trees

// Every combination of options that a kind uses, `levels` and `split` among them. The visitor's options are not settled.
// Returns how many there are.
uint32_t tree_cases(uint32_t kind, void (*visit)(void *context, const struct scene_tree_options *options),
                    void *context);
// The kind, and what is not 0 by its place in struct scene_tree_options.
void describe_tree(const struct scene_tree_options *options, char *text, size_t size);

// A tree in the layout that devices have, and a view of it.
struct arranged {
    struct tree_block blocks[TREE_BLOCKS];
    struct scene_view view;
};
// `view` holds all but the tree. The bounds are those of the scene's triangles.
void arrange(const struct tree *tree, const float low[3], const float high[3], const struct scene_view *view,
             struct arranged *arranged);
void arranged_finish(struct arranged *arranged);

// A mesh, its fragments if it is split, and a tree over it that has passed its check.
struct built {
    const struct test_mesh *mesh;
    struct fragment_list fragments;
    struct tree tree;
    struct arranged arranged;
    float pad;
};
void build(const struct test_mesh *mesh, const struct scene_tree_options *options, uint32_t threads,
           struct built *built);
void built_finish(struct built *built);
struct fragment_list fragments_of(const struct test_mesh *mesh, uint32_t threads);
