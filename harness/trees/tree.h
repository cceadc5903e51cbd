// SPDX-License-Identifier: MIT
// Trees over a scene's triangles, whatever their kind: built from the triangles in the scene's own order, kept in an
// image of their own, and seen by kernels through scene_view.
#pragma once

#include "base/error.h"
#include "device/device.h"
#include "trees/grid.h"
#include "geometry/types.h"

// How a tree is built. Zero means default.
struct scene_tree_options {
#define TREE_OPTION(member, value, when) uint32_t member;
#include "trees/tree_options.def"
#undef TREE_OPTION
};
bool scene_tree_options_equal(const struct scene_tree_options *a, const struct scene_tree_options *b);

struct tree_facts {
    uint32_t leaf_size, depth; // most triangles in a leaf; longest root-leaf edge count
    uint64_t leaves, chains;   // cells or boxes with triangles or none; those of more triangles than one leaf holds
    uint64_t references;       // of leaves to triangles
    double sah_cost;           // expected inner-node steps plus triangle tests of a random ray
    uint64_t nodes;            // steps end at
    uint64_t top_nodes;        // in two levels: those of the tree over the instances, and its depth; `depth` is that of
    uint32_t top_depth, unused; // both together, and leaves, references and cost are sums over the objects' trees
};

struct tree {
    uint32_t kind;                     // whose image it is
    uint32_t layout;                   // what devices have of it: `kind`, or one that is arranged from its image
    uint32_t order, affine;            // as in scene_tree_options
    struct scene_tree_options options; // as asked for, not settled
    const void *nodes;
    const uint32_t *references;       // of leaves to triangles or fragments; NULL where they name them by their place
    const struct triangle *triangles; // as its leaves name them: in an order of its own, or in the scene's
    uint64_t node_count, reference_count, triangle_count;
    const struct fragment *fragments; // the scene's; NULL where no triangle was split
    uint64_t fragment_count;
    const int32_t *roots; // of a scene in two levels, by object: of the one tree of all; NULL of others
    uint64_t root_count, node_bytes;
    struct scene_grid grid;
    struct tree_facts facts;
    void *owned[3]; // what tree_finish frees
};

struct tree_build_options {
    struct scene_tree_options tree;
    uint32_t threads;                 // 0 = all cores; the result does not depend on it
    float pad;                        // scene_view.box_pad
    const struct fragment *fragments; // what the tree is built over; NULL: whole triangles. To outlive the tree
    uint32_t fragment_count;
    struct scene_grid grid; // set by tree_build
    // Less than what the nodes of a kd-tree can name, for tests; 0: all of it.
    uint64_t nodes_most, references_most;
};

enum { TREE_NODES, TREE_TRIANGLES, TREE_REFERENCES, TREE_FRAGMENTS, TREE_REST, TREE_MAPS, TREE_ROOTS, TREE_BLOCKS };

// Memory as a device is to have it. There is a rest where triangles are kept in two pieces, and maps where they are for the
// affine test and stand apart from the triangles.
struct tree_block {
    const void *bytes;
    uint64_t size;
    void *owned; // what tree_upload frees, or NULL
};

struct tree_reader;

// A file NAME_build.c defines tree_kind_NAME, for the NAME of its row in trees.def.
struct tree_kind {
    const char *source; // hash of the source that builds it
    size_t node_size;   // in the image; 0: tree_node_size says
    uint32_t image;     // the kind that is built and kept in files: itself, or that from whose image it is arranged
    // At most so many bytes a triangle or fragment are in use at once while it is built, the tree included, what it is
    // built over not; 0: not bounded so.
    uint32_t build_bytes;
    bool own_order;  // it keeps the triangles in an order of its own
    bool reinserts;  // uses as_split
    bool own_maps;   // it puts the maps of the affine triangle test where it wants them, if there are to be any
    bool splits;     // it can be over fragments of triangles
    bool watertight; // it keeps what the watertight triangle test reads, and no other
    bool traced;     // the device builds it itself and traverses it: device_ops.create_structure
    bool (*build)(const struct triangle *triangles, uint32_t count, const struct tree_build_options *options,
                  struct tree *tree, struct error *error);
    const struct tree_reader *reader; // by which one that came from a file is checked
    // Calls `visit` with every child of its nodes, but for empty ones, until it returns false; returns whether it never did.
    // NULL where a tree cannot be a part of one in two levels.
    bool (*children)(void *nodes, uint64_t count, const struct scene_tree_options *options,
                     bool (*visit)(void *context, int32_t *child), void *context);
    // Turns the blocks of the image into those of this layout; NULL where they are the same.
    bool (*arrange)(const struct tree *tree, struct tree_block blocks[TREE_BLOCKS], struct error *error);
};
extern const struct tree_kind *const tree_kinds[]; // by TREE_*
const char *tree_name(uint32_t kind);              // as in the parameter `tree`

// The options as the kind uses them: defaults put in, zero what it does not use. ERROR_USE where out of bounds.
bool tree_settle(const struct scene_tree_options *from, struct scene_tree_options *to, struct error *error);

// Bytes of a node in the image, by settled options.
size_t tree_node_size(const struct scene_tree_options *options);

// `triangles`: in the scene's own order, ids 0, 1, ..., to outlive the tree. For tree_finish, also on failure.
bool tree_build(const struct triangle *triangles, uint32_t count, const struct tree_build_options *options,
                struct tree *tree, struct error *error);
void tree_finish(struct tree *tree);

// Checks a tree from a file over the triangles of its scene, and over tree->fragments where there are any, sorted as a scene has
// them: after this no walk over it leaves its arrays, goes on for ever or misses a triangle. Never reads out of bounds
// whatever the bytes. (tree_check.c)
bool tree_validate(const struct tree *tree, const struct triangle *triangles, uint32_t count, float pad,
                   struct error *error);

// Sets what kernels see of the tree; `low`, `high` bound the scene's triangles, not widened.
void tree_view(const struct tree *tree, const float low[3], const float high[3], struct scene_view *view);

// The blocks of the layout; those of the image stay the tree's. `owned` is to be freed, also on failure.
bool tree_arrange(const struct tree *tree, struct tree_block blocks[TREE_BLOCKS], struct error *error);

// Sets what kernels see of the layout whose blocks are at these places.
void tree_view_blocks(const struct tree *tree, void *const blocks[TREE_BLOCKS], const float low[3], const float high[3],
                      struct scene_view *view);
