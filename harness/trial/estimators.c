// SPDX-License-Identifier: MIT
#include "frame/estimator.h"

#include "scene/scene.h"
#include "surface/bsdf.h"
#include "surface/next.h"
#include "trial/execute_settings.h"
#include "volume/grid.h"

const struct estimator *const estimator_table[] = {&estimator_surface, &estimator_volume, NULL};

// Of every image; of every image of surfaces.
#define FILM_PARAMETERS .width = true, .height = true, .spp = true, .seed = true, .sampler = true
#define SURFACE_ESTIMATOR                                                                                              \
    FILM_PARAMETERS, .max_bounces = true, .materials = true, .roulette = true, .lighting = true, .light_search = true, \
                     .opacity = true, .tree = true, .leaf_size = true, .bins = true, .kd_order = true,                 \
                     .kd_step = true, .kd_stack = true, .tree_loads = true, .triangle_test = true,                     \
                     .affine_order = true, .tree_width = true, .child_order = true, .node_align = true,                \
                     .tree_stack = true, .optix_build = true, .optix_compact = true, .reorder = true, .splits = true,  \
                     .reinsert = true, .instances = true, .top_tree = true

static uint32_t surface_limit(const struct parameters *parameters)
{
    return (uint32_t)parameters->max_bounces;
}

static bool surface_alone(const struct parameters *parameters, struct parameters *mean)
{
    if (mean) {
        *mean = *parameters;
        mean->roulette = ROULETTE_NONE;
    }
    return parameters->roulette != ROULETTE_WARP && parameters->roulette != ROULETTE_BLOCK;
}

static bool surface_renders(const struct scene_facts *scene)
{
    return scene->triangles > 0;
}

static bool surface_suits(const struct parameters *parameters, const struct scene_facts *scene, struct error *error)
{
    if (!surface_renders(scene)) {
        error_set(error, ERROR_UNSUPPORTED, "scene %s has no surfaces", scene->name);
        return error_remedy(error, "choose a variant of another estimator: warpstudy list variants");
    }
    if (parameters->materials == MATERIALS_SCENE && scene->tree_materials) {
        error_set(error, ERROR_UNSUPPORTED,
                  "scene %s has blends, or materials of kinds or costs, that materials: scene does not have",
                  scene->name);
        return error_remedy(error, "choose materials: tree");
    }
    return execute_tree_suits(parameters, error);
}

static const char *const surface_scenes[] = {"open",  "cornell", "mirror_corridor", "materials", "interior",
                                             "grove", NULL};

const struct estimator estimator_surface = {
    .name = "surface",
    .reference = "naive",
    .parameters = {SURFACE_ESTIMATOR},
    .scenes = surface_scenes,
    .limit = surface_limit,
    .alone = surface_alone,
    .renders = surface_renders,
    .suits = surface_suits,
};

static uint32_t volume_limit(const struct parameters *parameters)
{
    return (uint32_t)parameters->path_cap - 1;
}

static bool volume_renders(const struct scene_facts *scene)
{
    return scene->voxels > 0;
}

static bool volume_suits(const struct parameters *parameters, const struct scene_facts *scene, struct error *error)
{
    if (!volume_renders(scene)) {
        error_set(error, ERROR_UNSUPPORTED, "scene %s has no volume", scene->name);
        return error_remedy(error, "choose a scene that has one, such as cube, or a variant of another estimator");
    }
    if (parameters->boundary == BOUNDARY_STRAIGHT || scene->boundary)
        return true;
    error_set(error, ERROR_UNSUPPORTED, "the volume of scene %s has no boundary", scene->name);
    return error_remedy(error, "add boundary: {ior: 1.33} to its volume, or choose boundary: straight");
}

static const char *const volume_scenes[] = {"fog", "cloud", NULL};

const struct estimator estimator_volume = {
    .name = "volume",
    .reference = "volume_naive",
    .parameters = {.width = true,
                   .height = true,
                   .spp = true,
                   .seed = true,
                   .path_cap = true,
                   .interpolation = true,
                   .majorant = true,
                   .boundary = true},
    .scenes = volume_scenes,
    .limit = volume_limit,
    .renders = volume_renders,
    .suits = volume_suits,
};

static bool suits_any(const struct parameters *parameters, const struct scene_facts *scene, struct error *error)
{
    (void)parameters, (void)scene, (void)error;
    return true;
}

const struct estimator estimator_nothing = {
    .name = "nothing",
    .parameters = {SURFACE_ESTIMATOR},
    .scenes = (const char *const[]){NULL},
    .limit = surface_limit,
    .suits = suits_any,
};
