// SPDX-License-Identifier: MIT
// Trees in device memory.
#pragma once

#include "device/device.h"
#include "trees/two_levels.h"

// Copies the tree to blocks of device memory, to be released also on failure, and sets the view of it there; *structure is what
// the device has built itself, zeros where that is nothing. `levels`: of a tree in two levels its scene; else not read.
bool tree_upload(const struct tree *tree, const struct levels *levels, const float low[3], const float high[3],
                 struct device *device, void *blocks[TREE_BLOCKS], struct scene_view *view,
                 struct device_structure *structure, struct error *error);
