// SPDX-License-Identifier: MIT
// Scene files given as text, in a folder of the test's own.
#pragma once

#include "scene/scene_read.h"

extern const char *folder; // of the test, and $WARPSTUDY_DATA, once set_up has run

#define CAMERA "cameras:\n  main: {eye: [0, 0, 5], at: [0, 0, 0]}\n"
#define MESH_SCENE(file, more)                                                                                         \
    "materials: {blue: {diffuse: [0, 0, 0.5]}}\nmeshes:\n  m: {file: " file more                                       \
    "}\nobjects:\n  - {mesh: m, position: [1, 0, 0]}\n" CAMERA

void write_bytes(const char *name, const void *bytes, size_t size);
void write_text(const char *name, const char *text);
void *build_text(const char *text, uint64_t *size, struct error *error);
struct scene_view view_of(const void *image);
void *build_well(const char *text);
int set_up(void **state);
