// SPDX-License-Identifier: MIT
#include "scene/mesh_assimp.h"

#include <assimp/cimport.h>
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "scene/mesh_builder.h"
#include "scene/picture.h"
#include "scene/soup.h"

enum { MESH_NODE_DEPTH = 256 };

struct import {
    const struct aiScene *scene;
    const char *path, *name;
    struct mesh_data *mesh;
    struct error *error;
};

// ---- geometry

static struct exact_transform transform_of(const struct aiMatrix4x4 *m)
{
    return (struct exact_transform){{{(double)m->a1, (double)m->a2, (double)m->a3},
                                     {(double)m->b1, (double)m->b2, (double)m->b3},
                                     {(double)m->c1, (double)m->c2, (double)m->c3}},
                                    {(double)m->a4, (double)m->b4, (double)m->c4}};
}

// Calls `each` for every mesh of every node, depth first, with the node's transform to the world.
static bool walk_nodes(struct import *import, const struct aiNode *node, const struct exact_transform *above, int depth,
                       bool (*each)(struct import *, const struct aiMesh *, const struct exact_transform *))
{
    const struct exact_transform local = transform_of(&node->mTransformation);
    const struct exact_transform world = exact_transform_multiply(above, &local);
    if (depth > MESH_NODE_DEPTH)
        return error_set_at(import->error, ERROR_INPUT, import->path, 0, "mesh \"%s\": nodes nested too deeply",
                            import->name);
    for (unsigned i = 0; i < node->mNumMeshes; ++i)
        if (node->mMeshes[i] < import->scene->mNumMeshes &&
            !each(import, import->scene->mMeshes[node->mMeshes[i]], &world))
            return false;
    for (unsigned i = 0; i < node->mNumChildren; ++i)
        if (!walk_nodes(import, node->mChildren[i], &world, depth + 1, each))
            return false;
    return true;
}

static bool count_mesh(struct import *import, const struct aiMesh *mesh, const struct exact_transform *world)
{
    (void)world;
    import->mesh->vertex_count += mesh->mNumVertices;
    import->mesh->triangle_count += mesh->mNumFaces;
    if (import->mesh->vertex_count < UINT32_MAX && import->mesh->triangle_count <= SOUP_MAX)
        return true;
    return error_set_at(import->error, ERROR_INPUT, import->path, 0, "mesh \"%s\" is too large", import->name);
}

static bool add_vertices(struct import *import, const struct aiMesh *mesh, const struct exact_transform *world)
{
    for (unsigned i = 0; i < mesh->mNumVertices; ++i) {
        const struct aiVector3D *v = &mesh->mVertices[i];
        if (!isfinite(v->x) || !isfinite(v->y) || !isfinite(v->z))
            return error_set_at(
                import->error, ERROR_INPUT, import->path, 0, "mesh \"%s\": vertex %llu is (%g, %g, %g), not a point",
                import->name, (unsigned long long)import->mesh->vertex_count, (double)v->x, (double)v->y, (double)v->z);
        const struct exact_vec p = exact_vec_make((double)v->x, (double)v->y, (double)v->z);
        import->mesh->vertices[import->mesh->vertex_count++] = exact_transform_point(world, p);
    }
    return true;
}

static bool add_mesh(struct import *import, const struct aiMesh *mesh, const struct exact_transform *world)
{
    struct mesh_data *to = import->mesh;
    const uint32_t base = (uint32_t)to->vertex_count;
    if (!add_vertices(import, mesh, world))
        return false;
    for (unsigned i = 0; i < mesh->mNumFaces; ++i) {
        const struct aiFace *face = &mesh->mFaces[i];
        if (face->mNumIndices != 3) // points and lines
            continue;
        for (int k = 0; k < 3; ++k) {
            if (face->mIndices[k] >= mesh->mNumVertices)
                return error_set_at(import->error, ERROR_INPUT, import->path, 0,
                                    "mesh \"%s\": a face refers to vertex %u of %u", import->name, face->mIndices[k],
                                    mesh->mNumVertices);
            to->indices[3 * to->triangle_count + (uint64_t)k] = base + face->mIndices[k];
        }
        to->materials[to->triangle_count++] = mesh->mMaterialIndex < to->palette_count ? mesh->mMaterialIndex : 0;
    }
    return true;
}

static bool read_geometry(struct import *import)
{
    const struct exact_transform identity = exact_transform_identity();
    struct mesh_data *mesh = import->mesh;
    if (!import->scene->mRootNode || !walk_nodes(import, import->scene->mRootNode, &identity, 0, count_mesh))
        return import->scene->mRootNode
                   ? false
                   : error_set_at(import->error, ERROR_INPUT, import->path, 0, "the mesh is empty");
    mesh->vertices = malloc((mesh->vertex_count + 1) * sizeof *mesh->vertices);
    mesh->indices = malloc((mesh->triangle_count + 1) * 3 * sizeof *mesh->indices);
    mesh->materials = malloc((mesh->triangle_count + 1) * sizeof *mesh->materials);
    if (!mesh->vertices || !mesh->indices || !mesh->materials)
        return error_set(import->error, ERROR_SYSTEM, "no memory for the mesh %s", import->path);
    mesh->vertex_count = mesh->triangle_count = 0;
    if (!walk_nodes(import, import->scene->mRootNode, &identity, 0, add_mesh))
        return false;
    return mesh->triangle_count > 0 ||
           error_set_at(import->error, ERROR_INPUT, import->path, 0, "mesh \"%s\" holds no triangle", import->name);
}

// ---- materials

static double clamp(double x, double low, double high)
{
    return x >= low ? (x <= high ? x : high) : low; // NaN becomes low
}

static void read_colour(const struct aiMaterial *from, const char *key, unsigned type, unsigned index, double colour[3])
{
    struct aiColor4D value;
    if (aiGetMaterialColor(from, key, type, index, &value) != aiReturn_SUCCESS)
        return;
    colour[0] = clamp((double)value.r, 0, 1);
    colour[1] = clamp((double)value.g, 0, 1);
    colour[2] = clamp((double)value.b, 0, 1);
}

static double read_scalar(const struct aiMaterial *from, const char *key, unsigned type, unsigned index,
                          double otherwise)
{
    ai_real value;
    return aiGetMaterialFloatArray(from, key, type, index, &value, NULL) == aiReturn_SUCCESS ? (double)value
                                                                                             : otherwise;
}

// Pictures inside the mesh file are called "*0", "*1", ...; only encoded ones are understood.
static bool embedded_mean(struct import *import, const char *reference, double mean[3])
{
    const unsigned long index = strtoul(reference + 1, NULL, 10);
    if (index >= import->scene->mNumTextures || import->scene->mTextures[index]->mHeight != 0)
        return error_set_at(import->error, ERROR_INPUT, import->path, 0, "mesh \"%s\": cannot read texture %s",
                            import->name, reference);
    const struct aiTexture *texture = import->scene->mTextures[index];
    return picture_mean_memory(texture->pcData, texture->mWidth, import->path, mean, import->error);
}

static bool texture_mean(struct import *import, const char *reference, double mean[3])
{
    if (reference[0] == '*')
        return embedded_mean(import, reference, mean);
    char *path = path_beside(import->path, reference);
    const bool done = picture_mean(path, mean, import->error);
    free(path);
    return done;
}

// A path on the author's own machine: no other machine has it, so that the colour alone counts everywhere.
static bool is_foreign(const char *reference)
{
    return reference[0] == '/' || (reference[0] && reference[1] == ':');
}

static bool apply_texture(struct import *import, const struct aiMaterial *from, struct mesh_material *to)
{
    struct aiString reference;
    double mean[3];
    if (aiGetMaterialTexture(from, aiTextureType_DIFFUSE, 0, &reference, NULL, NULL, NULL, NULL, NULL, NULL) !=
            aiReturn_SUCCESS ||
        reference.length == 0 || is_foreign(reference.data))
        return true;
    if (!texture_mean(import, reference.data, mean))
        return false;
    mesh_material_dye(to, mean);
    return true;
}

static bool read_material(struct import *import, const struct aiMaterial *from, bool textures, struct mesh_material *to)
{
    struct aiString name;
    *to = (struct mesh_material){.name = "default", .diffuse = {0.5, 0.5, 0.5}};
    if (aiGetMaterialString(from, AI_MATKEY_NAME, &name) == aiReturn_SUCCESS && name.length > 0)
        snprintf(to->name, sizeof to->name, "%.63s", name.data);
    read_colour(from, AI_MATKEY_COLOR_DIFFUSE, to->diffuse);
    read_colour(from, AI_MATKEY_COLOR_SPECULAR, to->specular);
    to->exponent = clamp(read_scalar(from, AI_MATKEY_SHININESS, 0), 0, 1e6);
    to->ior = clamp(read_scalar(from, AI_MATKEY_REFRACTI, 1.5), 1, 4);
    to->opacity = clamp(read_scalar(from, AI_MATKEY_OPACITY, 1), 0, 1);
    return !textures || apply_texture(import, from, to);
}

static bool read_palette(struct import *import, bool textures)
{
    struct mesh_data *mesh = import->mesh;
    const unsigned count = import->scene->mNumMaterials;
    mesh->palette = calloc(count + 1, sizeof *mesh->palette);
    if (!mesh->palette)
        return error_set(import->error, ERROR_SYSTEM, "no memory for the mesh %s", import->path);
    for (; mesh->palette_count < count; ++mesh->palette_count)
        if (!read_material(import, import->scene->mMaterials[mesh->palette_count], textures,
                           &mesh->palette[mesh->palette_count]))
            return false;
    if (count == 0) {
        mesh->palette[0] =
            (struct mesh_material){.name = "default", .diffuse = {0.5, 0.5, 0.5}, .ior = 1.5, .opacity = 1};
        mesh->palette_count = 1;
    }
    return true;
}

// ---- reading

// The library's own steps take faces without vertices, as a file cut short gives them, for a bug and abort.
static bool check_faces(struct import *import)
{
    for (unsigned i = 0; i < import->scene->mNumMeshes; ++i) {
        const struct aiMesh *mesh = import->scene->mMeshes[i];
        for (unsigned k = 0; k < mesh->mNumFaces; ++k) {
            const struct aiFace *face = &mesh->mFaces[k];
            if (face->mNumIndices == 0)
                return error_set_at(import->error, ERROR_INPUT, import->path, 0,
                                    "mesh \"%s\": face %u has no vertex: the file is cut short or damaged",
                                    import->name, k);
            for (unsigned j = 0; j < face->mNumIndices; ++j)
                if (face->mIndices[j] >= mesh->mNumVertices)
                    return error_set_at(import->error, ERROR_INPUT, import->path, 0,
                                        "mesh \"%s\": face %u refers to vertex %u, and there are %u", import->name, k,
                                        face->mIndices[j], mesh->mNumVertices);
        }
    }
    return true;
}

static bool cannot_read(const struct import *import)
{
    return error_set_at(import->error, ERROR_INPUT, import->path, 0, "cannot read mesh \"%s\": %.300s", import->name,
                        aiGetErrorString());
}

bool mesh_assimp_read(struct mesh_data *mesh, const char *path, const char *name, bool textures, struct error *error)
{
    struct import import = {.scene = aiImportFile(path, 0), .path = path, .name = name, .mesh = mesh, .error = error};
    if (!import.scene)
        return cannot_read(&import);
    if (!check_faces(&import))
        return false;
    import.scene = aiApplyPostProcessing(import.scene, aiProcess_Triangulate | aiProcess_ValidateDataStructure);
    return import.scene ? read_palette(&import, textures) && read_geometry(&import) : cannot_read(&import);
}
