// SPDX-License-Identifier: MIT
// What a PLY file's header says (Turk 1994).
#pragma once

#include "base/arena.h"
#include "import/mesh_builder.h"

enum ply_order { PLY_ASCII, PLY_LITTLE, PLY_BIG };

enum ply_type { PLY_INT8, PLY_UINT8, PLY_INT16, PLY_UINT16, PLY_INT32, PLY_UINT32, PLY_FLOAT32, PLY_FLOAT64 };

struct ply_property {
    const char *name;
    enum ply_type type, count; // of the values; of the number of them, in a list
    bool list;
};

struct ply_element {
    const char *name;
    uint64_t count;
    struct ply_property *properties;
    size_t property_count;
};

struct ply_header {
    enum ply_order order;
    struct ply_element *elements;
    size_t element_count;
    size_t size; // bytes; the data follow
    int lines;
    struct arena arena;
};

extern const uint8_t ply_type_sizes[];

// False with the builder's error set. Finish it in any case.
bool ply_header_read(struct ply_header *header, struct mesh_builder *builder, const char *bytes, size_t size);
void ply_header_finish(struct ply_header *header);
