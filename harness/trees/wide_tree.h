// SPDX-License-Identifier: MIT
// Wide trees and their compressed form (trees/wide.h, trees/wide_compressed.h): the binary tree collapsed, its nodes'
// children put in slots. See tree.h for what the functions do.
#pragma once

#include "trees/tree.h"

bool wide_build(const struct triangle *triangles, uint32_t count, const struct tree_build_options *options,
                struct tree *tree, struct error *error);
bool wide_validate(const struct tree *tree, float pad, struct error *error);
