// SPDX-License-Identifier: MIT
// The tree wide4: the binary tree of boxes, over triangles or fragments, collapsed to four children a node, and written
// in nodes of 64 bytes on the scene's grid and records of 64 bytes.
//
// Boxes are rounded outwards to the grid, whose steps are at most 1/24,576 of the scene's extent. Where details are so small
// that rounding hides them from one another, nodes are of 128 bytes instead, and their boxes floats: where a ray that meets
// a node would meet, in the mean over all nodes and by the surface-area heuristic, one and a half times as many of its
// children as with exact boxes. Fragments lie on the grid themselves: over them nodes never have floats.
#pragma once

#include "trees/tree.h"

// Most bytes a triangle or fragment that are in use at once while a tree is built: 64 of nodes of the binary tree, 26 of
// what becomes of them, 12 of a stack, 64 of its record and 128 at most of wide nodes, of which there are in fact few.
enum { WIDE4_BUILD_BYTES = 296 };

// Deterministic: same input, same bits, on any number of threads. Fails without memory, and where there are more than
// 2^26 triangles or fragments.
bool wide4_build(const struct triangle *triangles, uint32_t count, const struct tree_build_options *options,
                 struct tree *tree, struct error *error);
