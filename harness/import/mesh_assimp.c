// SPDX-License-Identifier: MIT
#include "import/mesh_assimp.h"

#include <assimp/cimport.h>
#include <assimp/material.h>
#include <assimp/scene.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/path.h"
#include "import/picture.h"

enum { MESH_NODE_DEPTH = 256 };

struct import {
    const struct aiScene *scene;
    struct mesh_builder *builder;
};

// ---- geometry

static struct exact_transform transform_of(const struct aiMatrix4x4 *m)
{
    return (struct exact_transform){{{(double)m->a1, (double)m->a2, (double)m->a3},
                                     {(double)m->b1, (double)m->b2, (double)m->b3},
                                     {(double)m->c1, (double)m->c2, (double)m->c3}},
                                    {(double)m->a4, (double)m->b4, (double)m->c4}};
}

static bool add_face(struct import *import, const struct aiMesh *mesh, const struct aiFace *face, uint32_t base)
{
    uint32_t *corners = memory_new(face->mNumIndices, sizeof *corners);
    bool done = true;
    for (unsigned i = 0; done && i < face->mNumIndices; ++i) {
        corners[i] = base + face->mIndices[i];
        if (face->mIndices[i] >= mesh->mNumVertices)
            done = mesh_builder_fail(import->builder, 0, "a face refers to vertex %u, and there are %u, from 0",
                                     face->mIndices[i], mesh->mNumVertices);
    }
    const uint32_t last = import->builder->mesh->palette_count - 1;
    done = done && mesh_builder_face(import->builder, corners, face->mNumIndices,
                                     mesh->mMaterialIndex < last ? mesh->mMaterialIndex : last, 0);
    free(corners);
    return done;
}

static bool add_mesh(struct import *import, const struct aiMesh *mesh, const struct exact_transform *world)
{
    const uint32_t base = (uint32_t)import->builder->mesh->vertex_count;
    for (unsigned i = 0; mesh->mVertices && i < mesh->mNumVertices; ++i) {
        const struct aiVector3D *v = &mesh->mVertices[i];
        const struct exact_vec p = exact_vec_make((double)v->x, (double)v->y, (double)v->z);
        if (!mesh_builder_vertex(import->builder, exact_transform_point(world, p), 0))
            return false;
    }
    for (unsigned i = 0; i < mesh->mNumFaces; ++i)
        if (!add_face(import, mesh, &mesh->mFaces[i], base))
            return false;
    return true;
}

// Every mesh of every node, depth first, with the node's transform to the world.
static bool add_nodes(struct import *import, const struct aiNode *node, const struct exact_transform *above, int depth)
{
    const struct exact_transform local = transform_of(&node->mTransformation);
    const struct exact_transform world = exact_transform_multiply(above, &local);
    if (depth > MESH_NODE_DEPTH)
        return mesh_builder_fail(import->builder, 0, "its nodes are nested too deeply");
    for (unsigned i = 0; i < node->mNumMeshes; ++i)
        if (node->mMeshes[i] < import->scene->mNumMeshes &&
            !add_mesh(import, import->scene->mMeshes[node->mMeshes[i]], &world))
            return false;
    for (unsigned i = 0; i < node->mNumChildren; ++i)
        if (!add_nodes(import, node->mChildren[i], &world, depth + 1))
            return false;
    return true;
}

// ---- materials

static void read_colour(const struct aiMaterial *from, const char *key, unsigned type, unsigned index, double colour[3])
{
    struct aiColor4D value;
    if (aiGetMaterialColor(from, key, type, index, &value) != aiReturn_SUCCESS)
        return;
    colour[0] = mesh_clamp((double)value.r, 0, 1);
    colour[1] = mesh_clamp((double)value.g, 0, 1);
    colour[2] = mesh_clamp((double)value.b, 0, 1);
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
        return mesh_builder_fail(import->builder, 0, "cannot read texture %s", reference);
    const struct aiTexture *texture = import->scene->mTextures[index];
    return picture_mean_memory(texture->pcData, texture->mWidth, import->builder->path, NULL, mean,
                               import->builder->error);
}

static bool texture_mean(struct import *import, const char *reference, double mean[3])
{
    if (reference[0] == '*')
        return embedded_mean(import, reference, mean);
    char *path = path_beside(import->builder->path, reference);
    const bool done = picture_mean(path, mean, import->builder->error);
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
    to->exponent = mesh_clamp(read_scalar(from, AI_MATKEY_SHININESS, 0), 0, 1e6);
    to->ior = mesh_clamp(read_scalar(from, AI_MATKEY_REFRACTI, 1.5), 1, 4);
    to->opacity = mesh_clamp(read_scalar(from, AI_MATKEY_OPACITY, 1), 0, 1);
    return !textures || apply_texture(import, from, to);
}

// And one for meshes that have none.
static bool read_palette(struct import *import)
{
    for (unsigned i = 0; i < import->scene->mNumMaterials; ++i) {
        struct mesh_material material;
        if (!read_material(import, import->scene->mMaterials[i], import->builder->materials, &material))
            return false;
        mesh_builder_material(import->builder, &material);
    }
    mesh_builder_material(import->builder, &mesh_material_white);
    return true;
}

bool mesh_assimp_read(struct mesh_builder *builder)
{
    const struct exact_transform identity = exact_transform_identity();
    struct import import = {.scene = aiImportFile(builder->path, 0), .builder = builder};
    const bool done = import.scene && import.scene->mRootNode
                          ? read_palette(&import) && add_nodes(&import, import.scene->mRootNode, &identity, 0)
                          : mesh_builder_fail(builder, 0, "assimp cannot read it: %.300s", aiGetErrorString());
    aiReleaseImport(import.scene);
    return done;
}
