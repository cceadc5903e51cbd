// SPDX-License-Identifier: MIT
// The material tree of Frolov and Galaktionov: a blend is a weighted sum of two materials, each of
// which may be a blend. It is evaluated by walking over all of its leaves, and sampled by choosing one branch after the
// other.
#pragma once

#include "surface/directions.h"

DEVICE bool material_is_blend(const struct material *material)
{
    return material->kind >= MATERIAL_BLEND;
}

// A walk over the leaves of a blend, each with its weight; those of one blend add up to 1.
struct blend_walk {
    struct material leaf;
    float weight;
    uint32_t waiting; // branches that the walk has passed by
    uint32_t branches[BLEND_DEPTH];
    float weights[BLEND_DEPTH];
};

DEVICE void blend_descend(const struct frame_args *frame, struct blend_walk *walk)
{
    while (material_is_blend(&walk->leaf)) {
        walk->branches[walk->waiting] = walk->leaf.branches[1];
        walk->weights[walk->waiting] = walk->weight * walk->leaf.weight;
        walk->waiting += 1;
        walk->weight = walk->weight * (1.0f - walk->leaf.weight);
        walk->leaf = frame->scene.materials[walk->leaf.branches[0]];
    }
}

DEVICE struct blend_walk blend_begin(const struct frame_args *frame, const struct material *material)
{
    struct blend_walk walk;
    walk.leaf = *material;
    walk.weight = 1.0f;
    walk.waiting = 0;
    blend_descend(frame, &walk);
    return walk;
}

// Goes to the next leaf; false where there is none.
DEVICE bool blend_next(const struct frame_args *frame, struct blend_walk *walk)
{
    if (walk->waiting == 0)
        return false;
    walk->waiting -= 1;
    walk->leaf = frame->scene.materials[walk->branches[walk->waiting]];
    walk->weight = walk->weights[walk->waiting];
    blend_descend(frame, walk);
    return true;
}

// Chooses a leaf with a probability equal to its weight. *lobe, a random number in [0, 1), is stretched after each choice
// and serves again.
DEVICE struct material blend_choose(const struct frame_args *frame, const struct material *material, float *lobe)
{
    struct material leaf = *material;
    while (material_is_blend(&leaf)) {
        const float first = 1.0f - leaf.weight;
        const bool second = *lobe >= first;
        const float stretched = second ? (*lobe - first) / leaf.weight : *lobe / first;
        *lobe = minimum_f32(stretched, 0.99999994f);
        leaf = frame->scene.materials[leaf.branches[second ? 1 : 0]];
    }
    return leaf;
}
