// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/image.h"
#include "base/memory.h"
#include "commands/shared.h"
#include "frame/estimator.h"
#include "run/progress.h"
#include "scene/scene_find.h"
#include "scene/scene_read.h"
#include "store/picture.h"
#include "trial/execute.h"

struct picture_wish {
    struct trial_spec spec;
    const char *variant; // as the user named it; NULL: whichever suits the scene
    const char *path;    // of a file; NULL: none
    struct store *store; // to keep it in too; NULL: none
    bool exposed;        // stops are given
    float stops;
};

// SCENE.png, without the folder and ending of a scene file.
static void standard_output(const char *scene, char *path, size_t size)
{
    char name[256];
    scene_name_of(scene, name, sizeof name);
    if (scene_file_is_mesh(name))
        *strrchr(name, '.') = '\0';
    snprintf(path, size, "%s.png", name);
}

static void report(const struct measurement *measurement, const struct picture_wish *wish)
{
    const struct trial_spec *spec = &wish->spec;
    char hash[HASH_TEXT], took[32], prepared[32];
    hash_text(measurement->image, hash);
    progress_duration(measurement->repetitions[0].host_seconds, took, sizeof took);
    progress_duration(measurement->prepare_seconds, prepared, sizeof prepared);
    printf("%s: %ux%u, %lld paths per pixel, %s on %s\n  rendered in %s after %s of preparation; image hash %s\n",
           wish->path ? wish->path : spec->scene, measurement->film_width, measurement->film_height,
           (long long)spec->parameters.spp, spec->variant, measurement->device_name, took, prepared, hash);
    if (spec->parameters.materials == MATERIALS_LAMBERT07 &&
        variant_uses(variant_find(spec->variant), parameter_find("materials")))
        puts("  all surfaces are of one grey, as in most of the studies; --set materials=tree shows the scene's own");
    if (measurement->cut_paths)
        fprintf(stderr,
                "warpstudy: warning: %u of %lld paths met path_cap, %lld extensions, and bring no light\n"
                "  raise path_cap, or make the volume thinner\n",
                measurement->cut_paths,
                (long long)spec->parameters.width * spec->parameters.height * spec->parameters.spp,
                (long long)spec->parameters.path_cap);
}

// What a contact sheet wants, unless the command line says otherwise.
static bool sheet_parameters(const struct command_line *line, struct parameters *parameters, struct error *error)
{
    parameters->width = 320;
    parameters->height = 192;
    parameters->spp = 64;
    return parameter_set(parameters, parameter_find("materials"), "tree", error) &&
           command_set_parameters(line, parameters, error);
}

static bool write_picture(const struct measurement *measurement, const struct picture_wish *wish, const float *radiance,
                          struct error *error)
{
    char image[HASH_TEXT], content[HASH_TEXT];
    char *jpeg;
    const uint32_t width = measurement->film_width, height = measurement->film_height;
    struct store_picture picture = {.scene = wish->spec.scene,
                                    .scene_content = content,
                                    .camera = wish->spec.camera,
                                    .width = (int32_t)width,
                                    .height = (int32_t)height,
                                    .spp = (int32_t)wish->spec.parameters.spp,
                                    .image = image};
    const float stops = wish->exposed ? wish->stops : image_exposure(radiance, width, height);
    if (!image_encode_jpeg(radiance, width, height, stops, &jpeg, &picture.size, error))
        return false;
    hash_text(measurement->image, image);
    hash_text(measurement->scene_content, content);
    picture.jpeg = jpeg;
    const bool done = store_put_picture(wish->store, &picture, error);
    if (done)
        printf("%s: the picture is stored\n", store_path(wish->store));
    free(jpeg);
    return done;
}

static bool store_picture(const struct measurement *measurement, const struct picture_wish *wish, struct error *error)
{
    const uint32_t width = measurement->film_width, height = measurement->film_height;
    float *radiance = image_from_film(measurement->film, width, height, (uint32_t)wish->spec.parameters.spp);
    const bool done = (!wish->path || image_write(wish->path, radiance, width, height, wish->stops, error)) &&
                      (!wish->store || write_picture(measurement, wish, radiance, error));
    free(radiance);
    return done;
}

// By the reference of the estimator that the scene is for, where the first is another and the user named no variant.
static bool execute_suiting(struct executor *executor, const struct execute_request *request, struct picture_wish *wish,
                            struct measurement *measurement, struct error *error)
{
    if (execute(executor, request, measurement, error))
        return true;
    if (wish->variant || error->kind != ERROR_UNSUPPORTED)
        return false;
    const struct scene *scene = execute_scene(executor, &wish->spec, NULL);
    const struct estimator *const *row = estimator_table;
    while (scene && *row && !(*row)->renders(scene_facts(scene)))
        ++row;
    if (!scene || !*row || variant_find(wish->spec.variant)->estimator == *row)
        return false;
    error_clear(error);
    snprintf(wish->spec.variant, sizeof wish->spec.variant, "%s", (*row)->reference);
    return execute(executor, request, measurement, error);
}

static bool render_picture(struct picture_wish *wish, struct error *error)
{
    const struct execute_request request = {
        .spec = &wish->spec, .collection = COLLECTION_FRAME, .policy = policy_once(), .keep_film = true};
    struct progress progress;
    struct measurement measurement = {0};
    progress_start(&progress, 0, false);
    struct executor *executor = executor_create();
    executor_progress(executor, progress_scene, &progress);
    const bool rendered = execute_suiting(executor, &request, wish, &measurement, error);
    progress_clear(&progress);
    const bool done = rendered && store_picture(&measurement, wish, error);
    if (done)
        report(&measurement, wish);
    measurement_finish(&measurement);
    executor_destroy(executor);
    return done;
}

static bool render_run(const struct command_line *line, struct error *error)
{
    struct picture_wish wish = {.store = NULL};
    char standard[512], *end;
    const bool store = command_flag(line, "store");
    const char *path = command_option(line, "output"), *text = command_option(line, "exposure");
    standard_output(line->words[0], standard, sizeof standard);
    wish.path = path || store ? path : standard;
    wish.variant = command_option(line, "variant");
    wish.exposed = text != NULL;
    wish.stops = text ? strtof(text, &end) : 0;
    if (text && (end == text || *end || !(wish.stops >= -64 && wish.stops <= 64)))
        return error_set(error, ERROR_USE, "--exposure: '%s' is not a number from -64 to 64", text);
    if (!command_trial_spec(line, line->words[0], &wish.spec, error) ||
        (store && !sheet_parameters(line, &wish.spec.parameters, error)) ||
        (wish.path && !image_check_path(wish.path, error)) ||
        (store && !(wish.store = command_open_store(line, STORE_WRITE, error))))
        return false;
    const bool done = render_picture(&wish, error) && (!store || store_keep(wish.store, error));
    store_close(wish.store);
    return done;
}

const struct command command_render = {
    .name = "render",
    .arguments = "SCENE [-o FILE] [OPTIONS]",
    .summary = "renders one image",
    .details = "SCENE is a name from `warpstudy list scenes`, or the path of a scene file or of a mesh (OBJ, PLY, OFF, "
               "STL, glTF),\n"
               "which is scaled to a box of 2 and lit evenly.",
    .options =
        {
            {"output", "FILE", "image to write, .png, .exr or .hdr; default SCENE.png", 'o'},
            {"variant", "VARIANT",
             "default naive, for a volume volume_naive; every variant of an estimator renders the same image", 0},
            {"camera", "NAME", "one of the scene's cameras; default its first", 0},
            {COMMAND_OPTION_DEVICE},
            {COMMAND_OPTION_SET},
            {"exposure", "STOPS", "brightens a PNG by this many stops", 0},
            {"store", NULL,
             "store the image in the database, for contact sheets; then the defaults are 320x192, 64 paths per pixel, "
             "the "
             "scene's own materials and automatic exposure",
             0},
            {COMMAND_OPTION_DB},
        },
    .least_words = 1,
    .most_words = 1,
    .run = render_run,
};
