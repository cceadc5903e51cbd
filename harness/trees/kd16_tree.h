// SPDX-License-Identifier: MIT
// kd-tree of 16-byte nodes: greedy surface-area heuristic over all planes at which a triangle's widened box begins or
// ends (Wald and Havran 2006), every triangle in every cell that its box reaches into.
#pragma once

#include "trees/tree.h"

// Deterministic: same input, same bits, on any number of threads. Fails without memory, and where there are more nodes
// or references than a node's fields can name.
bool kd16_build(const struct triangle *triangles, uint32_t count, const struct tree_build_options *options,
                struct tree *tree, struct error *error);
