// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/mesh_gltf.h"
#include "import/picture.h"

// ---- textures

static bool picture_bytes(struct gltf *gltf, const json_t *image, struct gltf_bytes *bytes)
{
    const char *uri = json_string_value(json_object_get(image, "uri"));
    uint64_t view, stride;
    if (uri)
        return gltf_uri_read(gltf, uri, bytes);
    return gltf_whole(gltf, image, "bufferView", GLTF_NONE, &view) && gltf_view_read(gltf, view, bytes, &stride);
}

// Which the format allows; others it does not, and a reader of those may be less sound.
static bool is_picture(const struct gltf_bytes *bytes)
{
    return bytes->size >= 8 &&
           (memcmp(bytes->at, "\x89PNG\r\n\x1A\n", 8) == 0 || memcmp(bytes->at, "\xFF\xD8\xFF", 3) == 0);
}

static bool mean_of_image(struct gltf *gltf, uint64_t index, double *alpha, double mean[3])
{
    struct gltf_bytes bytes = {0};
    char name[600];
    const json_t *image = gltf_entry(gltf, "images", index);
    const char *uri = json_string_value(json_object_get(image, "uri"));
    char *path = uri ? gltf_uri_path(gltf->builder->path, uri) : NULL;
    snprintf(name, sizeof name, "%s", path ? path : gltf->builder->path);
    const bool done = image && picture_bytes(gltf, image, &bytes) &&
                      (is_picture(&bytes) || mesh_builder_fail(gltf->builder, 0, "images[%llu] is neither PNG nor JPEG",
                                                               (unsigned long long)index)) &&
                      picture_mean_memory(bytes.at, bytes.size, name, alpha, mean, gltf->builder->error);
    free(bytes.owned);
    free(path);
    return done;
}

// Multiplies a colour by the mean of a texture, if there is one. `alpha`: NULL where it weighs the colours, else it becomes the mean alpha.
static bool dye(struct gltf *gltf, const json_t *owner, const char *key, double *alpha, double colour[3])
{
    const json_t *reference = json_object_get(owner, key);
    uint64_t index, image;
    double mean[3];
    if (!reference || !gltf->builder->materials)
        return true;
    if (!gltf_whole(gltf, reference, "index", GLTF_NONE, &index))
        return false;
    const json_t *texture = gltf_entry(gltf, "textures", index);
    if (!texture || !gltf_whole(gltf, texture, "source", GLTF_NONE, &image))
        return false;
    if (image == GLTF_NONE)
        return mesh_builder_fail(gltf->builder, 0,
                                 "textures[%llu] has no picture but for an extension's, not supported",
                                 (unsigned long long)index);
    if (!mean_of_image(gltf, image, alpha, mean))
        return false;
    for (int c = 0; c < 3; ++c)
        colour[c] *= mean[c];
    return true;
}

// ---- materials

// Opaque ones ignore their alpha; a mask lets all through, or nothing.
static double opacity_of(const json_t *from, const char *mode, double alpha)
{
    const json_t *cutoff = json_object_get(from, "alphaCutoff");
    if (mode && strcmp(mode, "BLEND") == 0)
        return mesh_clamp(alpha, 0, 1);
    return mode && strcmp(mode, "MASK") == 0 && alpha < (cutoff ? json_number_value(cutoff) : 0.5) ? 0 : 1;
}

static bool read_glossiness(struct gltf *gltf, const json_t *from, double colour[4], struct mesh_material *material)
{
    double specular[3] = {1, 1, 1}, mean_gloss = 1;
    const json_t *gloss = json_object_get(from, "glossinessFactor");
    if (!gltf_numbers(gltf, from, "diffuseFactor", 4, colour) ||
        !gltf_numbers(gltf, from, "specularFactor", 3, specular))
        return false;
    for (int c = 0; c < 3; ++c)
        material->specular[c] = mesh_clamp(specular[c], 0, 1);
    if (!dye(gltf, from, "specularGlossinessTexture", &mean_gloss, material->specular))
        return false;
    material->exponent = 1000 * mean_gloss * mesh_clamp(gloss ? json_number_value(gloss) : 1, 0, 1);
    return true;
}

static bool read_material(struct gltf *gltf, const json_t *from)
{
    const char *name = json_string_value(json_object_get(from, "name"));
    const json_t *extensions = json_object_get(from, "extensions");
    const json_t *metallic = json_object_get(from, "pbrMetallicRoughness");
    const json_t *glossy = json_object_get(extensions, "KHR_materials_pbrSpecularGlossiness");
    const json_t *ior = json_object_get(json_object_get(extensions, "KHR_materials_ior"), "ior");
    struct mesh_material material = {.ior = mesh_clamp(json_is_number(ior) ? json_number_value(ior) : 1.5, 1, 4)};
    const char *mode = json_string_value(json_object_get(from, "alphaMode"));
    const bool opaque = !mode || strcmp(mode, "OPAQUE") == 0;
    double colour[4] = {1, 1, 1, 1}, unused;
    snprintf(material.name, sizeof material.name, "%.63s", name && *name ? name : "default");
    if (!(glossy ? read_glossiness(gltf, glossy, colour, &material)
                 : gltf_numbers(gltf, metallic, "baseColorFactor", 4, colour)))
        return false;
    for (int c = 0; c < 3; ++c)
        material.diffuse[c] = mesh_clamp(colour[c], 0, 1);
    material.opacity = opacity_of(from, mode, colour[3]);
    if (!dye(gltf, glossy ? glossy : metallic, glossy ? "diffuseTexture" : "baseColorTexture", opaque ? &unused : NULL,
             material.diffuse))
        return false;
    mesh_builder_material(gltf->builder, &material);
    return true;
}

bool gltf_materials_read(struct gltf *gltf)
{
    const size_t count = json_array_size(json_object_get(gltf->root, "materials"));
    for (size_t i = 0; i < count; ++i) {
        const json_t *material = gltf_entry(gltf, "materials", i);
        if (!material || !read_material(gltf, material))
            return false;
    }
    mesh_builder_material(gltf->builder, &mesh_material_white); // of primitives that have none
    return true;
}
