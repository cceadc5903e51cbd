// SPDX-License-Identifier: MIT
// Kernels whose instructions, branches and waits are known, for test_cuda_counters.c, and their arguments.
#pragma once

#include "lib/scene.h"

// half: lanes 16 to 31 of each warp skip the loop. trips: lane i makes i % 7 steps, i % 5 triangle tests, and i % 20
// marks its extension; nothing is unrolled, so that a warp makes as many trips as its busiest lane.
static const char kernel_text[] =
    "struct half_args { float *out; uint32_t loops; };\n"
    "KERNEL(half, struct half_args)\n"
    "{\n"
    "    const uint32_t i = block_index() * block_size() + thread_index();\n"
    "    float x = (float)i;\n"
    "    if (lane_index() < 16u)\n"
    "        for (uint32_t k = 0; k < args->loops; ++k)\n"
    "            x = fmaf(x, 0.5f, 1.0f);\n"
    "    args->out[i] = x;\n"
    "}\n"
    "struct trips_args { struct scene_view scene; float *out; };\n"
    "KERNEL(trips, struct trips_args)\n"
    "{\n"
    "    const uint32_t i = block_index() * block_size() + thread_index();\n"
    "    float sum = 0.0f;\n"
    "#pragma unroll 1\n"
    "    for (uint32_t k = 0; k < i % 7u; ++k) {\n"
    "        struct bvh_node copy;\n"
    "        const struct bvh_node *node = node_fetch(&args->scene, (int32_t)k, false, &copy);\n"
    "        sum += node->x[0] + node->y[1] + (float)node->child[1];\n"
    "    }\n"
    "#pragma unroll 1\n"
    "    for (uint32_t k = 0; k < i % 5u; ++k) {\n"
    "        struct triangle copy;\n"
    "        const struct triangle *triangle = triangle_fetch(&args->scene, k, false, &copy);\n"
    "        sum += triangle->v0.x + triangle->v2.z;\n"
    "    }\n"
    "    if (i % 32u < i / 32u % 32u) {\n"
    "        extension_mark();\n"
    "        sum *= 2.0f;\n"
    "    }\n"
    "    args->out[i] = sum;\n"
    "}\n"
    "struct chase_args { uint32_t *next; uint32_t *out; uint32_t steps; };\n"
    "KERNEL(chase, struct chase_args)\n"
    "{\n"
    "    const uint32_t i = block_index() * block_size() + thread_index();\n"
    "    uint32_t at = i;\n"
    "    for (uint32_t k = 0; k < args->steps; ++k)\n"
    "        at = args->next[at];\n"
    "    args->out[i] = at;\n"
    "}\n";

struct half_args {
    float *out;
    uint32_t loops;
};
struct trips_args {
    struct scene_view scene;
    float *out;
};
struct chase_args {
    uint32_t *next, *out;
    uint32_t steps;
};
