// SPDX-License-Identifier: MIT
// Embree 3 over a test mesh, one ray at a time: the yardstick for hits and for speed.
#pragma once

#include "trees/traverse.h"
#include "mesh_support.h"

// NULL where Embree cannot start.
struct embree *embree_create(const struct test_mesh *mesh);
void embree_destroy(struct embree *embree);

// hits[i].t and .id for every i < count; callable from several threads.
void embree_trace(const struct embree *embree, const struct ray_record *rays, uint32_t count, struct hit *hits);
