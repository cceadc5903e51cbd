// SPDX-License-Identifier: MIT
// A scene of instances as text, opened flat and in two levels.
#pragma once

#include "scene/scene.h"

#define CAMERA "cameras:\n  main: {eye: [0, 6, 12], at: [0, 2, 0]}\n"
#define OAK                                                                                                            \
    "materials:\n  leaf: {kind: lambert}\n  lamp: {kind: lambert, emission: 5}\n"                                      \
    "parts:\n"                                                                                                         \
    "  oak:\n    - {shape: trees, count: 1, outer: 0, leaves: 100, material: leaf}\n"                                  \
    "    - {shape: sphere, radius: 0.2, segments: 6, position: [0, 5, 0], material: lamp}\n"                           \
    "  stone:\n    - {shape: sphere, radius: 0.5, segments: 12}\n"
#define GROUND "objects:\n  - {shape: terrain, half: 30, cells: 16, waves: 1, name: ground}\n"
#define GROVE                                                                                                          \
    OAK GROUND "instances:\n"                                                                                          \
               "  - {of: oak, count: 50, outer: 26, sizes: [0.6, 1.4], on: ground}\n"                                  \
               "  - {of: stone, position: [1, 0, 2], scale: [2, 0.5, 1], rotation: [10, 20, 30], on: ground}\n"        \
               "  - {of: oak, matrix: [-1, 0, 0, 3, 0, 1, 0.2, 0, 0, 0, 1, -2]}\n" CAMERA

static const struct scene_tree_options flat = {.kind = TREE_BINARY};
static const struct scene_tree_options two_level = {.kind = TREE_BINARY, .levels = 1, .top = TREE_BINARY};

struct scene *open_text(const char *text, struct scene_tree_options tree, struct error *error);
struct scene *open_well(const char *text, struct scene_tree_options tree);
int grove_begin(void **state); // a folder of the test's own, for scenes and their cache
