// SPDX-License-Identifier: MIT
// Layouts of a kd-tree in memory, and its nodes as a lane holds them, whatever the layout. All hold the same nodes, and
// leaves in the same order: a walk takes the same steps in each.
#pragma once

#include "trees/kd16.h"
#include "trees/triangle.h"

enum kd_form {
    KD_BYTES = 63,            // of a node
    KD_HEAP = 64,             // nodes and the lists of leaves in one heap, in random order: links are byte offsets
    KD_LISTS_APART = 128,     // nodes in an array; the list of each leaf in a place of its own, in random order
    KD_TRIANGLES_APART = 256, // triangles in random order, and not in the scene's
    KD_TRIANGLES_SPLIT = 512  // what a triangle test reads in one array, all else in another
};

enum {
#define KD_LAYOUT(NAME, name, bytes, form) NAME##_FORM = (bytes) | (int)(form),
#include "trees/kd_layouts.def"
#undef KD_LAYOUT
};

// A node of a pointer tree: as C lays it out where the flag is as wide as the rest (28 bytes), and without any gap (25,
// the flag being a byte).
struct kd28_node {
    uint32_t is_leaf, axis;
    float split;
    uint32_t left, right;  // children; `right` of a leaf: the next of its chain, 0 where it is the last
    uint32_t count, first; // of a leaf: its triangles, and where their list is; in a heap as a byte offset
};

struct __attribute__((packed)) kd25_node {
    uint8_t is_leaf;
    uint32_t axis;
    float split;
    uint32_t left, right, count, first;
};

// A node as a lane holds it: kd16_node's fields, with links as wide as any layout's.
struct kd_record {
    uint32_t head; // as in kd16_node, without the left child
    uint32_t left;
    float split;
    uint32_t right, first; // `first` counts words from where lists begin, also in a heap
};

DEVICE uint32_t kd_head(uint32_t axis, uint32_t count, uint32_t is_leaf)
{
    return axis << KD16_AXIS | count << KD16_COUNT | (is_leaf ? (uint32_t)KD16_IS_LEAF : 0u);
}

DEVICE bool kd_is_leaf(const struct kd_record *record)
{
    return (record->head & (uint32_t)KD16_IS_LEAF) != 0;
}

DEVICE uint32_t kd_leaf_count(const struct kd_record *record)
{
    return record->head >> KD16_COUNT & (uint32_t)KD16_LEAF_MAX;
}

// Where a node begins, in bytes from scene_view.nodes.
DEVICE uint64_t kd_offset(uint32_t form, uint32_t node)
{
    return (form & (uint32_t)KD_HEAP) ? node : (uint64_t)node * (form & (uint32_t)KD_BYTES);
}

DEVICE uint32_t kd_node_at(uint32_t form, uint64_t offset)
{
    return (uint32_t)((form & (uint32_t)KD_HEAP) ? offset : offset / (form & (uint32_t)KD_BYTES));
}

DEVICE void kd16_fetch(const void *place, struct kd_record *to)
{
    const struct uint4 word = TREE_LOAD((const struct uint4 *)place); // site: inner
    to->head = word.x;
    to->left = word.x & (uint32_t)KD16_CHILD;
    to->split = f32_from_bits(word.y);
    to->right = word.z;
    to->first = word.w;
}

DEVICE uint32_t kd25_word(const uint8_t *place)
{
    return TREE_LOAD(place) | (uint32_t)TREE_LOAD(place + 1) << 8 | (uint32_t)TREE_LOAD(place + 2) << 16 |
           (uint32_t)TREE_LOAD(place + 3) << 24;
}

DEVICE void kd25_fetch(const void *place, struct kd28_node *to)
{
    const uint8_t *const byte = (const uint8_t *)place;
    to->is_leaf = TREE_LOAD(byte); // site: inner
    to->axis = kd25_word(byte + 1);
    to->split = f32_from_bits(kd25_word(byte + 5));
    to->left = kd25_word(byte + 9);
    to->right = kd25_word(byte + 13);
    to->count = kd25_word(byte + 17);
    to->first = kd25_word(byte + 21);
}

DEVICE void kd28_fetch(const void *place, struct kd28_node *to)
{
    const struct kd28_node *const from = (const struct kd28_node *)place;
    to->is_leaf = TREE_LOAD(&from->is_leaf); // site: inner
    to->axis = TREE_LOAD(&from->axis);
    to->split = TREE_LOAD(&from->split);
    to->left = TREE_LOAD(&from->left);
    to->right = TREE_LOAD(&from->right);
    to->count = TREE_LOAD(&from->count);
    to->first = TREE_LOAD(&from->first);
}

DEVICE void kd_fetch(uint32_t form, const void *place, struct kd_record *to)
{
    struct kd28_node from;
    if ((form & (uint32_t)KD_BYTES) == sizeof(struct kd16_node)) {
        kd16_fetch(place, to);
        return;
    }
    if ((form & (uint32_t)KD_BYTES) == sizeof(struct kd25_node))
        kd25_fetch(place, &from);
    else
        kd28_fetch(place, &from);
    to->head = kd_head(from.axis, from.count, from.is_leaf);
    to->left = from.left;
    to->split = from.split;
    to->right = from.right;
    to->first = (form & (uint32_t)KD_HEAP) ? from.first / 4u : from.first;
}

// Place `place` of the lists of leaves, counted in words.
DEVICE uint32_t kd_reference(uint32_t form, const struct scene_view *scene, uint32_t place)
{
    const uint32_t *const lists = (form & (uint32_t)KD_HEAP) ? (const uint32_t *)scene->nodes : scene->references;
    return TREE_LOAD(lists + place);
}

// How triangles are kept: of a layout that splits them what the affine test reads are the maps.
DEVICE uint32_t kd_triangles(uint32_t form, const struct scene_view *scene)
{
    const bool affine = TRIANGLE_TEST(scene) == TRIANGLE_TEST_AFFINE;
    if ((form & (uint32_t)KD_TRIANGLES_SPLIT) != 0)
        return affine ? TRIANGLES_WHOLE : TRIANGLES_SPLIT;
    return affine ? TRIANGLES_RECORDS : TRIANGLES_WHOLE;
}
