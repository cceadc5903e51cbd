// SPDX-License-Identifier: MIT
#include "import/mesh_import.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "import/mesh_assimp.h"
#include "import/mesh_child.h"

// Readers of our own, by the ending of a file's name.
static const struct {
    const char *ending;
    mesh_reader *read;
} readers[] = {{".ply", mesh_ply_read},  {".obj", mesh_obj_read}, {".gltf", mesh_gltf_read},
               {".glb", mesh_gltf_read}, {".off", mesh_off_read}, {".stl", mesh_stl_read}};

static mesh_reader *find_reader(const char *path)
{
    const char *ending = strrchr(path, '.');
    for (size_t i = 0; ending && i < sizeof readers / sizeof *readers; ++i)
        if (strcasecmp(ending, readers[i].ending) == 0)
            return readers[i].read;
    return NULL;
}

// assimp does not say what it leaves out: triangles are counted.
static bool read_elsewhere(struct mesh_builder *builder)
{
    return mesh_child_try(builder) && mesh_assimp_read(builder) && mesh_builder_finish(builder) &&
           (!builder->left || builder->mesh->triangle_count == builder->declared ||
            mesh_builder_fail(builder, 0, "of its %llu triangles assimp reads %llu",
                              (unsigned long long)builder->declared,
                              (unsigned long long)builder->mesh->triangle_count));
}

static bool read_bytes(mesh_reader *read, struct mesh_builder *builder)
{
    size_t size;
    char *bytes = mesh_file_read(builder->path, &size, builder->error);
    const bool done = bytes && read(builder, bytes, size);
    free(bytes);
    return done && (!builder->left || read_elsewhere(builder));
}

bool mesh_import(struct mesh_data *mesh, const char *path, const char *name, bool textures, struct error *error)
{
    *mesh = (struct mesh_data){0};
    struct mesh_builder builder = {.path = path, .name = name, .materials = textures, .mesh = mesh, .error = error};
    mesh_reader *read = find_reader(path);
    if (read ? read_bytes(read, &builder) : read_elsewhere(&builder))
        return true;
    mesh_finish(mesh);
    return false;
}
