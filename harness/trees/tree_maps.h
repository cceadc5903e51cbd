// SPDX-License-Identifier: MIT
#pragma once

#include "trees/tree.h"

// The maps of the affine triangle test as a block of their own.
bool tree_make_maps(const struct tree *tree, struct tree_block *block, struct error *error);
