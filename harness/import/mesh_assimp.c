// SPDX-License-Identifier: MIT
#include "import/mesh_assimp.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/material.h>
#include <assimp/scene.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/path.h"
#include "import/picture.h"

enum { MESH_NODE_DEPTH = 256 };

struct import {
    const struct aiScene *scene;
    struct mesh_builder *builder;
    uint32_t *palette; // of assimp's materials: index into the mesh's
    bool morphs;       // some mesh has other forms
};

// ---- what the file says of itself

static const void *metadata(const struct aiScene *scene, const char *key, aiMetadataType type)
{
    const struct aiMetadata *all = scene->mMetaData;
    for (unsigned i = 0; all && i < all->mNumProperties; ++i)
        if (strcmp(all->mKeys[i].data, key) == 0 && all->mValues[i].mType == type)
            return all->mValues[i].mData;
    return NULL;
}

static bool is_collada(const struct aiScene *scene)
{
    const struct aiString *format = metadata(scene, "SourceAsset_Format", AI_AISTRING);
    return format && strncmp(format->data, "Collada", 7) == 0;
}

static bool refuse_shape(struct mesh_builder *builder, const char *by)
{
    mesh_builder_fail(builder, 0, "it is bent by %s, which is read from glTF alone", by);
    return error_remedy(builder->error, "export the mesh anew, as glTF or in its final shape");
}

// assimp leaves out what Collada's morphs show, without a word.
static bool check_morphs(struct mesh_builder *builder)
{
    size_t size;
    char *bytes = mesh_file_read(builder->path, &size, builder->error);
    const bool none = bytes && (!memmem(bytes, size, "<morph ", 7) || refuse_shape(builder, "a morph"));
    free(bytes);
    return none;
}

// ---- geometry

static struct exact_transform transform_of(const struct aiMatrix4x4 *m)
{
    return (struct exact_transform){{{(double)m->a1, (double)m->a2, (double)m->a3},
                                     {(double)m->b1, (double)m->b2, (double)m->b3},
                                     {(double)m->c1, (double)m->c2, (double)m->c3}},
                                    {(double)m->a4, (double)m->b4, (double)m->c4}};
}

// glTF says that a node that mirrors turns its triangles the other way round.
static bool add_face(struct import *import, const struct aiMesh *mesh, const struct aiFace *face, uint32_t base,
                     bool turned)
{
    uint32_t *corners = memory_new(face->mNumIndices, sizeof *corners);
    bool done = true;
    for (unsigned i = 0; done && i < face->mNumIndices; ++i) {
        corners[turned ? face->mNumIndices - 1 - i : i] = base + face->mIndices[i];
        if (face->mIndices[i] >= mesh->mNumVertices)
            done = mesh_builder_fail(import->builder, 0, "a face refers to vertex %u, and there are %u, from 0",
                                     face->mIndices[i], mesh->mNumVertices);
    }
    const unsigned last = import->scene->mNumMaterials;
    done = done && mesh_builder_face(import->builder, corners, face->mNumIndices,
                                     import->palette[mesh->mMaterialIndex < last ? mesh->mMaterialIndex : last], 0);
    free(corners);
    return done;
}

static bool add_mesh(struct import *import, const struct aiMesh *mesh, const struct exact_transform *world)
{
    const uint32_t base = (uint32_t)import->builder->mesh->vertex_count;
    const bool turned = import->builder->left && exact_determinant(world->m) < 0;
    if (mesh->mNumBones > 0)
        return refuse_shape(import->builder, "a skin");
    import->morphs |= mesh->mNumAnimMeshes > 0;
    for (unsigned i = 0; mesh->mVertices && i < mesh->mNumVertices; ++i) {
        const struct aiVector3D *v = &mesh->mVertices[i];
        const struct exact_vec p = exact_vec_make((double)v->x, (double)v->y, (double)v->z);
        if (!mesh_builder_vertex(import->builder, exact_transform_point(world, p), 0))
            return false;
    }
    for (unsigned i = 0; i < mesh->mNumFaces; ++i)
        if (!add_face(import, mesh, &mesh->mFaces[i], base, turned))
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
    import->builder->mesh->unlisted = true;
    char *path = path_beside(import->builder->path, reference);
    const bool done = picture_mean(path, mean, import->builder->error);
    free(path);
    return done;
}

// Some of the formats put a texture in the place of the colour, which then may be black.
static bool apply_texture(struct import *import, const struct aiMaterial *from, struct mesh_material *to)
{
    struct aiString reference;
    double mean[3];
    if (aiGetMaterialTexture(from, aiTextureType_DIFFUSE, 0, &reference, NULL, NULL, NULL, NULL, NULL, NULL) !=
            aiReturn_SUCCESS ||
        reference.length == 0 || path_is_foreign(reference.data))
        return true;
    if (!texture_mean(import, reference.data, mean))
        return false;
    const bool black = to->diffuse[0] <= 0 && to->diffuse[1] <= 0 && to->diffuse[2] <= 0;
    for (int c = 0; c < 3; ++c)
        to->diffuse[c] = black ? mean[c] : to->diffuse[c] * mean[c];
    return true;
}

static void read_name(const struct aiMaterial *from, struct mesh_material *to)
{
    struct aiString name;
    const bool named = aiGetMaterialString(from, AI_MATKEY_NAME, &name) == aiReturn_SUCCESS && name.length > 0;
    snprintf(to->name, sizeof to->name, "%.63s", named ? name.data : "default");
}

// assimp gives all of Collada's a diffuse colour and a highlight, where <lambert> has none of these, and <constant> neither.
static void correct_collada(const struct aiMaterial *from, struct mesh_material *to)
{
    int model = 0;
    aiGetMaterialIntegerArray(from, AI_MATKEY_SHADING_MODEL, &model, NULL);
    if (model == aiShadingMode_NoShading)
        memset(to->diffuse, 0, sizeof to->diffuse);
    if (model == aiShadingMode_NoShading || model == aiShadingMode_Gouraud)
        memset(to->specular, 0, sizeof to->specular);
}

static bool read_material(struct import *import, const struct aiMaterial *from)
{
    struct mesh_material to = {.diffuse = {0.5, 0.5, 0.5}};
    read_name(from, &to);
    read_colour(from, AI_MATKEY_COLOR_DIFFUSE, to.diffuse);
    read_colour(from, AI_MATKEY_COLOR_SPECULAR, to.specular);
    to.exponent = mesh_clamp(read_scalar(from, AI_MATKEY_SHININESS, 0), 0, 1e6);
    to.ior = mesh_clamp(read_scalar(from, AI_MATKEY_REFRACTI, 1.5), 1, 4);
    to.opacity = mesh_clamp(read_scalar(from, AI_MATKEY_OPACITY, 1), 0, 1);
    if (is_collada(import->scene))
        correct_collada(from, &to);
    if (import->builder->materials && !apply_texture(import, from, &to))
        return false;
    mesh_builder_material(import->builder, &to);
    return true;
}

// glTF's are there already. assimp puts them into an order of its own, so that names must tell.
static bool find_material(struct import *import, const struct aiMaterial *from, uint32_t *index)
{
    const struct mesh_data *mesh = import->builder->mesh;
    struct mesh_material wanted;
    bool found = false;
    read_name(from, &wanted);
    for (uint32_t i = 0; i + 1 < mesh->palette_count; ++i) {
        if (strcmp(mesh->palette[i].name, wanted.name) != 0)
            continue;
        if (found && memcmp(&mesh->palette[i], &mesh->palette[*index], offsetof(struct mesh_material, missing)) != 0) {
            mesh_builder_fail(import->builder, 0, "it has several materials \"%s\", which assimp does not tell apart",
                              wanted.name);
            return error_remedy(import->builder->error, "give each a name of its own, or export the mesh uncompressed");
        }
        *index = found ? *index : i;
        found = true;
    }
    return found || mesh_builder_fail(import->builder, 0, "assimp reads a material \"%s\" that the file does not have",
                                      wanted.name);
}

// And one for meshes that have none; in glTF assimp's last stands for that.
static bool read_palette(struct import *import)
{
    const unsigned count = import->scene->mNumMaterials;
    struct mesh_data *mesh = import->builder->mesh;
    import->palette = memory_new((size_t)count + 1, sizeof *import->palette);
    for (unsigned i = 0; i < count; ++i) {
        const struct aiMaterial *from = import->scene->mMaterials[i];
        import->palette[i] = import->builder->left ? mesh->palette_count - 1 : mesh->palette_count;
        if (!import->builder->left ? !read_material(import, from)
                                   : i + 1 < count && !find_material(import, from, &import->palette[i]))
            return false;
    }
    if (!import->builder->left)
        mesh_builder_material(import->builder, &mesh_material_white);
    import->palette[count] = mesh->palette_count - 1;
    return true;
}

// ---- the file

// FBX says which axes point to the right, up and to the viewer, and how many centimetres its unit has. A version of assimp that
// turns the root by them does so into centimetres.
static bool read_world(struct import *import, struct exact_transform *world)
{
    static const char *const names[3][2] = {
        {"CoordAxis", "CoordAxisSign"}, {"UpAxis", "UpAxisSign"}, {"FrontAxis", "FrontAxisSign"}};
    const struct aiMatrix4x4 *root = &import->scene->mRootNode->mTransformation;
    const float *single = metadata(import->scene, "UnitScaleFactor", AI_FLOAT);
    const double *unit = metadata(import->scene, "UnitScaleFactor", AI_DOUBLE);
    struct exact_transform turn = {0};
    *world = exact_transform_identity();
    if (!single && !unit)
        return true;
    for (int r = 0; r < 3; ++r) {
        const int32_t *axis = metadata(import->scene, names[r][0], AI_INT32);
        const int32_t *sign = metadata(import->scene, names[r][1], AI_INT32);
        turn.m[r][axis && *axis >= 0 && *axis < 3 ? *axis : r] = sign && *sign < 0 ? -1 : 1;
    }
    const bool turned = root->a1 != 1 || root->b2 != 1 || root->c3 != 1;
    const double size = 0.01 * (turned ? 1 : single ? (double)*single : *unit);
    const struct exact_transform scale = exact_transform_scale(size, size, size);
    *world = turned ? scale : exact_transform_multiply(&scale, &turn);
    if (exact_determinant((const double(*)[3])turn.m) > 0)
        return true;
    mesh_builder_fail(import->builder, 0, "its axes to the right, up and to the viewer are no right-handed three");
    return error_remedy(import->builder->error, "export it with right-handed axes, such as y up and z to the viewer");
}

// Without the meshes that assimp makes up for files that have only nodes.
static const struct aiScene *read_scene(const char *path)
{
    struct aiPropertyStore *options = aiCreatePropertyStore();
    aiSetImportPropertyInteger(options, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
    const struct aiScene *scene = aiImportFileExWithProperties(path, 0, NULL, options);
    aiReleasePropertyStore(options);
    return scene;
}

bool mesh_assimp_read(struct mesh_builder *builder)
{
    struct exact_transform world;
    struct import import = {.scene = read_scene(builder->path), .builder = builder};
    const bool done = import.scene && import.scene->mRootNode
                          ? (!is_collada(import.scene) || check_morphs(builder)) && read_world(&import, &world) &&
                                read_palette(&import) && add_nodes(&import, import.scene->mRootNode, &world, 0)
                          : mesh_builder_fail(builder, 0, "assimp cannot read it: %.300s", aiGetErrorString());
    if (done && import.morphs)
        mesh_builder_warn(builder, "its morph targets are left out: assimp does not tell their weights");
    aiReleaseImport(import.scene);
    free(import.palette);
    return done;
}
