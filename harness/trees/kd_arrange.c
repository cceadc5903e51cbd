// SPDX-License-Identifier: MIT
#include "trees/kd_arrange.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "trees/traverse.h"
#include "geometry/affine.h"

enum { ORDER_SEED = 2015 }; // of what lies in random order

static const uint32_t forms[TREE_KINDS] = {
#define KD_LAYOUT(NAME, name, bytes, form) [TREE_##NAME] = NAME##_FORM,
#include "trees/kd_layouts.def"
#undef KD_LAYOUT
};

static const char *const names[TREE_KINDS] = {
#define KD_LAYOUT(NAME, name, bytes, form) [TREE_##NAME] = #name,
#include "trees/kd_layouts.def"
#undef KD_LAYOUT
};

struct arrangement {
    const struct tree *tree;
    const struct kd16_node *nodes; // of the image
    uint32_t form, count;
    uint32_t *links;     // of each node of the image: its number in the layout, or in a heap its byte offset
    uint32_t *lists;     // of each leaf: where its list begins, in words of what holds lists
    uint32_t *slots;     // of each triangle: its place in the layout
    uint64_t heap_bytes; // of nodes and lists together, where they are in a heap
};

static uint32_t bytes_of(uint32_t form)
{
    return form & KD_BYTES;
}

// ---- numbers of nodes

// Level by level; the links of a chain are children of those before them. `queue` has room for each node.
static void number_by_level(const struct kd16_node *nodes, uint32_t count, uint32_t *numbers, uint32_t *queue)
{
    uint32_t found = 0;
    queue[found++] = 0;
    for (uint32_t i = 0; i < found && i < count; ++i) {
        const struct kd16_node *node = &nodes[queue[i]];
        numbers[queue[i]] = i;
        if (!kd16_is_leaf(node))
            queue[found++] = node->head & KD16_CHILD;
        if (node->right != 0)
            queue[found++] = node->right;
    }
}

bool kd_numbers(const struct tree *tree, uint32_t *numbers)
{
    uint32_t *queue = malloc((tree->node_count + 1) * sizeof *queue);
    for (uint32_t i = 0; i < tree->node_count; ++i)
        numbers[i] = i;
    if (queue && tree->order == KD_ORDER_BREADTH)
        number_by_level(tree->nodes, (uint32_t)tree->node_count, numbers, queue);
    free(queue);
    return queue != NULL;
}

// ---- places of lists

static uint32_t list_words(const struct arrangement *to, uint32_t node)
{
    return kd16_is_leaf(&to->nodes[node]) ? kd16_leaf_count(&to->nodes[node]) : 0;
}

static void lists_as_they_are(const struct arrangement *to)
{
    for (uint32_t i = 0; i < to->count; ++i)
        to->lists[i] = to->nodes[i].first;
}

static void lists_apart(const struct arrangement *to, uint32_t *order)
{
    uint32_t end = 0;
    random_order(ORDER_SEED, order, to->count, 0);
    for (uint32_t i = 0; i < to->count; ++i) {
        to->lists[order[i]] = end;
        end += list_words(to, order[i]);
    }
}

// Nodes and lists one by one in the order of their allocation: object i is node i, or the list of node i - count. A list
// begins at a whole word. `order` has room for two objects a node.
static void fill_heap(struct arrangement *to, uint32_t *order)
{
    uint64_t end = 0;
    random_order(ORDER_SEED, order, 2 * to->count, 1);
    for (uint32_t i = 0; i < 2 * to->count; ++i) {
        const uint32_t node = order[i] % to->count;
        if (order[i] < to->count) {
            to->links[node] = (uint32_t)end;
            end += bytes_of(to->form);
        } else if (list_words(to, node) > 0) {
            end = (end + 3) / 4 * 4;
            to->lists[node] = (uint32_t)(end / 4);
            end += list_words(to, node) * sizeof(uint32_t);
        }
    }
    to->heap_bytes = end;
}

// Refuses a heap with words to which codes of leaves do not reach.
static bool check_heap(const struct arrangement *to, uint64_t bytes, struct error *error)
{
    const uint64_t most = (uint64_t)KD16_REFERENCES_MAX * sizeof(uint32_t);
    if (!(to->form & KD_HEAP) || bytes <= most)
        return true;
    error_set(error, ERROR_UNSUPPORTED, "tree %s needs a heap of %llu MiB, and %llu are in reach",
              names[to->tree->layout], (unsigned long long)(bytes >> 20), (unsigned long long)(most >> 20));
    return error_remedy(error, "choose tree=kd16");
}

static bool place_all(struct arrangement *to, struct error *error)
{
    uint32_t *room = memory_try(2 * (size_t)to->count + 1, sizeof *room, error, "to arrange a tree");
    if (!room)
        return false;
    if (!kd_numbers(to->tree, to->links)) {
        free(room);
        return error_memory(error, "to arrange a tree");
    }
    lists_as_they_are(to);
    if (to->form & KD_LISTS_APART)
        lists_apart(to, room);
    if (to->form & KD_HEAP)
        fill_heap(to, room);
    random_order(ORDER_SEED, to->slots, (uint32_t)to->tree->triangle_count,
                 to->form & KD_TRIANGLES_APART ? 0 : (uint32_t)to->tree->triangle_count);
    free(room);
    return check_heap(to, to->heap_bytes, error);
}

// ---- nodes

static void put_node(const struct arrangement *to, uint32_t index, char *base)
{
    const struct kd16_node *node = &to->nodes[index];
    const bool leaf = kd16_is_leaf(node);
    const uint32_t right = node->right ? to->links[node->right] : 0;
    const uint32_t left = leaf ? 0 : to->links[node->head & KD16_CHILD];
    const uint32_t list = leaf ? to->lists[index] : 0, axis = leaf ? 0 : node->head >> KD16_AXIS;
    char *place = base + kd_offset(to->form, to->links[index]);
    if (bytes_of(to->form) == sizeof *node) {
        const struct kd16_node packed = {(node->head & ~(uint32_t)KD16_CHILD) | left, node->split, right, list};
        memcpy(place, &packed, sizeof packed);
        return;
    }
    const uint32_t first = to->form & KD_HEAP ? 4 * list : list, count = list_words(to, index);
    const struct kd28_node aligned = {leaf, axis, node->split, left, right, count, first};
    const struct kd25_node tight = {(uint8_t)leaf, axis, node->split, left, right, count, first};
    if (bytes_of(to->form) == sizeof aligned)
        memcpy(place, &aligned, sizeof aligned);
    else
        memcpy(place, &tight, sizeof tight);
}

static bool block_allocate(struct tree_block *block, uint64_t size, struct error *error)
{
    block->owned = memory_try(size + 1, 1, error, "to arrange a tree");
    block->bytes = block->owned;
    block->size = size;
    return block->owned != NULL;
}

// Triangles are named by their places in the layout; fragments, of which no layout has its own order, by their numbers.
static void put_list(const struct arrangement *to, uint32_t index, uint32_t *lists)
{
    const uint32_t *from = to->tree->references + to->nodes[index].first;
    for (uint32_t i = 0; i < list_words(to, index); ++i)
        lists[to->lists[index] + i] = to->tree->fragments ? from[i] : to->slots[from[i]];
}

static bool put_nodes(const struct arrangement *to, struct tree_block blocks[TREE_BLOCKS], struct error *error)
{
    const bool heap = to->form & KD_HEAP;
    const uint64_t bytes = heap ? to->heap_bytes : (uint64_t)to->count * bytes_of(to->form);
    if (!block_allocate(&blocks[TREE_NODES], bytes, error) ||
        !block_allocate(&blocks[TREE_REFERENCES], heap ? 0 : to->tree->reference_count * sizeof(uint32_t), error))
        return false;
    for (uint32_t i = 0; i < to->count; ++i) {
        put_node(to, i, blocks[TREE_NODES].owned);
        put_list(to, i, heap ? blocks[TREE_NODES].owned : blocks[TREE_REFERENCES].owned);
    }
    return true;
}

// ---- triangles

static bool put_triangles_apart(const struct arrangement *to, struct tree_block *block, struct error *error)
{
    if (!block_allocate(block, to->tree->triangle_count * sizeof(struct triangle), error))
        return false;
    struct triangle *triangles = block->owned;
    for (uint64_t i = 0; i < to->tree->triangle_count; ++i)
        triangles[to->slots[i]] = to->tree->triangles[i];
    return true;
}

static bool split_triangles(const struct arrangement *to, struct tree_block blocks[TREE_BLOCKS], struct error *error)
{
    const uint64_t count = to->tree->triangle_count;
    if (!block_allocate(&blocks[TREE_TRIANGLES], count * sizeof(struct triangle_corners), error) ||
        !block_allocate(&blocks[TREE_REST], count * sizeof(struct triangle_rest), error))
        return false;
    struct triangle_corners *corners = blocks[TREE_TRIANGLES].owned;
    struct triangle_rest *rest = blocks[TREE_REST].owned;
    for (uint64_t i = 0; i < count; ++i) {
        const struct triangle *from = &to->tree->triangles[i];
        corners[i] = (struct triangle_corners){from->v0, from->v1, from->v2};
        rest[i] = (struct triangle_rest){from->id, from->material};
    }
    return true;
}

// What the affine test reads, and what else there is of the triangle, one behind the other.
static bool put_records(const struct arrangement *to, struct tree_block *block, struct error *error)
{
    if (!block_allocate(block, to->tree->triangle_count * sizeof(struct triangle_record), error))
        return false;
    struct triangle_record *records = block->owned;
    for (uint64_t i = 0; i < to->tree->triangle_count; ++i) {
        struct triangle_record *record = &records[to->slots[i]];
        record->triangle = to->tree->triangles[i];
        affine_map_make(&record->triangle, &record->map);
    }
    return true;
}

static bool put_triangles(const struct arrangement *to, struct tree_block blocks[TREE_BLOCKS], struct error *error)
{
    if (to->form & KD_TRIANGLES_SPLIT)
        return to->tree->affine || split_triangles(to, blocks, error);
    if (to->tree->affine)
        return put_records(to, &blocks[TREE_TRIANGLES], error);
    return !(to->form & KD_TRIANGLES_APART) || put_triangles_apart(to, &blocks[TREE_TRIANGLES], error);
}

bool kd_arrange(const struct tree *tree, struct tree_block blocks[TREE_BLOCKS], struct error *error)
{
    struct arrangement to = {
        .tree = tree, .nodes = tree->nodes, .form = forms[tree->layout], .count = (uint32_t)tree->node_count};
    if (to.form == KD16_FORM && tree->order == KD_ORDER_DEPTH && !tree->affine)
        return true;
    // Of its nodes and lists alone; where each begins at a whole word, there is more.
    if (!check_heap(&to, to.count * (uint64_t)bytes_of(to.form) + tree->reference_count * sizeof(uint32_t), error))
        return false;
    to.links = calloc(to.count + (size_t)1, sizeof *to.links);
    to.lists = calloc(to.count + (size_t)1, sizeof *to.lists);
    to.slots = calloc(tree->triangle_count + 1, sizeof *to.slots);
    const bool done = to.links && to.lists && to.slots
                          ? place_all(&to, error) && put_nodes(&to, blocks, error) && put_triangles(&to, blocks, error)
                          : error_memory(error, "to arrange a tree");
    free(to.links);
    free(to.lists);
    free(to.slots);
    return done;
}
