// SPDX-License-Identifier: MIT
// What the readers of mesh files share: a mesh that grows, checks of what they add to it, and messages that name it.
#pragma once

#include "base/error.h"
#include "import/mesh_data.h"

struct mesh_builder {
    const char *path, *name; // of the file, and of the mesh in messages
    bool materials;          // wanted: with libraries and textures
    bool quiet;              // no warnings
    struct mesh_data *mesh;
    uint64_t vertex_room, triangle_room; // that there is memory for
    uint64_t faces;                      // that were given to it
    uint64_t points, lines;              // left out: told when the mesh is finished
    uint64_t declared;                   // triangles that a glTF file says it has
    bool left;                           // the reader leaves the file to assimp and has added nothing
    struct error *error;
};

// Reads a file's bytes, behind which stands a zero, into a builder. False with its error set.
typedef bool mesh_reader(struct mesh_builder *builder, const char *bytes, size_t size);
mesh_reader mesh_ply_read, mesh_obj_read, mesh_gltf_read, mesh_off_read, mesh_stl_read;

// Sets the error, its message 'mesh "NAME": ...'; `line` is one of the file, 0 where there is none. Returns false.
bool mesh_builder_fail(struct mesh_builder *builder, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// The same on stderr, as a warning of what is left out.
void mesh_builder_warn(const struct mesh_builder *builder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

bool mesh_builder_vertex(struct mesh_builder *builder, struct exact_vec vertex, int line);
// A polygon becomes triangles; of fewer corners than three it is a point or a line. Its vertices must be there.
bool mesh_builder_face(struct mesh_builder *builder, const uint32_t *corners, size_t count, uint32_t material,
                       int line);
// Refuses bytes that are no text: a zero is among them.
bool mesh_builder_is_text(struct mesh_builder *builder, const char *bytes, size_t size);
// Adds a material; its index.
uint32_t mesh_builder_material(struct mesh_builder *builder, const struct mesh_material *material);

// Refuses a mesh without triangles, tells what was left out, and gives one without materials a white one.
bool mesh_builder_finish(struct mesh_builder *builder);

// A file as its bytes, with a zero behind them; NULL on failure. To be freed.
char *mesh_file_read(const char *path, size_t *size, struct error *error);

// A static analyser sees one file at a time: tell it that this never returns true.
#ifdef __clang_analyzer__
#define mesh_builder_fail(...) ((void)(mesh_builder_fail)(__VA_ARGS__), false)
#endif
