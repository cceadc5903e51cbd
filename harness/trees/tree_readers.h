// SPDX-License-Identifier: MIT
// The readers of each kind of tree, each in a file NAME_check.c.
#pragma once

#include "trees/tree_reading.h"

extern const struct tree_reader bvh_reader, wide_reader, wide_compressed_reader, kd16_reader, wide4_reader;
